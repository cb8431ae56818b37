import Engine
import Expressions
import Foundation
public import Localization
public import Secrets

/// How a vault that is new, or gets another key, is locked.
public enum NewLock: Sendable {
  /// With a passphrase, which is asked for.
  case passphrase(@Sendable (Vault) throws(SecretError) -> SecureBytes)
  /// With the passphrase in a file.
  case passphraseFile(String)
  /// With a key file: the one that the environment names, or the standard one.
  case keyFile
}

/// What became of a secret that was put into the vault.
public struct KeptSecret: Sendable {
  /// Its name.
  public let name: SecretName
  /// Whether the vault is new.
  public let isNewVault: Bool
  /// Whether it had another value before.
  public let isReplaced: Bool
  /// What keeps it from being used, or from being masked.
  public let warnings: [LocalizedText]
}

extension ProjectSecrets {
  /// Puts a secret into the vault, which is made where there is none.
  ///
  /// - Parameters:
  ///   - name: The secret's name.
  ///   - lock: How a new vault is locked, unless the environment gives its key.
  ///   - value: Gets the value, once it is known that the vault can be opened.
  /// - Throws: ``UseCaseError`` with a code of `SecretError`.
  public func set(
    _ name: String, newVault lock: NewLock, value: (SecretName) throws(SecretError) -> SecureBytes
  ) throws(UseCaseError) -> KeptSecret {
    try mapErrors {
      let name = try SecretName(checking: name)
      let isNew = !vault.exists
      let key = try isNew ? newKey(lock) : nil
      var access = try isNew ? nil : keyring.unlock(vault)
      let content = try value(name)
      if let key {
        try vault.create(key)
        access = try vault.access(with: key)
      }
      let isReplaced = try access.map { try vault.set(name, to: content, at: SystemTime().now.seconds, $0) } ?? false
      return KeptSecret(
        name: name, isNewVault: isNew, isReplaced: isReplaced, warnings: warnings(name, length: content.count))
    }
  }

  /// Takes a secret out of the vault.
  ///
  /// - Throws: ``UseCaseError`` with a code of `SecretError`.
  public func delete(_ name: String) throws(UseCaseError) -> SecretName {
    try mapErrors {
      let name = try SecretName(checking: name)
      try vault.delete(name, try keyring.unlock(vault))
      return name
    }
  }

  /// The key file that a vault is locked with where it is locked with one.
  public var keyFile: KeyFile { keyring.namedKeyFile ?? keyring.standardKeyFile }

  /// Whether vaults of other projects may be locked with a former key of the key file.
  public var hasFormerKeys: Bool { FileManager.default.fileExists(atPath: keyFile.formerPath) }

  /// Locks the vault with another key.
  ///
  /// - Parameters:
  ///   - lock: How; `nil` for the same sort as now.
  ///   - passphrase: Asks for the new passphrase, where the vault has one now and `lock` says nothing.
  /// - Returns: How it is locked now.
  /// - Throws: ``UseCaseError`` with a code of `SecretError`.
  public func rotate(
    to lock: NewLock?, passphrase: @escaping @Sendable (Vault) throws(SecretError) -> SecureBytes
  ) throws(UseCaseError) -> Vault.Lock {
    try mapErrors {
      let old = try vault.lock()
      let access = try keyring.unlock(vault)
      switch lock ?? (old == .keyFile ? .keyFile : .passphrase(passphrase)) {
      case .keyFile:
        try rotate(access, to: keyFile, from: old)
        return .keyFile
      case .passphrase(let ask):
        try vault.rotate(access, to: try VaultKeyring.checkedNew(try ask(vault)))
      case .passphraseFile(let path):
        try vault.rotate(access, to: try VaultKeyring.checkedNew(try VaultKeyring.passphrase(inFile: path)))
      }
      return .passphrase
    }
  }

  private func rotate(_ access: VaultAccess, to file: KeyFile, from old: Vault.Lock) throws(SecretError) {
    guard file.exists else { return try vault.rotate(access, to: try file.create()) }
    if old == .passphrase, let key = try file.keys().first { return try vault.rotate(access, to: key) }
    // The rotation of another project has left this vault with a former key: it gets the key that there is, so that the former
    // ones can be deleted when each project has been rotated.
    let current = try file.currentKeys()
    if let key = current.first, !current.contains(where: { (try? vault.access(with: $0)) != nil }) {
      return try vault.rotate(access, to: key)
    }
    try file.replaceKey { key throws(SecretError) in try vault.rotate(access, to: key) }
  }

  /// The key of a vault that is about to be made.
  func newKey(_ lock: NewLock) throws(SecretError) -> VaultKey {
    switch lock {
    case .keyFile:
      if let key = try keyFile.keys().first { return key }
      return try keyFile.create()
    case .passphraseFile(let path):
      return try VaultKeyring.checkedNew(try VaultKeyring.passphrase(inFile: path))
    case .passphrase(let ask):
      if let key = try keyring.keyForNewVault() { return key }
      return try VaultKeyring.checkedNew(try ask(vault))
    }
  }

  private func warnings(_ name: SecretName, length: Int) -> [LocalizedText] {
    var warnings: [LocalizedText] = []
    if length < 4 {
      warnings.append(
        LocalizedText(
          "a secret of fewer than 4 characters is not masked in logs and outputs",
          de: "ein Geheimnis mit weniger als 4 Zeichen wird in Protokollen und Ausgaben nicht verdeckt"))
    }
    for source in store.sources {
      if source.origin.kind == .vault { return warnings }
      guard (try? source.has(name)) == true else { continue }
      warnings.append(
        LocalizedText("another '\(name)' comes first: ", de: "ein anderes '\(name)' kommt zuerst: ")
          + source.origin.text)
    }
    warnings.append(
      LocalizedText(
        "'secrets:' in sous.yaml does not list the vault: it is not looked in",
        de: "'secrets:' in sous.yaml nennt den Tresor nicht: in ihm wird nicht gesucht"))
    return warnings
  }
}
