import Mail
import MailWire
import PluginKit

/// Reads the wanted fields of messages in an open folder.
///
/// If the server cannot describe a message, the loader fetches all of it and parses it. A message that the server does not send is
/// reported beside the others.
struct MessageLoader: Sendable {
  /// Messages up to this size are read whole where their text is wanted, in bytes (512 KiB).
  static let wholeLimit = 512 << 10
  /// The most bytes of one text that are read of a larger message.
  static let textLimit = 256 << 10
  /// The most bytes of messages that one batch reads (16 MiB).
  static let batchLimit = 16 << 20
  /// The most bytes that are fetched of a message that the server cannot describe (32 MiB). A longer message is cut.
  static let undescribedLimit = 32 << 20

  /// The result of reading messages.
  struct Loaded<Output: Sendable>: Sendable {
    /// The outputs, in the order of the request. Removed messages are missing.
    var outputs: [Output] = []
    /// The messages that exist and that the server does not send.
    var unreadable: [UnreadableMessage] = []
  }

  /// The result of reading one message.
  private enum Outcome {
    case content(MessageContent)
    case unreadable(ActionError)
    /// The message was removed.
    case gone
  }

  let session: Session
  let folder: OpenFolder

  /// Reads messages.
  ///
  /// - Returns: The messages in the order of the request. Removed messages are missing.
  func load(_ uids: [UInt32], _ wanted: FetchFields) async throws(ActionError) -> Loaded<MessageContent> {
    try await load(uids, wanted) { $0 }
  }

  /// Reads one message.
  ///
  /// - Throws: `not_found` if the message was removed; the server's refusal.
  func loadOne(_ uid: UInt32, _ wanted: FetchFields) async throws(ActionError) -> MessageContent {
    let loaded = try await load([uid], wanted)
    if let error = loaded.unreadable.first?.error { throw error }
    guard let content = loaded.outputs.first else { throw folder.notFound([uid]) }
    return content
  }

  /// Reads messages, and processes each one while the server is still sending others.
  ///
  /// - Returns: The outputs of `make` in the order of the request. Removed messages are missing.
  func load<Output: Sendable>(
    _ uids: [UInt32], _ wanted: FetchFields, _ make: @escaping @Sendable (MessageContent) -> Output
  ) async throws(ActionError) -> Loaded<Output> {
    if wanted.text { return arrange(uids, [:], try await texts(uids, wanted), make) }
    let items = await items(wanted)
    let (made, rest) = try await session.fetch(uids, items, where: wanted.isMet) { message, uid in
      make(content(message, uid, wanted))
    }
    var outcomes: [UInt32: Outcome] = [:]
    var others: [UInt32] = []
    for uid in uids where made[uid] == nil {
      if let message = rest.messages[uid], wanted.isDescribed(by: message) {
        outcomes[uid] = .content(content(message, uid, wanted))
      } else {
        others.append(uid)
      }
    }
    try await readWhole(others, rest, &outcomes)
    return arrange(uids, made, outcomes, make)
  }

  private func arrange<Output: Sendable>(
    _ uids: [UInt32], _ made: [UInt32: Output], _ outcomes: [UInt32: Outcome], _ make: (MessageContent) -> Output
  ) -> Loaded<Output> {
    var loaded = Loaded<Output>()
    for uid in uids {
      if let output = made[uid] {
        loaded.outputs.append(output)
        continue
      }
      switch outcomes[uid] {
      case .content(let content): loaded.outputs.append(make(content))
      case .unreadable(let error): loaded.unreadable.append(UnreadableMessage(uid: folder.name(of: uid), error: error))
      case .gone, nil: break
      }
    }
    return loaded
  }

  private func items(_ wanted: FetchFields) async -> String {
    wanted.items(isGmail: await session.has("X-GM-EXT-1"), isNumbered: folder.mailbox.highestModSeq != nil)
  }

  // MARK: Texts

