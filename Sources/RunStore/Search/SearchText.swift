internal import Expressions

/// The words of values, gathered for searches up to a bound.
struct SearchText {
  /// The most bytes of UTF-8 that are kept of one run.
  static let limit = 64 << 10
  /// Values with more bytes of JSON are taken as they are written, not read.
  static let longestValue = 1 << 20

  private(set) var text = ""
  private var rest = SearchText.limit

  /// Whether nothing more goes in.
  var isFull: Bool { rest <= 0 }

  /// Adds a text.
  mutating func add(_ more: some StringProtocol) {
    guard rest > 0, !more.isEmpty else { return }
    var piece = String(more)
    if piece.utf8.count > rest { piece = String(decoding: piece.utf8.prefix(rest), as: UTF8.self) }
    rest -= piece.utf8.count + 1
    text += text.isEmpty ? piece : "\n" + piece
  }

  /// Adds the texts and numbers of a value, keys included.
  mutating func add(_ value: Value) {
    guard rest > 0 else { return }
    switch value {
    case .string(let text): add(text)
    case .int(let number): add(String(number))
    case .list(let elements): for element in elements { add(element) }
    case .map(let map):
      for (key, value) in map.entries {
        if case .string(let name) = key { add(name) }
        add(value)
      }
    case .null, .bool: break
    default: add(value.jsonString)
    }
  }

  /// Adds a value as it is stored, JSON in UTF-8.
  mutating func add(json bytes: [UInt8]) {
    guard rest > 0 else { return }
    if bytes.count <= SearchText.longestValue, let value = try? Value(json: bytes) {
      add(value)
    } else {
      let text = String(decoding: bytes.prefix(2 * SearchText.limit), as: UTF8.self)
      add(text.replacing("\\n", with: " ").replacing("\\t", with: " ").replacing("\\r", with: " "))
    }
  }
}
