/* mallinfo2 is not part of the Glibc module. */
#include <malloc.h>
