import Mail
import MailWire
import PluginKit

/// Fetches many whole messages in groups: one command for each group, several commands at a time.
///
/// Messages are handed out group by group, so that no more than some MiB are in memory.
struct BulkExport {
  /// Messages of one command.
  struct Group: Sendable {
    var uids: [UInt32] = []
    /// A message that is fetched alone and in pieces, because it is large or its size is unknown. `uids` is empty then.
    var single: UInt32?
  }

  /// The messages of one call.
  struct Plan: Sendable {
    /// In this order.
    var groups: [Group] = []
    /// All requested messages, without those left for the next call.
    var uids: [UInt32] = []
  }

  /// Bytes of the messages of one command (1 MiB).
  private static let groupBytes = 1 << 20
  private static let groupCount = 200
  /// Larger messages are fetched in pieces, in bytes (8 MiB).
  private static let largeBytes = 8 << 20
  /// Commands on their way at a time.
  private static let depth = 3

  let session: Session
  let folder: OpenFolder
  let budget: Int
  /// The fetched messages, in the order of their output.
  private(set) var messages: [ExportedMessage] = []
  /// The messages that exist and that the server does not send.
  private(set) var unreadable: [UnreadableMessage] = []
  private var sent: ArraySlice<(tag: String, command: Command)> = []
  /// The state of requested messages that have not arrived.
  private var awaited: [UInt32: FetchedMessage] = [:]
  private var total = 0

  init(session: Session, folder: OpenFolder, budget: Int) {
    (self.session, self.folder, self.budget) = (session, folder, budget)
  }

  /// Asks for the sizes and takes as many messages as the budget allows, at least one.
  func plan(_ uids: [UInt32]) async throws(ActionError) -> Plan {
    let sizes = try await session.fetchAvailable(uids, "RFC822.SIZE").messages
    var plan = Plan()
    var sum = 0
    var groupSum = 0
    var isFirst = true
    for uid in uids {
      let stated = sizes[uid]?.size ?? 0
      // A message of unknown size counts as a large one, so that the group stays within the budget.
      let size = stated > 0 ? stated : sizes[uid] == nil ? 0 : Self.largeBytes
      guard isFirst || size <= budget - sum else { break }
      plan.uids.append(uid)
      // The server has left it out or refused it, or it was removed. A FETCH of this message alone shows which.
      guard sizes[uid] != nil else {
        plan.groups.append(Group(single: uid))
        continue
      }
      isFirst = false
      sum += min(size, budget)
      if size > Self.largeBytes || stated <= 0 {
        plan.groups.append(Group(single: uid))
        continue
      }
      let last = plan.groups.last
      if last == nil || last?.single != nil || groupSum + size > Self.groupBytes
        || last?.uids.count ?? 0 >= Self.groupCount
      {
        plan.groups.append(Group())
        groupSum = 0
      }
      groupSum += size
      plan.groups[plan.groups.count - 1].uids.append(uid)
    }
    return plan
  }

  /// Asks for a group, and gives what had to be waited for.
  mutating func advance(to group: Group) async throws(ActionError) -> [[UInt8]] {
    // Pieces of a large message are asked for one by one.
    if group.single != nil { return try await finish() }
    var pieces: [[UInt8]] = []
    while sent.count >= Self.depth { pieces += try await finishFirst() }
    let command = Command("UID FETCH", "\(UIDSet(group.uids).text) (UID FLAGS INTERNALDATE\(await labels) BODY.PEEK[])")
    for uid in group.uids { awaited[uid] = FetchedMessage(sequenceNumber: 0) }
    sent.append((try await session.send(command), command))
    return pieces
  }

