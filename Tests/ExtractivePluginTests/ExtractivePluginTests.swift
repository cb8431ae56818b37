import PluginKit
import PluginKitTesting
import Testing

@testable import ExtractivePlugin

struct ExtractivePluginTests {
  private func complete(_ input: JSONValue) async throws -> JSONValue {
    try await InMemoryHost().open(ExtractivePlugin.self).call("chat.complete", input)
  }

  private func fill(_ properties: JSONValue, required: JSONValue = [], text: String = SummaryTests.english)
    async throws -> JSONValue
  {
    let schema: JSONValue = ["type": "object", "properties": properties, "required": required]
    return try await complete(["task": "summarise", "input": .string(text), "schema": schema])
  }

  @Test func answersInTheShapeOfTheContract() async throws {
    let output = try await complete([
      "task": "summarise", "prompt": "Summarise", "input": .string(SummaryTests.english),
    ])
    guard case .object(let members) = output else {
      Issue.record("no object")
      return
    }
    #expect(Set(members.keys) == ["text", "model", "finish_reason", "extractive", "usage"])
    #expect(output["model"] == "extractive")
    #expect(output["extractive"] == true)
    #expect(output["finish_reason"] == "stop")
    #expect(output["usage"] == ["prompt_tokens": 0, "completion_tokens": 0])
    #expect(output["text"]?.string?.hasPrefix("The board meets") == true)
  }

  @Test func listsItsOneModel() async throws {
    let output = try await InMemoryHost().open(ExtractivePlugin.self).call("chat.models")
    #expect(output["models"]?.array?.map { $0["id"] } == ["extractive"])
  }

  @Test func saysInItsManifestThatItIsNoModel() throws {
    let manifest = try JSONValue(json: Array(Manifest.json(of: ExtractivePlugin.self).utf8))
    #expect(manifest["id"] == "extractive")
    #expect(manifest["contracts"] == ["chat/1"])
    #expect(manifest["summary"]?.string?.lowercased().contains("extractive") == true)
    #expect(manifest["summary"]?.string?.contains("no language model") == true)
    #expect(manifest["actions"]?.array?.compactMap { $0["name"]?.string } == ["chat.complete", "chat.models"])
    #expect(manifest["actions"]?.array?.map { $0["tasks"] } == [["summarise", "classify", "extract"], nil])
  }

  @Test func worksOnTheInputAlone() async throws {
    let output = try await complete([
      "task": "summarise", "prompt": "P.", "system": "S.", "input": "I.", "temperature": 0.5, "model": "other",
      "messages": [["role": "user", "content": "M."]], "keywords": ["a": 1],
    ])
    #expect(output["text"] == "I.")
  }

