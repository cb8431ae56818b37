import PluginKit
import SASL
import Synchronization

/// An established session: the thin part around ``SessionOpening`` and ``MailTransaction`` that reads and writes.
///
/// One task uses it at a time.
final class SMTPConnection: Sendable {
  /// The capabilities of the server.
  let features: ServerFeatures
  /// The way it was signed in by; `nil` for none.
  let mechanism: SASLMechanism?
  /// The server's greeting, in its words.
  let greeting: String
  /// Whether TLS is established.
  let isEncrypted: Bool
  /// How long something may take.
  let limits: TimeLimits
  let isLMTP: Bool
  private let line: ReplyLine
  private let state = Mutex(Use())

  private struct Use {
    var isReused = false
    var needsReset = false
    var isClosed = false
  }

  private init(_ line: ReplyLine, _ opening: SessionOpening, _ features: ServerFeatures, _ settings: SessionSettings) {
    self.line = line
    self.features = features
    mechanism = opening.mechanism
    greeting = opening.greeting?.words ?? ""
    isEncrypted = settings.tls != .none
    limits = line.limits
    isLMTP = settings.isLMTP
  }

  /// Connects, encrypts and signs in.
  ///
  /// - Throws: As ``StreamClient/open(host:port:tls:connectTimeout:idleTimeout:)``; the error of a refusal; `timeout`.
  static func open(
    host: String, port: Int, settings: SessionSettings, limits: TimeLimits, streams: StreamClient, clock: HostClock
  ) async throws(ActionError) -> SMTPConnection {
    let stream = try await streams.open(
      host: host, port: port, tls: settings.tls == .implicit ? .implicit : .none, connectTimeout: limits.connect)
    let line = ReplyLine(stream: stream, limits: limits, clock: clock)
    var opening = SessionOpening(settings)
    var step = try opening.receive(try await greeting(on: line, host: host, port: port, settings.tls))
    while true {
      switch step {
      case .send(let text):
        try await line.send(Array("\(text)\r\n".utf8))
        step = try opening.receive(try await line.reply(within: limits.command))
      case .startTLS:
        try line.expectQuiet()
        try await line.within(limits.command) { () throws(ActionError) in try await stream.startTLS() }
        step = opening.secured()
      case .ready(let features):
        return SMTPConnection(line, opening, features, settings)
      }
    }
  }

  /// Waits for the greeting. A server that speaks TLS from the start waits for the client instead.
  private static func greeting(
    on line: ReplyLine, host: String, port: Int, _ tls: SessionSettings.TLS
  ) async throws(ActionError) -> Reply {
    do {
      return try await line.reply(within: line.limits.command)
    } catch  where error.kind == .timeout && tls != .implicit {
      throw ActionError(
        .timeout, "\(host) did not greet on port \(port).", german: "\(host) hat auf Port \(port) nicht gegrüßt.",
        advice: "If the port speaks TLS from the start, as 465 does, set 'tls: implicit'.",
        adviceGerman: "Spricht der Port von Anfang an TLS, wie 465, dann 'tls: implicit' setzen.")
    }
  }

  /// Whether messages have gone over it before, so that the server may have closed it meanwhile.
  var isReused: Bool { state.withLock { $0.isReused } }

  /// Marks it as used, before it waits for the next message.
  ///
  /// - Parameter isClean: Whether the last transaction has ended with the message's end.
  func rest(clean isClean: Bool) {
    state.withLock {
      $0.isReused = true
      if !isClean { $0.needsReset = true }
    }
  }

  /// Says good-bye and closes; a second time does nothing.
  func close() async {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    // The answer is not awaited.
    try? await line.send(Array("QUIT\r\n".utf8))
    line.stream.close()
  }

  /// Closes without a word: what was begun must not look finished.
  func abandon() {
    state.withLock { $0.isClosed = true }
    line.stream.close()
  }

  // MARK: Messages

  /// The server's answer to an envelope.
  enum Answer: Sendable {
    /// It waits for the content.
    case wanted(MailTransaction)
    /// It accepts the message for no recipient.
    case refused(MailTransaction.Delivery)
  }

  /// Offers a message: everything up to its content.
  func offer(_ envelope: Envelope, chunked: Bool) async throws(ActionError) -> Answer {
    var start = try MailTransaction(
      envelope, features: features, isEncrypted: isEncrypted, isLMTP: isLMTP, chunked: chunked)
    let limit = limits.command + .seconds(envelope.recipients.count)
    try await resetIfNeeded()
    try line.expectQuiet()
    let commands = start.begin()
    let transaction = start
    let line = line
    return try await line.within(limit) { () throws(ActionError) in
      var transaction = transaction
      try await line.send(commands)
      while true {
        switch try transaction.receive(try await line.reply()) {
        case .wait: continue
        case .more: try await line.send(transaction.more())
        case .content: return .wanted(transaction)
        case .finished(let delivery): return .refused(delivery)
        }
      }
    }
  }

