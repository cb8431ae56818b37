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
 *    grow at the end. Read a field only if `size` covers it. Structs that cross by value or in arrays,
 *    `sous_bytes`, `sous_completion`, `sous_header` and `sous_state_change`, have no size and never change.
 *  - Threads: the host may call `start` and `cancel` of one instance from several threads at once. Host functions may
 *    be called from any thread, also from inside a callback of the host's.
 *  - Callbacks of the host (of `sous_http_handler`, `sous_stream_handler`) come one at a time for one request or
 *    stream, from any thread, and must return soon: they hold up that request or stream, nothing else.
 *  - A plugin opens no sockets of its own and starts no programs: it asks the host, which knows what is allowed.
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
  SOUS_OPERATION_VERIFY = 1,
  /* `action` is the name of a trigger: emit its events through "sous.event/1" until cancelled. */
  SOUS_OPERATION_SUBSCRIBE = 2
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
   * user should do) as needed; "message_de" and "advice_de" hold German translations; "usage" holds the tokens of an
   * answer that cannot be taken and is paid for, as in outputs of the contract chat. Kinds that may pass by
   * themselves: dns timeout refused unreachable io rate_limited server crashed, and unsuitable: an answer came that is not
   * what was asked for, but the next one may be. Kinds that will not: auth quota protocol parse invalid_input not_found
   * unsupported cancelled. A kind that the host does not know counts as one that will not pass.
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

/* ---- Network -------------------------------------------------------------------------------------------------- */

/*
 * Where a plugin may go: the hosts of its manifest, and those its configuration names (see "hosts" in the manifest).
 * Everything else ends with kind `auth` before a connection is made, on redirects too. What goes wrong on the way is
 * reported as the `failure` of `end`: kinds dns, timeout, refused, unreachable, io, auth (not allowed, or a certificate
 * that cannot be trusted), invalid_input (a URL or host that is none), protocol, cancelled. The host never repeats
 * anything by itself.
 */

/* One header field: name and value as on the wire. */
typedef struct sous_header {
  sous_bytes name;
  sous_bytes value;
} sous_header;

#define SOUS_HTTP_V1 "sous.http/1"
enum {
  /* The body (or more of it after `body`) comes through `write`, and ends with `finish`. */
  SOUS_HTTP_STREAM_BODY = 1,
  /* A redirect is answered like any other response instead of being followed (at most 5 times, GET and HEAD only). */
  SOUS_HTTP_KEEP_REDIRECTS = 2,
  /* The host hands over at most `window` bytes of the response that `consumed` has not been called for. */
  SOUS_HTTP_FLOW_CONTROL = 4
};

/* A request. The struct and all it points to are borrowed until `start` returns. */
typedef struct sous_http_request {
  size_t size;
  /* The call (sous_call.id) it belongs to: it is cancelled with it. 0 where it belongs to the instance. */
  uint64_t call;
  /* "GET", "POST" … */
  sous_bytes method;
  /* http or https, absolute. Names no user and no password. */
  sous_bytes url;
  const sous_header *headers;
  size_t header_count;
  /* May be empty. The host sets Content-Length or chunked transfer, Host, and Accept-Encoding (it decompresses). */
  sous_bytes body;
  /* SOUS_HTTP_… added up */
  uint32_t flags;
  /* Milliseconds until the connection stands, and of silence before it is given up; 0: 10 s and 300 s. */
  uint64_t connect_timeout_ms;
  uint64_t idle_timeout_ms;
  /* The largest response body in bytes; 0: 64 MiB. A larger one ends with kind `protocol`. */
  uint64_t response_limit;
  /* With SOUS_HTTP_FLOW_CONTROL; 0: 1 MiB. */
  uint64_t window;
} sous_http_request;

/* What the host calls for one request: `head` once, `data` any number of times, `end` once and last. */
typedef struct sous_http_handler {
  size_t size;
  /* The plugin's, handed back; must live until `end` has returned. */
  void *context;
  /* The status line and header fields, borrowed. Not called where the request fails before. */
  void (*head)(void *context, uint32_t status, const sous_header *headers, size_t header_count);
  /* A piece of the decompressed body, borrowed, never empty. */
  void (*data)(void *context, sous_bytes piece);
  /*
   * `failure` is NULL when the response is complete; otherwise a SOUS_STATUS_ERROR result, borrowed, whose payload a
   * plugin may pass on as its own. Called exactly once for every `start`, also after `cancel`, maybe before `start`
   * returned.
   */
  void (*end)(void *context, const sous_result *failure);
} sous_http_handler;

