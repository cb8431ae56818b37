import Expressions
import Localization

/// Reports about runs for assistants, made from the answers of the API.
struct RunReport {
  /// The most lines of a log.
  static let lines = 100
  /// The most bytes of the log in a report, as JSON, and the most characters of a line.
  private static let (logLimit, lineLimit) = (60_000, 4000)

  private let operations: any AssistantOperations

  init(_ operations: any AssistantOperations) { self.operations = operations }

  private var language: Language { operations.language }

  /// A run in full: the run, its open questions, and the end of its log. It fits into a result of a tool.
  func detail(_ run: String) async throws(AssistantError) -> Value {
    var map = try await operations.perform(OperationCall("showRun", path: ["run": run])).mapValue ?? [:]
    let id = map["id"]?.stringValue ?? run
    map["questions"] = .list(Self.questions(.map(map)))
    let lines = Self.end(of: try await log(id, last: Self.lines), bytes: Self.logLimit)
    // Without the log, which would lose its end.
    var report = ToolResult.trimmed(.map(map), limit: ToolResult.limit - Self.logLimit - 100).mapValue ?? [:]
    report["log"] = .list(lines.map { .string($0) })
    return .map(report)
  }

  /// The questions of a run that are open.
  static func questions(_ detail: Value) -> [Value] {
    (detail["waits"]?.listValue ?? []).filter {
      $0["kind"]?.stringValue == "approval" && !($0["answered"]?.boolValue ?? false)
    }
  }

  /// The last lines that fit into a number of bytes, as JSON: the end of a log says how a run went.
  static func end(of lines: [String], bytes: Int) -> [String] {
    var (kept, size) = ([String](), 0)
    for line in lines.reversed() {
      let line = line.count > lineLimit ? String(line.prefix(lineLimit)) + "…" : line
      size += Value.string(line).jsonSize + 1
      guard size <= bytes else { break }
      kept.append(line)
    }
    return kept.reversed()
  }

  /// The last lines of a log: time, level, step and message.
  func log(_ run: String, last count: Int) async throws(AssistantError) -> [String] {
    let answer = try await operations.perform(
      OperationCall("listLogs", path: ["run": run], query: ["last": .int(Int64(count))]))
    return (answer["items"]?.listValue ?? []).map(Self.line)
  }

  private static func line(_ item: Value) -> String {
    let step = item["step"]?.stringValue.map { " " + $0 } ?? ""
    return
      "\(item["at"]?.stringValue ?? "") \(item["level"]?.stringValue ?? "")\(step): \(item["message"]?.stringValue ?? "")"
  }

  /// The outcome of a run that a call has started.
  ///
  /// - Parameters:
  ///   - run: The id of the run.
  ///   - isOutputs: Whether the outputs alone are the structured result.
  func outcome(_ run: String, isOutputs: Bool) async throws(AssistantError) -> ValueMap {
    let detail = try await operations.perform(OperationCall("showRun", path: ["run": run]))
    let status = detail["status"]?.stringValue ?? ""
    let link = ToolResult.link(run, detail["recipe"]?.stringValue ?? "")
    if isOutputs, status == "succeeded" {
      return ToolResult.success(detail["outputs"] ?? [:], links: [link])
    }
    let questions = Self.questions(detail)
    let isError = ["failed", "cancelled", "needs_attention"].contains(status) || isOutputs
    var map: ValueMap = [
      "run": .string(run), "recipe": detail["recipe"] ?? .null, "status": .string(status),
      "duration_ms": detail["duration_ms"] ?? .null, "outputs": detail["outputs"] ?? .null,
    ]
    if let failure = detail["failure"], !failure.isNull { map["failure"] = self.failure(failure) }
    let failed = (detail["steps"]?.listValue ?? []).filter { $0["status"]?.stringValue == "failed" }
    if !failed.isEmpty {
      map["failed_steps"] = .list(
        failed.prefix(20).map { step in
          ["id": step["id"] ?? .null, "action": step["action"] ?? .null, "failure": failure(step["failure"] ?? .null)]
        })
    }
    if !questions.isEmpty {
      map["questions"] = .list(questions)
      map["next"] = .string(remedy(run).string(in: language))
    }
    var result = ToolResult.success(.map(map), links: [link], isError: isError)
    // A result that is not that of the tool's schema is a text only.
    if isOutputs { result["structuredContent"] = nil }
    return result
  }

  /// The way to answer a question without a form of the client.
  private func remedy(_ run: String) -> LocalizedText {
    LocalizedText(
      "the run waits for the answer of a person: answer_decision, 'sous answer yes \(run)', or the page of the server",
      de:
        "der Lauf wartet auf die Antwort eines Menschen: answer_decision, 'sous answer yes \(run)' oder die Seite des "
        + "Servers")
  }

  /// A failure in the language of the caller.
  private func failure(_ failure: Value) -> Value {
    func text(_ name: String) -> Value {
      let german = failure[name + "_de"]
      return language == .german && german?.stringValue != nil ? german ?? .null : failure[name] ?? .null
    }
    return ["kind": failure["kind"] ?? .null, "message": text("message"), "advice": text("advice")]
  }
}
