import Builtins
import Engine
import Expressions
import Foundation
import Plans
import RecipeModel
import RecipeSyntax
import Schemas
import Synchronization
import TestSupport
import Testing

/// When a message has its turn.
@Suite(.timeLimit(.minutes(5))) struct OutboxActionsTests {

  private final class NoReport: ActionReporter {
    func log(_ level: LogLevel, _ message: String) {}
    func progress(done: UInt64, total: UInt64, label: String) {}
    func delta(_ delta: Value) {}
  }

  private let store = MemoryStateStore()

  private func call(
    _ action: ActionSignature, _ input: Value, _ outbox: String = "{}", at now: String = "2026-11-23T10:00:00Z"
  ) async throws -> Value {
    let (configuration, problems) = Configuration.parse(SourceText(path: "sous.yaml", text: "outbox: \(outbox)\n"))
    #expect(problems.isEmpty)
    var surroundings = BuiltinSurroundings(outbox: configuration.outbox, time: SetTime(now) ?? SetTime())
    surroundings.state = ProviderRecipeState(store) { _ in false }
    #expect(action.input.validate(input).isEmpty)
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "a", attempt: 1, action: action.name, input: input, key: "R.a", recipe: "mail",
      recipePath: "")
    let output = try await BuiltinActions(surroundings).perform(request, reporter: NoReport())
    #expect(action.output.validate(output).isEmpty)
    return output
  }

  private func turn(
    _ time: String, _ outbox: String = "{}", account: String = "work", isUrgent: Bool = false,
    at now: String = "2026-11-23T10:00:00Z"
  ) async throws -> Value {
    try await call(
      .outboxTurn, ["time": .string(time), "account": .string(account), "urgent": .bool(isUrgent)], outbox, at: now)
  }

  @Test(
    arguments: [
      (["at": "2026-11-23T12:00:00Z", "undo_for": 60.0], "2026-11-23T12:00:00.000Z"),
      (["at": "2026-11-23T10:00:10Z", "undo_for": 60.0], "2026-11-23T10:01:00.000Z"),
      (["at": "2026-11-20T12:00:00Z", "undo_for": 0.0], "2026-11-20T12:00:00.000Z"),
      (["undo_for": 0.0], "2026-11-23T10:00:00.000Z"), ([:], "2026-11-23T10:00:30.000Z"),
      (["at": "now", "undo_for": 60.0], "2026-11-23T10:00:00.000Z"),
    ] as [(Value, String)])
  func aMessageIsDueAtItsTimeAndNoSoonerThanItCanBeTakenBack(_ input: Value, _ wanted: String) async throws {
    let due = try await call(.outboxDue, input, "{ undo_for: 30s }")
    #expect(due == ["time": .string(wanted), "urgent": .bool(input["at"] == "now")])
  }

  @Test func wordsThatAreNoTimeFail() async throws {
    await #expect(throws: ActionFailure.self) { _ = try await call(.outboxDue, ["at": "when it suits"]) }
  }

  @Test func aLateMessageAsks() async throws {
    #expect(try await turn("2026-11-22T10:00:01Z")["question"] == "")
    #expect(try await turn("2026-11-22T09:59:59Z")["question"] != "")
    #expect(try await turn("2026-11-23T08:00:00Z", "{ late: 1h }")["question"] != "")
    #expect(try await turn("2026-11-23T08:00:00Z", "{ late: 1h }", isUrgent: true)["question"] == "")
  }

  @Test func whatIsDueInQuietHoursIsLateFromTheirEndOn() async throws {
    let night = "{ late: 1h, quiet: \"22:00-07:00 UTC\" }"
    let due = "2026-11-23T23:00:00Z"
    #expect(try await turn(due, night, at: "2026-11-24T06:50:00Z")["time"] == "2026-11-24T07:00:00.000Z")
    #expect(try await turn(due, night, at: "2026-11-24T07:50:00Z")["question"] == "")
    #expect(try await turn(due, night, at: "2026-11-24T08:10:00Z")["question"] != "")
  }

  @Test func quietHoursAndTheRateDelay() async throws {
    let night = "{ rate: 20/min, quiet: \"22:00-07:00 UTC\" }"
    #expect(try await turn("2026-11-23T10:00:00Z", night)["time"] == "2026-11-23T10:00:00.000Z")
    #expect(try await turn("2026-11-23T10:00:00Z", night)["time"] == "2026-11-23T10:00:03.000Z")
    #expect(try await turn("2026-11-23T10:00:00Z", night, account: "other")["time"] == "2026-11-23T10:00:00.000Z")
    // What has no place before the quiet hours comes after them, in order.
    let late = "2026-11-23T21:59:58Z"
    for wanted in ["2026-11-23T21:59:58.000Z", "2026-11-24T07:00:00.000Z", "2026-11-24T07:00:03.000Z"] {
      #expect(try await turn(late, night, at: late)["time"] == .string(wanted))
    }
    #expect(
      try await turn(late, night, isUrgent: true, at: "2026-11-23T23:00:00Z")["time"] == "2026-11-23T23:00:00.000Z")
  }

  /// The time of the turn has passed while nobody worked.
  @Test func aMessageThatMissedItsTurnIsLookedAtOnceMore() async throws {
    let settings = "{ rate: 1/h, quiet: \"22:00-07:00 UTC\" }"
    func check(at now: String) async throws -> Value {
      try await call(
        .outboxTurn, ["time": "2026-11-24T07:00:00Z", "account": "work", "urgent": false, "has_slot": true], settings,
        at: now)
    }
    #expect(try await check(at: "2026-11-28T07:00:00Z")["question"] != "")
    // Not late, but at night; and twice, as it takes no other place.
    for _ in 0..<2 {
      #expect(
        try await check(at: "2026-11-24T23:00:00Z") == ["time": "2026-11-25T07:00:00.000Z", "question": ""])
    }
    #expect(try await check(at: "2026-11-24T07:00:01Z") == ["time": "2026-11-24T07:00:01.000Z", "question": ""])
  }

  @Test func ofManyAtOnceEachHasItsOwnTurn() async throws {
    let turns = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<40 {
        group.addTask { try await turn("2026-11-23T10:00:00Z", "{ rate: 1/s }")["time"]?.stringValue ?? "" }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(turns.count == 40)
  }
}
