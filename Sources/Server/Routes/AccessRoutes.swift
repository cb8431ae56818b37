import Access
import Engine
import Expressions
import Localization
import OperatingSystem

/// Operations on users, roles, tokens and the audit log.
enum AccessRoutes {
  private typealias S = APISchema

  static let all: [Route] =
    [listUsers, showUser, addUser, changeUser, setPassword, removeUser, endSessions, exportUser, eraseUser]
    + [listTokens, addToken, removeToken] + [listRoles, saveRole, removeRole, overview, audit]
    + [changeOwnPassword, exportOwn]

  static let schemas: [(String, Value)] = [("User", user), ("Token", token), ("Role", role), ("AuditEntry", entry)]

  private static let user = S.object([
    ("name", S.text), ("full_name", S.text), ("language", S.orNull(S.text)), ("created", S.time),
    ("disabled", S.orNull(S.time)), ("groups", S.list(S.text)), ("roles", S.list(S.text)),
  ])

  private static let token = S.object([
    ("id", S.text), ("name", S.text), ("user", S.text), ("scopes", S.list(S.text)), ("created", S.time),
    ("expires", S.orNull(S.time)), ("last_used", S.orNull(S.time)),
  ])

  private static let role = S.object([
    ("name", S.text), ("title", S.text), ("rules", S.list(S.text)), ("built_in", S.flag),
  ])

  private static let entry = S.object([
    ("id", S.count), ("at", S.time), ("actor", S.text), ("origin", S.text), ("address", S.orNull(S.text)),
    ("action", S.text), ("object", S.text), ("before", S.anything), ("after", S.anything),
    (
      "changes", S.list(S.object([("path", S.text), ("before", S.anything), ("after", S.anything)]))
    ), ("outcome", S.text),
  ])

  private static let names: Value = ["type": "array", "items": S.name, "maxItems": 100]
  private static let password: Value = ["type": "string", "minLength": 1, "maxLength": 2000]

  // MARK: - Users

  private static let listUsers = Route(
    .get, "/users", "listUsers", "List users.", de: "Benutzer auflisten.", .may(.read, .users),
    answers: [.json(S.page(S.named("User")))]
  ) { request in .page(try request.services.access.users().map(\.json)) }

  private static let showUser = Route(
    .get, "/users/{user}", "showUser", "Show a user.", de: "Einen Benutzer zeigen.", .may(.read, .users),
    answers: [.json(S.named("User"))]
  ) { request in .json(try request.services.access.user(request.name("user")).json) }

  private static let addUser = Route(
    .post, "/users", "addUser", "Add a user.", de: "Einen Benutzer anlegen.", .may(.create, .users),
    body: .json(
      S.input(
        [
          ("name", S.name), ("full_name", ["type": "string", "maxLength": 200]), ("password", password),
          ("language", S.words(Language.allCases.map(\.rawValue))), ("groups", names), ("roles", names),
        ], required: ["name"])), answers: [.json(S.named("User"), status: 201)]
  ) { request in
    var draft = UserDraft(name: request.text("name") ?? "")
    draft.fullName = request.text("full_name") ?? ""
    draft.password = request.text("password")
    draft.language = request.text("language").flatMap(Language.init(rawValue:))
    draft.groups = request.set("groups") ?? []
    draft.roles = request.set("roles") ?? []
    try request.requireRights(of: draft.roles)
    let (access, source, wanted) = (request.services.access, try request.source, draft)
    let user = try await BlockingPool.shared.run { try access.addUser(wanted, by: source, now: SystemTime().now) }
    return .created(user.json, at: "/users/\(RecipeRoutes.escaped(user.name))")
  }

