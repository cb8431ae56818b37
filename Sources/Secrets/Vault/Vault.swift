import Glibc
import Localization
import OperatingSystem

/// A file of secrets, encrypted with AES-256-GCM under a passphrase (scrypt) or a key file.
///
/// Every change is a new file that takes the old one's place at once: a reader sees one or the other, whole. Writers wait
/// for each other. The file's form is described at `VaultHeader`; docs/operations.md says how it is used.
public struct Vault: Sendable {
  /// How a vault is locked.
  public enum Lock: Sendable, Hashable {
    /// With a passphrase.
    case passphrase
    /// With a key file.
    case keyFile
  }

  /// The file.
  public let path: String
  /// How much work a new passphrase is made.
  private let cost: ScryptCost
  /// The seconds to wait for another writer.
  private let patience: Double

  /// Creates a vault; touches no file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - cost: How much work it is to try a passphrase on what this process writes.
  ///   - patience: The seconds to wait for another writer.
  public init(path: String, cost: ScryptCost = .standard, patience: Double = 10) {
    self.path = path
    self.cost = cost
    self.patience = patience
  }

  /// Whether there is such a file.
  public var exists: Bool { Glibc.access(path, F_OK) == 0 }

  /// How the vault is locked; this part of the file is not encrypted.
  ///
  /// - Throws: ``SecretError`` if there is no vault, or if it is damaged.
  public func lock() throws(SecretError) -> Lock {
    switch try sealed().header.derivation {
    case .passphrase: .passphrase
    case .keyFile: .keyFile
    }
  }

  // MARK: - Reading

  /// Tries a key. With a passphrase that takes the time its cost asks for.
  ///
  /// - Throws: ``SecretError/Code/vaultWrongKey`` where the vault is locked with another.
  public func access(with key: VaultKey) throws(SecretError) -> VaultAccess {
    let header = try sealed().header
    guard key.suits(header.derivation) else { throw SecretError.wrongKind(of: header.derivation) }
    let keys = try DerivedKeys(key, derivation: header.derivation, salt: header.salt)
    guard try keys.match(header) else { throw wrongKey(header.derivation) }
    return VaultAccess(keys: keys)
  }

  /// The secrets.
  public func contents(_ access: VaultAccess) throws(SecretError) -> VaultContents {
    try open(try sealed(), access)
  }

  /// A vault as it is in its file, not decrypted; its checksum is right.
  struct Sealed {
    let header: VaultHeader
    let ciphertext: [UInt8]
  }

  /// Reads the file and checks what can be checked without a key.
  func sealed() throws(SecretError) -> Sealed {
    let limit = VaultHeader.size + Cryptography.tagSize + Cryptography.digestSize + (16 << 20)
    guard let bytes = try ProtectedFile.read(path, limit: limit) else {
      throw SecretError(
        .vaultMissing,
        LocalizedText(
          "there is no vault \(path); the first 'sous secrets set NAME' makes one",
          de: "es gibt keinen Tresor \(path); das erste 'sous secrets set NAME' legt ihn an"))
    }
    let file = bytes.withBytes { Array($0) }
    let header: VaultHeader
    do {
      header = try VaultHeader(file)
    } catch {
      throw problem(error, isWhole: Vault.hasChecksum(file))
    }
    let sealedSize = Int(header.length) + Cryptography.tagSize
    guard Vault.hasChecksum(file), file.count == VaultHeader.size + sealedSize + Cryptography.digestSize else {
      throw damaged
    }
    return Sealed(header: header, ciphertext: Array(file[VaultHeader.size..<VaultHeader.size + sealedSize]))
  }

  private static func hasChecksum(_ file: [UInt8]) -> Bool {
    guard file.count > Cryptography.digestSize else { return false }
    let digest = Cryptography.digest(file.dropLast(Cryptography.digestSize))
    return digest == Array(file.suffix(Cryptography.digestSize))
  }

