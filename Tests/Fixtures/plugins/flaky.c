/*
 * A well-behaved plugin for tests of retries, timeouts and cancellation, and for trying things out by hand:
 *
 *   cc -shared -fPIC -pthread -I plugins/PluginKit/Sources/CPluginABI/include -o libflaky.so \
 *      Tests/Fixtures/plugins/flaky.c
 *
 * Actions:
 *   flaky.try   {"fail": 2, "kind": "server", "retry_after": 1.5, "delay_ms": 10, "key": "mine"}
 *               fails `fail` times for each key and then answers {"attempts": n}. `key` replaces the call's idempotency
 *               key. The counts live in memory, so that they start anew with the process.
 *   flaky.echo  answers its input.
 *   flaky.sleep {"ms": 1000} answers {"slept_ms": n} after that time, or sooner with kind `cancelled`.
 *
 * The reading of JSON here suffices for flat objects without escapes; a real plugin uses a library for it.
 */
#include "sous_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- JSON, as far as needed ---- */

/* The text behind `"name":`, or NULL. */
static const char *member(const char *json, const char *name) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  const char *found = json;
  while ((found = strstr(found, quoted)) != NULL) {
    found += strlen(quoted);
    found += strspn(found, " \t\r\n");
    if (*found == ':') {
      found++;
      return found + strspn(found, " \t\r\n");
    }
  }
  return NULL;
}

static double number(const char *json, const char *name, double otherwise) {
  const char *found = member(json, name);
  if (found == NULL) return otherwise;
  char *end;
  double value = strtod(found, &end);
  return end == found ? otherwise : value;
}

/* Copies the string of a member, cut to the size of `into`; the text `otherwise` where there is none. */
static void string(const char *json, const char *name, const char *otherwise, char *into, size_t size) {
  const char *found = member(json, name);
  if (found == NULL || *found != '"') {
    snprintf(into, size, "%s", otherwise);
    return;
  }
  size_t length = strcspn(found + 1, "\"\\");
  snprintf(into, size, "%.*s", (int)length, found + 1);
}

static char *copy(sous_bytes bytes) {
  char *result = malloc(bytes.size + 1);
  if (result == NULL) abort();
  if (bytes.size > 0) memcpy(result, bytes.data, bytes.size);
  result[bytes.size] = 0;
  return result;
}

/* ---- Calls ---- */

typedef struct call {
  struct call *next;
  uint64_t id;
  char action[64];
  char *input;
  char *key;
  sous_completion completion;
  int cancelled;
} call;

typedef struct count {
  struct count *next;
  char *key;
  long attempts;
} count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static call *running;
static count *counts;

static void answer(call *it, uint32_t status, const char *json) {
  sous_result result = {sizeof(sous_result), status, {(const uint8_t *)json, strlen(json)}};
  it->completion.complete(it->completion.context, &result);
}

/* Waits; 1 where the call was cancelled meanwhile. */
static int wait_ms(call *it, double milliseconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  double nanoseconds = (double)until.tv_nsec + milliseconds * 1e6;
  until.tv_sec += (time_t)(nanoseconds / 1e9);
  until.tv_nsec = (long)(nanoseconds - (double)(time_t)(nanoseconds / 1e9) * 1e9);
  pthread_mutex_lock(&lock);
  while (!it->cancelled && pthread_cond_timedwait(&changed, &lock, &until) == 0) {}
  int cancelled = it->cancelled;
  pthread_mutex_unlock(&lock);
  return cancelled;
}

static long next_attempt(const char *key) {
  pthread_mutex_lock(&lock);
  count *it = counts;
  while (it != NULL && strcmp(it->key, key) != 0) it = it->next;
  if (it == NULL) {
    it = calloc(1, sizeof *it);
    if (it == NULL) abort();
    it->key = strdup(key);
    it->next = counts;
    counts = it;
  }
  long attempts = ++it->attempts;
  pthread_mutex_unlock(&lock);
  return attempts;
}

static void try(call *it) {
  char kind[64], retry_after[64] = "", key[256], json[512];
  string(it->input, "kind", "server", kind, sizeof kind);
  string(it->input, "key", it->key, key, sizeof key);
  double delay = number(it->input, "delay_ms", 0);
  if (delay > 0 && wait_ms(it, delay)) {
    answer(it, SOUS_STATUS_ERROR, "{\"kind\": \"cancelled\", \"message\": \"Cancelled\"}");
    return;
  }
  long attempts = next_attempt(key);
  long failures = (long)number(it->input, "fail", 0);
  if (attempts > failures) {
    snprintf(json, sizeof json, "{\"attempts\": %ld}", attempts);
    answer(it, SOUS_STATUS_OK, json);
    return;
  }
  if (member(it->input, "retry_after") != NULL)
    snprintf(retry_after, sizeof retry_after, ", \"retry_after\": %g", number(it->input, "retry_after", 0));
  snprintf(
      json, sizeof json,
      "{\"kind\": \"%s\", \"message\": \"Failing on purpose, %ld of %ld\","
      " \"message_de\": \"Absichtlicher Fehler, %ld von %ld\"%s}",
      kind, attempts, failures, attempts, failures, retry_after);
  answer(it, SOUS_STATUS_ERROR, json);
}

