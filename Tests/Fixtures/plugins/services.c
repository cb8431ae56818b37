/*
 * A plugin that asks the host for everything, for tests of what the host does:
 *
 *   cc -shared -fPIC -pthread -I plugins/PluginKit/Sources/CPluginABI/include \
 *      -o libservices.so Tests/Fixtures/plugins/services.c
 *
 * Every action works on a thread of its own. Inputs are flat JSON objects of strings and numbers.
 */
#include "sous_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct sous_instance {
  const sous_host *host;
  pthread_mutex_t lock;
  /* Calls that have been cancelled. */
  uint64_t cancelled[64];
  size_t cancelled_count;
};

typedef struct task {
  sous_instance *instance;
  sous_completion completion;
  uint64_t call;
  char *action;
  char *input;
} task;

static sous_bytes text(const char *string) {
  sous_bytes bytes = {(const uint8_t *)string, strlen(string)};
  return bytes;
}

static void answer(task *task, uint32_t status, const char *json) {
  sous_result result = {sizeof(sous_result), status, text(json)};
  task->completion.complete(task->completion.context, &result);
}

static char *copy(sous_bytes bytes) {
  char *result = malloc(bytes.size + 1);
  if (bytes.size) memcpy(result, bytes.data, bytes.size);
  result[bytes.size] = 0;
  return result;
}

/* The string of a member; empty where it is missing. Knows no escapes but those of quote and backslash. */
static char *member(const char *json, const char *name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "\"%s\":", name);
  const char *found = strstr(json, pattern);
  char *result = calloc(1, strlen(json) + 1);
  if (!found) return result;
  found += strlen(pattern);
  while (*found == ' ') found++;
  size_t length = 0;
  if (*found == '"') {
    for (found++; *found && *found != '"'; found++) {
      if (*found == '\\' && found[1]) found++;
      result[length++] = *found;
    }
  } else {
    while (*found && *found != ',' && *found != '}' && *found != ' ') result[length++] = *found++;
  }
  return result;
}

static uint64_t number(const char *json, const char *name) {
  char *string = member(json, name);
  uint64_t result = strtoull(string, NULL, 10);
  free(string);
  return result;
}

static int is_cancelled(task *task) {
  pthread_mutex_lock(&task->instance->lock);
  int found = 0;
  for (size_t i = 0; i < task->instance->cancelled_count; i++) found |= task->instance->cancelled[i] == task->call;
  pthread_mutex_unlock(&task->instance->lock);
  return found;
}

static const void *get(task *task, const char *name) {
  return task->instance->host->get(task->instance->host, name);
}

static void answer_status(task *task, uint32_t status, const char *name, const char *value, uint64_t version) {
  char json[4096];
  snprintf(
      json, sizeof json, "{\"status\": %u, \"%s\": \"%s\", \"version\": %llu}", status, name, value ? value : "",
      (unsigned long long)version);
  answer(task, SOUS_STATUS_OK, json);
}

/* ---- Secrets and state ---- */

typedef struct received {
  char value[2048];
  uint64_t version;
  size_t pieces;
  size_t bytes;
} received;

static void receive(void *receiver, sous_bytes value) {
  received *into = receiver;
  size_t room = sizeof into->value - 1 - strlen(into->value);
  strncat(into->value, (const char *)value.data, value.size < room ? value.size : room);
  into->pieces++;
  into->bytes += value.size;
}

static void receive_key(void *receiver, sous_bytes key) {
  received *into = receiver;
  if (into->pieces) strcat(into->value, " ");
  receive(receiver, key);
}

static void receive_versioned(void *receiver, sous_bytes value, uint64_t version) {
  receive(receiver, value);
  ((received *)receiver)->version = version;
}

static void secret(task *task) {
  const sous_secret_v1 *secrets = get(task, SOUS_SECRET_V1);
  char *name = member(task->input, "name");
  received got = {0};
  uint32_t status = secrets->read(secrets->context, text(name), receive, &got);
  answer_status(task, status, "value", got.value, 0);
  free(name);
}

