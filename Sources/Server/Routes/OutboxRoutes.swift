import Access
import Engine
import Expressions
import Localization
import Outbox
import RecipeModel
import RunStore
import Schedules
import Schemas
import UseCases

/// Operations on the messages that wait, were sent or have failed.
enum OutboxRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, send, show, edit, reschedule, sendNow, cancel, retry]

  private static let states = OutboxItem.State.allCases.map(\.rawValue)

  private static let list = Route(
    .get, "/outbox", "listMessages", "List messages that wait, were sent or have failed, newest first.",
    de: "Nachrichten auflisten, die warten, gesendet oder fehlgeschlagen sind, neueste zuerst.", .may(.read, .outbox),
    parameters: [
      .query(
        "state", S.words(states), "Only messages in this state; may be repeated.",
        de: "Nur Nachrichten in diesem Zustand; mehrfach möglich.", isList: true), .limit,
    ], answers: [.json(S.page(S.named("Message")))]
  ) { request in
    try request.require(.read, .outbox)
    var filter = OutboxFilter()
    filter.states = Set(request.texts("state").compactMap(OutboxItem.State.init(rawValue:)))
    filter.limit = request.limit
    return .page(try await request.services.session.outbox(filter).map { $0.json(isWhole: false) })
  }

  private static let show = Route(
    .get, "/outbox/{message}", "showMessage", "Show a message with its text.",
    de: "Eine Nachricht mit ihrem Text zeigen.",
    .may(.read, .outbox), answers: [.json(S.named("MessageDetail"))]
  ) { request in .json(try await message(.read, request).json(isWhole: true)) }

  /// The message that the path names, if the caller may do something with it.
  private static func message(_ verb: AccessVerb, _ request: APIRequest) async throws -> OutboxItem {
    try request.require(verb, .outbox)
    let id = request.name("message")
    do throws(UseCaseError) {
      return try await request.services.session.outboxItem(id)
    } catch {
      // The run of something else is not a message.
      let isUnknown = (error.cause as? RunStoreError)?.code == .runNotFound
      guard error.code == .runState || isUnknown else { throw error }
      throw Problem.notFound(LocalizedText("message", de: "Nachricht"), id)
    }
  }

  // MARK: - Writing

  private static let addresses = S.list(S.text(upTo: 1000), upTo: 1000)
  private static let attachments = S.list(
    S.input([("blob", S.blob), ("name", S.name), ("type", S.name)], required: ["blob"]), upTo: 100)
  private static let lists: [(String, Value)] = [("to", addresses), ("cc", addresses), ("bcc", addresses)]
  private static let texts: [(String, Value)] = [
    ("from", S.text(upTo: 1000)), ("reply_to", S.text(upTo: 1000)), ("subject", S.text(upTo: 10_000)),
    ("text", S.text), ("html", S.text),
  ]

  private static let send = Route(
    .post, "/outbox", "sendMessage", "Send a message, now or later.", de: "Eine Nachricht senden, jetzt oder später.",
    .may(.create, .outbox),
    body: .json(
      S.input(
        lists + texts + [
          ("attachments", attachments), ("providers", S.list(S.name, upTo: 20)), ("send_at", S.words),
          ("undo_for", S.words),
        ], required: ["to", "text"])), answers: [.json(S.named("MessageDetail"), status: 201)], repetition: .found
  ) { request in
    try request.require(.create, .outbox)
    let (session, id) = (request.services.session, request.run)
    if try await !request.services.store.hasRun(id) {
      var message = try fields(request)
      if message["subject"] == nil { message["subject"] = "" }
      var order = MailOrder(.map(message), providers: request.list("providers") ?? [], at: try moment(request))
      order.undoFor = try request.text("undo_for").map(duration)
      order.id = id
      _ = try await session.queue([try session.project.check(order)])
    }
    return .created(try await session.outboxItem(id.rawValue).json(isWhole: true), at: "/outbox/\(id)")
  }

  private static let edit = Route(
    .patch, "/outbox/{message}", "editMessage", "Change a message that waits; missing fields stay, null removes one.",
    de: "Eine wartende Nachricht ändern; was fehlt, bleibt, null entfernt ein Feld.", .may(.update, .outbox),
    body: .json(
      S.input(
        [("to", addresses)] + (lists.dropFirst() + texts).map { ($0.0, S.orNull($0.1)) } + [
          ("attachments", S.orNull(attachments)), ("providers", S.list(S.name, upTo: 20)),
        ])), answers: [.json(S.named("MessageDetail"))]
  ) { request in
    let message = try await message(.update, request)
    var change = MailChange()
    for entry in try fields(request).entries { change.fields[entry.key.text] = entry.value }
    change.providers = request.list("providers")
    return .json(try await request.services.session.edit(message.run.rawValue, change).json(isWhole: true))
  }

  private static let reschedule = Route(
    .post, "/outbox/{message}/reschedule", "rescheduleMessage", "Send a message at another time.",
    de: "Eine Nachricht zu einer anderen Zeit senden.", .may(.update, .outbox),
    body: .json(S.input([("send_at", S.words)], required: ["send_at"])), answers: [.json(S.named("MessageDetail"))]
  ) { request in
    let message = try await message(.update, request)
    guard let moment = try moment(request) else {
      throw Problem.wrongInput(LocalizedText("'send_at' is missing", de: "'send_at' fehlt"))
    }
    return .json(try await request.services.session.reschedule(message.run.rawValue, to: moment).json(isWhole: true))
  }

  private static let sendNow = Route(
    .post, "/outbox/{message}/send-now", "sendMessageNow", "Let a message go out now, also a late one.",
    de: "Eine Nachricht jetzt hinauslassen, auch eine verspätete.", .may(.update, .outbox),
    answers: [.json(S.named("MessageDetail"))], repetition: .harmless
  ) { request in
    let message = try await message(.update, request)
    return .json(try await request.services.session.sendNow(message.run.rawValue).json(isWhole: true))
  }

  private static let cancel = Route(
    .post, "/outbox/{message}/cancel", "cancelMessage", "Cancel a message: it is never sent, or it is too late.",
    de: "Eine Nachricht abbrechen: Sie wird nie gesendet, oder es ist zu spät.", .may(.delete, .outbox),
    answers: [.json(S.named("MessageDetail"))], repetition: .harmless
  ) { request in
    let message = try await message(.delete, request)
    return .json(try await request.services.session.cancelMail(message.run.rawValue).json(isWhole: true))
  }

  private static let retry = Route(
    .post, "/outbox/{message}/retry", "retryMessage", "Try a message again that has failed.",
    de: "Eine fehlgeschlagene Nachricht noch einmal versuchen.", .may(.update, .outbox),
    answers: [.json(S.named("MessageDetail"), status: 201)], repetition: .found
  ) { request in
    let message = try await message(.update, request)
    let (session, store, id) = (request.services.session, request.services.store, request.run)
    if try await !store.hasRun(id) {
      try await request.services.tasks.start(id, in: store) {
        _ = try await session.retryMail(message.run.rawValue, as: id)
      }
    }
    return .created(try await session.outboxItem(id.rawValue).json(isWhole: true), at: "/outbox/\(id)")
  }

  /// The fields of `mail.send` in the body; those that are null stay null.
  private static func fields(_ request: APIRequest) throws -> ValueMap {
    var fields = ValueMap()
    for (name, _) in lists + texts {
      if let value = request.body[name] { fields[name] = value }
    }
    guard let files = request.body["attachments"] else { return fields }
    fields["attachments"] =
      files.isNull
      ? .null
      : .list(
        try (files.listValue ?? []).map { file in
          var attachment: ValueMap = [
            "blob": .string(try request.blob(file["blob"]?.stringValue ?? "")),
            "name": file["name"] ?? "attachment",
          ]
          if let type = file["type"] { attachment["type"] = type }
          return .map(attachment)
        })
    return fields
  }

  /// The time in `send_at`; `nil` for at once.
  private static func moment(_ request: APIRequest) throws -> SendMoment? {
    guard let text = request.text("send_at") else { return nil }
    do throws(ScheduleError) {
      return try SendMoment(text, now: SystemTime().now)
    } catch {
      throw Problem.wrongInput(error.text)
    }
  }

  private static func duration(_ text: String) throws -> Double {
    if let seconds = DurationText.seconds(text) ?? Double(text), seconds >= 0 { return seconds }
    throw Problem.wrongInput(
      LocalizedText(
        "'undo_for' is a duration such as 30s or 10m, not '\(text)'",
        de: "'undo_for' ist eine Dauer wie 30s oder 10m, nicht '\(text)'"))
  }
}
