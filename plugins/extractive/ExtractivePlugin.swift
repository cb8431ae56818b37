public import PluginKit

/// Answers `chat` without any language model: it takes sentences and phrases out of the text and writes none. So it carries
/// out three tasks, and refuses every other prompt.
///
/// The default where no model is configured, and the last resort of a list of providers. Deterministic, offline, linear
/// in the length of the text up to ``Document/maximumScalars``. Every answer says `extractive: true`.
public struct ExtractivePlugin: Plugin {
  /// The name of the one "model".
  static let model = "extractive"

  /// The manifest.
  public static var manifest: Manifest {
    Manifest(
      id: "extractive", version: "1.0.0",
      summary: "Extractive summaries, key phrases and simple classification by rules; no language model",
      summaryGerman: "Extraktive Zusammenfassungen, Schlagworte und einfache Einordnung nach Regeln; kein Sprachmodell",
      contracts: ["chat/1"], files: [])
  }

  /// Nothing is configured.
  public init(configuration: NoConfiguration, context: PluginContext) {}

  /// `chat.complete` and `chat.models`.
  public static var actions: ActionList<ExtractivePlugin> {
    Action(
      "chat.complete", effect: .read, tasks: ExtractiveTask.allCases.map(\.rawValue), native: ["schema"],
      summary: "Extracts a summary, or what a schema asks for, from the text given",
      summaryGerman: "Entnimmt dem Text eine Zusammenfassung oder die Angaben eines Schemas",
      input: CompletionRequest.self, output: JSONValue.self, blocking: true
    ) { _, request, _ in
      try Completion(request).output
    }
    Action(
      "chat.models", effect: .read, summary: "Names the rules that replace a model",
      summaryGerman: "Nennt die Regeln, die ein Modell ersetzen",
      input: NoConfiguration.self, output: JSONValue.self
    ) { _, _, _ in
      ["models": [["id": .string(model), "extractive": true]]]
    }
  }
}
