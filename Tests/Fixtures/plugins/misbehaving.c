/*
 * A plugin that breaks the rules in one way, chosen when it is compiled:
 *
 *   cc -shared -fPIC -pthread -DMISDEED=WRONG_MAGIC -I plugins/PluginKit/Sources/CPluginABI/include \
 *      -o libmisbehaving.so Tests/Fixtures/plugins/misbehaving.c
 *
 * Instead of a misdeed, -DWITHOUT_ENTRY leaves the entry function out and -DWITH_MISSING_SYMBOL refers to a function that
 * nobody has. Every misdeed from COMPLETES_TWICE on happens in a call of `misbehaving.act`; `misbehaving.behave` always answers
 * properly, so that a test can see that the host goes on.
 */
#define _GNU_SOURCE
#include "sous_plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  NONE,
  /* While it is loaded. */
  WRONG_MAGIC,
  OLDER_VERSION,
  NEWER_VERSION,
  SIZE_TOO_SMALL,
  NULL_FUNCTIONS,
  NULL_ENTRY,
  CRASHES_ON_LOAD,
  ABORTS_ON_LOAD,
  EXITS_ON_LOAD,
  HANGS_ON_LOAD,
  HANGS_IN_ENTRY,
  CLAIMS_NEWER_CONTRACT,
  PRINTS_ON_LOAD,
  /* Not a misdeed where the system refuses all that it tries; otherwise it crashes and says what it could do. */
  INTRUDES_ON_LOAD,
  CRASHES_IN_DESCRIBE,
  EMPTY_MANIFEST,
  MANIFEST_NO_JSON,
  MANIFEST_NO_OBJECT,
  MANIFEST_WITHOUT_VERSION,
  MANIFEST_UNKNOWN_EFFECT,
  MANIFEST_DUPLICATE_ACTION,
  OTHER_ID,
  /* When it is made ready. */
  CREATE_FAILS,
  CREATE_FAILS_SILENTLY,
  CREATE_REFUSES_SETTINGS,
  CREATE_HANGS,
  /* In a call. */
  COMPLETES_TWICE,
  COMPLETES_ON_OTHER_THREAD,
  COMPLETES_LATER_TWICE,
  NULL_RESULT,
  SMALL_RESULT,
  NULL_PAYLOAD,
  INVALID_JSON,
  TRUNCATED_JSON,
  DEEP_JSON,
  NO_OBJECT,
  INVALID_UTF8,
  OUTPUT_AGAINST_SCHEMA,
  UNKNOWN_STATUS,
  ERROR_WITHOUT_KIND,
  UNKNOWN_KIND,
  COMPLETES_WHEN_CANCELLED,
  NEVER_COMPLETES,
  /* Not until the provider is called the next time. */
  COMPLETES_AFTER_CANCEL,
  HUGE_ANSWER,
  NESTED_ANSWER,
  LYING_SIZE,
  BLOCKS_IN_START,
  BLOCKS_IN_CANCEL,
  MADE_UP_COMPLETION,
  FLOODS_LOG,
  BAD_DELTAS,
  REPORTS_AFTER_THE_END,
  SPEAKS_SECRETS,
  FAILS_WITH_SECRETS,
  /* In a call, and more than the host's own process would survive: these are for worker processes. */
  CRASHES,
  CRASHES_ON_THREAD,
  ABORTS,
  EXITS,
  EXITS_AT_ONCE,
  EXITS_SILENTLY,
  OVERFLOWS_STACK,
  DIVIDES_BY_ZERO,
  CORRUPTS_HEAP,
  CALLS_NULL,
  JUMPS_AWAY,
  LEAVES_ITS_THREAD,
  RAISES_SIGNAL,
  STOPS_ITSELF,
  LOOPS_IN_START,
  LOOPS_ON_THREAD,
  LOOPS_WITHOUT_SIGNALS,
  LOOPS_IN_HANDLER,
  GIANT_ANSWER,
  MEMORY_BOMB,
  SHARED_MEMORY_BOMB,
  THREAD_BOMB,
  FORK_BOMB,
  EXHAUSTS_FILES,
  CLOSES_SOCKET,
  WRITES_GARBAGE,
  SENDS_GIANT_FRAME,
  ANSWERS_FOREIGN_CALL,
  FLOODS_SOCKET,
  FLOODS_OUTPUT,
  FLOODS_DELTAS,
  HUGE_LOG,
  CRASHES_AT_ONCE,
  CRASHES_IN_CREATE,
  SLEEPS_IN_DESTROY,
  LOCKS_FOR_EVER,
  /* These try what the system refuses, and answer with what came of it. */
  OPENS_SOCKET,
  EXECUTES,
  FORKS,
  KILLS_PARENT,
  READS_PARENT_ENVIRONMENT,
  READS_PARENT_MEMORY,
  TRACES_PARENT,
  LEAVES_SESSION,
  OUTLIVES_PARENT,
  READS_FOREIGN_SECRET,
  UNDECLARED_HOST,
  READS_ENVIRONMENT,
  UNLOADS_ITSELF,
  CHANGES_SURROUNDINGS,
  LOGS_FOR_OTHERS,
  SIGNALS_BY_DESCRIPTOR,
  PAIRS_SOCKETS,
  HIDES_MEMORY,
  READS_OTHER_ENVIRONMENTS,
  TYPES_ON_TERMINAL,
  USES_FOREIGN_MEMORY,
  WATCHES_FILES,
  CHANGES_ATTRIBUTES,
  REACHES_FOREIGN_FILES,
  /* Uses the folder of the setting `path`, and the file `beside` next to it. */
  LEAVES_ITS_FOLDER,
  /* Not a misdeed: it has to work. */
  MOVES_FILES,
  READS_ITS_THREADS,
  USES_ITS_FOLDER,
  /* Too much of what it may. */
  FILLS_TEMPORARY_FOLDER,
  WORKS_WITHOUT_CALL,
};

