// What Swift cannot call of the C library: functions with a variable number of arguments.
#ifndef CSECRETS_H
#define CSECRETS_H

// Turns off core dumps of this process and looks into its memory by others: prctl(PR_SET_DUMPABLE, 0).
int csecrets_forbid_dumps(void);

#endif
