import MailWire
import PluginKit

extension Session {
  /// How many messages one FETCH is for.
  private static let fetchSize = 400
  /// The most bytes that the answers of one call may have together, where nobody says otherwise (128 MiB).
  private static let fetchLimit = 128 << 20

  // MARK: Searching

  /// The UIDs of the messages that meet a condition, ascending; or by date, where the server sorts.
  ///
  /// - Parameters:
  ///   - key: The condition.
  ///   - order: Words for SORT: `DATE`, `REVERSE DATE`; `nil` for the order of UIDs.
  /// - Returns: `nil` where the server does not know the charset of the texts.
  func search(_ key: SearchKey, order: String? = nil) async throws(ActionError) -> [UInt32]? {
    var command: Command
    if let order {
      command = Command("UID SORT", "(\(order)) \(key.isInternational ? "UTF-8" : "US-ASCII")")
    } else {
      command = Command("UID SEARCH", has("ESEARCH") || has("IMAP4REV2") ? "RETURN (ALL)" : "")
      if key.isInternational, !isUTF8 { command.word("CHARSET UTF-8") }
    }
    command.search(key)
    var found: [UInt32] = []
    let host = settings.host
    let status = try await perform(command) { data throws(ActionError) in
      switch data {
      case .search(let uids): found += uids
      case .extendedSearch(let result):
        do throws(ProtocolFault) { found += try result.all.expanded() } catch { throw ActionError(error, host: host) }
      default: break
      }
    }
    if status.condition == .no, key.isInternational,
      status.code?.name == "BADCHARSET" || status.text.lowercased().contains("charset")
    {
      return nil
    }
    guard status.isOK else { throw refusal(status, of: command) }
    return order == nil ? found.sorted() : found
  }

  // MARK: Fetching

  /// Of how many messages something is made at a time.
  private static let partSize = 64

  /// Fetches items of messages; several hundred a command, several commands on their way.
  ///
  /// - Parameters:
  ///   - uids: The messages.
  ///   - items: What is wanted, `FLAGS RFC822.SIZE`; the UID comes with it.
  ///   - limit: The most bytes that may come for it.
  /// - Returns: What came, by UID. Messages that are gone are missing.
  /// - Throws: `protocol` where the server sends more than that.
  func fetch(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit
  ) async throws(ActionError) -> [UInt32: FetchedMessage] {
    var messages: [UInt32: FetchedMessage] = [:]
    try await fetch(uids, items, limit: limit) { uid, message in
      if messages[uid] == nil { messages[uid] = message } else { messages[uid]?.merge(message) }
    }
    return messages
  }

  /// Fetches items of messages, and makes something of them on another thread while the server is still sending others.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the first response for a message has all that is wanted; else it is put together with others.
  ///   - make: Makes something of such a response.
  /// - Returns: What was made, and what came of the other messages, by UID.
  /// - Throws: `protocol` where the server sends more than the limit.
  func fetch<Output: Sendable>(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit, where isWhole: (FetchedMessage) -> Bool,
    _ make: @escaping @Sendable (FetchedMessage, UInt32) -> Output
  ) async throws(ActionError) -> (made: [UInt32: Output], rest: [UInt32: FetchedMessage]) {
    typealias Part = [(uid: UInt32, message: FetchedMessage)]
    var rest: [UInt32: FetchedMessage] = [:]
    let result: Result<[UInt32: Output], ActionError> = await withTaskGroup(of: [(UInt32, Output)].self) { group in
      var whole = Set<UInt32>()
      var part: Part = []
      func finishPart() {
        let finished = part
        part = []
        if !finished.isEmpty { group.addTask { finished.map { ($0.uid, make($0.message, $0.uid)) } } }
      }
      do throws(ActionError) {
        try await fetch(uids, items, limit: limit) { uid, message in
          guard !whole.contains(uid) else { return }
          guard rest[uid] == nil, isWhole(message) else {
            if rest[uid] == nil { rest[uid] = message } else { rest[uid]?.merge(message) }
            return
          }
          whole.insert(uid)
          part.append((uid, message))
          if part.count == Self.partSize { finishPart() }
        }
      } catch {
        return .failure(error)
      }
      finishPart()
      var made: [UInt32: Output] = [:]
      for await outputs in group {
        for (uid, output) in outputs { made[uid] = output }
      }
      return .success(made)
    }
    return (try result.get(), rest)
  }

