import Localization

/// Decides the order of look-ups, requests and writes for a fresh access token. Does no I/O.
///
/// Only the holder of the account's lock asks the server, after another look: a waiting process finds what the other has
/// written. Before the refresh token goes out, a note is written, so that a vault that cannot be written is noticed while the
/// old token still counts; the new tokens are written before they are used.
struct TokenRefresh {
  /// The next action.
  enum Action: Equatable {
    /// Read the account from the vault.
    case read
    /// Take the account's lock.
    case lock
    /// Write the account, with the note that a refresh begins.
    case note(SignedInAccount)
    /// Send the refresh token to the server.
    case ask(SignedInAccount)
    /// Write the account.
    case write(SignedInAccount)
    /// Give the lock back, if it is held, and answer.
    case finish(Result<SignedInAccount, OAuthError>)
  }

  /// The event.
  enum Event {
    case found(SignedInAccount?)
    case locked
    /// Another process holds the lock for too long.
    case busy
    case noted
    case answered(TokenGrant)
    /// Reading, writing or asking has failed.
    case failed(OAuthError)
    case written
  }

  private enum State {
    case looking, locking, lookingAgain, noting, asking, writing, ended
  }

  /// The seconds to leave a server alone that has trouble and does not say for how long.
  static let pause: Int64 = 30

  private let name: String
  private let isForced: Bool
  private var state = State.looking
  private var account: SignedInAccount?
  private var result: Result<SignedInAccount, OAuthError>?

  /// - Parameters:
  ///   - name: The account's name.
  ///   - isForced: Whether a token that is still fresh is refreshed too.
  init(_ name: String, isForced: Bool = false) {
    self.name = name
    self.isForced = isForced
  }

  /// The first action.
  func begin() -> Action { .read }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The result of the last action.
  ///   - now: The time, in seconds since 1970.
  /// - Returns: The next action; after ``Action/finish(_:)`` none follows.
  mutating func handle(_ event: Event, at now: Int64) -> Action {
    switch (state, event) {
    case (.looking, .found(let found)), (.lookingAgain, .found(let found)): return judge(found, at: now)
    case (.locking, .locked):
      state = .lookingAgain
      return .read
    case (.locking, .busy):
      return finish(with: Self.busy(name), at: now)
    case (.noting, .noted):
      guard let account else { return end(.failure(.notSignedIn(name))) }
      state = .asking
      return .ask(account)
    case (.asking, .answered(let grant)):
      guard let account else { return end(.failure(.notSignedIn(name))) }
      let fresh = account.granted(grant, at: now)
      return write(fresh, then: .success(fresh))
    case (.asking, .failed(let error)): return refuse(error, at: now)
    case (.writing, .written): return end(result ?? .failure(.notSignedIn(name)))
    // The token is good whatever becomes of the file; the driver keeps it.
    case (.writing, .failed(let error)): return end(result ?? .failure(error))
    case (_, .failed(let error)): return finish(with: error, at: now)
    default: return end(.failure(OAuthError(.vault, LocalizedText(verbatim: "unexpected event"))))
    }
  }

  private mutating func judge(_ found: SignedInAccount?, at now: Int64) -> Action {
    guard let found else { return end(.failure(.notSignedIn(name))) }
    account = found
    if found.isFresh(at: now) && !isForced { return end(.success(found)) }
    if let problem = found.problem {
      return finish(with: Self.signInAgain(name, LocalizedText(problem.english, de: problem.german)), at: now)
    }
    guard found.refreshToken != nil else { return finish(with: Self.ended(name), at: now) }
    if state == .looking {
      state = .locking
      return .lock
    }
    if let notBefore = found.notBefore, notBefore > now, notBefore - now <= 86_400 {
      return finish(with: Self.wait(name, seconds: notBefore - now), at: now)
    }
    state = .noting
    var noted = found
    noted.refreshing = now
    return .note(noted)
  }

  /// The server has said no, or nothing.
  private mutating func refuse(_ error: OAuthError, at now: Int64) -> Action {
    guard var account else { return end(.failure(error)) }
    switch error.code {
    case .signInAgain:
      // This token must not be used again.
      var words = error.message
      if account.refreshing != nil { words = words + Self.interrupted }
      account.problem = .init(code: error.serverCode ?? "", english: words.english, german: words.german)
      account.refreshing = nil
      let told = Self.signInAgain(name, words)
      return write(account, then: account.isUsable(at: now) && !isForced ? .success(account) : .failure(told))
    case .rateLimited, .unavailable:
      account.notBefore = now + Int64(min(max(error.retryAfter ?? Double(Self.pause), 1), 3600))
      // Without an answer it is unknown whether the server has exchanged the token.
      if error.status == nil { account.refreshing = now }
      return write(account, then: account.isUsable(at: now) && !isForced ? .success(account) : .failure(error))
    case .invalidResponse: return finish(with: error, at: now)
    case .refused:
      var told = error
      told.advice = error.advice ?? OAuthError.signInAdvice(name)
      return write(account, then: account.isUsable(at: now) && !isForced ? .success(account) : .failure(told))
    default: return write(account, then: account.isUsable(at: now) && !isForced ? .success(account) : .failure(error))
    }
  }

  private mutating func write(_ account: SignedInAccount, then result: Result<SignedInAccount, OAuthError>) -> Action {
    self.result = result
    state = .writing
    return .write(account)
  }

  /// Ends with what there is: a token that still works, else the error.
  private mutating func finish(with error: OAuthError, at now: Int64) -> Action {
    if !isForced, let account, account.isUsable(at: now) { return end(.success(account)) }
    return end(.failure(error))
  }

  private mutating func end(_ result: Result<SignedInAccount, OAuthError>) -> Action {
    state = .ended
    return .finish(result)
  }
}

extension TokenRefresh {
  private static let interrupted = LocalizedText(
    " (an earlier refresh had no answer; the server may have exchanged the token then)",
    de: " (eine frühere Erneuerung blieb ohne Antwort; vielleicht hat der Server das Token damals getauscht)")

  static func signInAgain(_ name: String, _ words: LocalizedText) -> OAuthError {
    OAuthError(
      .signInAgain,
      LocalizedText(
        "the sign-in to the account '\(name)' no longer counts: ",
        de: "die Anmeldung beim Konto '\(name)' gilt nicht mehr: ")
        + words, advice: OAuthError.signInAdvice(name))
  }

  private static func ended(_ name: String) -> OAuthError {
    signInAgain(
      name,
      LocalizedText(
        "it has ended, and the server gave no refresh token",
        de: "sie ist abgelaufen, und der Server gab kein Refresh-Token"))
  }

  private static func busy(_ name: String) -> OAuthError {
    OAuthError(
      .unavailable,
      LocalizedText(
        "another process has been refreshing the token of '\(name)' for too long",
        de: "ein anderer Prozess erneuert das Token von '\(name)' schon zu lange"))
  }

  private static func wait(_ name: String, seconds: Int64) -> OAuthError {
    OAuthError(
      .rateLimited,
      LocalizedText(
        "the authorization server of '\(name)' asks to wait \(seconds) s before the next request",
        de: "der Anmeldeserver von '\(name)' bittet, mit der nächsten Anfrage \(seconds) s zu warten"),
      retryAfter: Double(seconds))
  }
}
