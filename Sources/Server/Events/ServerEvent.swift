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
  /// Ends the events for this reader alone.
  let end: @Sendable () -> Void
  /// Fails if the reader may not have the events any more.
  var recheck: @Sendable () async throws -> Void = {}

  /// Ends the events once the reader has lost its rights, or if these cannot be read. The run or the answer goes on.
  ///
  /// - Parameter seconds: The time between two looks.
  /// - Returns: The task that looks, until it is cancelled.
  func watch(every seconds: Double) -> Task<Void, Never> {
    Task {
      while (try? await Task.sleep(for: .seconds(seconds))) != nil {
        do { try await recheck() } catch { return end() }
      }
    }
  }
}
