import Access
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import RunStore
import Schedules
import Upkeep
import UseCases

/// Operations on reminders.
enum ReminderRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, create, show, snooze, acknowledge, delete, calendar]

  private static let list = Route(
    .get, "/reminders", "listReminders", "List reminders: those that are due first, then by their time.",
    de: "Erinnerungen auflisten: fällige zuerst, dann nach ihrer Zeit.", .may(.read, .reminders),
    parameters: [
      .query("all", S.flag, "Also those that were delivered or are done.", de: "Auch zugestellte und erledigte.")
    ], answers: [.json(S.page(S.named("Reminder")))]
  ) { request in
    try request.require(.read, .reminders)
    let found = try await request.services.session.project.reminders(
      includesPast: request.query["all"]?.boolValue ?? false)
    return .page(found.map(\.json))
  }

  private static let show = Route(
    .get, "/reminders/{reminder}", "showReminder", "Show a reminder.", de: "Eine Erinnerung zeigen.",
    .may(.read, .reminders), answers: [.json(S.named("Reminder"))]
  ) { request in .json(try await reminder(.read, request).json) }

  /// The reminder that the path names, if the caller may do something with it.
  private static func reminder(_ verb: AccessVerb, _ request: APIRequest) async throws -> ReminderEntry {
    try request.require(verb, .reminders)
    let id = request.name("reminder")
    let found = try await request.services.session.project.reminders(includesPast: true)
    guard let entry = found.first(where: { $0.id == id }) else {
      throw Problem.notFound(LocalizedText("reminder", de: "Erinnerung"), id)
    }
    return entry
  }

  private static let create = Route(
    .post, "/reminders", "createReminder", "Keep a reminder; the words for its time are found in the text.",
    de: "Eine Erinnerung anlegen; die Wörter für ihre Zeit werden im Text gefunden.", .may(.create, .reminders),
    body: .json(
      S.input(
        [
          ("text", ["type": "string", "minLength": 1, "maxLength": 4000]), ("at", S.words), ("every", S.words),
          ("rule", S.words), ("timezone", S.name), ("deliver", S.list(S.text(upTo: 2000), upTo: 20)),
          ("leads", S.list(S.words, upTo: 50)), ("repeat", S.words),
          ("limit", ["type": "integer", "minimum": 1, "maximum": 1000]), ("note", S.text(upTo: 10_000)),
          ("meaning", S.count), ("confirmed", S.flag),
        ], required: ["text"])), answers: [.json(S.named("KeptReminder"), status: 201)], repetition: .found
  ) { request in
    try request.require(.create, .reminders)
    let now = Date()
    let order = try order(request)
    let readings = try order.wish.readings(now: now)
    let reading = readings[try meaning(request, readings.map(\.understood))]
    let draft = try order.completing(reading.draft, now: now)
    if let doubt = draft.doubt, !request.isSet("confirmed") {
      throw Problem.ambiguous(
        LocalizedText(
          "'\(doubt)' may be part of the time: send 'confirmed' if it is not, or give the time in 'at'",
          de: "'\(doubt)' gehört vielleicht zur Zeit: 'confirmed' senden, wenn nicht, oder die Zeit in 'at' angeben"),
        [reading.understood], in: request.language)
    }
    let kept = try await request.services.session.remind(draft, now: now, as: request.run)
    return .created(
      kept.json(draft, reading.understood, now: now, in: request.language),
      at: "/reminders/\(RecipeRoutes.escaped(kept.id))")
  }

  private static func order(_ request: APIRequest) throws -> ReminderOrder {
    var wish = ReminderWish(request.text("text") ?? "")
    if let name = request.text("timezone") {
      guard let zone = Zone(name) else {
        throw Problem.wrongInput(
          LocalizedText(
            "unknown time zone '\(name)'; names look like Europe/Zurich",
            de: "unbekannte Zeitzone '\(name)'; Namen sehen aus wie Europe/Zurich"))
      }
      wish.zone = zone
    }
    (wish.at, wish.every, wish.rule) = (request.text("at"), request.text("every"), request.text("rule"))
    guard wish.every == nil || wish.rule == nil else {
      throw Problem.wrongInput(LocalizedText("either 'every' or 'rule'", de: "entweder 'every' oder 'rule'"))
    }
    var order = ReminderOrder(wish)
    order.ways = request.list("deliver") ?? []
    order.leads = request.list("leads") ?? []
    order.repetition = request.text("repeat")
    order.limit = request.integer("limit")
    order.note = request.text("note") ?? ""
    guard order.limit == nil || order.repetition != nil else {
      throw Problem.wrongInput(LocalizedText("'limit' needs 'repeat'", de: "'limit' geht nur mit 'repeat'"))
    }
    // A map can run a program, which only callers may bring who write recipes.
    if order.ways.contains(where: { $0.hasPrefix("{") }) { try request.require(.create, .recipes) }
    return order
  }

  /// Which of several meanings the caller has chosen in `meaning`, from 0.
  private static func meaning(_ request: APIRequest, _ meanings: [LocalizedText]) throws -> Int {
    guard let chosen = request.integer("meaning") ?? (meanings.count == 1 ? 0 : nil) else {
      throw Problem.ambiguous(
        LocalizedText(
          "this has several meanings: send the position of one in 'meanings' as 'meaning', from 0",
          de: "das hat mehrere Bedeutungen: die Stelle einer in 'meanings' als 'meaning' senden, ab 0"),
        meanings, in: request.language)
    }
    guard meanings.indices.contains(chosen) else {
      throw Problem.wrongInput(
        LocalizedText("'meaning' is 0 to \(meanings.count - 1)", de: "'meaning' ist 0 bis \(meanings.count - 1)"))
    }
    return chosen
  }

  private static let snooze = Route(
    .post, "/reminders/{reminder}/snooze", "snoozeReminder", "Put a reminder off.", de: "Eine Erinnerung verschieben.",
    .may(.update, .reminders), body: .json(S.input([("until", S.words), ("meaning", S.count)], required: ["until"])),
    answers: [.json(S.named("ReminderChange"))]
  ) { request in
    let reminder = try await reminder(.update, request)
    let moments = try ReminderWish.moments(request.text("until") ?? "", now: Date())
    let moment = moments[try meaning(request, moments.map(\.understood))]
    let until = Timestamp(seconds: Int64(moment.date.timeIntervalSince1970.rounded()))
    return .json(try await request.services.session.snooze(reminder.id, until: until).json)
  }

  private static let acknowledge = Route(
    .post, "/reminders/{reminder}/done", "acknowledgeReminder", "Acknowledge a reminder: it is delivered no more.",
    de: "Eine Erinnerung quittieren: Sie kommt nicht mehr.", .may(.update, .reminders),
    answers: [.json(S.named("ReminderChange"))], repetition: .harmless
  ) { request in
    let reminder = try await reminder(.update, request)
    return .json(try await request.services.session.acknowledge(reminder.id, by: request.person).json)
  }

  private static let delete = Route(
    .delete, "/reminders/{reminder}", "deleteReminder", "Delete a reminder; of one that repeats, its recipe.",
    de: "Eine Erinnerung löschen; bei einer, die sich wiederholt, ihr Rezept.", .may(.delete, .reminders),
    answers: [.empty]
  ) { request in
    let reminder = try await reminder(.delete, request)
    guard reminder.path != nil || ![.delivered, .done].contains(reminder.state) else {
      throw Problem(
        409, UseCaseError.Code.runState.rawValue, "nothing more comes of '\(reminder.title)'",
        de: "von '\(reminder.title)' kommt nichts mehr")
    }
    _ = try await request.services.session.deleteReminder(reminder.id, by: request.person)
    return .empty
  }

  private static let calendar = Route(
    .get, "/calendar", "exportCalendar", "The reminders as an .ics file: tasks with alarms.",
    de: "Die Erinnerungen als .ics-Datei: Aufgaben mit Alarmen.", .may(.read, .reminders),
    answers: [.text("text/calendar")]
  ) { request in
    try request.require(.read, .reminders)
    let text = try await request.services.session.exportReminders().text
    return APIAnswer(content: .bytes(Array(text.utf8), type: "text/calendar; charset=utf-8"))
  }
}
