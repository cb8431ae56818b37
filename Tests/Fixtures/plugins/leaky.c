/*
 * A plugin that gives its settings away, secrets included, in every way it has:
 *
 *   cc -shared -fPIC -pthread -I plugins/PluginKit/Sources/CPluginABI/include -o libleaky.so Tests/Fixtures/plugins/leaky.c
 *
 * Actions, each with the settings as they came and once more in Base64, hexadecimal, percent-encoded and as JSON in JSON:
 *   leaky.log     as lines of the log, of the call and of none, and as labels of its progress
 *   leaky.fail    as the message and the advice of a failure
 *   leaky.answer  as its output, in values and in a key, and in the midst of a megabyte
 *   leaky.deltas  as pieces of an answer, cut anywhere
 *   leaky.wait    {"until": PATH} answers when there is such a file, its memory full of secrets
 *   leaky.shout   on standard output and error, before it aborts
 *   leaky.crash   dies with pointers to the secrets in its registers
 *
 * A provider with the setting "broken" cannot be made ready, and the failure tells why in the same way.
 */
#define _GNU_SOURCE
#include "sous_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMS = 5 };

typedef struct provider {
  const sous_host *host;
  /* The settings, one form each. */
  char *forms[FORMS];
} provider;

static sous_bytes text(const char *string) {
  sous_bytes bytes = {(const uint8_t *)string, strlen(string)};
  return bytes;
}

static int is(sous_bytes bytes, const char *string) {
  return bytes.size == strlen(string) && memcmp(bytes.data, string, bytes.size) == 0;
}

static char *allocate(size_t size) {
  char *memory = calloc(1, size);
  if (memory == NULL) abort();
  return memory;
}

/* ---- Forms ---- */

static char *base64(const char *string) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t size = strlen(string);
  char *out = allocate(size * 4 / 3 + 8);
  char *end = out;
  for (size_t at = 0; at < size; at += 3) {
    unsigned group = 0;
    for (size_t byte = 0; byte < 3; byte++) group = group << 8 | (at + byte < size ? (unsigned char)string[at + byte] : 0);
    for (int shift = 18; shift >= 0; shift -= 6) *end++ = digits[group >> shift & 63];
  }
  return out;
}

static char *hexadecimal(const char *string) {
  char *out = allocate(strlen(string) * 2 + 1);
  for (size_t at = 0; string[at] != 0; at++) sprintf(out + at * 2, "%02x", (unsigned char)string[at]);
  return out;
}

static char *percent(const char *string) {
  char *out = allocate(strlen(string) * 3 + 1);
  char *end = out;
  for (; *string != 0; string++) {
    unsigned char byte = (unsigned char)*string;
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')) *end++ = *string;
    else end += sprintf(end, "%%%02X", byte);
  }
  return out;
}

/* As it stands inside a JSON string. */
static char *escaped(const char *string) {
  char *out = allocate(strlen(string) * 2 + 1);
  char *end = out;
  for (; *string != 0; string++) {
    if (*string == '"' || *string == '\\') *end++ = '\\';
    *end++ = *string;
  }
  return out;
}

/* ---- Plugin ---- */

static sous_bytes describe(void) {
  return text(
      "{\"id\": \"leaky\", \"version\": \"1.0.0\", \"summary\": \"Gives secrets away\", \"actions\": ["
      "{\"name\": \"leaky.log\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.fail\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.answer\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.deltas\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.wait\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.shout\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"leaky.crash\", \"summary\": \"x\", \"effect\": \"read\"}],"
      "\"config\": {\"type\": \"object\"}}");
}

static void answer(sous_completion completion, uint32_t status, const char *json) {
  sous_result result = {sizeof(sous_result), status, text(json)};
  completion.complete(completion.context, &result);
}

/* A failure that tells everything. */
static void fail(provider *it, sous_completion completion) {
  char *json = NULL;
  char *quoted[FORMS];
  for (int form = 0; form < FORMS; form++) quoted[form] = escaped(it->forms[form]);
  if (asprintf(
          &json,
          "{\"kind\": \"invalid_input\", \"message\": \"%s %s\", \"message_de\": \"%s\", \"advice\": \"%s %s\"}",
          quoted[0], quoted[1], quoted[2], quoted[3], quoted[4]) < 0)
    abort();
  answer(completion, SOUS_STATUS_ERROR, json);
  for (int form = 0; form < FORMS; form++) free(quoted[form]);
  free(json);
}

static void destroy(sous_instance *instance) {
  provider *it = (provider *)instance;
  for (int form = 0; form < FORMS; form++) free(it->forms[form]);
  free(it);
}

