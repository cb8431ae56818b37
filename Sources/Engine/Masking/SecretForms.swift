import Expressions
import Foundation

/// What is looked for to find a secret.
enum SecretForms {
  /// A text that gives a secret away.
  struct Form: Hashable {
    let bytes: [UInt8]
    /// Base64 may be broken into lines anywhere.
    var isBase64 = false
    /// Hexadecimal digits match in either case and with separators between the bytes: `61:62`, `61-62`, `0x61, 0x62`.
    var isHexadecimal = false
  }

  /// Longer secrets are looked for in pieces: one that was cut is found too, and no search takes long.
  static let pieceBytes = 128
  /// The lines of a secret with several are looked for each by itself, from this length on.
  private static let shortestLine = 8

  /// The forms of a secret, which ``SecretSearch`` also finds in JSON, percent-encoded and with HTML's entities.
  static func forms(of secret: String) -> Set<Form> {
    var texts = [secret]
    let lines = secret.split(whereSeparator: \.isNewline)
    if lines.count > 1 { texts += lines.filter { $0.count >= shortestLine }.map(String.init) }
    var forms: Set<Form> = []
    for text in Set(texts.flatMap(encodings)) {
      for piece in pieces(Array(text.utf8)) {
        forms.insert(Form(bytes: piece))
        forms.formUnion(base64(piece))
        forms.insert(hexadecimal(piece))
      }
    }
    return forms
  }

  /// A text as it is, and as it stands in JSON and URLs that are then encoded as a whole: settings in Base64, say.
  private static func encodings(_ text: String) -> [String] {
    let json = String(Value.string(text).jsonString.dropFirst().dropLast())
    let ascii = json.unicodeScalars.map { scalar in
      scalar.isASCII ? String(scalar) : String(scalar).utf16.map { "\\u" + hexadecimal($0) }.joined()
    }.joined()
    let url = text.utf8.map { byte in
      isUnreserved(byte) ? String(Unicode.Scalar(byte)) : "%" + hexadecimal(UInt16(byte)).suffix(2).uppercased()
    }.joined()
    return [text, json, json.replacing("/", with: "\\/"), ascii, url]
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Whether a byte stands for itself in every URL (RFC 3986, section 2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while bytes.count - start > pieceBytes {
      let end = boundary(in: bytes, before: start + pieceBytes)
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    // The last one is as long as the others, so that it does not occur everywhere.
    pieces.append(Array(bytes[boundary(in: bytes, before: max(0, min(start, bytes.count - pieceBytes)))...]))
    return pieces
  }

  /// Where a character begins, at an index or before it: pieces are texts.
  private static func boundary(in bytes: [UInt8], before index: Int) -> Int {
    var index = index
    while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
    return index
  }

  /// The Base64 forms: what is the same in every encoding of a text with the secret in it, for each of the three places
  /// it can have in a group, in both alphabets (RFC 4648, sections 4 and 5).
  private static func base64(_ secret: [UInt8]) -> Set<Form> {
    var texts: [[UInt8]] = []
    for offset in 0..<3 {
      let encoded = Array(Data([UInt8](repeating: 0, count: offset) + secret).base64EncodedData())
      // Characters that hold bits of what stands before or after are not the secret's own.
      let bits = (offset + secret.count) * 8
      let own = encoded.prefix(bits / 6).dropFirst((offset * 8 + 5) / 6)
      if own.count >= SecretMask.shortest { texts.append(Array(own)) }
    }
    // The whole, with what fills it up.
    texts.append(Array(Data(secret).base64EncodedData()))
    let urlSafe = texts.map { text in
      text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }
    return Set((texts + urlSafe).map { Form(bytes: $0, isBase64: true) })
  }

  /// The bytes as lowercase hexadecimal digits.
  private static func hexadecimal(_ secret: [UInt8]) -> Form {
    let digits = Array("0123456789abcdef".utf8)
    return Form(bytes: secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, isHexadecimal: true)
  }
}
