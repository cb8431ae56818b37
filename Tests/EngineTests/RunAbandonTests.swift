import Engine
import Expressions
import Localization
import Plans
import TestSupport
import Testing

/// Runs that are ended as they stand.
@Suite(.timeLimit(.minutes(1))) struct RunAbandonTests {
  private let run = RunID(rawValue: "R")
  private let reason = LocalizedText(verbatim: "its recipe is gone")

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders = ScriptedProviders()) -> RunEngine {
    RunEngine(queue: queue, providers: providers, time: JumpingTime())
  }

  /// What a run leaves behind that is cut after the first attempt of a step has begun.
  private func left(_ plan: Plan, within step: String) async throws -> MemoryQueue {
    let whole = try MemoryQueue()
    _ = try await engine(whole).run(plan, RunRequest(id: run))
    let begun = try #require(
      whole.entries.firstIndex { if case .attemptStarted(let start) = $0 { start.key.hasSuffix(step) } else { false } })
    return try await MemoryQueue(Array(whole.entries.prefix(begun + 1)))
  }

  private func abandon(_ queue: MemoryQueue) async throws -> RunResult {
    #expect(try await queue.reclaim(run, at: JumpingTime().now) == .claimed)
    return try await engine(queue).abandon(queue.snapshot(of: run), reason)
  }

  /// Whether it is on record that nobody knows whether the last attempt of a run's first step took effect.
  private func isInDoubt(_ run: RunID, _ queue: MemoryQueue) async throws -> Bool {
    let last = try #require(try await queue.snapshot(of: run).steps[0].units.first?.lastAttempt)
    return last.endedAt == nil && last.failure != nil
  }

  private let plan = Plan.plan([.step("pay", effect: .once), .step("then", needs: [0])])

  @Test func whatMayHaveActedIsLeftToAPerson() async throws {
    let queue = try await left(plan, within: "pay")
    for _ in 0..<2 {
      let result = try await abandon(queue)
      #expect(result.status == .needsAttention)
      #expect(result.failure?.kind == .crashed)
      #expect(try await isInDoubt(run, queue))
      #expect(try await queue.snapshot(of: run).steps.map(\.status) == [.running, .pending])
    }
    // Somebody says that it took no effect.
    var end = AttemptEnd(
      run: run, step: 0, item: nil, number: 1, failure: .test(.crashed), outputBytes: 0, duration: 0, retryDelay: 0,
      at: JumpingTime().now)
    try await queue.record([.attemptFinished(end)], durability: .accepted)
    #expect(try await abandon(queue).status == .cancelled)
    #expect(try await queue.snapshot(of: run).steps.map(\.status) == [.cancelled, .skipped])
    // Where it was cancelled, whoever goes on would ask as well.
    let other = try await left(plan, within: "pay")
    end.failure = .test(.cancelled)
    try await other.record([.attemptFinished(end)], durability: .accepted)
    #expect(try await abandon(other).status == .needsAttention)
  }

  @Test func whatMayBeDoneTwiceIsEnded() async throws {
    let queue = try await left(.plan([.step("pay", effect: .idempotent)]), within: "pay")
    #expect(try await abandon(queue).status == .cancelled)
    #expect(try await queue.snapshot(of: run).steps.map(\.status) == [.cancelled])
  }

  @Test func aRunNeedsAttentionWithThoseThatItsStepsHaveBegun() async throws {
    let queue = try await left(.plan([.child("sub", plan)]), within: "pay")
    #expect(try await abandon(queue).status == .needsAttention)
    let child = try #require(queue.runs.last)
    #expect(child != run)
    #expect(queue.status(of: child) == .needsAttention)
    for run in [run, child] { #expect(try await isInDoubt(run, queue)) }
    try await queue.record(
      [.output(run: child, step: 0, item: nil, value: [:])], durability: .accepted)
    #expect(try await abandon(queue).status == .cancelled)
    #expect(queue.status(of: child) == .cancelled)
  }
}
