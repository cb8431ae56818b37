/// An answer while it comes: its words, or the texts of a JSON object's properties as far as they have come.
///
/// Each piece is looked at once, and of long texts only the end is kept, so an answer of any length costs time in
/// proportion to it and little room.
public struct PartialAnswer: Sendable {
  /// So many bytes of the end of a text are kept.
  public static let keptBytes = 2048
  /// More properties are not followed.
  public static let maximumFields = 50

  /// A part of the answer.
  public struct Field: Sendable, Equatable {
    /// The property's name; `nil` for plain words.
    public var name: String?
    /// The end of its text.
    public var text: String
    /// Whether something before it was left out.
    public var isShortened = false
  }

  private enum Form { case unknown, words, object, done }
  private enum Place { case name, colon, value, text, other, comma }

  private var form = Form.unknown
  private var place = Place.name
  private var buffers: [(name: String?, bytes: [UInt8], isShortened: Bool)] = []
  private var token: [UInt8] = []
  private var inText = false
  private var escape = Escape.none
  private var depth = 0
  private var lead: [UInt8] = []

  private enum Escape: Equatable { case none, begun, unicode([UInt8]) }
  private var highSurrogate: UInt32?

  /// Creates an empty answer.
  public init() {}

  /// Whether nothing has come yet.
  public var isEmpty: Bool { buffers.isEmpty }

  /// What has come: the words, or the properties in their order.
  public var fields: [Field] {
    buffers.map { Field(name: $0.name, text: Self.text($0.bytes), isShortened: $0.isShortened) }
  }

  /// Takes the next piece.
  public mutating func append(_ piece: String) {
    for byte in piece.utf8 { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch form {
    case .words: keep(byte)
    case .done: break
    case .unknown: begin(byte)
    case .object: takeOfObject(byte)
    }
  }

  /// Finds out what the answer is: an object begins with a brace, perhaps in a fence; all else is words.
  private mutating func begin(_ byte: UInt8) {
    if byte == UInt8(ascii: "{") {
      form = .object
      return
    }
    lead.append(byte)
    guard !Self.isBlank(byte) || lead.count > 64 else { return }
    let start = lead.drop(while: Self.isBlank)
    let fence = Array("```json\n".utf8)
    let isFence = start.count <= fence.count && fence.starts(with: start) || start.elementsEqual("```\n".utf8)
    guard !isFence else { return }
    form = .words
    let words = lead
    lead = []
    for byte in words { keep(byte) }
  }

  private mutating func takeOfObject(_ byte: UInt8) {
    if inText { return takeOfText(byte) }
    switch place {
    case .name:
      if byte == UInt8(ascii: "\"") { (inText, token) = (true, []) }
      if byte == UInt8(ascii: "}") { form = .done }
    case .colon: if byte == UInt8(ascii: ":") { place = .value }
    case .value:
      guard !Self.isBlank(byte) else { return }
      open(String(decoding: token, as: UTF8.self))
      if byte == UInt8(ascii: "\"") {
        (inText, place) = (true, .text)
      } else {
        place = .other
        takeOfOther(byte)
      }
    case .other: takeOfOther(byte)
    case .text, .comma:
      if byte == UInt8(ascii: ",") { place = .name }
      if byte == UInt8(ascii: "}") { form = .done }
    }
  }

  /// A number, a word, a list or an object: kept as it is written.
  private mutating func takeOfOther(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): inText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else {
        form = .done
        return
      }
      depth -= 1
    case UInt8(ascii: ",") where depth == 0:
      place = .name
      return
    default: break
    }
    keep(byte < 0x20 ? 0x20 : byte)
  }

  private mutating func takeOfText(_ byte: UInt8) {
    switch escape {
    case .none:
      if byte == UInt8(ascii: "\"") { return endText() }
      if byte == UInt8(ascii: "\\") { escape = .begun } else { put(byte) }
    case .begun:
      escape = .none
      if byte == UInt8(ascii: "u") { escape = .unicode([]) } else { put(Self.unescaped(byte)) }
    case .unicode(let digits):
      let digits = digits + [byte]
      escape = digits.count < 4 ? .unicode(digits) : .none
      if digits.count == 4 { put(unicode: UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD) }
    }
  }

  private mutating func endText() {
    inText = false
    switch place {
    case .name: place = .colon
    case .other: keep(UInt8(ascii: "\""))
    default: place = .comma
    }
  }

  private mutating func put(_ byte: UInt8) {
    if place == .name { if token.count < 256 { token.append(byte) } } else { keep(byte) }
  }

  private mutating func put(unicode value: UInt32) {
    if (0xD800..<0xDC00).contains(value) {
      highSurrogate = value
      return
    }
    var value = value
    if (0xDC00..<0xE000).contains(value), let high = highSurrogate {
      value = 0x10000 + (high - 0xD800) << 10 + (value - 0xDC00)
    }
    highSurrogate = nil
    for byte in String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8 { put(byte) }
  }

  private mutating func open(_ name: String) {
    guard buffers.count < Self.maximumFields else {
      form = .done
      return
    }
    buffers.append((name, [], false))
  }

  /// Keeps a byte of the text that is coming; of a long one the beginning goes, many bytes at a time.
  private mutating func keep(_ byte: UInt8) {
    if buffers.isEmpty { buffers.append((nil, [], false)) }
    let last = buffers.count - 1
    buffers[last].bytes.append(byte)
    guard buffers[last].bytes.count > 2 * Self.keptBytes else { return }
    buffers[last].bytes.removeFirst(buffers[last].bytes.count - Self.keptBytes)
    buffers[last].isShortened = true
  }

  /// The text of bytes that may begin and end in the middle of a character.
  private static func text(_ bytes: [UInt8]) -> String {
    var end = bytes.count
    var back = 0
    while back < min(4, bytes.count) {
      let byte = bytes[bytes.count - 1 - back]
      back += 1
      guard byte & 0xC0 != 0x80 else { continue }
      let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      if length > back { end = bytes.count - back }
      break
    }
    let start = bytes[..<end].prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
    return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
  }

  private static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): UInt8(ascii: "\n")
    case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): UInt8(ascii: " ")
    default: byte
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
