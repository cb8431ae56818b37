import Glibc
import Localization

/// A file with 32 random bytes that a vault is locked with.
///
/// A new key is first written beside the old one, as `PATH.next`; when the vault has it, it takes the old one's place.
/// A crash in between leaves both, and the vault opens with one of them.
public struct KeyFile: Sendable {
  /// The file.
  public let path: String
  /// Where a new key waits.
  private var nextPath: String { path + ".next" }

  /// Creates a key file's description; touches no file.
  public init(path: String) {
    self.path = path
  }

  /// Whether there is such a file, or one that was about to become it.
  public var exists: Bool { access(path, F_OK) == 0 || access(nextPath, F_OK) == 0 }

  /// The keys that the vault may be locked with, the likeliest first; none where there is no file.
  public func keys() throws(SecretError) -> [VaultKey] {
    var keys: [VaultKey] = []
    for path in [path, nextPath] {
      guard let bytes = try ProtectedFile.read(path, limit: SecretLimits.value) else { continue }
      keys.append(.file(try checked(bytes, path)))
    }
    return keys
  }

  /// Makes a key file.
  ///
  /// - Throws: ``SecretError/Code/fileRefused`` where there is one: it may be the key of another vault.
  public func create() throws(SecretError) -> VaultKey {
    guard !exists else {
      throw SecretError(
        .fileRefused,
        LocalizedText("there is a key file \(path) already", de: "es gibt schon eine Schlüsseldatei \(path)"))
    }
    return .file(try write(path))
  }

  /// Makes a new key that waits for ``confirm()``.
  public func prepare() throws(SecretError) -> VaultKey { .file(try write(nextPath)) }

  /// Puts the new key in the old one's place.
  public func confirm() throws(SecretError) {
    guard rename(nextPath, path) == 0 else {
      throw ProtectedFile.unusable(path, errno)
    }
    ProtectedFile.synchronize(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
  }

  private func write(_ path: String) throws(SecretError) -> SecureBytes {
    let key = try Cryptography.randomKey(Cryptography.keySize)
    try key.withBytes { bytes throws(SecretError) in try ProtectedFile.replace(path, with: bytes) }
    return key
  }

  private func checked(_ bytes: SecureBytes, _ path: String) throws(SecretError) -> SecureBytes {
    guard bytes.count == Cryptography.keySize else {
      throw SecretError(
        .fileInvalid,
        LocalizedText(
          "\(path) is no key file: it must have \(Cryptography.keySize) bytes",
          de: "\(path) ist keine Schlüsseldatei: sie muss \(Cryptography.keySize) Byte haben"))
    }
    return bytes
  }
}
