/*
 * sous_plugin.h: the Sous plugin ABI, version 1.
 *
 * A plugin is a shared library `lib<id>.so` that exports one function, `sous_plugin_entry_v1`. Everything that crosses
 * the boundary is a C struct, a function pointer, or a (pointer, length) pair; structured values are UTF-8 JSON.
 *
 * Rules that hold everywhere:
 *  - Ownership: whoever allocates frees. Every `sous_bytes` that is handed over is borrowed for the duration of that
 *    call; the receiver copies what it wants to keep.
 *  - Structs that cross by pointer start with their size in bytes (`sous_plugin` after magic and version) and only ever
 *    grow at the end. Read a field only if `size` covers it. Structs that cross by value, `sous_bytes` and
 *    `sous_completion`, have no size and never change.
 *  - Threads: the host may call `start` and `cancel` of one instance from several threads at once. Host functions may
 *    be called from any thread.
 *  - No exception, longjmp or signal may leave a plugin function. SIGPIPE is ignored by the host.
 *  - A library is opened once and never unloaded.
 */
#ifndef SOUS_PLUGIN_H
#define SOUS_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "SOUS" in ASCII, first field of sous_plugin. */
#define SOUS_PLUGIN_MAGIC 0x534f5553u
/* The version of this ABI; a host refuses every other one. */
#define SOUS_ABI_VERSION 1u
/* Name of the exported entry function. */
#define SOUS_PLUGIN_ENTRY "sous_plugin_entry_v1"

/* A borrowed run of bytes. `data` may be NULL only where `size` is 0. Text is UTF-8 without a terminating NUL. */
typedef struct sous_bytes {
  const uint8_t *data;
  size_t size;
} sous_bytes;

/* ---- What the host offers ------------------------------------------------------------------------------------ */

/*
 * The host as one plugin instance sees it. Lives at least as long as the instance it was given to.
 */
typedef struct sous_host {
  size_t size;
  /* Opaque to the plugin; handed back to `get`. */
  void *context;
  /*
   * Looks a capability up by name and version, `"sous.log/1"` for instance (NUL-terminated).
   * Returns a pointer to that capability's struct, valid as long as the host struct, or NULL when this host does not
   * offer it: a plugin must be able to go on, or to fail with kind `unsupported`. Any thread.
   */
  const void *(*get)(const struct sous_host *host, const char *capability);
} sous_host;

#define SOUS_LOG_V1 "sous.log/1"
enum { SOUS_LOG_DEBUG = 0, SOUS_LOG_INFO = 1, SOUS_LOG_WARNING = 2, SOUS_LOG_ERROR = 3 };
/* Lines for the run log. Never write secrets or message bodies. */
typedef struct sous_log_v1 {
  size_t size;
  void *context;
  /* `call` is sous_call.id, or 0 for a line that belongs to no call. `message` is borrowed. Any thread. */
  void (*write)(void *context, uint64_t call, int32_t level, sous_bytes message);
} sous_log_v1;

#define SOUS_PROGRESS_V1 "sous.progress/1"
/* How far a call has come; shown to people, never stored as a result. */
typedef struct sous_progress_v1 {
  size_t size;
  void *context;
  /* `total` is 0 when unknown. `label` may be empty, is borrowed. Any thread, any rate: the host thins it out. */
  void (*report)(void *context, uint64_t call, uint64_t done, uint64_t total, sous_bytes label);
} sous_progress_v1;

#define SOUS_DELTA_V1 "sous.delta/1"
/* Pieces of an answer while it is being made, for actions whose contract streams. */
typedef struct sous_delta_v1 {
  size_t size;
  void *context;
  /* `delta` is one JSON object in the shape the contract names, borrowed. Any thread, in order for one call. */
  void (*emit)(void *context, uint64_t call, sous_bytes delta);
} sous_delta_v1;

#define SOUS_CLOCK_V1 "sous.clock/1"
/* The host's time, which tests and simulations set. Use it instead of the system's. */
typedef struct sous_clock_v1 {
  size_t size;
  void *context;
  /* Milliseconds since 1970-01-01T00:00:00Z, without leap seconds. Any thread. */
  int64_t (*now)(void *context);
  /* Nanoseconds from an arbitrary start, never going backwards. Any thread. */
  uint64_t (*monotonic)(void *context);
} sous_clock_v1;

/* ---- A call and its answer ------------------------------------------------------------------------------------ */

enum {
  /* Carry the action out. */
  SOUS_OPERATION_RUN = 0,
  /*
   * Find out whether an earlier attempt with the same `key`, whose answer was lost, took effect. Answer with
   * `{"verdict": "done", "output": {…}}`, `{"verdict": "not_done"}` or `{"verdict": "unknown"}`.
   */
  SOUS_OPERATION_VERIFY = 1
};

