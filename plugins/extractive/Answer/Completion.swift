import PluginKit

/// The answer of `chat.complete`.
struct Completion {
  /// Names of the contract; a schema's properties of the same names do not replace them, `text` excepted.
  private static let reserved: Set<String> = ["model", "finish_reason", "extractive", "usage"]

  /// `{text, model, finish_reason, extractive, usage}` and beside them the properties that the schema asks for.
  ///
  /// `usage` is zero: no tokens are spent.
  let output: JSONValue

  /// Works out the answer.
  /// - Throws: `unsupported` for what needs a language model, `invalid_input` if there is no text to work on.
  init(_ request: CompletionRequest) throws(ActionError) {
    let task = try ExtractiveTask(of: request)
    guard let text = request.subject else {
      throw ActionError(
        .invalidInput, "There is no text to extract from.",
        german: "Es gibt keinen Text, aus dem etwas zu entnehmen wäre.",
        advice: "Give the text as 'input'. The extractive plugin can only cut sentences out of a text; "
          + "to have one written, configure a provider with a language model.",
        adviceGerman: "Gib den Text als 'input' an. Das Plugin extractive kann nur Sätze aus einem Text entnehmen; "
          + "wer einen schreiben lassen will, richtet einen Provider mit Sprachmodell ein.")
    }
    let document = Document(text)
    var length = Summary.Length.suited(to: document)
    if let tokens = request.maxTokens, tokens > 0 {
      length.characters = min(length.characters, max(20, tokens.multipliedReportingOverflow(by: 4).partialValue))
    }
    var members: JSONObject = [
      "model": .string(ExtractivePlugin.model),
      "finish_reason": "stop",
      "extractive": true,
      "usage": ["prompt_tokens": 0, "completion_tokens": 0],
    ]
    let found =
      request.schema.map { SchemaFiller(document: document, text: text, summaryLength: length).object($0) } ?? [:]
    for (name, value) in found where !Self.reserved.contains(name) { members[name] = value }
    // With a schema the text of a model is the object as well; a summary is what it says.
    if found["text"]?.string == nil {
      members["text"] =
        task == .summarise
        ? .string(Summary(of: document, length: length).text) : .string(JSONValue.object(found).json)
    }
    output = .object(members)
  }
}
