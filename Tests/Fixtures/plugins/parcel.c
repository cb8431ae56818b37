/*
 * A plugin that is installed and updated by tests. VERSION is its version, MEMBERS further members of its manifest, each with a
 * comma behind it. It has one action.
 */
#include "sous_plugin.h"

#include <string.h>

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"parcel\", \"version\": \"" VERSION "\", \"summary\": \"Answers\", " MEMBERS " \"actions\": [{"
      "\"name\": \"parcel.version\", \"summary\": \"Answers its version\", \"effect\": \"pure\","
      "\"input\": {\"type\": \"object\", \"additionalProperties\": false}, \"output\": {\"type\": \"object\","
      "\"required\": [\"version\"], \"properties\": {\"version\": {\"type\": \"string\"}}}}]}";
  return (sous_bytes){(const uint8_t *)manifest, sizeof manifest - 1};
}

static char the_instance;

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)host, (void)provider, (void)config, (void)failure;
  return (sous_instance *)&the_instance;
}

static void destroy(sous_instance *instance) { (void)instance; }

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  (void)instance;
  static const char answer[] = "{\"version\": \"" VERSION "\"}";
  static const char refusal[] = "{\"kind\": \"unsupported\", \"message\": \"there is no such action\"}";
  int is_known = call->action.size == strlen("parcel.version")
      && memcmp(call->action.data, "parcel.version", call->action.size) == 0;
#ifdef CARELESS
  is_known = 1;
#endif
  const sous_result result = {
      sizeof result, is_known ? SOUS_STATUS_OK : SOUS_STATUS_ERROR,
      is_known ? (sous_bytes){(const uint8_t *)answer, sizeof answer - 1}
               : (sous_bytes){(const uint8_t *)refusal, sizeof refusal - 1}};
  completion.complete(completion.context, &result);
}

static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

__attribute__((visibility("default"))) const sous_plugin *sous_plugin_entry_v1(void) {
  static const sous_plugin plugin = {SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin), describe, create,
                                     destroy, start, cancel};
  return &plugin;
}
