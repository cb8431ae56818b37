#define _GNU_SOURCE
/* A plugin that leaves every check of its input to the host, compares the names of actions, and remembers under which keys it was called. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sous_plugin.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct sous_instance {
  const sous_http_v1 *http;
  char url[256];
  char keys[256][96];
  size_t count;
};

static sous_bytes text(const char *text) { return (sous_bytes){(const uint8_t *)text, strlen(text)}; }

static void answer(sous_completion completion, uint32_t status, const char *json) {
  const sous_result result = {sizeof result, status, text(json)};
  completion.complete(completion.context, &result);
}

static sous_bytes describe(void) {
  return text(
      "{\"id\": \"careless\", \"version\": \"1.0.0\", \"summary\": \"Orders\", \"actions\": ["
      "{\"name\": \"careless.order\", \"summary\": \"Orders\", \"effect\": \"once\", \"verifies\": true,"
      "\"input\": {\"type\": \"object\", \"required\": [\"count\"], \"additionalProperties\": false, \"properties\": {"
      "\"count\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 99}}}, \"output\": {\"type\": \"object\"}}],"
      "\"hosts\": [\"{base_url}\"], \"config\": {\"type\": \"object\", \"required\": [\"base_url\"],"
      "\"properties\": {\"base_url\": {\"type\": \"string\", \"format\": \"uri\"}, \"token\": {\"type\": \"string\"},"
      "\"size\": {\"type\": \"string\", \"enum\": [\"small\", \"large\"]},"
      "\"pages\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 5, \"default\": 2}}}, \"secrets\": [\"token\"]}");
}

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)provider, (void)failure;
  sous_instance *instance = calloc(1, sizeof *instance);
  instance->http = host->get(host, SOUS_HTTP_V1);
  const char *start = memmem(config.data, config.size, "http", 4);
  size_t length = 0;
  while (start && start[length] != '"' && length < sizeof instance->url - 1) length++;
  if (start) memcpy(instance->url, start, length);
  return instance;
}

static void destroy(sous_instance *instance) { free(instance); }

static void head(void *context, uint32_t status, const sous_header *headers, size_t count) {
  (void)context, (void)status, (void)headers, (void)count;
}
static void data(void *context, sous_bytes piece) { (void)context, (void)piece; }
static void end(void *context, const sous_result *failure) {
  (void)failure;
  sous_completion *completion = context;
  answer(*completion, SOUS_STATUS_OK, "{}");
  free(completion);
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  if (call->action.size != strlen("careless.order") || memcmp(call->action.data, "careless.order", call->action.size)) {
    answer(completion, SOUS_STATUS_ERROR, "{\"kind\": \"unsupported\", \"message\": \"No such action\"}");
    return;
  }
  char key[96] = "";
  memcpy(key, call->key.data, call->key.size < sizeof key - 1 ? call->key.size : sizeof key - 1);
  if (call->operation == SOUS_OPERATION_VERIFY) {
    int is_known = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < instance->count; i++) is_known |= strcmp(instance->keys[i], key) == 0;
    pthread_mutex_unlock(&lock);
    answer(completion, SOUS_STATUS_OK,
           is_known ? "{\"verdict\": \"done\", \"output\": {}}" : "{\"verdict\": \"not_done\"}");
    return;
  }
  pthread_mutex_lock(&lock);
  if (instance->count < 256) memcpy(instance->keys[instance->count++], key, sizeof key);
  pthread_mutex_unlock(&lock);
  sous_completion *kept = malloc(sizeof *kept);
  *kept = completion;
  const sous_http_request request = {
      .size = sizeof request, .call = call->id, .method = text("POST"), .url = text(instance->url), .body = call->input};
  const sous_http_handler handler = {sizeof handler, kept, head, data, end};
  instance->http->start(instance->http->context, &request, &handler);
}

static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

__attribute__((visibility("default"))) const sous_plugin *sous_plugin_entry_v1(void) {
  static const sous_plugin plugin = {SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin), describe, create,
                                     destroy, start, cancel};
  return &plugin;
}
