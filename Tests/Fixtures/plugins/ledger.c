/*
 * A plugin whose effects can be counted from outside: every call appends one line to a file, the ledger.
 *
 *   cc -shared -fPIC -pthread -I plugins/PluginKit/Sources/CPluginABI/include -o libledger.so \
 *      Tests/Fixtures/plugins/ledger.c
 *
 * Actions take {"n": 1} and answer {"n": 2}:
 *   ledger.compute  pure
 *   ledger.look     read
 *   ledger.note     idempotent
 *   ledger.pay      once; `verify` looks whether the ledger holds the line
 *   ledger.post     once, without `verify`
 *
 * A line holds, parted by tabs: idempotency key, action, attempt, provider, process. It is appended by one write(2).
 *
 * Settings: `file`, the ledger; `delay_ms`, up to which a call dawdles before and again after it writes; `plant`, a
 * mistake to make on purpose, about once in `every` calls of an action with an effect:
 *   lose     answers without having written
 *   double   writes twice
 *   key      writes another key when the attempt is not the first
 *   verdict  `verify` answers that nothing was done, whatever the ledger holds
 *
 * The reading of JSON here suffices for flat objects without escapes; a real plugin uses a library for it.
 */
#include "sous_plugin.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- JSON, as far as needed ---- */

static const char *member(const char *json, const char *name) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  const char *found = json;
  while ((found = strstr(found, quoted)) != NULL) {
    found += strlen(quoted);
    found += strspn(found, " \t\r\n");
    if (*found == ':') return found + 1 + strspn(found + 1, " \t\r\n");
  }
  return NULL;
}

static double number(const char *json, const char *name, double otherwise) {
  const char *found = member(json, name);
  return found == NULL ? otherwise : strtod(found, NULL);
}

static void string(const char *json, const char *name, char *into, size_t size) {
  const char *found = member(json, name);
  into[0] = 0;
  if (found != NULL && *found == '"') snprintf(into, size, "%.*s", (int)strcspn(found + 1, "\"\\"), found + 1);
}

static char *copy(sous_bytes bytes) {
  char *result = malloc(bytes.size + 1);
  if (result == NULL) abort();
  if (bytes.size > 0) memcpy(result, bytes.data, bytes.size);
  result[bytes.size] = 0;
  return result;
}

/* ---- Instances and calls ---- */

struct sous_instance {
  char provider[64];
  char file[4096];
  char plant[16];
  double delay_ms;
  unsigned every;
};

typedef struct call {
  sous_instance *instance;
  char action[64];
  char *input;
  char *key;
  unsigned attempt;
  uint32_t operation;
  sous_completion completion;
} call;

static uint64_t random_bits(void) {
  static __thread uint64_t state;
  if (state == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (uint64_t)now.tv_nsec * 2654435761u ^ (uint64_t)getpid() << 32 ^ (uintptr_t)&state;
  }
  uint64_t mixed = state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return mixed ^ mixed >> 31;
}

