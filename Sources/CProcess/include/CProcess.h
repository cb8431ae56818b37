// Starting a program and waiting for its end, and what this process may use: GNU extensions and system calls that Swift
// cannot make. Every function but process_open, process_has_ended, process_processors and process_close_on_exec returns 0
// or an errno value.
#ifndef CPROCESS_H
#define CPROCESS_H

#include <sys/types.h>

// Starts a program in a session and process group of its own, with signals as by default. A program whose name has no
// slash is found along PATH. The descriptors become 0, 1, 2 and so on; -1 in the place of standard input means nothing to
// read; every other descriptor is closed. `folder` is the working directory; NULL for the caller's.
int process_spawn(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const char *folder,
    const int *descriptors, int count);

// A descriptor, closed on exec, that is readable once a child has ended; -1 where the kernel has none.
int process_open(pid_t process);

// Whether a child has ended; it stays a zombie, so that its number and its group's are nobody else's.
int process_has_ended(pid_t process);

// Sends a signal through a descriptor of process_open, so that it cannot reach another process that has got the same
// number meanwhile.
int process_signal(int descriptor, int signal);

// The processors that this process may use, at least 1.
int process_processors(void);

// Sets close-on-exec on every open descriptor but standard input, output and error, also on inherited ones.
void process_close_on_exec(void);

// A pipe, reading end first, closed on exec.
int process_make_pipe(int ends[2]);

#endif
