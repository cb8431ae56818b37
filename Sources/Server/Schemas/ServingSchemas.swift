import Engine
import Expressions

/// The objects about what is served that the API answers.
enum ServingSchemas {
  private typealias S = APISchema

  static let all: [(String, Value)] = [
    ("Schedule", schedule), ("Occurrence", occurrence), ("Trigger", trigger), ("Status", status),
    ("Notification", notification), ("File", file),
  ]

  private static let schedule = S.object([
    ("source", S.text), ("recipe", S.text), ("next", S.orNull(S.time)), ("paused", S.flag), ("cursor", S.time),
    ("run", S.count), ("caught_up", S.count), ("skipped", S.count), ("missed", S.count), ("late", S.count),
    ("failures", S.count),
  ])

  private static let occurrence = S.object([
    ("source", S.text), ("at", S.time), ("until", S.time), ("count", S.count), ("outcome", S.text),
    ("run", S.orNull(S.text)),
  ])

  private static let trigger = S.object([
    ("subscription", S.text), ("recipe", S.text), ("path", S.text), ("trigger", S.text), ("provider", S.text),
    ("alive_at", S.orNull(S.time)), ("event_at", S.orNull(S.time)), ("events", S.count), ("reconnects", S.count),
    ("refused", S.count), ("lag_seconds", S.orNull(S.number)), ("cursor", S.orNull(S.text)),
    ("trouble", S.orNull(S.text)), ("listening", S.flag),
  ])

  private static let status = S.object([
    (
      "servers",
      S.list(
        S.object([
          ("host", S.text), ("pid", S.integer), ("began_at", S.time), ("alive", S.flag), ("recipes", S.count),
          ("problems", S.list(S.object([("path", S.text), ("message", S.text)]))),
        ]))
    ),
    ("runs", S.list(S.named("Run"))), ("schedules", S.list(S.named("Schedule"))),
    ("triggers", S.list(S.named("Trigger"))), ("disabled", S.list(S.text)),
    ("pings", S.list(S.object([("recipe", S.text), ("at", S.time), ("message", S.text)]))),
    ("unread_notifications", S.count), ("ok", S.flag),
  ])

  private static let notification = S.object([
    ("number", S.count), ("recipe", S.text), ("run", S.text), ("title", S.text), ("text", S.text),
    ("priority", S.text), ("tags", S.list(S.text)), ("link", S.orNull(S.text)), ("key", S.orNull(S.text)),
    ("at", S.time), ("read_at", S.orNull(S.time)), ("provider", S.orNull(S.text)),
    ("delivered_at", S.orNull(S.time)), ("trouble", S.orNull(S.text)), ("mail_trouble", S.orNull(S.text)),
  ])

  private static let file = S.object([("blob", S.text), ("size", S.count), ("type", S.text)])
}
