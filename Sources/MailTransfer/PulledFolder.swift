import Engine
import Expressions
import Localization

/// What has been copied of a folder, as the run log keeps it.
///
/// Kept in chunks of a thousand messages, `[[UID, UID of the copy, digest, FLAG...]]`, of which those that have changed are
/// written. So a pull writes about as much as it has copied, however many messages the folder has.
struct PulledFolder {
  /// The copy of a message.
  struct Copy: Sendable {
    /// Its uid; empty where the target never said it.
    var uid: String
    /// What the content was, see ``TransferMessage/digest``.
    var digest: String
    /// The flags that both had when they were last the same.
    var flags: [String]
    fileprivate var chunk = 0
  }

  private static let chunkSize = 1000
  private static let prefix = "chunk/"
  private static let openKey = "open"
  private static let mailboxesKey = "mailboxes"

  /// The copies by the uids of their messages.
  private(set) var copies: [String: Copy] = [:]
  /// Whether a pull began to copy and has not come to its end: the target may have copies that are not noted here.
  private(set) var isOpen: Bool
  private var chunks: [[String]] = []
  private var changed: Set<Int> = []
  private let store: any ProviderStateStore
  private let owner: String

  /// Seconds for which a server may still be storing a message after its answer was lost.
  static let grace = 5.0

  /// Seconds to wait before the target's folder is looked at: the server may still be storing what an interrupted pull has
  /// sent. `nil` for none.
  var pause: Double? { isOpen ? Self.grace : nil }

  /// Reads what is kept; nothing the first time, and where a provider stands for another mailbox by now: its uids would
  /// name other messages.
  ///
  /// - Parameters:
  ///   - owner: What it is kept under: one for each folder, source and target.
  ///   - mailboxes: A digest of what the mailboxes of both are.
  init(_ store: any ProviderStateStore, of owner: String, between mailboxes: String) throws {
    (self.store, self.owner) = (store, owner)
    let noted = try store.state(of: owner, key: Self.mailboxesKey).map { String(decoding: $0.value, as: UTF8.self) }
    if noted != mailboxes {
      // Before it was noted, the settings were what they are now, as far as anybody knows.
      let stale = noted == nil ? [] : try store.stateKeys(of: owner, prefix: "").filter { $0 != Self.mailboxesKey }
      try store.commitState(
        of: owner,
        stale.map { ProviderStateChange(key: $0, value: nil) }
          + [ProviderStateChange(key: Self.mailboxesKey, value: Array(mailboxes.utf8))])
    }
    isOpen = try store.state(of: owner, key: Self.openKey) != nil
    for key in try store.stateKeys(of: owner, prefix: Self.prefix) {
      guard let number = Int(key.dropFirst(Self.prefix.count)), (0..<1_000_000).contains(number),
        let kept = try store.state(of: owner, key: key), case .list(let entries) = try Value(json: kept.value)
      else { continue }
      while chunks.count <= number { chunks.append([]) }
      for entry in entries {
        guard let words = entry.listValue?.compactMap(\.stringValue), words.count >= 3 else { continue }
        chunks[number].append(words[0])
        copies[words[0]] = Copy(uid: words[1], digest: words[2], flags: Array(words.dropFirst(3)), chunk: number)
      }
    }
  }

  /// Notes the copy of a message.
  mutating func note(_ uid: String, _ copyUID: String, digest: String, flags: [String]) {
    if let known = copies[uid] {
      copies[uid] = Copy(uid: copyUID, digest: digest, flags: flags, chunk: known.chunk)
      changed.insert(known.chunk)
      return
    }
    if chunks.last.map({ $0.count >= Self.chunkSize }) ?? true { chunks.append([]) }
    let chunk = chunks.count - 1
    chunks[chunk].append(uid)
    copies[uid] = Copy(uid: copyUID, digest: digest, flags: flags, chunk: chunk)
    changed.insert(chunk)
  }

  /// Notes the flags that a message and its copy have now.
  mutating func note(_ uid: String, flags: [String]) {
    guard let copy = copies[uid] else { return }
    note(uid, copy.uid, digest: copy.digest, flags: flags)
  }

  /// Forgets copies, so that their messages are copied again.
  mutating func forget(_ uids: some Sequence<String>) {
    for uid in uids { if let copy = copies.removeValue(forKey: uid) { changed.insert(copy.chunk) } }
    for chunk in changed where chunk < chunks.count { chunks[chunk].removeAll { copies[$0]?.chunk != chunk } }
  }

  /// Forgets all copies, on disk when it returns.
  mutating func forgetAll() throws {
    forget(Array(copies.keys))
    try save(isOpen: isOpen)
  }

  /// Writes down what has changed; on disk when it returns.
  ///
  /// - Parameter isOpen: See ``isOpen``.
  mutating func save(isOpen: Bool) throws {
    var changes = changed.sorted().map { chunk in
      let entries = chunks[chunk].compactMap { uid -> Value? in
        guard let copy = copies[uid] else { return nil }
        return .list(([uid, copy.uid, copy.digest] + copy.flags).map { .string($0) })
      }
      return ProviderStateChange(
        key: Self.prefix + Self.name(of: chunk), value: entries.isEmpty ? nil : Array(Value.list(entries).json()))
    }
    if isOpen != self.isOpen {
      changes.append(ProviderStateChange(key: Self.openKey, value: isOpen ? Array("true".utf8) : nil))
    }
    guard !changes.isEmpty else { return }
    try store.commitState(of: owner, changes)
    changed = []
    self.isOpen = isOpen
  }

  /// Six digits, so that chunks are read in the order in which they were written.
  private static func name(of chunk: Int) -> String {
    let digits = String(chunk)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
