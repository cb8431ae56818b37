internal import JSONSyntax

/// A map value: unique keys of the types CEL allows, in order of insertion.
///
/// Equality and hashing ignore the order, as CEL's do. Small maps are searched, larger ones hashed.
public struct ValueMap: Sendable {
  /// One key with its value.
  struct Entry: Sendable {
    var key: MapKey
    var value: Value
  }

  /// Up to this many entries, comparing keys one by one is faster than hashing.
  static let searchedCount = 16

  private(set) var storage: [Entry]
  /// Where each key stands; empty while the map is small.
  private var positions = JSONNameIndex()

  /// Creates an empty map.
  public init() { storage = [] }

  /// Creates a map from entries; of equal keys the last value counts, at the place of the first.
  public init(_ entries: some Sequence<(key: MapKey, value: Value)>) {
    self.init()
    reserveCapacity(entries.underestimatedCount)
    for (key, value) in entries { set(key, to: value) }
  }

  /// Creates a map from entries; of equal keys the last value counts, at the place of the first.
  ///
  /// - Parameter areUnique: Whether no two keys are equal, as far as the map is small.
  init(_ entries: [Entry], areUnique: Bool) {
    storage = entries
    if areUnique, entries.count <= Self.searchedCount { return }
    if entries.count > Self.searchedCount, index() { return }
    storage = []
    reserveCapacity(entries.count)
    for entry in entries { set(entry.key, to: entry.value) }
  }

  /// Creates a map from entries whose keys are those, in that order, of the map that the index is of.
  init(_ entries: [Entry], index: JSONNameIndex) {
    storage = entries
    positions = index
  }

  /// Where each key stands; empty while the map is small.
  var keyIndex: JSONNameIndex { positions }

  /// The number of entries.
  public var count: Int { storage.count }

  /// Whether there are no entries.
  public var isEmpty: Bool { storage.isEmpty }

  /// The keys in order of insertion.
  public var keys: [MapKey] { storage.map(\.key) }

  /// The values in order of insertion.
  public var values: [Value] { storage.map(\.value) }

  /// The entries in order of insertion.
  public var entries: [(key: MapKey, value: Value)] { storage.map { ($0.key, $0.value) } }

  /// The value of a string key; setting `nil` removes it.
  public subscript(name: String) -> Value? {
    get {
      if storage.count > Self.searchedCount { return self[.string(name)] }
      for entry in storage {
        if case .string(let candidate) = entry.key, candidate.hasSameBytes(as: name) { return entry.value }
      }
      return nil
    }
    set { self[.string(name)] = newValue }
  }

  /// The value of a key; setting `nil` removes it.
  public subscript(key: MapKey) -> Value? {
    get { position(of: key).map { storage[$0].value } }
    set {
      if let newValue { set(key, to: newValue) } else { remove(key) }
    }
  }

  /// Makes room for so many entries.
  mutating func reserveCapacity(_ count: Int) {
    storage.reserveCapacity(count)
    if count > Self.searchedCount { positions = JSONNameIndex(capacity: count) }
  }

  /// Whether the map has an entry for the key.
  func contains(_ key: MapKey) -> Bool { position(of: key) != nil }

  private func position(of key: MapKey) -> Int? {
    storage.count > Self.searchedCount
      ? positions.position(of: key.hash(JSONNameIndex.Hashing.shared)) { storage[$0].key == key }
      : storage.firstIndex { $0.key == key }
  }

  private mutating func set(_ key: MapKey, to value: Value) {
    if let position = position(of: key) {
      storage[position].value = value
      return
    }
    storage.append(Entry(key: key, value: value))
    if storage.count == Self.searchedCount + 1 {
      index()
    } else if storage.count > Self.searchedCount {
      _ = positions.add(storage.count - 1, hash: key.hash(JSONNameIndex.Hashing.shared)) { _ in false }
    }
  }

  private mutating func remove(_ key: MapKey) {
    guard let position = position(of: key) else { return }
    storage.remove(at: position)
    index()
  }

  /// Notes where each key stands.
  ///
  /// - Returns: Whether no two are equal.
  @discardableResult
  private mutating func index() -> Bool {
    guard storage.count > Self.searchedCount else {
      positions = JSONNameIndex()
      return true
    }
    var positions = JSONNameIndex(capacity: storage.count)
    let hashing = JSONNameIndex.Hashing.shared
    do {
      let entries = storage.span
      for index in entries.indices {
        let hash = entries[index].key.hash(hashing)
        if positions.add(index, hash: hash, where: { entries[$0].key == entries[index].key }) != nil { return false }
      }
    }
    self.positions = positions
    return true
  }
}

extension MapKey {
  /// The hash in the table of a large map; equal for equal keys.
  fileprivate func hash(_ hashing: JSONNameIndex.Hashing) -> UInt64 {
    switch self {
    case .string(let value): hashing.hash(value).hash
    case .int(let value): hashing.hash(UInt64(bitPattern: value))
    case .uint(let value): hashing.hash(value)
    case .bool(let value): hashing.hash(value ? 1 : 0)
    }
  }
}

extension ValueMap: Hashable {
  /// Whether two maps have equal entries, in whatever order.
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    left.count == right.count && left.storage.allSatisfy { right[$0.key] == $0.value }
  }

  /// Hashes the entries without regard to their order.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for entry in storage {
      var single = Hasher()
      single.combine(entry.key)
      single.combine(entry.value)
      combined ^= single.finalize()
    }
    hasher.combine(combined)
  }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
  /// Creates a map with string keys from a literal; of equal keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.lazy.map { (key: MapKey.string($0.0), value: $0.1) })
  }
}
