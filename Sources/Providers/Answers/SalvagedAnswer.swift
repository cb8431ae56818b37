import Expressions
import Localization
import Schemas

/// The JSON objects in an answer of a language model, also within a Markdown fence or prose.
struct SalvagedAnswer {
  /// More objects are not kept; the last ones count.
  static let maximumCount = 8
  /// The search stops after this number of unmatched opening braces.
  static let maximumStray = 4

  /// Why an answer has no object that could be taken for it.
  enum Fault {
    /// It has none at all.
    case absent
    /// It ends inside its object.
    case cut
    /// It is JSON, but a list, a text or a number.
    case other(LocalizedText)
    /// Its object is no JSON from this byte of the answer on.
    case unreadable(Int)
  }

  /// The objects, in the order in which they stand in the answer.
  private(set) var objects: [Value] = []
  /// Why there is no object.
  private(set) var fault = Fault.absent

  /// Looks for objects.
  ///
  /// A later object counts more than an earlier one; so behind one that is damaged the earlier ones are not the answer.
  ///
  /// - Parameter text: The answer. The time is linear in its length.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    if let whole = try? Value(json: bytes) {
      take(whole)
    } else {
      search(bytes, from: 0)
    }
  }

  /// Where a byte of a text stands, as people count: line and column, both from 1.
  static func place(_ byte: Int, in text: String) -> (line: Int, column: Int) {
    let lines = Array(text.utf8.prefix(byte)).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.count, String(decoding: lines.last ?? [], as: UTF8.self).count + 1)
  }

  /// Whether a text is one complete JSON object, apart from a Markdown fence around it.
  static func isOneObject(_ text: String) -> Bool {
    var words = text.drop(while: \.isWhitespace)
    for fence in ["```", "~~~"] where words.hasPrefix(fence) {
      words = words.drop { !$0.isNewline }.drop(while: \.isWhitespace)
    }
    let bytes = Array(words.utf8)
    guard bytes.first == UInt8(ascii: "{"), case .object(_, let end) = TolerantJSON.object(in: bytes, at: 0) else {
      return false
    }
    return bytes[end...].allSatisfy { isBlank($0) || $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "~") }
  }

  /// Takes an answer that is JSON as a whole.
  private mutating func take(_ whole: Value) {
    switch whole {
    case .map: objects = [whole]
    // Some models write the object once more as a text of JSON.
    case .string(let text): search(Array(text.utf8), from: 0)
    default: fault = .other(SchemaType(of: whole).name)
    }
  }

  private mutating func search(_ bytes: [UInt8], from begin: Int) {
    var position = begin
    var stray = 0
    while stray < Self.maximumStray, let brace = bytes[position...].firstIndex(of: UInt8(ascii: "{")) {
      let start = Self.list(before: brace, in: bytes, from: position) ?? brace
      switch TolerantJSON.object(in: bytes, at: start) {
      case .object(let json, let end):
        position = end
        take(json, of: bytes, from: start, brace)
      case .none(let place):
        // What is inside a damaged object is a part of the answer, not the answer.
        guard !Self.beginsObject(bytes, at: brace) else { return fail(.unreadable(place)) }
        position = max(brace + 1, place)
      case .cut:
        guard !Self.beginsObject(bytes, at: brace) else { return fail(Self.openEnd(bytes, from: brace)) }
        if objects.isEmpty, case .absent = fault { fault = .cut }
        position = brace + 1
        stray += 1
      }
    }
  }

  /// Takes what is closed, if it is JSON.
  private mutating func take(_ json: [UInt8], of bytes: [UInt8], from start: Int, _ brace: Int) {
    do throws(ExpressionError) {
      let value = try Value(json: json)
      guard case .map = value else { return fail(.other(SchemaType(of: value).name)) }
      objects.append(value)
      if objects.count > Self.maximumCount { objects.removeFirst() }
    } catch {
      guard Self.beginsObject(bytes, at: brace) else { return }
      fail(.unreadable(TolerantJSON.place(of: error.range?.lowerBound ?? 0, in: bytes, from: start)))
    }
  }

  private mutating func fail(_ damage: Fault) {
    objects = []
    fault = damage
  }

  /// What is wrong with an object that nothing closes: a quote too many inside of it, where the answer ends as an object does,
  /// or its end is missing.
  private static func openEnd(_ bytes: [UInt8], from brace: Int) -> Fault {
    let last = bytes.last { !isBlank($0) && $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "~") }
    do throws(ExpressionError) {
      _ = try Value(json: bytes[brace...])
      return .cut
    } catch {
      let place = brace + (error.range?.lowerBound ?? 0)
      return last == UInt8(ascii: "}") && place < bytes.count ? .unreadable(place) : .cut
    }
  }

  /// The bracket of a list whose first element is the object at a brace; `nil` where it is no element of a list.
  private static func list(before brace: Int, in bytes: [UInt8], from start: Int) -> Int? {
    let before = bytes[start..<brace].lastIndex { !isBlank($0) }
    return before.flatMap { bytes[$0] == UInt8(ascii: "[") ? $0 : nil }
  }

  /// Whether a brace begins an object rather than standing in prose: a name and a colon follow.
  private static func beginsObject(_ bytes: [UInt8], at brace: Int) -> Bool {
    let rest = bytes[(brace + 1)...].prefix(256).drop(while: isBlank)
    guard let first = rest.first else { return false }
    let end: Int?
    if let quote = TolerantJSON.quote(in: bytes, at: rest.startIndex) {
      end =
        rest.dropFirst(quote.length).indices.lazy.compactMap { place in
          quote.end(in: bytes, at: place).map { place + $0 }
        }.first
    } else {
      end = TolerantJSON.isOfWord(first) ? rest.firstIndex { !TolerantJSON.isOfWord($0) } : nil
    }
    guard let end, end <= bytes.count else { return false }
    return bytes[end...].prefix(256).drop(while: isBlank).first == UInt8(ascii: ":")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