  /// Decrypts what was read.
  private func open(_ sealed: Sealed, _ access: VaultAccess) throws(SecretError) -> VaultContents {
    ProcessProtection.enable()
    let keys = access.keys
    // Another process may have given it another key since.
    guard try keys.match(sealed.header) else { throw wrongKey(sealed.header.derivation) }
    let plaintext = try Cryptography.open(
      sealed.ciphertext, key: keys.encryption, nonce: sealed.header.nonce, authenticating: sealed.header.bytes)
    guard let plaintext, let contents = try VaultContents(decoding: plaintext) else {
      throw SecretError(
        .vaultAltered,
        LocalizedText(
          "the vault \(path) was altered without its key: its checksum is right, its contents are not. "
            + "Restore it from a backup, and find out who has access to it.",
          de:
            "der Tresor \(path) wurde ohne den Schlüssel verändert: die Prüfsumme stimmt, der Inhalt nicht. "
            + "Spiele eine Sicherung ein und finde heraus, wer Zugriff hat."))
    }
    return contents
  }

  // MARK: - Writing

  /// Makes a vault without secrets.
  ///
  /// - Throws: ``SecretError/Code/vaultExists`` if there is one already.
  public func create(_ key: VaultKey) throws(SecretError) {
    try withLock { () throws(SecretError) in
      guard !exists else {
        throw SecretError(
          .vaultExists, LocalizedText("there is a vault \(path) already", de: "es gibt schon einen Tresor \(path)"))
      }
      try write(VaultContents(), try newKeys(key))
    }
  }

  /// Changes the secrets: all of what `change` does, or nothing.
  ///
  /// - Parameters:
  ///   - access: The vault's keys.
  ///   - change: The change; an error of its leaves the vault as it is.
  func update(
    _ access: VaultAccess, keepsMark: Bool = false, _ change: (inout VaultContents) throws(SecretError) -> Void
  ) throws(SecretError) {
    try withLock { () throws(SecretError) in
      var contents = try open(try sealed(), access)
      try change(&contents)
      let mark = keepsMark ? VaultMark(path: path).text : nil
      try write(contents, access.keys)
      if let mark { VaultMark(path: path).keep(mark) }
    }
  }

  /// Sets a secret.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value: UTF-8 without NUL, 1 byte to 64 KiB.
  ///   - time: When that is, in seconds since 1970.
  ///   - access: The vault's keys.
  ///   - keepsMark: Whether ``VaultMark/text`` stays what it is: the secret says the same as before in fresh words.
  /// - Returns: Whether there was one of that name.
  @discardableResult
  public func set(
    _ name: SecretName, to value: SecureBytes, at time: Int64, _ access: VaultAccess, keepsMark: Bool = false
  ) throws(SecretError) -> Bool {
    guard !value.isEmpty else {
      throw SecretError(
        .valueInvalid, LocalizedText("an empty value is not a secret", de: "ein leerer Wert ist kein Geheimnis"))
    }
    _ = try SecretStore.checked(value)
    var isNew = true
    try update(access, keepsMark: keepsMark) { contents throws(SecretError) in
      isNew = contents.value(of: name) == nil
      try contents.set(name, to: value, at: time)
    }
    return !isNew
  }

  /// Deletes a secret.
  ///
  /// - Throws: ``SecretError/Code/missing`` if there is none of that name.
  public func delete(_ name: SecretName, _ access: VaultAccess) throws(SecretError) {
    try update(access) { contents throws(SecretError) in
      guard contents.remove(name) else {
        throw SecretError(
          .missing,
          LocalizedText("the vault has no secret '\(name)'", de: "der Tresor hat kein Geheimnis '\(name)'"))
      }
    }
  }

  /// Locks the vault with another key, and with a new salt.
  ///
  /// - Parameters:
  ///   - access: The keys that it has.
  ///   - new: The key that it gets; may be the same.
  public func rotate(_ access: VaultAccess, to new: VaultKey) throws(SecretError) {
    try withLock { () throws(SecretError) in
      let contents = try open(try sealed(), access)
      try write(contents, try newKeys(new))
    }
  }

