#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int process_spawn(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const char *folder,
    const int *descriptors, int count) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  int result = posix_spawn_file_actions_init(&actions);
  if (result != 0) return result;
  result = posix_spawnattr_init(&attributes);
  if (result != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return result;
  }
  for (int number = 0; result == 0 && number < count; number++) {
    if (descriptors[number] < 0) {
      result = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0);
    } else {
      result = posix_spawn_file_actions_adddup2(&actions, descriptors[number], number);
    }
  }
  if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, count);
  if (result == 0 && folder != NULL) result = posix_spawn_file_actions_addchdir_np(&actions, folder);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  if (result == 0) {
    result = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  if (result == 0) result = posix_spawnp(process, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

int process_open(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

int process_signal(int descriptor, int signal) {
#ifdef SYS_pidfd_send_signal
  return syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) == 0 ? 0 : errno;
#else
  (void)descriptor;
  (void)signal;
  return ENOSYS;
#endif
}

int process_has_ended(pid_t process) {
  siginfo_t information = {0};
  int result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOHANG | WNOWAIT);
  if (result != 0) return errno == EINTR ? 0 : 1;
  return information.si_pid == process;
}

void process_close_on_exec(void) {
#if defined(SYS_close_range) && defined(CLOSE_RANGE_CLOEXEC)
  if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
#endif
  // A kernel before 5.11.
  long count = sysconf(_SC_OPEN_MAX);
  if (count < 0 || count > 65536) count = 65536;
  for (int number = 3; number < count; number++) {
    int flags = fcntl(number, F_GETFD);
    if (flags >= 0 && !(flags & FD_CLOEXEC)) (void)fcntl(number, F_SETFD, flags | FD_CLOEXEC);
  }
}

int process_make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int process_processors(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  int count = CPU_COUNT(&allowed);
  return count > 0 ? count : 1;
}
