import Expressions

/// The turns of the input of `chat.complete`.
enum ChatTurns {
  /// All turns in their order: `messages`, what `prompt` and `input` say, and what stands `after` it.
  static func turns(of input: ValueMap) -> [Value] {
    var turns = input["messages"]?.listValue ?? []
    let words = ["prompt", "input"].compactMap { input[$0]?.stringValue }.filter { !$0.isEmpty }
    if !words.isEmpty { turns.append(["role": "user", "content": .string(words.joined(separator: "\n\n"))]) }
    return turns + (input["after"]?.listValue ?? [])
  }

  /// The input without `after`, which no provider knows: as `messages` alone.
  static func flattened(_ input: Value) -> Value {
    guard case .map(var members) = input, let after = members["after"]?.listValue else { return input }
    if !after.isEmpty {
      members["messages"] = .list(turns(of: members))
      members["prompt"] = nil
      members["input"] = nil
    }
    members["after"] = nil
    return .map(members)
  }
}