  /// Checks whether the server takes a sender, and takes it back.
  func probe(sender: String) async throws(ActionError) {
    try await resetIfNeeded()
    try await line.send(Array("MAIL FROM:<\(sender)>\r\n".utf8))
    let reply = try await line.reply(within: limits.command)
    state.withLock { $0.needsReset = true }
    guard reply.isPositive else { throw ActionError(reply, at: .sender) }
    try await resetIfNeeded()
  }

  private func resetIfNeeded() async throws(ActionError) {
    guard state.withLock({ $0.needsReset }) else { return }
    try await line.send(Array("RSET\r\n".utf8))
    let reply = try await line.reply(within: limits.command)
    guard reply.isPositive else { throw ActionError(reply, at: .reset) }
    state.withLock { $0.needsReset = false }
  }

  /// Sends a piece of the content.
  func send(_ bytes: [UInt8]) async throws(ActionError) {
    // Bytes that fit into the host's buffer go at once.
    if bytes.count <= 64 << 10 { return try await line.send(bytes) }
    try await line.within(limits.data) { () throws(ActionError) in try await line.send(bytes) }
  }

  /// Sends the end of the content.
  ///
  /// - Parameter isOut: Set as soon as the last byte is on its way. Where this throws and it is not set, the end has
  ///   surely not gone out.
  /// - Throws: `protocol` also where the server has said already what it thinks of the message.
  func send(end: [UInt8], isOut: Flag) async throws(ActionError) {
    try line.expectQuiet()
    // Bytes that fit into the host's buffer go at once.
    if end.count <= 64 << 10 {
      try await line.send(end)
      return isOut.set()
    }
    try await line.within(limits.data) { () throws(ActionError) in try await line.send(end) }
    isOut.set()
  }

  /// The reply to a piece that is not the last.
  func reply() async throws(ActionError) -> Reply { try await line.reply(within: limits.data) }

  /// Reads what became of a message whose end has gone out.
  ///
  /// - Parameter transaction: Takes the replies; where this throws `cancelled`, it can be asked for the rest of them again.
  func outcome(of transaction: inout MailTransaction) async throws(ActionError) -> MailTransaction.Delivery {
    try await line.within(limits.end) { () throws(ActionError) in
      while true {
        if case .finished(let delivery) = try transaction.receive(try await line.reply()) { return delivery }
      }
    }
  }
}

/// Something that has happened.
final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock { $0 } }

  func set() { value.withLock { $0 = true } }
}

/// A stream that is read in replies.
private final class ReplyLine: Sendable {
  let stream: ByteStream
  let limits: TimeLimits
  private let reader = Mutex(ReplyReader())
  /// One for the waits of a moment, one for the long wait at the end of a message: so none of them has to be set anew.
  private let watchdogs: (short: Watchdog, long: Watchdog)

  init(stream: ByteStream, limits: TimeLimits, clock: HostClock) {
    self.stream = stream
    self.limits = limits
    watchdogs = (Watchdog(stream, clock), Watchdog(stream, clock))
  }

  /// Does something that ends the stream where it takes too long.
  func within<Result>(
    _ limit: Duration, _ body: () async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    let watchdog = limit == limits.end ? watchdogs.long : watchdogs.short
    return try await watchdog.within(limit, body)
  }

  func send(_ bytes: [UInt8]) async throws(ActionError) { try await stream.write(bytes) }

  func reply() async throws(ActionError) -> Reply {
    while true {
      if let reply = try reader.withLock({ (reader) throws(ActionError) in try reader.next() }) { return reply }
      guard let piece = try await stream.read() else { throw .hungUp }
      reader.withLock { $0.feed(piece) }
    }
  }

  func reply(within limit: Duration) async throws(ActionError) -> Reply {
    try await within(limit) { () throws(ActionError) in try await reply() }
  }

  /// A reply that came before its question would be taken for the answer to the next.
  func expectQuiet() throws(ActionError) {
    guard reader.withLock({ $0.isEmpty }) else { throw .unasked }
  }
}

extension ActionError {
  fileprivate static var hungUp: ActionError {
    ActionError(
      .io, "The mail server closed the connection.", german: "Der Mailserver hat die Verbindung geschlossen.")
  }
}