#ifndef MISDEED
#define MISDEED NONE
#endif

/* One configured provider. */
typedef struct provider {
  const sous_host *host;
  /* A cancelled call that is answered when the provider is called again. */
  sous_completion late;
} provider;

static void pause_ms(unsigned milliseconds) { usleep(milliseconds * 1000); }

static sous_bytes text(const char *string) {
  sous_bytes bytes = {(const uint8_t *)string, strlen(string)};
  return bytes;
}

static void answer(sous_completion completion, uint32_t status, const char *json) {
  sous_result result = {sizeof(sous_result), status, text(json)};
  completion.complete(completion.context, &result);
}

static void crash(void) {
  volatile int *nowhere = NULL;
  *nowhere = 1;
}

static int is(sous_bytes bytes, const char *string) {
  return bytes.size == strlen(string) && memcmp(bytes.data, string, bytes.size) == 0;
}

/* ---- While it is loaded ---- */

/* Whether a file can be opened, or made, for writing. */
static int writes_file(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  int succeeded = file >= 0 && write(file, "x", 1) == 1;
  if (file >= 0) close(file);
  return succeeded;
}

/* Whether a system call is refused by the filter, and not only for want of what its arguments name. */
static int is_refused(long result) { return result < 0 && errno == EPERM; }

static void loop(void);

static void *work_without_call(void *context) {
  (void)context;
  loop();
  return NULL;
}

static int attempt(const sous_host *host, int misdeed);

static void intrude(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  const char *done = child > 0                                  ? "makes processes"
                     : socket(AF_INET, SOCK_STREAM, 0) >= 0     ? "opens sockets"
                     : attempt(NULL, READS_OTHER_ENVIRONMENTS)  ? "reads environments of others"
                     : attempt(NULL, READS_ENVIRONMENT)         ? "inherits the environment"
                     : attempt(NULL, KILLS_PARENT)              ? "sends signals"
                                                                : NULL;
  if (done == NULL) return;
  fprintf(stderr, "a constructor %s\n", done);
  abort();
}

__attribute__((constructor)) static void on_load(void) {
  if (MISDEED == CRASHES_ON_LOAD) crash();
  if (MISDEED == ABORTS_ON_LOAD) abort();
  if (MISDEED == EXITS_ON_LOAD) exit(0);
  if (MISDEED == HANGS_ON_LOAD) for (;;) pause_ms(1000);
  if (MISDEED == INTRUDES_ON_LOAD) intrude();
  if (MISDEED == PRINTS_ON_LOAD) (void)!write(1, "{\"manifest\": \"nonsense\"}\n", 25);
}

