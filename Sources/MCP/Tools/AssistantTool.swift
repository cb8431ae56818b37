import Expressions

/// A tool: what the assistant learns of it, and what a call does.
struct AssistantTool: Sendable {
  /// The work of a call.
  enum Work: Sendable, Hashable {
    case listRecipes, showRecipe, runRecipe, listRuns, showRun, listDecisions, answerDecision, cancelRun
    /// Runs a recipe that is a tool of its own.
    case recipe(String)
  }

  /// The name, by which it is called.
  let name: String
  /// The name for people.
  let title: String
  /// The purpose, for the model.
  let summary: String
  /// The JSON Schema of the arguments.
  let input: Value
  /// The JSON Schema of the structured result; `nil` if it is not fixed.
  var output: Value?
  /// The operation of the API whose right a caller needs.
  let operation: String
  /// The work of a call.
  let work: Work

  /// Whether a call starts a run, which may take long.
  var startsRun: Bool {
    switch work {
    case .runRecipe, .recipe: true
    default: false
    }
  }

  private var isReadOnly: Bool {
    switch work {
    case .listRecipes, .showRecipe, .listRuns, .showRun, .listDecisions: true
    case .runRecipe, .answerDecision, .cancelRun, .recipe: false
    }
  }

  /// The tool as an entry of `tools/list`.
  func value(_ version: ProtocolVersion) -> Value {
    var map: ValueMap = [
      "name": .string(name), "title": .string(title), "description": .string(summary), "inputSchema": input,
      "annotations": ["readOnlyHint": .bool(isReadOnly), "openWorldHint": .bool(startsRun)],
    ]
    if let output { map["outputSchema"] = output }
    if version.hasRequestedTasks, startsRun { map["execution"] = ["taskSupport": "optional"] }
    return .map(map)
  }
}
