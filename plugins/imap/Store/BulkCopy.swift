import Mail
import MailWire
import PluginKit

/// Copies or moves messages so that an attempt that broke off can be repeated: no message is removed that may not
/// have been copied.
struct BulkCopy: Sendable {
  /// How many messages are dealt with at a time.
  static let partSize = 1000

  let session: Session
  let source: OpenFolder
  /// The target as the server writes it.
  let target: [UInt8]
  let isMove: Bool
  let journal: EffectJournal
  /// Opens the source again after something else was looked at.
  let reopen: @Sendable () async throws(ActionError) -> Void

  /// Deals with the messages that are there.
  func run(_ uids: [UInt32]) async throws(ActionError) -> ChangeReport {
    var report = ChangeReport(count: 0)
    for (part, start) in stride(from: 0, to: uids.count, by: Self.partSize).enumerated() {
      let next = try await carry(Array(uids[start..<min(start + Self.partSize, uids.count)]), part)
      report.count += next.count
      report.uids += next.uids
      report.missing += next.missing
    }
    return report
  }

  private func carry(_ uids: [UInt32], _ part: Int) async throws(ActionError) -> ChangeReport {
    if let earlier = try await journal.entry(part), earlier.target == target {
      if let done = earlier.done {
        return ChangeReport(count: uids.count - earlier.missing.count, uids: done, missing: earlier.missing)
      }
      return try await goOn(earlier, part)
    }
    guard await canFinish else {
      throw ActionError(
        .unsupported,
        "\(session.settings.host) can neither move messages nor remove single ones: they were left alone.",
        german:
          "\(session.settings.host) kann Nachrichten weder verschieben noch einzeln entfernen: Sie blieben, wo sie sind.",
        advice: "Use 'copy' for this server.", adviceGerman: "Für diesen Server 'copy' verwenden.")
    }
    let identities = try await session.identities(of: uids)
    // A message without an identity was removed, or the server left it out of its answer. The latter can be moved only if the server
    // names the moved messages (UIDPLUS).
    let undescribed = Set(try await session.present(uids.filter { identities[$0] == nil }))
    if let first = undescribed.min(), await !session.has("UIDPLUS"), await !session.has("IMAP4REV2") {
      throw source.leftOut(first, by: session.settings.host)
    }
    let items = uids.compactMap { uid -> EffectJournal.Item? in
      let identity = identities[uid] ?? (undescribed.contains(uid) ? MessageIdentity() : nil)
      return identity.map { EffectJournal.Item(uid: uid, identity: $0) }
    }
    let missing = source.names(of: uids.filter { identities[$0] == nil && !undescribed.contains($0) })
    guard !items.isEmpty else { return ChangeReport(count: 0, missing: missing) }
    guard let before = try await session.status(of: target) else { throw noTarget }
    let entry = EffectJournal.Entry(
      key: journal.context.key, target: target, validity: before.uidValidity ?? 0, next: before.uidNext ?? 1,
      items: items, missing: missing, at: journal.context.seconds)
    try await journal.note(entry, part)
    return try await transfer(items.map(\.uid), entry, found: [:], part)
  }

  /// Whether the server moves at once (RFC 6851).
  private var movesAtOnce: Bool {
    get async {
      let canMove = await session.has("MOVE")
      return isMove ? await session.has("IMAP4REV2") || canMove : false
    }
  }

  /// Whether what is begun can be ended: a copy is not a move as long as the messages stay if they were.
  private var canFinish: Bool {
    get async {
      guard isMove, await !movesAtOnce else { return true }
      return await session.has("UIDPLUS")
    }
  }

