/* glibc's mallinfo2, which Swift's own module of glibc does not show. */
#ifndef CMEMORY_H
#define CMEMORY_H

#include <malloc.h>
#include <stddef.h>

/* Bytes that the program has allocated and not given back. */
static inline size_t memory_allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#endif
