import Localization
import Networking
import OperatingSystem
public import Secrets
import Synchronization

/// Keeps the tokens of accounts fresh: five minutes ahead, one refresh at a time for all processes.
public final class TokenKeeper: TokenSource {
  /// The data of a refresh that the vault does not store.
  public struct Surroundings: Sendable {
    /// The secret of an account's client; `nil` for a public client.
    public var clientSecret: @Sendable (SignedInAccount) throws(SecretError) -> String?
    /// Sends requests to an account's server.
    public var caller: @Sendable (SignedInAccount) throws(OAuthError) -> any HTTPCaller
    /// The time, in seconds since 1970.
    public var now: @Sendable () -> Int64

    /// Creates surroundings.
    public init(
      clientSecret: @escaping @Sendable (SignedInAccount) throws(SecretError) -> String?,
      caller: @escaping @Sendable (SignedInAccount) throws(OAuthError) -> any HTTPCaller,
      now: @escaping @Sendable () -> Int64
    ) {
      self.clientSecret = clientSecret
      self.caller = caller
      self.now = now
    }
  }

  /// The accounts.
  public let vault: AccountVault
  private let surroundings: Surroundings
  /// Tokens that could not be written when they came, by account.
  private let unwritten = Mutex<[String: Unwritten]>([:])

  private struct Unwritten {
    var account: SignedInAccount
    /// The refresh token that it takes the place of.
    var replaced: String?
  }

  /// Creates a keeper; touches nothing.
  public init(_ vault: AccountVault, _ surroundings: Surroundings) {
    self.vault = vault
    self.surroundings = surroundings
  }

  /// An access token that is good for minutes to come.
  public func accessToken(of account: String) throws(SecretError) -> SecureBytes {
    do {
      let token = try fresh(account).accessToken
      return try typed { () throws(SecretError) in try SecureBytes(token) }
    } catch {
      throw SecretError(
        error.isTemporary ? .temporary : error.code == .notSignedIn ? .missing : .signIn, error.text)
    }
  }

  /// An account with a token that is good for minutes to come. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - name: The account's name.
  ///   - isForced: Whether a token that is still fresh is refreshed too.
  /// - Throws: ``OAuthError``
  public func fresh(_ name: String, isForced: Bool = false) throws(OAuthError) -> SignedInAccount {
    writeWaiting(name)
    var refresh = TokenRefresh(name, isForced: isForced)
    var lock: FileLock?
    defer { lock?.release() }
    var action = refresh.begin()
    var replaced: String?
    while true {
      let event: TokenRefresh.Event
      switch action {
      case .finish(let result): return try result.get()
      case .read: event = attempt { () throws(OAuthError) in .found(try read(name, isLocked: lock != nil)) }
      case .lock:
        event = attempt { () throws(OAuthError) in
          lock = try vault.lock(name)
          return lock == nil ? .busy : .locked
        }
      case .note(let account):
        event = attempt { () throws(OAuthError) in
          try vault.write(account, at: surroundings.now(), isRefresh: true)
          return .noted
        }
      case .ask(let account):
        replaced = account.refreshToken
        event = attempt { () throws(OAuthError) in .answered(try ask(account)) }
      case .write(let account): event = write(account, replacing: replaced)
      }
      action = refresh.handle(event, at: surroundings.now())
    }
  }

  /// Takes an account out of the vault, so that no refresh that is under way writes it again, and asks the server to take
  /// its tokens back (RFC 7009).
  ///
  /// - Returns: Why the server did not take them back; `nil` if it did, or has no way to.
  /// - Throws: ``OAuthError/Code/notSignedIn`` if no user is signed in.
  public func forget(_ name: String) throws(OAuthError) -> OAuthError? {
    guard let lock = try vault.lock(name) else {
      throw OAuthError(
        .vault, LocalizedText("another process is using '\(name)'", de: "ein anderer Prozess benutzt '\(name)'"))
    }
    defer { lock.release() }
    var known: SignedInAccount?
    do { known = try vault.account(name) } catch { if error.advice == nil { throw error } }
    try vault.delete(name)
    unwritten.withLock { $0[name] = nil }
    guard let known, let endpoint = known.revocationEndpoint else { return nil }
    do {
      try revoke(known, at: endpoint)
      return nil
    } catch {
      return error
    }
  }

