/*
 * The smallest plugin: answers its input before `start` returns. The build of the benchmarks and of the tests compile it,
 * the tests also against the first released header:
 *
 *   cc -shared -fPIC -I plugins/PluginKit/Sources/CPluginABI/include -o libecho.so Tests/Fixtures/plugins/echo.c
 */
#ifndef HEADER
#define HEADER "sous_plugin.h"
#endif
#include HEADER

/* Its id; the benchmarks install many of them. */
#ifndef ID
#define ID "echo"
#endif

#include <string.h>

/* What a hostile library does when it is opened. */
#ifdef MARK
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void leave_mark(void) {
  int file = open(MARK, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}
#endif

/* What the table of a later header may have behind that of this one. */
typedef struct table {
  sous_plugin plugin;
#ifdef LARGER_TABLE
  void *later[4];
#endif
} table;

static sous_bytes describe(void) {
  static const char manifest[] =
      "{\"id\": \"" ID "\", \"version\": \"1.0.0\", \"summary\": \"Answers its input\", \"actions\": [{"
      "\"name\": \"echo.echo\", \"summary\": \"Answers its input\", \"effect\": \"pure\"}]}";
  return (sous_bytes){(const uint8_t *)manifest, sizeof manifest - 1};
}

static char the_instance;

static sous_instance *create(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure) {
  (void)provider, (void)config, (void)failure;
  /* What every header has had. */
  const sous_log_v1 *log = host->get(host, SOUS_LOG_V1);
  if (!log || log->size < sizeof *log) return NULL;
  return (sous_instance *)&the_instance;
}

static void destroy(sous_instance *instance) { (void)instance; }

static void start(sous_instance *instance, const sous_call *call, sous_completion completion) {
  (void)instance;
  static const char name[] = "echo.echo";
  static const char refusal[] = "{\"kind\": \"unsupported\", \"message\": \"No such action\"}";
  sous_result result = {sizeof result, SOUS_STATUS_OK, call->input};
  if (call->action.size != sizeof name - 1 || memcmp(call->action.data, name, sizeof name - 1) != 0) {
    result.status = SOUS_STATUS_ERROR;
    result.payload = (sous_bytes){(const uint8_t *)refusal, sizeof refusal - 1};
  }
  completion.complete(completion.context, &result);
}

static void cancel(sous_instance *instance, uint64_t id) { (void)instance, (void)id; }

static const table plugin = {
    .plugin = {SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(table), describe, create, destroy, start, cancel},
};

const sous_plugin *sous_plugin_entry_v1(void) { return &plugin.plugin; }
