import Glibc
import Localization
import OperatingSystem

/// A file with 32 random bytes that vaults are locked with; several projects may share it.
///
/// A new key is first written beside the old one, as `PATH.next`; when the vault has it, it takes the old one's place.
/// A crash in between leaves both, and the vault opens with one of them. Former keys stay in `PATH.old`, as other vaults
/// may still be locked with them.
public struct KeyFile: Sendable {
  /// The file.
  public let path: String
  /// Where a new key waits.
  private var nextPath: String { path + ".next" }
  /// The file with the former keys, one after the other, the newest first.
  public var formerPath: String { path + ".old" }

  /// Creates a key file's description; touches no file.
  public init(path: String) {
    self.path = path
  }

  /// Whether there is such a file, or one that was about to become it.
  public var exists: Bool { access(path, F_OK) == 0 || access(nextPath, F_OK) == 0 }

  /// The files that hold keys, whether they exist or not.
  var files: [String] { [path, nextPath, formerPath] }

  /// The keys that a vault may be locked with, the likeliest first; none if there is no file.
  public func keys() throws(SecretError) -> [VaultKey] {
    try currentKeys() + formerKeys().map(VaultKey.file)
  }

  /// The key, and the one that waits.
  public func currentKeys() throws(SecretError) -> [VaultKey] { try currentBytes().map(VaultKey.file) }

  private func currentBytes() throws(SecretError) -> [SecureBytes] {
    var keys: [SecureBytes] = []
    for path in [path, nextPath] {
      guard let bytes = try ProtectedFile.read(path, limit: SecretLimits.value) else { continue }
      guard bytes.count == Cryptography.keySize else { throw KeyFile.invalid(path, multiple: false) }
      keys.append(bytes)
    }
    return keys
  }

  private func formerKeys() throws(SecretError) -> [SecureBytes] {
    guard let bytes = try ProtectedFile.read(formerPath, limit: SecretLimits.value) else { return [] }
    let size = Cryptography.keySize
    guard bytes.count.isMultiple(of: size) else { throw KeyFile.invalid(formerPath, multiple: true) }
    var keys: [SecureBytes] = []
    for start in stride(from: 0, to: bytes.count, by: size) { keys.append(try bytes.slice(start..<start + size)) }
    return keys
  }

  /// Makes a key file.
  ///
  /// - Throws: ``SecretError/Code/fileRefused`` if there is one: it may be the key of another vault.
  public func create() throws(SecretError) -> VaultKey {
    guard !exists else {
      throw SecretError(
        .fileRefused,
        LocalizedText("there is a key file \(path) already", de: "es gibt schon eine Schlüsseldatei \(path)"))
    }
    return .file(try write(path))
  }

  /// Replaces the key by a new one. The former key stays in ``formerPath``.
  ///
  /// - Parameter lock: Locks a vault with the new key; where it throws, the former key stays the file's key.
  public func replaceKey(_ lock: (VaultKey) throws(SecretError) -> Void) throws(SecretError) {
    guard let held = try ProtectedFile.lock(path + ".lock", patience: 10) else {
      throw SecretError(
        .vaultBusy,
        LocalizedText(
          "another process is changing the key file \(path)",
          de: "ein anderer Prozess ändert gerade die Schlüsseldatei \(path)"))
    }
    defer { held.release() }
    // The key that waits as well: after a crash a vault may be locked with it.
    try keepAsFormer(try currentBytes())
    try lock(.file(try write(nextPath)))
    do {
      try AtomicFile.rename(nextPath, to: path)
    } catch {
      throw ProtectedFile.unusable(path, error.code)
    }
    AtomicFile.synchronizeFolder(of: path)
  }

  private func keepAsFormer(_ keys: [SecureBytes]) throws(SecretError) {
    let known = try formerKeys()
    let all = keys.filter { key in !known.contains { $0.isEqual(to: key) } } + known
    guard all.count > known.count else { return }
    guard all.count * Cryptography.keySize <= SecretLimits.value else {
      throw SecretError(
        .fileRefused,
        LocalizedText(
          "\(formerPath) is full; delete it where no vault is locked with a former key any more",
          de: "\(formerPath) ist voll; sie kann gelöscht werden, wenn kein Tresor mehr mit einem früheren Schlüssel "
            + "verschlossen ist"))
    }
    let bytes = try SecureBytes(capacity: all.count * Cryptography.keySize) { memory throws(SecretError) in
      for (index, key) in all.enumerated() {
        key.withBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: memory[(index * Cryptography.keySize)...]).copyMemory(from: bytes)
        }
      }
      return memory.count
    }
    try bytes.withBytes { bytes throws(SecretError) in try ProtectedFile.replace(formerPath, with: bytes) }
  }

  private func write(_ path: String) throws(SecretError) -> SecureBytes {
    let key = try Cryptography.randomKey(Cryptography.keySize)
    try key.withBytes { bytes throws(SecretError) in try ProtectedFile.replace(path, with: bytes) }
    return key
  }

  private static func invalid(_ path: String, multiple: Bool) -> SecretError {
    let size = Cryptography.keySize
    return SecretError(
      .fileInvalid,
      multiple
        ? LocalizedText(
          "\(path) does not hold keys: its size must be a multiple of \(size) bytes",
          de: "\(path) enthält keine Schlüssel: die Größe muss ein Vielfaches von \(size) Byte sein")
        : LocalizedText(
          "\(path) is not a key file: it must have \(size) bytes",
          de: "\(path) ist keine Schlüsseldatei: sie muss \(size) Byte haben"))
  }
}
