import Access
import Expressions
import Localization
import Page
import RecipeModel

/// Sign-in, devices, users, tokens and the audit log.
enum AccessPages {
  static let all: [PageRoute] = [signIn, device, users, user, tokens, audit, account]

  private static let signIn = PageRoute("/sign-in", .everyone) { request in
    SignInPage(
      next: SignInPage.destination(request.query["next"]), provider: request.base.services.settings.identity?.issuer)
  }

  private static let device = PageRoute("/device", .signedIn) { request in
    if let done = request.query["done"] { return DeviceDonePage(isApproved: done == "yes") }
    guard let code = request.query["code"], !code.isEmpty, code.utf8.count <= 50 else { return DevicePage() }
    do {
      return DevicePage(code: code, device: try await request.json("showDevice", path: ["code": code]))
    } catch {
      let problem = Problem(error, in: request.base.language)
      return DevicePage(code: code, problem: problem.detail.string(in: request.base.language))
    }
  }

  private static let users = PageRoute("/users", .may(.read, .users)) { request in
    UsersPage(try await request.json("listUsers"), roles: try await request.json("listRoles"))
  }

  private static let user = PageRoute("/users/{user}", .may(.read, .users)) { request in
    UserPage(
      try await request.json("showUser", path: ["user": request.name("user")]),
      roles: try await request.json("listRoles"))
  }

  private static let tokens = PageRoute("/tokens", .signedIn) { request in
    TokensPage(try await request.json("listTokens"))
  }

  private static let audit = PageRoute("/audit", .may(.read, .audit)) { request in
    var query: ValueMap = ["limit": 50]
    let user = request.query["user"] ?? ""
    if !user.isEmpty { query["user"] = .string(String(user.prefix(64))) }
    if let cursor = request.query["cursor"], !cursor.isEmpty { query["cursor"] = .string(String(cursor.prefix(200))) }
    let language = request.base.language
    let operations = APIDocument.routes.map { ($0.id, $0.summary.string(in: language)) }
    return AuditPage(
      try await request.json("listAudit", query: query), user: user,
      operations: Dictionary(operations) { first, _ in first })
  }

  private static let account = PageRoute("/account", .signedIn) { request in
    let user = try? request.base.services.access.user(request.base.person).json
    let tokens = try await request.json("listTokens")["items"]?.listValue ?? []
    return AccountPage(
      user ?? .null, sessions: try await request.json("listOwnSessions"),
      tokens: tokens.filter { $0["user"]?.stringValue == request.base.person })
  }
}
