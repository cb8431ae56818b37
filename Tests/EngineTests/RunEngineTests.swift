import Engine
import Expressions
import Localization
import Plans
import Schemas
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunEngineTests {
  private func run(
    _ plan: Plan, _ providers: ScriptedProviders, recorder: MemoryQueue? = nil,
    time: JumpingTime = JumpingTime()
  ) async throws -> (RunResult, MemoryQueue) {
    let recorder = try recorder ?? MemoryQueue()
    let engine = RunEngine(queue: recorder, providers: providers, time: time, random: { 0.5 })
    let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R")))
    return (result, recorder)
  }

  @Test func aStepThatFailsTwiceSucceedsAtTheThirdAttempt() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.server)), .failure(.test(.io)), .output(["n": 1])]])
    let time = JumpingTime()
    let (result, recorder) = try await run(.plan([.step("a")]), providers, time: time)
    #expect(result.status == .succeeded)
    #expect(recorder.attempts.map(\.number) == [1, 2, 3])
    #expect(recorder.attempts.map(\.failure?.kind) == [.server, .io, nil])
    #expect(recorder.attempts.map(\.retryDelay) == [1, 2, nil])
    #expect(time.sleeps == [1, 2])
    #expect(Set(providers.requests.map(\.key)) == ["R.a"])
  }

  @Test func everyAttemptWaitsForItsProviderAndGivesThePlaceBack() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.server)), .output(["n": 1])]])
    let turns = Mutex<[String]>([])
    providers.admissions.withLock {
      $0 = { name in
        turns.withLock { $0.append("begin \(name)") }
        return Admission { turns.withLock { $0.append("end \(name)") } }
      }
    }
    let (result, _) = try await run(.plan([.step("a", providers: ["one"])]), providers)
    #expect(result.status == .succeeded)
    #expect(turns.withLock { $0 } == ["begin one", "end one", "begin one", "end one"])
  }

  @Test func aRunFailsWithTheFailureOfItsStep() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.auth))]])
    let (result, recorder) = try await run(.plan([.step("a"), .step("b", needs: [0])]), providers)
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .auth)
    #expect(recorder.stepEnds().map(\.status) == [.failed, .skipped])
    #expect(providers.requests.map(\.step) == ["a"])
  }

  @Test(arguments: [
    (Effect.pure, Durability.accepted), (.read, .accepted), (.idempotent, .synced), (.once, .synced),
  ])
  func theIntentOfAnEffectIsOnTheDiskBeforeItStarts(effect: Effect, durability: Durability) async throws {
    let (_, recorder) = try await run(.plan([.step("a", effect: effect)]), ScriptedProviders())
    #expect(recorder.intents.map(\.1) == [durability])
  }

  @Test(arguments: [
    (Effect.pure, Durability.committed), (.read, .committed), (.idempotent, .synced), (.once, .synced),
  ])
  func theEndOfARunThatHadEffectsIsOnTheDiskBeforeItIsTold(effect: Effect, durability: Durability) async throws {
    let child = Plan(name: "child", path: "", fingerprint: "0", steps: [.step("b", effect: effect)])
    for plan in [Plan.plan([.step("a", effect: effect), .step("b")]), Plan.plan([.child("sub", child)])] {
      let (result, recorder) = try await run(plan, ScriptedProviders())
      #expect(result.status == .succeeded)
      #expect(recorder.ends.map(\.1) == Array(repeating: durability, count: recorder.ends.count))
    }
  }

  @Test func noEffectStartsWhenItsIntentCannotBeWritten() async throws {
    let providers = ScriptedProviders()
    // The beginnings of the run and of the step are taken, the intent is not.
    await #expect(throws: EngineError(.journal, .init(verbatim: ""))) {
      _ = try await run(
        .plan([.step("a", effect: .once)]), providers, recorder: try MemoryQueue(refusingFrom: 2))
    }
    #expect(providers.requests.isEmpty)
  }

  @Test func aOnceActionWhoseAnswerIsLostIsNotRepeatedWithoutAVerdict() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.timeout)), .output(["n": 2])]])
    let plan = Plan.plan([.step("a", effect: .once, providers: ["one", "two"]), .step("b", needs: [0])])
    let (result, recorder) = try await run(plan, providers)
    #expect(result.status == .needsAttention)
    #expect(result.failure?.kind == .timeout)
    #expect(providers.requests.map(\.step) == ["a"])
    #expect(providers.verified.map(\.key) == ["R.a"])
    #expect(recorder.stepEnds().isEmpty)
  }

  @Test func aOnceActionThatTookEffectSucceedsWithItsVerdict() async throws {
    let providers = ScriptedProviders(
      ["a": [.failure(.test(.io))]], verdicts: [.failure(.test(.server)), .success(.done(output: ["n": 1]))])
    let (result, recorder) = try await run(.plan([.step("a", effect: .once)]), providers)
    #expect(result.status == .succeeded)
    #expect(providers.requests.count == 1)
    #expect(providers.verified.count == 2)
    #expect(recorder.attempts.map(\.failure?.kind) == [nil])
  }

  @Test func aOnceActionThatTookNoEffectIsRepeated() async throws {
    let providers = ScriptedProviders(
      ["a": [.failure(.test(.crashed)), .output(["n": 2])]], verdicts: [.success(.notDone)])
    let (result, recorder) = try await run(.plan([.step("a", effect: .once)]), providers)
    #expect(result.status == .succeeded)
    #expect(recorder.attempts.map(\.failure?.kind) == [.crashed, nil])
  }

  @Test(arguments: [ActionFailure.Kind.server, .refused, .rateLimited, .dns, .unreachable])
  func aOnceActionThatWasRefusedIsRepeatedWithoutAsking(kind: ActionFailure.Kind) async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(kind)), .output(["n": 2])]])
    let (result, _) = try await run(.plan([.step("a", effect: .once)]), providers)
    #expect(result.status == .succeeded)
    #expect(providers.verified.isEmpty)
    #expect(providers.requests.count == 2)
  }

  @Test func aRunsDeadlineLeavesNoEffectInDoubtUnsaid() async throws {
    let providers = ScriptedProviders(["a": [.hang]])
    let time = JumpingTime(rest: providers.called)
    let (result, _) = try await run(.plan([.step("a", effect: .once)], timeout: 60), providers, time: time)
    #expect(result.status == .needsAttention)
    #expect(providers.verified.count == 1)
  }

  @Test func noFurtherAttemptBeginsOnceAnotherStepHasFailed() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.auth))], "b": [.failure(.test(.server))]])
    let slow = PlanStep.step("b", retry: RetryPolicy(attempts: 100, jitter: 0))
    let (result, recorder) = try await run(.plan([.step("a"), slow]), providers)
    #expect(result.failure?.kind == .auth)
    #expect(recorder.attempts.filter { $0.step == 1 }.count < 100)
    #expect(Set(recorder.stepEnds().map(\.status)) == [.failed, .cancelled])
  }

  @Test func linesLoggedWhileARunIsCalledOffAreKept() async throws {
    let providers = ScriptedProviders(["a": [.hang]], farewell: "closed the connection")
    let recorder = try MemoryQueue()
    let task = Task { try await run(.plan([.step("a")]), providers, recorder: recorder).0 }
    await providers.called()
    task.cancel()
    _ = try await task.value
    #expect(recorder.lines.map(\.message) == ["closed the connection"])
  }

  @Test func aHangIsCutByTheTimeout() async throws {
    let providers = ScriptedProviders(["a": [.hang]])
    let step = PlanStep.step("a", retry: RetryPolicy(attempts: 2, jitter: 0), timeout: 5)
    let (result, recorder) = try await run(.plan([step]), providers)
    #expect(result.failure?.kind == .timeout)
    #expect(recorder.attempts.map(\.failure?.kind) == [.timeout, .timeout])
  }

  @Test func aHangIsCutByTheTimeBudgetOfItsStep() async throws {
    let providers = ScriptedProviders(["a": [.hang]])
    let step = PlanStep.step("a", retry: RetryPolicy(attempts: 9, jitter: 0, within: 8), timeout: 5)
    let (result, recorder) = try await run(.plan([step]), providers)
    #expect(result.failure?.kind == .timeout)
    // Five seconds and a pause of one are over then.
    #expect(providers.requests.map(\.timeout) == [5, 2])
    #expect(recorder.attempts.map(\.retryDelay) == [1, nil])
  }

  @Test func aProviderWhoseBreakerIsOpenIsPassedOverAndTheLogSaysSo() async throws {
    let providers = ScriptedProviders()
    let time = JumpingTime()
    var opened = BreakerRecord(provider: "one", at: time.now)
    opened.failures = 3
    opened.openUntil = time.now.adding(seconds: 30)
    var options = RunEngine.Options.inPlace
    options.breakers = BreakerBoard([opened])
    let recorder = try MemoryQueue()
    let engine = RunEngine(queue: recorder, providers: providers, time: time, options: options)
    _ = try await engine.run(.plan([.step("a", providers: ["one", "two"])]), RunRequest(id: RunID(rawValue: "R")))
    #expect(recorder.intents.map(\.0.kind.label) == ["two"])
    #expect(recorder.lines.map(\.level) == [.warning])
    #expect(recorder.lines.first?.message.contains("'one' failed 3 times") == true)
  }

  @Test func anIntentThatCannotBeWrittenTakesNobodysTurnAtAProviderThatIsProbed() async throws {
    let time = JumpingTime()
    let record = BreakerRecord(
      provider: "main", failures: 3, openUntil: time.now.adding(seconds: -1), openSeconds: 10, at: time.now)
    var options = RunEngine.Options.inPlace
    options.breakers = BreakerBoard([record])
    let plan = Plan.plan([.step("a", effect: .once)])
    func run(_ recorder: MemoryQueue) async throws -> RunStatus {
      let engine = RunEngine(queue: recorder, providers: ScriptedProviders(), time: time, options: options)
      return try await engine.run(plan, RunRequest(id: RunID(rawValue: "R"))).status
    }
    await #expect(throws: EngineError(.journal, .init(verbatim: ""))) {
      _ = try await run(try MemoryQueue(refusingFrom: 2))
    }
    #expect(try await run(try MemoryQueue()) == .succeeded)
    #expect(time.sleeps.isEmpty)
  }

  @Test(arguments: [0.0, 50])
  func aRunWaitsForTheBreakerOfItsOnlyProviderOnce(openSeconds: Double) async throws {
    let time = JumpingTime()
    var options = RunEngine.Options.inPlace
    options.random = { 0.5 }
    let until = openSeconds > 0 ? time.now.adding(seconds: openSeconds) : nil
    let record = BreakerRecord(provider: "one", failures: 3, openUntil: until, openSeconds: openSeconds, at: time.now)
    options.breakers = BreakerBoard(until == nil ? [] : [record])
    let providers = ScriptedProviders(["a": [.failure(.test(.refused))]])
    let recorder = try MemoryQueue()
    let engine = RunEngine(queue: recorder, providers: providers, time: time, options: options)
    let policy = RetryPolicy(attempts: 6, backoff: 1, factor: 1, jitter: 0)
    let began = time.monotonic
    let plan = Plan.plan([.step("a", providers: ["one"], retry: policy)])
    let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R")))
    #expect(result.failure?.kind == .refused)
    #expect(recorder.attempts.count == 6)
    // Five pauses of the policy, and the breaker once.
    #expect(time.monotonic - began <= 5 + max(openSeconds, 10))
    #expect(recorder.lines.count == 1)
  }

  @Test func answersThatDoNotSuitAreAskedForAgainAndLeaveTheProviderInUse() async throws {
    let time = JumpingTime()
    var options = RunEngine.Options.inPlace
    let board = BreakerBoard()
    options.breakers = board
    let providers = ScriptedProviders(["a": Array(repeating: .failure(.test(.unsuitable)), count: 4)])
    let recorder = try MemoryQueue()
    let engine = RunEngine(queue: recorder, providers: providers, time: time, options: options)
    let result = try await engine.run(
      .plan([.step("a", providers: ["one"])]), RunRequest(id: RunID(rawValue: "R")))
    #expect(result.failure?.kind == .unsuitable)
    #expect(recorder.attempts.count == 4)
    #expect(board.record(of: "one")?.openUntil == nil)
  }

  @Test func aRunThatWaitsForABreakerInPlaceGoesOnSoonAfterItCloses() async throws {
    let open = BreakerRecord(
      provider: "one", failures: 3, openUntil: JumpingTime().now.adding(seconds: 50), openSeconds: 50,
      at: JumpingTime().now)
    let board = BreakerBoard([open])
    let time = JumpingTime { now in
      // Another process gets through after three seconds.
      if now >= 1003 { board.adopt([BreakerRecord(provider: "one", at: open.at.adding(seconds: 3))]) }
    }
    var options = RunEngine.Options.inPlace
    options.breakers = board
    let providers = ScriptedProviders()
    let recorder = try MemoryQueue()
    let engine = RunEngine(queue: recorder, providers: providers, time: time, options: options)
    let result = try await engine.run(
      .plan([.step("a", providers: ["one"])]), RunRequest(id: RunID(rawValue: "R")))
    #expect(result.status == .succeeded)
    #expect(time.monotonic <= 1004)
  }

  @Test func aRunEndsAtItsOwnTimeout() async throws {
    let providers = ScriptedProviders(["a": [.hang]])
    let (result, recorder) = try await run(
      .plan([.step("a"), .step("b", needs: [0])], timeout: 60), providers, time: JumpingTime(rest: providers.called))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .timeout)
    #expect(recorder.stepEnds().map(\.status) == [.cancelled, .skipped])
  }

  @Test func cancellingTheTaskInterruptsTheRun() async throws {
    let providers = ScriptedProviders(["a": [.hang]])
    let recorder = try MemoryQueue()
    let task = Task { try await run(.plan([.step("a")]), providers, recorder: recorder).0 }
    await providers.called()
    task.cancel()
    #expect(try await task.value.status == .interrupted)
    #expect(recorder.runEnd?.status == .interrupted)
    #expect(recorder.stepEnds().isEmpty)
  }

  @Test func aLoopWorksEveryItemWithItsOwnKey() async throws {
    let providers = ScriptedProviders()
    let (result, recorder) = try await run(.plan([.loop("a", over: 50, parallel: 4)]), providers)
    #expect(result.status == .succeeded)
    #expect(Set(providers.requests.map(\.key)) == Set((0..<50).map { "R.a.\($0)" }))
    #expect((2...4).contains(providers.peak))
    #expect(recorder.stepEnds().map(\.itemsSucceeded) == [50])
  }

  @Test func aFallbackProviderIsUsedWhenTheFirstCannotBeHad() async throws {
    let providers = ScriptedProviders(["a": [.output(["n": 1])]])
    let (result, recorder) = try await run(.plan([.step("a", providers: ["missing", "spare"])]), providers)
    #expect(result.status == .succeeded)
    #expect(recorder.intents.map(\.0.kind.label) == ["missing", "spare"])
    #expect(recorder.attempts.map(\.failure?.kind) == [.notFound, nil])
  }

  @Test func aStepThatNobodyCarriesOutSaysWhyOfEach() async throws {
    let providers = ScriptedProviders(["a": [.failure(.test(.auth)), .failure(.test(.quota))]])
    let (result, _) = try await run(.plan([.step("a", providers: ["first", "second"])]), providers)
    let reason = ActionFailure.test(.auth).message.english
    #expect(result.failure?.kind == .quota)
    #expect(result.failure?.message.english.hasSuffix(" (other providers: 'first': \(reason))") == true)
  }

  @Test func outputsOfEarlierStepsReachLaterOnes() async throws {
    let environment = Environment(variables: ["steps": .dynamic])
    let template = try Template("{{ steps.a.output.n }}", in: environment)
    let plan = Plan(
      name: "test", path: "test.yaml", fingerprint: "0",
      steps: [.step("a"), .step("b", input: .map([(name: "x", value: .template(template))]), needs: [0])],
      outputs: [(name: "n", value: .template(template))])
    let providers = ScriptedProviders(["a": [.output(["n": 7])]])
    let (result, _) = try await run(plan, providers)
    #expect(providers.requests.last?.input == ["x": 7])
    #expect(result.outputs == ["n": 7])
  }

  @Test func aStepWhoseConditionIsFalseIsSkipped() async throws {
    let never = try Expression("1 > 2", in: Environment())
    let (result, recorder) = try await run(.plan([.step("a", when: never)]), ScriptedProviders())
    #expect(result.status == .succeeded)
    #expect(recorder.stepEnds().map(\.status) == [.skipped])
  }

  @Test func aStepAtTheEndRunsAfterTheRunsDeadlineToo() async throws {
    let providers = ScriptedProviders(["a": [.hang], "z": [.failure(.test(.server)), .output(["n": 1])]])
    let (result, recorder) = try await run(
      .plan([.step("a"), .step("b", needs: [0]), .last("z", needs: [0, 1])], timeout: 60), providers,
      time: JumpingTime(rest: providers.called))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .timeout)
    #expect(recorder.stepEnds().map(\.status) == [.cancelled, .skipped, .succeeded])
    #expect(providers.requests.map(\.step) == ["a", "z", "z"])
  }

  @Test func aChildRecipeRunsAsARunOfItsOwnAndGivesItsOutputs() async throws {
    let environment = Environment(variables: ["steps": .dynamic, "inputs": .dynamic])
    let child = Plan(
      name: "child", path: "child.yaml", fingerprint: "1",
      inputs: [.init(name: "x", schema: Schema(document: ["type": "integer"]), isRequired: true)],
      steps: [
        .step("c", input: .map([(name: "v", value: .template(try Template("{{ inputs.x }}", in: environment)))]))
      ],
      outputs: [(name: "v", value: .template(try Template("{{ steps.c.output }}", in: environment)))])
    let parent = Plan(
      name: "parent", path: "parent.yaml", fingerprint: "0",
      steps: [.child("sub", child, input: .literal(["x": 5]))],
      outputs: [(name: "y", value: .template(try Template("{{ steps.sub.output.v }}", in: environment)))])
    let (result, recorder) = try await run(parent, ScriptedProviders(["c": [.echo("v")]]))
    #expect(result.outputs == ["y": 5])
    let starts = recorder.entries.compactMap { if case .runStarted(let start) = $0 { start } else { nil } }
    #expect(starts.map(\.recipe) == ["parent", "child"])
    #expect(starts.map(\.trigger) == ["manual", "R.sub"])
  }

  @Test func aChildThatFailsFailsItsStepWithoutARetry() async throws {
    let providers = ScriptedProviders(["c": [.failure(.test(.server))]])
    let child = Plan.plan([.step("c", retry: RetryPolicy(attempts: 2, jitter: 0))])
    let (result, recorder) = try await run(.plan([.child("sub", child)]), providers)
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .server)
    #expect(providers.requests.count == 2)
    #expect(recorder.attempts.filter { $0.run.rawValue == "R" }.count == 1)
  }

  @Test func aChildInDoubtPutsItsParentInDoubt() async throws {
    let child = Plan.plan([.step("c", effect: .once)])
    let (result, _) = try await run(
      .plan([.child("sub", child)]), ScriptedProviders(["c": [.failure(.test(.timeout))]]))
    #expect(result.status == .needsAttention)
  }

  @Test func aStepsVariablesAreKnownToItsInput() async throws {
    let environment = Environment(variables: ["steps": .dynamic, "previous": .dynamic])
    var second = PlanStep.step(
      "b", input: .map([(name: "t", value: .template(try Template("<{{ previous }}>", in: environment)))]), needs: [0])
    second.variables = [(name: "previous", value: .template(try Template("{{ steps.a.output.n }}", in: environment)))]
    let providers = ScriptedProviders(["a": [.output(["n": 7])]])
    _ = try await run(.plan([.step("a"), second]), providers)
    #expect(providers.requests.last?.input == ["t": "<7>"])
  }
}