  /// Resumes what an earlier attempt has begun, and perhaps ended.
  private func goOn(_ earlier: EffectJournal.Entry, _ part: Int) async throws(ActionError) -> ChangeReport {
    var entry = earlier
    var found = try await session.arrivals(of: entry, exactly: isMove)
    // A server that moves at once leaves nothing behind: what is still here was not moved, and what looks like it in the
    // target is another copy. A copy may still be on its way.
    let isMovedAtOnce = await movesAtOnce
    if !isMovedAtOnce, found.count < entry.items.count, let pause = journal.grace(of: entry) {
      try await journal.context.clock.sleep(for: pause)
      found = try await session.arrivals(of: entry, exactly: isMove)
    }
    try await reopen()
    let uids = entry.items.map(\.uid)
    let present = Set(try await session.present(uids))
    if isMovedAtOnce { found = found.filter { !present.contains($0.key) } }
    // Missing messages were moved or removed by another client.
    entry.leaveOut(source, uids.filter { found[$0] == nil && !present.contains($0) })
    if isMove {
      let copied = uids.filter { found[$0] != nil && present.contains($0) }
      if !copied.isEmpty { try await session.expunge(copied, in: source) }
    }
    return try await transfer(uids.filter { found[$0] == nil && present.contains($0) }, entry, found: found, part)
  }

  private func transfer(
    _ uids: [UInt32], _ entry: EffectJournal.Entry, found: [UInt32: UInt32], _ part: Int
  ) async throws(ActionError) -> ChangeReport {
    var names = found
    var validity = entry.validity
    var entry = entry
    if !uids.isEmpty {
      let set = UIDSet(uids)
      let isMovedAtOnce = await movesAtOnce
      let told: (validity: UInt32, names: [UInt32: UInt32])?
      let gone: Int
      do {
        (told, gone) = try await session.transfer(isMovedAtOnce ? "UID MOVE" : "UID COPY", set, to: target)
      } catch  where error.kind == .notFound {
        // Another program has removed some of them meanwhile (RFC 5530 §3, EXPUNGEISSUED), and none was copied.
        let present = Set(try await session.present(uids))
        guard present.count < uids.count else { throw error }
        entry.leaveOut(source, uids.filter { !present.contains($0) })
        return try await transfer(uids.filter(present.contains), entry, found: found, part)
      }
      if let told {
        // The server names the copied messages: the others were removed since the check.
        let copied = uids.filter { told.names[$0] != nil }
        let unnamed = uids.filter { told.names[$0] == nil }
        validity = told.validity
        names.merge(told.names) { $1 }
        try await leave(copied, isMovedAtOnce, gone: gone)
        // A server may also do a part only and call that a success.
        let kept = try await session.present(unnamed)
        guard kept.isEmpty else {
          throw source.unchanged(
            kept, isMove ? "moved" : "copied", german: isMove ? "verschoben" : "kopiert",
            by: session.settings.host)
        }
        entry.leaveOut(source, unnamed)
      } else {
        if isMovedAtOnce { try await leave(uids, true, gone: gone) }
        // Before its original is removed, the copy has to be the same message, and not another one with its Message-ID.
        names.merge(try await session.arrivals(of: entry, exactly: isMove && !isMovedAtOnce)) { old, _ in old }
        try await reopen()
        if !isMovedAtOnce { try await leave(uids.filter { names[$0] != nil }, false, gone: 0) }
        let unseen = uids.filter { names[$0] == nil }
        let present = Set(try await session.present(unseen))
        if !isMovedAtOnce, !present.isEmpty {
          throw source.unchanged(present.sorted(), "copied", german: "kopiert", by: session.settings.host)
        }
        // Another program has moved or removed the messages that are in neither folder. But a server without UIDPLUS may have changed
        // a message while it moved it, so that the copy is not recognised.
        let isNaming = await session.has("UIDPLUS")
        if !isMovedAtOnce || isNaming {
          entry.leaveOut(source, unseen.filter { !present.contains($0) })
        }
      }
    }
    let done = entry.items.compactMap { item in names[item.uid].map { "\(validity).\($0)" } }
    let count = entry.items.count
    entry.done = done
    entry.items = []
    try await journal.note(entry, part)
    return ChangeReport(count: count, uids: done, missing: entry.missing)
  }

  /// Completes a move: removes the originals of copied messages, or checks that MOVE has removed them. In this order a message is in
  /// two folders for a moment, and never in none.
  ///
  /// - Parameter gone: How many removed messages the server has reported.
  private func leave(_ copied: [UInt32], _ isMovedAtOnce: Bool, gone: Int) async throws(ActionError) {
    guard isMove, !copied.isEmpty else { return }
    if !isMovedAtOnce { return try await session.expunge(copied, in: source) }
    // MOVE reports each removed message. If it reports fewer, the folder is checked.
    guard gone < copied.count else { return }
    let left = try await session.present(copied)
    guard left.isEmpty else {
      throw source.unchanged(left, "moved", german: "verschoben", by: session.settings.host)
    }
  }