  /// What needs a model; an answer cut from the text would be a wrong one that looks right.
  @Test(
    arguments: [
      ["prompt": "Correct this text.", "input": "Teh text."], ["prompt": "Why is the sky blue?"],
      ["task": "correct", "prompt": "notes", "input": "Teh text."], ["task": "write", "input": "A text."],
      ["messages": [["role": "user", "content": "Translate: Guten Tag"]]],
      ["prompt": "Which?", "input": "A text.", "schema": ["properties": ["category": ["type": "string"]]]],
    ] as [JSONValue])
  func refusesWhatNeedsAModelAndEchoesNothing(_ input: JSONValue) async throws {
    await #expect {
      _ = try await complete(input)
    } throws: { error in
      guard let error = error as? ActionError else { return false }
      let words = "\(error.message) \(error.messageGerman ?? "")"
      return error.kind == .unsupported && error.advice?.contains("ollama") == true && error.adviceGerman != nil
        && !["Correct this", "sky", "Teh", "Guten", "Which"].contains { words.contains($0) }
    }
  }

  @Test(arguments: ["summarise", "classify", "extract"])
  func refusesToWorkOnAPromptInPlaceOfAText(_ task: String) async throws {
    for input: JSONObject in [
      ["prompt": "P."], ["input": " \n "], ["messages": []], ["messages": [["role": "user", "content": "A."]]],
    ] {
      var input = input
      input["task"] = .string(task)
      input["schema"] = ["properties": ["category": ["enum": ["a", "b"]]]]
      await #expect {
        _ = try await complete(.object(input))
      } throws: { error in
        let error = error as? ActionError
        return error?.kind == .invalidInput && error?.advice != nil && error?.adviceGerman != nil
      }
    }
  }

  @Test(arguments: ["classify", "extract"])
  func needsASchemaThatSaysWhatToLookFor(_ task: String) async throws {
    await #expect {
      _ = try await complete(["task": .string(task), "input": .string(SummaryTests.english)])
    } throws: { ($0 as? ActionError)?.kind == .invalidInput }
  }

  @Test func textOfAClassificationIsItsObject() async throws {
    let output = try await complete([
      "task": "classify", "input": "Your invoice of 20 francs is due.",
      "schema": [
        "type": "object", "properties": ["category": ["enum": ["invoice", "other"]]], "required": ["category"],
      ],
    ])
    #expect(output["category"] == "invoice")
    #expect(output["text"] == #"{"category":"invoice"}"#)
  }

  @Test func boundsTheSummaryByTokens() async throws {
    let output = try await complete([
      "task": "summarise", "input": .string(SummaryTests.english), "max_tokens": 10,
    ])
    let text = try #require(output["text"]?.string)
    #expect(text.count <= 40)
    #expect(
      try await complete(["task": "summarise", "input": "A b c.", "max_tokens": .integer(.max)])["text"] == "A b c.")
  }

  @Test func fillsWhatTheDigestAsksFor() async throws {
    let output = try await fill(
      ["summary": ["type": "string"], "needs_reply": ["type": "boolean"]], required: ["summary", "needs_reply"])
    #expect(output["needs_reply"] == true)
    #expect(output["summary"] == output["text"])
  }

  static let table: [(name: String, schema: JSONValue, expected: JSONValue)] = [
    ("Zusammenfassung", ["type": "string", "maxLength": 12], "The board…"),
    ("needsReply", ["type": "boolean"], true),
    ("question", ["type": "string"], "Could you send me your figures for the lighting and the panels by Friday?"),
    (
      "action_items", ["type": "array", "items": ["type": "string"]],
      ["Could you send me your figures for the lighting and the panels by Friday?"]
    ),
    ("language", ["type": "string"], "en"),
    ("Sprache", ["enum": ["Deutsch", "Englisch"]], "Englisch"),
    ("language", ["enum": ["de-CH", "en-GB"]], "en-GB"),
    ("category", ["enum": ["invoice", "personal", "other"]], "other"),
    ("title", ["type": "string"], "The board meets on the 18th and I have to present the budget for the reading…"),
    ("word_count", ["type": "integer"], 47),
    ("sentence_count", ["type": "integer"], 5),
    ("needs_reply", ["enum": ["ja", "nein"]], "ja"),
    (
      "key_points", ["type": "array", "maxItems": 1],
      ["The board meets on the 18th and I have to present the budget for the reading room."]
    ),
    ("urgent", ["type": "boolean"], false),
    ("sentiment", ["enum": ["positive", "neutral", "negative"]], "neutral"),
    ("score", ["type": "number", "minimum": 1], 1),
    ("amount", ["type": ["number", "null"]], nil),
    ("amount", ["anyOf": [["type": "null"], ["type": "number"]]], nil),
    ("version", ["const": 3], 3),
    ("mood", ["type": "string", "default": "calm"], "calm"),
    ("mood", ["type": "string"], ""),
    ("list", ["type": "array"], []),
    ("flag", ["type": "boolean"], false),
    ("nested", ["type": "object", "properties": ["language": ["type": "string"]]], ["language": "en"]),
    ("nothing", [:], nil),
  ]

  @Test(arguments: table)
  func fillsPropertiesByNameAndType(_ name: String, _ schema: JSONValue, _ expected: JSONValue) async throws {
    let output = try await fill(.object([name: schema]), required: .array([.string(name)]))
    #expect(output[name] == expected)
  }

  @Test func leavesOutOptionalPropertiesItDoesNotUnderstand() async throws {
    let output = try await fill(["mood": ["type": "string"], "amount": ["type": ["number", "null"]]])
    guard case .object(let members) = output else {
      Issue.record("no object")
      return
    }
    #expect(!members.keys.contains("mood"))
    #expect(members["amount"] == .some(.null))
  }

  @Test func fillsRequiredPropertiesThatAreNotDescribed() async throws {
    let output = try await fill([:], required: ["summary", "mystery"])
    #expect(output["summary"] == output["text"])
    #expect(output["mystery"] == .null)
  }

  @Test func keepsTheFieldsOfTheContract() async throws {
    let output = try await fill(
      [
        "model": ["type": "string"], "usage": ["type": "string"], "extractive": ["type": "boolean"],
        "text": ["type": "integer"],
      ],
      required: ["model", "usage", "extractive", "text"])
    #expect(output["model"] == "extractive")
    #expect(output["extractive"] == true)
    #expect(output["usage"] == ["prompt_tokens": 0, "completion_tokens": 0])
    #expect(output["text"]?.string != nil)
  }

  @Test func survivesDeepAndOddSchemas() async throws {
    var schema: JSONValue = ["type": "string"]
    for _ in 0..<100 { schema = ["type": "object", "properties": ["a": schema], "required": ["a"]] }
    #expect(try await complete(["task": "summarise", "input": "A b.", "schema": schema])["a"] != nil)
    for odd: JSONValue in [[:], ["properties": 3], ["properties": ["a": 3], "required": "a"], ["type": 7]] {
      #expect(try await complete(["task": "summarise", "input": "A b.", "schema": odd])["text"] == "A b.")
    }
  }
}
