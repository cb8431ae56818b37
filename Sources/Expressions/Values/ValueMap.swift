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
  /// The index of each key; empty while the map is small.
  private var positions: [MapKey: Int] = [:]

  /// Creates an empty map.
  public init() { storage = [] }

  /// Creates a map from entries; of equal keys the last value counts, at the place of the first.
  public init(_ entries: some Sequence<(key: MapKey, value: Value)>) {
    self.init()
    reserveCapacity(entries.underestimatedCount)
    for (key, value) in entries { set(key, to: value) }
  }

  /// Creates a map from entries; of equal keys the last value counts, at the place of the first.
  init(_ entries: [Entry]) {
    self.init()
    reserveCapacity(entries.count)
    for entry in entries { set(entry.key, to: entry.value) }
  }

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
    if count > Self.searchedCount { positions.reserveCapacity(count) }
  }

  /// Whether the map has an entry for the key.
  func contains(_ key: MapKey) -> Bool { position(of: key) != nil }

  private func position(of key: MapKey) -> Int? {
    storage.count > Self.searchedCount
      ? positions[key] : storage.firstIndex { $0.key == key }
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
      positions[key] = storage.count - 1
    }
  }

  private mutating func remove(_ key: MapKey) {
    guard let position = position(of: key) else { return }
    storage.remove(at: position)
    index()
  }

  /// Records the index of each key.
  private mutating func index() {
    positions.removeAll()
    guard storage.count > Self.searchedCount else { return }
    for (position, entry) in storage.enumerated() { positions[entry.key] = position }
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