  private static let changeUser = Route(
    .patch, "/users/{user}", "changeUser", "Change a user; its sessions end if its roles change.",
    de: "Einen Benutzer ändern; ändern sich seine Rollen, enden seine Sitzungen.", .may(.update, .users),
    body: .json(
      S.input([
        ("full_name", ["type": "string", "maxLength": 200]), ("language", S.words(Language.allCases.map(\.rawValue))),
        ("groups", names), ("roles", names), ("disabled", S.flag),
      ])), answers: [.json(S.named("User"))]
  ) { request in
    let (access, source, name) = (request.services.access, try request.source, request.name("user"))
    try request.requireRights(of: Set(try access.user(name).roles))
    var change = UserChange()
    change.fullName = request.text("full_name")
    if let language = request.text("language").flatMap(Language.init(rawValue:)) { change.language = .some(language) }
    change.groups = request.set("groups")
    change.roles = request.set("roles")
    try request.requireRights(of: change.roles ?? [])
    _ = try access.changeUser(name, change, by: source, now: SystemTime().now)
    if let isDisabled = request.body["disabled"]?.boolValue {
      try access.setDisabled(isDisabled, user: name, by: source, now: SystemTime().now)
    }
    return .json(try access.user(name).json)
  }

  private static let setPassword = Route(
    .put, "/users/{user}/password", "setPassword", "Set the password of a user; its sessions end.",
    de: "Das Passwort eines Benutzers setzen; seine Sitzungen enden.", .may(.update, .users),
    body: .json(S.input([("password", password)], required: ["password"])), answers: [.empty]
  ) { request in
    let (access, source, name) = (request.services.access, try request.source, request.name("user"))
    try request.requireRights(of: Set(try access.user(name).roles))
    let text = request.text("password")
    try await BlockingPool.shared.run { try access.setPassword(text, of: name, by: source, now: SystemTime().now) }
    return .empty
  }

  private static let removeUser = Route(
    .delete, "/users/{user}", "removeUser", "Remove a user with its tokens and sessions.",
    de: "Einen Benutzer mit Tokens und Sitzungen entfernen.", .may(.delete, .users), answers: [.empty]
  ) { request in
    let (access, name) = (request.services.access, request.name("user"))
    try request.requireRights(of: Set(try access.user(name).roles))
    try await PersonalData.remove(
      user: name, from: access, request.services.workspace, by: try request.source, now: SystemTime().now)
    return .empty
  }

  private static let endSessions = Route(
    .delete, "/users/{user}/sessions", "endSessions", "End all sessions of a user.",
    de: "Alle Sitzungen eines Benutzers beenden.", .may(.update, .users),
    answers: [.json(S.object([("ended", S.count)]))]
  ) { request in
    let count = try request.services.access.endSessions(
      of: request.name("user"), by: try request.source, now: SystemTime().now)
    return .json(["ended": .int(Int64(count))])
  }

  private static let exportUser = Route(
    .get, "/users/{user}/export", "exportUser", "All that is stored about a user.",
    de: "Alles, was über einen Benutzer gespeichert ist.", .may(.read, .users), answers: [.json(S.map)]
  ) { request in
    .json(
      try await PersonalData.export(
        user: request.name("user"), from: request.services.access, request.services.workspace))
  }

  private static let eraseUser = Route(
    .post, "/users/{user}/erase", "eraseUser", "Erase a user; the audit log keeps what was done, without the name.",
    de: "Einen Benutzer löschen; das Audit-Protokoll behält, was getan wurde, ohne den Namen.", .may(.delete, .users),
    answers: [.json(S.object([("replacement", S.orNull(S.text))]))]
  ) { request in
    let (access, name) = (request.services.access, request.name("user"))
    if let user = try? access.user(name) { try request.requireRights(of: Set(user.roles)) }
    let replacement = try await PersonalData.erase(
      user: name, from: access, request.services.workspace, by: try request.source, now: SystemTime().now)
    return .json(["replacement": .text(replacement)])
  }

  // MARK: - The caller's own account

  private static let changeOwnPassword = Route(
    .put, "/me/password", "changeOwnPassword", "Change the own password; other sessions end.",
    de: "Das eigene Passwort ändern; andere Sitzungen enden.", .signedIn,
    body: .json(S.input([("current", password), ("new", password)], required: ["current", "new"])), answers: [.empty]
  ) { request in
    let (access, source, name, cookie) = (request.services.access, try request.source, request.person, request.cookie)
    let (current, new, address) = (request.text("current") ?? "", request.text("new"), request.address)
    guard let cookie else {
      throw Problem(
        403, "session_needed", "a password is changed in a browser session, not with a token",
        de: "ein Passwort wird in einer Sitzung im Browser geändert, nicht mit einem Token")
    }
    do {
      try await BlockingPool.shared.run {
        let now = SystemTime().now
        let proof = try access.signIn(user: name, password: current, address: address, now: now)
        try access.signOut(proof.secret, address: address, now: now)
        let kept = try access.actor(session: cookie, now: now).session.id
        try access.setPassword(new, of: name, keeping: kept, by: source, now: now)
      }
    } catch let error as AccessError where error.code == .signInRefused {
      // 401 would mean that the session has ended.
      let detail = LocalizedText("the current password is wrong", de: "das jetzige Passwort ist falsch")
      var problem = Problem(422, "wrong_password", detail)
      problem.members = [
        "errors": [["pointer": "/current", "detail": .string(detail.string(in: request.language))]]
      ]
      throw problem
    }
    return .empty
  }

