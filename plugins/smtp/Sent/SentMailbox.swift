import MailWire
import PluginKit
import SASL

/// A session with the IMAP server that keeps the copies: finds the folder, looks a message up, stores one.
///
/// One task uses it at a time.
final class SentMailbox {
  /// The longest line, and the longest literal in one, in bytes.
  private static let longestLine = 64 << 10
  /// The most lines of an answer, folders mostly, and their bytes (4 MiB).
  private static let mostLines = 20_000
  private static let longestAnswer = 4 << 20
  /// How much of a message goes out before the time is counted anew, in bytes.
  private static let pieceSize = 64 << 10

  private let stream: ByteStream
  private let settings: SentSettings
  private let limits: TimeLimits
  private let watchdog: Watchdog
  /// Whether a message has gone out whole and the server has not said what it did with it.
  private(set) var isInDoubt = false
  private var lastTag = 0
  private var capabilities: Set<String> = []
  private var folder: String?

  private init(_ stream: ByteStream, _ settings: SentSettings, _ limits: TimeLimits, _ clock: HostClock) {
    self.stream = stream
    self.settings = settings
    self.limits = limits
    watchdog = Watchdog(stream, clock)
  }

  deinit { stream.close() }

  /// Connects, encrypts and signs in.
  static func open(
    _ settings: SentSettings, _ credentials: SASLCredentials, limits: TimeLimits, streams: StreamClient,
    clock: HostClock
  ) async throws(ActionError) -> SentMailbox {
    let stream = try await streams.open(
      host: settings.host, port: settings.port, tls: settings.tls == .implicit ? .implicit : .none,
      connectTimeout: limits.connect)
    let mailbox = SentMailbox(stream, settings, limits, clock)
    let greeting = try await mailbox.watchdog.within(limits.command) { () async throws(ActionError) in
      try await mailbox.reply()
    }
    guard greeting.tag == "*", greeting.word == "OK" else { throw mailbox.refused(greeting) }
    if settings.tls == .starttls {
      try await mailbox.command("STARTTLS")
      try await mailbox.watchdog.within(limits.command) { () async throws(ActionError) in try await stream.startTLS() }
    }
    try await mailbox.askCapabilities()
    try await mailbox.signIn(credentials)
    try await mailbox.askCapabilities()
    return mailbox
  }

  // MARK: Messages

  /// Looks for a message in the folder.
  ///
  /// - Returns: Its reference, `Sent/17`; `nil` if it is not there.
  func find(_ messageID: String) async throws(ActionError) -> String? {
    let folder = try await sentFolder()
    let name = try MailboxReply.quoted(ModifiedUTF7.encode(folder))
    let examined = try await send("EXAMINE \(name)")
    // There is no copy if there is no folder.
    guard examined.status.word == "OK" else {
      if examined.status.word == "NO" { return nil }
      throw refused(examined.status)
    }
    let text = try MailboxReply.quoted("<\(messageID)>")
    let found = try await command("UID SEARCH HEADER Message-ID \(text)")
    return found.lazy.flatMap(\.numbers).first.map { "\(folder)/\($0)" }
  }

  /// Stores a message, read.
  ///
  /// - Throws: `invalid_input` if it is of another size than it says: then nothing is stored.
  func append(_ source: any MessageSource, size: Int) async throws(ActionError) {
    let name = try MailboxReply.quoted(ModifiedUTF7.encode(try await sentFolder()))
    var status = try await upload(source, size, to: name)
    if status.word == "NO", status.code == "TRYCREATE" {
      try await command("CREATE \(name)")
      status = try await upload(source, size, to: name)
    }
    guard status.word == "OK" else { throw refused(status) }
  }

