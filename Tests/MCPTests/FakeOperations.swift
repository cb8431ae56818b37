import Expressions
import Localization
import Synchronization

@testable import MCP

/// Operations over one recipe in memory: `pay` has an effect, asks a question in its middle if wanted, and gives an output.
final class FakeOperations: AssistantOperations {
  struct State {
    var status = "running"
    var trigger = "assistant"
    var asks = false
    var approve: Value = .null
    var effect: Value = "once"
    var fingerprint = "first"
    /// The error of an answer to the question; `nil` for none.
    var refusesAnswers = false
    /// The lines of the log, and the steps of a run.
    var lines = ["hello"]
    var steps: Value = []
    var refusal: AssistantError?
    var permitted: Set<String> = [
      "listRecipes", "showRecipe", "explainRecipe", "runRecipe", "listRuns", "showRun", "listLogs", "listDecisions",
      "answerDecision", "cancelRun", "readRecipe",
    ]
    var runs: [String] = []
    var calls: [OperationCall] = []
    var beats: [AsyncStream<Void>.Continuation] = []
  }

  let language = Language.english
  let caller: String
  let resumesRuns = true
  let state = Mutex(State())

  init(caller: String = "anna") { self.caller = caller }

  /// Changes the run, and reports it.
  func change(_ body: (inout State) -> Void) {
    let beats = state.withLock { state in
      body(&state)
      return state.beats
    }
    for beat in beats { beat.yield() }
  }

  var runs: [String] { state.withLock { $0.runs } }
  func calls(_ id: String) -> [OperationCall] { state.withLock { $0.calls.filter { $0.id == id } } }

  func permits(_ operation: String) -> Bool { state.withLock { $0.permitted.contains(operation) } }
  func newRun() -> String { "RUN\(UInt32.random(in: 0...UInt32.max))" }

  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.beats.append(continuation) }
    return stream
  }

  func refusal() async -> AssistantError? {
    for await _ in changes() {
      if let error = state.withLock({ $0.refusal }) { return error }
    }
    return nil
  }

  func openRecipes() async throws(AssistantError) -> [Value] {
    [try await perform(OperationCall("showRecipe", path: ["recipe": "pay"]))]
  }

  func summary(of run: String) async throws(AssistantError) -> Value {
    try await perform(OperationCall("showRun", path: ["run": run]))
  }

  func perform(_ operation: OperationCall) async throws(AssistantError) -> Value {
    let answer = state.withLock { state -> Value? in
      state.calls.append(operation)
      switch operation.id {
      case "showRecipe":
        return [
          "name": "pay", "path": "/pay.yaml", "problems": [], "summary": "Pays.",
          "tool": ["name": .null, "approve": state.approve],
          "inputs": [["name": "sum", "schema": ["type": "integer"], "required": true]],
          "outputs": [["name": "receipt", "schema": ["type": ["string", "null"]]]],
        ]
      case "explainRecipe":
        return [
          "fingerprint": .string(state.fingerprint),
          "steps": [["id": "send", "action": "mail.send", "effect": state.effect]],
        ]
      case "runRecipe":
        guard operation.fingerprint.map({ $0 == state.fingerprint }) ?? true else { return .string("recipe_changed") }
        let run = operation.run ?? ""
        if !state.runs.contains(run) { state.runs.append(run) }
        return Self.run(run, state)
      case "showRun":
        guard let name = operation.path["run"], let run = name == "last" ? state.runs.last : name,
          state.runs.contains(run)
        else { return nil }
        return Self.run(run, state)
      case "listLogs":
        let last = operation.query["last"]?.intValue.map { Int($0) } ?? 0
        return [
          "items": .list(
            state.lines.enumerated().suffix(last).map { number, line in
              ["id": .int(Int64(number + 1)), "at": "t", "level": "info", "message": .string(line)]
            }), "next": .null,
        ]
      case "answerDecision":
        if state.refusesAnswers { return .string("input_invalid") }
        (state.asks, state.status) = (false, "succeeded")
        return ["approved": operation.body["approved"] ?? .null]
      case "cancelRun":
        state.status = "cancelled"
        return ["status": "cancelled"]
      default: return ["items": [], "next": .null]
      }
    }
    guard let answer else {
      throw AssistantError(.init(rawValue: "run_not_found"), 404, LocalizedText("no such run", de: "kein solcher Lauf"))
    }
    if let code = answer.stringValue {
      throw AssistantError(.init(rawValue: code), code == "recipe_changed" ? 412 : 422, LocalizedText(verbatim: code))
    }
    return answer
  }

  private static func run(_ id: String, _ state: State) -> Value {
    let isOver = ["succeeded", "failed", "cancelled"].contains(state.status)
    let question: Value = [
      "kind": "approval", "answered": false, "step": "ask", "item": .null, "since": "t", "message": "Really?",
      "form": ["type": "object", "properties": ["note": ["type": "string"]]],
    ]
    return [
      "id": .string(id), "recipe": "pay", "status": .string(state.asks ? "waiting" : state.status),
      "trigger": .string(state.trigger), "step_count": 2, "steps_succeeded": isOver ? 2 : 1, "started_at": "s",
      "ended_at": isOver ? "e" : .null, "outputs": isOver ? ["receipt": "R1"] : .null,
      "failure": state.status == "failed" ? ["kind": "io", "message": "disk", "message_de": "Platte"] : .null,
      "waits": state.asks ? [question] : [], "steps": state.steps,
    ]
  }
}
