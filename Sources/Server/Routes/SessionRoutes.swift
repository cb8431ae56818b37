import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import OperatingSystem
import RecipeModel

/// Operations on the sign-in of the caller: sessions of browsers, and the device flow of programs (RFC 8628).
enum SessionRoutes {
  private typealias S = APISchema

  static let all: [Route] = [signIn, show, signOut, beginDevice, askDevice, showDevice, decideDevice]

  private static let session = S.object([
    ("user", S.text), ("name", S.orNull(S.text)), ("csrf_token", S.orNull(S.text)),
  ])

  private static func json(_ actor: Actor, _ token: String?) -> Value {
    .object([
      ("user", .string(actor.user)), ("name", actor.fullName.isEmpty ? .null : .string(actor.fullName)),
      ("csrf_token", .text(token)),
    ])
  }

  private static let signIn = Route(
    .post, "/session", "signIn", "Sign in with a password; the answer sets the cookie of a new session.",
    de: "Mit einem Passwort anmelden; die Antwort setzt das Cookie einer neuen Sitzung.", .everyone,
    body: .json(
      S.input(
        [("user", ["type": "string", "maxLength": 200]), ("password", ["type": "string", "maxLength": 2000])],
        required: ["user", "password"])), answers: [.json(session)], isAnswerSecret: true
  ) { request in
    let (access, address, former) = (request.services.access, request.address, request.cookie)
    let (user, password) = (request.text("user") ?? "", request.text("password") ?? "")
    // scrypt takes a while on purpose.
    let signedIn = try await BlockingPool.shared.run {
      try access.signIn(user: user, password: password, address: address, former: former, now: SystemTime().now)
    }
    var answer = APIAnswer.json(json(signedIn.actor, signedIn.forgeryToken))
    answer.fields.append(
      SessionCookie.field(
        signedIn.secret, origin: request.origin, longest: request.services.settings.longest))
    return answer
  }

  private static let show = Route(
    .get, "/session", "showSession", "The session of the caller, with the token for changes.",
    de: "Die Sitzung des Aufrufers, mit dem Token für Änderungen.", .signedIn, answers: [.json(session)]
  ) { request in
    guard let actor = request.actor else { throw Problem.unauthorised }
    return .json(json(actor, request.cookie.map(RequestForgery.token(session:))))
  }

  private static let signOut = Route(
    .delete, "/session", "signOut", "Sign out; the session ends.", de: "Abmelden; die Sitzung endet.", .signedIn,
    answers: [.empty]
  ) { request in
    if let secret = request.cookie {
      try request.services.access.signOut(secret, address: request.address, now: SystemTime().now)
    }
    var answer = APIAnswer.empty
    answer.fields.append(SessionCookie.expired(origin: request.origin))
    return answer
  }

  // MARK: - Devices

  private static let beginDevice = Route(
    .post, "/device", "beginDevice", "Begin to let a program in that has no browser (RFC 8628).",
    de: "Ein Programm ohne Browser einlassen: der Anfang (RFC 8628).", .everyone,
    body: .json(
      S.input(
        [
          ("client", ["type": "string", "minLength": 1, "maxLength": 100]),
          ("scopes", ["type": "array", "items": S.text, "maxItems": 50]),
        ],
        required: ["client"])),
    answers: [
      .json(
        S.object([
          ("device_code", S.text), ("user_code", S.text), ("verification_uri", S.text), ("expires_in", S.count),
          ("interval", S.count),
        ]))
    ], isAnswerSecret: true
  ) { request in
    let scopes = (request.body["scopes"]?.listValue ?? []).compactMap(\.stringValue)
    let codes = try request.services.access.beginDevice(
      client: request.text("client") ?? "", scopes: scopes, now: SystemTime().now)
    return .json([
      "device_code": .string(codes.deviceCode), "user_code": .string(codes.userCode),
      "verification_uri": .string(request.origin + "/device"), "expires_in": .int(Int64(codes.expiresIn)),
      "interval": .int(Int64(codes.interval)),
    ])
  }

  private static let askDevice = Route(
    .post, "/device/token", "askDevice", "Ask whether the program was let in; the token is given once.",
    de: "Abfragen, ob das Programm zugelassen wurde; das Token wird einmal ausgegeben.", .everyone,
    body: .json(
      S.input([("device_code", ["type": "string", "minLength": 1, "maxLength": 200])], required: ["device_code"])),
    answers: [.json(S.object([("access_token", S.text), ("token_type", S.text), ("expires_in", S.count)]))],
    isAnswerSecret: true
  ) { request in
    let now = SystemTime().now
    switch try request.services.access.askDevice(
      request.text("device_code") ?? "", address: request.address, now: now)
    {
    case .token(let text, let token):
      let seconds = token.expires?.seconds(since: now) ?? request.services.access.limits.deviceTokenAge
      return .json(["access_token": .string(text), "token_type": "Bearer", "expires_in": .int(Int64(seconds))])
    case .pending(let interval):
      throw waiting(
        "authorization_pending", interval, "a person has not decided yet", de: "es ist noch nicht entschieden")
    case .slowDown(let interval):
      throw waiting("slow_down", interval, "the questions come too often", de: "die Fragen kommen zu oft")
    case .denied:
      throw Problem(400, "access_denied", "a person has denied it", de: "es wurde abgelehnt")
    case .expired:
      throw Problem(
        400, "expired_token", "the code has expired: begin again", de: "der Code ist abgelaufen: neu beginnen")
    }
  }

  private static func waiting(_ code: String, _ interval: Double, _ english: String, de german: String) -> Problem {
    var problem = Problem(
      400, code, "\(english); ask again in \(Int(interval)) s", de: "\(german); in \(Int(interval)) s wieder fragen")
    problem.members = ["interval": .int(Int64(interval))]
    return problem
  }

  private static let device = S.object([
    ("user_code", S.text), ("client", S.text), ("scopes", S.list(S.text)), ("expires", S.time),
  ])

  private static let showDevice = Route(
    .get, "/devices/{code}", "showDevice", "The program that waits with a code.",
    de: "Das Programm, das mit einem Code wartet.",
    .signedIn, answers: [.json(device)]
  ) { request in
    let found = try request.services.access.device(userCode: request.name("code"), now: SystemTime().now)
    return .json([
      "user_code": .string(found.userCode), "client": .string(found.client),
      "scopes": .list(found.scopes.map { .string($0) }), "expires": .string(found.expires.rfc3339),
    ])
  }

  private static let decideDevice = Route(
    .post, "/devices/{code}", "decideDevice",
    "Let the program with a code in, with the rights of the caller, or deny it.",
    de: "Das Programm mit einem Code einlassen, mit den Rechten des Aufrufers, oder ablehnen.", .signedIn,
    body: .json(S.input([("approved", S.flag)], required: ["approved"])), answers: [.empty], repetition: .harmless
  ) { request in
    guard let actor = request.actor else { throw Problem.unauthorised }
    try request.services.access.decideDevice(
      userCode: request.name("code"), approves: request.isSet("approved"), by: actor, address: request.address,
      now: SystemTime().now)
    return .empty
  }
}

/// The cookie of a session. Scripts of the page cannot read it, and other sites cannot send it with changes.
enum SessionCookie {
  /// The name.
  static let name = "sous_session"

  /// The field that sets the cookie.
  ///
  /// - Parameters:
  ///   - origin: The address that the client used.
  ///   - longest: Seconds that the session may last.
  static func field(_ secret: String, origin: String, longest: Double) -> HTTPField {
    HTTPField(
      name: .setCookie,
      value: "\(name)=\(secret); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(Int(longest))" + secure(origin))
  }

  /// The field that removes the cookie.
  static func expired(origin: String) -> HTTPField {
    HTTPField(name: .setCookie, value: "\(name)=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0" + secure(origin))
  }

  private static func secure(_ origin: String) -> String { origin.hasPrefix("https://") ? "; Secure" : "" }

  /// The secret in a `Cookie` header; `nil` if none or several are there.
  static func secret(in fields: HTTPFields) -> String? { RequestCookies.value(name, in: fields) }
}

/// The cookies of a request.
enum RequestCookies {
  /// The value of a cookie; `nil` if none or several have the name.
  static func value(_ name: String, in fields: HTTPFields) -> String? {
    let found = fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part -> String? in
      let text = part.drop { $0 == " " }
      return text.hasPrefix(name + "=") ? String(text.dropFirst(name.count + 1)) : nil
    }
    return found.count == 1 ? found.first : nil
  }
}

extension APIRequest {
  /// The secret of the caller's session; `nil` for callers with a token.
  var cookie: String? { fields[.authorization] == nil ? SessionCookie.secret(in: fields) : nil }
}
