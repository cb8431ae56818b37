import MailWire
import PluginKit

/// One connection to the server, used by one call at a time.
///
/// Drives ``ConnectionMachine`` over a ``ByteStream``. Whatever breaks the order of question and answer (silence, a lost
/// connection, a server that does not keep to the protocol, a call that is cancelled midway) breaks the session: it is
/// closed and not used again.
actor Session {
  /// The most bytes that may come while a command is under way, beside the messages it asks for (64 MiB). A server may send news
  /// at any time, and would keep a call busy for ever.
  static let newsLimit = 64 << 20
  /// How many times the time limit of an answer a command may take where the server keeps sending something.
  private static let patience = 20

  let settings: IMAPSettings
  let clock: HostClock
  private let stream: ByteStream
  private var reader = ResponseReader()
  /// The compression, once both sides use it.
  private var compression: (outgoing: Deflate, incoming: Inflate)?
  private(set) var machine = ConnectionMachine()
  private var completed: [String: StatusResponse] = [:]
  /// Responses that arrived while a literal waited to be sent.
  private var held: [Untagged] = []
  /// Whether it cannot be used any more.
  private(set) var isBroken = false
  /// The result of the last search, for its next page.
  private var listing: SearchListing?
  /// Bytes that came from the server.
  private(set) var bytesReceived = 0
  /// The same, decompressed.
  private(set) var bytesRead = 0

  init(_ stream: ByteStream, settings: IMAPSettings, clock: HostClock) {
    self.stream = stream
    self.settings = settings
    self.clock = clock
  }

  func has(_ capability: String) -> Bool { machine.has(capability) }

  /// Ends the connection without a word.
  func abandon() {
    isBroken = true
    stream.close()
  }

  // MARK: Commands

  /// Sends a command and waits for its end.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - purpose: The state change of its success.
  ///   - handler: Gets the untagged data that comes before the end.
  /// - Returns: How it ended, `NO` and `BAD` as well.
  /// - Throws: The error that broke the session, or the error of the handler.
  func perform(
    _ command: Command, _ purpose: ConnectionMachine.Purpose = .plain,
    _ handler: (Untagged) throws(ActionError) -> Void = { _ throws(ActionError) in }
  ) async throws(ActionError) -> StatusResponse {
    let tag = try await send(command, purpose)
    return try await finish(tag, handler)
  }

  /// Sends a command that has to succeed.
  ///
  /// - Throws: As ``perform(_:_:_:)``; what `NO` and `BAD` mean.
  @discardableResult
  func require(
    _ command: Command, _ purpose: ConnectionMachine.Purpose = .plain,
    _ handler: (Untagged) throws(ActionError) -> Void = { _ throws(ActionError) in }
  ) async throws(ActionError) -> StatusResponse {
    let status = try await perform(command, purpose, handler)
    guard status.isOK else { throw refusal(status, of: command) }
    return status
  }

  /// Sends commands one behind the other without waiting for each, some of them on their way at a time.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - limit: The most bytes of messages that they ask for.
  ///   - handler: Gets the untagged data.
  /// - Returns: The tagged response of each command, also `NO` and `BAD`.
  /// - Throws: As ``perform(_:_:_:)``.
  func perform(
    pipelined commands: [Command], upTo limit: Int = 0, _ handler: (Untagged) throws(ActionError) -> Void
  ) async throws(ActionError) -> [StatusResponse] {
    var sent: ArraySlice<String> = []
    var statuses: [StatusResponse] = []
    for command in commands {
      if sent.count == 3, let first = sent.popFirst() { statuses.append(try await finish(first, upTo: limit, handler)) }
      sent.append(try await send(command))
    }
    while let next = sent.popFirst() { statuses.append(try await finish(next, upTo: limit, handler)) }
    return statuses
  }

  /// Sends a command and does not wait for its end.
  func send(
    _ command: Command, _ purpose: ConnectionMachine.Purpose = .plain
  ) async throws(ActionError) -> String {
    let tag = machine.begin(purpose)
    for chunk in command.encoded(tag: tag, literals: machine.literalForm) {
      if chunk.awaitsContinuation {
        machine.awaitContinuation()
        // The server may refuse the command instead of asking for the rest.
        guard try await continuation(or: tag) != nil else { break }
      }
      try await write(chunk.bytes)
    }
    return tag
  }

  /// Waits for the end of a command.
  ///
  /// - Parameters:
  ///   - tag: Its tag.
  ///   - limit: The most bytes of messages that it asks for.
  ///   - handler: Gets the untagged data.
  /// - Throws: `protocol` where much more comes; the error of the handler.
  func finish(
    _ tag: String, upTo limit: Int = 0, _ handler: (Untagged) throws(ActionError) -> Void
  ) async throws(ActionError) -> StatusResponse {
    let early = held
    held = []
    let end = bytesRead + limit + Self.newsLimit
    let begin = Begin(at: clock.monotonic, bytes: bytesRead)
    var count = 0
    do throws(ActionError) {
      for data in early { try handler(data) }
      while true {
        if let status = completed.removeValue(forKey: tag) {
          return status
        }
        guard bytesRead <= end else { throw tooMuch }
        count += 1
        if count % 16 == 0 { try checkPatience(begin) }
        switch try await event(within: settings.commandTimeout) {
        case .untagged(let data): try handler(data)
        case .completion(let tag, let status): completed[tag] = status
        case .greeting, .continuation, .bye: break
        }
      }
    } catch {
      // An answer that was not read to its end would be taken for that of the next question.
      abandon()
      throw error
    }
  }

  /// Waits for the server to ask for more; `nil` if it ends the command instead.
  func continuation(or tag: String) async throws(ActionError) -> String? {
    // Responses that arrive meanwhile are stored.
    let end = bytesRead + Self.newsLimit / 8
    let begin = Begin(at: clock.monotonic, bytes: bytesRead)
    while completed[tag] == nil {
      do throws(ActionError) {
        guard bytesRead <= end else { throw tooMuch }
        try checkPatience(begin)
      } catch {
        abandon()
        throw error
      }
      switch try await event(within: settings.commandTimeout) {
      case .continuation(let text): return text
      case .untagged(let data): held.append(data)
      case .completion(let tag, let status): completed[tag] = status
      case .greeting, .bye: break
      }
    }
    return nil
  }

  /// When a command began to be waited for.
  private struct Begin {
    var at: Duration
    var bytes: Int
  }

  /// - Throws: `timeout` where the server has long been sending, and little: at least a KiB in each further second.
  private func checkPatience(_ begin: Begin) throws(ActionError) {
    let limit = settings.commandTimeout * Self.patience + .seconds((bytesRead - begin.bytes) >> 10)
    guard clock.monotonic - begin.at <= limit else { throw stalling }
  }

  /// Whether a command has not ended yet.
  func isIdling(_ tag: String) -> Bool { completed[tag] == nil }

  /// Notes the end of a command.
  func note(_ tag: String, _ status: StatusResponse) { completed[tag] = status }

  /// The first piece of news that came while something else was waited for.
  func takeHeld() -> Untagged? { held.isEmpty ? nil : held.removeFirst() }

  /// Notes that the server is to ask before the next line is sent.
  func awaitContinuation() { machine.awaitContinuation() }

  func write(_ bytes: [UInt8]) async throws(ActionError) {
    do {
      let stream = stream
      let bytes = try compression?.outgoing.compress(bytes) ?? bytes
      try await clock.withTimeout(settings.commandTimeout) { try await stream.write(bytes) }
    } catch {
      abandon()
      throw error.kind == .timeout ? silence : error
    }
  }

  // MARK: Responses

  /// The next news of the server.
  ///
  /// - Throws: `timeout` where no response is complete within a time: single bytes now and then do not count, as long as
  ///   they are few. After that and any other error the session is broken.
  func event(within timeout: Duration) async throws(ActionError) -> ConnectionMachine.Event {
    do throws(ActionError) {
      var deadline = clock.monotonic + timeout
      var received = 0
      while true {
        if let event = try buffered() {
          if case .bye(let status) = event, !machine.isLeaving { throw ended(status) }
          return event
        }
        let left = deadline - clock.monotonic
        guard left > .zero, !isBroken else { throw silence }
        let piece = try await piece(within: left)
        read(piece)
        received += piece.count
        if received > 1 << 16 {
          received = 0
          deadline = clock.monotonic + timeout
        }
      }
    } catch {
      abandon()
      throw error
    }
  }

  /// Waits for news without asking for any, and leaves the session whole if none comes.
  ///
  /// - Returns: `nil` if the time is over.
  func news(within timeout: Duration) async throws(ActionError) -> ConnectionMachine.Event? {
    do throws(ActionError) {
      if let event = try buffered() {
        if case .bye(let status) = event { throw ended(status) }
        return event
      }
      do {
        read(try await piece(within: timeout))
      } catch  where error.kind == .timeout {
        return nil
      }
    } catch {
      abandon()
      throw error
    }
    return try await event(within: settings.commandTimeout)
  }

  private func read(_ piece: [UInt8]) {
    reader.append(piece)
    bytesRead += piece.count
  }

  private func piece(within timeout: Duration) async throws(ActionError) -> [UInt8] {
    let stream = stream
    let deadline = clock.monotonic + timeout
    var left = timeout
    while true {
      if let piece = try decompressed() { return piece }
      guard left > .zero else { throw silence }
      do throws(ActionError) {
        guard let piece = try await clock.withTimeout(left, { try await stream.read(upTo: 256 << 10) }) else {
          throw lost
        }
        bytesReceived += piece.count
        guard let compression else { return piece }
        compression.incoming.append(piece)
      } catch {
        throw error.kind == .timeout ? silence : error
      }
      left = deadline - clock.monotonic
    }
  }

  private func decompressed() throws(ActionError) -> [UInt8]? {
    do throws(ProtocolFault) { return try compression?.incoming.next() } catch {
      throw ActionError(error, host: settings.host)
    }
  }

  private func buffered() throws(ActionError) -> ConnectionMachine.Event? {
    do {
      guard let bytes = try reader.next() else { return nil }
      return try machine.receive(try ResponseParser.parse(bytes))
    } catch {
      throw ActionError(error, host: settings.host)
    }
  }

  // MARK: TLS and state

  /// Encrypts the connection, which has to have nothing left to read.
  func startTLS() async throws(ActionError) {
    guard reader.isEmpty else {
      abandon()
      throw plainTextBeforeTLS
    }
    let stream = stream
    do {
      try await clock.withTimeout(settings.connectTimeout) { try await stream.startTLS() }
    } catch {
      abandon()
      throw error
    }
    machine.startedTLS()
  }

  func forgetCapabilities() { machine.forgetCapabilities() }

  /// Compresses what goes both ways from here on (RFC 4978), where the server agrees.
  func compress() async throws(ActionError) {
    guard compression == nil, try await perform(Command("COMPRESS", "DEFLATE")).isOK else { return }
    do {
      compression = (try Deflate(), try Inflate(reader.takeRest()))
    } catch {
      abandon()
      throw error
    }
  }

  /// The state that a mailbox is in, or `nil` if none is open.
  var mailbox: ConnectionMachine.Mailbox? { machine.mailbox }

  /// The result of an earlier search, unless messages have arrived since.
  func listing(_ query: MailQuery, isNewestFirst: Bool) -> SearchListing? {
    guard let listing, let mailbox, listing.query == query, listing.isNewestFirst == isNewestFirst,
      listing.mailbox.name == mailbox.name, listing.mailbox.uidValidity == mailbox.uidValidity,
      listing.mailbox.arrivals == mailbox.arrivals
    else { return nil }
    return listing
  }

  func keep(_ listing: SearchListing) { self.listing = listing }
}
