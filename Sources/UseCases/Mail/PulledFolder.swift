import Engine
import Expressions

/// What has been copied of a folder, as the run log keeps it: `{UID: [UID of the copy, FLAG...]}`.
struct PulledFolder {
  /// The copy of a message.
  struct Copy: Sendable {
    var uid: String
    /// The flags that both had when they were last the same.
    var flags: [String]
  }

  var messages: [String: Copy] = [:]
  private let store: any ProviderStateStore
  private let owner: String
  private let key: String

  /// Reads what is kept; nothing the first time.
  init(_ store: any ProviderStateStore, of owner: String, folder: String) throws {
    (self.store, self.owner, key) = (store, owner, folder)
    guard let kept = try store.state(of: owner, key: folder), case .map(let map) = try Value(json: kept.value) else {
      return
    }
    for entry in map.entries {
      guard case .string(let uid) = entry.key, let words = entry.value.listValue?.compactMap(\.stringValue),
        let copy = words.first
      else { continue }
      messages[uid] = Copy(uid: copy, flags: Array(words.dropFirst()))
    }
  }

  /// Writes it down; on disk when it returns.
  func save() throws {
    var map = ValueMap()
    for (uid, copy) in messages { map[.string(uid)] = .list(([copy.uid] + copy.flags).map { .string($0) }) }
    try store.commitState(of: owner, [ProviderStateChange(key: key, value: Array(Value.map(map).json()))])
  }
}
