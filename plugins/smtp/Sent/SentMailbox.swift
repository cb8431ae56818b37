import MailWire
import PluginKit
import SASL

/// A session with the IMAP server that keeps the copies: finds the folder, looks a message up, stores one.
///
/// One task uses it at a time.
final class SentMailbox {
  /// The longest line, and the longest literal in one, in bytes.
  private static let longestLine = 64 << 10
  /// The most lines of an answer: folders, mostly.
  private static let mostLines = 20_000

  private let stream: ByteStream
  private let settings: SentSettings
  private let limits: TimeLimits
  private let clock: HostClock
  private var lastTag = 0
  private var capabilities: Set<String> = []
  private var folder: String?

  private init(_ stream: ByteStream, _ settings: SentSettings, _ limits: TimeLimits, _ clock: HostClock) {
    self.stream = stream
    self.settings = settings
    self.limits = limits
    self.clock = clock
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
    let greeting = try await mailbox.reply()
    guard greeting.tag == "*", greeting.word == "OK" else { throw mailbox.refused(greeting) }
    if settings.tls == .starttls {
      try await mailbox.command("STARTTLS")
      try await stream.startTLS()
    }
    try await mailbox.askCapabilities()
    try await mailbox.signIn(credentials)
    try await mailbox.askCapabilities()
    return mailbox
  }

  // MARK: Messages

  /// Looks for a message in the folder.
  ///
  /// - Returns: What shows it, `Sent/17`; `nil` where it is not there.
  func find(_ messageID: String) async throws(ActionError) -> String? {
    let folder = try await sentFolder()
    let name = try MailboxReply.quoted(ModifiedUTF7.encode(folder))
    let examined = try await send("EXAMINE \(name)")
    // There is no copy where there is no folder.
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
  /// - Throws: `invalid_input` where it is of another size than it says: then nothing is stored.
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
    try await stream.write("\(tag) APPEND \(name) (\\Seen) {\(size)}\r\n")
    while true {
      let reply = try await reply()
      if reply.tag == tag { return reply }
      if reply.tag == "+" { break }
    }
    var (source, stuffing, sent) = (source, DotStuffing(stuffed: false), 0)
    while let piece = try await source.next() {
      let bytes = try stuffing.prepare(piece)
      sent += bytes.count
      guard sent <= size else { throw changed() }
      try await stream.write(bytes)
    }
    let end = stuffing.end()
    // Without all of its bytes the server drops the message.
    guard sent + end.count == size else { throw changed() }
    try await stream.write(end + [0x0D, 0x0A])
    return try await answer(to: tag, within: limits.data).status
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
    do throws(SASLError) {
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
    try await stream.write("\(tag) \(line)\r\n")
    for _ in 0..<20 {
      let reply = try await reply()
      if reply.tag == tag { return reply }
      guard reply.tag == "+" else { continue }
      let response: [UInt8]
      if let message = first {
        response = message
        first = nil
      } else {
        response = try exchange.respond(to: SASLText.decoded(reply.text))
      }
      try await stream.write(SASLText.encoded(response) + "\r\n")
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
    try await stream.write("\(tag) \(text)\r\n")
    return try await answer(to: tag, within: limits.command)
  }

  private func answer(
    to tag: String, within limit: Duration
  ) async throws(ActionError) -> (status: MailboxReply, lines: [MailboxReply]) {
    var lines: [MailboxReply] = []
    while lines.count < Self.mostLines {
      let reply = try await reply(within: limit)
      if reply.tag == tag { return (reply, lines) }
      lines.append(reply)
    }
    throw ActionError.unasked
  }

  private func reply(within limit: Duration? = nil) async throws(ActionError) -> MailboxReply {
    let stream = stream
    let line = try await clock.withTimeout(limit ?? limits.command) { () throws -> String? in
      guard var line = try await stream.readLine(limit: Self.longestLine) else { return nil }
      // A literal: so many bytes, and the line goes on behind them.
      while line.hasSuffix("}"), let open = line.lastIndex(of: "{"),
        let count = Int(line[line.index(after: open)...].dropLast())
      {
        guard count >= 0, line.utf8.count + count <= Self.longestLine else { throw ActionError.unasked }
        let text = String(decoding: try await stream.read(exactly: count), as: UTF8.self)
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        line = line[..<open] + "\"" + escaped + "\"" + (try await stream.readLine(limit: Self.longestLine) ?? "")
      }
      return line
    }
    guard let line else {
      throw ActionError(
        .io, "The mail server closed the connection.", german: "Der Mailserver hat die Verbindung geschlossen.")
    }
    return MailboxReply(line)
  }

  private func refused(_ reply: MailboxReply) -> ActionError {
    ActionError(
      .server, "\(settings.host) refuses: \(reply.words)", german: "\(settings.host) lehnt ab: \(reply.words)")
  }
}
