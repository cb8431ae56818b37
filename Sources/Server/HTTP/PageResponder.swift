import Access
import Engine
import Expressions
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import Page
import RecipeModel
import UseCases

/// Answers requests for pages and their files.
struct PageResponder: Sendable {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// The answer; `nil` if no page has the path.
  func respond(to request: Request, context: ServerContext) async throws -> Response? {
    let answer = try await answer(request, context)
    return request.method == .head ? answer?.createHeadResponse() : answer
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response? {
    var context = context
    if let language = context.actor?.language { context.language = language }
    let path = request.uri.path
    let isRead = request.method == .get || request.method == .head
    if isRead, let asset = PageAsset.at(path) {
      context.coreContext.endpointPath.value = "/assets/{file}"
      return Self.response(asset)
    }
    if request.method == .post, ["/sign-in", "/sign-out", "/preview"].contains(path) {
      context.coreContext.endpointPath.value = path
    }
    switch (request.method, path) {
    case (.post, "/sign-in"): return try await signIn(request, context)
    case (.post, "/sign-out"): return try await signOut(request, context)
    case (.post, "/preview"): return try await preview(request, context)
    default: break
    }
    for route in PageRoute.all {
      guard let parameters = route.parameters(of: path) else { continue }
      if request.method == .post, route.path.hasPrefix("/chat") {
        context.coreContext.endpointPath.value = route.path
        return try await ask(parameters, request, context)
      }
      guard isRead else { return nil }
      context.coreContext.endpointPath.value = route.path
      return try await page(route, parameters, request, context)
    }
    return nil
  }

  /// The page of a problem, for browsers.
  func response(_ problem: Problem, to request: Request, context: ServerContext) -> Response? {
    guard request.method == .get, !request.uri.path.hasPrefix("/api/"),
      request.headers[.accept]?.contains("text/html") ?? false
    else { return nil }
    return page(problem, request, context)
  }

  /// The form to sign in, with the reason why the sign-in at the identity provider has failed.
  func signInFailed(
    _ message: LocalizedText, status: Int, to request: Request, context: ServerContext
  ) -> Response {
    let view = SignInPage(next: "/", problem: message, provider: services.settings.identity?.issuer)
    return Self.response(PageLayout(pageRequest(request, context).context).document(view), status, context)
  }

  // MARK: - Pages

  private func page(
    _ route: PageRoute, _ parameters: [String: String], _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    if route.right != .everyone, context.actor == nil { return Self.signInFirst(request) }
    if route.path == "/sign-in", context.actor != nil {
      return Self.redirect(SignInPage.destination(FormFields(request.uri.query ?? "")["next"]))
    }
    do {
      try route.right.require(context.actor)
      var page = pageRequest(request, context)
      if context.actor != nil {
        let base = page.base
        var facts = page.context
        if base.actor?.mayAnywhere(.read, .notifications) ?? false {
          facts.unread = (try? await services.workspace.unreadNotifications()) ?? 0
        }
        if base.actor?.mayAnywhere(.read, .decisions) ?? false {
          for list in ["listDecisions", "listOpenDoubts"] {
            facts.questions += (try? await page.permitted(list)["items"]?.listValue?.count) ?? 0
          }
        }
        page = PageRequest(base: base, query: page.query, context: facts)
      }
      var base = page.base
      base.path = parameters
      let ready = PageRequest(base: base, query: page.query, context: page.context)
      let view = try await route.load(ready)
      return Self.response(PageLayout(ready.context).document(view), 200, context)
    } catch {
      let problem = Problem(error, in: context.language)
      if problem.status == 401 { return Self.signInFirst(request) }
      return self.page(problem, request, context)
    }
  }

  private func page(_ problem: Problem, _ request: Request, _ context: ServerContext) -> Response {
    var problem = problem
    problem.members["request"] = .string(context.requestID)
    let view = ProblemPage(problem.document(in: context.language))
    var response = Self.response(
      PageLayout(pageRequest(request, context).context).document(view), problem.status, context)
    for field in problem.fields { response.headers.append(field) }
    return response
  }

  private func pageRequest(_ request: Request, _ context: ServerContext) -> PageRequest {
    let base = APIRequest(
      services: services, actor: context.actor, credential: context.credential, language: context.language,
      address: context.address, origin: context.origin, fields: request.headers)
    let token = context.isBrowser ? base.cookie.map(RequestForgery.token(session:)) : nil
    return PageRequest(
      base: base, query: FormFields(request.uri.query ?? ""),
      context: PageContext(
        actor: context.actor, language: context.language, path: request.uri.path, csrfToken: token,
        version: services.version))
  }

  // MARK: - Forms

  /// The sign-in without a script; the answer of the API sets the cookie.
  private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
    try Self.refuseForeign(request, context)
    let fields = try await Self.fields(request)
    let (user, next) = (fields["user"] ?? "", SignInPage.destination(fields["next"]))
    let page = pageRequest(request, context)
    do {
      let answer = try await page.answer(
        "signIn",
        body: ["user": .string(user), "password": .string(fields["password"] ?? "")])
      var response = Self.redirect(next)
      for field in answer.fields { response.headers.append(field) }
      return response
    } catch {
      let problem = Problem(error, in: context.language)
      let view = SignInPage(
        next: next, user: user, problem: problem.described(in: context.language),
        provider: services.settings.identity?.issuer)
      var response = Self.response(PageLayout(page.context).document(view), problem.status, context)
      for field in problem.fields { response.headers.append(field) }
      return response
    }
  }

