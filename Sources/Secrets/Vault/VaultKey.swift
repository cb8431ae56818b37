import Localization

/// The lock of a vault.
public enum VaultKey: Sendable {
  /// A passphrase that a person remembers.
  case passphrase(SecureBytes)
  /// The 32 bytes of a key file.
  case file(SecureBytes)

  /// The fewest bytes of a new passphrase.
  public static let shortestPassphrase = 8

  /// Whether this is the sort of key that a vault of that derivation has.
  func suits(_ derivation: VaultHeader.Derivation) -> Bool {
    switch (self, derivation) {
    case (.passphrase, .passphrase), (.file, .keyFile): true
    default: false
    }
  }
}

/// The keys that one vault is encrypted and checked with, derived from a ``VaultKey`` and the vault's salt.
struct DerivedKeys: Sendable {
  /// For AES-256-GCM.
  let encryption: SecureBytes
  /// For the key check.
  private let check: SecureBytes
  /// The key derivation function.
  let derivation: VaultHeader.Derivation
  /// Its parameters.
  let salt: [UInt8]

  /// Derives the keys. With a passphrase that takes the time its cost asks for.
  init(_ key: VaultKey, derivation: VaultHeader.Derivation, salt: [UInt8]) throws(SecretError) {
    let size = Cryptography.keySize
    let material: SecureBytes
    switch (key, derivation) {
    case (.passphrase(let passphrase), .passphrase(let cost)):
      material = try Cryptography.scrypt(passphrase, salt: salt, cost: cost, count: size * 2)
    case (.file(let bytes), .keyFile):
      material = try Cryptography.expand(bytes, salt: salt, info: Array("sous vault 1".utf8), count: size * 2)
    default:
      throw SecretError.wrongKind(of: derivation)
    }
    encryption = try material.slice(0..<size)
    check = try material.slice(size..<size * 2)
    self.derivation = derivation
    self.salt = salt
  }

  /// Whether these are the keys of a vault.
  func match(_ header: VaultHeader) throws(SecretError) -> Bool {
    guard header.derivation == derivation, header.salt == salt else { return false }
    return Cryptography.areEqual(try keyCheck(of: header), header.keyCheck)
  }

  /// The key check for a header.
  func keyCheck(of header: VaultHeader) throws(SecretError) -> [UInt8] {
    try Cryptography.authenticationCode(of: header.checkedBytes, key: check)
  }
}

/// The verified keys of one vault, for reading and changing it.
public struct VaultAccess: Sendable {
  let keys: DerivedKeys
}

extension SecretError {
  /// A passphrase for a vault with a key file, or the other way round.
  static func wrongKind(of derivation: VaultHeader.Derivation) -> SecretError {
    switch derivation {
    case .passphrase:
      SecretError(
        .vaultWrongKey,
        LocalizedText("the vault is locked with a passphrase", de: "der Tresor ist mit einer Passphrase verschlossen"))
    case .keyFile:
      SecretError(
        .vaultWrongKey,
        LocalizedText("the vault is locked with a key file", de: "der Tresor ist mit einer Schlüsseldatei verschlossen")
      )
    }
  }
}
