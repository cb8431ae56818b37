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
        position = max(start + 1, place)
        stray += 1
      case .cut:
        position = start + 1
        stray += 1
        isCut = objects.isEmpty
      }
    }
    if !objects.isEmpty { isCut = false }
  }

  /// What follows `<think>…</think>` at the beginning.
  private static func withoutThoughts(_ text: String) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard start.hasPrefix("<think>"), let end = start.firstRange(of: "</think>") else { return text[...] }
    return start[end.upperBound...]
  }
}
