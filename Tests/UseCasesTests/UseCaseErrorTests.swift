import Engine
import Expressions
import Foundation
import Localization
import RecipePlanning
import RunStore
import TestWorkspace
import Testing
import UseCases

/// What is wrong is told by one code for each kind, whoever asks.
@Suite(.timeLimit(.minutes(5))) struct UseCaseErrorTests {
  private static let recipe = """
    name: x
    inputs: { n: { type: integer, default: 1 } }
    steps:
      - { id: a, uses: template, with: { text: "{{ string(inputs.n) }}" } }
    """

  struct Wrong: Sendable, CustomTestStringConvertible {
    var code: String
    var configuration: String? = "providers: {}\n"
    var recipe = UseCaseErrorTests.recipe
    var order: @Sendable (inout RunOrder) -> Void = { _ in }
    var testDescription: String { code }
  }

  static let wrong: [Wrong] = [
    Wrong(code: "invalid_configuration", configuration: "providers: [\n"),
    Wrong(code: "invalid_recipe", recipe: "name: x\nstpes: []\n"),
    Wrong(code: "invalid_recipe") { $0.recipe = "absent.yaml" },
    Wrong(code: "input_invalid") { $0.inputs = ["m": .int(1)] },
    Wrong(code: "input_invalid") { $0.inputs = ["n": "many"] },
    Wrong(code: "wrong_input") { $0.typedInputs = [Assignment("n", "many")] },
    Wrong(code: "wrong_input") { $0.keywords = [Assignment("k", "v")] },
    Wrong(code: "wrong_input") { $0.inputsFile = "absent.jsonl" },
  ]

  @Test(arguments: wrong) func nothingBeginsThatIsWrong(_ wrong: Wrong) async throws {
    let place = try Place(configuration: wrong.configuration)
    try place.write("x.yaml", wrong.recipe)
    var order = RunOrder("x.yaml")
    wrong.order(&order)
    let answer = await code { [order] in _ = try Project(try place.workspace).check(order) }
    #expect(answer == wrong.code)
    #expect(!FileManager.default.fileExists(atPath: place.folder + "/.sous"))
  }

  @Test func allThatIsWrongComesWithTheError() async throws {
    let place = try Place()
    try place.write("x.yaml", "name: x\nstpes: []\nsetps: []\n")
    do {
      _ = try Project(try place.workspace).check(RunOrder("x.yaml"))
      Issue.record("it can run")
    } catch let error as UseCaseError {
      #expect(error.recipe == "x.yaml")
      #expect((error.planning?.diagnostics.count ?? 0) >= 2)
    }
  }

  @Test func everyWrongLineOfAFileIsNamedAndNothingIsQueued() async throws {
    let place = try Place()
    try place.write("x.yaml", Self.recipe)
    try place.write("items.jsonl", "{\"n\": 1}\n{\"n\": \"many\"}\nnonsense\n{\"x\": 1}\n")
    var order = RunOrder("x.yaml")
    order.inputsFile = "items.jsonl"
    do {
      _ = try Project(try place.workspace).check(order)
      Issue.record("it was taken")
    } catch let error as UseCaseError {
      #expect(error.code == .invalidInput)
      for line in 2...4 { #expect(error.message.english.contains("items.jsonl:\(line): ")) }
    }
  }

  @Test func everyLineOfAFileIsARunInItsOrder() async throws {
    let place = try Place()
    try place.write("x.yaml", Self.recipe)
    try place.write("items.jsonl", "{\"n\": 3}\n\n{\"n\": 1}\r\n{}")
    var order = RunOrder("x.yaml")
    order.inputs = ["n": .int(5)]
    order.inputsFile = "items.jsonl"
    try await place.withSession { [order] session in
      let runs = try await session.enqueue(try session.project.check(order)).map(\.run)
      #expect(runs.count == 3 && runs == runs.sorted())
      var inputs: [Value?] = []
      for run in runs { inputs.append(try await session.store.run(run.rawValue).inputs["n"]) }
      #expect(inputs == [.int(3), .int(1), .int(5)])
    }
  }

  @Test func aRunLogThatIsNotThereIsMissing() async throws {
    let place = try Place()
    #expect(await code { _ = try await place.workspace.runLog { try await $0.run("last") } } == "database_missing")
    #expect(try await place.workspace.runLog({ try await $0.runs().count }, ifMissing: { 0 }) == 0)
  }

  @Test func aStateFolderThatIsAFileIsRefused() async throws {
    let place = try Place()
    try place.write(".sous", "")
    #expect(await code { _ = try place.workspace } == "environment")
  }

  @Test func runsInTheWrongStateAreRefused() async throws {
    let place = try Place()
    try place.write("x.yaml", Self.recipe)
    try place.write("wait.yaml", "name: wait\nsteps:\n  - { id: w, uses: wait_for, with: { event: e } }\n")
    try await place.withSession { session in
      #expect(await code { _ = try await session.resume("last") } == "run_not_found")
      _ = try await session.run("x.yaml")
      #expect(await code { _ = try await session.resume("last") } == "run_state")
      #expect(await code { _ = try await session.cancel("last") } == "run_state")
      #expect(await code { _ = try await session.settle(DoubtChoice("last"), .notDone, by: "Ada") } == "run_state")
      try await session.enqueue("wait.yaml")
      #expect(await code { _ = try await session.retry("last") } == "run_state")
      #expect(await code { _ = try await Decisions(session.store).approve(.init("last"), by: "Ada") } == "run_state")
    }
  }

  @Test func aProviderThatIsNotThereIsNamed() async throws {
    let place = try Place()
    #expect(await code { _ = try Project(try place.workspace).chatProviders(named: "nobody") } == "unknown_provider")
  }
}
