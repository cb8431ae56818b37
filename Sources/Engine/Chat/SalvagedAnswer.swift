import Expressions

/// The JSON objects in an answer of a language model, whatever stands around them: thoughts, a Markdown fence, prose.
struct SalvagedAnswer {
  /// More objects are not tried.
  static let maximumCount = 8
  /// More braces that nothing closes are not tried.
  static let maximumStray = 4

  /// The objects, the whole answer first where it is one.
  private(set) var objects: [Value] = []
  /// Whether the answer ends inside an object.
  private(set) var isCut = false

  /// Looks for objects.
  ///
  /// - Parameter text: The answer. The time is linear in its length.
  init(_ text: String) {
    let bytes = Array(Self.withoutThoughts(text).utf8)
    if let whole = try? Value(json: bytes) {
      if case .map = whole { objects = [whole] }
      return
    }
    var position = 0
    var stray = 0
    while objects.count < Self.maximumCount, stray < Self.maximumStray,
      let start = bytes[position...].firstIndex(of: UInt8(ascii: "{"))
    {
      switch TolerantJSON.object(in: bytes, at: start) {
      case .object(let json, let end):
        position = end
        if let value = try? Value(json: json), case .map = value { objects.append(value) } else { stray += 1 }
      case .none(let place):
        // What is inside a damaged object is a part of the answer, not the answer.
        guard !Self.beginsObject(bytes, at: start) else { return }
        position = max(start + 1, place)
        stray += 1
      case .cut:
        isCut = objects.isEmpty
        guard !Self.beginsObject(bytes, at: start) else { return }
        position = start + 1
        stray += 1
      }
    }
    if !objects.isEmpty { isCut = false }
  }

  /// Whether a brace begins an object rather than standing in prose: a name in quotes and a colon follow.
  private static func beginsObject(_ bytes: [UInt8], at brace: Int) -> Bool {
    var rest = bytes[(brace + 1)...].prefix(256).drop(while: isBlank)
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = rest.firstIndex(of: quote)
    else { return false }
    return rest[(end + 1)...].drop(while: isBlank).first == UInt8(ascii: ":")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// What follows `<think>…</think>` at the beginning.
  private static func withoutThoughts(_ text: String) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard start.hasPrefix("<think>"), let end = start.firstRange(of: "</think>") else { return text[...] }
    return start[end.upperBound...]
  }
}
