import PluginKit

/// A task on a text that needs no language model.
enum ExtractiveTask: String, CaseIterable, Sendable {
  /// Some of its sentences, in their order.
  case summarise
  /// The label of a schema that suits it.
  case classify
  /// The meanings of the properties of a schema.
  case extract

  /// The task of a request.
  ///
  /// - Throws: `unsupported` for any other one, and for a prompt without: to answer it with sentences of the text would
  ///   be a wrong answer that looks like a right one.
  init(of request: CompletionRequest) throws(ActionError) {
    guard let task = request.task.flatMap(ExtractiveTask.init) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      let asked = request.task.map { "'\($0.prefix(40))'" }
      throw ActionError(
        .unsupported,
        "The extractive plugin has no language model. It carries out the tasks \(names), not "
          + (asked ?? "a prompt without a task") + ".",
        german: "Das Plugin extractive hat kein Sprachmodell. Es kann die Aufgaben \(names), nicht aber "
          + (asked ?? "einen Prompt ohne Aufgabe") + ".",
        advice: "Configure a model: 'providers: { local: { plugin: ollama } }' and 'defaults: { chat: local }' in "
          + "sous.yaml. If the prompt asks for one of these tasks, say so with 'task'.",
        adviceGerman:
          "Ein Modell einrichten: 'providers: { local: { plugin: ollama } }' und 'defaults: { chat: local }' "
          + "in sous.yaml. Verlangt der Prompt eine dieser Aufgaben, das mit 'task' angeben.")
    }
    self = task
    guard self == .summarise || request.schema != nil else {
      throw ActionError(
        .invalidInput, "The task '\(rawValue)' needs a 'schema' that says what to look for.",
        german: "Die Aufgabe '\(rawValue)' braucht ein 'schema', das sagt, was gesucht ist.",
        advice: "Give a schema whose properties name what is wanted, for instance with an 'enum' of the labels.",
        adviceGerman: "Ein Schema angeben, dessen Eigenschaften das Gesuchte nennen, etwa mit einem 'enum' der Labels.")
    }
  }
}