  private func newKeys(_ key: VaultKey) throws(SecretError) -> DerivedKeys {
    let salt = try Cryptography.randomBytes(VaultHeader.saltSize)
    switch key {
    case .passphrase: return try DerivedKeys(key, derivation: .passphrase(cost), salt: salt)
    case .file: return try DerivedKeys(key, derivation: .keyFile, salt: salt)
    }
  }

  private func write(_ contents: VaultContents, _ keys: DerivedKeys) throws(SecretError) {
    ProcessProtection.enable()
    let plaintext = try contents.encoded()
    guard let length = UInt32(exactly: plaintext.count) else { throw damaged }
    var header = VaultHeader(
      derivation: keys.derivation, salt: keys.salt, keyCheck: [UInt8](repeating: 0, count: Cryptography.digestSize),
      nonce: try Cryptography.randomBytes(Cryptography.nonceSize), length: length)
    header.keyCheck = try keys.keyCheck(of: header)
    let sealed = try Cryptography.seal(
      plaintext, key: keys.encryption, nonce: header.nonce, authenticating: header.bytes)
    let file = header.bytes + sealed
    let bytes = try SecureBytes(file + Cryptography.digest(file))
    let target = Vault.resolved(path)
    ProtectedFile.removeLeftovers(of: target)
    try bytes.withBytes { bytes throws(SecretError) in try ProtectedFile.replace(target, with: bytes) }
  }

  /// The file that a symbolic link leads to, so that the link stays one.
  private static func resolved(_ path: String) -> String { SystemPath.resolved(path) ?? path }

  /// Keeps other writers out.
  private func withLock<Result>(_ body: () throws(SecretError) -> Result) throws(SecretError) -> Result {
    // Not the vault itself: that is another file after every write.
    guard let lock = try ProtectedFile.lock(Vault.resolved(path) + ".lock", patience: patience) else {
      throw SecretError(
        .vaultBusy,
        LocalizedText(
          "another process is changing the vault \(path)", de: "ein anderer Prozess ändert gerade den Tresor \(path)"))
    }
    defer { lock.release() }
    return try body()
  }

  // MARK: - Errors

  private var damaged: SecretError {
    SecretError(
      .vaultDamaged,
      LocalizedText(
        "the vault \(path) is damaged or cut short; restore it from a backup",
        de: "der Tresor \(path) ist beschädigt oder unvollständig; eine Sicherung einspielen"))
  }

  private func wrongKey(_ derivation: VaultHeader.Derivation) -> SecretError {
    SecretError(
      .vaultWrongKey,
      derivation == .keyFile
        ? LocalizedText(
          "the key file is not that of the vault \(path)", de: "die Schlüsseldatei gehört nicht zum Tresor \(path)")
        : LocalizedText(
          "the passphrase is not that of the vault \(path)", de: "die Passphrase gehört nicht zum Tresor \(path)"))
  }

  private func problem(_ problem: VaultHeader.Problem, isWhole: Bool) -> SecretError {
    switch problem {
    case .foreign:
      SecretError(
        .vaultDamaged,
        LocalizedText(
          "\(path) is not a vault, or its beginning is damaged",
          de: "\(path) ist kein Tresor, oder sein Anfang ist beschädigt"))
    case .version(let version) where isWhole:
      SecretError(
        .vaultUnsupported,
        LocalizedText(
          "the vault \(path) has the format \(version); this Sous knows \(VaultHeader.version): update Sous",
          de:
            "der Tresor \(path) hat das Format \(version); dieses Sous kennt \(VaultHeader.version): aktualisiere Sous")
      )
    case .cost where isWhole:
      SecretError(
        .vaultUnsupported,
        LocalizedText(
          "the vault \(path) asks for more or less work (scrypt) than is allowed",
          de: "der Tresor \(path) verlangt mehr oder weniger Arbeit (scrypt) als erlaubt"))
    default: damaged
    }
  }
}
