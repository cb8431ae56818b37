internal import COpenSSL
import Foundation
import Localization
import OperatingSystem

/// A `.minisig` file: the signature of a file, and a signature of the trusted comment with it.
///
/// Format: <https://jedisct1.github.io/minisign/#signature-format>. `Ed` signs the file itself, `ED` its BLAKE2b-512.
public struct DetachedSignature: Sendable {
  /// The trusted comment, such as `timestamp:1700000000 file:weather.tar.xz`.
  public let comment: String
  private let isPrehashed: Bool
  private let keyID: [UInt8]
  private let signature: [UInt8]
  private let global: [UInt8]
  private let place: String

  /// The largest file with a signature in bytes.
  static let longest = 8 << 10

  /// Reads the text of a `.minisig` file.
  ///
  /// - Parameters:
  ///   - text: Four lines: untrusted comment, signature, trusted comment, global signature.
  ///   - place: The file or URL of the text, for messages.
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/wrongSignature``.
  public init(_ text: String, from place: String) throws(PluginStoreError) {
    // A line break of Windows is one character in Swift.
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let prefix = "trusted comment: "
    guard text.utf8.count <= Self.longest, lines.count == 4, lines[0].hasPrefix("untrusted comment:"),
      lines[2].hasPrefix(prefix), let data = Data(base64Encoded: lines[1]), data.count == 74,
      let global = Data(base64Encoded: lines[3]), global.count == 64,
      let isPrehashed = ["Ed": false, "ED": true][String(decoding: data.prefix(2), as: UTF8.self)]
    else {
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "\(place) is not a signature of minisign; sign the file again: minisign -Sm FILE",
          de: "\(place) ist keine Signatur von minisign; die Datei neu signieren: minisign -Sm DATEI"))
    }
    self.place = place
    self.isPrehashed = isPrehashed
    keyID = Array(data[2..<10])
    signature = Array(data[10...])
    self.global = Array(global)
    comment = String(lines[2].dropFirst(prefix.count))
  }

  /// Checks that a key made this signature for a file, and its trusted comment.
  ///
  /// - Parameters:
  ///   - path: The file. Without prehashing it is read as a whole, up to `limit` bytes.
  ///   - key: The trusted key.
  ///   - limit: The most bytes of the file.
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/wrongSignature``, or
  ///   ``PluginStoreError/Code/unusableFile``.
  public func verify(fileAt path: String, by key: SignatureKey, limit: Int) throws(PluginStoreError) {
    guard keyID == key.id else {
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "\(place) was signed by the key \(SignatureKey.name(of: keyID)), but the trusted key is \(key.name); nothing was "
            + "installed. If the author has a new key, check it with the author before you trust it",
          de:
            "\(place) wurde mit dem Schlüssel \(SignatureKey.name(of: keyID)) signiert, vertraut wird aber \(key.name); "
            + "nichts wurde installiert. Hat der Autor einen neuen Schlüssel, diesen zuerst beim Autor prüfen"))
    }
    let message: [UInt8]
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY)
      message = isPrehashed ? try Self.blake2b(of: file) : try file.readAll(limit: limit + 1)
    } catch {
      throw .unusable(path, .systemError(error.code))
    }
    guard message.count <= limit, key.verifies(signature, of: message) else {
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "the signature \(place) does not belong to the file: it was changed after it was signed. Nothing was installed",
          de: "die Signatur \(place) gehört nicht zur Datei: Sie wurde nach dem Signieren verändert. Nichts wurde "
            + "installiert"))
    }
    guard key.verifies(global, of: signature + Array(comment.utf8)) else {
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "the trusted comment of \(place) was changed after it was signed. Nothing was installed",
          de: "der vertraute Kommentar von \(place) wurde nach dem Signieren verändert. Nichts wurde installiert"))
    }
  }

  /// BLAKE2b-512 (RFC 7693) of an open file.
  private static func blake2b(of file: Descriptor) throws(SystemError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw SystemError(ENOMEM) }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestInit_ex(context, EVP_blake2b512(), nil) == 1 else { throw SystemError(ENOTSUP) }
    try file.readPieces { piece in
      piece.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
      return true
    }
    var digest = [UInt8](repeating: 0, count: 64)
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw SystemError(EIO) }
    return digest
  }
}
