internal import OrderedCollections

/// A map value: unique keys of the types CEL allows, in order of insertion.
///
/// Equality and hashing ignore the order, as CEL's do.
public struct ValueMap: Sendable, Hashable {
  var storage: OrderedDictionary<MapKey, Value>

  /// Creates an empty map.
  public init() {
    storage = [:]
  }

  /// The number of entries.
  public var count: Int { storage.count }

  /// The keys in order of insertion.
  public var keys: [MapKey] { Array(storage.keys) }

  /// The entries in order of insertion.
  public var entries: [(key: MapKey, value: Value)] { storage.map { ($0.key, $0.value) } }

  /// The value of a string key; setting `nil` removes it.
  public subscript(name: String) -> Value? {
    get { storage[.string(name)] }
    set { storage[.string(name)] = newValue }
  }

  /// The value of a key; setting `nil` removes it.
  public subscript(key: MapKey) -> Value? {
    get { storage[key] }
    set { storage[key] = newValue }
  }

  /// Whether two maps have equal entries, in whatever order.
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    left.count == right.count && left.storage.allSatisfy { right.storage[$0.key] == $0.value }
  }

  /// Hashes the entries without regard to their order.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for (key, value) in storage {
      var entry = Hasher()
      entry.combine(key)
      entry.combine(value)
      combined ^= entry.finalize()
    }
    hasher.combine(combined)
  }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
  /// Creates a map with string keys from a literal; of equal keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    storage = [:]
    for (name, value) in elements { storage[.string(name)] = value }
  }
}
