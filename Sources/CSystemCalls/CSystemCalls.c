#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int system_make_bell(int *bell) {
  *bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return *bell >= 0 ? 0 : errno;
}

void system_ring(int bell) { (void)eventfd_write(bell, 1); }

int system_make_memory_file(int *file) {
  *file = memfd_create("input", MFD_CLOEXEC);
  return *file >= 0 ? 0 : errno;
}

int system_set_aside(int file, off_t begin, off_t count) {
  return fallocate(file, FALLOC_FL_KEEP_SIZE, begin, count) == 0 ? 0 : errno;
}

int system_rename_to_free(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int system_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int system_identify(int folder, const char *name, uint64_t *number, uint64_t *birth) {
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
