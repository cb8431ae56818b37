import Access
import Engine
import Expressions
import Localization
import RecordJSON
import RunStore
import UseCases

/// Operations on the server itself: its description, its status, the caller, notifications and files.
enum ServerRoutes {
  private typealias S = APISchema

  static let all: [Route] = [
    description, me, status, listNotifications, showNotification, changeNotifications, deleteNotification, upload,
    download,
  ]

  private static let description = Route(
    .get, "/openapi.json", "showDescription", "This description of the API (OpenAPI 3.1).",
    de: "Diese Beschreibung der API (OpenAPI 3.1).", .everyone, answers: [.json(S.map)]
  ) { request in
    .json(APIDocument.document(version: request.services.version, origin: request.origin, in: request.language))
  }

  private static let me = Route(
    .get, "/me", "showMe", "The caller, and what it may do.", de: "Der Aufrufer, und was er darf.", .signedIn,
    answers: [
      .json(
        S.object([
          ("user", S.text), ("name", S.orNull(S.text)), ("groups", S.list(S.text)), ("roles", S.list(S.text)),
          ("rights", S.map),
        ]))
    ]
  ) { request in
    guard let actor = request.actor else { throw Problem.unauthorised }
    var rights = ValueMap()
    for object in AccessObject.allCases {
      var scopes = ValueMap()
      for verb in AccessVerb.allCases { scopes[verb.rawValue] = .string(actor.scope(verb, object).rawValue) }
      rights[object.rawValue] = .map(scopes)
    }
    return .json([
      "user": .string(actor.user), "name": actor.fullName.isEmpty ? .null : .string(actor.fullName),
      "groups": .list(actor.groups.sorted().map { .string($0) }), "roles": .list(actor.roles.map { .string($0.name) }),
      "rights": .map(rights),
    ])
  }

  private static let status = Route(
    .get, "/status", "showStatus", "The served recipes, schedules and triggers, and whether anything is in trouble.",
    de: "Was der Server ausführt, und ob etwas nicht stimmt.", .may(.read, .schedules),
    answers: [.json(S.named("Status"))]
  ) { request in
    var status = try await request.services.workspace.servingStatus()
    status.runs.removeAll { !request.may(.read, .runs, $0) }
    return .json(status.json(at: SystemTime().now, in: request.language))
  }

  // MARK: - Notifications

  private static let listNotifications = Route(
    .get, "/notifications", "listNotifications", "List notifications, newest first.",
    de: "Benachrichtigungen auflisten, neueste zuerst.", .may(.read, .notifications),
    parameters: [
      .query("unread", S.flag, "Only those that are not read.", de: "Nur ungelesene."), .limit,
    ], answers: [.json(S.page(S.named("Notification")))]
  ) { request in
    let found = try await request.services.workspace.notifications(
      isUnread: request.query["unread"]?.boolValue ?? false, limit: request.limit)
    return .page(found.map { $0.json(in: request.language) })
  }

  private static let showNotification = Route(
    .get, "/notifications/{number}", "showNotification", "Show a notification.", de: "Eine Benachrichtigung zeigen.",
    .may(.read, .notifications), parameters: [number], answers: [.json(S.named("Notification"))]
  ) { request in
    let number = Int(request.name("number")) ?? 0
    let found = try await request.services.workspace.notifications(isUnread: false, limit: 100_000)
    guard let notification = found.first(where: { $0.number == number }) else {
      throw Problem.notFound(LocalizedText("notification", de: "Benachrichtigung"), request.name("number"))
    }
    return .json(notification.json(in: request.language))
  }

  private static let changeNotifications = Route(
    .patch, "/notifications", "markNotifications", "Mark notifications as read or unread.",
    de: "Benachrichtigungen als gelesen oder ungelesen markieren.", .may(.update, .notifications),
    body: .json(
      S.input(
        [("numbers", ["type": "array", "items": S.count, "maxItems": 1000]), ("read", S.flag)], required: ["read"])),
    answers: [.json(S.object([("changed", S.count)]))]
  ) { request in
    let numbers = request.body["numbers"]?.listValue?.compactMap { $0.intValue.map { Int(clamping: $0) } }
    let changed = try await request.services.workspace.markNotifications(numbers, isRead: request.isSet("read"))
    return .json(["changed": .int(Int64(changed))])
  }

  private static let deleteNotification = Route(
    .delete, "/notifications/{number}", "deleteNotification", "Delete a notification.",
    de: "Eine Benachrichtigung löschen.", .may(.delete, .notifications), parameters: [number], answers: [.empty]
  ) { request in
    let number = Int(request.name("number")) ?? 0
    guard try await request.services.workspace.clearNotifications([number], isAll: false) > 0 else {
      throw Problem.notFound(LocalizedText("notification", de: "Benachrichtigung"), request.name("number"))
    }
    return .empty
  }

  private static let number = RouteParameter(
    name: "number", place: .path, schema: ["type": "string", "pattern": "^[0-9]{1,9}$"],
    summary: LocalizedText("The number of the notification.", de: "Die Nummer der Benachrichtigung."))

  // MARK: - Files

  private static let upload = Route(
    .post, "/files", "uploadFile", "Keep a file; its id can be an input of a run.",
    de: "Eine Datei aufnehmen; ihre Kennung kann Eingabe eines Laufs sein.", .may(.create, .files), body: .file,
    answers: [.json(S.named("File"), status: 201)], repetition: .harmless
  ) { request in
    guard let file = request.file else {
      throw Problem(400, "body_missing", "the file has no contents", de: "die Datei hat keinen Inhalt")
    }
    return .created(
      ["blob": .string(file.blob), "size": .int(Int64(file.size)), "type": .string(file.type)],
      at: "/files/\(file.blob)")
  }

  private static let download = Route(
    .get, "/files/{blob}", "downloadFile", "The contents of a kept file; a Range gives a part.",
    de: "Der Inhalt einer aufgenommenen Datei; Range gibt einen Teil.", .may(.read, .files),
    parameters: [
      RouteParameter(
        name: "blob", place: .path, schema: ["type": "string", "pattern": "^[0-9a-f]{64}$"],
        summary: LocalizedText("The id of the file.", de: "Die Kennung der Datei."))
    ], answers: [.file]
  ) { request in try FileDownload(request).answer() }
}
