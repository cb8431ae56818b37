#define _GNU_SOURCE
#include "CSyncCost.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t cost;
static _Atomic int64_t calls;

void sync_cost_set(int64_t nanoseconds) { cost = nanoseconds > 0 ? nanoseconds : 0; }

int64_t sync_cost_calls(void) { return calls; }

__attribute__((constructor)) static void take_cost_from_environment(void) {
  const char *text = getenv("SYNC_COST_NANOSECONDS");
  if (text != NULL) sync_cost_set(atoll(text));
}

static int synchronize(long call, int descriptor) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  calls++;
  int64_t least = cost;
  int status = (int)syscall(call, descriptor);
  if (least > 0) {
    int cause = errno;
    // The kernel may let a thread oversleep by 50 us otherwise.
    prctl(PR_SET_TIMERSLACK, 1);
    int64_t sum = end.tv_nsec + least;
    end.tv_sec += sum / 1000000000;
    end.tv_nsec = sum % 1000000000;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
    errno = cause;
  }
  return status;
}

int fsync(int descriptor) { return synchronize(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return synchronize(SYS_fdatasync, descriptor); }
