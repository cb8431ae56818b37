#include "CSecrets.h"

#include <sys/prctl.h>

int csecrets_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }
