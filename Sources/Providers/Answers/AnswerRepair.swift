import Expressions

/// Asks a model once more, with its answer, what is wrong with it, and the schema before its eyes.
struct AnswerRepair: Sendable {
  /// So many characters of the answer are quoted.
  static let maximumQuote = 32_000

  /// What the model said.
  let answer: String
  /// What is wrong, each with its place; empty where there is no object at all.
  let problems: [String]
  /// Whether the answer ends too early.
  let isCut: Bool
  /// The JSON Schema of the answer. The request repeats it, because some servers ignore the field that carries it.
  var schema: Value?
  /// The tools whose arguments cannot be read; empty if the answer itself is wrong.
  var tools: [String] = []

  /// Whether the answer has no JSON at all, as if the server had not passed the schema on.
  var ignoresSchema: Bool { schema != nil && problems.isEmpty && !isCut && tools.isEmpty }

  /// The input of the attempt that repairs: the conversation so far, the answer as the model's turn, and what is wrong.
  func input(_ input: Value) -> Value {
    guard case .map(var members) = input else { return input }
    var turns = ChatTurns.turns(of: members)
    let quote = answer.count > Self.maximumQuote ? answer.prefix(Self.maximumQuote) + "…" : answer[...]
    if !quote.isEmpty { turns.append(["role": "assistant", "content": .string(String(quote))]) }
    members["messages"] = .list(turns)
    members["prompt"] = .string(request)
    members["input"] = nil
    members["after"] = nil
    return .map(members)
  }

  private var request: String {
    if !tools.isEmpty {
      return "The arguments for \(tools.map { "'\($0)'" }.joined(separator: ", ")) are not one JSON object. Call your "
        + "tools again, each with one JSON object as its arguments."
    }
    var again = "Answer again with one JSON object that suits the schema, and nothing else."
    if let schema { again += " The JSON Schema:\n" + String(decoding: schema.json(), as: UTF8.self) }
    if isCut { return "Your answer ended before its JSON was complete. Be shorter. " + again }
    if problems.isEmpty { return "Your answer has no JSON object. " + again }
    return "Your answer does not suit the JSON Schema:\n" + problems.map { "- \($0)\n" }.joined() + again
  }
}