/* One call of an action. The struct and all it points to are borrowed until `start` returns: copy what is needed. */
typedef struct sous_call {
  size_t size;
  /* Names this call towards the host; unique in the process, never 0. */
  uint64_t id;
  /* SOUS_OPERATION_… */
  uint32_t operation;
  /* 1 for the first attempt of a step. */
  uint32_t attempt;
  /* The action as the manifest spells it, for instance "mail.search". */
  sous_bytes action;
  /* A JSON object that satisfies the action's input schema. */
  sous_bytes input;
  /* Idempotency key: the same for every attempt of one step, different for every other step. */
  sous_bytes key;
  /* Milliseconds left for this call, counted from `start`; 0 means no deadline. The host cancels when it passes. */
  uint64_t timeout_ms;
} sous_call;

enum {
  /* `payload` is the output: a JSON object that satisfies the action's output schema. */
  SOUS_STATUS_OK = 0,
  /*
   * `payload` is a JSON object `{"kind": "…", "message": "…"}`, with "retry_after" (seconds) and "advice" (what the
   * user should do) as needed; "message_de" and "advice_de" hold German translations. Kinds that may pass by themselves: dns timeout refused unreachable io rate_limited
   * server crashed. Kinds that will not: auth quota protocol parse invalid_input not_found unsupported cancelled.
   */
  SOUS_STATUS_ERROR = 1
};

/* The answer to a call. Borrowed for the duration of `complete`. */
typedef struct sous_result {
  size_t size;
  /* SOUS_STATUS_… */
  uint32_t status;
  sous_bytes payload;
} sous_result;

/*
 * Where an answer goes. Crosses by value, so it never grows. `complete` must be called exactly once for every
 * completion handed out.
 */
typedef struct sous_completion {
  /* Opaque to the plugin and no address: only good for handing back to `complete`. */
  void *context;
  /*
   * Any thread, also before `start` has returned. A second call is ignored by the host and reported as a defect; so is
   * one that comes after the host stopped waiting.
   */
  void (*complete)(void *context, const sous_result *result);
} sous_completion;

/* ---- What the plugin offers ----------------------------------------------------------------------------------- */

/* One configured provider; opaque to the host. */
typedef struct sous_instance sous_instance;

/* The plugin's functions. Returned by the entry function, constant, valid for the life of the process. */
typedef struct sous_plugin {
  /* SOUS_PLUGIN_MAGIC */
  uint32_t magic;
  /* SOUS_ABI_VERSION the plugin was compiled against. */
  uint32_t abi_version;
  /* sizeof(sous_plugin) the plugin was compiled against. */
  size_t size;
  /*
   * Returns the manifest as JSON, static memory. No side effects: no files, no network, no threads. Any thread.
   *
   *   {
   *     "id": "maildir",                      the <id> of the file name lib<id>.so: [a-z0-9][a-z0-9_-]*
   *     "version": "1.2.0",
   *     "summary": "…",                       one sentence; "summary_de" beside it as wanted
   *     "contracts": ["mail.store/1"],        the published contracts it carries out
   *     "actions": [{
   *       "name": "mail.search",              CONTRACT.ACTION, or <id>.ACTION for what only this plugin has
   *       "summary": "…",
   *       "effect": "read",                   pure, read, idempotent or once
   *       "costly": false,                    a result worth money or much time is kept at once
   *       "verifies": false,                  whether it answers SOUS_OPERATION_VERIFY
   *       "input": {…}, "output": {…}         JSON Schema 2020-12; absent where the contract defines them
   *     }],
   *     "config": {…},                        JSON Schema of what stands beside `plugin:` in sous.yaml
   *     "hosts": ["api.example.com"],         hosts it wants to reach through the host
   *     "secrets": ["api_key"]                configuration keys whose values are secrets
   *   }
   *
   * Keys a host does not know are ignored.
   */
  sous_bytes (*describe)(void);
  /*
   * Makes an instance for one configured provider.
   *  provider  the provider's name in sous.yaml, borrowed
   *  config    a JSON object that satisfies the manifest's config schema, borrowed
   * Returns the instance, or NULL after calling `failure.complete` once with a SOUS_STATUS_ERROR result. On success
   * `failure` is not called. Calls are serialised. Must not block on the network.
   */
  sous_instance *(*create)(const sous_host *host, sous_bytes provider, sous_bytes config, sous_completion failure);
  /* Ends an instance. Called once, when no call of it is unfinished. */
  void (*destroy)(sous_instance *instance);
  /*
   * Starts a call and returns soon: work that takes longer than a few milliseconds belongs on a thread of the plugin's.
   * `completion` is called exactly once, whatever happens, also after a cancel. Any thread.
   */
  void (*start)(sous_instance *instance, const sous_call *call, sous_completion completion);
  /*
   * Asks that call `id` end soon, with its result or with kind `cancelled`. Idempotent; an unknown or finished id is
   * ignored. Any thread.
   */
  void (*cancel)(sous_instance *instance, uint64_t id);
} sous_plugin;

/* The one exported function: `const sous_plugin *sous_plugin_entry_v1(void)`. NULL means that the plugin refuses. */
typedef const sous_plugin *(*sous_plugin_entry)(void);

#ifdef __cplusplus
}
#endif

#endif
