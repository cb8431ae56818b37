import Engine
import Expressions
import Localization
import Plans
import Synchronization
import TestSupport
import Testing

/// `sleep`, `until`, `wait_for`, `approve`, and long pauses before the next attempt.
@Suite(.timeLimit(.minutes(5))) struct WaitTests {
  private let run = RunID(rawValue: "R")

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders, _ time: JumpingTime) -> RunEngine {
    var options = RunEngine.Options()
    options.random = { 0.5 }
    return RunEngine(queue: queue, providers: providers, time: time, options: options)
  }

  /// Goes on with a run as often as it is due; says when it ended.
  private func follow(_ plan: Plan, _ queue: MemoryQueue, _ time: JumpingTime, _ providers: ScriptedProviders)
    async throws -> RunResult
  {
    let engine = engine(queue, providers, time)
    return try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
  }

  @Test func aSleepEndsAtItsTimeAndNotBefore() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let began = time.monotonic
    let result = try await follow(.plan([.sleep("s", "2h")]), queue, time, ScriptedProviders())
    #expect(result.status == .succeeded)
    #expect((7200...7202).contains(time.monotonic - began))
  }

  /// How the time of day jumps while somebody waits, and how long a wait of an hour then lasts: for a duration, and until a
  /// point in time.
  private static let jumps: [(jump: Double, action: String, lasts: Double)] = [
    (1800, "sleep", 3600), (-1800, "sleep", 3600), (86_400, "sleep", 3600), (1800, "until", 1800),
    (-1800, "until", 5400),
    (1800, "wait_for", 3600), (-1800, "wait_for", 3600),
  ]

  @Test(arguments: jumps, [true, false]) func aDurationLastsAsLongAsItSaysWhateverTheTimeOfDayDoes(
    expected: (jump: Double, action: String, lasts: Double), isNested: Bool
  ) async throws {
    let queue = try MemoryQueue()
    let hasJumped = Mutex(false)
    let jump = Mutex<(@Sendable () -> Void)?>(nil)
    let time = JumpingTime { now in
      guard now > 1060, hasJumped.withLock({ !$0 }) else { return }
      hasJumped.withLock { $0 = true }
      jump.withLock { $0 }?()
    }
    jump.withLock { $0 = { time.jump(by: expected.jump) } }
    let began = time.monotonic
    var step = PlanStep.sleep("s", "1h")
    if expected.action == "until" { step = .until("s", time.now.adding(seconds: 3600)) }
    if expected.action == "wait_for" { step = .waitFor("s", "paid", timeout: "1h") }
    let plan = Plan.plan([isNested ? .child("sub", .plan([step])) : step])
    _ = try await follow(plan, queue, time, ScriptedProviders())
    #expect((expected.lasts...expected.lasts + 10).contains(time.monotonic - began))
  }

  @Test func whoeverFollowsARunThatIsGoneIsToldSo() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let engine = engine(queue, ScriptedProviders(), time)
    let plan = Plan.plan([.sleep("s", "2h")])
    let waiting = try await engine.run(plan, RunRequest(id: run))
    #expect(waiting.status == .waiting)
    try queue.forget()
    await #expect(throws: EngineError(.runState, .init(verbatim: ""))) { _ = try await engine.follow(plan, waiting) }
  }

  @Test func aSleepBesideWorkIsNotBegunAgainEachTimeItIsLookedAt() async throws {
    let queue = try MemoryQueue()
    // A busy machine may leave the sleep aside while the work runs: the work then waits for it after 4 attempts.
    let time = JumpingTime(rest: {
      for _ in 0..<100_000 {
        let entries = queue.entries
        let attempts = entries.count { if case .attemptFinished = $0 { true } else { false } }
        let hasEnded = entries.contains { if case .waitEnded = $0 { true } else { false } }
        if attempts < 4 || hasEnded { return }
        await Task.yield()
      }
    })
    let began = time.monotonic
    // The work beside it takes a minute, in attempts with pauses.
    let providers = ScriptedProviders([
      "work": Array(repeating: .failure(.test(.server)), count: 12) + [.output(["n": 1])]
    ])
    let plan = Plan.plan([
      .sleep("s", "5s"),
      .step("work", retry: RetryPolicy(attempts: 20, backoff: 5, factor: 1, maximum: 5, jitter: 0)),
    ])
    let result = try await follow(plan, queue, time, providers)
    #expect(result.status == .succeeded)
    let starts = queue.entries.filter { if case .waitStarted = $0 { true } else { false } }
    #expect(starts.count == 1)
    let end = try #require(
      queue.entries.compactMap { if case .waitEnded(_, _, _, let at) = $0 { at } else { nil } }.first)
    #expect(end.seconds(since: Timestamp(seconds: 1_795_000_000 + Int64(began))) < 40)
  }

  @Test func aLongPauseBeforeTheNextAttemptGoesOnWithTheNextNumberBesideOtherWork() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders([
      "a": [.failure(.test(.rateLimited, retryAfter: 15)), .output(["n": 1])],
      "work": Array(repeating: .failure(.test(.server)), count: 12) + [.output(["n": 1])],
    ])
    let plan = Plan.plan([
      .step("a"), .step("work", retry: RetryPolicy(attempts: 20, backoff: 5, factor: 1, maximum: 5, jitter: 0)),
    ])
    let result = try await follow(plan, queue, time, providers)
    #expect(result.status == .succeeded)
    let numbers = queue.entries.compactMap { entry -> Int? in
      if case .attemptStarted(let start) = entry, start.step == 0 { start.number } else { nil }
    }
    #expect(numbers == [1, 2])
  }

  @Test func aLoopThatWorksOneItemAtATimeKeepsItsOrderOverALongPause() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["each": [.failure(.test(.rateLimited, retryAfter: 60)), .output(["n": 1])]])
    var step = PlanStep.loop("each", over: 3)
    step.retry = RetryPolicy(jitter: 0)
    let result = try await follow(.plan([step]), queue, time, providers)
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.item) == [0, 0, 1, 2])
  }

  @Test func aRefusedDecisionIsNotAskedForAgainAfterACrash() async throws {
    let (whole, time) = (try MemoryQueue(), JumpingTime())
    whole.answer(0, .rejected(reason: "no", by: "ann"))
    let plan = Plan.plan([.approve("ok"), .step("b", needs: [0])])
    let first = try await follow(plan, whole, time, ScriptedProviders())
    #expect(first.status == .failed)
    #expect(first.failure?.kind == .rejected)
    let ended = try #require(whole.entries.firstIndex { if case .attemptFinished = $0 { true } else { false } })
    let queue = try await MemoryQueue(Array(whole.entries.prefix(ended + 1)))
    let result = try await engine(queue, ScriptedProviders(), time).resume(plan, queue.snapshot(of: run))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .rejected)
  }

  @Test(arguments: [("wait_for", WaitAnswer.event(["n": 7])), ("approve", .approved(fields: ["n": 7], by: "ann"))])
  func anAnswerEndsTheWait(action: String, answer: WaitAnswer) async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    queue.answer(0, answer)
    let step = action == "approve" ? PlanStep.approve("w") : .waitFor("w", "paid", timeout: "1h")
    let result = try await follow(.plan([step]), queue, time, ScriptedProviders())
    #expect(result.status == .succeeded)
  }

  @Test func anEventThatDoesNotComeFailsTheStepAtItsTimeout() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let began = time.monotonic
    let result = try await follow(
      .plan([.waitFor("w", "paid", timeout: "1h")]), queue, time, ScriptedProviders())
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .timeout)
    #expect((3600...3602).contains(time.monotonic - began))
  }

  @Test func aStepThatEndsBeforeItsWaitDoesGivesTheWaitUp() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let control = CancelToken()
    let plan = Plan.plan([.waitFor("w", "paid", timeout: "1h")])
    let engine = engine(queue, ScriptedProviders(), time)
    let parked = try await engine.run(plan, RunRequest(id: run))
    #expect(parked.status == .waiting)
    control.cancel()
    let result = try await engine.resume(plan, queue.snapshot(of: run), control: control)
    #expect(result.status == .cancelled)
    #expect(try await queue.snapshot(of: run).steps[0].units.allSatisfy { $0.wait == nil })
  }

  @Test func aRunThatIsCalledOffCallsOffTheWaitingRunOfItsStep() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let child = Plan.plan([.sleep("s", "30d")])
    let plan = Plan.plan([.child("sub", child)])
    let engine = engine(queue, ScriptedProviders(), time)
    #expect(try await engine.run(plan, RunRequest(id: run)).status == .waiting)
    let control = CancelToken()
    control.cancel()
    let result = try await engine.resume(plan, queue.snapshot(of: run), control: control)
    #expect(result.status == .cancelled)
    #expect(queue.runs.map { queue.status(of: $0) } == [.cancelled, .cancelled])
  }

  @Test func aFailureBesideItCallsOffTheWaitingRunOfAStep() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let child = Plan.plan([.sleep("s", "30d")])
    let providers = ScriptedProviders(["b": [.failure(.test(.server)), .failure(.test(.auth))]])
    let plan = Plan.plan([.child("sub", child), .step("b")])
    let result = try await engine(queue, providers, time).run(plan, RunRequest(id: run))
    #expect(result.status == .failed)
    #expect(queue.runs.map { queue.status(of: $0) } == [.failed, .cancelled])
  }
}
