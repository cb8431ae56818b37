import Foundation

/// Base64 for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
  /// The bytes as a text.
  static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The bytes of a text; `nil` for one that is none.
  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
  }
}
