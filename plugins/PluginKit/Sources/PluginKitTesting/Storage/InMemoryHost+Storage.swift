public import PluginKit
import Synchronization

extension InMemoryHost {
  /// Sets a secret, as if it had been rotated; plugins read it where their manifest names it.
  ///
  /// Without this, the value of that name in the configuration is the secret.
  public func setSecret(_ name: String, _ value: String) {
    state.withLock { state in
      state.storage.secrets[name] = value
      state.knownSecrets[name] = value
    }
  }

  /// What plugins keep, by key; what is no JSON is left out.
  public var stateValues: [String: JSONValue] {
    state.withLock { $0.storage.entries }.compactMapValues { try? JSONValue(json: $0.value) }
  }

  /// Puts a value into the state, as an earlier run would have left it.
  public func setState(_ key: String, _ value: JSONValue) {
    guard let json = try? JSONCoding.encode(value) else { return }
    state.withLock { try? $0.storage.commit([StateChange(key: key, value: json, version: nil)]) }
  }

  /// Lets the next transactions find that somebody else was faster.
  public func conflict(times: Int = 1) {
    state.withLock { $0.storage.conflicts += times }
  }

  /// Keeps a blob, for the input of a call.
  public func addBlob(_ bytes: [UInt8]) -> Blob {
    Blob(name: state.withLock { $0.storage.keep(bytes) })
  }

  /// The content of a blob that a plugin has made, or ``addBlob(_:)`` has kept.
  public func bytes(of blob: Blob) -> [UInt8]? {
    state.withLock { $0.storage.blobs[blob.name] }
  }
}

extension InMemoryServices {
  /// The values of a configuration that a manifest calls secret, by name.
  static func secrets(_ declared: [String], in configuration: JSONValue) -> [String: String] {
    var found: [String: String] = [:]
    func collect(_ value: JSONValue?, _ steps: ArraySlice<Substring>, _ name: [String]) {
      guard let value else { return }
      if let elements = value.array {
        let rest = steps.first.map { $0 == "*" || Int($0) != nil } == true ? steps.dropFirst() : steps
        for (index, element) in elements.enumerated() { collect(element, rest, name + ["\(index)"]) }
      } else if let step = steps.first {
        collect(value[String(step)], steps.dropFirst(), name + [String(step)])
      } else if let text = value.string {
        found[name.joined(separator: ".")] = text
      }
    }
    for declaration in declared { collect(configuration, declaration.split(separator: ".")[...], []) }
    return found
  }

  func readSecret(_ name: String) throws(HostRefusal) -> [UInt8] {
    func withoutIndices(_ name: String) -> [Substring] {
      name.split(separator: ".").filter { Int($0) == nil && $0 != "*" }
    }
    let path = withoutIndices(name)
    guard secrets.contains(where: { path.starts(with: withoutIndices($0)) }) else { throw .refused }
    if let rotated = host.state.withLock({ $0.storage.secrets[name] }) { return Array(rotated.utf8) }
    var value: JSONValue? = configuration
    for step in name.split(separator: ".") {
      if let index = Int(step), let elements = value?.array {
        value = elements.indices.contains(index) ? elements[index] : nil
      } else {
        value = value?[String(step)]
      }
    }
    guard let text = value?.string else { throw .absent }
    return Array(text.utf8)
  }

  func readState(_ key: String) throws(HostRefusal) -> (value: [UInt8], version: UInt64) {
    guard let entry = host.state.withLock({ $0.storage.entries[key] }) else { throw .absent }
    return (entry.value, entry.version)
  }

  func listState(_ prefix: String) throws(HostRefusal) -> [String] {
    host.state.withLock { $0.storage.entries.keys }.filter { $0.utf8.starts(with: prefix.utf8) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func commitState(_ changes: [StateChange]) throws(HostRefusal) {
    try host.state.withLock { state throws(HostRefusal) in try state.storage.commit(changes) }
  }

  func createBlob(call: UInt64) throws(HostRefusal) -> UInt64 {
    host.state.withLock { state in
      state.storage.lastBlob += 1
      state.storage.unfinished[state.storage.lastBlob] = []
      return state.storage.lastBlob
    }
  }

  func writeBlob(_ blob: UInt64, _ piece: [UInt8]) throws(HostRefusal) {
    try host.state.withLock { state throws(HostRefusal) in
      guard state.storage.unfinished[blob] != nil else { throw .failed }
      state.storage.unfinished[blob]? += piece
    }
  }

  func finishBlob(_ blob: UInt64) throws(HostRefusal) -> String {
    try host.state.withLock { state throws(HostRefusal) in
      guard let bytes = state.storage.unfinished.removeValue(forKey: blob) else { throw .failed }
      return state.storage.keep(bytes)
    }
  }

  func discardBlob(_ blob: UInt64) {
    _ = host.state.withLock { $0.storage.unfinished.removeValue(forKey: blob) }
  }

  func readBlob(call: UInt64, name: String, offset: UInt64, length: UInt64) throws(HostRefusal) -> [UInt8] {
    guard let bytes = host.state.withLock({ $0.storage.blobs[name] }) else { throw .absent }
    let start = Int(min(offset, UInt64(bytes.count)))
    return Array(bytes[start..<(start + Int(min(length, UInt64(bytes.count - start))))])
  }
}