typedef struct sous_http_v1 {
  size_t size;
  void *context;
  /* Starts a request and returns a number for it, never 0. Both arguments are borrowed for the call. Never blocks. */
  uint64_t (*start)(void *context, const sous_http_request *request, const sous_http_handler *handler);
  /* More of the body, copied. Ignored after `finish` or the end. Never blocks. */
  void (*write)(void *context, uint64_t request, sous_bytes piece);
  /* The body is complete. */
  void (*finish)(void *context, uint64_t request);
  /* With SOUS_HTTP_FLOW_CONTROL: so many further bytes may come. */
  void (*consumed)(void *context, uint64_t request, uint64_t bytes);
  /* Ends a request soon, with `end`. Idempotent; an unknown number is ignored. */
  void (*cancel)(void *context, uint64_t request);
} sous_http_v1;

#define SOUS_STREAM_V1 "sous.stream/1"
enum {
  /* Plain TCP; `start_tls` may follow. */
  SOUS_TLS_NONE = 0,
  /* TLS from the first byte. TLS 1.2 or later, certificate and host name verified. */
  SOUS_TLS_IMPLICIT = 1
};

/* A connection to make. The struct and all it points to are borrowed until `open` returns. */
typedef struct sous_stream_request {
  size_t size;
  /* The call it belongs to: it is closed with it. 0 where it belongs to the instance and outlives calls. */
  uint64_t call;
  /* A host name, or an IPv4 or IPv6 address without brackets. */
  sous_bytes host;
  /* 1 to 65535 */
  uint32_t port;
  /* SOUS_TLS_… */
  uint32_t tls;
  /* Milliseconds until connection and TLS stand, and of silence before it is given up; 0: 10 s, and no limit. */
  uint64_t connect_timeout_ms;
  uint64_t idle_timeout_ms;
  /* The host hands over at most so many bytes that `consumed` has not been called for; 0: 1 MiB. */
  uint64_t window;
} sous_stream_request;

/* What the host calls for one stream: `opened` once, then `data`, `secured`, `sent`, and `end` once and last. */
typedef struct sous_stream_handler {
  size_t size;
  /* The plugin's, handed back; must live until `end` has returned. */
  void *context;
  /* The connection stands (with SOUS_TLS_IMPLICIT: and is secured). */
  void (*opened)(void *context);
  /* Bytes that arrived, borrowed, never empty. */
  void (*data)(void *context, sous_bytes piece);
  /* `start_tls` is done: what follows is encrypted. Bytes that came in plain text behind it end the stream. */
  void (*secured)(void *context);
  /* So many bytes altogether have been handed to the system. For those that send much; may be NULL. */
  void (*sent)(void *context, uint64_t total);
  /* `failure` is NULL when the other side or `close` ended it in good order. Exactly once for every `open`. */
  void (*end)(void *context, const sous_result *failure);
} sous_stream_handler;

typedef struct sous_stream_v1 {
  size_t size;
  void *context;
  /* Opens a connection and returns a number for it, never 0. Both arguments are borrowed. Never blocks. */
  uint64_t (*open)(void *context, const sous_stream_request *request, const sous_stream_handler *handler);
  /* Sends bytes, copied, in order. Ignored after the end. Never blocks. */
  void (*write)(void *context, uint64_t stream, sous_bytes piece);
  /* Begins TLS as a client on a plain stream, after what was written before; then `secured`, or a failed `end`. */
  void (*start_tls)(void *context, uint64_t stream);
  /* So many further bytes may come. */
  void (*consumed)(void *context, uint64_t stream, uint64_t bytes);
  /* Closes after what was written has been sent. Idempotent; an unknown number is ignored. */
  void (*close)(void *context, uint64_t stream);
} sous_stream_v1;