static sous_bytes describe(void) {
  if (MISDEED == CRASHES_IN_DESCRIBE) crash();
  if (MISDEED == EMPTY_MANIFEST) return text("");
  if (MISDEED == MANIFEST_NO_JSON) return text("{\"id\": \"misbehaving\",");
  if (MISDEED == MANIFEST_NO_OBJECT) return text("[]");
  if (MISDEED == MANIFEST_WITHOUT_VERSION) return text("{\"id\": \"misbehaving\", \"summary\": \"x\"}");
  if (MISDEED == MANIFEST_UNKNOWN_EFFECT)
    return text(
        "{\"id\": \"misbehaving\", \"version\": \"1\", \"summary\": \"x\","
        "\"actions\": [{\"name\": \"misbehaving.act\", \"summary\": \"x\", \"effect\": \"sometimes\"}]}");
  if (MISDEED == MANIFEST_DUPLICATE_ACTION)
    return text(
        "{\"id\": \"misbehaving\", \"version\": \"1\", \"summary\": \"x\", \"actions\": ["
        "{\"name\": \"misbehaving.act\", \"summary\": \"x\", \"effect\": \"read\"},"
        "{\"name\": \"misbehaving.act\", \"summary\": \"x\", \"effect\": \"read\"}]}");
  if (MISDEED == CLAIMS_NEWER_CONTRACT)
    return text(
        "{\"id\": \"misbehaving\", \"version\": \"1\", \"summary\": \"x\", \"contracts\": [\"mail.store/99\"],"
        "\"actions\": [{\"name\": \"mail.search\", \"summary\": \"x\", \"effect\": \"read\"}]}");
  if (MISDEED == OTHER_ID) return text("{\"id\": \"innocent\", \"version\": \"1\", \"summary\": \"x\"}");
  return text(
      "{\"id\": \"misbehaving\", \"version\": \"1.0.0\", \"summary\": \"Breaks the rules\","
      "\"summary_de\": \"Bricht die Regeln\", \"contracts\": [], \"future\": {\"ignored\": true},"
      "\"actions\": ["
      "{\"name\": \"misbehaving.act\", \"summary\": \"Misbehaves\", \"effect\": \"read\", \"verifies\": true,"
      "\"input\": {\"type\": \"object\"},"
      "\"output\": {\"type\": \"object\", \"properties\": {\"answer\": {\"type\": \"integer\"}}}},"
      "{\"name\": \"misbehaving.behave\", \"summary\": \"Behaves\", \"effect\": \"read\", \"costly\": true,"
      "\"input\": {\"type\": \"object\"}, \"output\": {\"type\": \"object\"}}],"
      "\"config\": {\"type\": \"object\", \"properties\": {"
      "\"level\": {\"type\": \"integer\", \"minimum\": 1, \"default\": 3}}}, \"hosts\": [\"example.com\"], \"secrets\": [\"token\"]}");
}

/* ---- When it is made ready ---- */

/* The setting `path`. */
static char own_folder[256];

static sous_instance *create(
    const sous_host *host, sous_bytes name, sous_bytes config, sous_completion failure) {
  (void)name;
  const char *path = memmem(config.data, config.size, "\"path\":\"", 8);
  if (path != NULL) sscanf(path + 8, "%255[^\"]", own_folder);
  if (MISDEED == CREATE_FAILS) {
    answer(
        failure, SOUS_STATUS_ERROR,
        "{\"kind\": \"auth\", \"message\": \"wrong password\", \"message_de\": \"falsches Passwort\"}");
    return NULL;
  }
  if (MISDEED == CREATE_FAILS_SILENTLY) return NULL;
  if (MISDEED == CREATE_REFUSES_SETTINGS) {
    answer(failure, SOUS_STATUS_ERROR, "{\"kind\": \"invalid_input\", \"message\": \"'path' is missing\"}");
    return NULL;
  }
  if (MISDEED == CREATE_HANGS) for (;;) pause_ms(1000);
  if (MISDEED == CRASHES_IN_CREATE) crash();
  if (MISDEED == CRASHES_AT_ONCE) {
    // Sound until the host's process says otherwise, so that it has a provider whose next workers are not.
    char mark[64];
    snprintf(mark, sizeof mark, "/tmp/sous-crashes-at-once-%d", (int)getppid());
    if (access(mark, F_OK) == 0) crash();
  }
  provider *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  it->host = host;
  return (sous_instance *)it;
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void destroy(sous_instance *instance) {
  if (MISDEED == SLEEPS_IN_DESTROY) pause_ms(1000000);
  if (MISDEED == LOCKS_FOR_EVER) pthread_mutex_lock(&held);
  free(instance);
}

/* ---- In a call ---- */

typedef struct pending {
  const sous_host *host;
  uint64_t id;
  sous_completion completion;
} pending;

/* Calls that wait for their cancel, by id. */
static pending waiting[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void remember(pending it) {
  pthread_mutex_lock(&lock);
  waiting[it.id % 4096] = it;
  pthread_mutex_unlock(&lock);
}

/* The completion of a waiting call; without `complete` where it does not wait (any more). */
static sous_completion recall(uint64_t id) {
  sous_completion none = {NULL, NULL};
  pthread_mutex_lock(&lock);
  pending *it = &waiting[id % 4096];
  sous_completion completion = it->id == id ? it->completion : none;
  it->id = 0;
  pthread_mutex_unlock(&lock);
  return completion;
}

static void *complete_later(void *context) {
  pending it = *(pending *)context;
  free(context);
  pause_ms(20);
  /* Looked up before the answer: the instance may be gone right after it. */
  const sous_log_v1 *log = it.host->get(it.host, SOUS_LOG_V1);
  const sous_progress_v1 *progress = it.host->get(it.host, SOUS_PROGRESS_V1);
  const sous_delta_v1 *delta = it.host->get(it.host, SOUS_DELTA_V1);
  answer(it.completion, SOUS_STATUS_OK, "{\"answer\": 1}");
  if (MISDEED == COMPLETES_LATER_TWICE) answer(it.completion, SOUS_STATUS_OK, "{\"answer\": 2}");
  if (MISDEED == REPORTS_AFTER_THE_END && log != NULL && progress != NULL && delta != NULL) {
    log->write(log->context, it.id, SOUS_LOG_INFO, text("too late"));
    progress->report(progress->context, it.id, 1, 2, text("too late"));
    delta->emit(delta->context, it.id, text("{\"text\": \"too late\"}"));
    log->write(log->context, 0, SOUS_LOG_INFO, text("done"));
  }
  return NULL;
}

static void on_thread(void *(*body)(void *), pending it) {
  pthread_t thread;
  pending *copy = malloc(sizeof *copy);
  if (copy == NULL) abort();
  *copy = it;
  if (pthread_create(&thread, NULL, body, copy) == 0) pthread_detach(thread);
}

/* ---- In a worker process ---- */

/* The number under which a worker has its socket. */
enum { SOCKET = 3 };

static volatile int sink;

static int overflow(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return overflow(depth + 1) + room[0];
}

static void loop(void) {
  for (;;) sink++;
}

static void loop_on_signal(int signal) {
  (void)signal;
  loop();
}

static void *crash_on_thread(void *context) {
  free(context);
  crash();
  return NULL;
}

static void *loop_on_thread(void *context) {
  free(context);
  loop();
  return NULL;
}

static void *sleep_on_thread(void *context) {
  (void)context;
  for (;;) pause_ms(1000);
  return NULL;
}

static jmp_buf gone;
static int __attribute__((noinline)) set_mark(void) {
  volatile char room[256];
  memset((void *)room, 0, sizeof room);
  return setjmp(gone);
}

/* Uses memory in steps, so that whoever watches has a chance. */
static void fill_memory(int flags) {
  for (;;) {
    size_t size = 16u << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
    if (memory == MAP_FAILED) abort();
    memset(memory, 1, size);
  }
}

static void bomb_threads(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  for (;;) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, sleep_on_thread, NULL) != 0) pause_ms(10);
  }
}

