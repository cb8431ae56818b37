import Expressions
import Foundation
import Localization

/// Takes a provider's secrets out of what its plugin says.
///
/// Besides the secrets themselves it finds them in Base64, at any place of a longer text that was encoded, and
/// percent-encoded. Secrets of fewer than four characters are left alone: they would occur everywhere.
struct SecretMask: Sendable {
  static let shortest = 4
  private static let replacement = Array("***".utf8)

  /// What is taken out, longest first.
  private let needles: [[UInt8]]

  init(_ secrets: [String]) {
    var needles: Set<[UInt8]> = []
    for secret in secrets where secret.count >= SecretMask.shortest {
      let bytes = Array(secret.utf8)
      needles.insert(bytes)
      needles.formUnion(SecretMask.base64(bytes))
      for escaped in SecretMask.percentEncoded(bytes) { needles.insert(escaped) }
    }
    self.needles = SecretMask.sorted(needles)
  }

  private init(needles: [[UInt8]]) {
    self.needles = needles
  }

  private static func sorted(_ needles: Set<[UInt8]>) -> [[UInt8]] {
    needles.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
  }

  /// This mask and one more secret.
  func hiding(_ secret: String) -> SecretMask {
    let isKnown = secret.count < SecretMask.shortest || needles.contains(Array(secret.utf8))
    return isKnown
      ? self : SecretMask(needles: SecretMask.sorted(Set(needles).union(SecretMask([secret]).needles)))
  }

  /// Masks nothing.
  static let none = SecretMask([])

  /// The length in bytes of the longest text that is taken out.
  var longest: Int { needles.first?.count ?? 0 }

  /// A text without secrets.
  func callAsFunction(_ text: String) -> String {
    guard !needles.isEmpty else { return text }
    var text = text
    let isAffected = text.withUTF8 { bytes in needles.contains { SecretMask.find($0, in: bytes, from: 0) != nil } }
    guard isAffected else { return text }
    var bytes = Array(text.utf8)
    for needle in needles { bytes = SecretMask.replacing(needle, in: bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text without secrets in either language.
  func callAsFunction(_ text: LocalizedText) -> LocalizedText {
    needles.isEmpty ? text : LocalizedText(self(text.english), de: self(text.german))
  }

  /// A value without secrets in its strings and keys.
  func callAsFunction(_ value: Value) -> Value {
    guard !needles.isEmpty else { return value }
    switch value {
    case .string(let text): return .string(self(text))
    case .list(let elements): return .list(elements.map { self($0) })
    case .map(let map): return .map(self(map))
    default: return value
    }
  }

  /// A map without secrets in its strings and keys.
  func callAsFunction(_ map: ValueMap) -> ValueMap {
    guard !needles.isEmpty else { return map }
    return ValueMap(
      map.entries.map { entry in
        if case .string(let key) = entry.key { return (key: .string(self(key)), value: self(entry.value)) }
        return (key: entry.key, value: self(entry.value))
      })
  }

  // MARK: - Forms

  /// The Base64 forms: what is the same in every encoding of a text with the secret in it, for each of the three places
  /// it can have in a group, in both alphabets (RFC 4648, sections 4 and 5).
  private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
    var forms: [[UInt8]] = []
    for offset in 0..<3 {
      let encoded = Array(Data([UInt8](repeating: 0, count: offset) + secret).base64EncodedData())
      // Characters that hold bits of what stands before or after are not the secret's own.
      let bits = (offset + secret.count) * 8
      let own = encoded.prefix(bits / 6).dropFirst((offset * 8 + 5) / 6)
      guard own.count >= shortest else { continue }
      forms.append(Array(own))
      forms.append(own.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5f : $0 })
    }
    // The whole, with what fills it up.
    forms.append(Array(Data(secret).base64EncodedData()))
    return forms
  }

  /// The percent-encoded forms, with both cases of hexadecimal digits, and a space as `+` (RFC 3986, section 2.1).
  private static func percentEncoded(_ secret: [UInt8]) -> [[UInt8]] {
    var forms: [[UInt8]] = []
    for digits in ["0123456789ABCDEF", "0123456789abcdef"].map({ Array($0.utf8) }) {
      for spaceIsPlus in [false, true] {
        var form: [UInt8] = []
        for byte in secret {
          if isUnreserved(byte) {
            form.append(byte)
          } else if byte == 0x20, spaceIsPlus {
            form.append(UInt8(ascii: "+"))
          } else {
            form += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
          }
        }
        forms.append(form)
      }
    }
    return forms
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  // MARK: - Search

  private static func replacing(_ needle: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { buffer in
      var result: [UInt8] = []
      var position = 0
      while let found = find(needle, in: buffer, from: position) {
        result += buffer[position..<found]
        result += replacement
        position = found + needle.count
      }
      return result + buffer[position...]
    }
  }

  static func find(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = needle.first, let base = bytes.baseAddress else { return nil }
    var position = start
    while bytes.count - position >= needle.count {
      guard let hit = memchr(base + position, Int32(first), bytes.count - position - needle.count + 1) else {
        return nil
      }
      let index = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
      if memcmp(hit, needle, needle.count) == 0 { return index }
      position = index + 1
    }
    return nil
  }
}
