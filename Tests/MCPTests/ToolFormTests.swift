import Expressions
import Localization
import Testing

@testable import MCP

/// Tools of recipes, forms of questions, resources and results, as clients see them.
@Suite struct ToolFormTests {
  private func recipe(_ name: String, _ tool: Value = ["name": .null], problems: [Value] = []) -> Value {
    ["name": .string(name), "path": .string("/r/\(name).yaml"), "tool": tool, "problems": .list(problems)]
  }

  @Test func namesOfToolsAreValidAndUnique() {
    let recipes = [
      recipe("list_runs"), recipe("Rechnung für Ämter"), recipe("a b"), recipe("a-b", ["name": "a_b"]),
      recipe("closed", .null), recipe("broken", problems: ["no"]), recipe(""),
    ]
    let names = RecipeTools.names(of: recipes, besides: ["list_runs"])
    #expect(names.map(\.tool) == ["Rechnung_f_r__mter", "a_b", "a_b_2", "list_runs_2", "recipe"])
    #expect(names.map(\.tool) == RecipeTools.names(of: recipes.reversed(), besides: ["list_runs"]).map(\.tool))
  }

  @Test func inputsAndOutputsBecomeSchemas() {
    let tool = RecipeTools.tool(
      "weather",
      [
        "name": "weather", "summary": "Says the weather.", "tool": ["description": .null],
        "inputs": [
          ["name": "city", "schema": ["type": "string"], "required": true],
          ["name": "days", "schema": ["type": "integer", "default": 1], "required": false],
        ], "outputs": [["name": "text", "schema": ["type": ["string", "null"]]]],
      ], in: .english)
    #expect(tool.summary == "Says the weather.")
    #expect(tool.input["required"] == ["city"])
    #expect(tool.input["properties"]?["days"]?["default"] == 1)
    #expect(tool.output?["required"] == ["text"])
    #expect(tool.value(.november2025)["execution"]?["taskSupport"] == "optional")
    #expect(tool.value(.july2026)["execution"] == nil)
  }

  @Test func builtInToolsKeepTheirOrder() {
    let names = BuiltInTools.all(in: .english).map(\.name)
    #expect(
      names == [
        "list_recipes", "show_recipe", "run_recipe", "list_runs", "show_run", "list_decisions", "answer_decision",
        "cancel_run",
      ])
    #expect(BuiltInTools.all(in: .german).map(\.name) == names)
  }

  private func question(_ properties: Value) -> Value {
    [
      "step": "ask", "item": .null, "since": "2026-01-01T00:00:00Z", "message": "Pay?",
      "form": ["type": "object", "properties": properties],
    ]
  }

  @Test func aFlatFormIsShownWithTheDecision() throws {
    let form = try #require(
      QuestionForm(
        question([
          "amount": ["type": "number", "minimum": 0, "exclusiveMaximum": 9], "way": ["enum": ["cash", "card"]],
          "day": ["type": "string", "format": "date"], "mail": ["type": "string", "format": "mail-folder"],
        ])))
    let properties = form.schema(in: .english)["properties"]
    #expect(properties?["sous_decision"]?["enum"] == ["approve", "reject"])
    #expect(properties?["amount"] == ["type": "number", "minimum": 0])
    #expect(properties?["way"] == ["type": "string", "enum": ["cash", "card"]])
    #expect(properties?["day"]?["format"] == "date")
    #expect(properties?["mail"]?["format"] == nil)
  }

  @Test func theFormHasTheRequiredFieldsOfTheQuestion() throws {
    var question = question(["amount": ["type": "number"], "note": ["type": "string"]]).mapValue ?? [:]
    var form = question["form"]?.mapValue ?? [:]
    form["required"] = ["amount", "unknown"]
    question["form"] = .map(form)
    let shown = try #require(QuestionForm(.map(question))).schema(in: .english)
    #expect(shown["required"] == ["sous_decision", "amount"])
  }

  @Test func nestedFormsAreNotShown() {
    #expect(QuestionForm(question(["list": ["type": "array", "items": [:]]])) == nil)
    #expect(QuestionForm(question(["map": ["type": "object"]])) == nil)
    #expect(QuestionForm(question(["mixed": ["type": ["string", "null"]]])) == nil)
  }

  @Test func onlyADecisionOfThePersonCounts() throws {
    let form = try #require(QuestionForm(question(["amount": ["type": "number"]])))
    func body(_ action: String, _ content: Value) -> Value? {
      form.body(PersonsAnswer(["action": .string(action), "content": content]))
    }
    #expect(
      body("accept", ["sous_decision": "approve", "amount": 3, "other": 1])
        == ["approved": true, "step": "ask", "fields": ["amount": 3]])
    #expect(
      body("accept", ["sous_decision": "reject", "sous_reason": "no"])
        == ["approved": false, "step": "ask", "reason": "no"])
    #expect(body("accept", ["amount": 3]) == nil)
    #expect(body("decline", ["sous_decision": "approve"]) == nil)
    #expect(body("cancel", [:]) == nil)
  }

  @Test(arguments: [
    ("sous://runs/01A", AssistantResource.run("01A")), ("sous://runs/01A/log", .log("01A")),
    ("sous://recipes/a%20b%2Fc", .recipe("a b/c")),
  ]) func resourcesHaveAddresses(_ uri: String, _ resource: AssistantResource) {
    #expect(AssistantResource(uri: uri) == resource)
    #expect(resource.uri == uri)
  }

  @Test(arguments: [
    "", "sous://", "sous://runs", "sous://runs/", "sous://runs/a/b", "sous://notes/1", "file:///etc/passwd",
    "sous://runs/%zz", "sous://runs/01A/log/x",
  ]) func otherAddressesAreNotResources(_ uri: String) { #expect(AssistantResource(uri: uri) == nil) }

  @Test func aReportHasTheEndOfALongLog() async throws {
    let operations = FakeOperations()
    let lines = (0..<3000).map { "line \($0) " + String(repeating: "x", count: 900) }
    operations.change { state in
      state.runs = ["R"]
      state.lines = lines
      // Long enough to be cut, with which the log would lose its end.
      state.steps = .list((0..<5000).map { ["id": .string("step \($0) " + String(repeating: "y", count: 200))] })
    }
    let report = try await RunReport(operations).detail("R")
    let log = report["log"]?.listValue?.compactMap(\.stringValue) ?? []
    #expect(log.last?.hasSuffix(lines[2999]) == true && !log.isEmpty)
    #expect(ToolResult.trimmed(report) == report)
    #expect(operations.calls("listLogs").map(\.query) == [["last": .int(Int64(RunReport.lines))]])
    #expect(RunReport.end(of: lines, bytes: 2000).last == lines.last)
    #expect(RunReport.end(of: [String(repeating: "z", count: 100_000)], bytes: 10_000).count == 1)
  }

  @Test func largeResultsAreCut() {
    let large: Value = ["log": .list((0..<5000).map { .string("line \($0) " + String(repeating: "x", count: 500)) })]
    let result = ToolResult.trimmed(large)
    #expect(result.jsonSize <= ToolResult.limit)
    #expect(result["log"]?.listValue?.last?.stringValue?.contains("5000 elements") == true)
    let huge = Value.map(ValueMap((0..<100_000).map { (key: .string("key\($0)"), value: .int(1)) }))
    #expect(ToolResult.trimmed(huge)["omitted_bytes"] != nil)
  }
}