  private static let exportOwn = Route(
    .get, "/me/export", "exportOwn", "All that is stored about the caller.",
    de: "Alles, was über den Aufrufer gespeichert ist.", .signedIn, answers: [.json(S.map)]
  ) { request in .json(try request.services.access.export(user: request.person)) }

  // MARK: - Tokens

  private static let listTokens = Route(
    .get, "/tokens", "listTokens", "The own tokens; with the right to read users, those of all.",
    de: "Die eigenen Tokens; mit dem Recht, Benutzer zu lesen, die aller.", .signedIn,
    answers: [.json(S.page(S.named("Token")))]
  ) { request in
    let isAll = request.scope(.read, .users) == .all
    return .page(try request.services.access.tokens(user: isAll ? nil : request.person).map(\.json))
  }

  private static let addToken = Route(
    .post, "/tokens", "addToken", "Make a token for the caller, or for another user; its text is shown once.",
    de: "Ein Token für den Aufrufer oder einen anderen Benutzer anlegen; sein Text wird einmal gezeigt.", .signedIn,
    body: .json(
      S.input(
        [
          ("name", S.name), ("user", S.name), ("scopes", ["type": "array", "items": S.text, "maxItems": 50]),
          ("expires", S.time),
        ],
        required: ["name"])),
    answers: [.json(S.object([("text", S.text), ("token", S.named("Token"))]), status: 201)], isAnswerSecret: true
  ) { request in
    guard let actor = request.actor, actor.origin == .session || actor.origin == .socket else {
      throw Problem(
        403, "session_needed", "a token cannot make tokens: sign in with a browser, or use 'sous tokens add'",
        de: "ein Token kann keine Tokens anlegen: im Browser anmelden, oder 'sous tokens add' verwenden")
    }
    let user = request.text("user") ?? actor.user
    if user != actor.user {
      try request.require(.update, .users)
      try request.requireRights(of: Set(try request.services.access.user(user).roles))
    }
    var expires: Timestamp?
    if let text = request.text("expires") { expires = Timestamp(rfc3339: text) }
    let made = try request.services.access.addToken(
      name: request.text("name") ?? "", user: user,
      scopes: (request.body["scopes"]?.listValue ?? []).compactMap(\.stringValue),
      expires: expires, by: try request.source, now: SystemTime().now)
    return .created(["text": .string(made.text), "token": made.token.json], at: "/tokens/\(made.token.id)")
  }

  private static let removeToken = Route(
    .delete, "/tokens/{token}", "removeToken", "Remove a token.", de: "Ein Token entfernen.", .signedIn,
    answers: [.empty]
  ) { request in
    let access = request.services.access
    guard let token = try access.tokens().first(where: { $0.id == request.name("token") }),
      token.user == request.person || request.scope(.update, .users) == .all
    else { throw Problem.notFound(LocalizedText(verbatim: "token"), request.name("token")) }
    try access.removeToken(token.id, by: try request.source, now: SystemTime().now)
    return .empty
  }

  // MARK: - Roles

  private static func json(_ role: AccessRole, _ language: Language) -> Value {
    [
      "name": .string(role.name), "title": .string(role.title.string(in: language)),
      "rules": .list(role.rules.map { .string($0.text) }), "built_in": .bool(role.isBuiltIn),
    ]
  }

  private static let listRoles = Route(
    .get, "/roles", "listRoles", "List roles with their rules.", de: "Rollen mit ihren Regeln auflisten.",
    .may(.read, .users),
    answers: [.json(S.page(S.named("Role")))]
  ) { request in .page(try request.services.access.roles().map { json($0, request.language) }) }

