import Localization
import OperatingSystem
public import Secrets

/// The accounts in the vault, each under `oauth.NAME`. Blocks while the vault is opened.
public struct AccountVault: Sendable {
  private static let prefix = OpenedVault.accountPrefix
  private static let patience = 90.0

  private let opened: OpenedVault

  /// Creates it; touches no file.
  public init(_ opened: OpenedVault) { self.opened = opened }

  /// The name of the secret that holds an account.
  public static func secretName(of account: String) throws(OAuthError) -> SecretName {
    guard let name = SecretName(prefix + account) else {
      throw OAuthError(
        .configuration,
        LocalizedText("'\(account)' cannot be an account's name", de: "'\(account)' kann kein Konto heißen"))
    }
    return name
  }

  /// The names of all signed-in accounts.
  public func names() throws(OAuthError) -> [String] {
    do {
      return try opened.names().map(\.text).filter { $0.hasPrefix(Self.prefix) }
        .map { String($0.dropFirst(Self.prefix.count)) }
    } catch {
      throw Self.error(error)
    }
  }

  /// An account; `nil` if no user is signed in.
  public func account(_ name: String) throws(OAuthError) -> SignedInAccount? {
    let secret = try Self.secretName(of: name)
    let bytes: [UInt8]
    do {
      guard let value = try opened.value(of: secret) else { return nil }
      bytes = Array((value.text ?? "").utf8)
    } catch {
      throw Self.error(error)
    }
    return try SignedInAccount(json: bytes, name: name)
  }

  /// Writes an account.
  ///
  /// - Parameters:
  ///   - time: The present time, in seconds since 1970.
  ///   - isRefresh: Whether it is the account that was there, with fresh tokens.
  public func write(_ account: SignedInAccount, at time: Int64, isRefresh: Bool = false) throws(OAuthError) {
    let secret = try Self.secretName(of: account.name)
    do {
      try opened.set(
        secret, to: try SecureBytes(String(decoding: account.json, as: UTF8.self)), at: time, keepsMark: isRefresh)
    } catch {
      throw Self.error(error)
    }
  }

  /// Takes an account out.
  public func delete(_ name: String) throws(OAuthError) {
    let secret = try Self.secretName(of: name)
    do {
      try opened.delete(secret)
    } catch {
      throw error.code == .missing ? OAuthError.notSignedIn(name) : Self.error(error)
    }
  }

  /// Takes the lock of an account; `nil` if another process holds it for too long.
  func lock(_ name: String) throws(OAuthError) -> FileLock? {
    let secret = try Self.secretName(of: name)
    do {
      return try ProtectedFile.lock("\(opened.vault.path).\(secret).lock", patience: Self.patience)
    } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ error: SecretError) -> OAuthError { OAuthError(.vault, error.message) }
}
