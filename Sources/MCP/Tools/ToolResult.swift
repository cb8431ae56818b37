import Expressions
import Localization

/// Results of tools: `{content, structuredContent, isError}`.
enum ToolResult {
  /// The most bytes of a result. Clients refuse events of server-sent events beyond a mebibyte.
  static let limit = 300_000

  /// A result with a value, as text too for clients that know no structured results.
  static func success(_ value: Value, links: [Value] = [], isError: Bool = false) -> ValueMap {
    let value = trimmed(value)
    return [
      "content": .list([["type": "text", "text": .string(value.jsonString)]] + links), "structuredContent": value,
      "isError": .bool(isError),
    ]
  }

  /// A result that says why a call failed, so that the model can do better.
  ///
  /// - Parameter run: The run that the call has started; `nil` if it has started none.
  static func failure(
    _ code: String, _ message: LocalizedText, in language: Language, run: String? = nil
  ) -> ValueMap {
    var meta: ValueMap = ["sous/code": .string(code)]
    if let run { meta["sous/run"] = .string(run) }
    return [
      "content": [["type": "text", "text": .string("\(code): \(message.string(in: language))")]], "isError": true,
      "_meta": .map(meta),
    ]
  }

  /// A link to a run.
  static func link(_ run: String, _ recipe: String) -> Value {
    [
      "type": "resource_link", "uri": .string(AssistantResource.run(run).uri), "name": .string("\(recipe) \(run)"),
      "mimeType": "application/json",
    ]
  }

  /// A value that fits into a result: long texts and lists are cut, and say so.
  ///
  /// - Parameter limit: The most bytes, as JSON.
  static func trimmed(_ value: Value, limit: Int = limit) -> Value {
    for (text, list) in [(20_000, 500), (2000, 100), (300, 20)] where value.jsonSize > limit {
      let shorter = cut(value, text: text, list: list, depth: 0)
      if shorter.jsonSize <= limit { return shorter }
    }
    return value.jsonSize <= limit ? value : ["omitted_bytes": .int(Int64(value.jsonSize))]
  }

  private static func cut(_ value: Value, text: Int, list: Int, depth: Int) -> Value {
    guard depth < 40 else { return .null }
    switch value {
    case .string(let string) where string.utf8.count > text:
      return .string(string.prefix(text / 4) + "… (\(string.utf8.count) bytes)")
    case .list(let elements):
      let kept = elements.prefix(list).map { cut($0, text: text, list: list, depth: depth + 1) }
      return .list(kept + (elements.count > list ? [.string("… (\(elements.count) elements)")] : []))
    case .map(let map):
      return .map(
        ValueMap(map.entries.map { (key: $0.key, value: cut($0.value, text: text, list: list, depth: depth + 1)) }))
    default: return value
    }
  }
}
