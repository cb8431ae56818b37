import Access
import Catalog
import Engine
import Expressions
import HTTPTypes
import Localization
import Notes
import Plans
import RecipePlanning
import RecipeSyntax
import RunStore
import Schemas
import Secrets
import UseCases

/// Why a request failed, as a problem document (RFC 9457).
struct Problem: Error {
  /// The status of HTTP.
  var status: Int
  /// The kind of fault; those of commands keep their names.
  var code: String
  /// The problem, its place and the remedy.
  var detail: LocalizedText
  /// Further members of the document.
  var members: ValueMap = [:]
  /// Further fields of the header.
  var fields: [HTTPField] = []

  init(_ status: Int, _ code: String, _ english: String, de german: String) {
    self.init(status, code, LocalizedText(english, de: german))
  }

  init(_ status: Int, _ code: String, _ detail: LocalizedText) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// The media type of the document.
  static let mediaType = "application/problem+json"

  /// The document: `{type, title, status, code, detail, …}`.
  func document(in language: Language) -> Value {
    var map: ValueMap = [
      "type": .string("urn:sous:problem:" + code), "title": .string(Self.title(status).string(in: language)),
      "status": .int(Int64(status)), "code": .string(code), "detail": .string(detail.string(in: language)),
    ]
    for (key, value) in members.entries { map[key] = value }
    return .map(map)
  }

  /// The detail with the members that are not valid, for forms that are sent without a script.
  func described(in language: Language) -> LocalizedText {
    let faults = (members["errors"]?.listValue ?? []).map { error in
      let place = error["pointer"]?.stringValue ?? error["parameter"]?.stringValue ?? ""
      return (place.isEmpty ? "" : place + " ") + (error["detail"]?.stringValue ?? "")
    }
    return faults.isEmpty ? detail : detail + LocalizedText(verbatim: ": " + faults.joined(separator: "; "))
  }

  private static func title(_ status: Int) -> LocalizedText {
    switch status {
    case 400: .init("The request cannot be read", de: "Die Anfrage ist nicht lesbar")
    case 401: .init("Sign in first", de: "Zuerst anmelden")
    case 403: .init("Not permitted", de: "Nicht erlaubt")
    case 404: .init("Not found", de: "Nicht gefunden")
    case 405: .init("The method does not exist here", de: "Diese Methode gibt es hier nicht")
    case 406: .init("No such form of the answer", de: "Diese Form der Antwort gibt es nicht")
    case 408: .init("The request took too long", de: "Die Anfrage dauerte zu lange")
    case 409: .init("Not in this state", de: "In diesem Zustand nicht möglich")
    case 412: .init("The object has changed", de: "Das Objekt hat sich geändert")
    case 413: .init("The request is too large", de: "Die Anfrage ist zu groß")
    case 415: .init("Wrong media type", de: "Falscher Medientyp")
    case 416: .init("No such range", de: "Diesen Bereich gibt es nicht")
    case 422: .init("The request is not valid", de: "Die Anfrage ist nicht gültig")
    case 428: .init("If-Match is missing", de: "If-Match fehlt")
    case 429: .init("Too many requests", de: "Zu viele Anfragen")
    case 501: .init("Not possible here", de: "Hier nicht möglich")
    case 502:
      .init("Another server's answer cannot be used", de: "Die Antwort eines anderen Servers ist nicht brauchbar")
    case 503: .init("Not available now", de: "Zurzeit nicht verfügbar")
    case 507: .init("The disk is full", de: "Der Datenträger ist voll")
    default: .init("Something is wrong on the server", de: "Auf dem Server stimmt etwas nicht")
    }
  }
}

extension Problem {
  /// A caller without an account.
  static let unauthorised: Problem = {
    var problem = Problem(
      401, "sign_in", "this needs an account: send 'Authorization: Bearer TOKEN', or sign in at /sign-in",
      de: "hierfür ist ein Konto nötig: 'Authorization: Bearer TOKEN' senden, oder unter /sign-in anmelden")
    problem.fields = [HTTPField(name: .wwwAuthenticate, value: "Bearer realm=\"sous\"")]
    return problem
  }()

  /// A caller without the right.
  ///
  /// - Parameter isByToken: Whether the roles of the caller include it, and only the scopes of the token do not.
  static func forbidden(_ verb: AccessVerb, _ object: AccessObject, isByToken: Bool) -> Problem {
    let (right, scope) = ("\(object.rawValue): \(verb.rawValue)", "\(object.rawValue):\(verb.rawValue)")
    var problem =
      isByToken
      ? Problem(
        403, "forbidden",
        "the scopes of this token do not include '\(right)', although your roles do; make a token with the scope: "
          + "sous tokens add NAME --user USER --scope \(scope)",
        de:
          "der Umfang dieses Tokens enthält nicht '\(right)', obwohl die eigenen Rollen es enthalten; ein Token mit diesem "
          + "Umfang anlegen: sous tokens add NAME --user BENUTZER --scope \(scope)")
      : Problem(
        403, "forbidden", "your roles do not include '\(right)'; an administrator can give it",
        de: "die eigenen Rollen enthalten nicht '\(right)'; ein Administrator kann es geben")
    problem.members = ["needs": .string(right)]
    return problem
  }