/* A frame of the worker protocol: length, type, id, payload. */
static void send_frame(uint32_t length, uint8_t type, uint64_t id, const void *payload, size_t size) {
  uint8_t header[16] = {0};
  memcpy(header, &length, 4);
  header[4] = type;
  memcpy(header + 8, &id, 8);
  (void)!write(SOCKET, header, sizeof header);
  (void)!write(SOCKET, payload, size);
}

/* Answers with what an attempt came to: 0 where the system refused it. */
static void report_attempt(sous_completion completion, int succeeded) {
  char json[64];
  snprintf(json, sizeof json, "{\"answer\": %d}", succeeded);
  answer(completion, SOUS_STATUS_OK, json);
}

static int reads_file(const char *path) {
  char bytes[16];
  int file = open(path, O_RDONLY);
  int succeeded = file >= 0 && read(file, bytes, sizeof bytes) > 0;
  if (file >= 0) close(file);
  return succeeded;
}

static int attempt(const sous_host *host, int misdeed) {
  char path[64];
  pid_t parent = getppid();
  switch (misdeed) {
  case OPENS_SOCKET: return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
  case EXECUTES: {
    char *arguments[] = {"/bin/true", NULL};
    return system("true") == 0 || execv(arguments[0], arguments) == 0;
  }
  case FORKS: return fork() >= 0 || vfork() >= 0;
  case KILLS_PARENT: return kill(parent, SIGKILL) == 0 || kill(-1, SIGKILL) == 0 || kill(0, SIGUSR1) == 0;
  case READS_PARENT_ENVIRONMENT:
    snprintf(path, sizeof path, "/proc/%d/environ", (int)parent);
    return reads_file(path);
  case READS_PARENT_MEMORY: {
    char byte;
    struct iovec local = {&byte, 1}, remote = {(void *)&sink, 1};
    snprintf(path, sizeof path, "/proc/%d/mem", (int)parent);
    return open(path, O_RDONLY) >= 0 || process_vm_readv(parent, &local, 1, &remote, 1, 0) == 1;
  }
  case TRACES_PARENT: return ptrace(PTRACE_ATTACH, parent, NULL, NULL) == 0;
  case LEAVES_SESSION: return setsid() >= 0 || setpgid(0, getpgid(parent)) == 0;
  case OUTLIVES_PARENT: return prctl(PR_SET_PDEATHSIG, 0) == 0 || prctl(PR_SET_DUMPABLE, 1) == 0;
  case SIGNALS_BY_DESCRIPTOR: {
    struct f_owner_ex owner = {F_OWNER_PID, parent};
    int ends[2];
    if (pipe(ends) != 0) return 1;
    return fcntl(ends[0], F_SETOWN, parent) == 0 || fcntl(ends[0], F_SETOWN_EX, &owner) == 0
           || fcntl(ends[0], F_SETSIG, SIGKILL) == 0;
  }
  case PAIRS_SOCKETS: {
    int ends[2];
    return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
  }
  case HIDES_MEMORY: return memfd_create("hidden", 0) >= 0;
  case READS_OTHER_ENVIRONMENTS: {
    DIR *processes = opendir("/proc");
    int found = 0;
    for (struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
      int process = atoi(entry->d_name);
      if (process <= 0 || process == getpid()) continue;
      snprintf(path, sizeof path, "/proc/%d/environ", process);
      found += reads_file(path);
    }
    return found;
  }
  case TYPES_ON_TERMINAL: return ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM;
  case READS_ITS_THREADS: {
    /* No misdeed: libdispatch ends the process if this fails. */
    snprintf(path, sizeof path, "/proc/%d/stat", (int)syscall(SYS_gettid));
    return !reads_file(path);
  }
  case MOVES_FILES: {
    char folder[128], from[160], to[160], path[160];
    snprintf(folder, sizeof folder, "%s/sous-moves-XXXXXX", getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR"));
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(path, sizeof path, "%s/there", folder);
    snprintf(from, sizeof from, "%s/file", folder);
    snprintf(to, sizeof to, "%s/there/file", folder);
    int failed = mkdir(path, 0700) != 0;
    int file = open(from, O_CREAT | O_WRONLY, 0600);
    failed |= file < 0 || rename(from, to) != 0 || link(to, from) != 0;
    if (file >= 0) close(file);
    unlink(from);
    unlink(to);
    rmdir(path);
    rmdir(folder);
    return failed;
  }
  case USES_FOREIGN_MEMORY: {
    const long calls[] = {SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_msgget, SYS_msgsnd, SYS_msgrcv,
                          SYS_msgctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop, SYS_mq_open, SYS_mq_unlink,
                          SYS_mq_timedsend, SYS_mq_timedreceive, SYS_mq_notify, SYS_mq_getsetattr};
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index++)
      if (!is_refused(syscall(calls[index], 0, 0, 0, 0, 0))) return 1;
    return writes_file("/dev/shm/sous-test-left");
  }
  case WATCHES_FILES:
    return !is_refused(inotify_init1(0)) || !is_refused(inotify_add_watch(0, "/", IN_OPEN))
           || !is_refused(syscall(SYS_fanotify_init, 0, 0));
  case CHANGES_ATTRIBUTES: {
    const char *name = getenv("HOME") == NULL ? "/tmp" : getenv("HOME");
    struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
    return !is_refused(chmod(name, 0700)) || !is_refused(fchmodat(AT_FDCWD, name, 0700, 0))
           || !is_refused(chown(name, -1, -1)) || !is_refused(lchown(name, -1, -1))
           || !is_refused(utimensat(AT_FDCWD, name, times, 0))
           || !is_refused(syscall(SYS_setxattr, name, "user.x", "x", 1, 0));
  }
  case REACHES_FOREIGN_FILES: {
    const char *home = getenv("HOME");
    char profile[300];
    snprintf(profile, sizeof profile, "%s/.sous-test-profile", home == NULL ? "" : home);
    snprintf(path, sizeof path, "/proc/%d/cwd/.", (int)parent);
    return reads_file("/etc/passwd") || writes_file(profile) || writes_file("/tmp/sous-test-left")
           || writes_file("/var/tmp/sous-test-left") || opendir("/") != NULL || opendir(path) != NULL
           || opendir(".") != NULL || open("/dev/tty", O_RDWR) >= 0 || open("/dev/pts/0", O_RDWR) >= 0
           || symlink("/etc", profile) == 0 || mkdir("/tmp/sous-test-folder", 0700) == 0;
  }
  case LEAVES_ITS_FOLDER:
  case USES_ITS_FOLDER: {
    char inside[300], beside[300], other[300];
    snprintf(inside, sizeof inside, "%s/new", own_folder);
    snprintf(beside, sizeof beside, "%s/../beside", own_folder);
    snprintf(other, sizeof other, "%s/other", own_folder);
    if (!writes_file(inside) || !reads_file(inside)) return 1;
    if (misdeed == USES_ITS_FOLDER) return 0;
    return writes_file(beside) || reads_file(beside) || rename(inside, beside) == 0 || rename(beside, other) == 0
           || link(beside, other) == 0 || symlink(beside, other) == 0;
  }
  case READS_ENVIRONMENT: return getenv("SOUS_TEST_SECRET") != NULL;
  case UNLOADS_ITSELF: {
    Dl_info information;
    if (dladdr((void *)attempt, &information) == 0) return 1;
    void *library = dlopen(information.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    for (int time = 0; library != NULL && time < 3; time++) dlclose(library);
    return 0;
  }
  case CHANGES_SURROUNDINGS: {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    umask(0);
    setlocale(LC_ALL, "C");
    close(0);
    close(1);
    close(2);
    return chdir("/proc") != 0;
  }
  case LOGS_FOR_OTHERS: {
    const sous_log_v1 *log = host->get(host, SOUS_LOG_V1);
    for (uint64_t call = 1; call < 2000; call++) log->write(log->context, call, SOUS_LOG_INFO, text("intruder"));
    return 0;
  }
  default: return 1;
  }
}

static void keep_secret(void *receiver, sous_bytes value) {
  (void)value;
  *(int *)receiver = 1;
}

static void *read_foreign_secret(void *context) {
  pending it = *(pending *)context;
  free(context);
  const sous_secret_v1 *secret = it.host->get(it.host, SOUS_SECRET_V1);
  const char *names[] = {"password", "other.token", "../other/token", "TOKEN", "", "home.token"};
  int found = 0;
  for (size_t index = 0; secret != NULL && index < sizeof names / sizeof *names; index++)
    if (secret->read(secret->context, text(names[index]), keep_secret, &found) == SOUS_OK) found = 1;
  report_attempt(it.completion, found);
  return NULL;
}

static void at_head(void *context, uint32_t status, const sous_header *headers, size_t count) {
  (void)status, (void)headers, (void)count;
  ((pending *)context)->id = 0;
}

static void at_data(void *context, sous_bytes piece) { (void)context, (void)piece; }

static void at_end(void *context, const sous_result *failure) {
  pending *it = context;
  if (failure == NULL) report_attempt(it->completion, 1);
  else it->completion.complete(it->completion.context, failure);
  free(it);
}

static void *reach_undeclared_host(void *context) {
  pending *it = context;
  const sous_http_v1 *http = it->host->get(it->host, SOUS_HTTP_V1);
  sous_http_handler handler = {sizeof handler, it, at_head, at_data, at_end};
  sous_http_request request = {.size = sizeof request, .call = it->id, .method = text("GET")};
  request.url = text("http://127.0.0.1:9/");
  if (http == NULL) report_attempt(it->completion, 1);
  else http->start(http->context, &request, &handler);
  return NULL;
}

static void misbehave_in_worker(const sous_host *host, sous_completion completion, pending it) {
  switch (MISDEED) {
  case CRASHES: crash(); return;
  case CRASHES_ON_THREAD: on_thread(crash_on_thread, it); return;
  case CRASHES_AT_ONCE: crash(); return;
  case ABORTS: abort();
  case EXITS: exit(0);
  case EXITS_AT_ONCE: _exit(7);
  case EXITS_SILENTLY: syscall(SYS_exit_group, 0);
  case OVERFLOWS_STACK: sink = overflow(0); return;
  case DIVIDES_BY_ZERO: raise(SIGFPE); return;
  case CORRUPTS_HEAP: {
    char *memory = malloc(64);
    free(memory);
    free(memory);
    abort();
  }
  case CALLS_NULL: {
    sous_completion none = {NULL, NULL};
    answer(none, SOUS_STATUS_OK, "{}");
    return;
  }
  case JUMPS_AWAY:
    if (set_mark() == 0) longjmp(gone, 1);
    crash();
    return;
  case LEAVES_ITS_THREAD: pthread_exit(NULL);
  case RAISES_SIGNAL: raise(SIGTERM); return;
  case STOPS_ITSELF: raise(SIGSTOP); return;
  case LOOPS_IN_START: loop(); return;
  case LOOPS_ON_THREAD: on_thread(loop_on_thread, it); return;
  case LOOPS_WITHOUT_SIGNALS: {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    loop();
    return;
  }
  case LOOPS_IN_HANDLER:
    signal(SIGSEGV, loop_on_signal);
    crash();
    return;
  case GIANT_ANSWER: {
    size_t size = (size_t)2 << 30;
    char *json = malloc(size);
    if (json == NULL) abort();
    memset(json, ' ', size);
    sous_result result = {sizeof(sous_result), SOUS_STATUS_OK, {(const uint8_t *)json, size}};
    completion.complete(completion.context, &result);
    return;
  }
  case MEMORY_BOMB: fill_memory(MAP_PRIVATE); return;
  case SHARED_MEMORY_BOMB: fill_memory(MAP_SHARED); return;
  case THREAD_BOMB: bomb_threads(); return;
  case FORK_BOMB: for (;;) (void)!fork();
  case FILLS_TEMPORARY_FOLDER: {
    char path[300], block[1 << 16] = {0};
    snprintf(path, sizeof path, "%s/large", getenv("TMPDIR"));
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    for (int count = 0; file >= 0 && count < 1 << 10; count++) (void)!write(file, block, sizeof block);
    return;
  }
  case WORKS_WITHOUT_CALL: {
    pthread_t thread;
    pthread_create(&thread, NULL, work_without_call, NULL);
    report_attempt(completion, 1);
    return;
  }
  case EXHAUSTS_FILES: {
    while (open("/dev/null", O_RDONLY) >= 0) {}
    report_attempt(completion, errno != EMFILE);
    return;
  }
  case CLOSES_SOCKET: close(SOCKET); return;
  case WRITES_GARBAGE:
    for (int count = 0; count < 100; count++) (void)!write(SOCKET, "garbage garbage garbage", 23);
    return;
  case SENDS_GIANT_FRAME: send_frame(0xfffffff0u, 4, it.id, "x", 1); return;
  case ANSWERS_FOREIGN_CALL: {
    // Status OK, a payload of two bytes.
    uint8_t payload[] = {0, 0, 0, 0, 0, 2, 0, 0, 0, '{', '}'};
    send_frame(sizeof payload, 4, it.id + 1000000, payload, sizeof payload);
    return;
  }
  case FLOODS_SOCKET: for (;;) send_frame(8, 64 + 2, 1, "\4\0\0\0data", 8);
  case FLOODS_OUTPUT:
    for (int line = 0; line < 200000; line++) puts("a line that nobody wants, with hunter22! in it");
    report_attempt(completion, 1);
    return;
  case FLOODS_DELTAS: {
    const sous_delta_v1 *delta = host->get(host, SOUS_DELTA_V1);
    for (int count = 0; count < 50000; count++) delta->emit(delta->context, it.id, text("{\"text\": \"again\"}"));
    report_attempt(completion, 1);
    return;
  }
  case HUGE_LOG: {
    const sous_log_v1 *log = host->get(host, SOUS_LOG_V1);
    size_t size = 100u << 20;
    char *line = malloc(size);
    if (line == NULL) abort();
    memset(line, 'x', size);
    sous_bytes bytes = {(const uint8_t *)line, size};
    for (int count = 0; count < 20; count++) log->write(log->context, it.id, SOUS_LOG_INFO, bytes);
    free(line);
    report_attempt(completion, 1);
    return;
  }
  case SLEEPS_IN_DESTROY: report_attempt(completion, 1); return;
  case LOCKS_FOR_EVER:
    pthread_mutex_lock(&held);
    report_attempt(completion, 1);
    return;
  case READS_FOREIGN_SECRET: on_thread(read_foreign_secret, it); return;
  case UNDECLARED_HOST: on_thread(reach_undeclared_host, it); return;
  default: report_attempt(completion, attempt(host, MISDEED));
  }
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  const sous_host *host = ((provider *)instance)->host;
  if (is(call->action, "misbehaving.behave")) {
    sous_completion late = ((provider *)instance)->late;
    if (late.complete != NULL) answer(late, SOUS_STATUS_OK, "{\"answer\": \"late\"}");
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 42}");
    return;
  }
  pending it = {host, call->id, completion};
  switch (MISDEED) {
  case COMPLETES_TWICE:
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 2}");
    return;
  case COMPLETES_ON_OTHER_THREAD:
  case COMPLETES_LATER_TWICE:
  case REPORTS_AFTER_THE_END: on_thread(complete_later, it); return;
  case NULL_RESULT: completion.complete(completion.context, NULL); return;
  case SMALL_RESULT: {
    sous_result result = {8, SOUS_STATUS_OK, text("{}")};
    completion.complete(completion.context, &result);
    return;
  }
  case NULL_PAYLOAD: {
    sous_result result = {sizeof(sous_result), SOUS_STATUS_OK, {NULL, 2}};
    completion.complete(completion.context, &result);
    return;
  }
  case INVALID_JSON: answer(completion, SOUS_STATUS_OK, "{answer: 1}"); return;
  case TRUNCATED_JSON: answer(completion, SOUS_STATUS_OK, "{\"answer\": [1, 2"); return;
  case DEEP_JSON: {
    enum { depth = 1000000 };
    char *json = malloc(depth + 1);
    if (json == NULL) return;
    memset(json, '[', depth);
    json[depth] = 0;
    answer(completion, SOUS_STATUS_OK, json);
    free(json);
    return;
  }
  case NO_OBJECT: answer(completion, SOUS_STATUS_OK, "[1]"); return;
  case INVALID_UTF8: answer(completion, SOUS_STATUS_OK, "{\"answer\": \"\xff\xfe\"}"); return;
  case OUTPUT_AGAINST_SCHEMA: answer(completion, SOUS_STATUS_OK, "{\"answer\": \"fourteen\"}"); return;
  case UNKNOWN_STATUS: answer(completion, 77, "{\"answer\": 1}"); return;
  case ERROR_WITHOUT_KIND: answer(completion, SOUS_STATUS_ERROR, "{\"message\": \"oops\"}"); return;
  case UNKNOWN_KIND:
    answer(completion, SOUS_STATUS_ERROR, "{\"kind\": \"grumpy\", \"message\": \"not today\", \"retry_after\": 1.5}");
    return;
  case COMPLETES_WHEN_CANCELLED:
  case NEVER_COMPLETES:
  case COMPLETES_AFTER_CANCEL:
  case BLOCKS_IN_CANCEL: remember(it); return;
  case HUGE_ANSWER: {
    size_t size = 8u << 20;
    char *json = malloc(size + 1);
    if (json == NULL) return;
    memset(json, ' ', size);
    json[0] = '{';
    json[size - 1] = '}';
    json[size] = 0;
    answer(completion, SOUS_STATUS_OK, json);
    free(json);
    return;
  }
  case NESTED_ANSWER: {
    /* 60 MB of lists with one number each: valid, within the bytes an answer may have, and thirty times that in memory. */
    size_t count = 15u << 20, size = 0;
    char *json = malloc(count * 4 + 64);
    if (json == NULL) return;
    size += (size_t)sprintf(json, "{\"answer\": 1, \"nested\": [[0]");
    for (size_t number = 1; number < count; number++, size += 4) memcpy(json + size, ",[0]", 4);
    strcpy(json + size, "]}");
    answer(completion, SOUS_STATUS_OK, json);
    free(json);
    return;
  }
  case LYING_SIZE: {
    sous_result result = {sizeof(sous_result), SOUS_STATUS_OK, {(const uint8_t *)"{}", (size_t)1 << 62}};
    completion.complete(completion.context, &result);
    return;
  }
  case BLOCKS_IN_START: for (;;) pause_ms(1000);
  case MADE_UP_COMPLETION: {
    sous_result result = {sizeof(sous_result), SOUS_STATUS_OK, text("{}")};
    completion.complete((void *)(uintptr_t)0xdeadbeef, &result);
    completion.complete(NULL, &result);
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
    return;
  }
  case FLOODS_LOG: {
    const sous_log_v1 *log = host->get(host, SOUS_LOG_V1);
    const sous_progress_v1 *progress = host->get(host, SOUS_PROGRESS_V1);
    for (int line = 0; line < 20000; line++) {
      log->write(log->context, call->id, SOUS_LOG_INFO, text("again"));
      progress->report(progress->context, call->id, line, 30000, text(""));
    }
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
    return;
  }
  case SPEAKS_SECRETS: {
    const sous_log_v1 *log = host->get(host, SOUS_LOG_V1);
    const sous_progress_v1 *progress = host->get(host, SOUS_PROGRESS_V1);
    const sous_delta_v1 *delta = host->get(host, SOUS_DELTA_V1);
    const char *words = "one\ntoken hunter22!\x1b[2J";
    log->write(log->context, call->id, SOUS_LOG_INFO, text(words));
    log->write(log->context, 0, SOUS_LOG_INFO, text(words));
    progress->report(progress->context, call->id, 1, 2, text(words));
    delta->emit(delta->context, call->id, text("{\"text\": \"hunter22!\"}"));
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1, \"echo\": [\"hunter22! aHVudGVyMjIh hunter22%21\"]}");
    return;
  }
  case FAILS_WITH_SECRETS:
    answer(
        completion, SOUS_STATUS_ERROR,
        "{\"kind\": \"auth\", \"message\": \"hunter22! is wrong\", \"message_de\": \"hunter22! ist falsch\","
        "\"advice\": \"do not use hunter22!\"}");
    return;
  case BAD_DELTAS: {
    const sous_delta_v1 *delta = host->get(host, SOUS_DELTA_V1);
    delta->emit(delta->context, call->id, text("{"));
    delta->emit(delta->context, call->id, text("1"));
    delta->emit(delta->context, call->id, text("{\"text\": \"good\"}"));
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
    return;
  }
  default:
    if (MISDEED >= CRASHES) {
      misbehave_in_worker(host, completion, it);
      return;
    }
    answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
  }
}

