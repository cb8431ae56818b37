import Expressions
import Localization
import Schemas

/// One call of a tool.
struct ToolCall {
  let call: AssistantCall
  let tool: AssistantTool
  let operations: any AssistantOperations
  let channel: CallChannel
  let assistant: Assistant
  /// The facts of earlier rounds.
  var state: RoundState
  /// Whether the client has sent a valid state, so that its answers count.
  private(set) var hasState = false

  init(
    _ call: AssistantCall, _ tool: AssistantTool, _ operations: any AssistantOperations, _ channel: CallChannel,
    _ assistant: Assistant
  ) {
    (self.call, self.tool, self.operations, self.channel) = (call, tool, operations, channel)
    self.assistant = assistant
    state = RoundState(run: operations.newRun())
  }

  /// The arguments.
  var arguments: Value { call.params["arguments"] ?? [:] }
  var language: Language { operations.language }

  /// A text among the arguments.
  func argument(_ name: String) -> String? { arguments[name]?.stringValue }

  /// The caller, the tool and its arguments: a state is valid for the same ones only.
  var fingerprint: String { "\(operations.caller)\n\(tool.name)\n\(arguments.jsonString)" }

  /// Carries out the call.
  mutating func result() async throws -> ValueMap {
    if let violation = Schema(document: tool.input).validate(arguments).first {
      let place = violation.pathText.isEmpty ? "" : violation.pathText + ": "
      return ToolResult.failure("input_invalid", LocalizedText(verbatim: place) + violation.message, in: language)
    }
    if call.version.isStateless, let text = call.params["requestState"]?.stringValue {
      guard let known = RoundState(text, fingerprint, now: assistant.now(), key: assistant.key) else {
        throw AssistantError(
          .invalidState, .invalidParameters,
          "'requestState' is too old or belongs to another call; call the tool again without it",
          de: "'requestState' ist zu alt oder gehört zu einem anderen Aufruf; das Werkzeug ohne ihn neu aufrufen")
      }
      (state, hasState) = (known, true)
    }
    do {
      return try await work()
    } catch let error as AssistantError where [404, 409, 412, 422].contains(error.number) {
      // The model can do better next time.
      return ToolResult.failure(error.code.rawValue, error.message, in: language, run: error.data["run"]?.stringValue)
    }
  }

  private mutating func work() async throws -> ValueMap {
    switch tool.work {
    case .listRecipes: return ToolResult.success(try await operations.perform(OperationCall("listRecipes")))
    case .showRecipe: return ToolResult.success(try await recipe())
    case .listRuns: return ToolResult.success(try await runs())
    case .showRun: return ToolResult.success(try await RunReport(operations).detail(argument("run") ?? ""))
    case .listDecisions: return ToolResult.success(try await operations.perform(OperationCall("listDecisions")))
    case .answerDecision: return try await answerDecision()
    case .cancelRun: return try await cancelRun()
    case .runRecipe:
      return try await run(argument("recipe") ?? "", inputs: arguments["inputs"] ?? [:])
    case .recipe(let name): return try await run(name, inputs: arguments)
    }
  }

  // MARK: - Reading

  /// A recipe with its plan and its text, as far as the caller may see them.
  private func recipe() async throws(AssistantError) -> Value {
    let path = ["recipe": argument("recipe") ?? ""]
    var map = try await operations.perform(OperationCall("showRecipe", path: path)).mapValue ?? [:]
    // A recipe with errors has no plan; its problems say why.
    if let plan = try? await operations.perform(OperationCall("explainRecipe", path: path)) {
      map["steps"] = .list(
        (plan["steps"]?.listValue ?? []).map { step in
          var short = ValueMap()
          for name in ["id", "action", "effect", "providers", "when", "loop"] { short[name] = step[name] ?? .null }
          return .map(short)
        })
    }
    if let text = try? await operations.perform(OperationCall("readRecipe", path: path)) { map["text"] = text }
    return .map(map)
  }

  private func runs() async throws(AssistantError) -> Value {
    var query: ValueMap = ["limit": .int(arguments["limit"]?.intValue ?? 20)]
    for name in ["recipe", "status", "search", "since", "cursor"] {
      if let value = arguments[name] { query[name] = value }
    }
    return try await operations.perform(OperationCall("listRuns", query: query))
  }

  // MARK: - Cancelling

  private mutating func cancelRun() async throws -> ValueMap {
    let run = argument("run") ?? ""
    let summary = try await operations.summary(of: run)
    let id = summary["id"]?.stringValue ?? run
    let question = LocalizedText(
      "Cancel run \(id) of the recipe '\(summary["recipe"]?.stringValue ?? "")'?",
      de: "Lauf \(id) des Rezepts '\(summary["recipe"]?.stringValue ?? "")' abbrechen?")
    let remedy = LocalizedText(
      "cancel it with 'sous cancel \(id)'", de: "mit 'sous cancel \(id)' abbrechen")
    if let refusal = try await approval(question, remedy) { return refusal }
    let answer = try await operations.perform(OperationCall("cancelRun", path: ["run": id]))
    return ToolResult.success(answer)
  }
}