/* ---- Secrets, state, blobs ------------------------------------------------------------------------------------ */

/* Answers of the functions below. */
enum {
  SOUS_OK = 0,
  /* There is nothing of that name. */
  SOUS_ABSENT = 1,
  /* This provider may not have it. */
  SOUS_REFUSED = 2,
  /* Something has changed since it was read: read again. Nothing was changed. */
  SOUS_CONFLICT = 3,
  /* It is too large, or too many. Nothing was changed. */
  SOUS_TOO_LARGE = 4,
  /* The host could not do it; its log says why. Nothing was changed. */
  SOUS_FAILED = 5
};

#define SOUS_SECRET_V1 "sous.secret/1"
/*
 * The secrets of this provider's own configuration, as they are now: one that was rotated since `create` is new.
 * The values that `create` got are the same secrets; ask again after an authentication has failed.
 */
typedef struct sous_secret_v1 {
  size_t size;
  void *context;
  /*
   * `name` is the configuration key, "api_key" or "accounts.0.password". `receive` is called once, before `read`
   * returns, with a value that is borrowed for that call. Returns SOUS_OK, SOUS_ABSENT, SOUS_REFUSED (not among
   * "secrets" of the manifest) or SOUS_FAILED. May block for seconds: not inside `start` or a callback.
   */
  uint32_t (*read)(void *context, sous_bytes name, void (*receive)(void *receiver, sous_bytes value), void *receiver);
} sous_secret_v1;

#define SOUS_STATE_V1 "sous.state/1"
enum {
  /* The key goes; `value` is ignored. */
  SOUS_STATE_REMOVE = 1,
  /* Only if the key's version is still `version` (0: it is absent); otherwise nothing of the commit happens. */
  SOUS_STATE_IF_VERSION = 2
};
/* One change of a commit. */
typedef struct sous_state_change {
  /* UTF-8, 1 to 512 bytes */
  sous_bytes key;
  /* At most 1 MiB of any bytes */
  sous_bytes value;
  /* SOUS_STATE_… added up */
  uint32_t flags;
  uint64_t version;
} sous_state_change;

/* Keys and values that last, one space for each configured provider: cursors, caches, tokens. No secrets in clear. */
typedef struct sous_state_v1 {
  size_t size;
  void *context;
  /* Calls `receive` once with value and version (never 0), borrowed. SOUS_OK, SOUS_ABSENT or SOUS_FAILED. May block. */
  uint32_t (*read)(void *context, sous_bytes key,
                   void (*receive)(void *receiver, sous_bytes value, uint64_t version), void *receiver);
  /* Calls `receive` for every key that begins with `prefix`, in byte order. SOUS_OK or SOUS_FAILED. May block. */
  uint32_t (*list)(void *context, sous_bytes prefix, void (*receive)(void *receiver, sous_bytes key), void *receiver);
  /*
   * Makes all changes or none. On disk when it returns SOUS_OK; otherwise SOUS_CONFLICT, SOUS_TOO_LARGE (a value, or
   * 64 MiB of one provider) or SOUS_FAILED. May block.
   */
  uint32_t (*commit)(void *context, const sous_state_change *changes, size_t count);
} sous_state_v1;

#define SOUS_BLOB_V1 "sous.blob/1"
/*
 * Large values beside the JSON of a call: attachments, audio. In JSON a blob is the string
 * "blob:sha256:<64 hex digits>".
 * A plugin reads those that its input names and those it made itself.
 */
typedef struct sous_blob_v1 {
  size_t size;
  void *context;
  /* Begins a blob; returns a number for it, 0 where that fails. Unless finished it goes with `call`. */
  uint64_t (*create)(void *context, uint64_t call);
  /* Adds bytes, copied. SOUS_OK, SOUS_TOO_LARGE (1 GiB) or SOUS_FAILED. May block. */
  uint32_t (*write)(void *context, uint64_t blob, sous_bytes piece);
  /* Completes it; `receive` gets its name, borrowed. May block. */
  uint32_t (*finish)(void *context, uint64_t blob, void (*receive)(void *receiver, sous_bytes name), void *receiver);
  /* Drops an unfinished blob. An unknown number is ignored. */
  void (*discard)(void *context, uint64_t blob);
  /*
   * Reads up to `length` bytes from `offset` in one or more pieces, each borrowed. At the end fewer come, or none.
   * SOUS_OK, SOUS_ABSENT, SOUS_REFUSED (not named in the input of `call`, nor made here) or SOUS_FAILED. May block.
   */
  uint32_t (*read)(void *context, uint64_t call, sous_bytes name, uint64_t offset, uint64_t length,
                   void (*receive)(void *receiver, sous_bytes piece), void *receiver);
} sous_blob_v1;

