import PluginKit
import Testing

@testable import ModelWire

struct RequestFormTests {
  private static let schema: JSONValue = [
    "type": "object", "required": ["city"], "properties": ["city": ["type": "string"]],
  ]

  private func learned(
    _ message: String, status: Int = 400, parameter: String? = nil, options: JSONObject? = nil
  ) -> (RequestForm, String?) {
    var form = RequestForm()
    var error: JSONObject = ["message": .string(message)]
    if let parameter { error["param"] = .string(parameter) }
    let failure = ServiceFailure(status: status, body: Array(JSONValue.object(["error": .object(error)]).json.utf8))
    var body = CompletionBody(model: "m", turns: [ChatTurn(role: .user, content: "Hi")])
    body.members["max_tokens"] = 5
    body.members["temperature"] = 0
    body.members["stream"] = true
    body.members["stream_options"] = [:]
    body.members["response_format"] = CompletionBody.responseFormat(Self.schema, isStrict: true)
    let change = form.learn(from: failure, body: body.members, options: options)
    return (form, change)
  }

  @Test(arguments: [
    ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "limit"),
    ("temperature: Extra inputs are not permitted", "temperature"),
    ("Unknown parameter: 'stream_options'.", "stream_options"),
    ("Your organization must be verified to stream this model.", "stream"),
    ("'response_format.type' must be 'json_object' or 'text'", "object"),
    ("Invalid schema for response_format 'answer': 'additionalProperties' is required", "loose"),
    ("System role not supported", "system"), ("Conversation roles must alternate user/assistant", "joins"),
    ("Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", "ids"),
    // A value that is wrong is the recipe's matter.
    ("temperature: Input should be less than or equal to 2", nil),
    ("max_tokens is too large: 99999. This model supports at most 16384 completion tokens.", nil),
    ("This model's maximum context length is 8192 tokens.", nil),
  ])
  func learnsFromARefusal(_ message: String, _ change: String?) {
    let (form, words) = learned(message)
    #expect((words == nil) == (change == nil))
    switch change {
    case "limit": #expect(form.limit == "max_completion_tokens")
    case "object": #expect(form.schema == .object)
    case "loose": #expect(form.schema == .loose)
    case "system": #expect(form.foldsSystem)
    case "joins": #expect(form.joinsTurns)
    case "ids": #expect(form.shortensIDs)
    case let name?: #expect(form.leftOut == [name])
    case nil: #expect(form == RequestForm())
    }
  }

  @Test func leavesAloneWhatTheRecipeHasWrittenItself() {
    let (form, words) = learned("temperature is not supported", options: ["temperature": 1])
    #expect(form == RequestForm() && words == nil)
    #expect(learned("response_format is not supported", status: 429).1 == nil)
  }

  @Test func putsTheSchemaIntoThePrompt() {
    var form = RequestForm()
    form.schema = .words
    form.foldsSystem = true
    var body = CompletionBody(
      model: "m", turns: [ChatTurn(role: .system, content: "Be kind."), ChatTurn(role: .user, content: "Hi")])
    var input = ChatInput()
    input.schema = Self.schema
    body.apply(input)
    form.apply(to: &body, input)
    let messages = body.members["messages"]?.array ?? []
    #expect(body.members["response_format"] == nil)
    #expect(messages.count == 1)
    let words = messages.first?["content"]?.string ?? ""
    #expect(words.hasPrefix("Be kind.") && words.contains(#""city""#) && words.hasSuffix("Hi"))
  }

  @Test func mapsIDsOfCalls() {
    let call = { (id: String) in ToolCall(id: id, name: "t", arguments: [:]) }
    func turns(_ ids: [String]) -> [ChatTurn] {
      [ChatTurn(role: .assistant, content: "", toolCalls: ids.map(call))]
        + ids.map { ChatTurn(role: .tool, content: "", toolCallID: $0) }
    }
    // Sous makes `call_1` in each round, and models give two calls one id.
    let mapped = ToolCallIDs.mapped(turns(["call_1"]) + turns(["call_1", "x", "x"]), ToolCallIDs.short)
    let asked = mapped.flatMap { $0.toolCalls.map(\.id) }
    #expect(asked == mapped.compactMap(\.toolCallID))
    #expect(Set(asked).count == 4)
    #expect(asked.allSatisfy { $0.count == 9 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
    #expect(ToolCallIDs.short("abcDEF123") == "abcDEF123")
  }

  @Test(arguments: [
    // Index 0 for all, with ids or without; whole calls without index.
    (
      [
        #"{"index":0,"id":"a","function":{"name":"t","arguments":"{}"}}"#,
        #"{"index":0,"id":"b","function":{"name":"t","arguments":"{}"}}"#,
      ], 2
    ),
    (
      [
        #"{"index":0,"function":{"name":"t","arguments":"{}"}}"#,
        #"{"index":0,"function":{"name":"t","arguments":"{}"}}"#,
      ], 2
    ),
    ([#"{"function":{"name":"t","arguments":"{}"}}"#, #"{"function":{"name":"t","arguments":"{}"}}"#], 2),
    // One call whose id and name come with each piece.
    (
      [
        #"{"index":0,"id":"a","function":{"name":"t","arguments":"{\"x\""}}"#,
        #"{"index":0,"id":"a","function":{"name":"t","arguments":":1}"}}"#,
      ], 1
    ),
    (
      [
        #"{"index":0,"id":"a","function":{"name":"t","arguments":"{\"x\""}}"#,
        #"{"index":0,"function":{"arguments":":1}"}}"#,
      ], 1
    ),
  ])
  func tellsParallelCallsApart(_ fragments: [String], _ count: Int) throws {
    var calls = ToolCallFragments()
    for fragment in fragments { try calls.add(try JSONValue(json: Array(fragment.utf8))) }
    #expect(try calls.finished().count == count)
  }
}