  private func texts(_ uids: [UInt32], _ wanted: FetchFields) async throws(ActionError) -> [UInt32: Outcome] {
    let listed = try await session.fetchAvailable(uids, await items(wanted))
    var outcomes: [UInt32: Outcome] = [:]
    // Messages whose text has to be fetched whole.
    var others = uids.filter { listed.messages[$0] == nil }
    var large: [UInt32] = []
    for batch in Self.batches(uids.compactMap { uid in listed.messages[uid].map { (uid, $0) } }) {
      // The stated sizes are untrusted.
      let bodies = try await session.fetchAvailable(
        batch.map(\.0), "BODY.PEEK[]<0.\(Self.wholeLimit + 1)>", limit: 2 * Self.batchLimit
      ).messages
      for (uid, message) in batch {
        guard let body = bodies[uid]?.section("") else {
          others.append(uid)
          continue
        }
        guard body.count <= Self.wholeLimit else {
          large.append(uid)
          continue
        }
        outcomes[uid] = .content(
          MessageContent(facts(message, uid, size: body.count), Message(parsing: Array(body))))
      }
    }
    large += uids.filter { listed.messages[$0]?.size ?? 0 > Self.wholeLimit }
    for uid in large {
      guard let message = listed.messages[uid] else { continue }
      if let content = try await self.large(message, uid) {
        outcomes[uid] = .content(content)
      } else {
        others.append(uid)
      }
    }
    try await readWhole(others, listed, &outcomes)
    return outcomes
  }

  /// Small messages in groups of at most ``batchLimit`` bytes.
  ///
  /// A message without a size, or with a size of 0, counts as ``wholeLimit``.
  static func batches(_ messages: [(UInt32, FetchedMessage)]) -> [[(UInt32, FetchedMessage)]] {
    var batches: [[(UInt32, FetchedMessage)]] = []
    var batch: [(UInt32, FetchedMessage)] = []
    var size = 0
    for (uid, message) in messages {
      let stated = message.size ?? 0
      guard stated <= wholeLimit else { continue }
      let bytes = stated > 0 ? stated : wholeLimit
      if !batch.isEmpty, size + bytes > batchLimit {
        batches.append(batch)
        (batch, size) = ([], 0)
      }
      size += bytes
      batch.append((uid, message))
    }
    if !batch.isEmpty { batches.append(batch) }
    return batches
  }

  /// Reads the header and texts of a large message, without its files; `nil` if the server does not describe the message.
  private func large(_ message: FetchedMessage, _ uid: UInt32) async throws(ActionError) -> MessageContent? {
    guard let structure = message.structure else { return nil }
    let outline = BodyOutline(structure)
    guard !outline.hasOpaqueParts else { return nil }
    let parts = outline.textParts.prefix(8)
    let items = ["BODY.PEEK[HEADER]"] + parts.map { "BODY.PEEK[\($0.number)]<0.\(Self.textLimit)>" }
    guard let fetched = try await session.fetchAvailable([uid], items.joined(separator: " ")).messages[uid],
      let header = fetched.section("HEADER")
    else { return nil }
    var contents: [String: ArraySlice<UInt8>] = [:]
    for part in parts { contents[part.number] = fetched.section(part.number) }
    let parsed = outline.message(header: header, contents: contents)
    return MessageContent(
      facts(message, uid), parsed, attachments: outline.attachments(of: parsed),
      isTextCut: parts.contains { $0.size > Self.textLimit })
  }

  // MARK: Messages that the server cannot describe

  /// Fetches a message with all its bytes, up to ``undescribedLimit``.
  ///
  /// - Throws: `not_found` if the message was removed; the server's refusal.
  func whole(_ uid: UInt32) async throws(ActionError) -> MessageContent {
    var outcomes: [UInt32: Outcome] = [:]
    try await readWhole([uid], Fetched(), &outcomes)
    switch outcomes[uid] {
    case .content(let content): return content
    case .unreadable(let error): throw error
    case .gone, nil: throw folder.notFound([uid])
    }
  }

