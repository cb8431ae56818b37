import Access
import Engine
import Expressions
import Localization
import Outbox
import RecordJSON
import RunStore
import UseCases

/// Operations on attempts whose outcome is unknown, of all runs.
enum DoubtRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list]

  private static let list = Route(
    .get, "/doubts", "listOpenDoubts",
    "List attempts whose outcome is unknown, of all runs; POST /runs/RUN/settle settles one.",
    de: "Versuche auflisten, deren Ausgang unbekannt ist, aus allen Läufen; POST /runs/LAUF/settle klärt einen.",
    .may(.read, .runs), answers: [.json(S.page(S.named("OpenDoubt")))]
  ) { request in
    let session = request.services.session
    let readsMail = request.actor?.may(.read, .outbox) ?? false
    var items: [Value] = []
    for doubt in try await session.doubts(DoubtChoice()) {
      let run = try await request.services.store.summary(of: doubt.run)
      guard request.may(.read, .runs, run) else { continue }
      let process = await session.runningProgram(of: doubt)
      var map = doubt.json(process: process).mapValue ?? [:]
      map["recipe"] = .string(run.recipe)
      map["process"] = .number(process.map { Int($0) })
      map["failure"] = run.failure?.json ?? .null
      map["message"] = .null
      // Runs of other recipes send no message of the outbox.
      if readsMail, let message = try? await session.outboxItem(doubt.run.rawValue) {
        map["message"] = .object([
          ("to", .list(message.addresses("to").map { .string($0) })), ("subject", message.message?["subject"] ?? .null),
          ("send_at", .time(message.time)),
        ])
      }
      map["settles"] = .bool(request.may(.update, .runs, run))
      items.append(.map(map))
    }
    return .page(items)
  }

  static let schemas: [(String, Value)] = [
    (
      "OpenDoubt",
      S.object([
        ("run", S.text), ("step", S.text), ("item", S.orNull(S.integer)), ("attempt", S.count), ("action", S.text),
        ("recipe", S.text), ("process", S.orNull(S.count)), ("failure", S.orNull(S.named("Failure"))),
        (
          "message",
          S.orNull(S.object([("to", S.list(S.text)), ("subject", S.orNull(S.text)), ("send_at", S.orNull(S.time))]))
        ), ("settles", S.flag),
      ])
    )
  ]
}