  private func upload(
    _ source: any MessageSource, _ size: Int, to name: String
  ) async throws(ActionError) -> MailboxReply {
    let tag = nextTag()
    try await write(Array("\(tag) APPEND \(name) (\\Seen) {\(size)}\r\n".utf8))
    let start = try await answer(to: tag, within: limits.command, orContinuation: true).status
    if start.tag == tag { return start }
    var (source, stuffing, sent) = (source, DotStuffing(stuffed: false), 0)
    while let piece = try await source.next() {
      let bytes = try stuffing.prepare(piece)
      sent += bytes.count
      guard sent <= size else { throw changed() }
      for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
        try await write(Array(bytes[start..<min(start + Self.pieceSize, bytes.count)]))
      }
    }
    // Without all of its bytes the server drops the message. Its last line may have no end.
    guard sent == size else { throw changed() }
    isInDoubt = true
    try await write([0x0D, 0x0A])
    let status = try await answer(to: tag, within: limits.data).status
    isInDoubt = false
    return status
  }

  /// Sends bytes, to a server that takes them in time.
  private func write(_ bytes: [UInt8]) async throws(ActionError) {
    let stream = stream
    try await watchdog.within(limits.data) { () async throws(ActionError) in try await stream.write(bytes) }
  }

  private func changed() -> ActionError {
    stream.close()
    return ActionError(
      .invalidInput, "The message has changed while it was copied.",
      german: "Die Nachricht hat sich beim Kopieren geändert.")
  }

  // MARK: Folders

  private func sentFolder() async throws(ActionError) -> String {
    if let folder { return folder }
    if let name = settings.folder {
      folder = name
      return name
    }
    let isSpecial = capabilities.contains("SPECIAL-USE") && capabilities.contains("LIST-EXTENDED")
    let lines = try await command("LIST \"\" \"*\"" + (isSpecial ? " RETURN (SPECIAL-USE)" : ""))
    let listing = lines.compactMap(\.folder).compactMap { folder in
      ModifiedUTF7.decode(folder.name).map {
        FolderListing(name: $0, delimiter: folder.delimiter, attributes: folder.attributes)
      }
    }
    let found = SpecialFolders(listing)[.sent] ?? "Sent"
    folder = found
    return found
  }

  // MARK: Signing in

  private func askCapabilities() async throws(ActionError) {
    let lines = try await command("CAPABILITY")
    capabilities = Set(
      lines.filter { $0.word == "CAPABILITY" }.flatMap { $0.rest.split(separator: " ").map { $0.uppercased() } })
  }

  private func signIn(_ credentials: SASLCredentials) async throws(ActionError) {
    guard let mechanism = try mechanism(for: credentials) else { return try await logIn(credentials) }
    let status: MailboxReply
    do {
      var exchange = try SASLExchange(mechanism, credentials: credentials)
      status = try await authenticate(&exchange)
      if status.word == "OK" { try exchange.finish() }
    } catch {
      throw (error as? SASLError).map { ActionError($0) } ?? error as? ActionError ?? .unasked
    }
    guard status.word == "OK" else { throw refused(status) }
  }

  /// The mechanism to use; `nil` for the command LOGIN, which is older than mechanisms.
  private func mechanism(for credentials: SASLCredentials) throws(ActionError) -> SASLMechanism? {
    let policy = SASLPolicy(isEncrypted: settings.tls != .none, allowsUnencrypted: settings.tls == .none)
    let offered = capabilities.filter { $0.hasPrefix("AUTH=") }.map { String($0.dropFirst(5)) }
    do {
      return try policy.mechanism(offered: offered, for: credentials)
    } catch {
      guard error.code == .noMechanism, case .password = credentials.secret, !capabilities.contains("LOGINDISABLED")
      else { throw ActionError(error) }
      return nil
    }
  }

  private func logIn(_ credentials: SASLCredentials) async throws(ActionError) {
    guard case .password(let password) = credentials.secret else { throw .unasked }
    try await command("LOGIN \(MailboxReply.quoted(credentials.user)) \(MailboxReply.quoted(password))")
  }

  private func authenticate(_ exchange: inout SASLExchange) async throws -> MailboxReply {
    var first = exchange.initialResponse
    var line = "AUTHENTICATE \(exchange.mechanism.rawValue)"
    if capabilities.contains("SASL-IR"), let message = first {
      line += " " + SASLText.encodedInitial(message)
      first = nil
    }
    let tag = nextTag()
    try await write(Array("\(tag) \(line)\r\n".utf8))
    for _ in 0..<20 {
      let reply = try await answer(to: tag, within: limits.command, orContinuation: true).status
      if reply.tag == tag { return reply }
      let response: [UInt8]
      if let message = first {
        response = message
        first = nil
      } else {
        response = try exchange.respond(to: SASLText.decoded(reply.text))
      }
      try await write(Array((SASLText.encoded(response) + "\r\n").utf8))
    }
    throw ActionError.unasked
  }

  // MARK: Lines

  private func nextTag() -> String {
    lastTag += 1
    return "s\(lastTag)"
  }

  /// Sends a command that has to succeed.
  ///
  /// - Returns: The lines before its status.
  @discardableResult
  private func command(_ text: String) async throws(ActionError) -> [MailboxReply] {
    let answer = try await send(text)
    guard answer.status.word == "OK" else { throw refused(answer.status) }
    return answer.lines
  }

  private func send(_ text: String) async throws(ActionError) -> (status: MailboxReply, lines: [MailboxReply]) {
    let tag = nextTag()
    try await write(Array("\(tag) \(text)\r\n".utf8))
    return try await answer(to: tag, within: limits.command)
  }

  /// The lines up to the status of a command, or up to the server's wish for more.
  private func answer(
    to tag: String, within limit: Duration, orContinuation takesContinuation: Bool = false
  ) async throws(ActionError) -> (status: MailboxReply, lines: [MailboxReply]) {
    try await watchdog.within(limit) { () async throws(ActionError) in
      var lines: [MailboxReply] = []
      var size = 0
      while lines.count < Self.mostLines, size < Self.longestAnswer {
        let reply = try await reply()
        if reply.tag == tag || takesContinuation && reply.tag == "+" { return (reply, lines) }
        size += reply.text.utf8.count
        lines.append(reply)
      }
      stream.close()
      throw ActionError.unasked
    }
  }

  private func reply() async throws(ActionError) -> MailboxReply {
    guard var line = try await stream.readLine(limit: Self.longestLine) else {
      throw ActionError(
        .io, "The mail server closed the connection.", german: "Der Mailserver hat die Verbindung geschlossen.")
    }
    // A literal: so many bytes, and the line goes on behind them.
    while line.hasSuffix("}"), let open = line.lastIndex(of: "{"),
      let count = Int(line[line.index(after: open)...].dropLast())
    {
      guard (0...Self.longestLine).contains(count), line.utf8.count + count <= Self.longestLine else {
        throw ActionError.unasked
      }
      let text = String(decoding: try await stream.read(exactly: count), as: UTF8.self)
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      line = line[..<open] + "\"" + escaped + "\"" + (try await stream.readLine(limit: Self.longestLine) ?? "")
    }
    return MailboxReply(line)
  }

  private func refused(_ reply: MailboxReply) -> ActionError {
    ActionError(
      .server, "\(settings.host) refuses: \(reply.words)", german: "\(settings.host) lehnt ab: \(reply.words)")
  }
}
