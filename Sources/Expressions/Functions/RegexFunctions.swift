internal import CRE2
internal import Localization

/// The regex extension: `regex.extract`, `regex.extractAll`, `regex.replace`.
enum RegexFunctions {
  static let functions: [StandardFunction] = [
    .binary("regex.extract", [.string, .string, .optional(.string)]) {
      (frame: inout Frame, text: Value, pattern: Value) throws(Fault) -> Value in
      .optional(try extracted(&frame, text, pattern, limit: 1).first)
    },
    .binary("regex.extractAll", [.string, .string, .list(.string)]) {
      (frame: inout Frame, text: Value, pattern: Value) throws(Fault) -> Value in
      .list(try extracted(&frame, text, pattern, limit: .max))
    },
    .many("regex.replace", [.string, .string, .string, .string], body: replace),
    .many("regex.replace", [.string, .string, .string, .int, .string], body: replace),
  ]

  /// The matches, or what their only group holds; a match whose group takes no part is left out.
  private static func extracted(
    _ frame: inout Frame, _ text: Value, _ pattern: Value, limit: Int64
  ) throws(Fault) -> [Value] {
    guard case .string(let text) = text, case .string(let pattern) = pattern else { throw .noOverload }
    let expression = try RegularExpression.compiled(pattern, &frame)
    guard expression.groupCount <= 1 else {
      throw .evaluation(
        LocalizedText(
          "the pattern has \(expression.groupCount) groups; write (?:…) for all but one",
          de: "Das Muster hat \(expression.groupCount) Gruppen; außer einer sind alle als (?:…) zu schreiben"))
    }
    let bytes = Array(text.utf8)
    var found: [Value] = []
    try expression.forEachMatch(bytes, limit: limit, &frame) { ranges in
      guard let range = ranges[expression.groupCount] else { return }
      found.append(.string(String(decoding: bytes[range], as: UTF8.self)))
    }
    return found
  }

  @Sendable private static func replace(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let pattern) = arguments[1],
      case .string(let replacement) = arguments[2]
    else { throw .noOverload }
    var limit = Int64.max
    if arguments.count > 3 {
      guard case .int(let count) = arguments[3] else { throw .noOverload }
      if count == 0 { return arguments[0] }
      limit = count < 0 ? .max : count
    }
    let expression = try RegularExpression.compiled(pattern, &frame)
    let parts = try parts(of: replacement, groupCount: expression.groupCount)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    var cost = 0
    try expression.forEachMatch(bytes, limit: limit, &frame) { ranges in
      guard let whole = ranges[0] else { return }
      result += bytes[end..<whole.lowerBound]
      end = whole.upperBound
      for part in parts {
        switch part {
        case .text(let literal): result += literal
        case .group(let number): if let range = ranges[number] { result += bytes[range] }
        }
      }
      cost = result.count
    }
    result += bytes[end...]
    try frame.chargeBytes(max(cost, result.count))
    return .string(String(decoding: result, as: UTF8.self))
  }

  private enum Part {
    case text([UInt8])
    case group(Int)
  }

  /// A replacement in its parts: `\0` to `\9` name groups, `\\` is a backslash.
  private static func parts(of replacement: String, groupCount: Int) throws(Fault) -> [Part] {
    var parts: [Part] = []
    var literal: [UInt8] = []
    var bytes = replacement.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        literal.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "\\"): literal.append(byte)
      case .some(let digit) where (48...57).contains(digit) && Int(digit) - 48 <= groupCount:
        parts.append(.text(literal))
        literal = []
        parts.append(.group(Int(digit) - 48))
      default:
        throw .evaluation(
          LocalizedText(
            "the replacement may hold \\0 to \\\(groupCount), the groups of the pattern, and \\\\ for a backslash",
            de:
              "Der Ersatz darf \\0 bis \\\(groupCount) enthalten, die Gruppen des Musters, und \\\\ für einen Backslash"
          ))
      }
    }
    return parts + [.text(literal)]
  }
}
