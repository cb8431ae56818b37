import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import RecordJSON
import RunStore
import UseCases

/// Operations on runs.
enum RunRoutes {
  private typealias S = APISchema

  static let all: [Route] = [
    list, show, output, logs, events, cancel, resume, retry, replay, doubts, settle, difference,
  ]

  private static let list = Route(
    .get, "/runs", "listRuns", "List runs, newest first.", de: "Läufe auflisten, neueste zuerst.", .may(.read, .runs),
    parameters: [
      .query(
        "status", S.words(RunSchemas.statuses), "Only runs in this status; may be repeated.",
        de: "Nur Läufe in diesem Zustand; mehrfach möglich.", isList: true),
      .query("recipe", S.text, "Only runs of the recipe of this name.", de: "Nur Läufe des Rezepts dieses Namens."),
      .query("since", S.time, "Only runs that began then or later.", de: "Nur Läufe, die dann oder später begannen."),
      .query("until", S.time, "Only runs that began before.", de: "Nur Läufe, die davor begannen."),
      .query(
        "search", ["type": "string", "maxLength": 500],
        "Only runs in whose inputs, outputs, failures or log these words occur.",
        de: "Nur Läufe, in deren Eingaben, Ausgaben, Fehlern oder Protokoll diese Wörter vorkommen."),
      .query(
        "started_by", S.text, "Only runs that this user has started.",
        de: "Nur Läufe, die dieser Benutzer gestartet hat."),
      .limit, .cursor,
    ], answers: [.json(S.page(S.named("Run")))]
  ) { request in
    var filter = RunFilter(limit: request.limit)
    for word in request.query["status"]?.listValue ?? [] {
      if let status = word.stringValue.flatMap(RunStatus.init(rawValue:)) { filter.statuses.insert(status) }
    }
    filter.recipe = request.query["recipe"]?.stringValue
    filter.since = request.query["since"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    filter.until = request.query["until"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    filter.startedBy = try request.visibleOwners()
    if let user = request.query["started_by"]?.stringValue {
      filter.startedBy = filter.startedBy.map { $0.intersection([user]) } ?? [user]
    }
    let store = request.services.store
    if let text = request.query["search"]?.stringValue, let words = SearchWords(text) {
      filter.words = words
      if let unindexed = try await request.services.workspace.unindexed(words) {
        try await store.searchWithoutIndex(unindexed)
      }
    }
    guard let page = try await store.page(of: filter, after: request.query["cursor"]?.stringValue) else {
      throw Problem(
        422, "invalid_cursor", "'cursor' is not the 'next' of a page", de: "'cursor' ist nicht das 'next' einer Seite")
    }
    return .page(page.runs.filter { request.may(.read, .runs, $0) }.map(\.json), next: page.next)
  }

  private static let show = Route(
    .get, "/runs/{run}", "showRun", "Show a run with its steps and attempts.",
    de: "Einen Lauf mit Schritten und Versuchen zeigen.", .may(.read, .runs), answers: [.json(S.named("RunDetail"))]
  ) { request in
    let run = try await request.run(.read)
    return .json(try await request.services.store.run(run.id.rawValue, limit: 1000).json)
  }

  private static let output = Route(
    .get, "/runs/{run}/steps/{step}/output", "showOutput", "The output of a step.", de: "Die Ausgabe eines Schritts.",
    .may(.read, .runs),
    parameters: [.query("item", S.count, "The item of a loop, from 0.", de: "Der Durchgang einer Schleife, ab 0.")],
    answers: [.json(S.object([("output", S.anything)]))]
  ) { request in
    let run = try await request.run(.read)
    let output = try await request.services.store.output(
      of: run.id, step: request.name("step"), item: request.query["item"]?.intValue.map { Int(clamping: $0) })
    return .json(["output": output])
  }

  /// The most lines of the end of a log.
  private static let mostLast = 2000

  private static let logs = Route(
    .get, "/runs/{run}/logs", "listLogs", "The lines of a run's log, oldest first.",
    de: "Die Zeilen des Protokolls eines Laufs, älteste zuerst.", .may(.read, .runs),
    parameters: [
      .query("step", S.text, "Only lines of this step.", de: "Nur Zeilen dieses Schritts."),
      .query(
        "level", S.words(LogLevel.allCases.map(\.rawValue)), "Only lines at least this important.",
        de: "Nur Zeilen, die mindestens so wichtig sind."),
      .query("after", S.count, "Only lines after that of this id.", de: "Nur Zeilen nach der mit dieser Kennung."),
      .query(
        "last", ["type": "integer", "minimum": 1, "maximum": .int(Int64(mostLast))],
        "The end of the log: its last lines, at most so many, instead of a page.",
        de: "Das Ende des Protokolls: seine letzten Zeilen, höchstens so viele, statt einer Seite."),
      .limit,
    ], answers: [.json(S.page(S.named("LogLine")))]
  ) { request in
    let run = try await request.run(.read)
    var filter = LogFilter(run: run.id, step: request.query["step"]?.stringValue)
    filter.includesParts = true
    if let level = request.query["level"]?.stringValue.flatMap(LogLevel.init(rawValue:)) { filter.minimumLevel = level }
    let (store, after) = (request.services.store, request.query["after"]?.intValue ?? 0)
    if let last = request.query["last"]?.intValue.map({ min(max(1, Int(clamping: $0)), mostLast) }) {
      let first = try await store.lastLines(last, of: filter)
      return .page(try await store.logs(filter, after: max(first, after), limit: last).map(\.json))
    }
    let lines = try await store.logs(filter, after: after, limit: request.limit)
    return .page(lines.map(\.json), next: lines.count < request.limit ? nil : lines.last.map { "\($0.id)" })
  }

  private static let events = Route(
    .get, "/runs/{run}/events", "followRun",
    "Follow a run: what has happened since Last-Event-ID, then what happens, to its end.",
    de: "Einem Lauf folgen: was seit Last-Event-ID geschah, dann was geschieht, bis zu seinem Ende.",
    .may(.read, .runs),
    answers: [.events(S.named("RunEvent"))]
  ) { request in
    try follow(try await request.run(.read), .read, request)
  }

  /// An answer that follows a run, from the position that the client names, as long as the caller has the right to the run that
  /// its request needed.
  static func follow(_ run: RunSummary, _ verb: AccessVerb, _ request: APIRequest) throws -> APIAnswer {
    var cursor = RunCursor()
    if let text = request.fields[.lastEventID], !text.isEmpty {
      guard let known = RunCursor(text) else {
        throw Problem(
          422, "invalid_event_id", "'Last-Event-ID' is not the id of an event of a run",
          de: "'Last-Event-ID' ist nicht die Kennung eines Ereignisses eines Laufs")
      }
      cursor = known
    }
    return request.answer(try request.services.events.follow(run.id, after: cursor)) { request in
      try request.require(verb, .runs, path: run.path, owner: run.startedBy, named: run.id.rawValue)
    }
  }

  private static let cancel = Route(
    .post, "/runs/{run}/cancel", "cancelRun", "Cancel a run; its effects are undone if the recipe says how.",
    de: "Einen Lauf abbrechen; was er getan hat, wird zurückgenommen, wenn sein Rezept sagt, wie.",
    .may(.update, .runs),
    body: .json(S.input([("force", S.flag)]), isRequired: false), answers: [.json(S.named("Run"), status: 202)],
    repetition: .harmless
  ) { request in
    let run = try await request.run(.update)
    guard !run.status.isFinal else {
      throw Problem(
        409, "run_state", "run \(run.id) has ended (\(run.status.words.english))",
        de: "Lauf \(run.id) ist zu Ende (\(run.status.words.german))")
    }
    let (session, isForced) = (request.services.session, request.isSet("force"))
    // A run that no process works on is cancelled here, with what its recipe undoes: that may take long.
    try await request.services.tasks.within(seconds: 2) {
      _ = try await session.cancel(run.id.rawValue, isForced: isForced)
    }
    return .json(try await request.services.store.summary(of: run.id).json, status: 202)
  }

  private static let resume = Route(
    .post, "/runs/{run}/resume", "resumeRun", "Resume a run that was interrupted.",
    de: "Einen unterbrochenen Lauf fortsetzen.", .may(.update, .runs), answers: [.json(S.named("Run"), status: 202)],
    repetition: .harmless
  ) { request in
    let run = try await request.run(.update)
    let session = request.services.session
    try await request.services.tasks.within(seconds: 1) { _ = try await session.resume(run.id.rawValue) }
    return .json(try await request.services.store.summary(of: run.id).json, status: 202)
  }

  private static let retry = Route(
    .post, "/runs/{run}/retry", "retryRun", "Run a recipe again with the results of an earlier run.",
    de: "Ein Rezept mit den Ergebnissen eines früheren Laufs noch einmal laufen lassen.", .may(.update, .runs),
    body: .json(S.input([("from", S.text), ("force", S.flag)]), isRequired: false),
    answers: [.json(S.named("Run"), status: 201)], repetition: .found
  ) { request in
    let run = try await request.run(.update)
    return try await start(request) { session, id in
      _ = try await session.retry(
        run.id.rawValue, from: request.text("from"), isForced: request.isSet("force"), as: id)
    }
  }

  private static let replay = Route(
    .post, "/runs/{run}/replay", "replayRun", "Run a recipe again with recorded results, without any effect.",
    de: "Ein Rezept mit aufgezeichneten Ergebnissen noch einmal laufen lassen, ohne jede Wirkung.",
    .may(.create, .runs),
    answers: [.json(S.named("Run"), status: 201)], repetition: .found
  ) { request in
    let run = try await request.run(.read)
    return try await start(request) { session, id in _ = try await session.replay(run.id.rawValue, as: id) }
  }

  /// Starts a run that this process works on, once for each id.
  private static func start(
    _ request: APIRequest, _ work: @escaping @Sendable (Session, RunID) async throws -> Void
  ) async throws -> APIAnswer {
    let (session, store, id) = (request.services.session, request.services.store, request.run)
    if (try? await store.status(of: id)) == nil {
      try await request.services.tasks.start(id, in: store) { try await work(session, id) }
    }
    return .created(try await store.summary(of: id).json, at: "/runs/\(id)")
  }

  private static let doubts = Route(
    .get, "/runs/{run}/doubts", "listDoubts", "Attempts whose outcome is unknown.",
    de: "Versuche, deren Ausgang unbekannt ist.", .may(.read, .runs), answers: [.json(S.page(S.named("Doubt")))]
  ) { request in
    let run = try await request.run(.read)
    return .page(try await request.services.session.doubts(DoubtChoice(run.id.rawValue)).map { $0.json() })
  }

  private static let settle = Route(
    .post, "/runs/{run}/settle", "settleRun", "Say whether an attempt took effect whose outcome is unknown.",
    de: "Sagen, ob ein Versuch gewirkt hat, dessen Ausgang unbekannt ist.", .may(.update, .runs),
    body: .json(
      S.input(
        [("done", S.flag), ("step", S.text), ("item", S.count), ("output", S.anything)], required: ["done"])),
    answers: [.json(S.object([("run", S.text), ("settled", S.named("Doubt")), ("done", S.flag)]))]
  ) { request in
    let run = try await request.run(.update)
    let choice = DoubtChoice(run.id.rawValue, step: request.text("step"), item: request.integer("item"))
    let isDone = request.isSet("done")
    let (doubt, outermost) = try await request.services.session.settle(
      choice, isDone ? .done(request.body["output"]) : .notDone, by: request.person)
    return .json(["run": .string(outermost.rawValue), "settled": doubt.json(), "done": .bool(isDone)])
  }

  private static let difference = Route(
    .get, "/runs/{run}/diff/{other}", "compareRuns", "The steps in which two runs differ.",
    de: "Die Schritte, in denen sich zwei Läufe unterscheiden.", .may(.read, .runs),
    answers: [
      .json(
        S.object([
          ("recipe_changed", S.flag), ("inputs_changed", S.flag),
          (
            "steps",
            S.list(
              S.object([
                ("id", S.text), ("before", S.orNull(S.text)), ("after", S.orNull(S.text)), ("output_changed", S.flag),
              ]))
          ),
        ]))
    ]
  ) { request in
    let (left, right) = (try await request.run(.read), try await request.run(.read, "other"))
    let store = request.services.store
    return .json(
      RunDifference.json(
        try await store.run(left.id.rawValue, limit: 100), try await store.run(right.id.rawValue, limit: 100)))
  }
}

/// The steps in which two runs differ.
enum RunDifference {
  static func json(_ left: RunRecord, _ right: RunRecord) -> Value {
    var steps: [Value] = []
    let others = Dictionary(right.steps.map { ($0.id, $0) }) { first, _ in first }
    var seen: Set<String> = []
    func add(_ id: String, _ before: StepRecord?, _ after: StepRecord?) {
      let isOutputChanged = before?.output != after?.output || before?.items != after?.items
      guard before?.status != after?.status || isOutputChanged else { return }
      steps.append(
        .object([
          ("id", .string(id)), ("before", .text(before?.status.rawValue)), ("after", .text(after?.status.rawValue)),
          ("output_changed", .bool(isOutputChanged)),
        ]))
    }
    for step in left.steps {
      seen.insert(step.id)
      add(step.id, step, others[step.id])
    }
    for step in right.steps where !seen.contains(step.id) { add(step.id, nil, step) }
    return [
      "recipe_changed": .bool(left.summary.fingerprint != right.summary.fingerprint),
      "inputs_changed": .bool(left.inputs != right.inputs), "steps": .list(steps),
    ]
  }
}
