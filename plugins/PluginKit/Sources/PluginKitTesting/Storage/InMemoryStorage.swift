import PluginKit
import PluginRecording

/// What an ``InMemoryHost`` keeps for its plugins.
struct InMemoryStorage {
  struct Entry {
    var value: [UInt8]
    var version: UInt64
  }

  var entries: [String: Entry] = [:]
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
    var changed = entries
    for change in changes {
      lastVersion += 1
      changed[change.key] = change.value.map { Entry(value: $0, version: lastVersion) }
    }
    let size = changed.reduce(0) { $0 + $1.key.utf8.count + $1.value.value.count }
    guard size <= 64 << 20 else { throw .tooLarge }
    entries = changed
  }

  mutating func keep(_ bytes: [UInt8]) -> String {
    let name = "blob:sha256:" + SHA256.hexadecimal(bytes)
    blobs[name] = bytes
    return name
  }
}
