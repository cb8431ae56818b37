import Engine
import Expressions
import Localization
import Plans
import Schemas
import Synchronization
import Testing

@testable import Providers

/// Answers of language models as they come, and what is made of them.
@Suite(.timeLimit(.minutes(5))) struct AnswerCheckTests {
  private static let schema: Value = [
    "type": "object", "required": ["city", "warm"],
    "properties": ["city": ["type": "string"], "warm": ["type": "boolean"], "people": ["type": "integer"]],
  ]

  private func judge(_ text: String, _ more: ValueMap = [:]) throws -> AnswerCheck.Judgement {
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Where?", "schema": Self.schema]))
    var members: ValueMap = ["text": .string(text), "model": "m", "finish_reason": "stop", "usage": [:]]
    for entry in more.entries { members[entry.key] = entry.value }
    return check.judge(.map(members))
  }

  @Test(arguments: [
    #"{"city":"Zug","warm":true}"#, "```json\n{\"city\":\"Zug\",\"warm\":true}\n```",
    "Sure! Here it is:\n```\n{\"city\": \"Zug\", \"warm\": true}\n```\nAnything else?",
    #"The object is {"city": "Zug", "warm": true}, as you asked."#, #"{"city": "Zug", "warm": true,}"#,
    "{'city': 'Zug', 'warm': True}", "{city: \"Zug\", warm: true}",
    "{\n  // the city\n  \"city\": \"Zug\", /* warm? */ \"warm\": true\n}",
    "<think>Maybe {\"city\": 1}?</think>{\"city\":\"Zug\",\"warm\":true}",
    #"An example is {"city":"…"}. The answer: {"city":"Zug","warm":true}"#, #"{"a":1} {"city":"Zug","warm":true}"#,
    "Mind the { brace. {\"city\":\"Zug\",\"warm\":true}", "\u{FEFF}{\"city\":\"Zug\",\"warm\":true}",
    "{“city”: “Zug”, “warm”: true}", "{„city“: „Zug“, „warm“: true}", "{‘city’: ‘Zug’, ‘warm’: true}",
    #""{\"city\": \"Zug\", \"warm\": true}""#, "~~~json\n{\"city\":\"Zug\",\"warm\":true}\n~~~",
    "{\u{A0}\"city\":\u{A0}\"Zug\",\u{200B}\"warm\":true}", "{\"city\":\"Zug\",\"city\":\"Zug\",\"warm\":true}",
    String(repeating: "{\"city\":\"?\"} ", count: 12) + "{\"city\":\"Zug\",\"warm\":true}",
    "{\"city\": oops} Sorry: {\"city\":\"Zug\",\"warm\":true}",
    "{\"city\":\"Zug\",\"warm\":true}\n{city} is the place.",
  ])
  func salvagesTheObjectOfAnAnswer(_ text: String) throws {
    guard case .suits(let output) = try judge(text) else {
      Issue.record("not found")
      return
    }
    #expect(output["city"] == "Zug")
    #expect(output["warm"] == true)
    #expect(output["text"] == .string(Thoughts.separate(text).text))
    #expect(output["model"] == "m")
  }

  /// A name that the schema lists is the recipe's, whatever every answer has under that name.
  @Test func aListedNameBelongsToTheSchema() throws {
    let schema: Value = [
      "type": "object", "required": ["model"],
      "properties": [
        "model": ["type": "string"], "usage": ["type": "string"], "extractive": ["type": "integer"],
        "finish_reason": ["type": "string"], "text": ["type": "integer"],
      ],
    ]
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Which?", "schema": schema]))
    let text = #"{"model":"Golf","usage":"private","finish_reason":"rain"}"#
    let judged = check.judge([
      "text": .string(text), "model": "m", "finish_reason": "stop", "extractive": false, "usage": [:],
    ])
    guard case .suits(let output) = judged else {
      Issue.record("it suits")
      return
    }
    #expect(output["model"] == "Golf" && output["usage"] == "private" && output["finish_reason"] == "rain")
    // What the answer leaves out is missing: the service's value has another type.
    #expect(output["extractive"] == nil && output["text"] == nil)
  }

  @Test(arguments: [
    (#"{"text":"a\nb"}"#, true), ("{\"text\":\"a\nb\"}", true), ("{'text': 'x'}", true), (#"{"text":"x",}"#, true),
    (#""{\"text\":\"x\"}""#, true), ("```json\n{\"text\":\"x\"}\n```", true), ("", true), ("null", true),
    (#"{"text":"#, false), ("x", false), ("[1]", false), (#"{"text":"a"}{"text":"b"}"#, false),
  ])
  func salvagesArgumentsOfTools(_ text: String, _ isRead: Bool) throws {
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "?", "tools": [["name": "t"]]]))
    let call: Value = ["id": "1", "name": "t", "arguments": .string(text)]
    let judged = check.judge(["text": "", "finish_reason": "tool_calls", "tool_calls": [call]])
    switch judged {
    case .suits(let output):
      #expect(isRead)
      guard case .map? = output["tool_calls"]?.listValue?.first?["arguments"] else {
        Issue.record("no object")
        return
      }
    case .violates(let failure, let repair?):
      #expect(!isRead && failure.kind == .unsuitable && repair.tools == ["t"])
    default: Issue.record("neither")
    }
  }

  /// Some servers ignore the field for the schema, so the repair repeats it.
  @Test func aRepairRepeatsTheSchema() throws {
    guard case .violates(_, let repair?) = try judge("It is warm there.") else {
      Issue.record("it suits")
      return
    }
    #expect(repair.ignoresSchema)
    #expect(repair.input(["prompt": "Where?"])["prompt"]?.stringValue?.contains(#""warm""#) == true)
  }

  @Test(arguments: [
    ("<think>hm</think>\n\nHi", "Hi", "hm"), ("\n<thinking>\na < b\n</thinking>Hi", "Hi", "\na < b\n"),
    ("<think>a</think><think>b</think> Hi", "Hi", "ab"), ("[THINK]hm[/THINK]Hi", "Hi", "hm"),
    ("hm\n</think>\n\nHi", "Hi", "hm\n"), ("<think>never ends", "", "never ends"),
    ("Write `<think>x</think>`.", "Write `<think>x</think>`.", ""), ("<thin ice", "<thin ice", ""),
    ("  <", "  <", ""), ("The tag </think> ends it.", "The tag </think> ends it.", ""),
  ])
  func separatesThoughts(_ answer: String, _ text: String, _ thought: String) {
    let whole = Thoughts.separate(answer)
    #expect(whole.text == text && whole.thought == thought)
    guard thought != "hm\n" else { return }
    for size in 1...4 {
      var thoughts = Thoughts()
      var (words, ideas) = ("", "")
      var rest = Substring(answer)
      while !rest.isEmpty {
        let (text, thought) = thoughts.add(String(rest.prefix(size)))
        words += text
        ideas += thought
        rest = rest.dropFirst(size)
      }
      let end = thoughts.finish()
      #expect(words + end.text == text && ideas + end.thought == thought)
    }
  }

  @Test(arguments: [
    (#"{"city":"Zug"}"#, "'warm' is missing"), (#"{"city":7,"warm":true}"#, "city: "),
    ("Zug, I think.", "no JSON object"), (#""Zug""#, "no JSON object"),
    ("[1, 2]", "must be an object, but is a list"), ("true", "must be an object"),
    ("```json\n[{\"city\":\"Zug\",\"warm\":true}]\n```", "must be an object, but is a list"),
    (#"{"city":"Zug","warm":true,"people":NaN}"#, "people: "),
    (#"{"city":"Zug","warm":true,"people":"12"}"#, "people: "),
    ("{\n  \"city\": \"Zu\"g\",\n  \"warm\": true }", "line 2, column 15"),
    (#"{"city":null,"warm":1}"#, "city: must be"),
    (#"{"city":null,"warm":1}"#, "; warm: must be"),
    (#"{"city":"Bern","warm":false} would be wrong. {"city":"Zu"g","warm":true}"#, "line 1"),
    (#"For example {"city":"Bern","warm":false}. Here: {"city":"Zug","wa"#, "was cut"),
    ("{city: 'Zug', more: {city: 'Bern', warm: true}, note: 'and so", "was cut"),
    (#"{"city":"Zug","warm":"yes"}"#, "warm: "), ("{{{{{{", "was cut"),
    (#"{"city":"Zug","wa"#, "was cut"), (#"{"city":"Zug","warm":true,"people":"many"}"#, "people: "),
  ])
  func namesWhatIsWrongAndWhere(_ text: String, _ words: String) throws {
    guard case .violates(let failure, let repair?) = try judge(text) else {
      Issue.record("it suits")
      return
    }
    #expect(failure.kind == .unsuitable)
    #expect(failure.message.english.contains(words), "\(failure.message.english)")
    #expect(!failure.message.german.isEmpty && failure.advice != nil)
    #expect(repair.answer == text)
  }

  /// Wherever an answer ends, nothing of it is taken for the answer.
  @Test(arguments: [
    #"{"city":"Zug","warm":true,"people":12}"#, "```json\n{\"city\": \"Zug\", \"warm\": true}\n```",
    "{'city': 'Zug', warm: True}", #"Here it is: {"more":{"city":"Bern","warm":true},"city":"Zug","warm":true}"#,
    "{“city”: “Zug”, “warm”: true}",
  ])
  func anAnswerThatEndsTooEarlyIsNone(_ text: String) throws {
    let end = try #require(text.lastIndex(of: "}"))
    for cut in text[..<end].indices.dropFirst() {
      guard case .violates(let failure, .some) = try judge(String(text[..<cut])) else {
        Issue.record("\(text[..<cut])")
        continue
      }
      #expect(failure.kind == .unsuitable)
    }
    guard case .suits(let output) = try judge(text) else {
      Issue.record("the whole suits")
      return
    }
    #expect(output["city"] == "Zug")
  }

  @Test func namesFiveViolationsAndHintsAtOthers() throws {
    let names = (1...7).map { "p\($0)" }
    let properties = ValueMap(names.map { (key: .string($0), value: ["type": "string"]) })
    let schema: Value = ["type": "object", "properties": .map(properties)]
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "What?", "schema": schema]))
    let text = "{" + names.map { "\"\($0)\": 1" }.joined(separator: ",") + "}"
    guard case .violates(let failure, let repair?) = check.judge(["text": .string(text)]) else {
      Issue.record("it suits")
      return
    }
    #expect(repair.problems.count == 5)
    #expect(names.filter { failure.message.english.contains("\($0): ") }.count == 5)
    #expect(failure.message.english.hasSuffix("; …"))
  }

  @Test func doesNotBelieveAPlugin() throws {
    guard case .suits(let output) = try judge("Zug", ["city": "Zug", "warm": true]) else {
      Issue.record("its own properties suit")
      return
    }
    #expect(output["city"] == "Zug")
    guard case .violates(let failure, _) = try judge("Zug", ["city": 7, "warm": true]) else {
      Issue.record("a wrong type came through")
      return
    }
    #expect(failure.kind == .unsuitable)
    // What stands in the text counts where what the plugin made of it does not suit.
    guard case .suits(let right) = try judge(#"{"city":"Zug","warm":true}"#, ["city": 7]) else {
      Issue.record("the text suits")
      return
    }
    #expect(right["city"] == "Zug")
  }

  @Test func whatEveryAnswerHasStaysWhatItIs() throws {
    guard case .suits(let output) = try judge(#"{"city":"Zug","warm":true,"model":5,"usage":"much","text":"T"}"#) else {
      Issue.record("it suits")
      return
    }
    #expect(output["model"] == "m")
    #expect(output["usage"] == [:])
    #expect(output["text"] == "T")
  }

  /// Where nothing is required, a part of a broken answer would suit as well.
  @Test(
    arguments: [
      (#"{"summary": "a", "meta": {"summary": "inner"}, "x": "and so"#, nil),
      (#"{"summary": "a", "list": [1, 2}, "meta": {"summary": "inner"}}"#, nil),
      (#"{"summary": "it"s", "meta": {"summary": "inner"}}"#, nil),
      (#"The answer: {"summary": "right"}. Ask again with {} for more."#, "right"),
      (#"Text with { in it: {"summary": "right"}"#, "right"),
    ] as [(String, String?)])
  func aPartOfABrokenAnswerIsNoAnswer(_ text: String, _ summary: String?) throws {
    let schema: Value = [
      "type": "object", "properties": ["summary": ["type": "string"], "meta": ["type": "object"]],
    ]
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "What?", "schema": schema]))
    switch check.judge(["text": .string(text), "model": "m", "finish_reason": "stop"]) {
    case .suits(let output): #expect(output["summary"]?.stringValue == summary)
    case .violates(let failure, _):
      #expect(summary == nil)
      #expect(failure.kind == .unsuitable)
    case .misses: Issue.record("it has words")
    }
  }

  @Test func integersAreIntegersWhateverTheirForm() throws {
    guard case .suits(let output) = try judge(#"{"city":"Zug","warm":true,"people":42.0}"#) else {
      Issue.record("42.0 is an integer")
      return
    }
    #expect(output["people"] == .int(42))
    guard case .int? = output["people"] else {
      Issue.record("it cannot be counted with")
      return
    }
  }

  @Test func aRefusalIsNoAnswer() throws {
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi"]))
    let refusal: Value = ["text": "", "refusal": "I cannot help", "finish_reason": "stop"]
    guard case .misses(let failure) = check.judge(refusal) else {
      Issue.record("taken")
      return
    }
    #expect(failure.kind == .parse)
    #expect(failure.message.english.contains("I cannot help"))
    guard case .suits = check.judge(["text": "No.", "refusal": "I cannot help", "finish_reason": "stop"]) else {
      Issue.record("it has words")
      return
    }
  }

  /// The content filter stopped the answer before its first word: the model is not asked again.
  @Test func aFilteredAnswerIsAFailure() throws {
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi"]))
    guard case .misses(let failure) = check.judge(["text": "", "finish_reason": "content_filter"]) else {
      Issue.record("taken")
      return
    }
    #expect(failure.kind == .parse)
    #expect(failure.message.english.contains("content filter"))
  }

  /// Each service has its own word for it. The same provider is not asked again, as it would cut the next answer too.
  @Test(arguments: ["length", "model_length", "max_tokens", "MAX_TOKENS", "content_filter", "SAFETY"])
  func aTruncatedAnswerIsAFailure(_ reason: String) throws {
    let output: Value = ["text": "The first half", "finish_reason": .string(reason)]
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi"]))
    guard case .violates(let failure, nil) = check.judge(output) else {
      Issue.record("taken, or asked for again")
      return
    }
    #expect(failure.kind == .unsuitable)
    #expect(ActionFailure.unanswered(output, to: ["prompt": "Hi"])?.kind == .unsuitable)
    let allowing = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi", "allow_truncated": true]))
    guard case .suits = allowing.judge(output) else {
      Issue.record("the step allows it")
      return
    }
    #expect(allowing.input(["prompt": "Hi", "allow_truncated": true], passesSchemaOn: true) == ["prompt": "Hi"])
  }

  @Test func callsOfToolsInACutAnswerAreNotCarriedOut() throws {
    let input: Value = ["prompt": "Hi", "tools": [["name": "a"]], "allow_truncated": true]
    let check = try #require(AnswerCheck("chat.complete", input: input))
    let calls: Value = [
      "text": "", "finish_reason": "length", "tool_calls": [["id": "1", "name": "a", "arguments": [:]]],
    ]
    guard case .violates(let failure, nil) = check.judge(calls) else {
      Issue.record("the next call may be missing")
      return
    }
    #expect(failure.kind == .unsuitable)
  }

  /// The object has to be the whole answer: one before further words may be an example.
  @Test(arguments: [
    (#"{"city":"Zug","warm":true}"#, true), ("```json\n{\"city\":\"Zug\",\"warm\":true}\n", true),
    (#"For example {"city":"Bern","warm":false}. Now the an"#, false), (#"{"city":"Zug","wa"#, false),
  ])
  func aStructuredAnswerAtItsLimitHasToBeComplete(_ text: String, _ suits: Bool) throws {
    switch try judge(text, ["finish_reason": "length"]) {
    case .suits: #expect(suits)
    case .violates(let failure, let repair):
      #expect(!suits && failure.kind == .unsuitable && repair?.isCut == true)
    case .misses: Issue.record("it has words")
    }
  }

  @Test func anEmptyAnswerIsAFailure() throws {
    let check = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi"]))
    guard case .misses(let failure) = check.judge(["text": " \n", "finish_reason": "stop"]) else {
      Issue.record("taken")
      return
    }
    #expect(failure.kind == .unsuitable)
    #expect(failure.message.german == "leere Antwort vom Server")
    let calls: Value = ["text": "", "tool_calls": [["id": "1", "name": "a", "arguments": [:]]]]
    guard case .misses = check.judge(calls) else {
      Issue.record("nobody has offered tools")
      return
    }
    let offering = try #require(AnswerCheck("chat.complete", input: ["prompt": "Hi", "tools": [["name": "a"]]]))
    guard case .suits = offering.judge(calls) else {
      Issue.record("calls of tools need no words")
      return
    }
    #expect(AnswerCheck("embed.texts", input: [:]) == nil)
  }

  @Test func whoHasNoFormForASchemaIsToldInWords() throws {
    let input: Value = ["prompt": "Where?", "system": "Be kind.", "schema": Self.schema]
    let check = try #require(AnswerCheck("chat.complete", input: input))
    let told = check.input(input, passesSchemaOn: false)
    #expect(told["schema"] == nil)
    #expect(told["system"]?.stringValue?.hasPrefix("Be kind.\n\nAnswer with one JSON object") == true)
    #expect(told["system"]?.stringValue?.contains(#""required":["city","warm"]"#) == true)
    #expect(check.input(input, passesSchemaOn: true) == input)
  }

  /// Reading takes time in proportion to the length: forty times the text must not take four hundred times as long.
  @Test func hostileAnswersOfMegabytesAreReadInOneGo() {
    func seconds(_ text: String) -> Double {
      let clock = ContinuousClock()
      return clock.measure { _ = SalvagedAnswer(text) } / .seconds(1)
    }
    for piece in ["{", "{\"a\":", "'", "{'a': 'it's", "/* ", "{\"a\": [1,2,"] {
      let short = max(seconds(String(repeating: piece, count: 10_000)), 0.001)
      #expect(seconds(String(repeating: piece, count: 400_000)) < short * 400, "\(piece)")
    }
  }

  // MARK: - Calls

  /// Gives one answer to every call, and remembers what it was asked.
  private final class Model: StepProvider {
    let answer: Value
    let passesSchemaOn: Bool
    let asked = Mutex<[Value]>([])

    init(_ answer: Value, passesSchemaOn: Bool = true) {
      self.answer = answer
      self.passesSchemaOn = passesSchemaOn
    }

    func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
      asked.withLock { $0.append(request.input) }
      return answer
    }

    func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
      .unknown
    }

    func passesOn(_ field: String, of action: String) -> Bool { passesSchemaOn }
  }

  private final class Lines: ActionReporter {
    let lines = Mutex<[String]>([])

    func log(_ level: Engine.LogLevel, _ message: String) { lines.withLock { $0.append(message) } }
    func progress(done: UInt64, total: UInt64, label: String) {}
    func delta(_ delta: Value) {}
  }

  private static func request(_ input: Value) -> ActionRequest {
    ActionRequest(run: RunID(rawValue: "R"), step: "a", attempt: 1, action: "chat.complete", input: input, key: "k")
  }

  private func failure(
    of provider: ChatProvider, _ input: Value, reporter: any ActionReporter = Lines()
  ) async -> ActionFailure? {
    do throws(ActionFailure) {
      _ = try await provider.perform(Self.request(input), reporter: reporter)
      return nil
    } catch {
      return error
    }
  }

  @Test func aRepairQuotesTheAnswerAndWhatIsWrong() async throws {
    let provider = ChatProvider(base: Model(["text": #"{"city":7}"#]))
    let input: Value = ["prompt": "Where?", "input": "A letter.", "schema": Self.schema]
    guard case .repairable(let asked)? = await failure(of: provider, input)?.flaw else {
      Issue.record("it is not repairable")
      return
    }
    #expect(asked["messages"]?.listValue?.map { $0["role"] } == ["user", "assistant"])
    #expect(asked["messages"]?.listValue?.first?["content"] == "Where?\n\nA letter.")
    #expect(asked["messages"]?.listValue?.last?["content"] == #"{"city":7}"#)
    #expect(asked["prompt"]?.stringValue?.contains("city: ") == true)
    #expect(asked["input"] == nil)
    #expect(asked["schema"] == Self.schema)
  }

  @Test func theTextOfATruncatedAnswerIsLogged() async throws {
    let lines = Lines()
    let provider = ChatProvider(base: Model(["text": "Half of\nit", "finish_reason": "length"]))
    let failure = await failure(of: provider, ["prompt": "Where?"], reporter: lines)
    #expect(failure?.kind == .unsuitable)
    if case .final? = failure?.flaw {} else { Issue.record("it would be asked again") }
    #expect(lines.lines.withLock { $0.contains { $0.contains("Half of ⏎ it") } })
  }

  @Test func aSchemaInWordsFollowsTheInstructionsOfTheProvider() async throws {
    let model = Model(["text": "{}"], passesSchemaOn: false)
    let provider = ChatProvider(base: model, defaults: ["system": "Be brief."])
    _ = try await provider.perform(Self.request(["prompt": "x", "schema": ["type": "object"]]), reporter: Lines())
    let first = model.asked.withLock { $0.first }
    let asked = try #require(first)
    #expect(asked["schema"] == nil)
    let words = AnswerCheck.schemaLead + #"{"type":"object"}"#
    #expect(asked["system"] == .string("Be brief.\n\n" + words))
  }

  @Test func defaultsFillInWhatTheCallDoesNotSay() async throws {
    let model = Model(["text": "x"])
    let provider = ChatProvider(base: model, defaults: ["system": "Be brief.", "temperature": 0.3])
    _ = try await provider.perform(Self.request(["prompt": "x", "temperature": 1.5]), reporter: Lines())
    let turns: Value = [["role": "system", "content": "I am told"], ["role": "user", "content": "x"]]
    _ = try await provider.perform(Self.request(["messages": turns]), reporter: Lines())
    let asked = model.asked.withLock { $0 }
    #expect(asked.first?["temperature"] == 1.5 && asked.first?["system"] == "Be brief.")
    #expect(asked.last?["temperature"] == 0.3 && asked.last?["system"] == nil)
  }
}
