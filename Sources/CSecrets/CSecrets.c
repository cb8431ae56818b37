#define _GNU_SOURCE
#include "CSecrets.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

int csecrets_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }

int csecrets_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *reading = ends[0];
  *writing = ends[1];
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return 0;
}

int csecrets_spawn(pid_t *process, char *const *arguments, char *const *environment, int output, int errors) {
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
  result = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  if (result == 0) {
    result = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  if (result == 0) {
    result = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}
