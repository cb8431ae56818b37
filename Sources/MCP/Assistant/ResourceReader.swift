import Expressions
import Localization

/// Lists and reads resources: recipes, runs and their logs.
struct ResourceReader {
  /// The runs of a page.
  private static let page: Int64 = 25
  /// The most lines of a log.
  private static let lines = 2000

  private let call: AssistantCall
  private let operations: any AssistantOperations

  init(_ call: AssistantCall, _ operations: any AssistantOperations) {
    (self.call, self.operations) = (call, operations)
  }

  private func say(_ english: String, de german: String) -> Value {
    .string(LocalizedText(english, de: german).string(in: operations.language))
  }

  /// `resources/list`: runs, newest first, each with its log.
  func list() async throws -> ValueMap {
    guard operations.permits("listRuns") else { return ["resources": []] }
    var query: ValueMap = ["limit": .int(Self.page)]
    if let cursor = call.params["cursor"]?.stringValue { query["cursor"] = .string(cursor) }
    let answer = try await page(query)
    let resources = (answer["items"]?.listValue ?? []).flatMap(entries)
    var map: ValueMap = ["resources": .list(resources)]
    if let next = answer["next"]?.stringValue { map["nextCursor"] = .string(next) }
    return map
  }

  private func page(_ query: ValueMap) async throws(AssistantError) -> Value {
    do {
      return try await operations.perform(OperationCall("listRuns", query: query))
    } catch {
      guard error.number == 422 else { throw error }
      throw .invalidParameters("'cursor' is not of this list", de: "'cursor' gehört nicht zu dieser Liste")
    }
  }

  private func entries(_ run: Value) -> [Value] {
    let (id, recipe) = (run["id"]?.stringValue ?? "", run["recipe"]?.stringValue ?? "")
    let began = run["started_at"]?.stringValue ?? ""
    let time = run["ended_at"]?.stringValue ?? began
    let title = "\(recipe), \(run["status"]?.stringValue ?? ""), \(began)"
    return [AssistantResource.run(id), .log(id)].map { resource in
      let isLog = resource == .log(id)
      return [
        "uri": .string(resource.uri), "name": .string("\(recipe) \(id)" + (isLog ? " log" : "")),
        "title": isLog ? say("Log of \(title)", de: "Protokoll von \(title)") : .string(title),
        "mimeType": .string(resource.type), "annotations": ["lastModified": .string(time)],
      ]
    }
  }

  /// `resources/templates/list`.
  var templates: ValueMap {
    let all: [(operation: String, uri: String, name: String, title: Value, type: String)] = [
      (
        "showRun", "sous://runs/{run}", "run", say("A run with its steps", de: "Ein Lauf mit Schritten"),
        "application/json"
      ),
      (
        "listLogs", "sous://runs/{run}/log", "log", say("The log of a run", de: "Das Protokoll eines Laufs"),
        "text/plain"
      ),
      (
        "readRecipe", "sous://recipes/{recipe}", "recipe", say("The text of a recipe", de: "Der Text eines Rezepts"),
        "application/yaml"
      ),
    ]
    return [
      "resourceTemplates": .list(
        all.filter { operations.permits($0.operation) }.map { template in
          [
            "uriTemplate": .string(template.uri), "name": .string(template.name), "title": template.title,
            "mimeType": .string(template.type),
          ]
        })
    ]
  }

  /// `resources/read`.
  func read() async throws -> ValueMap {
    let uri = try call.text("uri")
    guard let resource = AssistantResource(uri: uri), operations.permits(resource.operation) else {
      throw unknown(uri)
    }
    return [
      "contents": [
        ["uri": .string(uri), "mimeType": .string(resource.type), "text": .string(try await found(resource, uri))]
      ]
    ]
  }

  private func found(_ resource: AssistantResource, _ uri: String) async throws(AssistantError) -> String {
    do {
      return try await text(of: resource)
    } catch {
      throw error.number == 404 ? unknown(uri) : error
    }
  }

  private func text(of resource: AssistantResource) async throws(AssistantError) -> String {
    switch resource {
    case .recipe(let name):
      return try await operations.perform(OperationCall("readRecipe", path: ["recipe": name])).stringValue ?? ""
    case .run(let run):
      let detail = try await operations.perform(OperationCall("showRun", path: ["run": run]))
      return ToolResult.trimmed(detail).jsonString
    case .log(let run):
      let lines = try await RunReport(operations).log(run, last: Self.lines)
      return RunReport.end(of: lines, bytes: ToolResult.limit).map { $0 + "\n" }.joined()
    }
  }

  private func unknown(_ uri: String) -> AssistantError {
    AssistantError(
      .unknownResource, call.version.isStateless ? .invalidParameters : .unknownResource,
      "no resource '\(uri)', or you may not see it", de: "keine Ressource '\(uri)', oder sie ist nicht sichtbar",
      data: ["uri": .string(uri)])
  }
}
