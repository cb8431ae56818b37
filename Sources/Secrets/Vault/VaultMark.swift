import Glibc
import OperatingSystem

/// Identifies a state of a vault without opening it.
///
/// It is the nonce of the file, new with every write. A write that only brings fresh tokens of an account keeps the mark that
/// was there: then a file beside the vault, `vault.mark`, says which mark the new nonce represents. A file that speaks of
/// another nonce counts for nothing, so every other write makes a new mark.
public struct VaultMark {
  private let path: String

  /// Creates the mark of the vault in a file; reads nothing.
  public init(path: String) { self.path = path }

  /// The mark; `nil` if there is no vault.
  public var text: String? {
    guard let nonce else { return nil }
    guard let bytes = Self.read(path + ".mark", upTo: 200) else { return nonce }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.count == 2 && words[0] == nonce ? String(words[1]) : nonce
  }

  /// Lets the vault as it is now have a mark that it had before. Where that cannot be written, it has a new one.
  func keep(_ mark: String) {
    guard let nonce, nonce != mark else { return }
    var text = "\(nonce) \(mark)"
    text.withUTF8 { bytes in
      try? ProtectedFile.replace(path + ".mark", with: UnsafeRawBufferPointer(bytes))
    }
  }

  private var nonce: String? {
    guard let bytes = Self.read(path, upTo: VaultHeader.size), VaultHeader.isVault(bytes),
      bytes.count == VaultHeader.size
    else { return nil }
    return bytes[84..<96].map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func read(_ path: String, upTo count: Int) -> [UInt8]? {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK) else { return nil }
    return try? file.readAll(limit: count)
  }
}
