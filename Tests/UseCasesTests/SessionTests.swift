import Engine
import Expressions
import Foundation
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import RunStore
import TestWorkspace
import Testing
import UseCases

/// What can be done to runs, through the library alone.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
  private let place: Place

  init() throws { place = try Place() }

  private static let greeting = """
    name: greeting
    inputs: { name: { type: string, default: world } }
    steps:
      - { id: greet, uses: template, with: { text: "Hello, {{ inputs.name }}!" } }
    outputs: { text: "{{ steps.greet.output.text }}" }
    """

  private static let question = """
    name: question
    steps:
      - id: ask
        uses: approve
        with: { message: "Pay?", form: { type: object, properties: { amount: { type: integer } } } }
    outputs: { amount: "{{ steps.ask.output.fields.amount }}" }
    """

  @Test func aQueuedRunIsWorkedOnAndShown() async throws {
    try place.write("greeting.yaml", Self.greeting)
    try await place.withSession { session in
      let run = try #require(try await session.enqueue("greeting.yaml", ["name": "Ada"]))
      #expect(try await session.store.status(of: run) == .queued)
      try await session.workUntilIdle()
    }
    let record = try await place.workspace.runLog { try await $0.run("last") }
    #expect(record.summary.status == .succeeded)
    #expect(record.outputs["text"] == "Hello, Ada!")
  }

  @Test func aNameLeadsToTheFileWithErrors() async throws {
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    try place.write("recipes/bad.yaml", "name: bad\nsteps:\n  - { id: a, uses: log, with: { mesage: hello } }\n")
    try place.write("recipes/file.yaml", "name: other\nsteps:\n  - { id: a, uses: log, with: { message: hello } }\n")
    try await place.withSession { session throws in
      let project = session.project
      let broken = #expect(throws: UseCaseError.self) { try project.plan("bad") }
      #expect(broken?.code == .invalidRecipe)
      #expect(broken?.planning?.diagnostics.first { $0.severity == .error }?.range?.start.line == 3)
      let other = try project.plan("other")
      #expect(other.name == "other")
      let moved = #expect(throws: UseCaseError.self) { try project.plan("file") }
      #expect(moved?.message.english.contains("is called 'other'") == true)
      let missing = #expect(throws: UseCaseError.self) { try project.plan("othr") }
      #expect(missing?.message.english.contains("no recipe 'othr' in ") == true)
      #expect(missing?.message.english.contains("'other'?") == true)
    }
  }

  @Test func aRunInTheForegroundTellsWhatHappens() async throws {
    try place.write("greeting.yaml", Self.greeting)
    let outcome = try await place.withSession { try await $0.run("greeting.yaml") }
    #expect(outcome.result.status == .succeeded)
    #expect(outcome.result.outputs["text"] == "Hello, world!")
    var kinds: [String] = []
    for await event in place.events {
      switch event {
      case .begins: kinds.append("begins")
      case .run(outcome.result.id, .journal(.stepFinished)): kinds.append("step")
      case .run(outcome.result.id, .journal(.runFinished)): kinds.append("end")
      default: break
      }
      if kinds.last == "end" { break }
    }
    #expect(kinds == ["begins", "step", "end"])
  }

  @Test func aDecisionLetsAWaitingRunResume() async throws {
    try place.write("question.yaml", Self.question)
    try await place.withSession { session in
      try await session.enqueue("question.yaml")
      try await session.workUntilIdle()
      let decisions = Decisions(session.store)
      #expect(try await Decisions.open(in: session.store).map(\.step) == ["ask"])
      _ = try await decisions.approve(.init("last"), fields: [Assignment("amount", "7")], by: "Ada")
      #expect(try await Decisions.open(in: session.store).isEmpty)
      let outcome = try await session.resume("last")
      #expect(outcome.result.status == .succeeded)
      #expect(try await outcome.record().outputs["amount"] == .int(7))
    }
  }

  @Test func aRejectedDecisionFailsTheRun() async throws {
    try place.write("question.yaml", Self.question)
    try await place.withSession { session in
      try await session.enqueue("question.yaml")
      try await session.workUntilIdle()
      _ = try await Decisions(session.store).reject(.init("last"), reason: "too much", by: "Ada")
      #expect(try await session.resume("last").result.status == .failed)
    }
  }

  @Test func anEventReachesTheRunThatWaitsForIt() async throws {
    try place.write("wait.yaml", "name: wait\nsteps:\n  - { id: w, uses: wait_for, with: { event: paid } }\n")
    try await place.withSession { session in
      let events = Events(session.store)
      guard case .dropped(let waits) = try await events.deliver("paid"), waits.isEmpty else {
        Issue.record("somebody waits for it")
        return
      }
      let run = try await session.enqueue("wait.yaml")
      try await session.workUntilIdle()
      guard case .kept(let others) = try await events.deliver("other") else {
        Issue.record("it is not kept")
        return
      }
      #expect(others.map(\.wait.event) == ["paid"])
      guard case .taken(let taker) = try await events.deliver("paid") else {
        Issue.record("nobody takes it")
        return
      }
      #expect(taker == run)
      #expect(try await session.resume("last").result.status == .succeeded)
    }
  }

  @Test func aWaitingRunIsCancelled() async throws {
    try place.write("question.yaml", Self.question)
    try await place.withSession { session in
      try await session.enqueue("question.yaml")
      try await session.workUntilIdle()
      guard case .done(let outcome) = try await session.cancel("last") else {
        Issue.record("somebody else works on it")
        return
      }
      #expect(outcome.result.status == .cancelled)
      #expect(await code { _ = try await session.cancel("last") } == "run_state")
    }
  }

  /// Interrupts a run while its first step is under way.
  private func interrupt(_ session: Session) async throws -> RunOutcome {
    let work = Task { try await session.run("slow.yaml") }
    try await place.wait(for: "begun")
    work.cancel()
    return try await work.value
  }

  private func writeSlow(_ action: String) throws {
    let command = "echo begun >>ledger; test -e begun && exit 0; touch begun; sleep 60"
    try place.write(
      "slow.yaml",
      """
      name: slow
      steps:
        - { id: slow, uses: \(action), retry: 1, with: { command: [sh, -c, "\(command)"] } }
        - { id: done, uses: template, with: { text: done } }
      """)
  }

  @Test func anInterruptedRunIsResumed() async throws {
    try writeSlow("exec.read")
    try await place.withSession { session in
      let interrupted = try await interrupt(session)
      #expect(interrupted.result.status == .interrupted)
      #expect(try await session.resume("last").result.status == .succeeded)
    }
    #expect(place.text("ledger") == "begun\nbegun\n")
  }

  @Test func anUnknownOutcomeIsSettledByAPerson() async throws {
    try writeSlow("exec")
    try await place.withSession { session in
      var outcome = try await interrupt(session)
      if outcome.result.status == .interrupted { outcome = try await session.resume("last") }
      #expect(outcome.result.status == .needsAttention)
      #expect(try await session.doubts(DoubtChoice()).map(\.step) == ["slow"])
      #expect(await code { _ = try await session.settle(DoubtChoice(), .done(.int(1)), by: "Ada") } == "wrong_input")
      _ = try await session.settle(DoubtChoice("last"), .done(nil), by: "Ada")
      #expect(await code { _ = try await session.settle(DoubtChoice(), .notDone, by: "Ada") } == "run_state")
      #expect(try await session.resume("last").result.status == .succeeded)
    }
    #expect(place.text("ledger") == "begun\n")
  }

  @Test func severalWorkspacesAreOpenInOneProcess() async throws {
    let other = try Place()
    for place in [place, other] { try place.write("greeting.yaml", Self.greeting) }
    let runs = try await place.withSession { first in
      try await other.withSession { second in
        async let one = first.run("greeting.yaml", ["name": "one"])
        async let two = second.run("greeting.yaml", ["name": "two"])
        return try await [one.record(), two.record()]
      }
    }
    #expect(runs.map { $0.outputs["text"] } == ["Hello, one!", "Hello, two!"])
    for (place, run) in zip([place, other], runs) {
      let ids = try await place.workspace.runLog { try await $0.runs() }.map(\.id)
      #expect(ids == [run.summary.id])
    }
  }
}
