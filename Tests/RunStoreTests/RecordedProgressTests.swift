import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

/// What whoever resumes a run is told of the reasons for which it stands where it does.
@Suite(.timeLimit(.minutes(5)))
struct RecordedProgressTests {
  let folder: TemporaryFolder
  let store: RunStore
  let run = RunID(rawValue: "01A")

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private static let failure = ActionFailure(
    .rateLimited, LocalizedText("slow down", de: "langsamer"), advice: LocalizedText("wait", de: "warten"))

  @Test(arguments: [RunTurn.Reason.succeeded, .cancelled, .failed(failure, step: 1), .failed(failure, step: nil)])
  func theReasonForWhichARunTurnedComesBack(reason: RunTurn.Reason) async throws {
    let outputs: Value = ["text": .string(String(repeating: "x", count: 10_000))]
    try await store.record([SampleRun.started("01A")], durability: .committed)
    #expect(try await store.snapshot(of: run).turn == nil)
    try await store.record(
      [.runTurned(RunTurn(run: run, reason: reason, outputs: outputs, at: SampleRun.time(5)))], durability: .committed)
    let turn = try #require(try await store.snapshot(of: run).turn)
    #expect(String(reflecting: turn.reason) == String(reflecting: reason))
    #expect(turn.outputs == outputs)
    #expect(turn.at == SampleRun.time(5))
    try await store.close()
  }

  @Test func theOutputOfAFailureComesBackWithStepAttemptAndTurn() async throws {
    var failure = Self.failure
    failure.output = ["status": 3, "stderr": .string(String(repeating: "x", count: 20_000))]
    let (start, at) = (SampleRun.started("01A"), SampleRun.time(1))
    try await store.record(
      [
        start, .stepStarted(run: run, step: 0, itemCount: nil, at: at),
        .attemptStarted(
          AttemptStart(run: run, step: 0, item: nil, number: 1, kind: .builtin, key: "k", inputBytes: 0, at: at)),
        .attemptFinished(
          AttemptEnd(
            run: run, step: 0, item: nil, number: 1, failure: failure, outputBytes: 0, duration: 0, retryDelay: nil,
            at: at)),
        .stepFinished(StepEnd(run: run, step: 0, status: .failed, failure: failure, at: at)),
        .runTurned(RunTurn(run: run, reason: .failed(failure, step: 0), at: at)),
      ], durability: .committed)
    let snapshot = try await store.snapshot(of: run)
    #expect(snapshot.steps[0].failure?.output == failure.output)
    #expect(snapshot.steps[0].units.first?.lastAttempt?.failure?.output == failure.output)
    guard case .failed(let turned, 0)? = snapshot.turn?.reason else {
      Issue.record("the run has not turned")
      return
    }
    #expect(turned.output == failure.output)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("PRAGMA foreign_keys = ON; DELETE FROM runs")
    #expect(try await probe.number("SELECT count(*) FROM failure_outputs") == 0)
    try await store.close()
  }

  @Test func aFailureWithoutAnOutputHasNotThatOfAnEarlierAttempt() async throws {
    var first = Self.failure
    first.output = ["status": 3]
    let at = SampleRun.time(1)
    var entries = [SampleRun.started("01A"), .stepStarted(run: run, step: 0, itemCount: nil, at: at)]
    for (number, failure) in [(1, first), (2, Self.failure)] {
      entries += [
        .attemptStarted(
          AttemptStart(run: run, step: 0, item: nil, number: number, kind: .builtin, key: "k", inputBytes: 0, at: at)),
        .attemptFinished(
          AttemptEnd(
            run: run, step: 0, item: nil, number: number, failure: failure, outputBytes: 0, duration: 0,
            retryDelay: nil, at: at)),
      ]
    }
    try await store.record(entries, durability: .committed)
    let last = try #require(try await store.snapshot(of: run).steps[0].units.first?.lastAttempt)
    #expect(last.number == 2 && last.failure != nil && last.failure?.output == nil)
    try await store.close()
  }

  @Test func theFailureOfARunKeepsItsOutput() async throws {
    var failure = Self.failure
    failure.output = ["status": 3]
    let end = RunEnd(run: run, status: .failed, outputs: .map([:]), failure: failure, at: SampleRun.time(2))
    try await store.record([SampleRun.started("01A"), .runFinished(end)], durability: .committed)
    #expect(try await store.result(of: run)?.failure?.output == ["status": 3])
    try await store.close()
  }

  @Test func aTurnGoesWithItsRun() async throws {
    try await store.record(
      [SampleRun.started("01A"), .runTurned(RunTurn(run: run, reason: .cancelled, at: SampleRun.time(5)))],
      durability: .committed)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("PRAGMA foreign_keys = ON; DELETE FROM runs")
    #expect(try await probe.number("SELECT count(*) FROM turns") == 0)
    try await store.close()
  }

  @Test(arguments: [AttemptKind.provider("recipe"), .builtin, .recipe, .cache, .replay, .carried])
  func whatAnswersAnAttemptComesBack(kind: AttemptKind) async throws {
    let start = AttemptStart(
      run: run, step: 0, item: nil, number: 1, kind: kind, key: "k", inputBytes: 0, at: SampleRun.time(1))
    try await store.record([SampleRun.started("01A"), .attemptStarted(start)], durability: .committed)
    #expect(try await store.snapshot(of: run).steps[0].units.first?.lastAttempt?.kind == kind)
    #expect(try await store.run("01A").steps[0].attempts.map(\.kind) == [kind])
    try await store.close()
  }

  @Test func whoHasFailedComesBackInOrder() async throws {
    func failed(_ number: Int, _ name: String, _ kind: ActionFailure.Kind) -> [JournalEntry] {
      [
        SampleRun.attemptStarted("01A", step: 0, number: number, provider: name),
        SampleRun.attemptFinished(
          "01A", step: 0, number: number, failure: ActionFailure(kind, LocalizedText(verbatim: "no")), retryDelay: 0),
      ]
    }
    try await store.record(
      [SampleRun.started("01A")] + failed(1, "one", .auth) + failed(2, "two", .server) + failed(3, "one", .cancelled),
      durability: .committed)
    let unit = try #require(try await store.snapshot(of: run).steps[0].units.first)
    #expect(unit.attempts == 3)
    #expect(
      unit.failures
        == [.init(asked: .provider("one"), kind: .auth), .init(asked: .provider("two"), kind: .server)])
    try await store.close()
  }
}
