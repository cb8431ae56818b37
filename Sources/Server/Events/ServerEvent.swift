import Expressions

/// A server-sent event (HTML Living Standard, section "Server-sent events").
struct ServerEvent: Sendable {
  /// The position behind the event; `nil` for one that is not repeated after a reconnect.
  var id: String?
  /// The kind: `run`, `step`, `attempt`, `log`, `delta`, `end`.
  var name: String
  /// The contents.
  var data: Value

  /// The bytes on the wire.
  var bytes: [UInt8] {
    var text = ""
    if let id { text += "id: \(id)\n" }
    text += "event: \(name)\n"
    // JSON has no line ends outside of strings, and escapes those inside.
    text += "data: " + data.jsonString + "\n\n"
    return Array(text.utf8)
  }

  /// A comment, which keeps proxies from closing a quiet connection.
  static let heartbeat: [UInt8] = Array(": alive\n\n".utf8)
}

/// The events that an answer consists of.
struct EventSource: Sendable {
  /// The pieces to write, each whole events.
  let pieces: AsyncStream<[UInt8]>
}
