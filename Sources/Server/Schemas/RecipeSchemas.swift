import Engine
import Expressions

/// The objects about recipes that the API answers.
enum RecipeSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Recipe", recipe), ("RecipeDetail", detail), ("Diagnostic", diagnostic), ("Findings", findings), ("Plan", S.map),
    ("RecipeVersion", version), ("RecipeDifference", difference),
  ]

  private static let fields: [(String, Value)] = [
    ("name", S.text), ("path", S.text), ("kind", S.text), ("triggers", S.count), ("disabled", S.flag),
    ("problems", S.list(S.text)),
    (
      "tool",
      S.orNull(
        S.object([
          ("name", S.orNull(S.text)), ("description", S.orNull(S.text)),
          ("approve", S.orNull(S.words(["always", "never"]))),
        ]))
    ),
  ]

  private static let recipe = S.object(fields)

  private static let detail = S.object(
    fields + [
      ("summary", S.orNull(S.text)),
      (
        "inputs",
        S.list(
          S.object([
            ("name", S.text), ("schema", S.anything), ("required", S.flag), ("default", S.anything),
            ("description", S.orNull(S.text)),
          ]))
      ),
      ("steps", S.list(S.object([("id", S.text), ("action", S.text)]))),
      ("outputs", S.list(S.object([("name", S.text), ("schema", S.anything)]))),
    ])

  private static let diagnostic: Value = [
    "type": "object",
    "properties": .object([
      ("severity", S.text), ("code", S.text), ("message", S.text), ("path", S.orNull(S.text)),
      ("line", S.orNull(S.integer)), ("column", S.orNull(S.integer)), ("end_line", S.orNull(S.integer)),
      ("end_column", S.orNull(S.integer)),
    ]),
    "required": ["severity", "code", "message"],
  ]

  private static let findings = S.object([("usable", S.flag), ("diagnostics", S.list(S.named("Diagnostic")))])

  private static let version = S.object([
    ("version", S.count), ("recipe", S.text), ("path", S.text), ("at", S.time), ("actor", S.orNull(S.text)),
    ("origin", S.text), ("digest", S.orNull(S.text)), ("bytes", S.count), ("commit", S.orNull(S.text)),
    ("restored", S.orNull(S.count)), ("deleted", S.flag), ("current", S.flag),
  ])

  private static let difference = S.object([
    ("path", S.text), ("from", S.count), ("to", S.orNull(S.count)), ("text", S.text),
    (
      "hunks",
      S.list(
        S.object([
          ("old_start", S.count), ("new_start", S.count),
          ("lines", S.list(S.object([("kind", S.words(["same", "removed", "added"])), ("text", S.text)]))),
        ]))
    ),
  ])
}
