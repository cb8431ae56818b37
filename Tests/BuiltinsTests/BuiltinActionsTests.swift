import Builtins
import Engine
import Expressions
import Localization
import Plans
import Schemas
import Testing

@Suite(.timeLimit(.minutes(5))) struct BuiltinActionsTests {
  private struct Silence: ActionReporter {
    func log(_ level: LogLevel, _ message: String) {}
    func progress(done: UInt64, total: UInt64, label: String) {}
    func delta(_ delta: Value) {}
  }

  private func perform(_ action: String, _ input: Value) async throws -> Value {
    try await BuiltinActions().perform(
      ActionRequest(run: RunID(rawValue: "R"), step: "a", attempt: 1, action: action, input: input, key: "R.a"),
      reporter: Silence())
  }

  private func message(_ subject: String, category: String, human: Bool, bulk: Bool = false) -> Value {
    [
      "subject": .string(subject), "category": .string(category), "human": .bool(human), "bulk": .bool(bulk),
    ]
  }

  @Test func aTemplateGivesItsText() async throws {
    #expect(try await perform("template", ["text": "Grüezi"]) == ["text": "Grüezi"])
  }

  @Test func messagesAreSortedByCategoryAndPeopleStandApart() async throws {
    let anna = message("Hallo", category: "people", human: true)
    let team = message("News", category: "newsletter", human: true, bulk: true)
    let bill = message("Rechnung", category: "invoice", human: false)
    let output = try await perform("mail.classify", ["messages": [anna, team, bill]])
    #expect(output["people"] == [anna])
    #expect(output["others"] == [team, bill])
    #expect(output["counts"] == ["people": 1, "newsletter": 1, "invoice": 1])
    #expect(output["categories"]?["invoice"] == [bill])
  }

  @Test func countsNameTheMostFrequentCategoryFirst() async throws {
    let messages = [
      message("a", category: "invoice", human: false), message("b", category: "people", human: true),
      message("c", category: "people", human: true),
    ]
    let output = try await perform("mail.classify", ["messages": .list(messages)])
    #expect(output["counts"]?.mapValue?.keys == [.string("people"), .string("invoice")])
  }

  @Test func anUnknownActionIsRefused() async {
    await #expect(throws: ActionFailure(.unsupported, .init(verbatim: ""))) {
      _ = try await perform("mail.conjure", [:])
    }
  }

  @Test func everyActionIsFoundByItsName() {
    let actions = BuiltinActions()
    #expect(Set(actions.signatures.map(\.name)).count == actions.signatures.count)
    for signature in actions.signatures { #expect(actions.signature(named: signature.name)?.name == signature.name) }
    #expect(actions.signature(named: "exec.conjure") == nil)
    #expect(actions.signature(named: "") == nil)
  }

  @Test(arguments: BuiltinActions().signatures.map(\.name))
  func everyActionHasSoundSchemas(name: String) throws {
    let signature = try #require(BuiltinActions().signatures.first { $0.name == name })
    #expect(signature.isBuiltin)
    #expect(signature.input.problems().isEmpty)
    #expect(signature.output.problems().isEmpty)
  }
}