  /// Fetches messages with all their bytes, one at a time, and adds the outcome of each.
  ///
  /// - Parameter known: Earlier responses and refusals for these messages.
  private func readWhole(
    _ uids: [UInt32], _ known: Fetched, _ outcomes: inout [UInt32: Outcome]
  ) async throws(ActionError) {
    guard !uids.isEmpty else { return }
    // An earlier FETCH does not distinguish removed messages from those that the server left out.
    let present = Set(try await session.present(uids))
    let labels = await session.has("X-GM-EXT-1") ? " X-GM-LABELS" : ""
    for uid in uids where outcomes[uid] == nil {
      guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
      guard present.contains(uid) else {
        outcomes[uid] = .gone
        continue
      }
      let fetched = try await session.fetchAvailable(
        [uid], "FLAGS INTERNALDATE\(labels) BODY.PEEK[]<0.\(Self.undescribedLimit)>", limit: 2 * Self.undescribedLimit)
      var message = known.messages[uid] ?? FetchedMessage(sequenceNumber: 0)
      if let more = fetched.messages[uid] { message.merge(more) }
      if fetched.refused[uid] == nil, let body = fetched.messages[uid]?.section("") {
        outcomes[uid] = .content(
          MessageContent(
            facts(message, uid, size: body.count), Message(parsing: Array(body)),
            isTextCut: body.count >= Self.undescribedLimit))
      } else if let refusal = fetched.refused[uid] ?? known.refused[uid] {
        outcomes[uid] = .unreadable(refusal.about(folder.name(of: uid)))
      } else if try await session.present([uid]).isEmpty {
        outcomes[uid] = .gone
      } else {
        outcomes[uid] = .unreadable(folder.leftOut(uid, by: session.settings.host))
      }
    }
  }

  // MARK: Contents

  private func content(_ fetched: FetchedMessage, _ uid: UInt32, _ wanted: FetchFields) -> MessageContent {
    let header = fetched.sections.first { $0.name == "HEADER" || $0.name == "HEADER.FIELDS" }?.content ?? []
    if wanted.structure, let structure = fetched.structure {
      let outline = BodyOutline(structure)
      let parsed = outline.message(header: header)
      return MessageContent(facts(fetched, uid), parsed, attachments: outline.attachments(of: parsed))
    }
    guard wanted.header != .none else { return MessageContent(facts(fetched, uid)) }
    return MessageContent(facts(fetched, uid), Message(parsing: Array(header)), isHeaderOnly: true)
  }

  private func facts(_ fetched: FetchedMessage, _ uid: UInt32, size: Int? = nil) -> MessageFacts {
    var (flags, labels) = MailFlag.sorted(
      (fetched.flags ?? []).filter { $0.utf8.count != 7 || $0.lowercased() != "\\recent" })
    if let gmail = fetched.gmailLabels { labels = gmail.map(GmailLabel.name) }
    flags.sort()
    var stated = fetched.size ?? size ?? 0
    // Some servers state 0 for a message that has bytes.
    if stated == 0, let size { stated = size }
    return MessageFacts(
      uid: folder.name(of: uid), folder: folder.name, flags: flags, labels: labels,
      received: fetched.internalDate,
      size: stated, thread: fetched.gmailThread.map { "gmail:\($0)" },
      modSeq: fetched.modSeq.map { Int64(clamping: $0) })
  }
}

extension OpenFolder {
  /// The error for a message that exists in the folder and is missing in the server's answer.
  func leftOut(_ uid: UInt32, by host: String) -> ActionError {
    ActionError(
      .protocol, "\(host) has message \(name(of: uid)) and leaves it out of its answer.",
      german: "\(host) hat die Nachricht \(name(of: uid)) und lässt sie in der Antwort aus.",
      advice: "Open the message in another mail program, or remove it.",
      adviceGerman: "Die Nachricht in einem anderen Mailprogramm öffnen oder entfernen.")
  }
}

/// Labels as Gmail writes them.
enum GmailLabel {
  /// The name of a label: modified UTF-7, system labels with a backslash.
  static func name(_ wire: String) -> String { ModifiedUTF7.decode(wire) ?? wire }
}