  /// Fetches items of messages and gives what comes of them, in the order of the server.
  private func fetch(
    _ uids: [UInt32], _ items: String, limit: Int, _ take: (UInt32, FetchedMessage) -> Void
  ) async throws(ActionError) {
    guard !uids.isEmpty else { return }
    var commands: [Command] = []
    for start in stride(from: 0, to: uids.count, by: Self.fetchSize) {
      let set = UIDSet(uids[start..<min(start + Self.fetchSize, uids.count)])
      commands.append(Command("UID FETCH", "\(set.text) (UID \(items))"))
    }
    let wanted = Set(uids)
    let host = settings.host
    var size = 0
    try await require(pipelined: commands, upTo: limit) { data throws(ActionError) in
      guard case .fetch(let message) = data else { return }
      size += message.byteCount
      guard size <= limit else { throw ActionError(ProtocolFault(.tooLarge, "what it sends of messages"), host: host) }
      guard let uid = message.uid, wanted.contains(uid) else { return }
      take(uid, message)
    }
  }

  /// One piece of a section of a message.
  ///
  /// - Parameter isDecoded: Whether the server is to take the transfer encoding off (BINARY, RFC 3516); the piece is one of what
  ///   comes of that.
  /// - Returns: `nil` where the message is gone or has no such section; fewer bytes than asked for at the end. Whether the
  ///   server sent the whole section, as it does not know pieces.
  /// - Throws: `protocol` where bytes behind the first piece do not say where they begin.
  func piece(
    of uid: UInt32, section: String, from offset: Int, count: Int, isDecoded: Bool = false
  ) async throws(ActionError) -> (bytes: ArraySlice<UInt8>, isWhole: Bool)? {
    let item = "\(isDecoded ? "BINARY" : "BODY").PEEK[\(section)]<\(offset).\(count)>"
    guard let message = try await fetch([uid], item)[uid] else { return nil }
    guard let found = message.sections.first(where: { $0.origin == offset || $0.origin == nil }) else { return nil }
    // Behind the end some servers say NIL.
    guard let content = found.content ?? (offset > 0 ? [] : nil) else { return nil }
    let isWhole = found.origin == nil
    // Behind a piece nobody knows what bytes without a place are, and to leave them out would cut the part off.
    guard !isWhole || offset == 0 || content.isEmpty else {
      throw ActionError(
        ProtocolFault(.syntax, "a piece of a message that does not say where it begins"), host: settings.host)
    }
    return (content, isWhole)
  }

  // MARK: Changing

  /// Adds or removes flags.
  func store(_ uids: UIDSet, _ change: String, _ flags: [String]) async throws(ActionError) {
    try await require(Command("UID STORE", "\(uids.text) \(change)FLAGS.SILENT (\(flags.joined(separator: " ")))"))
  }

  /// Replaces the flags of messages that have not changed since a mod-sequence (RFC 7162 §3.1.3).
  ///
  /// - Returns: Those that have, and were left alone.
  func replaceFlags(
    _ uids: UIDSet, with flags: [String], unchangedSince modSeq: UInt64
  ) async throws(ActionError) -> UIDSet {
    let command = Command(
      "UID STORE", "\(uids.text) (UNCHANGEDSINCE \(modSeq)) FLAGS.SILENT (\(flags.joined(separator: " ")))")
    let status = try await perform(command)
    if case .modified(let set)? = status.code { return set }
    guard status.isOK else { throw refusal(status, of: command) }
    return UIDSet()
  }

  /// Copies or moves messages.
  ///
  /// - Returns: Where each is now, in the target, where the server says so (UIDPLUS).
  func transfer(
    _ verb: String, _ uids: UIDSet, to wire: [UInt8]
  ) async throws(ActionError) -> (validity: UInt32, names: [UInt32: UInt32])? {
    var command = Command(verb, uids.text)
    command.mailbox(wire)
    var codes: [ResponseCode] = []
    let status = try await require(command) { data throws(ActionError) in
      // MOVE says it before the messages go (RFC 6851 §4.3).
      if case .status(let status) = data, let code = status.code { codes.append(code) }
    }
    if let code = status.code { codes.append(code) }
    var names: [UInt32: UInt32] = [:]
    var target: UInt32?
    for case .copyUID(let validity, let from, let to) in codes {
      guard let from = try? from.expanded(), let to = try? to.expanded(), from.count == to.count else { continue }
      target = validity
      for (old, new) in zip(from, to) { names[old] = new }
    }
    return target.map { ($0, names) }
  }

