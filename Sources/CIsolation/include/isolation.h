#ifndef SOUS_ISOLATION_H
#define SOUS_ISOLATION_H

#include <stdint.h>

/*
 * What a worker process gives up before it opens a plugin: the system calls that Swift cannot make, because prctl and
 * syscall take a variable number of arguments. Every function returns 0 or an errno value, never blocks, and touches
 * only the calling process. Linux, x86_64 and aarch64.
 */

/*
 * Has the kernel kill this process (SIGKILL) when the thread that started it ends. `parent` is the process that did;
 * ESRCH where it is gone already.
 */
int isolation_die_with_parent(int32_t parent);

/* Keeps other processes of the same user out of this one's memory and environment, and writes no core files. */
int isolation_hide_process(void);

/*
 * Gives up every capability for good, and with it what the user root may beyond its own files; from then on no program
 * that is executed gains privileges (PR_SET_NO_NEW_PRIVS).
 */
int isolation_drop_privileges(void);

/*
 * Keeps this process, every thread it has later included, from looking into processes outside (their memory and
 * environment in /proc), from signals to them and from their abstract sockets, whatever the user is; files stay as they
 * are. To be called while there is one thread, after isolation_drop_privileges. ENOSYS or EOPNOTSUPP where the kernel has
 * no Landlock of version 2.
 */
int isolation_enter_domain(void);

/*
 * Refuses, with EPERM, from now on and for every thread: sockets; executing a program; new processes; signals to,
 * tracing of and access to the memory of other processes; io_uring, by which all of that could be had; memory files;
 * typing on terminals; namespaces, mounts, kernel modules; leaving the session, and taking back what isolation_die_with_parent and
 * isolation_hide_process have set. isolation_drop_privileges comes first. ENOSYS where the kernel, or this
 * architecture, has no filters.
 */
int isolation_filter_system_calls(void);

/* Closes every descriptor from a number on. */
int isolation_close_from(int first);

/* 0 where isolation_filter_system_calls can work here. */
int isolation_can_filter(void);

/* A bell: a descriptor that is readable once it was rung. Closed on exec; errno values. */
int isolation_make_bell(int *bell);
void isolation_ring(int bell);
void isolation_silence(int bell);

/* Memory in bytes that a process holds, its threads, and its processor time in nanoseconds; ESRCH where it is gone. */
int isolation_measure(int32_t process, uint64_t *memory, uint32_t *threads, uint64_t *processor_time);

#endif
