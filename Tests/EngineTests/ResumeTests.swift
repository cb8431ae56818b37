import Engine
import Expressions
import Localization
import Plans
import TestSupport
import Testing

/// Runs that are left at some point of their journal and resumed.
@Suite(.timeLimit(.minutes(5))) struct ResumeTests {
  private let run = RunID(rawValue: "R")

  private func engine(
    _ queue: MemoryQueue, _ providers: ScriptedProviders, _ time: JumpingTime = JumpingTime()
  ) -> RunEngine {
    var options = RunEngine.Options()
    options.random = { 0.5 }
    return RunEngine(queue: queue, providers: providers, time: time, options: options)
  }

  /// A line of every effect, a loop, a step that needs two attempts, and one that runs at the end.
  private static let mixed = Plan(
    name: "test", path: "test.yaml", fingerprint: "0",
    steps: [
      .step("read", effect: .read), .step("order", effect: .once, needs: [0]),
      .loop("each", over: 3).needing([1]), .step("flaky", effect: .idempotent, needs: [2]),
      .step("pay", effect: .once, needs: [3]), .last("end", needs: [0, 1, 2, 3, 4]),
    ])

  private func providers() -> ScriptedProviders {
    ScriptedProviders(["flaky": [.failure(.test(.server)), .output(["n": 4])]])
  }

  @Test func aRunThatIsCutAfterAnyEntryOfItsJournalGoesOnToTheSameEnd() async throws {
    let whole = try MemoryQueue()
    let first = try await engine(whole, providers()).run(Self.mixed, RunRequest(id: run))
    #expect(first.status == .succeeded)
    for count in whole.boundaries.dropLast() {
      let left = Array(whole.entries.prefix(count))
      let queue = try await MemoryQueue(left)
      let providers = ScriptedProviders(
        ["flaky": [.output(["n": 4])]], verdicts: [.success(.done(output: ["n": 9]))])
      #expect(try await queue.claim(run, at: JumpingTime().now) == .claimed)
      let result = try await engine(queue, providers).resume(Self.mixed, queue.snapshot(of: run))
      #expect(result.status == .succeeded, "cut after \(count)")
      // Whatever was begun before is not called again where it may happen only once; and nothing is left out.
      let begun = left.compactMap { if case .attemptStarted(let start) = $0 { start.key } else { nil } }
      let called = providers.requests
      for key in ["R.order", "R.pay"] {
        let times = (begun.contains(key) ? 1 : 0) + called.filter { $0.key == key }.count
        #expect(times == 1, "\(key), cut after \(count)")
      }
      let ended = Set(
        left.compactMap { if case .output(_, let step, let item, _) = $0 { [step, item ?? -1] } else { nil } })
      for item in 0..<3 where ended.contains([2, item]) {
        #expect(!called.contains { $0.key == "R.each.\(item)" }, "item \(item), cut after \(count)")
      }
      #expect(
        Set(called.map(\.key)).isSubset(of: [
          "R.read", "R.order", "R.each.0", "R.each.1", "R.each.2", "R.flaky", "R.pay", "R.end",
        ]))
      #expect(queue.status(of: run) == .succeeded)
    }
  }

  @Test func anUncertainOnceAttemptWithoutVerdictAsksForAttention() async throws {
    let plan = Plan.plan([.step("pay", effect: .once)])
    let whole = try MemoryQueue()
    _ = try await engine(whole, ScriptedProviders()).run(plan, RunRequest(id: run))
    let intent = try #require(whole.entries.firstIndex { if case .attemptStarted = $0 { true } else { false } })
    let queue = try await MemoryQueue(Array(whole.entries.prefix(intent + 1)))
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers).resume(plan, queue.snapshot(of: run))
    #expect(result.status == .needsAttention)
    #expect(providers.requests.isEmpty)
    #expect(providers.verified.count == 1)
  }

  @Test(arguments: [true, false])
  func aRunThatStopsSettlesWhatMayHaveHappenedOnce(isFailed: Bool) async throws {
    // 'a' had failed, or somebody had called the run off, when the process died while 'pay' was under way.
    let plan = Plan.plan([
      .step("a"), .step("pay", effect: .once), .undo("refund", of: 1, needs: [0, 1]),
    ])
    let at = JumpingTime().now
    var start = RunStart(
      run: run, recipe: "test", path: "", fingerprint: "0", trigger: "manual", inputs: .map([:]),
      steps: plan.steps.map { .init(id: $0.id, action: $0.action.name, effect: $0.action.effect) }, at: at)
    start.priority = 0
    var entries: [JournalEntry] = [
      .runStarted(start), .stepStarted(run: run, step: 0, itemCount: nil, at: at),
      .stepStarted(run: run, step: 1, itemCount: nil, at: at),
      .attemptStarted(
        AttemptStart(
          run: run, step: 1, item: nil, number: 1, kind: .provider("main"), key: "R.pay", inputBytes: 2, at: at)),
    ]
    if isFailed {
      entries.append(.stepFinished(StepEnd(run: run, step: 0, status: .failed, failure: .test(.auth), at: at)))
    }
    let queue = try await MemoryQueue(entries)
    let control = CancelToken()
    if !isFailed { control.cancel() }
    let providers = ScriptedProviders(verdicts: [.success(.done(output: ["n": 1]))])
    let result = try await engine(queue, providers).resume(plan, queue.snapshot(of: run), control: control)
    #expect(result.status == (isFailed ? .failed : .cancelled))
    #expect(providers.verified.map(\.step) == ["pay"])
    #expect(providers.requests.map(\.step) == ["refund"])
  }

  @Test func lostAttemptsDoNotUseUpTheRetries() async throws {
    let plan = Plan.plan([.step("a", effect: .idempotent, retry: RetryPolicy(attempts: 2, jitter: 0))])
    let whole = try MemoryQueue()
    _ = try await engine(whole, ScriptedProviders()).run(plan, RunRequest(id: run))
    let intent = try #require(whole.entries.firstIndex { if case .attemptStarted = $0 { true } else { false } })
    var entries = Array(whole.entries.prefix(intent + 1))
    // The process dies in the middle of the attempt, again and again.
    for _ in 0..<5 {
      let queue = try await MemoryQueue(entries)
      let result = try await engine(queue, ScriptedProviders()).resume(plan, queue.snapshot(of: run))
      #expect(result.status == .succeeded)
      let next = try #require(queue.entries.lastIndex { if case .attemptStarted = $0 { true } else { false } })
      entries = Array(queue.entries.prefix(next + 1))
    }
    let queue = try await MemoryQueue(entries)
    let providers = ScriptedProviders(["a": [.failure(.test(.server)), .output(["n": 1])]])
    let result = try await engine(queue, providers).resume(plan, queue.snapshot(of: run))
    #expect(result.status == .succeeded)
    #expect(Set(providers.requests.map(\.key)) == ["R.a"])
  }

  @Test func aProviderThatHasFailedForGoodIsNotAskedAgainAfterAResume() async throws {
    let plan = Plan.plan([
      .step("a", effect: .idempotent, providers: ["bad", "good"], retry: RetryPolicy(attempts: 3, jitter: 0))
    ])
    let whole = try MemoryQueue()
    let failing = ScriptedProviders(["a": [.failure(.test(.auth)), .failure(.test(.server)), .output(["n": 1])]])
    #expect(try await engine(whole, failing).run(plan, RunRequest(id: run)).status == .succeeded)
    func asked(_ queue: MemoryQueue) -> [String] {
      queue.entries.compactMap { if case .attemptStarted(let start) = $0 { start.kind.label } else { nil } }
    }
    #expect(asked(whole) == ["bad", "good", "good"])
    // Wherever the process dies, it stays out.
    for count in whole.boundaries {
      let queue = try await MemoryQueue(Array(whole.entries.prefix(count)))
      guard queue.status(of: run) == .running else { continue }
      let before = asked(queue).count
      let providers = ScriptedProviders(["a": [.failure(.test(.server)), .output(["n": 1])]])
      _ = try await engine(queue, providers).resume(plan, queue.snapshot(of: run))
      let failed = queue.entries.prefix(count).contains {
        if case .attemptFinished(let end) = $0 { end.failure?.kind == .auth } else { false }
      }
      #expect(!failed || !asked(queue).dropFirst(before).contains("bad"))
    }
  }

  /// Seconds in which nobody worked, by the time of day; the step's timeout; how long each attempt after that may take.
  private static let budgets: [(away: Double, timeout: Double?, limits: [Double])] = [
    (0, nil, [60]), (15, nil, [45]), (15, 30, [30, 14]), (60, nil, [60]), (86_400, nil, [60]), (86_400, 30, [30]),
    (-3600, nil, [60]),
  ]

  @Test(arguments: budgets)
  func theBudgetOfAStepGoesOnMeanwhileAndLeavesOneAttemptThatIsCutOffToo(
    away: Double, timeout: Double?, limits: [Double]
  ) async throws {
    // The process died in the first attempt, and the run is resumed so many seconds later by the time of day.
    let time = JumpingTime()
    let began = time.now.adding(seconds: -away)
    let step = PlanStep.step(
      "a", effect: .idempotent, retry: RetryPolicy(attempts: 3, jitter: 0, within: 60), timeout: timeout)
    let queue = try await MemoryQueue([
      .runStarted(
        RunStart(
          run: run, recipe: "test", path: "", fingerprint: "0", trigger: "manual", inputs: .map([:]),
          steps: [.init(id: "a", action: step.action.name, effect: .idempotent)], at: began)),
      .stepStarted(run: run, step: 0, itemCount: nil, at: began),
      .attemptStarted(
        AttemptStart(
          run: run, step: 0, item: nil, number: 1, kind: .provider("main"), key: "R.a", inputBytes: 2, at: began)),
    ])
    let providers = ScriptedProviders(["a": [.hang]])
    let result = try await engine(queue, providers, time).resume(.plan([step]), queue.snapshot(of: run))
    #expect(result.failure?.kind == .timeout)
    #expect(providers.requests.map(\.timeout) == limits)
  }

  @Test func aRunThatWasCalledOffIsCancelledAfterACrashInTheMiddleOfIt() async throws {
    let plan = Plan.plan([.step("a"), .step("b", needs: [0]), .step("c", needs: [1])])
    let whole = try MemoryQueue()
    let control = CancelToken()
    control.cancel()
    _ = try await engine(whole, ScriptedProviders()).run(plan, RunRequest(id: run), control: control)
    #expect(whole.status(of: run) == .cancelled)
    let queue = try await MemoryQueue(whole.entries.dropLast())
    let again = CancelToken()
    again.cancel()
    let result = try await engine(queue, ScriptedProviders()).resume(plan, queue.snapshot(of: run), control: again)
    #expect(result.status == .cancelled)
  }

  // MARK: - What is on record

  @Test func whatIsInDoubtStaysInDoubtForItsOwnReason() async throws {
    let plan = Plan.plan([.step("pay", effect: .once)])
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["pay": [.failure(.test(.io))]])
    let first = try await engine(queue, failing).run(plan, RunRequest(id: run))
    #expect(first.status == .needsAttention)
    let before = queue.entries.count
    let control = CancelToken()
    control.cancel()
    let result = try await engine(queue, ScriptedProviders())
      .resume(plan, queue.snapshot(of: run), control: control)
    #expect(result.status == .needsAttention)
    #expect(result.failure == first.failure)
    let rewritten = queue.entries.dropFirst(before).contains { if case .attemptFinished = $0 { true } else { false } }
    #expect(!rewritten)
  }

  @Test func whatWasCalledOffKeepsItsEndAndItsDuration() async throws {
    let plan = Plan.plan([.step("pay", effect: .once)])
    let whole = try MemoryQueue()
    _ = try await engine(whole, ScriptedProviders()).run(plan, RunRequest(id: run))
    let intent = try #require(whole.entries.firstIndex { if case .attemptStarted = $0 { true } else { false } })
    let calledOff = ActionFailure(.cancelled, .init(verbatim: "cancelled"))
    let end = AttemptEnd(
      run: run, step: 0, item: nil, number: 1, failure: calledOff, outputBytes: 0, duration: 1.5, retryDelay: nil,
      at: Timestamp(seconds: 7))
    let queue = try await MemoryQueue(Array(whole.entries.prefix(intent + 1)) + [.attemptFinished(end)])
    let result = try await engine(queue, ScriptedProviders()).resume(plan, queue.snapshot(of: run))
    #expect(result.status == .needsAttention)
    let ends = queue.entries.compactMap { if case .attemptFinished(let end) = $0 { end } else { nil } }
    let last = try #require(ends.last)
    #expect(last.isUncertain)
    #expect((last.duration, last.at) == (1.5, Timestamp(seconds: 7)))
    #expect(last.failure?.message.english.contains("cancelled") == true)
  }
}
