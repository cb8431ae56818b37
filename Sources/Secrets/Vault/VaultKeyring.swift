import Glibc
import Localization

/// Where the key of a vault comes from: files, systemd, a parent process, a prompt.
public struct VaultKeyring: Sendable {
  /// Asks a person for the passphrase of the vault with this path, hidden; `nil` if there is no terminal.
  public typealias Question = @Sendable (_ path: String) throws(SecretError) -> SecureBytes

  /// The variable that names a key file.
  public static let keyFileVariable = "SOUS_VAULT_KEY_FILE"
  /// The variable that names a file with the passphrase.
  public static let passphraseFileVariable = "SOUS_VAULT_PASSPHRASE_FILE"
  /// The variable with the number of a descriptor, inherited from the parent, that the passphrase is read from.
  public static let passphraseDescriptorVariable = "SOUS_VAULT_PASSPHRASE_FD"
  /// The systemd credential with the passphrase.
  public static let passphraseCredential = "sous-vault-passphrase"
  /// The systemd credential with the 32 bytes of a key file.
  public static let keyCredential = "sous-vault-key"

  private static let longestPassphrase = 4096
  private static let tries = 3

  /// The key file that was named; `nil` if none was.
  public let namedKeyFile: KeyFile?
  /// The key file in the user's configuration, where a new one goes by default.
  public let standardKeyFile: KeyFile
  private let passphraseFile: String?
  private let passphraseDescriptor: Int32?
  private let credentialsFolder: String?
  private let question: Question?

