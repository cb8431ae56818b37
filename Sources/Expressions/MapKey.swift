/// A key of a map value.
public enum MapKey: Sendable, Hashable {
  /// A truth value as key.
  case bool(Bool)
  /// A signed integer as key.
  case int(Int64)
  /// An unsigned integer as key.
  case uint(UInt64)
  /// A string as key; the only one JSON objects have.
  case string(String)
}
