import Engine
import Expressions
import Outbox

/// The objects about messages and reminders that the API answers; the fields are those of `--json`.
enum OutboxSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Message", S.object(fields)), ("MessageDetail", S.object(fields + [("text", orText), ("html", orText)])),
    ("Reminder", reminder), ("KeptReminder", kept), ("ReminderChange", change),
  ]

  private static let orText = S.orNull(S.text)
  private static let orTime = S.orNull(S.time)

  private static let fields: [(String, Value)] = [
    ("id", S.text), ("name", S.text), ("state", S.words(OutboxItem.State.allCases.map(\.rawValue))),
    ("account", orText), ("send_at", orTime), ("next", orTime), ("sent_at", orTime), ("attempts", S.count),
    ("failure", S.orNull(S.named("Failure"))), ("to", S.list(S.text)), ("cc", S.list(S.text)), ("bcc", S.list(S.text)),
    ("from", orText), ("subject", orText), ("attachments", S.list(S.text)), ("message_id", orText),
    ("refused", S.orNull(S.list(S.map))), ("origin", orText),
  ]

  private static let reminder = S.object([
    ("id", S.text), ("title", S.text), ("state", S.words(["due", "coming", "delivered", "done", "failed", "off"])),
    ("at", orTime), ("next", orTime), ("round", S.count), ("rhythm", orText), ("words", orText),
    ("words_de", orText), ("path", orText), ("run", orText),
  ])

  private static let kept = S.object([
    ("id", S.text), ("title", S.text), ("next", orTime), ("understood", S.text), ("repeated", S.flag), ("path", orText),
  ])

  private static let change = S.object([("id", S.text), ("title", S.text), ("next", orTime), ("path", orText)])
}
