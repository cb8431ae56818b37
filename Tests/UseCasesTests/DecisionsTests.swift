import Engine
import Expressions
import Localization
import RunStore
import TestWorkspace
import Testing
import UseCases

/// Which decision is meant, and what its form takes.
@Suite(.timeLimit(.minutes(5))) struct DecisionsTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Works with a run that asks for something.
  private func asking(_ form: String?, _ body: (Session) async throws -> Void) async throws {
    let form = form.map { ", form: \($0)" } ?? ""
    try place.write(
      "ask.yaml",
      """
      name: ask
      steps:
        - { id: ok, uses: approve, with: { message: "Pay?"\(form) } }
      outputs: { fields: "{{ steps.ok.output.fields }}" }
      """)
    try await place.withSession { session in
      try await session.enqueue("ask.yaml")
      try await session.workUntilIdle()
      try await body(session)
    }
  }

  private static let closed =
    "{ type: object, properties: { amount: { type: number, default: 100 }, note: { type: string } } }"

  struct Refusal: Sendable {
    var form: String?
    var fields: [String]
    var word: String
  }

  static let refusals: [Refusal] = [
    Refusal(form: closed, fields: ["amuont=5"], word: "'amount'"),
    Refusal(form: closed, fields: ["amount=5", "amount=6"], word: "twice"),
    Refusal(form: closed, fields: ["note=a", "note=a"], word: "twice"),
    Refusal(form: nil, fields: ["amount=5"], word: "amount"),
    Refusal(form: "{ type: object }", fields: ["amount=5"], word: "amount"),
    Refusal(
      form: "{ type: object, properties: { a: { type: string } }, additionalProperties: false }", fields: ["b=5"],
      word: "'b'"),
    Refusal(form: "{ type: object, additionalProperties: { type: integer } }", fields: ["b=x"], word: "'b'"),
  ]

  private func assignments(_ texts: [String]) -> [Assignment] {
    texts.map { text in
      let parts = text.split(separator: "=")
      return Assignment(String(parts[0]), String(parts[1]))
    }
  }

  @Test(arguments: refusals) func aFieldThatNobodyAskedForIsRefused(_ refusal: Refusal) async throws {
    try await asking(refusal.form) { session in
      do {
        _ = try await Decisions(session.store).approve(
          .init("last"), fields: assignments(refusal.fields), by: "Ada")
        Issue.record("it was taken")
      } catch let error as UseCaseError {
        #expect(error.code == .wrongInput)
        #expect(error.message.english.contains(refusal.word), "\(error)")
      }
      #expect(try await session.store.run("last").summary.status == .waiting)
    }
  }

  @Test func aFormMayLeaveItsFieldsOpen() async throws {
    let form = "{ type: object, properties: { a: { type: string } }, additionalProperties: { type: integer } }"
    try await asking(form) { session in
      _ = try await Decisions(session.store).approve(.init("last"), fields: assignments(["a=1", "b=2"]), by: "Ada")
      try await session.workUntilIdle()
      let fields = try await session.store.run("last").outputs["fields"]
      #expect(fields?["a"] == "1")
      #expect(fields?["b"] == .int(2))
    }
  }

  @Test func theWholeStandsForThePartThatAsks() async throws {
    try await asking(nil) { session in
      try place.write("whole.yaml", "name: whole\nsteps:\n  - { id: part, uses: recipe, with: { recipe: ask } }\n")
      let whole = try await session.enqueue("whole.yaml")
      try await session.workUntilIdle()
      let decisions = Decisions(session.store)
      #expect(try await decisions.approve(.init("last"), by: "Ada").run == whole)
      // Not that of the other run of the same recipe.
      #expect(try await Decisions.open(in: session.store).count == 1)
      try await session.workUntilIdle()
      #expect(try await session.store.run("last").summary.status == .succeeded)
    }
  }

  @Test func whereSeveralAreOpenOneIsNamed() async throws {
    try place.write(
      "two.yaml",
      """
      name: two
      steps:
        - { id: a, uses: approve, with: { message: "A?" } }
        - { id: b, uses: approve, with: { message: "B?" }, needs: [] }
      """)
    try await place.withSession { session in
      try await session.enqueue("two.yaml")
      try await session.workUntilIdle()
      let decisions = Decisions(session.store)
      #expect(await code { _ = try await decisions.approve(.init("last"), by: "Ada") } == "run_state")
      #expect(try await decisions.approve(.init("last", step: "b"), by: "Ada").wait.step == "b")
      #expect(await code { _ = try await decisions.approve(.init("last", step: "b"), by: "Ada") } == "run_state")
    }
  }
}
