internal import COpenSSL
import FoundationEssentials
import PluginKit

/// What proves to a receiver that a request comes from somebody who knows the secret: HMAC-SHA256 (RFC 2104).
///
/// Two forms at once, so that most receivers need no code: `X-Hub-Signature-256`, hexadecimal over the body, as GitHub
/// sends it; and `webhook-signature` over id, time and body (https://www.standardwebhooks.com), which a receiver can
/// refuse when it comes too late.
struct Signature: Sendable {
  let secret: String

  /// The header fields of a request.
  ///
  /// - Parameters:
  ///   - body: What is sent.
  ///   - id: The same for every attempt of one notification.
  ///   - time: Seconds since 1970.
  func headers(_ body: [UInt8], id: String, time: Int64) throws(ActionError) -> [(String, String)] {
    let plain = try Self.code(key: Array(secret.utf8), body)
    let dated = try Self.code(key: standardKey, Array("\(id).\(time).".utf8) + body)
    return [
      ("x-hub-signature-256", "sha256=" + Self.hexadecimal(plain)), ("webhook-id", id),
      ("webhook-timestamp", String(time)), ("webhook-signature", "v1," + Data(dated).base64EncodedString()),
    ]
  }

  /// Secrets of Standard Webhooks are written as `whsec_` and Base64.
  private var standardKey: [UInt8] {
    guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))) else {
      return Array(secret.utf8)
    }
    return Array(key)
  }

  static func code(key: [UInt8], _ bytes: [UInt8]) throws(ActionError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard let keyLength = Int32(exactly: key.count),
      HMAC(EVP_sha256(), key, keyLength, bytes, bytes.count, &result, &length) != nil, length == 32
    else {
      throw ActionError(
        .unsupported, "The request cannot be signed.", german: "Die Anfrage lässt sich nicht unterschreiben.")
    }
    return result
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