  private var noTarget: ActionError {
    ActionError(
      .notFound, "There is no folder to put the messages into.",
      german: "Den Ordner, in den die Nachrichten sollen, gibt es nicht.")
  }
}

extension Session {
  /// The identities by which copies of messages are recognised, for the messages that exist and that the server describes.
  func identities(of uids: [UInt32]) async throws(ActionError) -> [UInt32: MessageIdentity] {
    let items = "RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"
    return try await fetchAvailable(uids, items).messages.mapValues { message in
      let header = Message(parsing: Array(message.section("HEADER.FIELDS") ?? []))
      return MessageIdentity(
        messageID: header.messageID, received: message.internalDate?.secondsSinceEpoch, size: message.size)
    }
  }

  /// Those of some messages that are in the open folder.
  func present(_ uids: [UInt32]) async throws(ActionError) -> [UInt32] {
    guard !uids.isEmpty else { return [] }
    var found: [UInt32] = []
    for start in stride(from: 0, to: uids.count, by: 1000) {
      found += try await search(.uid(UIDSet(uids[start..<min(start + 1000, uids.count)]))) ?? []
    }
    return found
  }

  /// The result of recorded copies: their IDs if all of them exist.
  func copies(of entry: EffectJournal.Entry) async throws(ActionError) -> Verification<[String]> {
    if let done = entry.done { return .done(done) }
    let found = try await arrivals(of: entry)
    if found.count == entry.items.count {
      return .done(entry.items.compactMap { item in found[item.uid].map { "\(entry.validity).\($0)" } })
    }
    guard found.isEmpty else { return .unknown }
    return try await isUntouched(entry) ? .notDone : .unknown
  }

  /// Whether nothing has come into the target of an effect since it was noted: the effect has not happened.
  func isUntouched(_ entry: EffectJournal.Entry) async throws(ActionError) -> Bool {
    guard let now = try await status(of: entry.target) else { return false }
    return now.uidValidity == entry.validity && now.uidNext == entry.next
  }

  /// Which messages of an effect are in its target, by their UID in the source. Opens the target.
  ///
  /// - Parameter exactly: Whether size and date have to be the same as well: another message with the same Message-ID must
  ///   not be taken for the copy where the original is removed next.
  func arrivals(
    of entry: EffectJournal.Entry, exactly: Bool = false
  ) async throws(ActionError) -> [UInt32: UInt32] {
    let mailbox = try await open(entry.target, named: String(decoding: entry.target, as: UTF8.self), writing: false)
    guard mailbox.uidValidity == entry.validity else { return [:] }
    let candidates = (try await search(.uid(UIDSet(entry.next...UInt32.max))) ?? []).filter { $0 >= entry.next }
    var byMessage: [String?: [(uid: UInt32, identity: MessageIdentity)]] = [:]
    for (uid, identity) in try await identities(of: candidates).sorted(by: { $0.key < $1.key }) {
      byMessage[identity.message, default: []].append((uid, identity))
    }
    var found: [UInt32: UInt32] = [:]
    for item in entry.items {
      guard var copies = byMessage[item.identity.message],
        let index = copies.firstIndex(where: {
          exactly ? item.identity == $0.identity : item.identity.isCopied(as: $0.identity)
        })
      else { continue }
      found[item.uid] = copies.remove(at: index).uid
      byMessage[item.identity.message] = copies
    }
    return found
  }
}

extension EffectJournal.Entry {
  /// Notes that some messages are not there.
  fileprivate mutating func leaveOut(_ source: OpenFolder, _ uids: [UInt32]) {
    guard !uids.isEmpty else { return }
    missing += source.names(of: uids)
    let gone = Set(uids)
    items.removeAll { gone.contains($0.uid) }
  }
}

extension MessageIdentity {
  /// Whether a message in the target is this one.
  ///
  /// The Message-ID says it if there is one: servers may store other line ends and give another date.
  fileprivate func isCopied(as copy: MessageIdentity) -> Bool {
    guard message == nil else { return message == copy.message }
    return copy.message == nil && (size == nil || size == copy.size) && (received == nil || received == copy.received)
  }
}
