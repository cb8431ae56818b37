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
#include "sous_plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
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
  LYING_SIZE,
  BLOCKS_IN_START,
  BLOCKS_IN_CANCEL,
  MADE_UP_COMPLETION,
  FLOODS_LOG,
  BAD_DELTAS,
  REPORTS_AFTER_THE_END,
  SPEAKS_SECRETS,
  FAILS_WITH_SECRETS,
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

__attribute__((constructor)) static void on_load(void) {
  if (MISDEED == CRASHES_ON_LOAD) crash();
  if (MISDEED == ABORTS_ON_LOAD) abort();
  if (MISDEED == EXITS_ON_LOAD) exit(0);
  if (MISDEED == HANGS_ON_LOAD) for (;;) pause_ms(1000);
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

static sous_instance *create(
    const sous_host *host, sous_bytes name, sous_bytes config, sous_completion failure) {
  (void)name;
  (void)config;
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
  provider *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  it->host = host;
  return (sous_instance *)it;
}

static void destroy(sous_instance *instance) { free(instance); }

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
  answer(it.completion, SOUS_STATUS_OK, "{\"answer\": 1}");
  if (MISDEED == COMPLETES_LATER_TWICE) answer(it.completion, SOUS_STATUS_OK, "{\"answer\": 2}");
  if (MISDEED == REPORTS_AFTER_THE_END) {
    const sous_log_v1 *log = it.host->get(it.host, SOUS_LOG_V1);
    const sous_progress_v1 *progress = it.host->get(it.host, SOUS_PROGRESS_V1);
    const sous_delta_v1 *delta = it.host->get(it.host, SOUS_DELTA_V1);
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
  default: answer(completion, SOUS_STATUS_OK, "{\"answer\": 1}");
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
