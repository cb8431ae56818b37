import Access
import Expressions
import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import RecipeModel

/// Sign-in at an identity provider, for browsers: two addresses outside of the API.
extension ServerResponder {
  private static let start = "/sign-in/identity"
  private static let callback = "/sign-in/identity/callback"

  /// The answer for an address of the sign-in; `nil` for other paths.
  func identitySignIn(
    _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> Response? {
    let path = request.uri.path
    guard path == Self.start || path == Self.callback else { return nil }
    context.coreContext.endpointPath.value = path
    guard request.method == .get else {
      var problem = Problem(405, "method_not_allowed", "\(path) takes GET", de: "\(path) nimmt GET")
      problem.fields = [HTTPField(name: .allow, value: "GET")]
      throw problem
    }
    guard let identity = services.identity else {
      throw Problem(
        404, "not_found", "no identity provider is set: 'server.identity' in sous.yaml",
        de: "kein Identitätsprovider ist eingetragen: 'server.identity' in sous.yaml")
    }
    do {
      let cookie = SignInCookie.value(in: request.headers)
      if path == Self.start {
        let begun = try await identity.begin(
          next: Self.parameter("next", request) ?? "/", redirect: context.origin + Self.callback, cookie: cookie)
        return Self.redirect(to: begun.url, [SignInCookie.field(begun.cookie, origin: context.origin)])
      }
      let (session, next) = try await identity.finish(
        query: request.uri.query ?? "", state: Self.parameter("state", request), cookie: cookie,
        address: context.address, former: SessionCookie.secret(in: request.headers))
      return Self.redirect(
        to: next,
        [
          SessionCookie.field(session.secret, origin: context.origin, longest: services.settings.longest),
          SignInCookie.expired(origin: context.origin),
        ])
    } catch let failure as SignInFailure {
      // A page for a browser, a problem for programs.
      guard request.headers[.accept]?.contains("text/html") ?? false, let pages else {
        return Self.response(Problem(failure.status, failure.code, failure.message), context)
      }
      return pages.signInFailed(failure.message, status: failure.status, to: request, context: context)
    }
  }

  private static func redirect(to url: String, _ cookies: [HTTPField]) -> Response {
    var fields = HTTPFields([HTTPField(name: .location, value: url)])
    for cookie in cookies { fields.append(cookie) }
    return Response(status: .seeOther, headers: fields)
  }

  /// A parameter of the query that is there once.
  private static func parameter(_ name: String, _ request: Request) -> String? {
    let found = request.uri.queryParameters.filter { $0.key == name }
    return found.count == 1 ? found.first.map { String($0.value) } : nil
  }
}

/// The cookie that ties a sign-in at the identity provider to the browser that has begun it.
private enum SignInCookie {
  private static let name = "sous_sign_in"

  static func field(_ value: String, origin: String) -> HTTPField {
    field(value, seconds: Int(PendingSignIns.age), origin)
  }

  static func expired(origin: String) -> HTTPField { field("", seconds: 0, origin) }

  private static func field(_ value: String, seconds: Int, _ origin: String) -> HTTPField {
    // The provider's redirect comes from another site: `Strict` would leave the cookie out.
    HTTPField(
      name: .setCookie,
      value: "\(name)=\(value); Path=/sign-in/identity; HttpOnly; SameSite=Lax; Max-Age=\(seconds)"
        + (origin.hasPrefix("https://") ? "; Secure" : ""))
  }

  static func value(in fields: HTTPFields) -> String? { RequestCookies.value(name, in: fields) }
}
