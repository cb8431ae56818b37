import Engine
import Expressions
import Notes
import RecipeModel

/// The objects about notes, prompts and conversations that the API answers; the fields are those of `--json`.
enum ContentSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Note", note), ("FoundNote", found), ("NoteCategory", category), ("Prompt", S.object(prompt)),
    ("PromptDetail", S.object(prompt + [("title_path", S.text), ("text", orText), ("fields", S.map)])),
    ("PromptText", promptText), ("CatalogChange", catalogChange), ("Conversation", S.object(conversation)),
    ("ConversationDetail", S.object(conversation.filter { $0.0 != "turns" } + [("turns", S.list(turn))])),
  ]

  private static let orText = S.orNull(S.text)

  // MARK: - Notes

  private static let file = S.object([
    ("name", S.text), ("type", S.text), ("size", S.orNull(S.count)), ("blob", orText),
  ])

  private static let note = S.object([
    ("id", S.text), ("number", S.count), ("heading", S.text), ("title", orText),
    ("kind", S.words(Note.Kind.allCases.map(\.rawValue))), ("text", S.text), ("corrected", orText),
    ("summary", orText), ("category", S.text), ("tags", S.list(S.text)), ("source", orText), ("audio", S.orNull(file)),
    ("attachments", S.list(file)), ("reminder", S.orNull(S.time)), ("created", S.time), ("updated", S.time),
  ])

  private static let found = S.object([
    ("note", S.named("Note")), ("highlights", S.list(S.object([("text", S.text), ("hit", S.flag)]))),
  ])

  private static let category = S.object([
    ("name", S.text), ("color", orText), ("default", S.flag), ("count", S.count),
  ])

  // MARK: - Catalog

  private static let prompt: [(String, Value)] = [
    ("name", S.text), ("kind", S.words(CatalogFile.Kind.allCases.map(\.rawValue))), ("title", S.text),
    ("icon", S.text), ("keywords", S.text), ("order", S.orNull(S.integer)), ("bundled", S.flag), ("default", S.flag),
    ("path", orText), ("preset", orText),
  ]

  private static let promptText = S.object([
    ("text", S.text), ("system", orText),
    (
      "keywords",
      S.list(S.object([("name", S.text), ("value", S.text), ("from", S.text), ("replaces", S.list(S.text))]))
    ),
  ])

  private static let catalogChange = S.object([
    ("name", S.text), ("affected", S.list(S.text)), ("rewritten", S.list(S.text)),
  ])

  // MARK: - Conversations

  private static let conversation: [(String, Value)] = [
    ("chat", S.count), ("title", S.text), ("system", S.text), ("at", S.time), ("changed_at", S.time),
    ("turns", S.count),
  ]

  private static let turn = S.object([
    ("role", S.words(["user", "assistant"])), ("text", S.text), ("files", S.list(S.text)), ("provider", S.text),
    ("model", S.text), ("cut", S.flag), ("at", S.time),
  ])
}
