import PluginKit
import PluginRecording

/// What an ``InMemoryHost`` keeps for its plugins.
struct InMemoryStorage {
  struct Entry {
    var value: [UInt8]
    var version: UInt64
  }

  private(set) var entries: [String: Entry] = [:]
  /// The bytes of all keys and values. A commit changes each key once.
  private var size = 0
  var lastVersion: UInt64 = 0
  /// Versions that somebody else is to have changed before the next commits.
  var conflicts = 0
  var blobs: [String: [UInt8]] = [:]
  var unfinished: [UInt64: [UInt8]] = [:]
  var lastBlob: UInt64 = 0
  var secrets: [String: String] = [:]

  mutating func commit(_ changes: [StateChange]) throws(HostRefusal) {
    if conflicts > 0, changes.contains(where: { $0.version != nil }) {
      conflicts -= 1
      throw .conflict
    }
    for change in changes {
      guard (1...512).contains(change.key.utf8.count) else { throw .failed }
      guard (change.value?.count ?? 0) <= 1 << 20 else { throw .tooLarge }
      if let version = change.version, version != entries[change.key]?.version ?? 0 { throw .conflict }
    }
    // Summed up as it changes: a plugin that keeps many values would otherwise be slower with each.
    let total = changes.reduce(size) { size, change in
      size - self.size(of: change.key, entries[change.key]?.value) + self.size(of: change.key, change.value)
    }
    guard total <= 64 << 20 else { throw .tooLarge }
    size = total
    for change in changes {
      lastVersion += 1
      entries[change.key] = change.value.map { Entry(value: $0, version: lastVersion) }
    }
  }

  private func size(of key: String, _ value: [UInt8]?) -> Int { value.map { key.utf8.count + $0.count } ?? 0 }

  mutating func keep(_ bytes: [UInt8]) -> String {
    let name = "blob:sha256:" + SHA256.hexadecimal(bytes)
    blobs[name] = bytes
    return name
  }
}
