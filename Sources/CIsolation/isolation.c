#define _GNU_SOURCE
#include "isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int isolation_die_with_parent(int32_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
  // It may have died before the call above.
  return getppid() == parent ? 0 : ESRCH;
}

int isolation_hide_process(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

int isolation_drop_privileges(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  // The bounding set needs CAP_SETPCAP to shrink; without it there is nothing to give up.
  for (int capability = 0; capability < 64; capability++)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/* ---- The domain ---- */

/* The kernel's interface (linux/landlock.h) as far as it is used; not every system's headers have all of it. */
enum { NR_LANDLOCK_CREATE_RULESET = 444, NR_LANDLOCK_ADD_RULE = 445, NR_LANDLOCK_RESTRICT_SELF = 446 };
enum { LANDLOCK_VERSION_FLAG = 1, LANDLOCK_PATH_BENEATH = 1 };
#define LANDLOCK_EXECUTE (1ull << 0)
#define LANDLOCK_WRITE_FILE (1ull << 1)
#define LANDLOCK_READ_FILE (1ull << 2)
#define LANDLOCK_READ_DIR (1ull << 3)
#define LANDLOCK_REMOVE_DIR (1ull << 4)
#define LANDLOCK_REMOVE_FILE (1ull << 5)
#define LANDLOCK_MAKE_DIR (1ull << 7)
#define LANDLOCK_MAKE_REG (1ull << 8)
#define LANDLOCK_REFER (1ull << 13)
#define LANDLOCK_TRUNCATE (1ull << 14)
#define LANDLOCK_IOCTL_DEV (1ull << 15)
#define LANDLOCK_ALL_OF_VERSION_1 ((1ull << 13) - 1)
#define LANDLOCK_TCP 3ull    /* Binding and connecting. */
#define LANDLOCK_SCOPES 3ull /* Abstract sockets and signals. */
/* The rights that the kernel accepts in a rule for a file; the others are for folders only. */
#define LANDLOCK_OF_FILES \
  (LANDLOCK_EXECUTE | LANDLOCK_WRITE_FILE | LANDLOCK_READ_FILE | LANDLOCK_TRUNCATE | LANDLOCK_IOCTL_DEV)

/* openat2 (linux/openat2.h), the same number on every architecture. */
enum { NR_OPENAT2 = 437 };
#define RESOLVE_WITHOUT_SYMLINKS 0x04

int isolation_domain_version(void) {
  long version = syscall(NR_LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_VERSION_FLAG);
  return version < 0 ? 0 : (int)version;
}

static int open_place(const struct isolation_place *place) {
  if (place->access != ISOLATION_WRITE) return open(place->path, O_PATH | O_CLOEXEC);
  // The path was resolved and checked before: a link that was created since then must not lead elsewhere.
  struct {
    uint64_t flags, mode, resolve;
  } how = {O_PATH | O_CLOEXEC, 0, RESOLVE_WITHOUT_SYMLINKS};
  return (int)syscall(NR_OPENAT2, AT_FDCWD, place->path, &how, sizeof how);
}

static int allow(int rules, const struct isolation_place *place, uint64_t handled) {
  struct __attribute__((packed)) {
    uint64_t allowed;
    int32_t place;
  } beneath = {LANDLOCK_READ_FILE, -1};
  struct stat status;
  int file = open_place(place);
  // A missing place needs no rule; a path that cannot be opened cannot be used either.
  if (file < 0) return 0;
  switch (place->access) {
    case ISOLATION_DEVICE: beneath.allowed |= LANDLOCK_WRITE_FILE; break;
    case ISOLATION_WRITE:
      // No sockets, pipes, devices and links: programs that look into the folder later would follow them.
      beneath.allowed |= LANDLOCK_READ_DIR | LANDLOCK_WRITE_FILE | LANDLOCK_REMOVE_DIR | LANDLOCK_REMOVE_FILE
                         | LANDLOCK_MAKE_DIR | LANDLOCK_MAKE_REG | LANDLOCK_REFER | LANDLOCK_TRUNCATE;
      break;
    default: beneath.allowed |= LANDLOCK_READ_DIR;
  }
  beneath.allowed &= handled;
  int result = fstat(file, &status) == 0 ? 0 : errno;
  if (result == 0) {
    if (!S_ISDIR(status.st_mode)) beneath.allowed &= LANDLOCK_OF_FILES;
    beneath.place = file;
    if (syscall(NR_LANDLOCK_ADD_RULE, rules, LANDLOCK_PATH_BENEATH, &beneath, 0) != 0) result = errno;
  }
  close(file);
  return result;
}

int isolation_enter_domain(const struct isolation_place *places, size_t count) {
  struct {
    uint64_t files, network, scopes;
  } attributes = {LANDLOCK_ALL_OF_VERSION_1, 0, 0};
  int version = isolation_domain_version();
  if (version < 1) return ENOSYS;
  if (version >= 2) attributes.files |= LANDLOCK_REFER;
  if (version >= 3) attributes.files |= LANDLOCK_TRUNCATE;
  if (version >= 4) attributes.network = LANDLOCK_TCP;
  if (version >= 5) attributes.files |= LANDLOCK_IOCTL_DEV;
  if (version >= 6) attributes.scopes = LANDLOCK_SCOPES;
  size_t size = version >= 6 ? sizeof attributes : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  int rules = (int)syscall(NR_LANDLOCK_CREATE_RULESET, &attributes, size, 0);
  if (rules < 0) return errno;
  int result = 0;
  for (size_t index = 0; result == 0 && index < count; index++) result = allow(rules, &places[index], attributes.files);
  if (result == 0 && syscall(NR_LANDLOCK_RESTRICT_SELF, rules, 0) != 0) result = errno;
  close(rules);
  return result;
}

int isolation_close_from(int first) {
  closefrom(first);
  return 0;
}

int isolation_make_bell(int *bell) {
  *bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return *bell >= 0 ? 0 : errno;
}

void isolation_ring(int bell) { (void)eventfd_write(bell, 1); }

void isolation_silence(int bell) {
  eventfd_t count;
  (void)eventfd_read(bell, &count);
}

/* ---- The filter ---- */

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int isolation_can_filter(void) {
#ifdef OWN_ARCHITECTURE
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : ENOSYS;
#else
  return ENOSYS;
#endif
}

#ifdef OWN_ARCHITECTURE

/* Newer than some systems' headers; these numbers are the same on every architecture. */
enum {
  NR_PIDFD_SEND_SIGNAL = 424,
  NR_IO_URING_SETUP = 425,
  NR_IO_URING_ENTER = 426,
  NR_IO_URING_REGISTER = 427,
  NR_OPEN_TREE = 428,
  NR_MOVE_MOUNT = 429,
  NR_FSOPEN = 430,
  NR_FSCONFIG = 431,
  NR_FSMOUNT = 432,
  NR_FSPICK = 433,
  NR_PIDFD_OPEN = 434,
  NR_CLONE3 = 435,
  NR_PIDFD_GETFD = 438,
  NR_PROCESS_MADVISE = 440,
  NR_MOUNT_SETATTR = 442,
  NR_MEMFD_SECRET = 447,
  NR_PROCESS_MRELEASE = 448,
  NR_FCHMODAT2 = 452,
  NR_SETXATTRAT = 463,
  NR_REMOVEXATTRAT = 466,
  NR_FILE_SETATTR = 469,
};

/* Refused whatever their arguments are. */
static const int refused[] = {
    // A pair of datagram sockets can be connected to any other one of this machine.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_execve, SYS_execveat,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill, NR_PIDFD_OPEN, NR_PIDFD_GETFD,
    NR_PIDFD_SEND_SIGNAL, NR_PROCESS_MADVISE, NR_PROCESS_MRELEASE, SYS_setpgid, SYS_setsid, SYS_setpriority,
    SYS_ioprio_set, SYS_migrate_pages, SYS_move_pages,
    // Ways round this filter, and into the kernel.
    NR_IO_URING_SETUP, NR_IO_URING_ENTER, NR_IO_URING_REGISTER, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
    SYS_add_key, SYS_request_key, SYS_keyctl,
    // Namespaces and mounts.
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, NR_OPEN_TREE, NR_MOVE_MOUNT, NR_FSOPEN,
    NR_FSCONFIG, NR_FSMOUNT, NR_FSPICK, NR_MOUNT_SETATTR, SYS_open_by_handle_at,
    // Memory that is neither limited nor seen from outside.
    SYS_memfd_create, NR_MEMFD_SECRET,
    // Memory, queues and semaphores of other processes, whose numbers can be guessed; new ones would outlive this process.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop,
    SYS_semctl, SYS_semtimedop, SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend, SYS_mq_timedreceive, SYS_mq_notify,
    SYS_mq_getsetattr,
    // Watching files of other processes.
#ifdef SYS_inotify_init
    SYS_inotify_init,
#endif
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_fanotify_init, SYS_fanotify_mark,
    // Owners, rights, times and attributes of files by their path, which a Landlock domain does not restrict.
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_fchmodat, NR_FCHMODAT2, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
    NR_SETXATTRAT, NR_REMOVEXATTRAT, NR_FILE_SETATTR,
    // The system as a whole.
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
    SYS_setdomainname, SYS_syslog, SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
};

/* Allowed for this process alone: the first argument must be its own number, or 0 where `zero` is set. */
static const struct {
  int number;
  int zero;
} own_only[] = {
    {SYS_kill, 0},          {SYS_tgkill, 0},          {SYS_rt_sigqueueinfo, 0},    {SYS_rt_tgsigqueueinfo, 0},
    {SYS_prlimit64, 1},     {SYS_sched_setaffinity, 1}, {SYS_sched_setscheduler, 1}, {SYS_sched_setparam, 1},
    {SYS_sched_setattr, 1},
};

/* Refused with certain values of an argument. */
static const struct {
  int number;
  unsigned argument;
  uint32_t value;
} refused_values[] = {
    // What would undo what has been set.
    {SYS_prctl, 0, PR_SET_PDEATHSIG},
    {SYS_prctl, 0, PR_SET_DUMPABLE},
    {SYS_prctl, 0, PR_SET_PTRACER},
    // The kernel sends the signal of a descriptor, of any number, to any process of the user.
    {SYS_fcntl, 1, F_SETOWN},
    {SYS_fcntl, 1, F_SETOWN_EX},
    {SYS_fcntl, 1, F_SETSIG},
    // Notices of changes in folders, and leases, which delay other processes that open the file.
    {SYS_fcntl, 1, F_NOTIFY},
    {SYS_fcntl, 1, F_SETLEASE},
    {SYS_ioctl, 1, FIOSETOWN},
    {SYS_ioctl, 1, SIOCSPGRP},
    // Keys pressed on a terminal of the user.
    {SYS_ioctl, 1, TIOCSTI},
    {SYS_ioctl, 1, TIOCLINUX},
    {SYS_ioctl, 1, TIOCSCTTY},
};

enum {
  COUNT_REFUSED = sizeof refused / sizeof *refused,
  COUNT_OWN = sizeof own_only / sizeof *own_only,
  COUNT_VALUES = sizeof refused_values / sizeof *refused_values,
};

#define ARGUMENT(index) (offsetof(struct seccomp_data, args) + 8 * (index))
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)

int isolation_filter_system_calls(void) {
  struct sock_filter code[28 + 2 * COUNT_REFUSED + 6 * COUNT_OWN + 5 * COUNT_VALUES];
  unsigned count = 0;
#define EMIT(...) code[count++] = (struct sock_filter)__VA_ARGS__
#define LOAD(offset) EMIT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset)))
#define RETURN(value) EMIT(BPF_STMT(BPF_RET | BPF_K, (value)))
/* Skips `steps` statements unless what was loaded is `value`. */
#define UNLESS(value, steps) EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (steps)))

  LOAD(offsetof(struct seccomp_data, arch));
  EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  RETURN(SECCOMP_RET_KILL_PROCESS);
  LOAD(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  // The x32 ABI has other numbers for some calls.
  EMIT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
  RETURN(SECCOMP_RET_KILL_PROCESS);
#endif
  // glibc goes on with clone, whose flags a filter can see.
  UNLESS(NR_CLONE3, 1);
  RETURN(SECCOMP_RET_ERRNO | ENOSYS);
  UNLESS(SYS_clone, 4);
  LOAD(ARGUMENT(0));
  EMIT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  RETURN(REFUSE);
  RETURN(SECCOMP_RET_ALLOW);
  // Times of an open file, for which the path is NULL: neither half of the pointer is set.
  UNLESS(SYS_utimensat, 6);
  LOAD(ARGUMENT(1));
  EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
  LOAD(ARGUMENT(1) + 4);
  EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  RETURN(REFUSE);
  RETURN(SECCOMP_RET_ALLOW);
#ifdef SYS_truncate
  // By path; before version 3 a Landlock domain does not restrict it.
  if (isolation_domain_version() < 3) {
    UNLESS(SYS_truncate, 1);
    RETURN(REFUSE);
  }
#endif
  for (unsigned index = 0; index < COUNT_REFUSED; index++) {
    UNLESS(refused[index], 1);
    RETURN(REFUSE);
  }
  uint32_t self = (uint32_t)getpid();
  for (unsigned index = 0; index < COUNT_OWN; index++) {
    UNLESS(own_only[index].number, 5);
    LOAD(ARGUMENT(0));
    EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 2, 0));
    EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_only[index].zero ? 0 : self, 1, 0));
    RETURN(REFUSE);
    RETURN(SECCOMP_RET_ALLOW);
  }
  // Commands and options are 32 bits wide: the kernel looks at no others.
  for (unsigned index = 0; index < COUNT_VALUES; index++) {
    UNLESS(refused_values[index].number, 4);
    LOAD(ARGUMENT(refused_values[index].argument));
    UNLESS(refused_values[index].value, 1);
    RETURN(REFUSE);
    LOAD(offsetof(struct seccomp_data, nr));
  }
  RETURN(SECCOMP_RET_ALLOW);

  struct sock_fprog program = {(unsigned short)count, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result == 0 ? 0 : result > 0 ? EAGAIN : errno;
}

