// What Swift cannot call of the C library: GNU extensions and system calls. Every function
// returns 0 or an errno value.
#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#include <stdint.h>
#include <sys/types.h>

// A bell, closed on exec, that is readable once it was rung.
int system_make_bell(int *bell);
void system_ring(int bell);

// A file without a name in memory, closed on exec.
int system_make_memory_file(int *file);

// Sets room aside in a file, whose size stays: ENOSPC, EDQUOT, EFBIG where there is none; others where that cannot be done.
int system_set_aside(int file, off_t begin, off_t count);

// Gives a file another name, unless that one is taken: EEXIST.
int system_rename_to_free(int from_folder, const char *from, int to_folder, const char *to);

// Lets two files or folders of one file system change places at one moment: EINVAL or ENOSYS where it cannot do that.
int system_exchange(const char *one, const char *other);

// The number of a file, which a later one may get once it is gone, and when it came to be, in nanoseconds, which tells the
// two apart; 0 where the file system does not say. A link is not followed.
int system_identify(int folder, const char *name, uint64_t *number, uint64_t *birth);

#endif