  /// Finds out where keys come from.
  ///
  /// A descriptor that the environment names is kept from programs that this process starts.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - keyFile: The key file that the configuration names.
  ///   - passphraseFile: The file with the passphrase that the configuration names.
  ///   - question: Asks for the passphrase; `nil` if a prompt is not allowed.
  public init(
    environment: [String: String], keyFile: String? = nil, passphraseFile: String? = nil, question: Question? = nil
  ) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    namedKeyFile = (variable(VaultKeyring.keyFileVariable) ?? keyFile).map { KeyFile(path: $0) }
    let configuration =
      variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? (variable("HOME") ?? "") + "/.config"
    standardKeyFile = KeyFile(path: configuration + "/sous/vault.key")
    self.passphraseFile = variable(VaultKeyring.passphraseFileVariable) ?? passphraseFile
    passphraseDescriptor = variable(VaultKeyring.passphraseDescriptorVariable).flatMap(Int32.init)
    if let passphraseDescriptor { _ = fcntl(passphraseDescriptor, F_SETFD, FD_CLOEXEC) }
    credentialsFolder = variable("CREDENTIALS_DIRECTORY").flatMap { $0.hasPrefix("/") ? $0 : nil }
    self.question = question
  }

  /// The files and folders that keys may come from, whether they exist or not.
  public var files: [String] {
    (namedKeyFile?.files ?? []) + standardKeyFile.files + [passphraseFile, credentialsFolder].compactMap(\.self)
  }

  // MARK: - Existing vaults

  /// Finds the key of a vault.
  ///
  /// A person has three tries.
  ///
  /// - Throws: ``SecretError/Code/vaultLocked`` if there is no key anywhere, ``SecretError/Code/vaultWrongKey`` where what is
  ///   there is another's.
  public func unlock(_ vault: Vault) throws(SecretError) -> VaultAccess {
    switch try vault.lock() {
    case .keyFile: try unlock(vault, with: try fileKeys())
    case .passphrase:
      if let passphrase = try givenPassphrase() {
        try vault.access(with: .passphrase(passphrase))
      } else {
        try ask(for: vault)
      }
    }
  }

  private func unlock(_ vault: Vault, with keys: [VaultKey]) throws(SecretError) -> VaultAccess {
    var problem: SecretError?
    for key in keys {
      do {
        return try vault.access(with: key)
      } catch {
        guard error.code == .vaultWrongKey else { throw error }
        problem = error
      }
    }
    let path = (namedKeyFile ?? standardKeyFile).path
    throw problem
      ?? SecretError(
        .vaultLocked,
        LocalizedText(
          "the vault \(vault.path) is locked with a key file, and there is none at \(path); name it in "
            + "\(VaultKeyring.keyFileVariable)",
          de:
            "der Tresor \(vault.path) ist mit einer Schlüsseldatei verschlossen, und unter \(path) ist keine; nenne sie "
            + "in \(VaultKeyring.keyFileVariable)"))
  }

  private func ask(for vault: Vault) throws(SecretError) -> VaultAccess {
    guard let question else { throw locked(vault) }
    for remaining in (0..<VaultKeyring.tries).reversed() {
      do {
        return try vault.access(with: .passphrase(try question(vault.path)))
      } catch {
        if error.code == .noTerminal { throw locked(vault) }
        guard error.code == .vaultWrongKey, remaining > 0 else { throw error }
      }
    }
    throw locked(vault)
  }

  private func locked(_ vault: Vault) -> SecretError {
    SecretError(
      .vaultLocked,
      LocalizedText(
        "the vault \(vault.path) is locked, and there is no terminal to ask for its passphrase on; name a file that holds "
          + "it in \(VaultKeyring.passphraseFileVariable), or lock the vault with a key file: sous secrets rotate --key-file",
        de: "der Tresor \(vault.path) ist verschlossen, und es gibt kein Terminal, auf dem nach der Passphrase gefragt "
          + "werden kann; nenne eine Datei mit ihr in \(VaultKeyring.passphraseFileVariable), oder verschließe den Tresor "
          + "mit einer Schlüsseldatei: sous secrets rotate --key-file"))
  }

  // MARK: - New vaults

  /// A key for a new vault, where one can be had without asking: a key file that was named (and is made if it is missing), one
  /// from systemd, a passphrase that was handed over, the user's own key file.
  ///
  /// - Returns: `nil` if a person has to be asked for a passphrase.
  public func keyForNewVault() throws(SecretError) -> VaultKey? {
    if let namedKeyFile {
      return namedKeyFile.exists ? try namedKeyFile.keys().first : try namedKeyFile.create()
    }
    if let key = try credentialKey() { return key }
    if let passphrase = try givenPassphrase() { return try VaultKeyring.checkedNew(passphrase) }
    return try standardKeyFile.keys().first
  }

  /// A chosen passphrase, as the key of a vault.
  ///
  /// - Throws: ``SecretError/Code/valueInvalid`` for one that is too short.
  public static func checkedNew(_ passphrase: SecureBytes) throws(SecretError) -> VaultKey {
    guard passphrase.count >= VaultKey.shortestPassphrase else {
      throw SecretError(
        .valueInvalid,
        LocalizedText(
          "a passphrase has at least \(VaultKey.shortestPassphrase) characters; four or more random words are good",
          de:
            "eine Passphrase hat mindestens \(VaultKey.shortestPassphrase) Zeichen; vier oder mehr zufällige Wörter sind "
            + "gut"))
    }
    return .passphrase(passphrase)
  }

  /// The passphrase in a file.
  ///
  /// - Throws: ``SecretError`` if there is no such file, or others may read it.
  public static func passphrase(inFile path: String) throws(SecretError) -> SecureBytes {
    guard let bytes = try ProtectedFile.read(path, limit: longestPassphrase) else {
      throw SecretError(
        .file,
        LocalizedText(
          "there is no file \(path) with a passphrase", de: "es gibt keine Datei \(path) mit einer Passphrase"))
    }
    return try bytes.withoutLineEnd()
  }

  // MARK: - Available sources

  private func fileKeys() throws(SecretError) -> [VaultKey] {
    if let namedKeyFile { return try namedKeyFile.keys() }
    if let key = try credentialKey() { return [key] }
    return try standardKeyFile.keys()
  }

  private func credentialKey() throws(SecretError) -> VaultKey? {
    guard let bytes = try credential(VaultKeyring.keyCredential) else { return nil }
    guard bytes.count == Cryptography.keySize else {
      throw SecretError(
        .fileInvalid,
        LocalizedText(
          "the credential '\(VaultKeyring.keyCredential)' must have \(Cryptography.keySize) bytes",
          de: "das Credential '\(VaultKeyring.keyCredential)' muss \(Cryptography.keySize) Byte haben"))
    }
    return .file(bytes)
  }

  private func credential(_ name: String) throws(SecretError) -> SecureBytes? {
    guard let credentialsFolder else { return nil }
    return try ProtectedFile.read(
      credentialsFolder + "/" + name, limit: VaultKeyring.longestPassphrase, access: .given)
  }

  private func givenPassphrase() throws(SecretError) -> SecureBytes? {
    if let passphraseFile { return try VaultKeyring.passphrase(inFile: passphraseFile) }
    if let passphraseDescriptor {
      let bytes = try SecureBytes(capacity: VaultKeyring.longestPassphrase) { memory throws(SecretError) in
        try ProtectedFile.fill(memory, from: passphraseDescriptor, "/dev/fd/\(passphraseDescriptor)")
      }
      close(passphraseDescriptor)
      return try bytes.withoutLineEnd()
    }
    return try credential(VaultKeyring.passphraseCredential)?.withoutLineEnd()
  }
}
