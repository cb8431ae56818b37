import Builtins
import Engine
import Expressions
import Localization
import Testing

/// The reasons of a mail filter are in both languages, from the step that fails to the end of the run.
@Suite struct FilterReasonTests {
  private static func perform(_ action: String, _ input: Value) async throws -> Value {
    let caller = BuiltinCaller(BuiltinSurroundings())
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "a", attempt: 1, action: action, input: input, key: "R.a", recipe: "test")
    return try await caller.actions.perform(request, reporter: caller.report)
  }

  private static func failure(_ input: Value) async throws -> ActionFailure {
    try #require(await #expect(throws: ActionFailure.self) { _ = try await perform("mail.result", input) })
  }

  @Test func aFailedActionKeepsItsReasonInBothLanguages() async throws {
    let items: Value = [
      [
        "status": "failed", "item": ["uid": "7"],
        "error": ["kind": "io", "message": "the disk is full", "message_de": "der Platz reicht nicht"],
      ]
    ]
    let outcome = try await Self.perform(
      "mail.outcome", ["uids": ["7"], "rule": "save", "parts": [["action": "save", "items": items]]])
    let failure = try await Self.failure(["failed": [outcome["failed"] ?? []]])
    #expect(failure.message.german.contains("der Platz reicht nicht") && !failure.message.german.contains("disk"))
    #expect(failure.message.english.contains("the disk is full") && !failure.message.english.contains("Platz"))
  }

  /// Changes of all messages of a rule, of an account, messages that are left, and those about which nothing could be decided.
  @Test(
    arguments: [
      ["changes": [["action": "move", "rule": "r", "error": ["message": "english", "message_de": "deutsch"]]]],
      ["changes": [["account": "work", "error": ["message": "english", "message_de": "deutsch"]]]],
      ["left": [[["uid": "1", "reason": "english", "reason_de": "deutsch", "failed": true]]]],
      ["left": [[["uid": "1", "reason": "english", "reason_de": "deutsch", "gone": true]]]],
      ["undecided": [[["uid": "1", "rule": "r", "error": "english", "error_de": "deutsch"]]]],
      ["undecided": [[["uid": "1", "rule": "", "error": "english", "error_de": "deutsch"]]]],
    ] as [Value])
  func everyReasonIsInTheLanguageOfTheReader(_ input: Value) async throws {
    let message = try await Self.failure(input).message
    #expect(message.german.contains("deutsch") && !message.german.contains("english"))
    #expect(message.english.contains("english") && !message.english.contains("deutsch"))
  }

  /// A reason without a German form, as plugins of others give it, is the same in both languages.
  @Test func aReasonWithoutGermanIsKept() async throws {
    let message = try await Self.failure(["left": [[["uid": "1", "reason": "as it came", "failed": true]]]]).message
    #expect(message.german.contains("as it came"))
  }
}
