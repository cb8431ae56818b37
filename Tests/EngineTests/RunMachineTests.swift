import Expressions
import Plans
import RecipeSyntax
import Testing

@testable import Engine

/// The machine's actions as short words: `prepare 0`, `start 0.2`, `step 0 failed`, `run succeeded`. That it turns is told
/// by ``reasons(_:)``.
private func words(_ actions: [RunMachine.Action]) -> [String] {
  actions.compactMap { action in
    switch action {
    case .prepare(let step): "prepare \(step)"
    case .startUnit(let step, let item): item.map { "start \(step).\($0)" } ?? "start \(step)"
    case .finishStep(let step, let status, _, _, _): "step \(step) \(status.rawValue)"
    case .conclude: "conclude"
    case .turn: nil
    case .park: "park"
    case .finishRun(let status, _): "run \(status.rawValue)"
    }
  }
}

@Suite struct RunMachineTests {
  @Test func stepsOfALineFollowEachOther() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    #expect(words(machine.handle(.start)) == ["prepare 0"])
    #expect(words(machine.handle(.prepared(step: 0, .single))) == ["start 0"])
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "prepare 1"])
    #expect(words(machine.handle(.prepared(step: 1, .single))) == ["start 1"])
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run succeeded"])
    #expect(words(machine.handle(.start)) == [])
  }

  @Test func independentStepsStartTogetherAndAJoinWaitsForBoth() {
    var machine = RunMachine(steps: [.step("a"), .step("b"), .step("c", needs: [0, 1])])
    #expect(words(machine.handle(.start)) == ["prepare 0", "prepare 1"])
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.prepared(step: 1, .single))
    #expect(words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded"])
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "prepare 2"])
  }

  @Test func aSkippedStepLetsLaterOnesRun() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    #expect(words(machine.handle(.prepared(step: 0, .skip))) == ["step 0 skipped", "prepare 1"])
  }

  @Test func aFailedStepEndsTheRunAndSkipsTheRest() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth))))
        == ["step 0 failed", "step 1 skipped", "run failed"])
  }

  @Test func aFailedStepThatMayContinueDoesNotEndTheRun() {
    var machine = RunMachine(steps: [.step("a", onError: .continue), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth)))) == ["step 0 failed", "prepare 1"])
    _ = machine.handle(.prepared(step: 1, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run succeeded"])
  }

  @Test func aFailureLetsParallelStepsEndBeforeTheRunDoes() {
    var machine = RunMachine(steps: [.step("a"), .step("b")])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.prepared(step: 1, .single))
    #expect(words(machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth)))) == ["step 0 failed"])
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run failed"])
  }

  @Test func aLoopKeepsSoManyItemsUnderWay() {
    var machine = RunMachine(steps: [.loop("a", over: 4, parallel: 2)])
    _ = machine.handle(.start)
    #expect(words(machine.handle(.prepared(step: 0, .loop(count: 4)))) == ["start 0.0", "start 0.1"])
    #expect(words(machine.handle(.unitFinished(step: 0, item: 1, failure: nil))) == ["start 0.2"])
    #expect(words(machine.handle(.unitFinished(step: 0, item: 0, failure: nil))) == ["start 0.3"])
    #expect(words(machine.handle(.unitFinished(step: 0, item: 2, failure: nil))) == [])
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: 3, failure: nil))) == ["step 0 succeeded", "run succeeded"])
  }

  @Test func anEmptyLoopSucceedsAtOnce() {
    var machine = RunMachine(steps: [.loop("a", over: 0)])
    _ = machine.handle(.start)
    #expect(words(machine.handle(.prepared(step: 0, .loop(count: 0)))) == ["step 0 succeeded", "run succeeded"])
  }

  @Test func aFailedItemStopsALoopThatMayNotContinue() {
    var machine = RunMachine(steps: [.loop("a", over: 4, parallel: 2)])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 4)))
    #expect(words(machine.handle(.unitFinished(step: 0, item: 0, failure: .test(.auth)))) == [])
    #expect(words(machine.handle(.unitFinished(step: 0, item: 1, failure: nil))) == ["step 0 failed", "run failed"])
  }

  @Test func aFailedItemDoesNotStopALoopThatMayContinue() throws {
    var machine = RunMachine(steps: [.loop("a", over: 3, onError: .continue)])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 3)))
    _ = machine.handle(.unitFinished(step: 0, item: 0, failure: .test(.auth)))
    _ = machine.handle(.unitFinished(step: 0, item: 1, failure: nil))
    let actions = machine.handle(.unitFinished(step: 0, item: 2, failure: nil))
    #expect(words(actions) == ["step 0 failed", "run succeeded"])
    guard case .finishStep(_, _, let succeeded, let failed, let failure) = try #require(actions.first) else {
      Issue.record("something else came")
      return
    }
    #expect((succeeded, failed) == (2, 1))
    #expect(failure == .test(.auth))
  }

  @Test func anInterruptionLeavesUnfinishedStepsOpen() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(words(machine.handle(.stop(.interrupted))) == [])
    #expect(
      words(machine.handle(.unitSuspended(step: 0, item: nil))) == ["run interrupted"])
    #expect(machine.status(of: 0) == .running)
    #expect(machine.status(of: 1) == .pending)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func anInterruptedLoopStaysOpenInWhateverOrderItsItemsReport(order: [Int]) {
    var machine = RunMachine(steps: [.loop("a", over: 2, parallel: 2)])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 2)))
    _ = machine.handle(.stop(.interrupted))
    var last: [RunMachine.Action] = []
    for item in order {
      last = machine.handle(
        item == 0 ? .unitSuspended(step: 0, item: 0) : .unitFinished(step: 0, item: 1, failure: nil))
    }
    #expect(words(last) == ["run interrupted"])
    #expect(machine.status(of: 0) == .running)
  }

  @Test func aRunWhoseLastUnitEndsAsItIsInterruptedHasSucceeded() {
    var machine = RunMachine(steps: [.step("a")])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.interrupted))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "run succeeded"])
  }

  @Test func aRunWhoseLastUnitFailsAsItIsInterruptedHasFailed() {
    var machine = RunMachine(steps: [.step("a")])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.interrupted))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth)))) == [
        "step 0 failed", "run failed",
      ])
  }

  @Test(arguments: [RunMachine.Stop.interrupted, .cancelled, .failed(.test(.auth))])
  func anEffectInDoubtOutweighsOtherReasonsToStop(first: RunMachine.Stop) {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(first))
    _ = machine.handle(.stop(.needsAttention(.test(.timeout))))
    #expect(words(machine.handle(.unitSuspended(step: 0, item: nil))) == ["run needs_attention"])
  }

  @Test func aCancellationClosesEveryStep() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.cancelled))
    #expect(
      words(machine.handle(.unitSuspended(step: 0, item: nil)))
        == ["step 0 cancelled", "step 1 skipped", "run cancelled"])
  }

  @Test func aStepWhoseConditionCannotBeEvaluatedFails() {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0])])
    _ = machine.handle(.start)
    #expect(
      words(machine.handle(.prepared(step: 0, .failed(.test(.invalidInput)))))
        == ["step 0 failed", "step 1 skipped", "run failed"])
  }

  @Test(arguments: [nil, ActionFailure.test(.auth)])
  func aStepAtTheEndRunsHoweverTheRunWent(failure: ActionFailure?) {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0]), .last("z", needs: [0, 1])])
    #expect(words(machine.handle(.start)) == ["prepare 0"])
    _ = machine.handle(.prepared(step: 0, .single))
    let next = words(machine.handle(.unitFinished(step: 0, item: nil, failure: failure)))
    if failure == nil {
      #expect(next == ["step 0 succeeded", "prepare 1"])
      #expect(words(machine.handle(.prepared(step: 1, .skip))) == ["step 1 skipped", "prepare 2"])
    } else {
      #expect(next == ["step 0 failed", "step 1 skipped", "prepare 2"])
    }
    #expect(words(machine.handle(.prepared(step: 2, .single))) == ["start 2"])
    #expect(
      words(machine.handle(.unitFinished(step: 2, item: nil, failure: nil)))
        == ["step 2 succeeded", failure == nil ? "run succeeded" : "run failed"])
  }

  @Test(arguments: [RunMachine.Stop.interrupted, .needsAttention(.test(.timeout))])
  func aRunThatIsTakenUpAgainLeavesItsLastStepsForThen(stop: RunMachine.Stop) {
    var machine = RunMachine(steps: [.step("a"), .last("z", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(stop))
    let end = words(machine.handle(.unitSuspended(step: 0, item: nil)))
    #expect(end == ["run interrupted"] || end == ["run needs_attention"])
    #expect(machine.status(of: 1) == .pending)
  }

  @Test func aCancelledRunStillRunsItsLastSteps() {
    var machine = RunMachine(steps: [.step("a"), .last("z", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.cancelled))
    #expect(words(machine.handle(.unitSuspended(step: 0, item: nil))) == ["step 0 cancelled", "prepare 1"])
    _ = machine.handle(.prepared(step: 1, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run cancelled"])
  }

  @Test func aRunThatIsCalledOffAfterItsOnlyStepHasFailedHasFailed() {
    var machine = RunMachine(steps: [.step("a"), .last("z", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.cancelled))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth)))) == ["step 0 failed", "prepare 1"])
    _ = machine.handle(.prepared(step: 1, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run failed"])
  }

  /// The machine of a run of which this is recorded.
  private func resuming(
    _ steps: [PlanStep], _ recorded: [StepSnapshot], _ turn: RunTurn.Reason? = nil
  ) -> RunMachine {
    RunMachine(steps: steps, resuming: recorded, turn: turn)
  }

  @Test func aWaitingUnitParksTheRunAndWakesIt() {
    var machine = RunMachine(steps: [.step("a")])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(words(machine.handle(.unitWaits(step: 0, item: nil))) == ["park"])
    #expect(words(machine.handle(.wake(step: 0, item: nil))) == ["start 0"])
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "run succeeded"])
  }

  @Test func anInterruptionParksOnlyWhereNothingElseIsLeft() {
    var machine = RunMachine(steps: [.step("a"), .step("b"), .step("c", needs: [1])])
    _ = machine.handle(.start)
    for step in 0...1 { _ = machine.handle(.prepared(step: step, .single)) }
    _ = machine.handle(.unitWaits(step: 0, item: nil))
    _ = machine.handle(.stop(.interrupted))
    // 'c' could begin: whoever takes the run up must not wait for 'a' first.
    #expect(
      words(machine.handle(.unitFinished(step: 1, item: nil, failure: nil))) == ["step 1 succeeded", "run interrupted"])
  }

  @Test func aFailureClosesWhatWaitsAndTakesBackWhatWasDone() {
    var machine = RunMachine(steps: [
      .step("done"), .step("waits", needs: [0]), .step("fails", needs: [0]), .undo("undo", of: 0, needs: [0, 1, 2]),
      .undo("not", of: 1, needs: [0, 1, 2]),
    ])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.unitFinished(step: 0, item: nil, failure: nil))
    for step in 1...2 { _ = machine.handle(.prepared(step: step, .single)) }
    _ = machine.handle(.unitWaits(step: 1, item: nil))
    #expect(
      words(machine.handle(.unitFinished(step: 2, item: nil, failure: .test(.auth)))) == [
        "step 2 failed", "step 1 cancelled", "prepare 3", "step 4 skipped",
      ])
    _ = machine.handle(.prepared(step: 3, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 3, item: nil, failure: nil))) == ["step 3 succeeded", "run failed"])
  }

  @Test func stepsForAFailureAreSkippedWithoutOne() {
    var handler = PlanStep.step("handler", needs: [0])
    handler.phase = .onFailure
    var machine = RunMachine(steps: [.step("a"), handler, .last("end", needs: [0, 1])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == [
        "step 0 succeeded", "step 1 skipped", "prepare 2",
      ])
  }

  @Test func itemsThatHadBegunGoOnBeforeOthers() {
    let done = UnitSnapshot(item: 0, output: ["n": 1])
    let begun = UnitSnapshot(item: 1, attempts: 1)
    var machine = resuming(
      [.loop("each", over: 4)], [StepSnapshot(status: .running, itemCount: 4, units: [done, begun])])
    #expect(words(machine.handle(.start)) == ["start 0.1"])
    #expect(words(machine.handle(.unitFinished(step: 0, item: 1, failure: nil))) == ["start 0.2"])
  }

  @Test func aLoopWhoseLengthIsNotRecordedIsPreparedAgain() {
    var machine = resuming([.loop("each", over: 4)], [StepSnapshot(status: .running)])
    #expect(words(machine.handle(.start)) == ["prepare 0"])
  }

  @Test func aRunThatWasBeingCancelledGoesOnWithThat() {
    var machine = resuming(
      [.step("a"), .step("b", needs: [0]), .last("end", needs: [0, 1])],
      [StepSnapshot(status: .cancelled), StepSnapshot(status: .skipped), StepSnapshot()], .cancelled)
    #expect(words(machine.handle(.start)) == ["prepare 2"])
    _ = machine.handle(.prepared(step: 2, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 2, item: nil, failure: nil))) == ["step 2 succeeded", "run cancelled"])
  }

  @Test func aWaitingItemHoldsItsPlaceInALoop() {
    var machine = RunMachine(steps: [.loop("each", over: 3, parallel: 1)])
    _ = machine.handle(.start)
    #expect(words(machine.handle(.prepared(step: 0, .loop(count: 3)))) == ["start 0.0"])
    #expect(words(machine.handle(.unitWaits(step: 0, item: 0))) == ["park"])
  }

  // MARK: - What the run gives back

  @Test(arguments: [
    (ActionFailure?.none, ["step 1 skipped", "prepare 2"], "run succeeded"),
    (.test(.outputs), ["step 1 skipped", "prepare 2"], "run failed"),
  ])
  func lastStepsBeginWhenItIsKnownWhetherTheRunHasSucceeded(
    failure: ActionFailure?, actions: [String], end: String
  ) {
    var undo = PlanStep.undo("back", of: 0, needs: [0])
    undo.phase = .onFailure
    var machine = RunMachine(steps: [.step("a"), undo, .last("end", needs: [0])], hasOutputs: true)
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "conclude"])
    #expect(words(machine.handle(.concluded(failure))) == actions)
    _ = machine.handle(.prepared(step: 2, .single))
    #expect(words(machine.handle(.unitFinished(step: 2, item: nil, failure: nil))).last == end)
  }

  @Test func aRunWithoutLastStepsConcludesAtItsEnd() {
    var machine = RunMachine(steps: [.step("a")], hasOutputs: true)
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: nil, failure: nil))) == ["step 0 succeeded", "conclude"])
    #expect(words(machine.handle(.concluded(.test(.outputs)))) == ["run failed"])
  }

  // MARK: - Waits in loops

  @Test func aFailedItemEndsTheWaitsOfTheOthers() {
    var machine = RunMachine(steps: [.loop("ask", over: 3, parallel: 3), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 3)))
    for item in 0..<3 { _ = machine.handle(.unitWaits(step: 0, item: item)) }
    #expect(words(machine.handle(.wake(step: 0, item: 1))) == ["start 0.1"])
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: 1, failure: .test(.rejected))))
        == ["step 0 failed", "step 1 skipped", "run failed"])
  }

  @Test func aFailedItemEndsWaitsThatBeginAfterIt() {
    var machine = RunMachine(steps: [.loop("ask", over: 2, parallel: 2), .step("b", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 2)))
    _ = machine.handle(.unitFinished(step: 0, item: 0, failure: .test(.rejected)))
    #expect(
      words(machine.handle(.unitWaits(step: 0, item: 1))) == ["step 0 failed", "step 1 skipped", "run failed"])
  }

  @Test func anItemThatIsCalledOffIsNotWokenOnceMore() {
    var loop = PlanStep.child("sub", .plan([.step("x")]))
    loop.loop = PlanStep.loop("sub", over: 3, parallel: 3).loop
    var machine = RunMachine(steps: [loop])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 3)))
    for item in 0..<2 { _ = machine.handle(.unitWaits(step: 0, item: item)) }
    #expect(
      words(machine.handle(.unitFinished(step: 0, item: 2, failure: .test(.auth)))) == ["start 0.0", "start 0.1"])
    // One of them waits again, for what runs at its end; the other one is at work.
    _ = machine.handle(.unitWaits(step: 0, item: 1))
    #expect(words(machine.handle(.wake(step: 0, item: 0))) == [])
    #expect(words(machine.handle(.wake(step: 0, item: 1))) == ["start 0.1"])
  }

  @Test func whereItemsMayFailTheOthersAreWaitedFor() {
    var machine = RunMachine(steps: [.loop("ask", over: 2, parallel: 2, onError: .continue)])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .loop(count: 2)))
    for item in 0..<2 { _ = machine.handle(.unitWaits(step: 0, item: item)) }
    _ = machine.handle(.wake(step: 0, item: 1))
    #expect(words(machine.handle(.unitFinished(step: 0, item: 1, failure: .test(.rejected)))) == ["park"])
  }

  // MARK: - Why a run turns

  private func reasons(_ actions: [RunMachine.Action]) -> [String] {
    actions.compactMap { action in
      guard case .turn(let reason) = action else { return nil }
      return switch reason {
      case .succeeded: "succeeded"
      case .cancelled: "cancelled"
      case .failed(let failure, let step): "\(failure.kind.rawValue) \(step.map(String.init) ?? "run")"
      }
    }
  }

  private static let turns: [(stop: RunMachine.Stop?, failure: ActionFailure?, isSuspended: Bool, turn: String)] = [
    (nil, .test(.auth), false, "auth 0"), (.cancelled, nil, true, "cancelled"), (.cancelled, nil, false, "cancelled"),
    (.failed(.test(.timeout)), nil, false, "timeout run"), (.cancelled, .test(.auth), false, "cancelled"),
    (.failed(.test(.timeout)), .test(.auth), false, "timeout run"),
  ]

  @Test(arguments: turns)
  func whatComesFirstDecidesWhyTheMainLineEnds(
    stop: RunMachine.Stop?, failure: ActionFailure?, isSuspended: Bool, turn: String
  ) {
    var machine = RunMachine(steps: [.step("a"), .step("b", needs: [0]), .last("end", needs: [0, 1])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    if let stop { _ = machine.handle(.stop(stop)) }
    let event: RunMachine.Event =
      isSuspended ? .unitSuspended(step: 0, item: nil) : .unitFinished(step: 0, item: nil, failure: failure)
    let actions = machine.handle(event)
    #expect(reasons(actions) == [turn])
    #expect(words(actions).suffix(2) == ["step 1 skipped", "prepare 2"])
  }

  @Test(arguments: [(nil, "succeeded"), (ActionFailure.test(.auth), "auth 0")])
  func whoeverCancelsTheLastStepAndComesTooLateChangesNothing(failure: ActionFailure?, turn: String) {
    var machine = RunMachine(steps: [.step("a"), .last("end", needs: [0])])
    _ = machine.handle(.start)
    _ = machine.handle(.prepared(step: 0, .single))
    _ = machine.handle(.stop(.cancelled))
    #expect(reasons(machine.handle(.unitFinished(step: 0, item: nil, failure: failure))) == [turn])
  }

  private static let recordedTurns: [(turn: RunTurn.Reason, end: String)] = [
    (.succeeded, "run succeeded"), (.failed(.test(.auth), step: 0), "run failed"), (.cancelled, "run cancelled"),
  ]

  @Test(arguments: recordedTurns, [RunMachine.Stop.cancelled, .failed(.test(.timeout))])
  func aRunThatHasTurnedEndsForThatReasonWhateverStopsItAfterwards(
    recorded: (turn: RunTurn.Reason, end: String), stop: RunMachine.Stop
  ) {
    let steps = [PlanStep.step("a"), .step("b", needs: [0]), .last("end", needs: [0, 1])]
    let snapshots = [
      StepSnapshot(status: .succeeded), StepSnapshot(status: .skipped), StepSnapshot(status: .running),
    ]
    var machine = resuming(steps, snapshots, recorded.turn)
    #expect(words(machine.handle(.stop(stop))) == [])
    #expect(words(machine.handle(.start)) == ["start 2"])
    #expect(words(machine.handle(.stop(stop))) == [])
    #expect(words(machine.handle(.unitFinished(step: 2, item: nil, failure: nil))).last == recorded.end)
  }

  @Test(arguments: [RunTurn.Reason.cancelled, .failed(.test(.auth), step: nil)])
  func whatIsOpenOfTheMainLineIsClosedWhereThatWasLost(turn: RunTurn.Reason) {
    let steps = [PlanStep.step("a"), .step("b", needs: [0]), .last("end", needs: [0, 1])]
    var machine = resuming(steps, [StepSnapshot(status: .running), StepSnapshot(), StepSnapshot()], turn)
    let actions = machine.handle(.start)
    #expect(words(actions) == ["step 0 cancelled", "step 1 skipped", "prepare 2"])
    #expect(reasons(actions) == [])
  }

  @Test(arguments: [StepStatus.failed, .succeeded], recordedTurns.dropFirst())
  func anUndoThatFailsNeitherEndsTheOthersNorChangesHowTheRunEnds(
    undone: StepStatus, recorded: (turn: RunTurn.Reason, end: String)
  ) {
    let done = StepSnapshot(status: .succeeded, units: [UnitSnapshot(item: nil, output: .null)])
    let steps = [
      PlanStep.step("a"), .step("b", needs: [0]), .undo("back-b", of: 1, needs: [0, 1]),
      .undo("back-a", of: 0, needs: [0, 1, 2]),
    ]
    var machine = resuming(steps, [done, done, StepSnapshot(status: undone), StepSnapshot()], recorded.turn)
    #expect(words(machine.handle(.start)) == ["prepare 3"])
    _ = machine.handle(.prepared(step: 3, .single))
    #expect(words(machine.handle(.unitFinished(step: 3, item: nil, failure: nil))).last == recorded.end)
  }

  @Test(arguments: [(StepStatus.failed, "run failed"), (.succeeded, "run succeeded")])
  func aRunWhoseMainLineSucceededFailsWithAStepAtItsEnd(status: StepStatus, end: String) {
    let steps = [PlanStep.step("a"), .last("first", needs: [0]), .last("end", needs: [0, 1])]
    let recorded = [StepSnapshot(status: .succeeded), StepSnapshot(status: status), StepSnapshot(status: .running)]
    var machine = resuming(steps, recorded, .succeeded)
    _ = machine.handle(.start)
    #expect(words(machine.handle(.unitFinished(step: 2, item: nil, failure: nil))).last == end)
  }

  @Test func aFailureOnRecordStopsARunThatIsResumedBeforeAnybodyCancelsIt() {
    let recorded = [StepSnapshot(status: .failed, failure: .test(.auth)), StepSnapshot(), StepSnapshot()]
    var machine = resuming([.step("a"), .step("b", needs: [0]), .last("end", needs: [0, 1])], recorded)
    _ = machine.handle(.stop(.cancelled))
    #expect(reasons(machine.handle(.start)) == ["auth 0"])
  }

  @Test func nothingBeginsAtTheEndWhereTheProcessEnds() {
    var machine = RunMachine(steps: [.step("a"), .step("b"), .last("end", needs: [0, 1])])
    _ = machine.handle(.start)
    for step in 0...1 { _ = machine.handle(.prepared(step: step, .single)) }
    _ = machine.handle(.unitFinished(step: 0, item: nil, failure: .test(.auth)))
    _ = machine.handle(.stop(.interrupted))
    #expect(words(machine.handle(.unitSuspended(step: 1, item: nil))) == ["step 1 cancelled", "run interrupted"])
  }
}