static void cancel(sous_instance *instance, uint64_t id) {
  sous_completion completion = recall(id);
  if (completion.complete == NULL) return;
  if (MISDEED == COMPLETES_WHEN_CANCELLED)
    answer(completion, SOUS_STATUS_ERROR, "{\"kind\": \"cancelled\", \"message\": \"x\"}");
  if (MISDEED == COMPLETES_AFTER_CANCEL) ((provider *)instance)->late = completion;
  if (MISDEED == BLOCKS_IN_CANCEL) for (;;) pause_ms(1000);
}

/* ---- The entry ---- */

#ifdef WITH_MISSING_SYMBOL
/* Declared, never defined. */
extern void sous_fixture_missing_symbol(void);
void sous_fixture_use(void) { sous_fixture_missing_symbol(); }
#endif

static const sous_plugin plugin = {
    .magic = MISDEED == WRONG_MAGIC ? 0x12345678u : SOUS_PLUGIN_MAGIC,
    .abi_version = MISDEED == OLDER_VERSION ? 0 : MISDEED == NEWER_VERSION ? SOUS_ABI_VERSION + 1 : SOUS_ABI_VERSION,
    .size = MISDEED == SIZE_TOO_SMALL ? 24 : sizeof(sous_plugin),
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .start = MISDEED == NULL_FUNCTIONS ? NULL : start,
    .cancel = MISDEED == NULL_FUNCTIONS ? NULL : cancel,
};

#ifndef WITHOUT_ENTRY
const sous_plugin *sous_plugin_entry_v1(void);
const sous_plugin *sous_plugin_entry_v1(void) {
  if (MISDEED == HANGS_IN_ENTRY) for (;;) pause_ms(1000);
  return MISDEED == NULL_ENTRY ? NULL : &plugin;
}
#else
const sous_plugin *something_else(void);
const sous_plugin *something_else(void) { return &plugin; }
#endif
