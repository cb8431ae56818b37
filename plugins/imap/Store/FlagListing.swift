import MailWire
import PluginKit

/// The messages of a folder and their flags, as `mail.list` gives them.
///
/// Where the server numbers changes of flags (CONDSTORE, RFC 7162) it is asked only for what has changed since the last call,
/// and for what has gone since then (QRESYNC) or what is there; the rest is in the state of the provider.
struct FlagListing {
  /// The result of a call, for the next one.
  private struct Snapshot: Codable {
    /// Messages with the same flags and labels.
    struct Group: Codable {
      var flags: [String]
      /// Ranges of UIDs: the first, the last, and so on.
      var bounds: [UInt32]
    }

    var validity: UInt32
    /// All changes up to this mod-sequence are in it.
    var modSeq: UInt64
    var groups: [Group]
  }

  /// A listing with more ranges than this is not kept: 20 bytes each at most, and a value of the state has 1 MiB.
  private static let boundLimit = 20_000

  let session: Session
  let folder: OpenFolder
  let context: ActionContext
  let origin: MailboxOrigin

  /// The flags and labels of each message, in one order.
  func load() async throws(ActionError) -> [UInt32: [String]] {
    // Nothing says that Gmail numbers changes of labels.
    guard let modSeq = folder.mailbox.highestModSeq, context.plugin.offers("sous.state/1"),
      await !session.has("X-GM-EXT-1")
    else { return try await fetchAll() }
    var listing: [UInt32: [String]]?
    if let known = try? await context.state.value(Snapshot.self, for: key), known.validity == folder.validity,
      // A mailbox that was put back from a backup has seen fewer changes.
      known.modSeq <= modSeq
    {
      listing = try await update(known)
    }
    let messages: [UInt32: [String]]
    if let listing { messages = listing } else { messages = try await fetchAll() }
    await keep(messages, modSeq)
    return messages
  }

  private var key: String {
    let name = String(decoding: folder.mailbox.name, as: UTF8.self)
    return "list.\(KeyDigest.hexadecimal("\(origin.text)\n\(name)"))"
  }

  private func fetchAll() async throws(ActionError) -> [UInt32: [String]] {
    var messages: [UInt32: [String]] = [:]
    // The server's number is untrusted.
    messages.reserveCapacity(min(Int(clamping: folder.mailbox.exists), 100_000))
    let isGmail = await session.has("X-GM-EXT-1")
    let items = "FLAGS\(isGmail ? " X-GM-LABELS" : "")"
    let command = Command("UID FETCH", "1:* (UID \(items))")
    for message in try await session.collect(try await session.send(command), of: command, allowsRefusals: true) {
      // A response without both belongs to another change.
      if let uid = message.uid, message.flags != nil { messages[uid] = message.names }
    }
    guard messages.count < Int(clamping: await session.mailbox?.exists ?? 0) else { return messages }
    // Messages were removed meanwhile, or the server has refused or left out some. Existing messages stay in the listing, so that a
    // pull tries to copy them and names them.
    let listed = try await session.search(.all) ?? []
    let missing = listed.filter { messages[$0] == nil }
    let others = try await session.fetchAvailable(missing, items).messages
    for uid in missing { messages[uid] = others[uid]?.names ?? [] }
    return messages
  }

  /// The known flags with the changes; `nil` if a message is in neither.
  private func update(_ known: Snapshot) async throws(ActionError) -> [UInt32: [String]]? {
    let isTold = await session.isToldWhatHasGone
    var listed: [UInt32]?
    if !isTold {
      listed = try await session.search(.all)
      guard listed != nil else { return nil }
    }
    var flags: [UInt32: [String]] = [:]
    for group in known.groups {
      for index in stride(from: 0, to: group.bounds.count - 1, by: 2)
      where group.bounds[index] <= group.bounds[index + 1] && group.bounds[index + 1] - group.bounds[index] < 4_000_000
      {
        for uid in group.bounds[index]...group.bounds[index + 1] { flags[uid] = group.flags }
      }
    }
    let since = "(CHANGEDSINCE \(max(1, known.modSeq))\(isTold ? " VANISHED" : ""))"
    var gone = UIDSet()
    let command = Command("UID FETCH", "1:* (UID FLAGS) \(since)")
    var changed: [FetchedMessage] = []
    do {
      changed = try await session.collect(command) { data in
        if case .vanished(let set, _) = data { for range in set.ranges { gone.append(range) } }
      }
    } catch {
      // The caller then lists all messages, which finds the refused ones.
      guard await !session.isBroken else { throw error }
      return nil
    }
    for message in changed { if let uid = message.uid, message.flags != nil { flags[uid] = message.names } }
    let present = listed ?? gone.removed(from: flags.keys.sorted())
    // Something has come or gone meanwhile, or what is known is not of this mailbox.
    let count = Int(clamping: await session.mailbox?.exists ?? 0)
    guard !isTold || present.count == count else { return nil }
    var messages: [UInt32: [String]] = [:]
    messages.reserveCapacity(present.count)
    for uid in present {
      guard let names = flags[uid] else { return nil }
      messages[uid] = names
    }
    return messages
  }

  /// Keeps a listing for the next call, which does without it if there is no room.
  private func keep(_ messages: [UInt32: [String]], _ modSeq: UInt64) async {
    var groups: [[String]: UIDSet] = [:]
    for (uid, names) in messages.sorted(by: { $0.key < $1.key }) { groups[names, default: UIDSet()].append(uid...uid) }
    let snapshot = Snapshot(
      validity: folder.validity, modSeq: modSeq,
      groups: groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, set in
        Snapshot.Group(flags: names, bounds: set.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
      })
    if snapshot.groups.reduce(0, { $0 + $1.bounds.count + $1.flags.count * 5 }) <= Self.boundLimit {
      try? await context.state.set(snapshot, for: key)
    } else {
      try? await context.state.remove(key)
    }
  }
}
