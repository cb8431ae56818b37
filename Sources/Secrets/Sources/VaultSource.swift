import Localization
import Synchronization

/// The vault. Its key is asked for once in a process, when the first secret is looked up here.
public final class VaultSource: SecretSource {
  private let vault: Vault
  private let keyring: VaultKeyring
  private let access = Mutex<VaultAccess?>(nil)

  /// Creates the source.
  public init(_ vault: Vault, keyring: VaultKeyring) {
    self.vault = vault
    self.keyring = keyring
  }

  /// The vault.
  public var origin: SecretOrigin { SecretOrigin(.vault, detail: vault.path) }

  /// The secret of that name, as the file has it now.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    guard vault.exists else { return .absent }
    return try contents().value(of: name).map { .found($0) } ?? .absent
  }

  /// The names of its secrets.
  public func names() throws(SecretError) -> [SecretName]? {
    vault.exists ? try contents().entries.map(\.name) : []
  }

  private func contents() throws(SecretError) -> VaultContents {
    try access.withLock { access throws(SecretError) in
      if let known = access {
        do throws(SecretError) {
          return try vault.contents(known)
        } catch {
          // It was rotated: its new key may be found where the old one was.
          guard error.code == .vaultWrongKey else { throw error }
        }
      }
      let found = try keyring.unlock(vault)
      access = found
      return try vault.contents(found)
    }
  }
}