  /// Waits for everything that was asked for.
  mutating func finish() async throws(ActionError) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    while !sent.isEmpty { pieces += try await finishFirst() }
    return pieces
  }

  /// Fetches the messages that were missing in the groups, one at a time.
  ///
  /// - Parameter writer: Gets their bytes.
  mutating func fetchRest(_ writer: ([UInt8]) async throws(ActionError) -> Void) async throws(ActionError) {
    for uid in awaited.keys.sorted() {
      awaited[uid] = nil
      try await fetch(uid, writer)
    }
  }

  /// Fetches a message in pieces.
  mutating func fetch(
    _ uid: UInt32, _ writer: ([UInt8]) async throws(ActionError) -> Void
  ) async throws(ActionError) {
    let counter = ByteCounter()
    var pieces = SectionPieces(
      session: session, folder: folder, uid: uid, section: "", encoding: "", counter: counter
    ).makeAsyncIterator()
    var facts: FetchedMessage?
    var refusal: ActionError?
    do {
      facts = try await session.fetch([uid], "FLAGS INTERNALDATE\(await labels)")[uid]
    } catch {
      refusal = error
    }
    var isAtEnd = false
    while refusal == nil, !isAtEnd {
      var piece: [UInt8]?
      do throws(ActionError) { piece = try await pieces.next() } catch { refusal = error }
      if let piece { try await writer(piece) } else { isAtEnd = true }
    }
    guard let refusal else { return note(facts ?? FetchedMessage(sequenceNumber: 0), uid, size: counter.total) }
    // Its bytes stay in the blob and belong to no message.
    total += counter.total
    guard await !session.isBroken, refusal.kind != .cancelled else { throw refusal }
    // Either another program has removed it meanwhile, or it exists and the server does not send it.
    guard try await !session.present([uid]).isEmpty else { return }
    let error = refusal.kind == .notFound ? folder.leftOut(uid, by: session.settings.host) : refusal
    unreadable.append(UnreadableMessage(uid: folder.name(of: uid), error: error))
  }

  /// The names of those that were looked for and are not there.
  func missing(of plan: Plan) -> [String] {
    let found = Set(messages.map(\.uid)).union(unreadable.map(\.uid))
    return plan.uids.map { folder.name(of: $0) }.filter { !found.contains($0) }
  }

  /// Whether answers are still to come.
  var isWaiting: Bool { !sent.isEmpty }

  private var labels: String { get async { await session.has("X-GM-EXT-1") ? " X-GM-LABELS" : "" } }

  private mutating func finishFirst() async throws(ActionError) -> [[UInt8]] {
    guard let (tag, command) = sent.popFirst() else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.groupBytes)
    // A server may work on several commands at a time and mix their responses (RFC 9051 §5.5). `fetchRest` fetches refused messages
    // again, one at a time.
    for message in try await session.collect(tag, of: command, upTo: Self.largeBytes * 4, allowsRefusals: true) {
      guard let uid = message.uid, awaited[uid] != nil else { continue }
      awaited[uid]?.merge(message)
      guard let whole = awaited[uid], let content = whole.section("") else { continue }
      awaited[uid] = nil
      bytes += content
      note(whole, uid, size: content.count)
    }
    return bytes.isEmpty ? [] : [bytes]
  }

  private mutating func note(_ message: FetchedMessage, _ uid: UInt32, size: Int) {
    messages.append(
      ExportedMessage(
        uid: folder.name(of: uid), offset: total, size: size, flags: message.names,
        received: message.internalDate))
    total += size
  }
}

extension Session {
  /// The most bytes that a list of messages and their flags may have (256 MiB).
  fileprivate static let listLimit = 256 << 20

  /// Waits for the end of a FETCH and gives what came.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may come for it.
  ///   - allowsRefusals: Whether the responses are returned although the server refused single messages.
  /// - Throws: As ``require(_:_:_:)``.
  func collect(
    _ tag: String, of command: Command, upTo limit: Int = Session.listLimit, allowsRefusals: Bool = false,
    _ other: (Untagged) -> Void = { _ in }
  ) async throws(ActionError) -> [FetchedMessage] {
    var messages: [FetchedMessage] = []
    var total = 0
    let tooMuch = tooMuch
    let status = try await finish(tag, upTo: limit) { data throws(ActionError) in
      guard case .fetch(let message) = data else { return other(data) }
      total += message.byteCount
      guard total <= limit else { throw tooMuch }
      messages.append(message)
    }
    guard status.isOK else {
      let refusal = try refusalOfMessages(status)
      guard allowsRefusals else { throw refusal }
      return messages
    }
    return messages
  }

  /// Carries a FETCH out and gives what came.
  ///
  /// - Parameter other: Gets what else comes.
  func collect(
    _ command: Command, _ other: (Untagged) -> Void = { _ in }
  ) async throws(ActionError) -> [FetchedMessage] {
    try await collect(try await send(command), of: command, other)
  }
}
