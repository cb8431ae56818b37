import Access
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import RunStore
import UseCases

/// Operations on mail filters: their last decisions, a preview, and taking a run back.
enum FilterRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, decisions, preview, showUndo, undo]

  private static let list = Route(
    .get, "/filters", "listFilters", "List the served mail filters.",
    de: "Die Mail-Filter auflisten, die der Server ausführt.",
    .may(.read, .recipes), answers: [.json(S.page(S.named("Filter")))]
  ) { request in
    let all = try await request.services.session.project.servedRecipes()
    return .page(
      all.filter { $0.kind == kind && request.may(.read, .recipes, path: $0.path) }.map { entry in
        ["recipe": .string(entry.apiName), "path": .string(entry.path), "disabled": .bool(entry.isDisabled)]
      })
  }

  private static let kind = "mail-filter"

  /// The mail filter that the path names, if the caller may do something with an object of it.
  private static func filter(
    _ request: APIRequest, _ verb: AccessVerb, _ object: AccessObject
  ) async throws -> RecipeEntry {
    let entry = try await request.recipe(verb, object)
    guard entry.kind == kind else {
      throw Problem.notFound(LocalizedText("mail filter", de: "Mail-Filter"), entry.apiName)
    }
    return entry
  }

  private static let decisions = Route(
    .get, "/filters/{recipe}/decisions", "listFilterDecisions",
    "The decisions of the last runs of a mail filter, newest first.",
    de: "Die Entscheidungen der letzten Läufe eines Mail-Filters, neueste zuerst.", .may(.read, .runs),
    parameters: [.limit, .cursor], answers: [.json(S.page(S.named("FilterRun")))]
  ) { request in
    let filter = try await filter(request, .read, .runs)
    let store = request.services.store
    let wanted = RunFilter(recipe: filter.name, limit: request.limit)
    guard let page = try await store.page(of: wanted, after: request.query["cursor"]?.stringValue) else {
      throw Problem(
        422, "invalid_cursor", "'cursor' is not the 'next' of a page", de: "'cursor' ist nicht das 'next' einer Seite")
    }
    var found: [Value] = []
    let undos = try await request.services.session.mailUndos(of: page.runs)
    // Commands record paths as a person has typed them.
    let surroundings = request.services.workspace.surroundings
    for run in page.runs where plain(surroundings.resolve(run.path)) == plain(filter.path) {
      let event = try? await store.snapshot(of: run.id).start.event
      found.append(
        FilterRun.json(try await store.run(run.id.rawValue, limit: 1), event: event ?? .null, undone: undos[run.id]))
    }
    return .page(found, next: page.next)
  }

  /// A path without `.`, `..` and empty parts.
  private static func plain(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  private static let preview = Route(
    .post, "/filters/{recipe}/preview", "previewFilter",
    "Preview the decisions of a mail filter; nothing is changed or recorded.",
    de: "Die Entscheidungen eines Mail-Filters vorab; nichts wird geändert oder aufgezeichnet.", .may(.create, .runs),
    body: .json(
      S.input([("inputs", S.map), ("keywords", ["type": "object", "additionalProperties": S.text])]), isRequired: false),
    answers: [.json(S.named("FilterPreview"))], isReading: true
  ) { request in
    let filter = try await filter(request, .create, .runs)
    var order = RunOrder(filter.path)
    for (key, value) in (request.body["inputs"]?.mapValue ?? [:]).entries { order.inputs[key.text] = value }
    for (key, value) in (request.body["keywords"]?.mapValue ?? [:]).entries {
      order.keywords.append(Assignment(key.text, value.stringValue ?? value.jsonString))
    }
    let project = request.services.session.project
    let preview = try await project.preview(try project.check(order))
    return .json(["undecided": .bool(preview.isUndecided), "accounts": preview.json(in: request.language)])
  }

  private static let showUndo = Route(
    .get, "/runs/{run}/mail-undo", "showMailUndo", "The changes that take back the moves, flags and labels of a run.",
    de: "Die Änderungen, die Verschieben, Markierungen und Labels eines Laufs zurücknehmen.", .may(.read, .runs),
    answers: [.json(S.named("MailUndo"))]
  ) { request in
    let run = try await request.run(.read)
    return .json(try await request.services.session.mailUndo(of: run.id.rawValue).undo.json(in: request.language))
  }

  private static let undo = Route(
    .post, "/runs/{run}/mail-undo", "undoMail", "Take back the moves, flags and labels of a run, as a run of its own.",
    de: "Verschieben, Markierungen und Labels eines Laufs zurücknehmen, als eigener Lauf.", .may(.update, .runs),
    answers: [.json(S.named("Run"), status: 201)], repetition: .found
  ) { request in
    let run = try await request.run(.update)
    let (session, store, id) = (request.services.session, request.services.store, request.run)
    if try await !store.hasRun(id) {
      let undo = try await session.mailUndo(of: run.id.rawValue).undo
      guard !undo.isEmpty else {
        throw Problem(
          409, "nothing_to_undo", "run \(run.id) has nothing to undo; 'remains' of GET says why",
          de: "bei Lauf \(run.id) ist nichts rückgängig zu machen; 'remains' bei GET sagt, warum")
      }
      try await request.services.tasks.start(id, in: store) { _ = try await session.carryOut(undo, of: run.id, as: id) }
    }
    return .created(try await store.summary(of: id).json, at: "/runs/\(id)")
  }
}

/// The decisions that a run of a mail filter has recorded.
enum FilterRun {
  /// - Parameters:
  ///   - event: The event that started the run; null without one.
  ///   - undone: The run that has taken its changes back; `nil` if they are in force.
  static func json(_ record: RunRecord, event: Value, undone: RunSummary?) -> Value {
    let accounts = record.steps.filter { $0.action == "mail.select" }.map { step -> Value in
      let output = step.output ?? .null
      return [
        "step": .string(step.id), "provider": .text(step.providers.last), "folder": output["folder"] ?? .null,
        "examined": output["examined"] ?? .null, "kept": output["kept"] ?? .null,
        "decisions": output["decisions"] ?? [], "errors": output["errors"] ?? [], "left": output["left"] ?? [],
      ]
    }
    let failed = record.steps.filter { $0.action == "mail.outcome" }.flatMap { $0.output?["failed"]?.listValue ?? [] }
    let summary = record.summary
    return [
      "run": .string(summary.id.rawValue), "status": .string(summary.status.rawValue),
      "started_at": .time(summary.startedAt), "ended_at": .time(summary.endedAt), "message": message(event),
      "accounts": .list(accounts), "failed": .list(failed), "undone_by": .text(undone?.id.rawValue),
      "undone_at": .time(undone?.endedAt),
    ]
  }

  /// The message of the event, for readers: the run log has the others by their names alone.
  private static func message(_ event: Value) -> Value {
    guard let message = event["message"], let uid = event["uid"]?.stringValue else { return .null }
    let from = message["from"]
    let name = from?["name"]?.stringValue ?? ""
    return [
      "uid": .string(uid), "from": .string(name.isEmpty ? from?["address"]?.stringValue ?? "" : name),
      "subject": .string(message["subject"]?.stringValue ?? ""),
    ]
  }
}