  /// Removes messages for good: marks them, and removes those and no others.
  func expunge(_ uids: UIDSet) async throws(ActionError) {
    try await store(uids, "+", ["\\Deleted"])
    guard has("UIDPLUS") || has("IMAP4REV2") else {
      throw ActionError(
        .unsupported, "\(settings.host) can only remove all marked messages of a folder at once, others' as well.",
        german:
          "\(settings.host) kann nur alle markierten Nachrichten eines Ordners auf einmal entfernen, auch fremde.",
        advice: "The messages are marked as deleted; another program can remove them.",
        adviceGerman: "Die Nachrichten sind als gelöscht markiert; ein anderes Programm kann sie entfernen.")
    }
    try await require(Command("UID EXPUNGE", uids.text))
  }

  /// The command that stores messages, all of them or none (RFC 3502); one alone every server takes.
  func appending(_ messages: [NewMessage], to wire: [UInt8]) -> Command {
    var command = Command("APPEND")
    command.mailbox(wire)
    for message in messages {
      if !message.flags.isEmpty { command.word("(\(message.flags.joined(separator: " ")))") }
      if let received = message.received { command.word("\"\(SearchDay.dateTime(received))\"") }
      let isBeyondASCII = message.bytes.prefix(64 << 10).contains { $0 >= 0x80 }
      if isUTF8 && isBeyondASCII && machine.enabled.contains("UTF8=ACCEPT") {
        // Headers in UTF-8 (RFC 6855 §4).
        command.word("UTF8 (")
        command.binaryLiteral(message.bytes)
        command.raw(")")
      } else {
        command.literal(message.bytes)
      }
    }
    return command
  }

  /// Stores a message.
  ///
  /// - Returns: What it is called, where the server says so (UIDPLUS).
  func append(
    _ message: [UInt8], to wire: [UInt8], flags: [String], received: Int? = nil
  ) async throws(ActionError) -> (validity: UInt32, uid: UInt32)? {
    let command = appending([NewMessage(bytes: message, flags: flags, received: received)], to: wire)
    return try await appended(try await send(command), command)
  }

  /// Stores a message that is written while it goes out, so that it is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - source: Its bytes, ASCII in the header.
  ///   - size: How many they are.
  ///   - wire: The folder.
  ///   - flags: Its flags.
  ///   - received: When it was received, in seconds since 1970; now where absent.
  /// - Returns: What it is called, where the server says so (UIDPLUS).
  /// - Throws: What reading it throws; the session is broken then, as the server waits for the rest.
  func append(
    _ source: some MessageSource, size: Int, to wire: [UInt8], flags: [String], received: Int? = nil
  ) async throws(ActionError) -> (validity: UInt32, uid: UInt32)? {
    var command = Command("APPEND")
    command.mailbox(wire)
    if !flags.isEmpty { command.word("(\(flags.joined(separator: " ")))") }
    if let received { command.word("\"\(SearchDay.dateTime(received))\"") }
    let isImmediate = machine.literalForm == .immediate
    command.word("{\(size)\(isImmediate ? "+" : "")}")
    let tag = try await send(command)
    if !isImmediate {
      awaitContinuation()
      guard try await continuation(or: tag) != nil else { return try await appended(tag, command) }
    }
    do throws(ActionError) {
      var source = source
      var left = size
      while let piece = try await source.next() {
        left -= piece.count
        guard left >= 0 else { throw Self.changed }
        try await write(piece)
      }
      guard left == 0 else { throw Self.changed }
      try await write([0x0D, 0x0A])
    } catch {
      abandon()
      throw error
    }
    return try await appended(tag, command)
  }

  private func appended(_ tag: String, _ command: Command) async throws(ActionError) -> (validity: UInt32, uid: UInt32)?
  {
    let status = try await finish(tag) { _ throws(ActionError) in }
    guard status.isOK else { throw refusal(status, of: command) }
    guard case .appendUID(let validity, let set)? = status.code, let uid = set.ranges.first?.lowerBound else {
      return nil
    }
    return (validity, uid)
  }

  private static var changed: ActionError {
    ActionError(
      .invalidInput, "A file has changed while the message was stored.",
      german: "Eine Datei hat sich geändert, während die Nachricht abgelegt wurde.")
  }
}

/// A message to store.
struct NewMessage: Sendable {
  var bytes: [UInt8]
  var flags: [String]
  /// When it was received, in seconds since 1970; now where absent.
  var received: Int?
}

extension FetchedMessage {
  /// Takes what another response says of the same message.
  mutating func merge(_ other: FetchedMessage) {
    if let flags = other.flags { self.flags = flags }
    if let size = other.size { self.size = size }
    if let date = other.internalDate { internalDate = date }
    if let structure = other.structure { self.structure = structure }
    if let labels = other.gmailLabels { gmailLabels = labels }
    if let thread = other.gmailThread { gmailThread = thread }
    if let modSeq = other.modSeq { self.modSeq = modSeq }
    sections += other.sections
  }
}
