import Engine
import Expressions
import PluginBoundary
import PluginStore

/// The objects about providers, plugins and the use of models that the API answers; the fields are those of `--json`.
enum ProviderSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Provider", provider), ("ProviderTest", test), ("Model", model), ("Breaker", breaker), ("Plugin", plugin),
    ("PluginDetail", detail), ("Usage", usage), ("Budget", budget), ("RecipeStatistics", statistics),
  ]

  private static let orText = S.orNull(S.text)
  private static let orNumber = S.orNull(S.number)

  private static let breaker = S.object([
    ("provider", S.text), ("state", S.words(["open", "half_open", "closed"])), ("failures", S.count),
    ("open_until", S.orNull(S.time)), ("last_failure", orText), ("at", S.time),
  ])

  private static let provider = S.object([
    ("name", S.text), ("plugin", orText), ("contracts", S.list(S.text)), ("problem", orText), ("model", orText),
    ("local", S.flag), ("default_for", S.list(S.text)), ("ready", S.flag), ("breaker", S.orNull(S.named("Breaker"))),
  ])

  private static let test = S.object(
    [("provider", S.text), ("ready", S.orNull(S.flag)), ("problem", orText)],
    optional: [("action", S.text), ("code", S.text)])

  private static let model = S.object([("id", S.text)], optional: [("owner", orText)])

  // MARK: - Plugins

  private static let states = S.words(["locked", "changed", "missing", "interrupted", "unlocked"])

  private static let plugin = S.object(
    [
      ("id", S.text), ("path", S.text), ("origin", S.text), ("lock", states), ("source", orText),
      ("status", S.words(["active", "shadowed", "duplicate", "broken"])),
    ],
    optional: [
      ("version", S.text), ("contracts", S.list(S.text)), ("actions", S.list(S.text)), ("other", S.text),
      ("error", S.object([("code", S.text), ("message", S.text)])),
    ])

  private static let file = S.object([("path", S.text), ("access", S.words(["read", "read-write"]))])

  private static let detail = S.object([
    ("id", S.text), ("version", S.text), ("summary", S.text), ("lock", states), ("source", orText),
    ("origin", orText), ("contracts", S.list(S.text)), ("access", S.list(S.text)),
    (
      "permissions",
      S.object([
        ("capabilities", S.list(S.text)), ("effects", S.list(S.text)), ("hosts", S.list(S.text)),
        ("files", S.list(file)), ("secrets", S.list(S.text)),
      ])
    ),
    (
      "isolation",
      S.object([
        ("mode", S.words(["in-process", "process"])), ("filters_system_calls", S.flag), ("landlock", S.integer),
        ("missing_fences", S.list(S.text)),
      ])
    ),
    (
      "actions",
      S.list(
        S.object([
          ("name", S.text), ("summary", S.text), ("effect", S.text), ("costly", S.flag), ("verifies", S.flag),
          ("native", S.list(S.text)), ("tasks", S.orNull(S.list(S.text))), ("input", S.anything),
          ("output", S.anything),
        ]))
    ),
    (
      "triggers",
      S.list(
        S.object([("name", S.text), ("summary", S.text), ("settings", S.anything), ("event", S.anything)]))
    ), ("config", S.anything), ("hosts", S.list(S.text)), ("files", S.orNull(S.list(file))),
    ("secrets", S.list(S.text)),
  ])

  // MARK: - Use

  private static let usage = S.object([
    ("key", S.text), ("calls", S.count), ("answered", S.count), ("failed", S.count), ("unknown", S.count),
    ("open", S.count), ("prompt_tokens", S.count), ("cached_tokens", S.count), ("completion_tokens", S.count),
    ("reasoning_tokens", S.count), ("cost", orNumber), ("unpriced_tokens", S.count), ("latency_ms", orNumber),
    ("first_token_ms", orNumber),
  ])

  private static let budget = S.object([
    ("scope", S.words(["all", "provider", "recipe"])), ("name", orText), ("period", S.words(["run", "day", "month"])),
    ("tokens_limit", S.orNull(S.count)), ("tokens_used", S.orNull(S.count)), ("cost_limit", orNumber),
    ("cost_used", orNumber),
  ])

  private static let statistics = S.object([
    ("recipe", S.text), ("runs", S.count), ("statuses", ["type": "object", "additionalProperties": S.count]),
    ("success_rate", orNumber), ("p50_ms", orNumber), ("p95_ms", orNumber), ("attempts", S.count),
    ("retries", S.count), ("last_started_at", S.orNull(S.time)), ("prompt_tokens", S.count),
    ("completion_tokens", S.count), ("cost", orNumber),
    (
      "models",
      S.list(
        S.object([
          ("model", S.text), ("calls", S.count), ("prompt_tokens", S.count), ("completion_tokens", S.count),
          ("cost", orNumber),
        ]))
    ),
  ])
}
