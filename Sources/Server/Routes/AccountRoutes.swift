import Access
import Engine
import Expressions
import Localization

/// Operations on the caller's own account: language, sessions, saved filters.
enum AccountRoutes {
  private typealias S = APISchema

  static let all: [Route] = [
    change, listSessions, endOtherSessions, endSession, listFilters, saveFilter, removeFilter,
  ]

  static let schemas: [(String, Value)] = [("OwnSession", session), ("SavedFilter", filter)]

  private static let session = S.object([
    ("id", S.text), ("address", S.orNull(S.text)), ("created", S.time), ("last_used", S.time), ("current", S.flag),
  ])

  private static let filter = S.object(
    [("name", S.text)] + SavedFilter.fields.map { ($0, S.orNull(S.text)) })

  /// Makes sure that a person at a browser asks: a token for one purpose must not change the account.
  ///
  /// - Throws: ``Problem``: status 403 (`session_needed`) for callers with a token.
  private static func requireSession(_ request: APIRequest) throws {
    guard let actor = request.actor else { throw Problem.unauthorised }
    guard actor.origin == .session || actor.origin == .socket else {
      throw Problem(
        403, "session_needed", "the own account is changed in a browser session, not with a token",
        de: "das eigene Konto wird in einer Sitzung im Browser geändert, nicht mit einem Token")
    }
  }

  // MARK: - Language

  private static let change = Route(
    .patch, "/me", "changeOwnAccount", "Change the own language; null means that of the browser.",
    de: "Die eigene Sprache ändern; null bedeutet die des Browsers.", .signedIn,
    body: .json(
      S.input([("language", S.orNull(S.words(Language.allCases.map(\.rawValue))))], required: ["language"])),
    answers: [.json(S.named("User"))]
  ) { request in
    try requireSession(request)
    var change = UserChange()
    change.language = .some(request.text("language").flatMap(Language.init(rawValue:)))
    return .json(
      try request.services.access.changeUser(
        request.person, change, by: try request.source, now: SystemTime().now
      ).json)
  }

  // MARK: - Sessions

  /// The id of the caller's session; `nil` for callers without one.
  private static func current(_ request: APIRequest) -> String? {
    guard let cookie = request.cookie else { return nil }
    return try? request.services.access.actor(session: cookie, now: SystemTime().now).session.id
  }

  private static let listSessions = Route(
    .get, "/me/sessions", "listOwnSessions", "The own open sessions, the last used first.",
    de: "Die eigenen offenen Sitzungen, die zuletzt benutzte zuerst.", .signedIn,
    answers: [.json(S.page(S.named("OwnSession")))]
  ) { request in
    let current = current(request)
    let sessions = try request.services.access.sessions(user: request.person, now: SystemTime().now)
    return .page(
      sessions.map { session in
        var map = session.json.mapValue ?? [:]
        map["user"] = nil
        map["current"] = .bool(session.id == current)
        return .map(map)
      })
  }

  private static let endOtherSessions = Route(
    .delete, "/me/sessions", "endOtherSessions", "End the own sessions except for that of the caller.",
    de: "Die eigenen Sitzungen außer der des Aufrufers beenden.", .signedIn,
    answers: [.json(S.object([("ended", S.count)]))]
  ) { request in
    try requireSession(request)
    let count = try request.services.access.endSessions(
      of: request.person, keeping: current(request), by: try request.source, now: SystemTime().now)
    return .json(["ended": .int(Int64(count))])
  }

  private static let endSession = Route(
    .delete, "/me/sessions/{session}", "endOwnSession", "End one of the own sessions.",
    de: "Eine der eigenen Sitzungen beenden.", .signedIn, answers: [.empty]
  ) { request in
    try requireSession(request)
    let (access, id, now) = (request.services.access, request.name("session"), SystemTime().now)
    guard try access.sessions(user: request.person, now: now).contains(where: { $0.id == id }) else {
      throw Problem.notFound(LocalizedText("session", de: "Sitzung"), id)
    }
    try access.endSession(id, by: try request.source, now: now)
    return .empty
  }

  // MARK: - Saved filters

  private static let listFilters = Route(
    .get, "/me/filters", "listSavedFilters", "The filters of the list of runs that the caller has saved.",
    de: "Die Filter der Liste der Läufe, die der Aufrufer gespeichert hat.", .signedIn,
    answers: [.json(S.page(S.named("SavedFilter")))]
  ) { request in .page(try request.services.access.savedFilters(of: request.person).map(\.json)) }

  private static let saveFilter = Route(
    .post, "/me/filters", "saveFilter", "Save a filter of the list of runs; one with the same name is replaced.",
    de: "Einen Filter der Liste der Läufe speichern; einer mit demselben Namen wird ersetzt.", .signedIn,
    body: .json(
      S.input(
        [
          ("name", ["type": "string", "minLength": 1, "maxLength": 60]), ("status", S.words(RunSchemas.statuses)),
          ("recipe", S.text(upTo: 300)), ("search", S.text(upTo: 500)),
        ], required: ["name"])), answers: [.json(S.named("SavedFilter"))], repetition: .harmless
  ) { request in
    var query: [String: String] = [:]
    for field in SavedFilter.fields { query[field] = request.text(field) }
    let filter = SavedFilter(name: request.text("name") ?? "", query: query)
    try request.services.access.saveFilter(filter, of: request.person)
    return .json(filter.json)
  }

  private static let removeFilter = Route(
    .delete, "/me/filters/{filter}", "removeSavedFilter", "Remove a saved filter.",
    de: "Einen gespeicherten Filter entfernen.", .signedIn, answers: [.empty]
  ) { request in
    guard try request.services.access.removeFilter(request.name("filter"), of: request.person) else {
      throw Problem.notFound(LocalizedText("filter", de: "Filter"), request.name("filter"))
    }
    return .empty
  }
}
