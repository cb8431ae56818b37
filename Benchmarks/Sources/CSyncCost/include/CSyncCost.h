/* A disk of a stated speed: how long it takes at least to bring a file to the disk, for everything in this program.

   This fsync and this fdatasync stand before those of the C library, so that SQLite, which calls fdatasync, comes to
   them too. They do what those do, and sleep for what is left of the stated time. As a library of its own, loaded with
   LD_PRELOAD, they do so in any program, for the time that SYNC_COST_NANOSECONDS says. */
#ifndef CSYNCCOST_H
#define CSYNCCOST_H

#include <stdint.h>

/* Sets for how many nanoseconds a call lasts at least; 0 for as long as the disk takes, as without the variable. */
void sync_cost_set(int64_t nanoseconds);

/* How many calls there have been. */
int64_t sync_cost_calls(void);

#endif