  private static let saveRole = Route(
    .put, "/roles/{role}", "saveRole", "Make a role of rules, or replace one.",
    de: "Eine Rolle aus Regeln anlegen oder ersetzen.", .may(.update, .users),
    body: .json(
      S.input(
        [
          ("title", ["type": "string", "maxLength": 200]),
          ("rules", ["type": "array", "items": S.text, "maxItems": 200]),
        ], required: ["rules"])),
    answers: [.json(S.named("Role"))]
  ) { request in
    var rules: [AccessRule] = []
    for text in (request.body["rules"]?.listValue ?? []).compactMap(\.stringValue) {
      rules.append(try AccessRule(text))
    }
    let role = try AccessRole(
      name: request.name("role"), title: LocalizedText(verbatim: request.text("title") ?? ""), rules: rules)
    guard request.actor?.hasRights(of: role) ?? false else { throw Problem.grantsTooMuch }
    let access = request.services.access
    if let known = try? access.role(role.name), request.actor?.hasRights(of: known) == false {
      throw Problem.grantsTooMuch
    }
    try access.saveRole(role, replaces: true, by: try request.source, now: SystemTime().now)
    return .json(json(role, request.language))
  }

  private static let removeRole = Route(
    .delete, "/roles/{role}", "removeRole", "Remove a role that no user has.",
    de: "Eine Rolle entfernen, die niemand hat.",
    .may(.delete, .users), answers: [.empty]
  ) { request in
    try request.requireRights(of: [request.name("role")])
    try request.services.access.removeRole(request.name("role"), by: try request.source, now: SystemTime().now)
    return .empty
  }

  private static let overview = Route(
    .get, "/rights", "listRights", "Who may do what.", de: "Wer was darf.", .may(.read, .users),
    answers: [
      .json(
        S.page(
          S.object([
            ("user", S.text), ("object", S.text), ("folder", S.orNull(S.text)), ("read", S.text), ("create", S.text),
            ("update", S.text), ("delete", S.text), ("roles", S.list(S.text)),
          ])))
    ]
  ) { request in .page(try request.services.access.overview().map(\.json)) }

  private static let audit = Route(
    .get, "/audit", "listAudit", "The audit log, newest first.", de: "Das Audit-Protokoll, neueste zuerst.",
    .may(.read, .audit),
    parameters: [
      .query(
        "user", S.text, "Only entries of or about this user.", de: "Nur Einträge von diesem Benutzer oder über ihn."),
      .query("since", S.time, "Only entries of this time or later.", de: "Nur Einträge ab dieser Zeit."), .limit,
      .cursor,
    ], answers: [.json(S.page(S.named("AuditEntry")))]
  ) { request in
    var filter = AuditFilter(user: request.query["user"]?.stringValue)
    filter.since = request.query["since"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    filter.below = request.query["cursor"]?.stringValue.flatMap { Int($0) }
    let found = try request.services.access.audit(filter, limit: request.limit)
    return .page(found.map(\.json), next: found.count < request.limit ? nil : found.last.map { "\($0.id)" })
  }
}

extension Problem {
  /// A user who would get more rights than the caller has.
  static let grantsTooMuch = Problem(
    403, "grants_too_much", "only users who have all rights of a role may give it, take it away or change it",
    de: "nur wer alle Rechte einer Rolle hat, darf sie geben, nehmen oder ändern")
}

extension APIRequest {
  /// The caller, for the audit log.
  var source: AuditSource {
    get throws {
      guard let actor else { throw Problem.unauthorised }
      return AuditSource(actor, address: address)
    }
  }

  /// A list of texts of the body as a set; `nil` if it is absent.
  func set(_ field: String) -> Set<String>? { body[field]?.listValue.map { Set($0.compactMap(\.stringValue)) } }

  /// Makes sure that the caller has all rights of some roles: otherwise the right to change users would be a right to
  /// everything.
  func requireRights(of names: Set<String>) throws {
    for name in names.sorted() {
      let role = try services.access.role(name)
      guard actor?.hasRights(of: role) ?? false else { throw Problem.grantsTooMuch }
    }
  }
}