static void state(task *task) {
  const sous_state_v1 *state = get(task, SOUS_STATE_V1);
  if (!state) return answer_status(task, 99, "value", "", 0);
  char *operation = member(task->input, "operation");
  char *key = member(task->input, "key");
  char *value = member(task->input, "value");
  received got = {0};
  uint32_t status = SOUS_FAILED;
  if (!strcmp(operation, "read")) status = state->read(state->context, text(key), receive_versioned, &got);
  if (!strcmp(operation, "list")) status = state->list(state->context, text(key), receive_key, &got);
  if (!strcmp(operation, "set") || !strcmp(operation, "remove")) {
    sous_state_change change = {text(key), text(value), 0, number(task->input, "version")};
    if (!strcmp(operation, "remove")) change.flags |= SOUS_STATE_REMOVE;
    if (strstr(task->input, "\"version\"")) change.flags |= SOUS_STATE_IF_VERSION;
    status = state->commit(state->context, &change, 1);
  }
  if (!strcmp(operation, "flood")) {
    sous_state_change change = {text("flood"), {malloc((1 << 20) + 1), (1 << 20) + 1}, 0, 0};
    status = state->commit(state->context, &change, 1);
    free((void *)change.value.data);
  }
  answer_status(task, status, "value", got.value, got.version);
  free(operation);
  free(key);
  free(value);
}

/* ---- Blobs ---- */

static void make_blob(task *task) {
  const sous_blob_v1 *blobs = get(task, SOUS_BLOB_V1);
  uint64_t pieces = number(task->input, "pieces");
  uint64_t size = number(task->input, "size");
  uint64_t blob = blobs->create(blobs->context, task->call);
  uint8_t *piece = malloc(size);
  uint32_t status = blob ? SOUS_OK : SOUS_FAILED;
  for (uint64_t i = 0; i < pieces && status == SOUS_OK; i++) {
    memset(piece, (int)('a' + i % 26), size);
    sous_bytes bytes = {piece, size};
    status = blobs->write(blobs->context, blob, bytes);
  }
  free(piece);
  received got = {0};
  if (status == SOUS_OK) status = blobs->finish(blobs->context, blob, receive, &got);
  answer_status(task, status, "value", got.value, 0);
}

static void read_blob(task *task) {
  const sous_blob_v1 *blobs = get(task, SOUS_BLOB_V1);
  char *name = member(task->input, "blob");
  if (!*name) {
    free(name);
    name = member(task->input, "guess");
    /* Names it in pieces, so that the input does not name it. */
    char *rest = member(task->input, "rest");
    name = realloc(name, strlen(name) + strlen(rest) + 1);
    strcat(name, rest);
    free(rest);
  }
  received got = {0};
  uint32_t status = blobs->read(
      blobs->context, task->call, text(name), number(task->input, "offset"), number(task->input, "length"), receive,
      &got);
  answer_status(task, status, "value", got.value, got.bytes);
  free(name);
}

/* ---- HTTP ---- */

typedef struct exchange {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int over;
  int failed;
  uint32_t status;
  char head[512];
  char body[2048];
  size_t bytes;
  char *failure;
} exchange;

static void on_head(void *context, uint32_t status, const sous_header *headers, size_t count) {
  exchange *exchange = context;
  exchange->status = status;
  for (size_t i = 0; i < count; i++)
    if (headers[i].name.size == 6 && !strncasecmp((const char *)headers[i].name.data, "x-test", 6))
      snprintf(
          exchange->head, sizeof exchange->head, "%.*s", (int)headers[i].value.size, (const char *)headers[i].value.data);
}

static void on_data(void *context, sous_bytes piece) {
  exchange *exchange = context;
  size_t room = sizeof exchange->body - 1 - strlen(exchange->body);
  strncat(exchange->body, (const char *)piece.data, piece.size < room ? piece.size : room);
  exchange->bytes += piece.size;
}

