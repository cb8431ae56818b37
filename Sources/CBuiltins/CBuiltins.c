#define _GNU_SOURCE
#include "CBuiltins.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int builtins_spawn(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, const char *folder, int input,
    int output, int errors) {
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
  if (input < 0) {
    result = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  } else {
    result = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  }
  if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  if (result == 0) result = posix_spawn_file_actions_addchdir_np(&actions, folder);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  if (result == 0) {
    result = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  if (result == 0) result = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

int builtins_open_process(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

int builtins_has_ended(pid_t process) {
  siginfo_t information = {0};
  int result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOHANG | WNOWAIT);
  if (result != 0) return errno == EINTR ? 0 : 1;
  return information.si_pid == process;
}

int builtins_make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int builtins_make_bell(int *bell) {
  *bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return *bell >= 0 ? 0 : errno;
}

void builtins_ring(int bell) { (void)eventfd_write(bell, 1); }

int builtins_make_memory_file(int *file) {
  *file = memfd_create("input", MFD_CLOEXEC);
  return *file >= 0 ? 0 : errno;
}

int builtins_set_aside(int file, off_t begin, off_t count) {
  return fallocate(file, FALLOC_FL_KEEP_SIZE, begin, count) == 0 ? 0 : errno;
}

int builtins_rename_to_free(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int builtins_identify(int folder, const char *name, uint64_t *number, uint64_t *birth) {
  struct statx found;
  struct stat plain;
  *birth = 0;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &found) == 0) {
    *number = found.stx_ino;
    if (found.stx_mask & STATX_BTIME) {
      *birth = (uint64_t)found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec;
    }
    return 0;
  }
  // Some containers do not let it through.
  if (fstatat(folder, name, &plain, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  *number = plain.st_ino;
  return 0;
}
