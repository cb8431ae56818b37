import Localization
import Synchronization

/// A vault whose key is asked for once in a process, when it is first needed. Any thread; may block for seconds.
public final class OpenedVault: Sendable {
  /// The prefix of the names of account entries.
  public static let accountPrefix = "oauth."

  /// The vault.
  public let vault: Vault
  /// Where its key comes from.
  public let keyring: VaultKeyring
  private let access = Mutex<VaultAccess?>(nil)

  /// Creates it; touches no file.
  public init(_ vault: Vault, keyring: VaultKeyring) {
    self.vault = vault
    self.keyring = keyring
  }

  /// Makes the vault, with a key that is known from then on.
  public func create(_ key: VaultKey) throws(SecretError) {
    try vault.create(key)
    let found = try vault.access(with: key)
    access.withLock { $0 = found }
  }

  /// The secret of a name, as the file has it now; `nil` if there is none, or no vault.
  ///
  /// - Throws: ``SecretError`` where the vault cannot be opened.
  public func value(of name: SecretName) throws(SecretError) -> SecureBytes? {
    guard vault.exists else { return nil }
    return try withAccess { access throws(SecretError) in try vault.contents(access).value(of: name) }
  }

  /// The names of all secrets; none if there is no vault.
  public func names() throws(SecretError) -> [SecretName] {
    guard vault.exists else { return [] }
    return try withAccess { access throws(SecretError) in try vault.contents(access).entries.map(\.name) }
  }

  /// Sets a secret; see ``Vault/set(_:to:at:_:keepsMark:)``.
  public func set(
    _ name: SecretName, to value: SecureBytes, at time: Int64, keepsMark: Bool = false
  ) throws(SecretError) {
    try withAccess { access throws(SecretError) in
      _ = try vault.set(name, to: value, at: time, access, keepsMark: keepsMark)
    }
  }

  /// Deletes a secret.
  ///
  /// - Throws: ``SecretError/Code/missing`` if there is none of that name.
  public func delete(_ name: SecretName) throws(SecretError) {
    try withAccess { access throws(SecretError) in try vault.delete(name, access) }
  }

  /// Finds the key now, so that no prompt appears later.
  public func open() throws(SecretError) {
    try withAccess { access throws(SecretError) in _ = try vault.contents(access) }
  }

  private func withAccess<Result>(
    _ body: (VaultAccess) throws(SecretError) -> Result
  ) throws(SecretError) -> Result {
    let (known, isNew) = try access.withLock { access throws(SecretError) in
      if let access { return (access, false) }
      let found = try keyring.unlock(vault)
      access = found
      return (found, true)
    }
    do {
      return try body(known)
    } catch {
      // It was rotated: its new key may be found where the old one was.
      guard error.code == .vaultWrongKey, !isNew else { throw error }
      return try body(
        try access.withLock { access throws(SecretError) in
          let found = try keyring.unlock(vault)
          access = found
          return found
        })
    }
  }
}