static void dawdle(const sous_instance *instance) {
  double seconds = instance->delay_ms / 1000 * (double)(random_bits() >> 11) / 9007199254740992.0;
  if (seconds <= 0) return;
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

static int is_planted(const sous_instance *instance, const char *plant) {
  return strcmp(instance->plant, plant) == 0 && random_bits() % instance->every == 0;
}

static void answer(call *it, uint32_t status, const char *json) {
  sous_result result = {sizeof(sous_result), status, {(const uint8_t *)json, strlen(json)}};
  it->completion.complete(it->completion.context, &result);
}

/* Appends the call's line; 0 where it is written. */
static int append(const call *it, const char *key) {
  char line[512];
  int length = snprintf(
      line, sizeof line, "%s\t%s\t%u\t%s\t%d\n", key, it->action, it->attempt, it->instance->provider, (int)getpid());
  int descriptor = open(it->instance->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return 1;
  ssize_t written = write(descriptor, line, (size_t)length);
  close(descriptor);
  return written != length;
}

static void run(call *it, const char *output) {
  int has_effect = strcmp(it->action, "ledger.compute") != 0 && strcmp(it->action, "ledger.look") != 0;
  char key[256];
  snprintf(key, sizeof key, "%s", it->key);
  if (it->attempt > 1 && is_planted(it->instance, "key")) snprintf(key, sizeof key, "%s~", it->key);
  dawdle(it->instance);
  int failed = 0;
  if (!has_effect || !is_planted(it->instance, "lose")) failed = append(it, key);
  if (has_effect && is_planted(it->instance, "double")) append(it, key);
  dawdle(it->instance);
  if (failed)
    answer(it, SOUS_STATUS_ERROR, "{\"kind\": \"io\", \"message\": \"The ledger cannot be written\"}");
  else
    answer(it, SOUS_STATUS_OK, output);
}

static void verify(call *it, const char *output) {
  char start[400], line[512], verdict[256];
  int found = 0;
  snprintf(start, sizeof start, "%s\t%s\t", it->key, it->action);
  FILE *ledger = fopen(it->instance->file, "re");
  while (ledger != NULL && !found && fgets(line, sizeof line, ledger) != NULL)
    found = strncmp(line, start, strlen(start)) == 0;
  if (ledger != NULL) fclose(ledger);
  if (strcmp(it->action, "ledger.pay") != 0)
    snprintf(verdict, sizeof verdict, "{\"verdict\": \"unknown\"}");
  else if (found && !is_planted(it->instance, "verdict"))
    snprintf(verdict, sizeof verdict, "{\"verdict\": \"done\", \"output\": %s}", output);
  else
    snprintf(verdict, sizeof verdict, "{\"verdict\": \"not_done\"}");
  answer(it, SOUS_STATUS_OK, verdict);
}

static void *work(void *context) {
  call *it = context;
  char output[64];
  snprintf(output, sizeof output, "{\"n\": %ld}", (long)number(it->input, "n", 0) + 1);
  if (it->operation == SOUS_OPERATION_VERIFY)
    verify(it, output);
  else
    run(it, output);
  free(it->input);
  free(it->key);
  free(it);
  return NULL;
}

/* ---- The plugin ---- */

#define N "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"n\"], \"properties\": {" \
          "\"n\": {\"type\": \"integer\"}}}"
#define ACTION(name, effect, verifies) \
  "{\"name\": \"ledger." name "\", \"summary\": \"Writes a line\", \"effect\": \"" effect "\", \"verifies\": " verifies \
  ", \"input\": " N ", \"output\": " N "}"

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"ledger\", \"version\": \"1.0.0\", \"summary\": \"Appends its effects to a file\", \"actions\": ["
      ACTION("compute", "pure", "false") ","
      ACTION("look", "read", "false") ","
      ACTION("note", "idempotent", "false") ","
      ACTION("pay", "once", "true") ","
      ACTION("post", "once", "false")
      "], \"files\": [{\"path\": \"{file}\", \"access\": \"read-write\"}],"
      "\"config\": {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"file\"], \"properties\": {"
      "\"file\": {\"type\": \"string\"}, \"delay_ms\": {\"type\": \"number\", \"minimum\": 0},"
      "\"plant\": {\"enum\": [\"lose\", \"double\", \"key\", \"verdict\"]},"
      "\"every\": {\"type\": \"integer\", \"minimum\": 1}}}}";
  return (sous_bytes){(const uint8_t *)manifest, sizeof manifest - 1};
}

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)host, (void)failure;
  sous_instance *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  char *settings = copy(config);
  snprintf(it->provider, sizeof it->provider, "%.*s", (int)provider.size, (const char *)provider.data);
  string(settings, "file", it->file, sizeof it->file);
  string(settings, "plant", it->plant, sizeof it->plant);
  it->delay_ms = number(settings, "delay_ms", 0);
  it->every = (unsigned)number(settings, "every", 50);
  if (it->every == 0) it->every = 1;
  free(settings);
  return it;
}

static void destroy(sous_instance *instance) { free(instance); }

static void start(sous_instance *instance, const sous_call *native, sous_completion completion) {
  call *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  it->instance = instance;
  it->completion = completion;
  it->attempt = native->attempt;
  it->operation = native->operation;
  it->input = copy(native->input);
  it->key = copy(native->key);
  snprintf(it->action, sizeof it->action, "%.*s", (int)native->action.size, (const char *)native->action.data);
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, it) == 0)
    pthread_detach(thread);
  else
    work(it);
}

/* A call ends by itself within `delay_ms` twice. */
static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

static const sous_plugin plugin = {
    SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof plugin, describe, create, destroy, start, cancel};

const sous_plugin *sous_plugin_entry_v1(void);
const sous_plugin *sous_plugin_entry_v1(void) { return &plugin; }