static sous_instance *create(const sous_host *host, sous_bytes name, sous_bytes config, sous_completion failure) {
  (void)name;
  provider *it = (provider *)allocate(sizeof *it);
  it->host = host;
  it->forms[0] = allocate(config.size + 1);
  memcpy(it->forms[0], config.data, config.size);
  it->forms[1] = base64(it->forms[0]);
  it->forms[2] = hexadecimal(it->forms[0]);
  it->forms[3] = percent(it->forms[0]);
  it->forms[4] = escaped(it->forms[0]);
  if (strstr(it->forms[0], "\"broken\"") == NULL) return (sous_instance *)it;
  fail(it, failure);
  destroy((sous_instance *)it);
  return NULL;
}

static void give_log(provider *it, uint64_t call) {
  const sous_log_v1 *log = it->host->get(it->host, SOUS_LOG_V1);
  const sous_progress_v1 *progress = it->host->get(it->host, SOUS_PROGRESS_V1);
  for (int form = 0; form < FORMS; form++) {
    sous_bytes words = text(it->forms[form]);
    log->write(log->context, call, SOUS_LOG_ERROR, words);
    log->write(log->context, 0, SOUS_LOG_ERROR, words);
    progress->report(progress->context, call, form + 1, FORMS, words);
  }
}

static void give_answer(provider *it, sous_completion completion) {
  enum { filling = 1 << 20 };
  char *much = allocate(filling + 1);
  memset(much, 'C', filling);
  char *json = NULL;
  char *quoted[FORMS];
  for (int form = 0; form < FORMS; form++) quoted[form] = escaped(it->forms[form]);
  if (asprintf(
          &json, "{\"values\": [\"%s\", \"%s\", \"%s\", \"%s\", \"%s\"], \"%s\": 1, \"much\": \"%s%s%s\"}", quoted[0],
          quoted[1], quoted[2], quoted[3], quoted[4], quoted[0], much, quoted[0], much) < 0)
    abort();
  answer(completion, SOUS_STATUS_OK, json);
  for (int form = 0; form < FORMS; form++) free(quoted[form]);
  free(json);
  free(much);
}

static void give_deltas(provider *it, uint64_t call) {
  const sous_delta_v1 *delta = it->host->get(it->host, SOUS_DELTA_V1);
  for (int form = 0; form < FORMS; form++) {
    for (size_t step = 1; step < 20; step += 6) {
      for (size_t at = 0; at < strlen(it->forms[form]); at += step) {
        char piece[32];
        snprintf(piece, sizeof piece, "%.*s", (int)step, it->forms[form] + at);
        /* Half a character is not JSON. */
        if (strpbrk(piece, "\303\274") != NULL) continue;
        char *quoted = escaped(piece);
        char json[128];
        snprintf(json, sizeof json, "{\"text\": \"%s\"}", quoted);
        delta->emit(delta->context, call, text(json));
        free(quoted);
      }
    }
  }
}

typedef struct waiting {
  char path[512];
  sous_completion completion;
} waiting;

static void *wait_for_file(void *context) {
  waiting *it = context;
  for (int round = 0; round < 6000 && access(it->path, F_OK) != 0; round++) usleep(10000);
  answer(it->completion, SOUS_STATUS_OK, "{}");
  free(it);
  return NULL;
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  provider *it = (provider *)instance;
  if (is(call->action, "leaky.log")) {
    give_log(it, call->id);
    answer(completion, SOUS_STATUS_OK, "{}");
  } else if (is(call->action, "leaky.fail")) {
    fail(it, completion);
  } else if (is(call->action, "leaky.answer")) {
    give_answer(it, completion);
  } else if (is(call->action, "leaky.deltas")) {
    give_deltas(it, call->id);
    answer(completion, SOUS_STATUS_OK, "{}");
  } else if (is(call->action, "leaky.wait")) {
    waiting *wait = (waiting *)allocate(sizeof *wait);
    wait->completion = completion;
    const char *path = memmem(call->input.data, call->input.size, "/", 1);
    if (path != NULL) {
      size_t left = call->input.size - (size_t)(path - (const char *)call->input.data);
      const char *end = memchr(path, '"', left);
      if (end != NULL && (size_t)(end - path) < sizeof wait->path) memcpy(wait->path, path, (size_t)(end - path));
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_file, wait) == 0) pthread_detach(thread);
  } else if (is(call->action, "leaky.shout")) {
    for (int form = 0; form < FORMS; form++) {
      printf("%s\n", it->forms[form]);
      fprintf(stderr, "fatal error: %s\n", it->forms[form]);
    }
    fflush(stdout);
    abort();
  } else {
    /* The pointer that is followed is wild; its neighbours in the registers point to the secrets. */
    volatile char *const *secrets = (volatile char *const *)it->forms;
    *(volatile char *)(uintptr_t)0x10 = secrets[0][0] ^ secrets[4][0];
  }
}

static void cancel(sous_instance *instance, uint64_t id) {
  (void)instance;
  (void)id;
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
