import Engine
import Expressions
import Plans

extension BuiltinAction {
  /// `tools.calls`: the calls of one tool, with the inputs that the recipe fixes. A call that sets a closed input is refused as
  /// a whole: without that input it would do something else than the model asked for.
  static let toolCalls = BuiltinAction(signature: .toolCalls) { call in
    let name = call.text("name")
    let fixed = call.input["fixed"]?.mapValue ?? [:]
    let open = call.input["open"]?.listValue.map { Set($0.compactMap(\.stringValue)) }
    let asks = call.input["asks"]?.boolValue ?? false
    var calls: [Value] = []
    var refused: [Value] = []
    for (position, entry) in (call.input["calls"]?.listValue ?? []).enumerated() {
      guard entry["name"]?.stringValue == name, case .map(var members) = entry else { continue }
      // Models may give two calls one id; the index distinguishes them.
      members["index"] = .int(Int64(position))
      var arguments = ValueMap()
      var closed: [String] = []
      for (key, value) in members["arguments"]?.mapValue?.entries ?? [] {
        // An input that the recipe fixes is closed, whatever else is open.
        if fixed[key] == nil, open?.contains(key.text) ?? true {
          arguments[key] = value
        } else if !value.isNull {
          // Models write `null` for inputs that they do not set.
          closed.append(key.text)
        }
      }
      for (key, value) in fixed.entries { arguments[key] = value }
      members["arguments"] = .map(arguments)
      guard closed.isEmpty else {
        let names = closed.sorted().map { "'\($0)'" }.joined(separator: ", ")
        refused.append([
          "item": .map(members), "status": "failed",
          "error": ["kind": "invalid_input", "message": .string("the model may not set \(names) of this tool")],
        ])
        continue
      }
      calls.append(.map(members))
    }
    return [
      "calls": .list(asks ? [] : calls), "asked": .list(asks ? calls : []), "refused": .list(refused),
    ]
  }

  /// `tools.results`: the turns that tell a model what came of the calls that it has asked for.
  static let toolResults = BuiltinAction(signature: .toolResults) { call in
    let results = ToolResults(items: (call.input["items"]?.listValue ?? []).flatMap { $0.listValue ?? [] })
    let answer = call.input["answer"] ?? [:]
    let calls = answer["tool_calls"]?.listValue ?? []
    var turns = call.input["before"]?.listValue ?? []
    turns.append(["role": "assistant", "content": answer["text"] ?? "", "tool_calls": .list(calls)])
    for (position, asked) in calls.enumerated() {
      turns.append([
        "role": "tool", "tool_call_id": asked["id"] ?? "", "name": asked["name"] ?? "",
        "content": .string(results.words(for: asked, at: position)),
      ])
    }
    return ["turns": .list(turns)]
  }
}

/// The results of the tool calls of one model answer: the `for_each` items of the steps that ran the calls.
private struct ToolResults {
  /// More bytes of a result are not told.
  private static let limit = 64_000

  let items: [Value]

  /// The answer to the model about a call: the result as JSON, or why there is none.
  func words(for call: Value, at position: Int) -> String {
    let own = items.filter { $0["item"]?["index"] == .int(Int64(position)) }
    // Those of approvals have an outcome too; the call's own counts if there is one.
    guard let item = own.last else { return "Error: there is no tool '\(call["name"]?.stringValue ?? "")'" }
    if item["status"] == "succeeded" {
      let json = item["output"]?.json() ?? []
      guard json.count > Self.limit else { return String(decoding: json, as: UTF8.self) }
      return String(decoding: json.prefix(Self.limit), as: UTF8.self) + "… (cut; the result is longer)"
    }
    let error = item["error"]
    return "Error: \(error?["kind"]?.stringValue ?? "failed"): \(error?["message"]?.stringValue ?? "it failed")"
  }
}
