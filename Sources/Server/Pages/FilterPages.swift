import Access
import Engine
import Expressions
import Localization
import Page
import RunStore
import UseCases

/// Mail filters, their decisions, and taking runs back.
enum FilterPages {
  static let all: [PageRoute] = [list, show, undo]

  private static let list = PageRoute("/filters", .may(.read, .recipes)) { request in
    let page = try await request.json("listFilters")
    var last: [String: Value] = [:]
    for filter in (page["items"]?.listValue ?? []).prefix(50) {
      let name = filter["recipe"]?.stringValue ?? ""
      let runs = try await request.permitted("listRuns", query: ["recipe": .string(name), "limit": 1])
      last[name] = runs["items"]?.listValue?.first
    }
    return FiltersPage(page, last: last)
  }

  private static let show = PageRoute("/filters/{recipe}", .may(.read, .runs)) { request in
    let name = request.name("recipe")
    var query: ValueMap = ["limit": 10]
    if let cursor = request.query["cursor"], !cursor.isEmpty { query["cursor"] = .string(String(cursor.prefix(200))) }
    let page = try await request.json("listFilterDecisions", path: ["recipe": name], query: query)
    let file = try await request.permitted("showRecipe", path: ["recipe": name])["path"]?.stringValue ?? ""
    return FilterPage(
      name, page, undoes: request.base.may(.update, .runs, path: file),
      preview: await preview(name, file, request))
  }

  /// The preview, if the query asks for it: it reads the mailboxes, which takes a while.
  private static func preview(_ name: String, _ file: String, _ request: PageRequest) async -> FilterPage.Preview {
    guard request.base.may(.create, .runs, path: file) else { return .forbidden }
    guard request.query["preview"] == "yes" else { return .offered }
    do {
      return .shown(try await request.json("previewFilter", path: ["recipe": name]))
    } catch {
      return .failed(Problem(error, in: request.base.language).detail.string(in: request.base.language))
    }
  }

  private static let undo = PageRoute("/runs/{run}/mail-undo", .may(.read, .runs)) { request in
    let path = ["run": request.name("run")]
    let run = try await request.json("showRun", path: path)
    let outcome = try await outcome(request, of: run["id"]?.stringValue ?? "")
    // The rest is known only when the run of the undo has ended.
    let undo: Value = outcome?.isOver == false ? .null : try await request.json("showMailUndo", path: path)
    return MailUndoPage(
      run, undo: undo, outcome: outcome,
      isAllowed: request.base.may(
        .update, .runs, path: run["path"]?.stringValue ?? "", owner: run["started_by"]?.stringValue))
  }

  /// The run that the query names, if it takes back the run with an id.
  private static func outcome(_ request: PageRequest, of undone: String) async throws -> MailUndoPage.Outcome? {
    guard let id = request.query["by"], !id.isEmpty, id.utf8.count <= 100 else { return nil }
    let run = try await request.json("showRun", path: ["run": id])
    guard run["inputs"]?["run"]?.stringValue == undone else { return nil }
    let status = RunStatus(rawValue: run["status"]?.stringValue ?? "")
    let record = try await request.base.services.store.run(run["id"]?.stringValue ?? "")
    let changes = (run["inputs"]?.mapValue?.values ?? []).flatMap { $0.listValue ?? [] }
    return MailUndoPage.Outcome(
      run: run["id"]?.stringValue ?? "", status: status?.rawValue ?? "", isOver: status?.isFinal ?? false,
      changes: changes,
      missing: MailUndo.missing(in: record), failure: run["failure"] ?? .null)
  }
}