  /// A change that a page of another site has sent.
  static func foreign(_ origin: String) -> Problem {
    Problem(
      403, "foreign_origin", "the request comes from a page of \(origin)",
      de: "die Anfrage kommt von einer Seite von \(origin)")
  }

  /// A change without the token of its session.
  static let forged = Problem(
    403, "csrf_token", "the page is older than the sign-in: load it again",
    de: "die Seite ist älter als die Anmeldung: neu laden")

  /// An object that does not exist, or that the caller may not see.
  static func notFound(_ kind: LocalizedText, _ name: String) -> Problem {
    Problem(
      404, "not_found",
      kind
        + LocalizedText(
          " '\(name)' does not exist, or you may not see it", de: " '\(name)' gibt es nicht, oder es ist nicht sichtbar"
        ))
  }

  /// A member of the request that its schema refuses.
  ///
  /// - Parameter errors: `{pointer, detail}` each.
  static func invalid(_ detail: LocalizedText, errors: [Value]) -> Problem {
    var problem = Problem(422, UseCaseError.Code.invalidInput.rawValue, detail)
    problem.members = ["errors": .list(errors)]
    return problem
  }

  /// The problem of any error.
  init(_ error: any Error, in language: Language) {
    switch error {
    case let problem as Problem: self = problem
    case let error as UseCaseError: self.init(error, in: language)
    case let error as AccessError: self.init(error)
    case is CancellationError:
      self.init(
        503, "interrupted", "the server is stopping; send the request again",
        de: "der Server hält gerade an; die Anfrage noch einmal senden")
      fields = [HTTPField(name: .retryAfter, value: "5")]
    default: self.init(UseCaseError(error), in: language)
    }
  }

  private init(_ error: UseCaseError, in language: Language) {
    // The command line has one code for all of a note's.
    let code = (error.cause as? NoteError)?.code.rawValue ?? error.code.rawValue
    self.init(Self.status(of: error), code, error.message)
    if let planning = error.planning {
      let providers = planning.providerProblems.map { $0.value(recipe: error.recipe ?? "", in: language) }
      members = ["diagnostics": .list(planning.diagnostics.map { $0.value(in: language) } + providers)]
    }
    if !error.faults.isEmpty { members["errors"] = .list(error.faults.map { $0.json(in: language) }) }
    if status == 503 { fields = [HTTPField(name: .retryAfter, value: "10")] }
  }

  private init(_ error: AccessError) {
    let status: Int =
      switch error.code {
      case .signInRefused, .expired, .unknownSession, .unknownToken: 401
      case .lockedOut: 429
      case .unknownUser, .unknownRole, .unknownCode: 404
      case .notAllowed: 403
      case .userExists, .roleExists, .roleInUse, .lastAdministrator: 409
      case .failed, .foreignFile, .damagedFile: 503
      default: 422
      }
    self.init(status, error.code.rawValue, error.message)
    if let seconds = error.retryAfter {
      fields = [HTTPField(name: .retryAfter, value: "\(Int(seconds.rounded(.up)))")]
      members = ["retry_after": .double(seconds)]
    }
  }

  /// The status for an error of a use case.
  private static func status(of error: UseCaseError) -> Int {
    switch error.cause {
    case let error as RunStoreError:
      switch error.code {
      case .runNotFound, .stepNotFound, .outputNotFound, .waitNotFound, .doubtNotFound, .missing: return 404
      case .ambiguousRun, .waitAmbiguous, .copied: return 409
      case .diskFull, .noRoomForCopy: return 507
      default: return 503
      }
    case let error as NoteError:
      switch error.code {
      case .notFound: return 404
      case .ambiguous: return 409
      case .invalid: return 422
      default: return 503
      }
    case let error as CatalogError:
      switch error.code {
      case .notFound: return 404
      case .exists, .referenced: return 409
      case .changed: return 412
      case .invalid, .broken: return 422
      default: return 503
      }
    case let error as SecretError:
      switch error.code {
      case .missing: return 404
      case .nameInvalid, .valueInvalid, .entry: return 422
      default: return 503
      }
    default:
      // A recipe or a provider's settings must be changed before the request can succeed.
      if error.planning != nil { return 422 }
      switch error.code {
      case .runState: return 409
      case .wrongInput, .invalidInput, .invalidRecipe, .planUnavailable, .destinationInUse, .unsuitableProvider,
        .ambiguousProvider:
        return 422
      case .notFound, .unknownProvider, .unknownVersion: return 404
      default: return 503
      }
    }
  }
}

extension InputFault {
  /// The fault as an entry of `errors` in a problem.
  func json(in language: Language) -> Value {
    ["pointer": .string(pointer), "detail": .string(message.string(in: language))]
  }
}
