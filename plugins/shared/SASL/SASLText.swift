internal import FoundationEssentials

/// Base64 as SMTP (RFC 4954) and IMAP (RFC 9051) send the messages of an exchange.
public enum SASLText {
  /// The text of a response.
  public static func encoded(_ response: [UInt8]) -> String { Data(response).base64EncodedString() }

  /// The text of an initial response that follows a command: `=` if it is empty.
  public static func encodedInitial(_ response: [UInt8]) -> String { response.isEmpty ? "=" : encoded(response) }

  /// The bytes of a challenge.
  ///
  /// - Throws: `malformed_challenge` for what is not a Base64, or is longer than 64 KiB.
  public static func decoded(_ challenge: some StringProtocol) throws(SASLError) -> [UInt8] {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var line = Substring(challenge).drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    let text = String(line)
    guard text.utf8.count <= 64 << 10, let data = Data(base64Encoded: text) else {
      throw .malformed("no Base64", "kein Base64")
    }
    return Array(data)
  }
}
