public import PluginKit

/// Puts calls of tools together from the fragments in which they are streamed.
///
/// Fragments belong together by `index`, or by `id` if they have no index; a fragment with neither continues the last call. Some
/// servers give all parallel calls the index 0, and some give no ids: another id, or a name after complete arguments, begins
/// another call.
public struct ToolCallFragments: Sendable {
  /// More calls than this in one answer are a defect of the server.
  public static let maximumCount = 128

  private struct Call: Sendable {
    var index: Int64?
    var id = ""
    var name = ""
    var text = ""
    var object: JSONValue?

    /// Whether the arguments are complete, so that another name cannot belong to this call.
    var isComplete: Bool { object != nil || ToolCallFragments.object(of: text) != nil }
  }
  private var calls: [Call] = []

  /// Creates an empty collection.
  public init() {}

  /// Whether no call has begun.
  public var isEmpty: Bool { calls.isEmpty }

  /// Takes one element of `tool_calls`: `{index?, id?, function: {name?, arguments?}}`; `arguments` is text, or an object.
  ///
  /// - Parameters:
  ///   - fragment: The element.
  ///   - isWhole: Whether it is a complete call, as in an answer that is not streamed.
  /// - Throws: `protocol` if there are too many calls.
  public mutating func add(_ fragment: JSONValue, isWhole: Bool = false) throws(ActionError) {
    let place = isWhole ? try begin(fragment["index"]?.integer) : try place(of: fragment)
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
    if case .object? = fragment["function"]?["arguments"] { return try begin(index) }
    let id = fragment["id"]?.string ?? ""
    let name = fragment["function"]?["name"]?.string ?? ""
    let known =
      index == nil && !id.isEmpty
      ? calls.lastIndex { $0.id == id } : calls.lastIndex { index == nil || $0.index == index }
    guard let known else { return try begin(index) }
    let call = calls[known]
    if id.isEmpty || call.id.isEmpty {
      return !name.isEmpty && call.isComplete ? try begin(index) : known
    }
    guard call.id != id else { return known }
    // Of several calls with one index the id decides.
    if let same = calls.lastIndex(where: { $0.index == index && $0.id == id }) { return same }
    return try begin(index)
  }

  private mutating func begin(_ index: Int64?) throws(ActionError) -> Int {
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
  /// Arguments that are not a JSON object are passed on as text: the host salvages them, or asks the model again.
  ///
  /// - Parameter isCut: Whether the answer was cut at its limit, as the next one would be.
  /// - Throws: `unsuitable` where a call has no name, since the next answer may be better; `parse` where the answer was cut.
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
          id: call.id.isEmpty ? "call_\(place + 1)" : call.id, name: call.name, arguments: Self.arguments(of: call)))
    }
    return result
  }

  private static func arguments(of call: Call) -> JSONValue {
    if let object = call.object, call.text.isEmpty { return object }
    if call.text.allSatisfy(\.isWhitespace) { return [:] }
    return object(of: call.text) ?? .string(call.text)
  }

  private static func object(of text: String) -> JSONValue? {
    guard let value = try? JSONValue(json: Array(text.utf8)), case .object = value else { return nil }
    return value
  }
}