static void *work(void *context) {
  call *it = context;
  if (strcmp(it->action, "flaky.echo") == 0) {
    answer(it, SOUS_STATUS_OK, it->input);
  } else if (strcmp(it->action, "flaky.try") == 0) {
    try(it);
  } else if (strcmp(it->action, "flaky.sleep") == 0) {
    char json[64];
    double milliseconds = number(it->input, "ms", 0);
    snprintf(json, sizeof json, "{\"slept_ms\": %ld}", (long)milliseconds);
    if (wait_ms(it, milliseconds))
      answer(it, SOUS_STATUS_ERROR, "{\"kind\": \"cancelled\", \"message\": \"Woken up\"}");
    else
      answer(it, SOUS_STATUS_OK, json);
  } else {
    answer(it, SOUS_STATUS_ERROR, "{\"kind\": \"unsupported\", \"message\": \"No such action\"}");
  }
  pthread_mutex_lock(&lock);
  call **link = &running;
  while (*link != it) link = &(*link)->next;
  *link = it->next;
  pthread_mutex_unlock(&lock);
  free(it->input);
  free(it->key);
  free(it);
  return NULL;
}

/* ---- The plugin ---- */

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"flaky\", \"version\": \"1.0.0\", \"summary\": \"Fails on purpose\","
      "\"summary_de\": \"Scheitert mit Absicht\", \"actions\": ["
      "{\"name\": \"flaky.try\", \"summary\": \"Fails some times, then succeeds\", \"effect\": \"idempotent\","
      "\"input\": {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"fail\"], \"properties\": {"
      "\"fail\": {\"type\": \"integer\", \"minimum\": 0}, \"kind\": {\"type\": \"string\"},"
      "\"retry_after\": {\"type\": \"number\", \"minimum\": 0}, \"delay_ms\": {\"type\": \"number\", \"minimum\": 0},"
      "\"key\": {\"type\": \"string\"}}},"
      "\"output\": {\"type\": \"object\", \"required\": [\"attempts\"], \"properties\": {"
      "\"attempts\": {\"type\": \"integer\"}}}},"
      "{\"name\": \"flaky.echo\", \"summary\": \"Answers its input\", \"effect\": \"pure\","
      "\"input\": {\"type\": \"object\"}, \"output\": {\"type\": \"object\"}},"
      "{\"name\": \"flaky.sleep\", \"summary\": \"Takes its time\", \"effect\": \"read\","
      "\"input\": {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"ms\"], \"properties\": {"
      "\"ms\": {\"type\": \"number\", \"minimum\": 0}}},"
      "\"output\": {\"type\": \"object\", \"required\": [\"slept_ms\"], \"properties\": {"
      "\"slept_ms\": {\"type\": \"integer\"}}}}],"
      "\"config\": {\"type\": \"object\", \"additionalProperties\": false}}";
  sous_bytes bytes = {(const uint8_t *)manifest, sizeof manifest - 1};
  return bytes;
}

static sous_instance *create(
    const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  static int instance;
  (void)host;
  (void)provider;
  (void)config;
  (void)failure;
  return (sous_instance *)&instance;
}

static void destroy(sous_instance *instance) { (void)instance; }

static void start(sous_instance *instance, const sous_call *native, sous_completion completion) {
  (void)instance;
  call *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  it->id = native->id;
  it->completion = completion;
  it->input = copy(native->input);
  it->key = copy(native->key);
  snprintf(it->action, sizeof it->action, "%.*s", (int)native->action.size, (const char *)native->action.data);
  if (native->operation != SOUS_OPERATION_RUN) {
    answer(it, SOUS_STATUS_OK, "{\"verdict\": \"unknown\"}");
    free(it->input);
    free(it->key);
    free(it);
    return;
  }
  pthread_mutex_lock(&lock);
  it->next = running;
  running = it;
  pthread_mutex_unlock(&lock);
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, it) == 0)
    pthread_detach(thread);
  else
    work(it);
}

static void cancel(sous_instance *instance, uint64_t id) {
  (void)instance;
  pthread_mutex_lock(&lock);
  for (call *it = running; it != NULL; it = it->next)
    if (it->id == id) it->cancelled = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

const sous_plugin *sous_plugin_entry_v1(void);
const sous_plugin *sous_plugin_entry_v1(void) {
  static const sous_plugin plugin = {
      .magic = SOUS_PLUGIN_MAGIC,
      .abi_version = SOUS_ABI_VERSION,
      .size = sizeof(sous_plugin),
      .describe = describe,
      .create = create,
      .destroy = destroy,
      .start = start,
      .cancel = cancel,
  };
  return &plugin;
}
