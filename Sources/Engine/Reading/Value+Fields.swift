package import Expressions

// How records spell their fields for `--json`: every field is always there, null where it has no value.
extension Value {
  /// A map with string keys, nulls kept.
  package static func object(_ fields: [(String, Value)]) -> Value {
    var map = ValueMap()
    for (name, value) in fields { map[name] = value }
    return .map(map)
  }

  package static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  package static func number(_ number: Int?) -> Value { number.map { .int(Int64($0)) } ?? .null }

  package static func time(_ time: Timestamp?) -> Value { time.map { .string($0.rfc3339Milliseconds) } ?? .null }

  /// Seconds as milliseconds: whole ones as an integer, others to the microsecond.
  package static func milliseconds(_ seconds: Double?) -> Value {
    guard let seconds, seconds.isFinite else { return .null }
    let milliseconds = (seconds * 1_000_000).rounded() / 1000
    if let whole = Int64(exactly: milliseconds) { return .int(whole) }
    return .double(milliseconds)
  }
}
