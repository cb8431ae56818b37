// What Swift cannot call of the C library: functions with a variable number of arguments, and GNU extensions.
#ifndef CSECRETS_H
#define CSECRETS_H

#include <sys/types.h>

// Turns off core dumps of this process and looks into its memory by others: prctl(PR_SET_DUMPABLE, 0).
int csecrets_forbid_dumps(void);

// A pipe whose ends no other program inherits; reading does not wait. 0, or an errno.
int csecrets_pipe(int *reading, int *writing);

// Starts a program, found along PATH where its name has no slash, in a session of its own, with nothing on standard
// input, the descriptors given for standard output and error, no other, and signals as by default. 0, or an errno.
int csecrets_spawn(pid_t *process, char *const *arguments, char *const *environment, int output, int errors);

#endif
