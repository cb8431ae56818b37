import Access
import Engine
import Expressions
import Foundation
import Localization
import OAuth
import OperatingSystem
import RecipeModel
import Secrets
import Serve
import UseCases

/// Sign-in at the identity provider of `server.identity`.
struct IdentitySignIn: Sendable {
  /// A browser that goes to the provider.
  struct Start: Sendable {
    /// The address at the provider.
    let url: String
    /// The value of the cookie that ties the sign-in to this browser.
    let cookie: String
  }

  private let settings: ConfiguredServer.Identity
  private let provider: IdentityProvider
  private let access: AccessStore
  private let pending: PendingSignIns

  init(_ settings: ConfiguredServer.Identity, _ project: Project, access: AccessStore, pending: PendingSignIns) {
    self.settings = settings
    self.access = access
    self.pending = pending
    let name = settings.secret
    provider = IdentityProvider(
      issuer: settings.issuer, clientID: settings.client, scopes: settings.scopes, groupsClaim: settings.groups,
      secret: { () throws(OAuthError) in
        guard let name else { return nil }
        do {
          // Opening the vault takes a while on purpose.
          return try await BlockingPool.shared.run { try project.readableSecrets().value(named: name) }
        } catch {
          throw OAuthError(.configuration, (error as? SecretError)?.message ?? LocalizedText(verbatim: "\(error)"))
        }
      }, network: project.network, now: { SystemTime().now.seconds })
  }

  /// Begins a sign-in.
  ///
  /// - Parameters:
  ///   - next: The path where the browser goes afterwards.
  ///   - redirect: The address to which the provider sends the browser back.
  ///   - cookie: The cookie of the browser, from another sign-in in it.
  func begin(next: String, redirect: String, cookie: String?) async throws -> Start {
    guard Self.isOwnPath(next) else { throw SignInFailure.foreignPath }
    let now = SystemTime().monotonic
    // A second tab must not end the sign-in of the first.
    let secret = cookie.flatMap { pending.knows(cookie: $0, at: now) ? $0 : nil } ?? BrowserSecret.make()
    do {
      let (url, started) = try await provider.begin(redirect: redirect)
      pending.add(started, cookie: secret, next: next, at: now)
      return Start(url: url, cookie: secret)
    } catch {
      throw SignInFailure(error)
    }
  }

  /// Ends a sign-in.
  ///
  /// - Parameters:
  ///   - query: The query with which the provider has sent the browser back.
  ///   - cookie: The cookie of the browser.
  ///   - address: The address of the browser.
  ///   - former: The secret of its session.
  /// - Returns: The new session, and the path where the browser goes.
  func finish(
    query: String, state: String?, cookie: String?, address: String, former: String?
  ) async throws -> (session: SignedIn, next: String) {
    var object = "users"
    do {
      let entry: PendingSignIns.Entry
      switch pending.take(state ?? "", cookie: cookie, at: SystemTime().monotonic) {
      case .found(let found): entry = found
      case .unknown: throw SignInFailure.unknownState
      case .foreign: throw SignInFailure.otherBrowser
      }
      let claims = try await provider.finish(entry.pending, query: query[...])
      let identity = AccessUser.Identity(issuer: claims.issuer, subject: claims.subject)
      let known = try access.user(identity: identity)
      if let known { object = "users/\(known.name)" }
      let roles = Set(claims.groups.compactMap { settings.roles[$0] })
      let now = SystemTime().now
      guard !roles.isEmpty else {
        if let known {
          // The provider has taken the right away: what the user has open ends too.
          try access.endSessions(
            of: known.name, by: AuditSource(actor: "", origin: "sign-in", address: address), now: now)
        }
        throw SignInFailure.noRole(settings.groups)
      }
      let session = try access.signIn(
        ProvidedUser(
          identity: identity, names: [claims.userName, claims.email].compactMap(\.self), fullName: claims.fullName,
          language: claims.locale.flatMap { Language(tag: $0) }, groups: claims.groups, roles: roles),
        address: address, former: former, now: now)
      return (session, entry.next)
    } catch {
      let failure =
        switch error {
        case let error as SignInFailure: error
        case let error as OAuthError: SignInFailure(error)
        case let error as AccessError: SignInFailure(error)
        default: SignInFailure(503, "io", UseCaseError(error).message)
        }
      try? access.record(
        AuditEntry(
          at: SystemTime().now, AuditSource(actor: "", origin: "sign-in", address: address), action: "session.create",
          object: object, outcome: failure.code))
      throw failure
    }
  }

  /// Whether a text is a path of this server, so that no other site can send users to itself by our address. A browser takes
  /// `//host` and `/\host` for another host, and ignores tabs and line ends.
  static func isOwnPath(_ text: String) -> Bool {
    guard text.hasPrefix("/"), text.utf8.count <= 2000, !text.hasPrefix("//"), !text.hasPrefix("/sign-in") else {
      return false
    }
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
  }
}

/// The random value of the cookie that ties a sign-in to a browser.
private enum BrowserSecret {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.webText((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