#else

int isolation_filter_system_calls(void) { return ENOSYS; }

#endif

/* ---- Witnessing the end of a process ---- */

static volatile pid_t witnessed;

static void pass_on(int number, siginfo_t *information, void *context) {
  (void)context;
  // The terminal sends its signals to the child too.
  if (information->si_code <= 0 && information->si_pid != witnessed) kill(witnessed, number);
}

int isolation_run_witnessed(char *const *arguments, const char *variable, int32_t *status, int32_t *has_finished) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  int ends[2];
  char number[16];
  sigset_t passed, before;
  struct sigaction actions[COUNT];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  snprintf(number, sizeof number, "%d", ends[1]);
  sigemptyset(&passed);
  for (int index = 0; index < COUNT; index++) sigaddset(&passed, numbers[index]);
  // Blocked until the child exists, so that no signal is lost.
  sigprocmask(SIG_BLOCK, &passed, &before);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) {
    int code = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[0]);
    close(ends[1]);
    return code;
  }
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(1);
    fcntl(ends[1], F_SETFD, 0);
    setenv(variable, number, 1);
    execv("/proc/self/exe", arguments);
    _exit(127);
  }
  close(ends[1]);
  witnessed = child;
  for (int index = 0; index < COUNT; index++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(numbers[index], NULL, &actions[index]);
    // An ignored signal (nohup) stays ignored.
    if (actions[index].sa_handler != SIG_IGN) sigaction(numbers[index], &action, NULL);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  int result;
  int end = 0;
  while (waitpid(child, &end, 0) < 0 && errno == EINTR) {}
  *status = end;
  char byte;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  do result = (int)read(ends[0], &byte, 1);
  while (result < 0 && errno == EINTR);
  *has_finished = result == 1;
  close(ends[0]);
  return 0;
}

void isolation_end_like(int32_t status) {
  if (WIFSIGNALED(status)) {
    // One report of the crash is enough.
    struct rlimit none = {0, 0};
    sigset_t all;
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* ---- Looking at another process ---- */

int isolation_measure(int32_t process, uint64_t *memory, uint32_t *threads, uint64_t *processor_time) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return ESRCH;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return ESRCH;
  text[length] = 0;
  // The name of the program, in parentheses, may hold anything.
  char *rest = strrchr(text, ')');
  unsigned long long user, system, resident;
  long count;
  // Fields 14, 15, 20 and 24 of proc(5).
  if (rest == NULL
      || sscanf(
             rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %ld %*d %*u %*u %llu",
             &user, &system, &count, &resident) != 4)
    return ESRCH;
  *memory = resident * (uint64_t)sysconf(_SC_PAGESIZE);
  *threads = count < 0 ? 0 : (uint32_t)count;
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0)
    *processor_time = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
  else
    *processor_time = (user + system) * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
  return 0;
}
