/*
 * A plugin that answers properly, and loses memory in every call of its second action:
 *
 *   cc -shared -fPIC -I plugins/PluginKit/Sources/CPluginABI/include -o libforgetful.so Tests/Fixtures/plugins/forgetful.c
 */
#include "sous_plugin.h"

#include <stdlib.h>
#include <string.h>

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"forgetful\", \"version\": \"1.0.0\", \"summary\": \"Forgets memory\", \"actions\": ["
      "{\"name\": \"forgetful.keep\", \"summary\": \"Keeps its memory\", \"effect\": \"pure\","
      " \"input\": {\"type\": \"object\"}, \"output\": {\"type\": \"object\"}},"
      "{\"name\": \"forgetful.lose\", \"summary\": \"Loses memory\", \"effect\": \"read\","
      " \"input\": {\"type\": \"object\"}, \"output\": {\"type\": \"object\"}}]}";
  return (sous_bytes){(const uint8_t *)manifest, sizeof manifest - 1};
}

static char the_instance;
/* Not static, so that no compiler takes the loss away. */
void *volatile lost;

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)host, (void)provider, (void)config, (void)failure;
  return (sous_instance *)&the_instance;
}

static void destroy(sous_instance *instance) { (void)instance; }

static int is(sous_bytes action, const char *name) {
  return action.size == strlen(name) && memcmp(action.data, name, action.size) == 0;
}

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  (void)instance;
  static const char refusal[] = "{\"kind\": \"unsupported\", \"message\": \"No such action\"}";
  sous_result result = {sizeof result, SOUS_STATUS_OK, {(const uint8_t *)"{}", 2}};
  if (is(call->action, "forgetful.lose")) {
    lost = malloc(40);
  } else if (!is(call->action, "forgetful.keep")) {
    result.status = SOUS_STATUS_ERROR;
    result.payload = (sous_bytes){(const uint8_t *)refusal, sizeof refusal - 1};
  }
  completion.complete(completion.context, &result);
}

static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

static const sous_plugin plugin = {
    SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof plugin, describe, create, destroy, start, cancel};

const sous_plugin *sous_plugin_entry_v1(void) { return &plugin; }
