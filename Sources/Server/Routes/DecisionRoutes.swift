import Access
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// Operations on the questions of runs and on the events that runs wait for.
enum DecisionRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, answer, events, deliver]

  private static let list = Route(
    .get, "/decisions", "listDecisions", "The questions that runs ask, oldest first, with their forms.",
    de: "Die Fragen von Läufen, älteste zuerst, mit ihren Formularen.", .may(.read, .decisions),
    answers: [.json(S.page(S.named("Wait")))]
  ) { request in
    var found: [Value] = []
    for wait in try await Decisions.open(in: request.services.store) {
      let run = try await request.services.store.summary(of: wait.wait.run)
      if request.may(.read, .decisions, run) { found.append(wait.json) }
    }
    return .page(found)
  }

  private static let answer = Route(
    .post, "/runs/{run}/decision", "answerDecision", "Approve or reject what a run asks.",
    de: "Zustimmen oder ablehnen, was ein Lauf fragt.", .may(.update, .decisions),
    body: .json(
      S.input(
        [
          ("approved", S.flag), ("fields", S.map), ("reason", ["type": "string", "maxLength": 10_000]),
          ("step", S.text),
          ("item", S.count),
        ], required: ["approved"])),
    answers: [
      .json(S.object([("run", S.text), ("step", S.text), ("item", S.orNull(S.integer)), ("approved", S.flag)]))
    ]
  ) { request in
    let run = try await request.run(.read)
    try request.require(.update, .decisions, path: run.path, owner: run.startedBy, named: run.id.rawValue)
    let decisions = Decisions(request.services.store)
    let choice = Decisions.Choice(run.id.rawValue, step: request.text("step"), item: request.integer("item"))
    let isApproved = request.isSet("approved")
    let wait: OpenWait
    if isApproved {
      wait = try await decisions.approve(
        choice, values: request.body["fields"]?.mapValue ?? [:], by: request.person
      ).wait
    } else {
      wait = try await decisions.reject(choice, reason: request.text("reason") ?? "", by: request.person).wait
    }
    return .json(
      .object([
        ("run", .string(run.id.rawValue)), ("step", .string(wait.step)), ("item", .number(wait.wait.item)),
        ("approved", .bool(isApproved)),
      ]))
  }

  private static let events = Route(
    .get, "/events", "listEventWaits", "The events that runs wait for.", de: "Die Ereignisse, auf die Läufe warten.",
    .may(.read, .decisions), answers: [.json(S.page(S.named("Wait")))]
  ) { request in
    try request.require(.read, .decisions)
    return .page(try await request.services.store.eventWaits().map(\.json))
  }

  private static let deliver = Route(
    .post, "/events", "deliverEvent", "Deliver an event to the run that waits for it.",
    de: "Ein Ereignis an den Lauf liefern, der darauf wartet.", .may(.update, .decisions),
    body: .json(
      S.input(
        [("event", S.name), ("key", ["type": "string", "maxLength": 1000]), ("payload", S.anything)],
        required: ["event"])),
    answers: [.json(S.object([("outcome", S.words(["taken", "kept", "dropped"])), ("run", S.orNull(S.text))]))]
  ) { request in
    try request.require(.update, .decisions)
    let delivery = try await Events(request.services.store).deliver(
      request.text("event") ?? "", key: request.text("key") ?? "", payload: request.body["payload"] ?? .null)
    switch delivery {
    case .taken(let run): return .json(["outcome": "taken", "run": .string(run.rawValue)])
    case .kept: return .json(["outcome": "kept", "run": .null])
    case .dropped: return .json(["outcome": "dropped", "run": .null])
    }
  }
}
