import Mail
import MailWire
import PluginKit

/// Reads messages of an open folder as far as they are wanted.
struct MessageLoader: Sendable {
  /// Messages up to this size are read whole where their text is wanted, in bytes (512 KiB).
  static let wholeLimit = 512 << 10
  /// The most bytes of one text that are read of a larger message.
  static let textLimit = 256 << 10
  /// The most bytes of messages that one batch reads (16 MiB).
  static let batchLimit = 16 << 20

  let session: Session
  let folder: OpenFolder

  /// Reads messages.
  ///
  /// - Returns: The messages in the order asked for; those that are gone are missing.
  func load(_ uids: [UInt32], _ wanted: Wanted) async throws(ActionError) -> [MessageContent] {
    try await load(uids, wanted) { $0 }
  }

  /// Reads messages, and makes something of each while the server is still sending others.
  ///
  /// - Returns: What was made of the messages, in the order asked for; those that are gone are missing.
  func load<Output: Sendable>(
    _ uids: [UInt32], _ wanted: Wanted, _ make: @escaping @Sendable (MessageContent) -> Output
  ) async throws(ActionError) -> [Output] {
    guard !wanted.text else { return try await texts(uids, wanted).map(make) }
    let items = await items(wanted)
    let (made, rest) = try await session.fetch(uids, items, where: wanted.isMet) { message, uid in
      make(content(message, uid, wanted))
    }
    return uids.compactMap { uid in made[uid] ?? rest[uid].map { make(content($0, uid, wanted)) } }
  }

  private func items(_ wanted: Wanted) async -> String {
    wanted.items(isGmail: await session.has("X-GM-EXT-1"), isNumbered: folder.mailbox.highestModSeq != nil)
  }

  private func texts(_ uids: [UInt32], _ wanted: Wanted) async throws(ActionError) -> [MessageContent] {
    let listed = try await session.fetch(uids, await items(wanted))
    var contents: [UInt32: MessageContent] = [:]
    for batch in batches(uids.compactMap { uid in listed[uid].map { (uid, $0) } }) {
      // What the server has said of their sizes is not relied upon.
      let bodies = try await session.fetch(
        batch.map(\.0), "BODY.PEEK[]<0.\(Self.wholeLimit + 1)>", limit: 2 * Self.batchLimit)
      for (uid, message) in batch {
        guard let body = bodies[uid]?.section("") else { continue }
        guard body.count <= Self.wholeLimit else {
          contents[uid] = try await large(message, uid)
          continue
        }
        contents[uid] = MessageContent(facts(message, uid, size: body.count), Message(parsing: Array(body)))
      }
    }
    for uid in uids {
      if let message = listed[uid], message.size ?? 0 > Self.wholeLimit {
        contents[uid] = try await large(message, uid)
      }
    }
    return uids.compactMap { contents[$0] }
  }

  /// Small messages in groups of which each fits into memory.
  private func batches(_ messages: [(UInt32, FetchedMessage)]) -> [[(UInt32, FetchedMessage)]] {
    var batches: [[(UInt32, FetchedMessage)]] = []
    var size = Self.batchLimit
    for (uid, message) in messages {
      let bytes = message.size ?? 0
      guard bytes <= Self.wholeLimit else { continue }
      if size + bytes > Self.batchLimit {
        batches.append([])
        size = 0
      }
      size += bytes
      batches[batches.count - 1].append((uid, message))
    }
    return batches
  }

  /// Reads header and texts of a large message, and not its files.
  private func large(_ message: FetchedMessage, _ uid: UInt32) async throws(ActionError) -> MessageContent? {
    guard let structure = message.structure else { return nil }
    let skeleton = Skeleton(structure)
    let parts = skeleton.textParts.prefix(8)
    let items = ["BODY.PEEK[HEADER]"] + parts.map { "BODY.PEEK[\($0.number)]<0.\(Self.textLimit)>" }
    guard let fetched = try await session.fetch([uid], items.joined(separator: " "))[uid] else { return nil }
    var contents: [String: ArraySlice<UInt8>] = [:]
    for part in parts { contents[part.number] = fetched.section(part.number) }
    let parsed = skeleton.message(header: fetched.section("HEADER") ?? [], contents: contents)
    return MessageContent(
      facts(message, uid), parsed, attachments: skeleton.attachments(of: parsed),
      isTextCut: parts.contains { $0.size > Self.textLimit })
  }

  private func content(_ fetched: FetchedMessage, _ uid: UInt32, _ wanted: Wanted) -> MessageContent {
    let header = fetched.sections.first { $0.name == "HEADER" || $0.name == "HEADER.FIELDS" }?.content ?? []
    if wanted.structure, let structure = fetched.structure {
      let skeleton = Skeleton(structure)
      let parsed = skeleton.message(header: header)
      return MessageContent(facts(fetched, uid), parsed, attachments: skeleton.attachments(of: parsed))
    }
    guard wanted.header != .none else { return MessageContent(facts(fetched, uid)) }
    return MessageContent(facts(fetched, uid), Message(parsing: Array(header)), isHeaderOnly: true)
  }

  private func facts(_ fetched: FetchedMessage, _ uid: UInt32, size: Int? = nil) -> MessageFacts {
    var (flags, labels) = MailFlag.sorted(
      (fetched.flags ?? []).filter { $0.utf8.count != 7 || $0.lowercased() != "\\recent" })
    if let gmail = fetched.gmailLabels { labels = gmail.map(GmailLabel.name) }
    flags.sort()
    return MessageFacts(
      uid: folder.name(of: uid), folder: folder.name, flags: flags, labels: labels,
      received: fetched.internalDate,
      size: fetched.size ?? size ?? 0, thread: fetched.gmailThread.map { "gmail:\($0)" },
      modSeq: fetched.modSeq.map { Int64(clamping: $0) })
  }
}

/// Labels as Gmail writes them.
enum GmailLabel {
  /// The name of a label: modified UTF-7, system labels with a backslash.
  static func name(_ wire: String) -> String { ModifiedUTF7.decode(wire) ?? wire }
}