  /// Stores an account after its sign-in.
  public func keep(_ account: SignedInAccount) throws(OAuthError) {
    guard let lock = try vault.lock(account.name) else {
      throw OAuthError(
        .vault,
        LocalizedText("another process is using '\(account.name)'", de: "ein anderer Prozess benutzt '\(account.name)'")
      )
    }
    defer { lock.release() }
    unwritten.withLock { $0[account.name] = nil }
    try vault.write(account, at: surroundings.now())
  }

  // MARK: - Parts

  /// The account as it is in the vault, or as it should be there.
  private func read(_ name: String, isLocked: Bool) throws(OAuthError) -> SignedInAccount? {
    let found = try vault.account(name)
    guard let found, let waiting = unwritten.withLock({ $0[name] }) else { return found }
    guard found.refreshToken == waiting.replaced else {
      // A new sign-in has happened.
      unwritten.withLock { $0[name] = nil }
      return found
    }
    if isLocked {
      try vault.write(waiting.account, at: surroundings.now(), isRefresh: true)
      unwritten.withLock { $0[name] = nil }
    }
    return waiting.account
  }

  /// Writes what could not be written when it came. Where that fails again, it waits on.
  private func writeWaiting(_ name: String) {
    guard unwritten.withLock({ $0[name] != nil }), let lock = try? vault.lock(name) else { return }
    defer { lock.release() }
    _ = try? read(name, isLocked: true)
  }

  private func write(_ account: SignedInAccount, replacing replaced: String?) -> TokenRefresh.Event {
    var event = TokenRefresh.Event.written
    // A disk may be full for a moment; the token that was replaced is worth nothing now.
    for _ in 0..<3 {
      event = attempt { () throws(OAuthError) in
        try vault.write(account, at: surroundings.now(), isRefresh: true)
        return .written
      }
      if case .written = event { return event }
    }
    unwritten.withLock { $0[account.name] = Unwritten(account: account, replaced: replaced) }
    return event
  }

  private func client(of account: SignedInAccount) throws(OAuthError) -> Client {
    do {
      return Client(
        id: account.clientID, secret: try surroundings.clientSecret(account),
        authentication: account.clientAuthentication)
    } catch {
      throw OAuthError(
        .configuration,
        LocalizedText(
          "the client secret of the account '\(account.name)' is not there: ",
          de: "das Client-Geheimnis des Kontos '\(account.name)' ist nicht da: ") + error.message)
    }
  }

  /// Exchanges the refresh token (RFC 6749, section 6).
  private func ask(_ account: SignedInAccount) throws(OAuthError) -> TokenGrant {
    guard let token = account.refreshToken else { throw .notSignedIn(account.name) }
    let client = try client(of: account)
    let request = client.post([("grant_type", "refresh_token"), ("refresh_token", token)], to: account.tokenEndpoint)
    let answer = try surroundings.caller(account).call(request)
    return try TokenGrant(answer, hiding: [token, account.accessToken, client.secret ?? ""])
  }

  private func revoke(_ account: SignedInAccount, at endpoint: String) throws(OAuthError) {
    let client = try client(of: account)
    let token = account.refreshToken ?? account.accessToken
    let hint = account.refreshToken == nil ? "access_token" : "refresh_token"
    let answer = try surroundings.caller(account).call(
      client.post([("token", token), ("token_type_hint", hint)], to: endpoint))
    if let failure = ServerFailure(answer) { throw failure.error(hiding: [token, client.secret ?? ""]) }
  }

  private func attempt(_ body: () throws(OAuthError) -> TokenRefresh.Event) -> TokenRefresh.Event {
    do throws(OAuthError) { return try body() } catch { return .failed(error) }
  }

  private func typed(_ body: () throws(SecretError) -> SecureBytes) throws(OAuthError) -> SecureBytes {
    do { return try body() } catch { throw OAuthError(.vault, error.message) }
  }
}
