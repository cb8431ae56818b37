import Expressions

extension Value {
  /// A short form for messages: texts in quotes, collections by their size.
  package var shortText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .double(let number): number.shortText
    case .string(let text): "'\(text.count > 60 ? text.prefix(60) + "…" : text)'"
    case .list(let elements): elements.isEmpty ? "[]" : "[…]"
    case .map(let map): map.count == 0 ? "{}" : "{…}"
    case .bytes, .timestamp, .duration, .type, .optional: "…"
    }
  }
}

extension Double {
  /// Without a needless fraction.
  package var shortText: String {
    if let integer = Int64(exactly: self) { return String(integer) }
    return String(self)
  }
}
