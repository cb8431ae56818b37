import Expressions

/// Asks a model once more, with its answer and what is wrong with it before its eyes.
struct AnswerRepair: Sendable {
  /// So many characters of the answer are quoted.
  static let maximumQuote = 32_000

  /// What the model said.
  let answer: String
  /// What is wrong, each with its place; empty where there is no object at all.
  let problems: [String]
  /// Whether the answer ends too early.
  let isCut: Bool

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
    let again = "Answer again with one JSON object that suits the schema, and nothing else."
    if isCut { return "Your answer ended before its JSON was complete. Be shorter. " + again }
    if problems.isEmpty { return "Your answer has no JSON object. " + again }
    return "Your answer does not suit the JSON Schema:\n" + problems.map { "- \($0)\n" }.joined() + again
  }
}