  private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
    try Self.refuseForeign(request, context)
    let fields = try await Self.fields(request)
    guard context.actor != nil else { return Self.redirect("/sign-in") }
    let page = pageRequest(request, context)
    guard let secret = page.base.cookie, RequestForgery.isValid(fields["csrf_token"] ?? "", session: secret) else {
      throw Problem.forged
    }
    let answer = try await page.answer("signOut")
    var response = Self.redirect("/sign-in")
    for field in answer.fields { response.headers.append(field) }
    return response
  }

  /// A question to a model, sent without a script.
  private func ask(
    _ parameters: [String: String], _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try Self.refuseForeign(request, context)
    guard context.actor != nil else { return Self.signInFirst(request) }
    let fields = try await Self.fields(request, limit: 1 << 20)
    var base = pageRequest(request, context).base
    guard let secret = base.cookie, RequestForgery.isValid(fields["csrf_token"] ?? "", session: secret) else {
      return page(Problem.forged, request, context)
    }
    base.path = parameters
    let ready = PageRequest(base: base, query: FormFields(""), context: pageRequest(request, context).context)
    do {
      let (address, view, status) = try await ChatPages.answer(fields, ready)
      if let address { return Self.redirect(address) }
      guard let view else { throw CancellationError() }
      return Self.response(PageLayout(ready.context).document(view), status, context)
    } catch {
      return page(Problem(error, in: context.language), request, context)
    }
  }

  /// Diagnostics and graph of a text in the editor, as a part of a page; nothing is stored.
  private func preview(_ request: Request, _ context: ServerContext) async throws -> Response {
    try Self.refuseForeign(request, context)
    try Route.Right.may(.read, .recipes).require(context.actor)
    if context.isBrowser, !context.hasCSRFToken { throw Problem.forged }
    let bytes = try await ServerResponder.collect(request, limit: 2 << 20)
    guard let body = try? Value(json: Array(bytes.readableBytesView)), let text = body["text"]?.stringValue else {
      throw Problem(400, "malformed_json", "the body needs a 'text'", de: "der Inhalt braucht einen 'text'")
    }
    let page = pageRequest(request, context)
    let check = try await RecipePages.check(text, recipe: body["recipe"]?.stringValue, page)
    return Self.response(check.html(page.context).markup, 200, context)
  }

  private static func fields(_ request: Request, limit: Int = 64 << 10) async throws -> FormFields {
    let body = try await ServerResponder.collect(request, limit: limit)
    return FormFields(String(decoding: body.readableBytesView, as: UTF8.self))
  }

  private static func refuseForeign(_ request: Request, _ context: ServerContext) throws {
    if let origin = request.headers[.origin], origin != context.origin { throw Problem.foreign(origin) }
  }

  // MARK: - Answers

  private static func response(_ asset: PageAsset) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: asset.type, .cacheControl: "public, max-age=31536000, immutable",
        .contentSecurityPolicy: PageLayout.securityPolicy,
      ], body: .init(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }

  private static func response(_ markup: String, _ status: Int, _ context: ServerContext) -> Response {
    Response(
      status: .init(code: status),
      headers: [
        .contentType: "text/html; charset=utf-8", .contentLanguage: context.language.rawValue,
        .contentSecurityPolicy: PageLayout.securityPolicy,
        // Without it, browsers would send forms of these pages without their origin.
        .referrerPolicy: "same-origin",
      ], body: .init(byteBuffer: ByteBuffer(string: markup)))
  }

  private static func redirect(_ path: String) -> Response {
    Response(status: .seeOther, headers: [.location: path], body: .init())
  }

  private static func signInFirst(_ request: Request) -> Response {
    let query = request.uri.query.map { "?" + $0 } ?? ""
    let next = request.uri.path == "/" ? "" : "?next=" + PageAddress.escaped(request.uri.path + query)
    return redirect("/sign-in" + next)
  }
}
