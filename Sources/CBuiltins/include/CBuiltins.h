// What the built-in actions need and Swift cannot call of the C library: GNU extensions and system calls. Every function
// returns 0 or an errno value.
#ifndef CBUILTINS_H
#define CBUILTINS_H

#include <stdint.h>
#include <sys/types.h>

// Starts the program at a path in a session and process group of its own, in a folder, with the descriptors given as its
// standard input (-1: nothing), output and error and no other, and with signals as by default.
int builtins_spawn(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, const char *folder, int input,
    int output, int errors);

// A descriptor, closed on exec, that is readable once a child has ended; -1 where the kernel has none.
int builtins_open_process(pid_t process);

// Whether a child has ended; it stays a zombie, so that its number and its group's are nobody else's.
int builtins_has_ended(pid_t process);

// A pipe, reading end first, closed on exec.
int builtins_make_pipe(int ends[2]);

// A bell, closed on exec, that is readable once it was rung.
int builtins_make_bell(int *bell);
void builtins_ring(int bell);

// A file without a name in memory, closed on exec.
int builtins_make_memory_file(int *file);

// Sets room aside in a file, whose size stays: ENOSPC, EDQUOT, EFBIG where there is none; others where that cannot be done.
int builtins_set_aside(int file, off_t begin, off_t count);

// Gives a file another name, unless that one is taken: EEXIST.
int builtins_rename_to_free(int from_folder, const char *from, int to_folder, const char *to);

// The number of a file, which a later one may get once it is gone, and when it came to be, in nanoseconds, which tells the
// two apart; 0 where the file system does not say. A link is not followed.
int builtins_identify(int folder, const char *name, uint64_t *number, uint64_t *birth);

#endif
