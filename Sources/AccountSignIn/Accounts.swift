import Dispatch
import Engine
public import Expressions
import Foundation
public import Localization
import Networking
public import OAuth
import Plans
import RecipeModel
import Schemas
import Secrets
import Synchronization
public import UseCases

/// The accounts that a project signs in to.
public struct Accounts: Sendable {
  /// An account, and what is known of its sign-in.
  public struct Row: Sendable {
    /// How it stands.
    public enum State: String, Sendable {
      /// Signed in; tokens are refreshed as needed.
      case signedIn = "signed_in"
      /// Signed in until the token ends, as the server gave no refresh token.
      case ending
      /// The sign-in no longer counts.
      case signInAgain = "sign_in_again"
      /// Nobody is signed in.
      case notSignedIn = "not_signed_in"
    }

    /// The account's name.
    public let name: String
    /// Whose server it is.
    public let service: String
    /// The address: the one that was signed in to, else the one that is wanted.
    public let address: String?
    /// How it stands.
    public let state: State
    /// When the access token ends.
    public let expires: Timestamp?
    /// The scopes that were granted.
    public let scopes: [String]
    /// Why somebody has to sign in again, in the server's words.
    public let problem: LocalizedText?
    /// The settings that use it: `work.token`.
    public let uses: [String]
  }

  /// What came of a sign-in.
  public struct SignedIn: Sendable {
    /// The account.
    public let account: Row
    /// Whether the vault is new.
    public let isNewVault: Bool
  }

  let project: Project

  /// The accounts of a project.
  public init(_ project: Project) { self.project = project }

  // MARK: - Looking

  /// All accounts: those of `sous.yaml` in its order, then those that only the vault knows.
  ///
  /// - Throws: ``UseCaseError`` where the vault cannot be opened.
  public func rows() throws(UseCaseError) -> [Row] {
    try mapErrors {
      let kept = try vault.names()
      let configured = project.configuration.accounts.map(\.name)
      return try (configured + kept.filter { !configured.contains($0) }).map { name in
        row(name, try kept.contains(name) ? vault.account(name) : nil)
      }
    }
  }

  /// One account.
  ///
  /// - Throws: ``UseCaseError`` with code `wrong_input` where there is none of that name.
  public func row(_ name: String) throws(UseCaseError) -> Row {
    let found = try mapErrors { try vault.account(name) }
    guard found != nil || project.configuration.account(name) != nil else { throw unknown(name) }
    return row(name, found)
  }

  /// Gets a token as a run would: refreshes it where that is due.
  ///
  /// - Parameters:
  ///   - name: The account's name.
  ///   - isForced: Whether a token that is still fresh is refreshed too.
  /// - Throws: ``UseCaseError`` with a code of `OAuthError`.
  public func check(_ name: String, isForced: Bool) async throws(UseCaseError) -> Row {
    let tokens = project.secrets.tokens
    return try await mapErrors { row(name, try await blocking { _ in try tokens.fresh(name, isForced: isForced) }) }
  }

  /// Signs out: the tokens leave the vault, and the server is asked to take them back.
  ///
  /// - Returns: Why the server did not take them back; `nil` where it did, or has no way to.
  /// - Throws: ``UseCaseError``
  public func signOut(_ name: String) async throws(UseCaseError) -> LocalizedText? {
    let tokens = project.secrets.tokens
    return try await mapErrors { try await blocking { _ in try tokens.forget(name) } }?.text
  }

  // MARK: - Signing in

  /// Signs in to an account and keeps its tokens in the vault.
  ///
  /// - Parameters:
  ///   - request: What is wanted.
  ///   - prompt: Tells a person what to do; returns at once.
  /// - Throws: ``UseCaseError``
  public func signIn(
    _ request: SignInRequest, prompt: @escaping @Sendable (SignIn.Prompt) -> Void
  ) async throws(UseCaseError) -> SignedIn {
    let account = try account(for: request)
    let (secrets, trust) = (project.secrets, project.trust)
    return try await mapErrors {
      try trust.check(account, reaching: [])
      let clientSecret = try clientSecret(of: account, request)
      // Before the browser opens: who has no key for the vault has nowhere to put the tokens.
      let isNew = try secrets.openVault(newVault: request.newVault)
      let signedIn = try await blocking { isCancelled in
        let (order, caller) = try order(account, request, clientSecret)
        let found = try SignIn(order, caller: caller, surroundings(prompt, isCancelled)).run()
        try secrets.tokens.keep(found)
        return found
      }
      return SignedIn(account: row(account.name, signedIn), isNewVault: isNew)
    }
  }

  private func surroundings(
    _ prompt: @escaping @Sendable (SignIn.Prompt) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
  ) -> SignIn.Surroundings {
    var surroundings = SignIn.Surroundings(
      prompt: prompt, now: { SystemTime().now.seconds },
      wait: { seconds in
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end, !isCancelled() { Thread.sleep(forTimeInterval: 0.1) }
      })
    surroundings.isCancelled = isCancelled
    return surroundings
  }

  // MARK: - Parts

  private var vault: AccountVault { project.secrets.tokens.vault }

  /// Does what blocks on a thread of its own; told to stop when the task is cancelled.
  private func blocking<Answer: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Answer
  ) async throws -> Answer {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try body { flag.isSet } })
        }
      }
    } onCancel: {
      flag.set()
    }
  }

  private func row(_ name: String, _ found: SignedInAccount?) -> Row {
    let configured = project.configuration.account(name)
    let now = SystemTime().now.seconds
    let state: Row.State =
      switch found {
      case nil: .notSignedIn
      case let found? where found.problem != nil: .signInAgain
      case let found? where found.isRenewable: .signedIn
      case let found?: found.isUsable(at: now) ? .ending : .signInAgain
      }
    return Row(
      name: name, service: found?.service ?? configured?.service.rawValue ?? "",
      address: found?.address ?? configured?.address,
      state: state, expires: found.map { Timestamp(seconds: $0.expires, nanoseconds: 0) }, scopes: found?.scopes ?? [],
      problem: found?.problem.map { LocalizedText($0.english, de: $0.german) }, uses: uses(of: name))
  }

  private func uses(of account: String) -> [String] {
    project.configuration.providers.flatMap { provider in
      provider.settings.secretPlaces.filter { $0.secret.place == .account(account) }.map {
        provider.name + "." + $0.setting
      }
    }
  }

  func unknown(_ name: String) -> UseCaseError {
    let known = project.configuration.accounts.map(\.name) + ConfiguredAccount.Service.allCases.map(\.rawValue)
    return .notFound(
      LocalizedText(
        "there is no account '\(name)'; there are: \(known.joined(separator: ", "))",
        de: "es gibt kein Konto '\(name)'; es gibt: \(known.joined(separator: ", "))"))
  }
}

/// Whether what goes on in another thread shall stop.
private final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
