/// The vault. Its key is asked for once in a process, when the first secret is looked up here.
///
/// Settings cannot reference account entries, such as refresh tokens.
public final class VaultSource: SecretSource {
  private let opened: OpenedVault

  /// Creates the source.
  public init(_ vault: Vault, keyring: VaultKeyring) {
    opened = OpenedVault(vault, keyring: keyring)
  }

  /// Creates the source of a vault that others use too, so that its key is asked for once.
  public init(_ opened: OpenedVault) {
    self.opened = opened
  }

  /// The vault.
  public var origin: SecretOrigin { SecretOrigin(.vault, detail: opened.vault.path) }

  /// The secret of that name, as the file has it now.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    guard !name.text.hasPrefix(OpenedVault.accountPrefix) else { return .absent }
    return try opened.value(of: name).map { .found($0) } ?? .absent
  }

  /// The names of its secrets.
  public func names() throws(SecretError) -> [SecretName]? {
    try opened.names().filter { !$0.text.hasPrefix(OpenedVault.accountPrefix) }
  }
}
