import Synchronization

/// A stream between the host, which calls from its threads, and the tasks that read and write.
final class ByteStreamState: StreamReceiver {
  struct State {
    var isOpen = false
    var isSecured = false
    var isSecuring = false
    var bytes: [UInt8] = []
    /// The first byte that has not been read.
    var start = 0
    /// The unread bytes that were reported to the host as read.
    var acknowledged = 0
    var written: UInt64 = 0
    var sent: UInt64 = 0
    /// Whether a writer waits until more has been sent.
    var awaitsRoom = false
    var isAtEnd = false
    var failure: ActionError?

    var unread: ArraySlice<UInt8> { bytes[start...] }

    /// Takes bytes, and returns how many must be reported to the host.
    mutating func take(_ count: Int) -> (bytes: [UInt8], news: Int) {
      let news = count - min(count, acknowledged)
      acknowledged -= count - news
      let taken = Array(bytes[start..<(start + count)])
      start += count
      if start == bytes.count {
        bytes.removeAll(keepingCapacity: start <= 1 << 16)
        start = 0
      } else if start > 1 << 16 {
        bytes.removeSubrange(..<start)
        start = 0
      }
      return (taken, news)
    }
  }

  private let state = Mutex(State())
  private let changes = Changes()

  func receiveOpened() { change { $0.isOpen = true } }

  func receiveData(_ piece: [UInt8]) {
    change { state in
      // An attacker on the line could put these before the text that the server sends later under encryption.
      if state.isSecuring {
        state.failure = .plainTextBeforeTLS
        return
      }
      state.bytes += piece
    }
  }

  func receiveSecured() {
    change { state in
      state.isSecuring = false
      state.isSecured = true
    }
  }

  func receiveSent(_ total: UInt64) {
    // A task that waits for an answer is not woken when its question has been sent.
    let wakes = state.withLock { state in
      state.sent = max(state.sent, total)
      defer { state.awaitsRoom = false }
      return state.awaitsRoom
    }
    if wakes { changes.notify() }
  }

  func receiveEnd(_ failure: ActionError?) {
    change { state in
      state.isAtEnd = true
      if state.failure == nil { state.failure = failure }
    }
  }

  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    changes.notify()
  }

  /// Looks at the state under its lock.
  func with<Result>(_ body: (inout State) throws(ActionError) -> sending Result) throws(ActionError) -> sending Result {
    try state.withLock { state throws(ActionError) in try body(&state) }
  }

  /// Waits until `body` returns a value.
  ///
  /// - Throws: The failure that ended the stream; `cancelled` if the task is, which leaves the stream as it is.
  func wait<Result: Sendable>(
    _ body: (inout State) throws(ActionError) -> Result?
  ) async throws(ActionError) -> Result {
    while true {
      guard !Task.isCancelled else { throw ActionError.cancelled }
      let seen = changes.count
      let found = try with { state throws(ActionError) -> Result? in
        if let found = try body(&state) { return found }
        if let failure = state.failure { throw failure }
        if state.isAtEnd { throw ActionError.endedEarly }
        return nil
      }
      if let found { return found }
      await changes.wait(since: seen)
    }
  }
}

extension ActionError {
  static var endedEarly: ActionError {
    ActionError(
      .io, "The other side closed the connection too early.",
      german: "Die Gegenseite hat die Verbindung zu früh geschlossen.")
  }

  static var plainTextBeforeTLS: ActionError {
    ActionError(
      .protocol, "Unencrypted bytes stood before the beginning of TLS.",
      german: "Vor dem Beginn von TLS standen unverschlüsselte Bytes.",
      advice: "Somebody may be tampering with the connection: use a port with TLS from the start.",
      adviceGerman: "Vielleicht greift jemand in die Verbindung ein: einen Port mit TLS von Anfang an verwenden.")
  }
}
