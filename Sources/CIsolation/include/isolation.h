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

/* The access of a process in a domain to a place. */
enum {
  /* Read files and list folders. */
  ISOLATION_READ = 0,
  /* Also create, write, rename and remove files and folders; the path must have no symbolic links. */
  ISOLATION_WRITE = 1,
  /* Read and write one device, but create nothing. */
  ISOLATION_DEVICE = 2,
};

/* A file, or a folder with its contents. The caller keeps the path; it must stay valid during the call. */
struct isolation_place {
  const char *path;
  int32_t access;
};

/*
 * Enters a Landlock domain, permanently and for all later threads of this process. In the domain it can
 * - read, write, list, create and rename only the files in `places` (it can still look up whether any path exists),
 * - not read memory and environment of processes outside (/proc),
 * - from version 4 on use no TCP,
 * - from version 6 on not send signals to processes outside or connect to their abstract sockets.
 * This holds for every user, also root. Missing places are ignored. Version 1 cannot rename from folder to folder. Call
 * it while the process has one thread, after isolation_drop_privileges. Returns 0 or an errno value; ENOSYS if the kernel
 * has no Landlock.
 */
int isolation_enter_domain(const struct isolation_place *places, size_t count);

/*
 * Refuses, with EPERM, from now on and for every thread: sockets; executing a program; new processes; signals to,
 * tracing of and access to the memory of other processes; io_uring, by which all of that could be had; memory files;
 * memory, queues and semaphores of System V and POSIX; watching files (inotify, fanotify); owners, rights, times and
 * attributes of files by their path; typing on terminals; namespaces, mounts, kernel modules; leaving the session, and
 * taking back what isolation_die_with_parent and isolation_hide_process have set. isolation_drop_privileges comes first.
 * ENOSYS where the kernel, or this architecture, has no filters.
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
 * Runs this program again as a child and waits until it ends. `arguments` ends with NULL. The environment variable
 * `variable` of the child has the number of a descriptor; the child writes one byte to it when its work is done. This
 * process forwards signals to the child; job control stops and continues both, because they share a process group.
 * `status` is set to the status of waitpid(2), and `has_finished` to 1 if the byte was written. Returns 0, or an errno
 * value if no child was started. Call it while the process has one thread; blocks.
 */
int isolation_run_witnessed(char *const *arguments, const char *variable, int32_t *status, int32_t *has_finished);

/* Ends this process with the same exit status or signal as a process with this status of waitpid(2). */
void isolation_end_like(int32_t status);

/* Memory in bytes that a process holds, its threads, and its processor time in nanoseconds; ESRCH where it is gone. */
int isolation_measure(int32_t process, uint64_t *memory, uint32_t *threads, uint64_t *processor_time);

#endif
