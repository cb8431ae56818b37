import Expressions

/// About how many tokens an input has. Every model counts in its own way; four letters to a token is the rule of thumb for
/// English, and other letters than those of ASCII are tokens of their own more often than not.
struct TokenEstimate: Sendable, Hashable {
  /// Tokens of the prompt, as likely as not.
  var prompt: Int
  /// Tokens of the answer at most, or what is taken for that.
  var completion: Int

  /// What an answer is taken to have at most where nobody has said.
  static let usualAnswer = 1024
  /// More than any model writes; a larger bound of a call counts as this one.
  private static let longestAnswer: Int64 = 10_000_000
  /// What a picture is taken to cost.
  private static let picture = 1000
  /// What a turn costs beside its words.
  private static let turn = 4

  /// What to set aside for the call: more than is likely.
  var reserved: Int { reservedPrompt + completion }
  /// What to set aside for the prompt.
  var reservedPrompt: Int { prompt + prompt / 4 + 8 }

  /// Estimates a call.
  ///
  /// - Parameters:
  ///   - action: The action: `chat.complete`.
  ///   - input: What it is given.
  init(action: String, input: Value) {
    switch action {
    case "chat.complete":
      var quarters = 0
      for name in ["prompt", "input", "system", "messages", "schema", "tools"] {
        if let value = input[name] { quarters += Self.quarters(of: value) }
      }
      let turns = (input["messages"]?.listValue?.count ?? 0) + 2
      let pictures = input["images"]?.listValue?.count ?? 0
      prompt = (quarters + 3) / 4 + turns * Self.turn + pictures * Self.picture
      if case .int(let most)? = input["max_tokens"] {
        completion = Int(clamping: min(max(0, most), Self.longestAnswer))
      } else {
        completion = Self.usualAnswer
      }
    case let name where name.hasPrefix("embed."):
      prompt = (Self.quarters(of: input) + 3) / 4
      completion = 0
    default:
      // A recording says nothing of its words.
      prompt = 0
      completion = 0
    }
  }

  /// Quarters of tokens in all texts of a value.
  private static func quarters(of value: Value) -> Int {
    switch value {
    case .string(let text): text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 3) }
    case .list(let elements): elements.reduce(0) { $0 + quarters(of: $1) }
    case .map(let map): map.entries.reduce(0) { $0 + quarters(of: $1.value) + keyCost }
    case .null: 0
    default: 4
    }
  }

  private static let keyCost = 8
}
