import Engine
import Expressions

/// The objects about settings, values of recipes and mail filters that the API answers.
enum SettingsSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Settings", settings), ("Secret", secret),
    ("KeptValue", S.object([("recipe", S.text), ("key", S.text), ("value", S.anything)])),
    ("Filter", S.object([("recipe", S.text), ("path", S.text), ("disabled", S.flag)])), ("FilterRun", filterRun),
    ("FilterPreview", preview), ("MailUndo", undo),
  ]

  private static let orText = S.orNull(S.text)
  private static let orNumber = S.orNull(S.number)
  private static let texts = S.list(S.text)

  private static let settings = S.object([
    ("path", orText), ("sections", texts), ("recipe_folders", texts), ("file_folders", texts),
    ("plugin_folders", texts), ("plugin_indexes", texts), ("listen", S.text), ("server", S.orNull(S.map)),
    ("engine", S.map),
    (
      "providers",
      S.list(
        S.object([
          ("name", S.text), ("plugin", S.text), ("isolation", orText), ("hosts", texts),
          ("concurrency", S.orNull(S.count)), ("settings", texts),
        ]))
    ), ("defaults", ["type": "object", "additionalProperties": texts]), ("accounts", texts), ("http_hosts", texts),
    ("outbox", S.map), ("reminder_ways", S.count), ("bookmarks", S.flag),
    ("recipe_sync", S.orNull(S.map)),
  ])

  private static let secret = S.object(
    [("name", S.text), ("source", orText), ("found", S.orNull(S.flag)), ("uses", texts)], optional: [("place", S.text)])

  private static let decision = S.object(
    [("uid", S.text)],
    optional: [("message_id", orText), ("rules", texts), ("reason", orText), ("actions", S.list(S.anything))])

  private static let filterRun = S.object([
    ("run", S.text), ("status", S.words(RunSchemas.statuses)), ("started_at", S.time), ("ended_at", S.orNull(S.time)),
    ("message", S.orNull(S.object([("uid", S.text), ("from", S.text), ("subject", S.text)]))),
    ("failed", S.list(S.map)), ("undone_by", orText), ("undone_at", S.orNull(S.time)),
    (
      "accounts",
      S.list(
        S.object([
          ("step", S.text), ("provider", orText), ("folder", orText), ("examined", S.orNull(S.count)),
          ("kept", S.orNull(S.count)), ("decisions", S.list(decision)), ("errors", S.list(S.map)),
          ("left", S.list(S.map)),
        ]))
    ),
  ])

  private static let preview = S.object([
    ("undecided", S.flag),
    (
      "accounts",
      S.list(
        S.object([
          ("provider", S.text), ("folder", S.text), ("examined", S.count), ("kept", S.count), ("complete", S.flag),
          ("decisions", S.list(decision)), ("errors", S.list(S.map)), ("failure", orText),
        ]))
    ),
  ])

  private static let undo = S.object([
    (
      "marks",
      S.list(
        S.object([("provider", S.text), ("folder", S.text), ("uids", texts), ("add", texts), ("remove", texts)]))
    ),
    (
      "moves", S.list(S.object([("provider", S.text), ("from", S.text), ("to", S.text), ("uids", texts)]))
    ), ("remains", S.list(S.object([("step", S.text), ("reason", S.text)]))), ("earlier", texts),
  ])
}