static void on_end(void *context, const sous_result *failure) {
  exchange *exchange = context;
  if (failure) exchange->failure = copy(failure->payload);
  pthread_mutex_lock(&exchange->lock);
  exchange->over = 1;
  pthread_cond_signal(&exchange->changed);
  pthread_mutex_unlock(&exchange->lock);
}

static void wait_for_end(exchange *exchange) {
  pthread_mutex_lock(&exchange->lock);
  while (!exchange->over) pthread_cond_wait(&exchange->changed, &exchange->lock);
  pthread_mutex_unlock(&exchange->lock);
}

static void fetch(task *task) {
  const sous_http_v1 *http = get(task, SOUS_HTTP_V1);
  if (!http) return answer_status(task, 99, "value", "", 0);
  char *url = member(task->input, "url");
  char *method = member(task->input, "method");
  char *body = member(task->input, "body");
  exchange exchange = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  sous_header header = {text("X-Test"), text("from the plugin")};
  sous_http_request request = {
      .size = sizeof request, .call = strstr(task->input, "\"instance\"") ? 0 : task->call,
      .method = text(*method ? method : "GET"), .url = text(url), .headers = &header, .header_count = 1,
      .body = text(body)};
  sous_http_handler handler = {sizeof handler, &exchange, on_head, on_data, on_end};
  uint64_t made = http->start(http->context, &request, &handler);
  if (made) wait_for_end(&exchange);
  if (exchange.failure) {
    answer(task, SOUS_STATUS_ERROR, exchange.failure);
  } else {
    char json[4096];
    snprintf(
        json, sizeof json, "{\"status\": %u, \"test\": \"%s\", \"body\": \"%s\", \"bytes\": %zu}", exchange.status,
        exchange.head, exchange.body, exchange.bytes);
    answer(task, SOUS_STATUS_OK, json);
  }
  free(exchange.failure);
  free(url);
  free(method);
  free(body);
}

/* ---- Streams ---- */

static const sous_stream_v1 *streams;

static void on_opened(void *context) { ((exchange *)context)->status = 1; }

static void talk(task *task) {
  streams = get(task, SOUS_STREAM_V1);
  char *host = member(task->input, "host");
  char *words = member(task->input, "words");
  exchange exchange = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  sous_stream_request request = {
      .size = sizeof request, .call = task->call, .host = text(host), .port = (uint32_t)number(task->input, "port"),
      .tls = SOUS_TLS_NONE};
  sous_stream_handler handler = {sizeof handler, &exchange, on_opened, on_data, NULL, NULL, on_end};
  uint64_t stream = streams->open(streams->context, &request, &handler);
  streams->write(streams->context, stream, text(words));
  wait_for_end(&exchange);
  if (exchange.failure) {
    answer(task, SOUS_STATUS_ERROR, exchange.failure);
  } else {
    answer_status(task, exchange.status, "value", exchange.body, exchange.bytes);
  }
  free(exchange.failure);
  free(host);
  free(words);
}

/* ---- Triggers ---- */

static void ticks(task *task) {
  const sous_event_v1 *events = get(task, SOUS_EVENT_V1);
  char *cursor = member(task->input, "cursor");
  char *then = member(task->input, "then");
  uint64_t count = number(task->input, "count");
  uint32_t status = SOUS_OK;
  for (uint64_t tick = strtoull(cursor, NULL, 10) + 1; tick <= count && status == SOUS_OK; tick++) {
    char id[32], event[64], next[32];
    snprintf(id, sizeof id, "tick-%llu", (unsigned long long)tick);
    snprintf(event, sizeof event, strcmp(then, "nonsense") ? "{\"tick\": %llu}" : "[%llu", (unsigned long long)tick);
    snprintf(next, sizeof next, "%llu", (unsigned long long)tick);
    status = events->emit(events->context, task->call, text(id), text(event), text(next));
    if (!strcmp(then, "twice")) events->emit(events->context, task->call, text(id), text(event), text(next));
    /* One event for each start. */
    if (!strcmp(then, "fail")) break;
  }
  while (strcmp(then, "fail") && !is_cancelled(task)) usleep(1000);
  /* Too late: to be refused. */
  if (strcmp(then, "fail"))
    events->emit(events->context, task->call, text("late"), text("{\"tick\": 0}"), text("0"));
  char json[128];
  snprintf(
      json, sizeof json, "{\"kind\": \"%s\", \"message\": \"%u\"}", strcmp(then, "fail") ? "cancelled" : "io", status);
  answer(task, SOUS_STATUS_ERROR, json);
  free(cursor);
  free(then);
}

