import Engine
import Expressions

/// The objects about runs that the API answers; the fields are those of `--json`.
enum RunSchemas {
  private typealias S = APISchema

  static let statuses = RunStatus.allCases.map(\.rawValue)
  private static let stepStatuses = ["pending", "running", "succeeded", "failed", "skipped", "cancelled"]
  private static let milliseconds = S.orNull(S.number)

  static let all: [(String, Value)] = [
    ("Failure", failure), ("Run", S.object(summary)), ("RunDetail", S.object(detail)), ("Step", step),
    ("Attempt", attempt), ("Wait", wait), ("LogLine", logLine), ("Doubt", doubt), ("RunEvent", event),
  ]

  private static let failure: Value = [
    "type": "object",
    "properties": .object([
      ("kind", S.text), ("transient", S.flag), ("message", S.text), ("message_de", S.text),
      ("advice", S.orNull(S.text)),
      ("advice_de", S.orNull(S.text)), ("retry_after_ms", milliseconds), ("output", S.anything),
    ]),
    "required": ["kind", "transient", "message"],
  ]

  private static let orFailure = S.orNull(S.named("Failure"))

  private static let summary: [(String, Value)] = [
    ("id", S.text), ("recipe", S.text), ("path", S.text), ("fingerprint", S.text), ("trigger", S.text),
    ("status", S.words(statuses)), ("process_gone", S.flag), ("started_at", S.time), ("ended_at", S.orNull(S.time)),
    ("duration_ms", milliseconds), ("step_count", S.count), ("steps_succeeded", S.count), ("steps_failed", S.count),
    ("steps_skipped", S.count), ("attempt_count", S.count), ("retry_count", S.count), ("failure", orFailure),
    ("parent", S.orNull(S.text)), ("origin", S.orNull(S.text)), ("due_at", S.orNull(S.time)), ("priority", S.integer),
    ("group", S.orNull(S.text)), ("behind", S.orNull(S.text)), ("cancel_requested", S.flag),
    ("started_by", S.orNull(S.text)),
  ]

  private static let detail: [(String, Value)] =
    summary + [
      ("inputs", S.anything), ("outputs", S.anything),
      ("owner", S.object([("host", S.orNull(S.text)), ("pid", S.orNull(S.integer))])),
      ("waits", S.list(S.named("Wait"))),
      (
        "children",
        S.list(
          S.object([
            ("id", S.text), ("recipe", S.text), ("status", S.words(statuses)), ("step", S.orNull(S.text)),
            ("item", S.orNull(S.integer)), ("steps", S.map),
          ]))
      ),
      ("calls", S.list(S.map)), ("steps", S.list(S.named("Step"))),
    ]

  private static let step = S.object([
    ("id", S.text), ("position", S.count), ("phase", S.words(["main", "undo", "on_failure", "finally"])),
    ("undo_of", S.orNull(S.text)), ("action", S.text), ("effect", S.text), ("status", S.words(stepStatuses)),
    ("providers", S.list(S.text)), ("started_at", S.orNull(S.time)), ("ended_at", S.orNull(S.time)),
    ("duration_ms", milliseconds), ("item_count", S.orNull(S.count)), ("items_succeeded", S.orNull(S.count)),
    ("items_failed", S.orNull(S.count)), ("failure", orFailure), ("carried_from", S.orNull(S.text)),
    ("attempt_count", S.count), ("attempts", S.list(S.named("Attempt"))), ("output", S.anything),
    ("items", S.orNull(S.list(S.object([("item", S.orNull(S.integer)), ("output", S.anything)])))),
  ])

  private static let attempt: Value = [
    "type": "object",
    "properties": .object([
      ("number", S.count), ("item", S.orNull(S.integer)), ("kind", S.text), ("provider", S.text), ("key", S.text),
      ("status", S.words(["running", "succeeded", "failed"])), ("started_at", S.time), ("ended_at", S.orNull(S.time)),
      ("duration_ms", milliseconds), ("input_bytes", S.count), ("output_bytes", S.orNull(S.count)),
      ("failure", orFailure), ("retry_delay_ms", milliseconds), ("uncertain", S.flag), ("log", S.list(S.text)),
    ]),
    "required": ["number", "kind", "provider", "status", "started_at"],
  ]

  private static let wait = S.object([
    ("run", S.text), ("recipe", S.text), ("step", S.text), ("item", S.orNull(S.integer)),
    ("kind", S.words(["time", "event", "approval", "retry", "recipe"])), ("event", S.orNull(S.text)),
    ("key", S.orNull(S.text)), ("message", S.orNull(S.text)), ("form", S.anything), ("since", S.orNull(S.time)),
    ("until", S.orNull(S.time)), ("answered", S.flag),
  ])

  private static let logLine = S.object([
    ("id", S.count), ("at", S.time), ("level", S.words(["debug", "info", "warning", "error"])), ("run", S.text),
    ("recipe", S.text), ("within", S.list(S.object([("step", S.text), ("item", S.orNull(S.integer))]))),
    ("step", S.orNull(S.text)), ("item", S.orNull(S.integer)), ("attempt", S.orNull(S.integer)), ("message", S.text),
  ])

  private static let doubt = S.object([
    ("run", S.text), ("step", S.text), ("item", S.orNull(S.integer)), ("attempt", S.count), ("action", S.text),
  ])

  /// The data of events of a run; `event` says which of them.
  static let event: Value = [
    "type": "object",
    "description":
      "run: a Run. step: a Step without outputs. attempt: an Attempt with its step. log: a LogLine. progress: how far a step is. delta: a piece of an answer that is being made; it has no id and is not repeated. end: the final status; the stream ends.",
  ]
}
