import Expressions
import Localization
import Plans
import RecipeModel
import TestSupport
import Testing

@testable import Engine

/// Runs that repeat earlier ones: retried from a step on, retried where they failed, replayed.
@Suite(.timeLimit(.minutes(5))) struct RunRepeatTests {
  private let first = RunID(rawValue: "R")
  private let second = RunID(rawValue: "S")

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders) -> RunEngine {
    RunEngine(queue: queue, providers: providers, time: JumpingTime())
  }

  /// Two branches that join; 'c' fails for good at first, when both have ended.
  private let plan = Plan.plan([
    .step("a", effect: .once), .step("b", effect: .once), .step("c", effect: .idempotent, needs: [0, 1]),
    .step("d", needs: [1, 2]), .last("end", needs: [0, 1, 2, 3]),
  ])

  private func failed() async throws -> MemoryQueue {
    let queue = try MemoryQueue()
    let providers = ScriptedProviders(["c": [.failure(.test(.auth))]])
    #expect(try await engine(queue, providers).run(plan, RunRequest(id: first)).status == .failed)
    return queue
  }

  @Test(arguments: [
    (Int?.none, ["c", "d", "end"]), (0, ["a", "c", "d", "end"]), (1, ["b", "c", "d", "end"]), (2, ["c", "d", "end"]),
  ])
  func aRetryDoesAgainWhatFailedAndWhatRestsOnIt(from step: Int?, called: [String]) async throws {
    let queue = try await failed()
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, providers).retry(plan, earlier, from: step, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.step).sorted() == called.sorted())
    #expect(try await queue.snapshot(of: second).start.origin == first)
  }

  @Test(arguments: [(Effect.once, false), (.idempotent, true)])
  func aStepWithAnUnusableOutputIsRetriedOnlyIfItsEffectAllowsThat(effect: Effect, isRepeated: Bool) async throws {
    let plan = Plan.plan([.step("pay", effect: effect)])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders(["pay": [.failure(.test(.badOutput))]])
    #expect(try await engine(queue, providers).run(plan, RunRequest(id: first)).status == .failed)
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try? await engine(queue, again).retry(plan, earlier, from: nil, RunRequest(id: second))
    #expect((result?.status == .succeeded) == isRepeated)
    #expect(again.requests.count == (isRepeated ? 1 : 0))
    // A person can retry from that step.
    let third = RunID(rawValue: "T")
    if !isRepeated {
      #expect(
        try await engine(queue, again).retry(plan, earlier, from: 0, RunRequest(id: third)).status == .succeeded)
    }
  }

  @Test func aRetryKeepsTheItemsOfALoopThatSucceeded() async throws {
    let plan = Plan.plan([.loop("each", over: 4, onError: .continue)])
    let queue = try MemoryQueue()
    let providers = ScriptedProviders(["each": [.output(["n": 0]), .failure(.test(.auth)), .output(["n": 2])]])
    #expect(try await engine(queue, providers).run(plan, RunRequest(id: first)).status == .succeeded)
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, again).retry(plan, earlier, from: nil, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(again.requests.map(\.item) == [1])
  }

  @Test func aRetryThatIsLeftGoesOnLikeAnyRun() async throws {
    let queue = try await failed()
    let earlier = try await queue.snapshot(of: first)
    let before = queue.boundaries.count
    _ = try await engine(queue, ScriptedProviders()).retry(plan, earlier, from: nil, RunRequest(id: second))
    for count in queue.boundaries.dropFirst(before).dropLast() {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      let providers = ScriptedProviders()
      let result = try await engine(left, providers).resume(plan, left.snapshot(of: second))
      #expect(result.status == .succeeded)
      #expect(!providers.requests.contains { ["a", "b"].contains($0.step) })
    }
  }

  @Test func aReplayCallsOnlyWhatIsPure() async throws {
    let queue = try MemoryQueue()
    let plan = Plan.plan([
      .step("a", effect: .once), .step("b", effect: .read), .step("c", effect: .pure, needs: [0, 1]),
    ])
    let providers = ScriptedProviders(["a": [.output(["n": 1])], "b": [.output(["n": 2])]])
    _ = try await engine(queue, providers).run(plan, RunRequest(id: first))
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, again).replay(plan, earlier, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(again.requests.map(\.step) == ["c"])
    let steps = try await queue.snapshot(of: second).steps
    #expect(steps.map { $0.units.first?.output } == [["n": 1], ["n": 2], [:]])
  }

  @Test func aReplayOfAStepWhoseInputCouldNotBeEvaluatedFailsInTheSameWay() async throws {
    let environment = Environment(variables: ["inputs": .dynamic])
    let input = BoundValue.template(try Template("{{ inputs.absent.field }}", in: environment))
    let plan = Plan.plan([.step("a", effect: .once, input: .map([(name: "v", value: input)]))])
    let queue = try MemoryQueue()
    let failure = try await engine(queue, ScriptedProviders()).run(plan, RunRequest(id: first)).failure
    let earlier = try await queue.snapshot(of: first)
    let again = try await engine(queue, ScriptedProviders()).replay(plan, earlier, RunRequest(id: second)).failure
    #expect(again?.kind == .invalidInput)
    #expect(again?.message == failure?.message)
  }

  @Test func aReplayOfAStepWithoutResultFails() async throws {
    let queue = try await failed()
    let again = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, again).replay(plan, earlier, RunRequest(id: second))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .auth)
    #expect(again.requests.map(\.step) == ["end"])
  }

  @Test func anotherPlanIsRefused() async throws {
    let queue = try await failed()
    let earlier = try await queue.snapshot(of: first)
    let engine = engine(queue, ScriptedProviders())
    await #expect(throws: EngineError(.planDiffers, LocalizedText(verbatim: ""))) {
      try await engine.retry(.plan([.step("x")]), earlier, from: nil, RunRequest(id: second))
    }
  }

  // MARK: - What stays

  /// Runs a plan with such answers, then retries it; gives the requests of the retry.
  private func retried(
    _ plan: Plan, _ answers: [String: [ScriptedProviders.Answer]], from step: Int? = nil,
    again: [String: [ScriptedProviders.Answer]] = [:], _ queue: MemoryQueue? = nil
  ) async throws -> (result: RunResult, requests: [ActionRequest]) {
    let queue = try queue ?? MemoryQueue()
    _ = try await engine(queue, ScriptedProviders(answers)).run(plan, RunRequest(id: first))
    let providers = ScriptedProviders(again)
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, providers).retry(plan, earlier, from: step, RunRequest(id: second))
    return (result, providers.requests)
  }

  @Test func whatRestsOnASkippedStepIsNotDoneTwice() async throws {
    let never = try Expression("false", in: Environment(variables: [:]))
    let plan = Plan.plan([
      .step("maybe", when: never), .step("send", effect: .once, needs: [0]), .step("fail", needs: [1]),
    ])
    let (result, requests) = try await retried(plan, ["fail": [.failure(.test(.auth))]])
    #expect(result.status == .succeeded)
    #expect(requests.map(\.step) == ["fail"])
  }

  @Test func whatRestsOnAFailureThatWasPassedOverIsNotDoneTwice() async throws {
    let plan = Plan.plan([
      .step("shaky", onError: .continue), .step("send", effect: .once, needs: [0]), .step("fail", needs: [1]),
    ])
    let answers: [String: [ScriptedProviders.Answer]] = [
      "shaky": [.failure(.test(.auth))], "fail": [.failure(.test(.auth))],
    ]
    let (result, requests) = try await retried(plan, answers)
    #expect(result.status == .succeeded)
    #expect(requests.map(\.step) == ["fail"])
    let (_, asked) = try await retried(plan, answers, from: 0)
    #expect(asked.map(\.step) == ["shaky", "send", "fail"])
  }

  @Test func aFailureThatNothingRestsOnIsTriedAgain() async throws {
    let plan = Plan.plan([.step("a", effect: .once), .step("shaky", needs: [0], onError: .continue)])
    let (_, requests) = try await retried(plan, ["shaky": [.failure(.test(.auth))]])
    #expect(requests.map(\.step) == ["shaky"])
  }

  @Test func whatWasTakenBackIsDoneAnewWithWhatRestsOnIt() async throws {
    let plan = Plan.plan([
      .step("order", effect: .once), .step("mail", effect: .once, needs: [0]), .step("other", effect: .once),
      .step("fail", needs: [1, 2]), .undo("cancel", of: 0, needs: [0, 1, 2, 3]),
    ])
    let queue = try MemoryQueue()
    let fails: [String: [ScriptedProviders.Answer]] = ["fail": [.failure(.test(.auth))]]
    let (result, requests) = try await retried(plan, fails, again: fails, queue)
    #expect(result.status == .failed)
    #expect(requests.map(\.step) == ["order", "mail", "fail", "cancel"])
    // It is another effect than the one that was undone.
    #expect(requests.first?.key == "S.order")
  }

  @Test func aStepThatCouldNotBeTakenBackIsNotDoneTwice() async throws {
    let plan = Plan.plan([
      .step("order", effect: .once), .step("fail", needs: [0]), .undo("cancel", of: 0, needs: [0, 1]),
    ])
    let failure = ScriptedProviders.Answer.failure(.test(.auth))
    let (result, requests) = try await retried(plan, ["fail": [failure], "cancel": [failure]])
    #expect(result.status == .succeeded)
    #expect(requests.map(\.step) == ["fail"])
  }

  @Test func whatWasTakenBackInPartIsDoneAnewOnlyOnRequest() async throws {
    var back = PlanStep.loop("back", over: 2, onError: .continue)
    back.phase = .undo(of: 0)
    back.needs = [0, 1]
    let plan = Plan.plan([.loop("move", over: 2), .step("fail", needs: [0]), back])
    let queue = try MemoryQueue()
    let answers: [String: [ScriptedProviders.Answer]] = [
      "fail": [.failure(.test(.auth))], "back": [.output(["n": 1]), .failure(.test(.auth))],
    ]
    await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
      try await retried(plan, answers, queue)
    }
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let result = try await engine(queue, providers).retry(plan, earlier, from: 0, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.step) == ["move", "move", "fail"])
  }

  /// An undo of its own for each of so many items.
  private func undoLoop(_ id: String, of target: Int, over count: Int, needs: [Int]) -> PlanStep {
    var step = PlanStep.loop(id, over: count, onError: .continue)
    step.phase = .undo(of: target)
    step.needs = needs
    return step
  }

  @Test func whatWasTakenBackInPartIsNotDoneAnewForAnotherUndosSake() async throws {
    let plan = Plan.plan([
      .step("one", effect: .once), .loop("two", over: 2).needing([0]), .step("fail", needs: [1]),
      undoLoop("two_undo", of: 1, over: 2, needs: [0, 1, 2]), .undo("one_undo", of: 0, needs: [0, 1, 2, 3]),
    ])
    for backs: [ScriptedProviders.Answer] in [[.output(["n": 1]), .failure(.test(.auth))], [.failure(.test(.auth))]] {
      let queue = try MemoryQueue()
      let answers: [String: [ScriptedProviders.Answer]] = ["fail": [.failure(.test(.auth))], "two_undo": backs]
      await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
        try await retried(plan, answers, queue)
      }
      #expect(queue.runs == [first])
      let providers = ScriptedProviders()
      let earlier = try await queue.snapshot(of: first)
      _ = try await engine(queue, providers).retry(plan, earlier, from: 1, RunRequest(id: second))
      #expect(providers.requests.map(\.step) == ["one", "two", "two", "fail"])
    }
  }

  @Test func anUndoThatTookNothingBackLetsResultsStay() async throws {
    let plan = Plan.plan([
      .step("pay", effect: .once), .step("fail", needs: [0]), undoLoop("pay_undo", of: 0, over: 0, needs: [0, 1]),
    ])
    let (result, requests) = try await retried(plan, ["fail": [.failure(.test(.auth))]])
    #expect(result.status == .succeeded)
    #expect(requests.map(\.step) == ["fail"])
  }

  @Test func anUndoThatLeftItemsOutHasTakenBackAPart() async throws {
    let plan = Plan.plan([
      .loop("pay", over: 2), .step("fail", needs: [0]), undoLoop("pay_undo", of: 0, over: 1, needs: [0, 1]),
    ])
    await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
      try await retried(plan, ["fail": [.failure(.test(.auth))]])
    }
  }

  @Test func whatIsTriedAgainBeginsWithTheRetry() async throws {
    let earlier = StepSnapshot(
      status: .failed,
      units: [
        UnitSnapshot(
          item: nil, attempts: 1, failures: [.init(asked: .provider("main"), kind: .auth)],
          lastAttempt: AttemptSnapshot(
            number: 1, kind: .provider("main"), key: "R.pay", firstStart: Timestamp(seconds: 1),
            endedAt: Timestamp(seconds: 2),
            failure: .test(.auth)))
      ], startedAt: Timestamp(seconds: 1))
    let steps = [PlanStep.step("pay", effect: .idempotent)]
    let start = RunStart(
      run: second, recipe: "test", path: "test.yaml", fingerprint: "0", trigger: "retry", inputs: .map([:]),
      steps: [.init(id: "pay", action: "test.pay", effect: .idempotent)], at: Timestamp(seconds: 9))
    let (snapshot, entries) = ReusedResults([earlier], steps, from: nil).begin(start, origin: first)
    #expect(snapshot.steps.map(\.startedAt) == [Timestamp(seconds: 9)])
    // Whoever goes on from the journal sees the same.
    #expect(try await MemoryQueue(entries).snapshot(of: second).steps.map(\.startedAt) == [Timestamp(seconds: 9)])
  }

  // MARK: - Idempotency keys

  @Test(arguments: [(Int?.none, "R.pay"), (0, "S.pay")])
  func theKeyOfWhatFailedGoesOnUnlessItIsDoneAnew(from step: Int?, key: String) async throws {
    let plan = Plan.plan([.step("pay", effect: .idempotent)])
    let (_, requests) = try await retried(plan, ["pay": [.failure(.test(.auth))]], from: step)
    #expect(requests.map(\.key) == [key])
  }

  @Test func theKeyOfWhatFailedGoesOnWhereWhatItRestsOnWasTakenBack() async throws {
    let plan = Plan.plan([
      .step("reserve", effect: .idempotent), .step("charge", effect: .idempotent, needs: [0]),
      .step("other", effect: .idempotent, needs: [1]), .undo("release", of: 0, needs: [0, 1, 2]),
    ])
    let queue = try MemoryQueue()
    let (result, requests) = try await retried(plan, ["charge": [.failure(.test(.auth))]], queue)
    #expect(result.status == .succeeded)
    #expect(requests.map(\.key) == ["S.reserve", "R.charge", "S.other"])
    // Wherever the retry is left, it is the same.
    let begin = try #require(
      queue.entries.firstIndex { if case .runStarted(let start) = $0 { start.run == second } else { false } })
    for count in queue.boundaries where count > begin {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      guard left.status(of: second) == .running else { continue }
      let providers = ScriptedProviders()
      #expect(try await engine(left, providers).resume(plan, left.snapshot(of: second)).status == .succeeded)
      #expect(providers.requests.filter { $0.step == "charge" }.allSatisfy { $0.key == "R.charge" })
    }
    let (_, asked) = try await retried(plan, ["charge": [.failure(.test(.auth))]], from: 1)
    #expect(asked.map(\.key) == ["S.reserve", "S.charge", "S.other"])
  }

  @Test func aStepWithAKeyOfAnEarlierRunStillHasItsCondition() async throws {
    let never = try Expression("false", in: Environment(variables: [:]))
    var plan = Plan.plan([
      .step("reserve", effect: .idempotent), .step("charge", effect: .idempotent, needs: [0]),
      .undo("release", of: 0, needs: [0, 1]),
    ])
    let queue = try MemoryQueue()
    _ = try await engine(queue, ScriptedProviders(["charge": [.failure(.test(.auth))]])).run(
      plan, RunRequest(id: first))
    plan.steps[1].condition = never
    let earlier = try await queue.snapshot(of: first)
    let before = queue.boundaries.count
    _ = try await engine(queue, ScriptedProviders()).retry(plan, earlier, from: nil, RunRequest(id: second))
    for count in queue.boundaries.dropFirst(before).dropLast() {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      let providers = ScriptedProviders()
      #expect(try await engine(left, providers).resume(plan, left.snapshot(of: second)).status == .succeeded)
      #expect(!providers.requests.contains { $0.step == "charge" })
    }
  }

  @Test func itemsThatFailedKeepTheirKeysWhereTheOthersWereTakenBack() async throws {
    var loop = PlanStep.loop("move", over: 3)
    loop.action = PlanStep.step("move", effect: .idempotent).action
    let plan = Plan.plan([loop, undoLoop("back", of: 0, over: 1, needs: [0])])
    let (result, requests) = try await retried(plan, ["move": [.output(["n": 0]), .failure(.test(.auth))]])
    #expect(result.status == .succeeded)
    #expect(Set(requests.map(\.key)) == ["S.move.0", "R.move.1", "S.move.2"])
  }

  @Test func itemsThatMayHaveActedAreDoneAnewOnlyOnRequest() async throws {
    var loop = PlanStep.loop("charge", over: 3).needing([0])
    loop.action = PlanStep.step("charge", effect: .idempotent).action
    let plan = Plan.plan([.step("reserve", effect: .once), loop, .undo("release", of: 0, needs: [0, 1])])
    let answers: [String: [ScriptedProviders.Answer]] = ["charge": [.output(["n": 0]), .failure(.test(.auth))]]
    await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) { try await retried(plan, answers) }
    let (result, _) = try await retried(plan, answers, from: 1)
    #expect(result.status == .succeeded)
  }

  @Test func itemsKeepTheirKeys() async throws {
    var loop = PlanStep.loop("each", over: 3, onError: .continue)
    loop.action = PlanStep.step("each", effect: .once).action
    let (_, requests) = try await retried(
      .plan([loop]), ["each": [.output(["n": 0]), .failure(.test(.auth)), .output(["n": 2])]])
    #expect(requests.map(\.key) == ["R.each.1"])
  }

  @Test func theKeyGoesOnWhereverTheRetryIsLeft() async throws {
    let plan = Plan.plan([.step("pay", effect: .idempotent), .step("end", needs: [0])])
    let queue = try MemoryQueue()
    _ = try await retried(plan, ["pay": [.failure(.test(.auth))]], queue)
    let starts = queue.entries.indices.filter {
      if case .runStarted(let start) = queue.entries[$0] { start.run == second } else { false }
    }
    let begin = try #require(starts.first)
    for count in queue.boundaries where count > begin {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      guard left.status(of: second) == .running else { continue }
      let providers = ScriptedProviders()
      let result = try await engine(left, providers).resume(plan, left.snapshot(of: second))
      #expect(result.status == .succeeded)
      #expect(providers.requests.filter { $0.step == "pay" }.allSatisfy { $0.key == "R.pay" })
    }
  }

  @Test func whatWasLeftWithoutAnEndIsNotDoneOnceMoreUnlessAskedFor() async throws {
    let plan = Plan.plan([.step("pay", effect: .once), .step("other", effect: .idempotent)])
    let queue = try MemoryQueue()
    let at = JumpingTime().now
    try await queue.record(
      [
        .runStarted(plan.start(RunRequest(id: first), group: nil, at: at)),
        .stepStarted(run: first, step: 0, itemCount: nil, at: at),
        .attemptStarted(
          AttemptStart(
            run: first, step: 0, item: nil, number: 1, kind: .provider("main"), key: "R.pay", inputBytes: 0, at: at)),
        .stepFinished(StepEnd(run: first, step: 0, status: .cancelled, at: at)),
        .stepFinished(StepEnd(run: first, step: 1, status: .skipped, at: at)),
        .runFinished(RunEnd(run: first, status: .cancelled, outputs: .map([:]), failure: nil, at: at)),
      ], durability: .synced)
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    for step in [nil, 1] {
      await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
        try await engine(queue, providers).retry(plan, earlier, from: step, RunRequest(id: second))
      }
    }
    #expect(providers.requests.isEmpty)
    #expect(queue.runs == [first])
    let result = try await engine(queue, providers).retry(plan, earlier, from: 0, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.first { $0.step == "pay" }?.key == "S.pay")
  }

  // MARK: - Recipes in recipes

  /// A recipe that runs another one, whose second step fails at first.
  private let family = Plan.plan([
    .child("sub", .plan([.step("send", effect: .once), .step("shaky", effect: .idempotent, needs: [0])]))
  ])

  @Test func theRunOfAnotherRecipeIsRepeatedNotBegunAgain() async throws {
    let queue = try MemoryQueue()
    let (result, requests) = try await retried(family, ["shaky": [.failure(.test(.auth))]], queue)
    #expect(result.status == .succeeded)
    #expect(requests.map(\.step) == ["shaky"])
    let children = queue.entries.compactMap { entry -> RunStart? in
      if case .runStarted(let start) = entry, start.parent != nil { start } else { nil }
    }
    #expect(children.map(\.parent) == [first, second])
    #expect(children.last?.origin == children.first?.run)
    #expect(requests.first?.key == "\(children[0].run).shaky")
  }

  /// Makes the plan that a test has for runs that were begun by another text.
  private struct OlderPlans: PlanSource {
    let plan: Plan

    func plan(of start: RunStart) -> Plan { plan }
  }

  @Test(arguments: [("shaky", "mended"), ("other", "shaky")])
  func anotherRecipeThatWasMendedCountsWhereItFits(_ names: (id: String, called: String)) async throws {
    let queue = try MemoryQueue()
    _ = try await engine(queue, ScriptedProviders(["shaky": [.failure(.test(.auth))]])).run(
      family, RunRequest(id: first))
    var child = Plan.plan([.step("send", effect: .once), .step(names.id, effect: .idempotent, needs: [0])])
    child.fingerprint = "newer"
    child.outputs = [(name: "which", value: .literal("mended"))]
    let earlier = try await queue.snapshot(of: first)
    var options = RunEngine.Options()
    var older = try #require(family.steps[0].child)
    older.outputs = [(name: "which", value: .literal("shaky"))]
    options.plans = OlderPlans(plan: older)
    let providers = ScriptedProviders()
    let result = try await RunEngine(queue: queue, providers: providers, time: JumpingTime(), options: options)
      .retry(.plan([.child("sub", child)]), earlier, from: nil, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.step) == ["shaky"])
    #expect(try await queue.snapshot(of: second).steps[0].units.first?.output == ["which": .string(names.called)])
    let isSaid = queue.entries.contains {
      if case .log(let line) = $0 { line.message.contains("as run") } else { false }
    }
    #expect(isSaid == (names.id == "other"))
  }

  /// What a retry of the family does where runs have been removed meanwhile.
  private func retriedFamily(without gone: (RunID) -> Set<RunID>) async throws -> (RunResult, [String]) {
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["shaky": [.failure(.test(.auth))]])
    #expect(try await engine(queue, failing).run(family, RunRequest(id: first)).status == .failed)
    let earlier = try await queue.snapshot(of: first)
    let child = try #require(queue.runs.first { $0 != first })
    try await queue.forget(gone(child))
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers).retry(family, earlier, from: nil, RunRequest(id: second))
    return (result, providers.requests.map(\.step))
  }

  @Test func aRunOfAnotherRecipeThatWasRemovedIsNotBegunAgain() async throws {
    let (result, called) = try await retriedFamily { [first, $0] }
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .notFound)
    #expect(called == [])
  }

  @Test func aRunOfAnotherRecipeThatNeverBeganBegins() async throws {
    let (result, called) = try await retriedFamily { [$0] }
    #expect(result.status == .succeeded)
    #expect(called == ["send", "shaky"])
  }

  @Test func whereverTheRetryIsLeftTheOtherRecipeDoesNothingTwice() async throws {
    let queue = try MemoryQueue()
    _ = try await retried(family, ["shaky": [.failure(.test(.auth))]], queue)
    let begin = try #require(
      queue.entries.firstIndex { if case .runStarted(let start) = $0 { start.run == second } else { false } })
    for count in queue.boundaries where count > begin {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      guard left.status(of: second) == .running else { continue }
      let providers = ScriptedProviders()
      let result = try await engine(left, providers).resume(family, left.snapshot(of: second))
      #expect(result.status == .succeeded)
      #expect(!providers.requests.contains { $0.step == "send" })
    }
  }

  // MARK: - Replays

  @Test func aReplayThatIsLeftGoesOnAsAReplay() async throws {
    let queue = try MemoryQueue()
    let plan = Plan.plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])])
    _ = try await engine(queue, ScriptedProviders()).run(plan, RunRequest(id: first))
    let earlier = try await queue.snapshot(of: first)
    let before = queue.boundaries.count
    _ = try await engine(queue, ScriptedProviders()).replay(plan, earlier, RunRequest(id: second))
    for count in queue.boundaries.dropFirst(before).dropLast() {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      let providers = ScriptedProviders()
      let result = try await engine(left, providers).resume(plan, left.snapshot(of: second))
      #expect(result.status == .succeeded)
      #expect(providers.requests.isEmpty)
    }
    let alone = try await MemoryQueue(
      queue.entries.filter { if case .runStarted(let start) = $0 { start.run == second } else { false } })
    let providers = ScriptedProviders()
    #expect(try await engine(alone, providers).resume(plan, alone.snapshot(of: second)).status == .failed)
    #expect(providers.requests.isEmpty)
  }

  // MARK: - Repeated twice

  /// A run whose second step has failed, and one that has repeated it with such answers.
  private func repeated(_ answers: [String: [ScriptedProviders.Answer]]) async throws -> (Plan, MemoryQueue) {
    let plan = Plan.plan([
      .step("a", effect: .once), .step("b", effect: .once, needs: [0]), .step("c", effect: .once, needs: [1]),
    ])
    let queue = try MemoryQueue()
    _ = try await retried(plan, ["b": [.failure(.test(.auth))]], again: answers, queue)
    return (plan, queue)
  }

  @Test func whatAnotherRetryHasBegunIsNotDoneOnceMore() async throws {
    for answers: [String: [ScriptedProviders.Answer]] in [
      [:], ["c": [.failure(.test(.auth))]], ["b": [.failure(.test(.auth))]], ["c": [.failure(.test(.timeout))]],
    ] {
      let (plan, queue) = try await repeated(answers)
      let engine = engine(queue, ScriptedProviders())
      let earlier = try await queue.snapshot(of: first)
      let third = RunID(rawValue: "T")
      await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
        try await engine.retry(plan, earlier, from: nil, RunRequest(id: third))
      }
      #expect(queue.runs == [first, second])
      guard queue.status(of: second).isFinal else { continue }
      #expect(try await engine.retry(plan, earlier, from: 1, RunRequest(id: third)).status == .succeeded)
    }
  }

  @Test func whatARetryOfTheSameRunHasBegunIsNotDoneOnceMore() async throws {
    let plan = Plan.plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])])
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["b": [.failure(.test(.auth))]])
    #expect(try await engine(queue, failing).run(plan, RunRequest(id: first)).status == .failed)
    let providers = ScriptedProviders()
    let engine = engine(queue, providers)
    let earlier = try await queue.snapshot(of: first)
    let control = CancelToken()
    control.cancel()
    let calledOff = try await engine.retry(plan, earlier, from: nil, RunRequest(id: second), control: control)
    #expect(calledOff.status == .cancelled)
    #expect(
      try await engine.retry(plan, earlier, from: nil, RunRequest(id: RunID(rawValue: "T"))).status == .succeeded)
    let planned = try await queue.snapshot(of: second)
    await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
      try await engine.retry(plan, planned, from: nil, RunRequest(id: RunID(rawValue: "U")))
    }
    #expect(providers.requests.map(\.step) == ["b"])
    #expect(try await engine.retry(plan, planned, from: 1, RunRequest(id: RunID(rawValue: "V"))).status == .succeeded)
  }

  @Test(arguments: [Int?.none, 1])
  func ofTwoRetriesThatArePlannedAtOnceOneBegins(from step: Int?) async throws {
    let plan = Plan.plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])])
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["b": [.failure(.test(.auth))]])
    #expect(try await engine(queue, failing).run(plan, RunRequest(id: first)).status == .failed)
    let providers = ScriptedProviders()
    let (one, other) = (engine(queue, providers), engine(queue, providers))
    let earlier = try await queue.snapshot(of: first)
    let planned = try await other.repetition(of: earlier, plan, from: step, RunRequest(id: RunID(rawValue: "T")))
    #expect(try await one.retry(plan, earlier, from: step, RunRequest(id: second)).status == .succeeded)
    await #expect(throws: EngineError(.journal, LocalizedText(verbatim: ""))) {
      try await other.begin(planned, after: [], observer: SilentObserver(), control: CancelToken())
    }
    #expect(queue.runs == [first, second])
    #expect(providers.requests.map(\.step) == ["b"])
  }

  @Test func ofManyRetriesAtOnceOneActs() async throws {
    let plan = Plan.plan([.step("a", effect: .once), .step("b", effect: .once, needs: [0])])
    let queue = try MemoryQueue()
    let failing = ScriptedProviders(["b": [.failure(.test(.auth))]])
    #expect(try await engine(queue, failing).run(plan, RunRequest(id: first)).status == .failed)
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    let codes = await withTaskGroup(of: EngineError.Code?.self) { group in
      for number in 0..<8 {
        let engine = engine(queue, providers)
        group.addTask {
          do throws(EngineError) {
            _ = try await engine.retry(plan, earlier, from: nil, RunRequest(id: RunID(rawValue: "S\(number)")))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.filter { $0 == nil }.count == 1)
    #expect(codes.filter { $0 == .runState }.count == 7)
    #expect(queue.runs.count == 2)
    #expect(providers.requests.map(\.step) == ["b"])
  }

  @Test func theNewestRetryIsRepeated() async throws {
    let (plan, queue) = try await repeated(["c": [.failure(.test(.auth))]])
    let providers = ScriptedProviders()
    let later = try await queue.snapshot(of: second)
    _ = try await engine(queue, providers).retry(plan, later, from: nil, RunRequest(id: RunID(rawValue: "T")))
    #expect(providers.requests.map(\.step) == ["c"])
  }

  @Test func aReplayIsNotRetried() async throws {
    let queue = try await failed()
    let earlier = try await queue.snapshot(of: first)
    _ = try await engine(queue, ScriptedProviders()).replay(plan, earlier, RunRequest(id: second))
    let replay = try await queue.snapshot(of: second)
    await #expect(throws: EngineError(.runState, LocalizedText(verbatim: ""))) {
      try await engine(queue, ScriptedProviders()).retry(plan, replay, from: nil, RunRequest(id: first))
    }
  }
}
