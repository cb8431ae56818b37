/*
 * A plugin of others for the contract chat: it answers with texts that were compiled in, the first call with FIRST and all
 * others with SECOND, and passes no schema on. Its "model" tells whether it was given a schema, and whether the prompt
 * speaks of one.
 */
#define _GNU_SOURCE
#include "sous_plugin.h"

#include <stdio.h>
#include <string.h>

#ifndef FIRST
#define FIRST "Just words."
#endif
#ifndef SECOND
#define SECOND FIRST
#endif
/* Members beside those of every answer, each with a comma behind it. */
#ifndef MEMBERS
#define MEMBERS ""
#endif

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"parrot\", \"version\": \"1.0.0\", \"summary\": \"Repeats itself\", \"contracts\": [\"chat/1\"],"
      "\"actions\": [{\"name\": \"chat.complete\", \"summary\": \"Answers\", \"effect\": \"read\", \"costly\": true},"
      "{\"name\": \"chat.models\", \"summary\": \"Lists\", \"effect\": \"read\"}]}";
  return (sous_bytes){(const uint8_t *)manifest, sizeof manifest - 1};
}

static char the_instance;
static int calls;

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)host, (void)provider, (void)config, (void)failure;
  return (sous_instance *)&the_instance;
}

static void destroy(sous_instance *instance) { (void)instance; }

static int says(sous_bytes input, const char *words) {
  return memmem(input.data, input.size, words, strlen(words)) != NULL;
}

static int is(sous_bytes action, const char *name) {
  return action.size == strlen(name) && memcmp(action.data, name, action.size) == 0;
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  (void)instance;
  if (!is(call->action, "chat.complete") && !is(call->action, "chat.models")) {
    static const char refusal[] = "{\"kind\": \"unsupported\", \"message\": \"No such action\"}";
    sous_result result = {sizeof result, SOUS_STATUS_ERROR, {(const uint8_t *)refusal, sizeof refusal - 1}};
    completion.complete(completion.context, &result);
    return;
  }
  char answer[8192];
  int size = snprintf(
      answer, sizeof answer,
      "{" MEMBERS "\"text\": %s, \"model\": \"%s\", \"finish_reason\": \"stop\","
      "\"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 2}}",
      calls++ == 0 ? FIRST : SECOND,
      says(call->input, "\"schema\":") ? "schema" : says(call->input, "JSON Schema") ? "words" : "nothing");
  sous_result result = {sizeof result, SOUS_STATUS_OK, {(const uint8_t *)answer, (size_t)size}};
  completion.complete(completion.context, &result);
}

static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

static const sous_plugin plugin = {
    SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin), describe, create, destroy, start, cancel,
};

const sous_plugin *sous_plugin_entry_v1(void) { return &plugin; }
