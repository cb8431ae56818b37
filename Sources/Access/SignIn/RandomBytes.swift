internal import COpenSSL
internal import Foundation
internal import Localization

/// Cryptographically secure random bytes of libcrypto.
enum RandomBytes {
  static func make(_ count: Int) throws(AccessError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let length = Int32(exactly: count), RAND_bytes(&bytes, length) == 1 else { throw failure("RAND_bytes") }
    return bytes
  }

  /// A short random name for records, in hexadecimal digits.
  static func name() throws(AccessError) -> String {
    try make(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func failure(_ function: String) -> AccessError {
    AccessError(.failed, "libcrypto refused: \(function)", de: "libcrypto hat abgelehnt: \(function)")
  }
}

/// Base64 (RFC 4648) without padding.
package enum Base64 {
  static func text(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  /// `nil` for anything but base64 without padding.
  static func decoded(_ text: String) -> [UInt8]? {
    guard !text.contains("=") else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map(Array.init)
  }

  /// The alphabet that is safe in addresses (RFC 4648, section 5).
  package static func webText(_ bytes: [UInt8]) -> String {
    String(text(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// The bytes of a text in the alphabet for addresses; `nil` for other texts.
  package static func bytes(ofWebText text: String) -> [UInt8]? {
    guard !text.contains(where: { $0 == "+" || $0 == "/" }) else { return nil }
    return decoded(String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }))
  }

  /// Whether a text is the form of 32 bytes in the alphabet for addresses.
  static func isWebTextOf32(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
