import MailWire
import PluginKit

extension Session {
  // MARK: Searching

  /// The UIDs of the messages that meet a condition, ascending; or by date, where the server sorts.
  ///
  /// - Parameters:
  ///   - key: The condition.
  ///   - order: Words for SORT: `DATE`, `REVERSE DATE`; `nil` for the order of UIDs.
  /// - Returns: `nil` if the server does not know the charset of the texts.
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
    // Some servers list a UID of 0, or the same one twice.
    var seen: Set<UInt32> = [0]
    found = found.filter { seen.insert($0).inserted }
    return order == nil ? found.sorted() : found
  }

  // MARK: Changing

  /// Adds or removes flags.
  ///
  /// - Returns: The new flags by UID, if the server sends them. A removed message is missing.
  func store(
    _ uids: UIDSet, _ change: String, _ flags: [String]
  ) async throws(ActionError) -> [UInt32: FetchedMessage] {
    try await stored(Command("UID STORE", "\(uids.text) \(change)FLAGS (\(flags.joined(separator: " ")))"))
  }

  /// Adds or removes a label of Gmail's.
  ///
  /// - Returns: The new labels by UID, as in ``store(_:_:_:)``.
  func storeLabel(
    _ uids: UIDSet, _ change: String, _ label: String
  ) async throws(ActionError) -> [UInt32: FetchedMessage] {
    var command = Command("UID STORE", "\(uids.text) \(change)X-GM-LABELS")
    command.astring(isUTF8 ? label : ModifiedUTF7.encode(label))
    return try await stored(command)
  }

  private func stored(_ command: Command) async throws(ActionError) -> [UInt32: FetchedMessage] {
    let (status, messages) = try await answer(to: command)
    guard status.isOK else { throw refusal(status, of: command) }
    return messages
  }

  /// Carries out a STORE and returns its status and the responses by UID.
  private func answer(
    to command: Command
  ) async throws(ActionError) -> (StatusResponse, [UInt32: FetchedMessage]) {
    var messages: [UInt32: FetchedMessage] = [:]
    let status = try await perform(command) { data throws(ActionError) in
      // A response without a UID belongs to another command (RFC 9051 §6.4.9).
      guard case .fetch(let message) = data, let uid = message.uid else { return }
      if messages[uid] == nil { messages[uid] = message } else { messages[uid]?.merge(message) }
    }
    return (status, messages)
  }

  /// Replaces the flags of messages that have not changed since a mod-sequence (RFC 7162 §3.1.3).
  ///
  /// - Returns: The messages that have changed, which keep their flags, and the new flags of the others, if the server sends them.
  func replaceFlags(
    _ uids: UIDSet, with flags: [String], unchangedSince modSeq: UInt64
  ) async throws(ActionError) -> (modified: UIDSet, stored: [UInt32: FetchedMessage]) {
    let command = Command(
      "UID STORE", "\(uids.text) (UNCHANGEDSINCE \(modSeq)) FLAGS (\(flags.joined(separator: " ")))")
    let (status, messages) = try await answer(to: command)
    if case .modified(let set)? = status.code { return (set, messages) }
    guard status.isOK else { throw refusal(status, of: command) }
    return (UIDSet(), messages)
  }

  /// Copies or moves messages.
  ///
  /// - Returns: The new UIDs in the target, if the server sends them (UIDPLUS), and how many messages have left the folder.
  func transfer(
    _ verb: String, _ uids: UIDSet, to wire: [UInt8]
  ) async throws(ActionError) -> (told: (validity: UInt32, names: [UInt32: UInt32])?, gone: Int) {
    var command = Command(verb, uids.text)
    command.mailbox(wire)
    var codes: [ResponseCode] = []
    var gone = 0
    let status = try await require(command) { data throws(ActionError) in
      gone += data.expunged
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
    return (target.map { ($0, names) }, gone)
  }

  /// Removes messages for good: marks them, and removes those and no others.
  ///
  /// - Throws: `protocol` if the server answers OK and has not removed them.
  func expunge(_ uids: [UInt32], in folder: OpenFolder) async throws(ActionError) {
    let set = UIDSet(uids)
    _ = try await store(set, "+", ["\\Deleted"])
    guard has("UIDPLUS") || has("IMAP4REV2") else {
      throw ActionError(
        .unsupported, "\(settings.host) can only remove all marked messages of a folder at once, others' as well.",
        german:
          "\(settings.host) kann nur alle markierten Nachrichten eines Ordners auf einmal entfernen, auch fremde.",
        advice: "The messages are marked as deleted; another program can remove them.",
        adviceGerman: "Die Nachrichten sind als gelöscht markiert; ein anderes Programm kann sie entfernen.")
    }
    var gone = 0
    try await require(Command("UID EXPUNGE", set.text)) { data throws(ActionError) in gone += data.expunged }
    // The server reports each removed message. If it reports fewer, the folder is checked.
    guard gone < uids.count else { return }
    let left = try await present(uids)
    guard !left.isEmpty else { return }
    throw folder.unchanged(left, "removed", german: "entfernt", by: settings.host)
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
  /// - Returns: Its UID, if the server sends it (UIDPLUS).
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
  /// - Returns: Its UID, if the server sends it (UIDPLUS).
  /// - Throws: The error of reading it; the session is broken then, as the server waits for the rest.
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

extension Untagged {
  /// How many messages the response reports as removed: EXPUNGE, or VANISHED (RFC 7162).
  var expunged: Int {
    switch self {
    case .expunge: 1
    case .vanished(let set, isEarlier: false): set.count
    default: 0
    }
  }
}

extension OpenFolder {
  /// The error for a server that answered OK and did not make the change.
  func unchanged(
    _ uids: some Collection<UInt32>, _ change: String, german: String, by host: String
  ) -> ActionError {
    let list = uids.prefix(3).map { name(of: $0) }.joined(separator: ", ") + (uids.count > 3 ? " …" : "")
    return ActionError(
      .protocol, "\(host) answered OK, and has not \(change) \(list) in '\(self.name)'.",
      german: "\(host) antwortete OK, hat aber \(list) in '\(self.name)' nicht \(german).",
      advice: "Check the rights of the account in this folder.",
      adviceGerman: "Die Rechte des Kontos in diesem Ordner prüfen.")
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
    isDamaged = isDamaged || other.isDamaged
  }
}
