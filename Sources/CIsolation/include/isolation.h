#ifndef SOUS_ISOLATION_H
#define SOUS_ISOLATION_H

#include <stddef.h>
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

/* The version of Landlock that the kernel has; 0 if it has none or does not enable it. */
int isolation_domain_version(void);

/* What a process in a domain may do with a place. */
enum {
  /* Read files, list folders. */
  ISOLATION_READ = 0,
  /* That, and write, make, rename and remove files and folders; the path must have no symbolic links. */
  ISOLATION_WRITE = 1,
  /* Read and write one device; make nothing. */
  ISOLATION_DEVICE = 2,
};

/* A file, or a folder with all that it holds. The path is borrowed. */
struct isolation_place {
  const char *path;
  int32_t access;
};

/*
 * Keeps this process, every thread it has later included, from all files but those of some places (reading, writing,
 * listing, making, renaming; not from looking up whether a path exists), from processes outside (their memory and
 * environment in /proc), from version 4 on from TCP and from version 6 on from signals to others and their abstract
 * sockets, whatever the user is. A place that is missing is left out. To be called while there is one thread, after
 * isolation_drop_privileges. ENOSYS if the kernel has no Landlock. Version 1 renames nothing from folder to folder.
 */
int isolation_enter_domain(const struct isolation_place *places, size_t count);

/*
 * Refuses, with EPERM, from now on and for every thread: sockets; executing a program; new processes; signals to,
 * tracing of and access to the memory of other processes; io_uring, by which all of that could be had; memory files;
 * memory, queues and semaphores of System V and POSIX; watching files (inotify, fanotify); owners, rights, times and
 * attributes of files by their path; typing on terminals; namespaces, mounts, kernel modules; leaving the session, and taking back what isolation_die_with_parent and
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

/*
 * Runs this program once more, as a child, and waits for its end. `arguments` ends with NULL; the child finds in its
 * environment, under `variable`, the number of a descriptor, to which it writes one byte when its work is done. Signals
 * that are sent to this process are passed on; it stops and goes on with its group. `status` becomes that of waitpid(2),
 * and `has_finished` 1 if the byte has come. Returns 0 or an errno value: then nothing was run. To be called while there
 * is one thread; blocks.
 */
int isolation_run_witnessed(char *const *arguments, const char *variable, int32_t *status, int32_t *has_finished);

/* Ends this process as the status of waitpid(2) says that another one ended. */
void isolation_end_like(int32_t status);

/* Memory in bytes that a process holds, its threads, and its processor time in nanoseconds; ESRCH where it is gone. */
int isolation_measure(int32_t process, uint64_t *memory, uint32_t *threads, uint64_t *processor_time);

#endif
