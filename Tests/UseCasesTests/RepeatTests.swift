import Engine
import Foundation
import RunStore
import TestWorkspace
import Testing
import UseCases

/// Runs that are repeated, and which text of their recipe counts.
@Suite(.timeLimit(.minutes(5))) struct RepeatTests {
  private let place: Place

  init() async throws {
    place = try Place()
    try write("exit 1")
    let outcome = try await place.withSession { try await $0.run("fx.yaml") }
    #expect(outcome.result.status == .failed)
  }

  private func write(_ command: String, name: String = "fx", id: String = "b") throws {
    try place.write(
      "fx.yaml",
      """
      name: \(name)
      steps:
        - { id: a, uses: exec.idempotent, with: { command: [sh, -c, "echo a >>ledger"] } }
        - { id: \(id), uses: exec.read, with: { command: [sh, -c, "\(command)"] }, retry: 1 }
      """)
  }

  /// How a repeated run ended, and which recipe it was told to be repeated with.
  private struct Answer: Equatable {
    var status: RunStatus
    var recipe: WorkspaceEvent.RepeatedRecipe?

    init(_ status: RunStatus, _ recipe: WorkspaceEvent.RepeatedRecipe?) {
      self.status = status
      self.recipe = recipe
    }
  }

  private func retry(from step: String? = nil) async throws -> Answer {
    let outcome = try await place.withSession { try await $0.retry("last", from: step) }
    var recipe: WorkspaceEvent.RepeatedRecipe?
    for await event in place.events {
      if case .repeats(_, let found) = event { recipe = found }
      if case .run(outcome.result.id, .journal(.runFinished)) = event { break }
    }
    return Answer(outcome.result.status, recipe)
  }

  @Test func aMendedRecipeCountsAndItsTextIsKept() async throws {
    try write("true")
    #expect(try await retry() == Answer(.succeeded, .changed))
    #expect(place.text("ledger") == "a\n")
    try place.write("fx.yaml", "nonsense: [")
    #expect(try await retry(from: "a") == Answer(.succeeded, .keptAsFileIsUnusable))
    #expect(place.text("ledger") == "a\na\n")
  }

  @Test func ofAnUnchangedRecipeNothingIsTold() async throws {
    #expect(try await retry() == Answer(.failed, nil))
  }

  @Test(arguments: [("fx", "other"), ("another", "b")])
  func anotherRecipeIsNotTakenForTheRunsOwn(_ change: (name: String, id: String)) async throws {
    try write("echo wrong >>ledger", name: change.name, id: change.id)
    #expect(try await retry() == Answer(.failed, .keptAsFileHasOtherSteps))
    #expect(place.text("ledger") == "a\n")
    try FileManager.default.removeItem(atPath: place.folder + "/fx.yaml")
    #expect(try await retry() == Answer(.failed, .keptAsFileIsUnusable))
  }

  @Test func aReplayTakesTheTextOfTheRunAndDoesNothingOutside() async throws {
    try write("true")
    let outcome = try await place.withSession { try await $0.replay("last") }
    #expect(outcome.result.status == .failed)
    #expect(place.text("ledger") == "a\n")
  }

  @Test func aStepThatTheRunDoesNotHaveIsRefused() async throws {
    let answer = await code { _ = try await place.withSession { try await $0.retry("last", from: "c") } }
    #expect(answer == "step_not_found")
  }
}