/* Announces that it watches, if it is not to be slow, and waits. */
static void looks(task *task) {
  const sous_event_v1 *events = get(task, SOUS_EVENT_V1);
  char *then = member(task->input, "then");
  if (strcmp(then, "slow")) events->emit(events->context, task->call, text(""), text(""), text(""));
  while (!is_cancelled(task)) usleep(1000);
  answer(task, SOUS_STATUS_ERROR, "{\"kind\": \"cancelled\", \"message\": \"x\"}");
  free(then);
}

/* ---- The plugin ---- */

static void *work(void *argument) {
  task *task = argument;
  if (!strcmp(task->action, "services.secret")) secret(task);
  if (!strcmp(task->action, "services.state")) state(task);
  if (!strcmp(task->action, "services.make_blob")) make_blob(task);
  if (!strcmp(task->action, "services.read_blob")) read_blob(task);
  if (!strcmp(task->action, "services.fetch")) fetch(task);
  if (!strcmp(task->action, "services.talk")) talk(task);
  if (!strcmp(task->action, "services.ticks")) ticks(task);
  if (!strcmp(task->action, "services.looks")) looks(task);
  free(task->action);
  free(task->input);
  free(task);
  return NULL;
}

static sous_bytes describe(void) {
  return text(
      "{\"id\": \"services\", \"version\": \"1.0.0\", \"summary\": \"Asks the host for everything\","
      "\"hosts\": [\"declared.example\", \"{base_url}\", \"{more.0}\"], \"secrets\": [\"api_key\"],"
      "\"actions\": ["
      "{\"name\": \"services.secret\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"services.state\", \"summary\": \"x\", \"effect\": \"idempotent\"},"
      "{\"name\": \"services.make_blob\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"services.read_blob\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"services.fetch\", \"summary\": \"x\", \"effect\": \"read\"},"
      "{\"name\": \"services.talk\", \"summary\": \"x\", \"effect\": \"read\"}],"
      "\"triggers\": [{\"name\": \"services.ticks\", \"summary\": \"x\","
      "\"settings\": {\"type\": \"object\", \"properties\": {\"count\": {\"type\": \"integer\"}},"
      "\"required\": [\"count\"]},"
      "\"event\": {\"type\": \"object\", \"properties\": {\"tick\": {\"type\": \"integer\"}},"
      "\"required\": [\"tick\"]}},"
      "{\"name\": \"services.looks\", \"summary\": \"x\", \"announces_watching\": true}],"
      "\"config\": {\"type\": \"object\"}}");
}

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)provider, (void)config, (void)failure;
  sous_instance *instance = calloc(1, sizeof *instance);
  instance->host = host;
  pthread_mutex_init(&instance->lock, NULL);
  return instance;
}

static void destroy(sous_instance *instance) { free(instance); }

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  task *made = calloc(1, sizeof *made);
  made->instance = instance;
  made->completion = completion;
  made->call = call->id;
  made->action = copy(call->action);
  made->input = copy(call->input);
  pthread_t thread;
  pthread_create(&thread, NULL, work, made);
  pthread_detach(thread);
}

static void cancel(sous_instance *instance, uint64_t id) {
  pthread_mutex_lock(&instance->lock);
  if (instance->cancelled_count < 64) instance->cancelled[instance->cancelled_count++] = id;
  pthread_mutex_unlock(&instance->lock);
}

static const sous_plugin plugin = {
    SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin), describe, create, destroy, start, cancel,
};

const sous_plugin *sous_plugin_entry_v1(void) { return &plugin; }