/* ---- Triggers ------------------------------------------------------------------------------------------------- */

#define SOUS_EVENT_V1 "sous.event/1"
/*
 * Events of a subscription: a call with SOUS_OPERATION_SUBSCRIBE, which goes on until it is cancelled or fails. Its
 * input is `{"settings": {…}, "cursor": "…"}`; `cursor` is what the last event that the host has accepted said, absent
 * the first time. A subscription that ends with a failure is started again by the host, later and later.
 */
typedef struct sous_event_v1 {
  size_t size;
  void *context;
  /*
   * Hands over one event and waits until it and its cursor are on disk, in one transaction: what was accepted is not
   * wanted again. `id` names the event towards this trigger; one with an id that was accepted before is dropped and
   * SOUS_OK. `event` is a JSON object of the trigger's event schema, `cursor` any text up to 64 KiB. All borrowed.
   * Empty `id`, `event` and `cursor` announce that the trigger watches: it has made its first look, and what happens
   * from now on becomes an event, also after a restart. A trigger with "announces_watching" in the manifest announces
   * that each time it begins to watch; before that, the daemon does not report that it is ready.
   * Returns SOUS_OK, SOUS_TOO_LARGE, SOUS_FAILED, or SOUS_REFUSED once the subscription is to end. Blocks: not inside
   * `start` or a callback.
   */
  uint32_t (*emit)(void *context, uint64_t call, sous_bytes id, sous_bytes event, sous_bytes cursor);
} sous_event_v1;

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
   *     "contracts": ["mail.store/2"],        the published contracts it carries out
   *     "actions": [{
   *       "name": "mail.search",              CONTRACT.ACTION, or <id>.ACTION for what only this plugin has
   *       "summary": "…",                     "summary_de" beside it as wanted
   *       "effect": "read",                   pure, read, idempotent or once
   *       "costly": false,                    a result worth money or much time is kept at once
   *       "verifies": false,                  whether it answers SOUS_OPERATION_VERIFY
   *       "tasks": ["summarise"],             of chat.complete: the only values of the input's "task" that it carries out;
   *                                           absent where it takes every prompt, as a language model does
   *       "native": ["schema"],               of chat.complete: parts of the input that the service has a form of its own
   *                                           for; a "schema" comes only to those that name it, others are told in
   *                                           "system" what is wanted. The host checks every answer
   *       "input": {…}, "output": {…}         JSON Schema 2020-12; absent where the contract defines them
   *     }],
   *     "triggers": [{
   *       "name": "mail.new", "summary": "…",
   *       "announces_watching": false,        whether it announces that it watches; see sous_event_v1
   *       "settings": {…}, "event": {…}       JSON Schema; absent where the contract defines them
   *     }],
   *     "config": {…},                        JSON Schema of what stands beside `plugin:` in sous.yaml
   *     "hosts": ["api.example.com",          hosts it wants to reach through the host, "*.example.com" for all below,
   *               "{base_url}"],              or in braces a configuration key that holds a host or URL
   *     "secrets": ["api_key"],               configuration keys whose values are secrets
   *     "files": [{                           the user's files that it uses in a worker process, and no others:
   *       "path": "{folder}",                 in braces a configuration key that holds the path of a file or folder
   *       "access": "read-write",             or "read"
   *       "create": "{make}"                  optional: a key that is true if a missing folder is to be made first
   *     }]                                    absent: "path" and keys of "format": "path", for reading and writing
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
   * Starts a call and returns soon: work that takes longer than a few milliseconds, and every function of the host that
   * may block, belongs on a thread of the plugin's. An answer that is there at once may be given before it returns.
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
