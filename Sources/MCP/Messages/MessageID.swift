public import Expressions

/// The id of a request of JSON-RPC 2.0: a whole number or a text.
public enum MessageID: Hashable, Sendable {
  /// A whole number.
  case number(Int64)
  /// A text of at most ``longest`` bytes.
  case text(String)

  /// The most bytes of a text.
  static let longest = 1000

  /// Reads an id; `nil` for other values, null among them, and for longer texts.
  public init?(_ value: Value?) {
    switch value {
    case .int(let number)?: self = .number(number)
    case .string(let text)? where text.utf8.count <= Self.longest: self = .text(text)
    default: return nil
    }
  }

  /// The id as JSON.
  public var value: Value {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .string(text)
    }
  }
}
