/* textstats: a plugin for Sous in C11. It counts the words of a text, on a thread of its own, and can be cancelled. */
#include "sous_plugin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "json_text.h"

/* One call under way. */
typedef struct job {
  struct job *next;
  sous_instance *instance;
  uint64_t id;
  sous_completion completion;
  char *text;
  size_t length;
  atomic_bool cancelled;
} job;

/* One configured provider: the calls under way, for `cancel` to find. */
struct sous_instance {
  pthread_mutex_t lock;
  job *jobs;
  const sous_progress_v1 *progress;
};

static const char manifest[] =
    "{"
    "  \"id\": \"textstats\", \"version\": \"1.0.0\", \"summary\": \"Counts what is in a text\","
    "  \"summary_de\": \"Z\xc3\xa4hlt, was in einem Text steht\","
    "  \"actions\": [{"
    "    \"name\": \"textstats.count\", \"summary\": \"Counts lines, words and characters\", \"effect\": \"pure\","
    "    \"input\": {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"text\"],"
    "      \"properties\": {\"text\": {\"type\": \"string\"}}},"
    "    \"output\": {\"type\": \"object\", \"additionalProperties\": false,"
    "      \"required\": [\"lines\", \"words\", \"characters\", \"longest\"],"
    "      \"properties\": {\"lines\": {\"type\": \"integer\"}, \"words\": {\"type\": \"integer\"},"
    "        \"characters\": {\"type\": \"integer\"}, \"longest\": {\"type\": \"string\"}}}"
    "  }],"
    "  \"config\": {\"type\": \"object\", \"additionalProperties\": false}"
    "}";

static sous_bytes bytes(const char *text) { return (sous_bytes){(const uint8_t *)text, strlen(text)}; }

static void answer(sous_completion completion, uint32_t status, const char *json) {
  const sous_result result = {sizeof result, status, bytes(json)};
  completion.complete(completion.context, &result);
}

static void fail(sous_completion completion, const char *kind, const char *message) {
  char json[256];
  snprintf(json, sizeof json, "{\"kind\": \"%s\", \"message\": \"%s\"}", kind, message);
  answer(completion, SOUS_STATUS_ERROR, json);
}

static sous_bytes describe(void) { return bytes(manifest); }

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)provider, (void)config;
  sous_instance *instance = calloc(1, sizeof *instance);
  if (!instance) return fail(failure, "io", "out of memory"), NULL;
  pthread_mutex_init(&instance->lock, NULL);
  instance->progress = host->get(host, SOUS_PROGRESS_V1); /* NULL where the host has none */
  return instance;
}

static void destroy(sous_instance *instance) {
  pthread_mutex_destroy(&instance->lock);
  free(instance);
}

static void count(job *job, char **json) {
  size_t lines = 0, words = 0, characters = 0, longest = 0, longest_characters = 0, start = 0, inside = 0;
  bool in_word = false;
  for (size_t index = 0; index <= job->length; index++) {
    if (index % (1 << 20) == 0) {
      if (atomic_load(&job->cancelled)) return;
      const sous_progress_v1 *progress = job->instance->progress;
      if (progress) progress->report(progress->context, job->id, index, job->length, bytes("bytes"));
    }
    uint8_t byte = index < job->length ? (uint8_t)job->text[index] : ' ';
    bool begins = (byte & 0xC0) != 0x80; /* not the rest of a character of several bytes */
    if (index < job->length && begins) characters++;
    if (index < job->length && (byte == '\n' || index + 1 == job->length)) lines++;
    bool space = byte == ' ' || (byte >= '\t' && byte <= '\r');
    if (!space && !in_word) words++, start = index, inside = 0;
    if (!space && begins) inside++;
    if (space && in_word && inside > longest_characters) longest = start, longest_characters = inside;
    in_word = !space;
  }
  size_t end = longest;
  for (size_t left = longest_characters; end < job->length; end++) {
    if (((uint8_t)job->text[end] & 0xC0) != 0x80 && left-- == 0) break;
  }
  char *quoted = json_quoted(job->text + longest, longest_characters ? end - longest : 0);
  if (!quoted) return;
  size_t room = strlen(quoted) + 128;
  if ((*json = malloc(room))) {
    snprintf(*json, room, "{\"lines\": %zu, \"words\": %zu, \"characters\": %zu, \"longest\": %s}", lines, words,
             characters, quoted);
  }
  free(quoted);
}

static void *work(void *argument) {
  job *mine = argument;
  char *json = NULL;
  count(mine, &json);
  /* Out of the list before the answer: behind that the host may destroy the instance. */
  pthread_mutex_lock(&mine->instance->lock);
  job **link = &mine->instance->jobs;
  while (*link != mine) link = &(*link)->next;
  *link = mine->next;
  pthread_mutex_unlock(&mine->instance->lock);
  if (json) answer(mine->completion, SOUS_STATUS_OK, json);
  else if (atomic_load(&mine->cancelled)) fail(mine->completion, "cancelled", "cancelled");
  else fail(mine->completion, "io", "out of memory");
  free(json);
  free(mine->text);
  free(mine);
  return NULL;
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  if (call->operation != SOUS_OPERATION_RUN || call->action.size != strlen("textstats.count")
      || memcmp(call->action.data, "textstats.count", call->action.size) != 0) {
    fail(completion, "unsupported", "there is no such action");
    return;
  }
  size_t length = 0;
  char *text = json_member(call->input.data, call->input.size, "text", &length);
  if (!text) {
    fail(completion, "invalid_input", "'text' is missing");
    return;
  }
  job *made = calloc(1, sizeof *made);
  if (!made) {
    free(text);
    fail(completion, "io", "out of memory");
    return;
  }
  made->instance = instance;
  made->id = call->id;
  made->completion = completion;
  made->text = text;
  made->length = length;
  pthread_mutex_lock(&instance->lock);
  made->next = instance->jobs;
  instance->jobs = made;
  pthread_mutex_unlock(&instance->lock);
  /* A small text is counted here and now, which is quicker than a thread. */
  pthread_t thread;
  if (length < 1 << 16 || pthread_create(&thread, NULL, work, made) != 0) work(made);
  else pthread_detach(thread);
}

static void cancel(sous_instance *instance, uint64_t id) {
  pthread_mutex_lock(&instance->lock);
  for (job *each = instance->jobs; each; each = each->next) {
    if (each->id == id) atomic_store(&each->cancelled, true);
  }
  pthread_mutex_unlock(&instance->lock);
}

__attribute__((visibility("default"))) const sous_plugin *sous_plugin_entry_v1(void) {
  static const sous_plugin plugin = {SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin), describe, create,
                                     destroy, start, cancel};
  return &plugin;
}
