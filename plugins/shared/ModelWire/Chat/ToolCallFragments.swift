public import PluginKit

/// Puts calls of tools together from the fragments in which they are streamed.
///
/// Fragments belong together by `index`. Where a server gives none, a new `id` begins a new call, and what has no `id`
/// goes on with the last. A call whose arguments are an object is whole.
public struct ToolCallFragments: Sendable {
  /// More calls than this in one answer are a defect of the server.
  public static let maximumCount = 128

  private struct Call: Sendable {
    var index: Int64?
    var id = ""
    var name = ""
    var text = ""
    var object: JSONValue?
  }
  private var calls: [Call] = []

  /// Creates an empty collection.
  public init() {}

  /// Whether no call has begun.
  public var isEmpty: Bool { calls.isEmpty }

  /// Takes one element of `tool_calls`: `{index?, id?, function: {name?, arguments?}}`; `arguments` is text, or an object.
  ///
  /// - Throws: `protocol` if there are too many calls.
  public mutating func add(_ fragment: JSONValue) throws(ActionError) {
    let place = try place(of: fragment)
    if let id = fragment["id"]?.string, !id.isEmpty { calls[place].id = id }
    let function = fragment["function"]
    // Some servers repeat the name in every fragment, none sends it in pieces.
    if let name = function?["name"]?.string, !name.isEmpty { calls[place].name = name }
    switch function?["arguments"] {
    case .string(let text): calls[place].text += text
    case .object(let members): calls[place].object = .object(members)
    default: break
    }
  }

  private mutating func place(of fragment: JSONValue) throws(ActionError) -> Int {
    let index = fragment["index"]?.integer
    let isWhole = if case .object? = fragment["function"]?["arguments"] { true } else { false }
    let id = fragment["id"]?.string ?? ""
    if isWhole {
      // Begins a new one.
    } else if let index {
      if let known = calls.firstIndex(where: { $0.index == index }) { return known }
    } else if let last = calls.indices.last {
      if id.isEmpty || calls[last].id == id { return last }
    }
    guard calls.count < Self.maximumCount else {
      throw ActionError(
        .protocol, "The model asked for more than \(Self.maximumCount) tools at once.",
        german: "Das Modell verlangte mehr als \(Self.maximumCount) Werkzeuge auf einmal.")
    }
    calls.append(Call(index: index))
    return calls.count - 1
  }

  /// The calls, complete; one without an id gets `call_1`, `call_2` and so on by its place.
  ///
  /// - Parameter isCut: Whether the answer was cut at its limit, as the next one would be.
  /// - Throws: `unsuitable` where arguments are not JSON object, or a call has no name, since the next answer may be better;
  ///   `parse` where the answer was cut.
  public func finished(isCut: Bool = false) throws(ActionError) -> [ToolCall] {
    var result: [ToolCall] = []
    for (place, call) in calls.enumerated() {
      guard !call.name.isEmpty else {
        throw ActionError(
          isCut ? .parse : .unsuitable, "The model asked for a tool without naming it.",
          german: "Das Modell verlangte ein Werkzeug, ohne es zu nennen.")
      }
      result.append(
        ToolCall(
          id: call.id.isEmpty ? "call_\(place + 1)" : call.id, name: call.name,
          arguments: try arguments(of: call, isCut)))
    }
    return result
  }

  private func arguments(of call: Call, _ isCut: Bool) throws(ActionError) -> JSONValue {
    if let object = call.object, call.text.isEmpty { return object }
    if call.text.allSatisfy(\.isWhitespace) { return [:] }
    guard let value = try? JSONValue(json: Array(call.text.utf8)), case .object = value else {
      throw ActionError(
        isCut ? .parse : .unsuitable, "The arguments the model gave for the tool '\(call.name)' are not a JSON object.",
        german: "Die Argumente, die das Modell für das Werkzeug '\(call.name)' angab, sind kein JSON-Objekt.",
        advice:
          "Use a model that is better at calling tools; a longer max_tokens helps if it was cut.",
        adviceGerman:
          "Ein Modell nehmen, das Werkzeuge besser beherrscht; wurde abgeschnitten, hilft ein größeres max_tokens.")
    }
    return value
  }
}
