/// A key of a map. Integers are the same key whether signed or not: `{1: "a"}[1u]` is `"a"`.
public enum MapKey: Sendable {
  /// A truth value as key.
  case bool(Bool)
  // On the heap, so that all others, in most maps all there are, take one word less.
  /// A signed integer as key.
  indirect case int(Int64)
  /// An unsigned integer as key.
  indirect case uint(UInt64)
  /// A string as key; the only one JSON objects have.
  case string(String)
}

extension MapKey: Hashable {
  /// Whether two keys are the same key.
  public static func == (left: MapKey, right: MapKey) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.int(let signed), .uint(let unsigned)), (.uint(let unsigned), .int(let signed)): signed == unsigned
    case (.bool(let left), .bool(let right)): left == right
    default: false
    }
  }

  /// Hashes the key; equal integers hash alike whatever their sign type.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(UInt64(bitPattern: value))
    case .uint(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    }
  }
}

extension MapKey {
  /// The key a value represents: truth values, strings and whole numbers; `nil` for what cannot be a key.
  public init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .string(let value): self = .string(value)
    default: return nil
    }
  }

  /// The key to look a value up by: as ``init(_:)``, and doubles that are whole numbers.
  init?(lookingUp value: Value) {
    if case .double(let number) = value {
      if let signed = Int64(exactly: number) {
        self = .int(signed)
      } else if let unsigned = UInt64(exactly: number) {
        self = .uint(unsigned)
      } else {
        return nil
      }
    } else {
      self.init(value)
    }
  }

  /// The key as a value.
  public var value: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .string(let value): .string(value)
    }
  }

  /// The key as text, as it is in JSON.
  public var text: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .string(let value): value
    }
  }
}
