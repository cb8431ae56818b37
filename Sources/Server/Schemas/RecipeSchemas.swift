import Engine
import Expressions

/// The objects about recipes that the API answers.
enum RecipeSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Recipe", recipe), ("RecipeDetail", detail), ("Diagnostic", diagnostic), ("Findings", findings), ("Plan", S.map),
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
}
