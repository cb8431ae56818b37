import Foundation

/// Numbers of JSON that no value holds with all their digits; they go through an import as marked texts.
enum LongNumbers {
  /// What such a text begins with.
  static let mark = "\u{F8FF}number "

  /// JSON in which they are texts.
  static func marked(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var offset = 0
    var isText = false
    while offset < json.count {
      let byte = json[offset]
      if isText {
        // What follows a backslash ends no text.
        if byte == UInt8(ascii: "\\"), offset + 1 < json.count {
          result.append(byte)
          offset += 1
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        result.append(json[offset])
        offset += 1
      } else if isPart(byte), byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
        let token = json[offset...].prefix(while: isPart)
        result += isLong(token) ? Array("\"\(mark)".utf8) + token + [UInt8(ascii: "\"")] : Array(token)
        offset = token.endIndex
      } else {
        isText = byte == UInt8(ascii: "\"")
        result.append(byte)
        offset += 1
      }
    }
    return result
  }

  /// Whether a text stands for such a number.
  static func isMarked(_ text: String) -> Bool {
    text.hasPrefix(mark) && isLong(Array(text.utf8.dropFirst(mark.utf8.count))[...])
  }

  /// JSON in which they are numbers again.
  static func restored(_ json: [UInt8]) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    guard text.contains(mark) else { return json }
    let pieces = text.components(separatedBy: "\"" + mark)
    var result = Array(pieces[0].utf8)
    for piece in pieces.dropFirst() {
      let bytes = Array(piece.utf8)
      let token = bytes.prefix(while: isPart)
      let isMarked =
        result.last != UInt8(ascii: "\\") && isLong(token) && bytes.dropFirst(token.count).first == UInt8(ascii: "\"")
      if !isMarked { result += Array("\"\(mark)".utf8) }
      result += token
      result += bytes.dropFirst(token.count + (isMarked ? 1 : 0))
    }
    return result
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isLong(_ token: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: token, as: UTF8.self)
    guard token.first != UInt8(ascii: "+"), let number = Double(text) else { return false }
    if !number.isFinite { return true }
    if token.count <= 17 || Int64(text) != nil || UInt64(text) != nil { return false }
    let digits = token.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return digits.drop { $0 == UInt8(ascii: "0") }.count > 17
  }
}
