/* Loads the plugin as Sous does, and calls it. */
#include "sous_plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, answers;

static sous_bytes bytes(const char *text) { return (sous_bytes){(const uint8_t *)text, strlen(text)}; }

static const void *get(const sous_host *host, const char *capability) { return (void)host, (void)capability, NULL; }

struct expectation {
  const char *what;
  uint32_t status;
  const char *payload;
};

static void complete(void *context, const sous_result *result) {
  const struct expectation *expected = context;
  answers++;
  size_t size = strlen(expected->payload);
  if (result->status != expected->status || result->payload.size < size
      || memcmp(result->payload.data, expected->payload, size) != 0) {
    printf("FAILED %s: %.*s\n", expected->what, (int)result->payload.size, (const char *)result->payload.data);
    failures++;
  } else {
    printf("ok     %s\n", expected->what);
  }
}

int main(int count, char **arguments) {
  void *library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  sous_plugin_entry entry = library ? (sous_plugin_entry)dlsym(library, SOUS_PLUGIN_ENTRY) : NULL;
  if (!entry) return fprintf(stderr, "usage: %s LIBRARY (%s)\n", arguments[0], count == 2 ? dlerror() : ""), 2;
  const sous_plugin *plugin = entry();
  sous_host host = {sizeof host, NULL, get};
  struct expectation none = {"create fails", 0, ""};
  sous_instance *instance = plugin->create(
      &host, bytes("test"), bytes("{}"), (sous_completion){&none, complete});
  struct {
    const char *action, *input;
    struct expectation expected;
  } cases[] = {
      {"textstats.count", "{\"text\": \"Gr\\u00fcezi  mitenand\\nSous \\ud83d\\ude00 z\xc3\xa4hlt\"}",
       {"counts", SOUS_STATUS_OK, "{\"lines\": 2, \"words\": 5, \"characters\": 29, \"longest\": \"mitenand\"}"}},
      {"textstats.count", "{\"text\": \"\"}",
       {"counts nothing", SOUS_STATUS_OK, "{\"lines\": 0, \"words\": 0, \"characters\": 0, \"longest\": \"\"}"}},
      {"textstats.count", " { \"x\" : [1, {\"text\": null}], \"text\" : \"a\\\"b\\u0001\\n\" } ",
       {"escapes", SOUS_STATUS_OK, "{\"lines\": 1, \"words\": 1, \"characters\": 5, \"longest\": \"a\\\"b\\u0001\"}"}},
      {"textstats.count", "{\"text\": 1}", {"wants a text", SOUS_STATUS_ERROR, "{\"kind\": \"invalid_input\""}},
      {"textstats.count", "{\"text\": \"x\"", {"wants JSON", SOUS_STATUS_ERROR, "{\"kind\": \"invalid_input\""}},
      {"textstats.none", "{}", {"knows its actions", SOUS_STATUS_ERROR, "{\"kind\": \"unsupported\""}},
  };
  size_t total = sizeof cases / sizeof *cases;
  for (size_t index = 0; index < total; index++) {
    sous_call call = {sizeof call, index + 1, SOUS_OPERATION_RUN, 1, bytes(cases[index].action),
                      bytes(cases[index].input), bytes("key"), 0};
    plugin->start(instance, &call, (sous_completion){&cases[index].expected, complete});
  }
  plugin->destroy(instance);
  if (answers != (int)total) failures++, printf("FAILED: %d answers instead of %zu\n", answers, total);
  return failures != 0;
}
