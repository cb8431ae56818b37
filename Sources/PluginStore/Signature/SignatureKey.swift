internal import COpenSSL
import Foundation
import Localization

/// A public key of minisign (Ed25519): 2 bytes algorithm, 8 bytes key id, 32 bytes key, in Base64.
///
/// Format: <https://jedisct1.github.io/minisign/#public-key-format>
public struct SignatureKey: Sendable, Hashable {
  /// The key as minisign prints it, such as `RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3`.
  public let text: String
  let id: [UInt8]
  let key: [UInt8]

  /// Reads a key: its Base64 text, or the text of a `.pub` file, whose first line is a comment.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/wrongSignature``.
  public init(_ text: String) throws(PluginStoreError) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    let line = lines.last { !$0.isEmpty && !$0.hasPrefix("untrusted comment:") } ?? ""
    guard let data = Data(base64Encoded: line), data.count == 42, data.starts(with: Array("Ed".utf8)) else {
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "the key cannot be read: give a public key of minisign (RW…, 56 characters) or the path of its .pub file",
          de:
            "der Schlüssel ist nicht lesbar: einen öffentlichen Schlüssel von minisign (RW…, 56 Zeichen) oder den Pfad "
            + "seiner .pub-Datei angeben"))
    }
    self.text = line
    id = Array(data[2..<10])
    key = Array(data[10...])
  }

  /// The key id as minisign prints it: 16 hexadecimal digits in upper case, the last byte first.
  public var name: String { Self.name(of: id) }

  static func name(of id: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(decoding: id.reversed().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether a signature (64 bytes, RFC 8032) of this key belongs to a message.
  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == 64,
      let parsed = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count)
    else { return false }
    defer { EVP_PKEY_free(parsed) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, nil, nil, parsed) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
