import Expressions
import Localization
import Plans

extension RunClaimLoop {
  /// Claims a run; interrupted runs of its concurrency group end first.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - policy: How to treat an interrupted run.
  ///   - isAgain: Whether a run of this process counts as free, because its task has ended.
  ///   - isAncestor: Whether another run waits for this one, so that it cannot end before.
  func claim(
    _ run: RunID, _ policy: Plan.Concurrency.Policy, isAgain: Bool = false,
    unless isAncestor: (RunID) async throws -> Bool = { _ in false }
  ) async throws -> ClaimOutcome {
    while true {
      let outcome = try await ask(for: run, isAgain: isAgain)
      guard case .groupLeft(let other) = outcome, try await !isAncestor(other) else { return outcome }
      let isOver = try await bringToEnd(other, policy, for: run)
      if isOver { continue }
      // It may have been interrupted because this one was cancelled.
      return Task.isCancelled ? outcome : try await ask(for: run, isAgain: isAgain)
    }
  }

  private func ask(for run: RunID, isAgain: Bool) async throws -> ClaimOutcome {
    let now = engine.deadlines.claimTime(of: run, at: time.now, monotonic: time.monotonic)
    return isAgain ? try await queue.reclaim(run, at: now) : try await queue.claim(run, at: now)
  }

  /// Resumes an interrupted run, so that its concurrency group becomes free; with the policy `cancel`, cancels it. A child run is
  /// resumed with its parent.
  ///
  /// - Parameters:
  ///   - run: The interrupted run.
  ///   - policy: The policy of the run that waits for it.
  ///   - waiting: The run that waits for it. If that is cancelled, this one is interrupted again.
  /// - Returns: `false` if that is not possible here, or must wait, or if the run was interrupted again.
  private func bringToEnd(
    _ run: RunID, _ policy: Plan.Concurrency.Policy, for waiting: RunID
  ) async throws -> Bool {
    guard let plans = engine.options.plans, !Task.isCancelled, !control.isCancelled,
      engine.options.drain?.isSet != true
    else { return false }
    var start = try await queue.snapshot(of: run).start
    let isPart = start.parent != nil
    if isPart, policy == .cancel { try await queue.requestCancel(of: run) }
    while let parent = start.parent { start = try await queue.snapshot(of: parent).start }
    let run = start.run
    guard let plan = try? await plans.plan(of: start) else { return false }
    guard plan.steps.map(\.id) == start.steps.map(\.id), try await queue.claim(run, at: time.now) == .claimed else {
      return false
    }
    let snapshot = try await queue.snapshot(of: run)
    let own = CancelToken()
    if policy == .cancel && !isPart || snapshot.isCancelRequested { own.cancel() }
    // Another attempt at once would fail again.
    return try await untilCancelled(waiting) {
      try await RunClaimLoop(engine, control: own).work(on: snapshot, plan)
    }?.status != .interrupted
  }

  /// Works on a run on behalf of a queued one, until the queued one is cancelled.
  private func untilCancelled(
    _ waiting: RunID, _ body: @escaping @Sendable () async throws -> RunResult
  ) async throws -> RunResult? {
    try await withThrowingTaskGroup(of: RunResult?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        _ = await control.waitForCancel()
        return nil
      }
      group.addTask {
        // A queued run belongs to no process that could be notified, so its cancel request has to be looked up.
        while (try? await queue.snapshot(of: waiting).isCancelRequested) != true {
          guard (try? await time.sleep(seconds: 0.5)) != nil else { break }
        }
        return nil
      }
      var result: RunResult?
      while let report = try await group.next() {
        result = report ?? result
        group.cancelAll()
      }
      return result
    }
  }

  /// Works on a run that belongs to this process when no caller takes an error: an error ends the run and is recorded in it.
  func work(on snapshot: RunSnapshot, _ plan: Plan) async throws -> RunResult {
    do throws(EngineError) {
      return try await engine.resume(plan, snapshot, observer: observer, control: control)
    } catch {
      let failure = ActionFailure(.invalidInput, error.message)
      switch error.code {
      case .journal: throw error
      // It could not begin, and its end is recorded.
      case .unknownKeyword:
        return RunResult(id: snapshot.start.run, status: .failed, outputs: .map([:]), failure: failure)
      default: return try await engine.giveUp(snapshot, failure)
      }
    }
  }

  /// Holds a run of this process that no process can resume at present; it is tried again after
  /// ``RunEngine/Options/holdSeconds``. A run that has not begun and is not wanted any more is cancelled instead.
  func hold(_ snapshot: RunSnapshot, _ failure: ActionFailure) async throws -> RunResult {
    let (run, now) = (snapshot.start.run, time.now)
    let line = LogLine(run: run, level: .error, message: failure.message.english, at: now)
    if snapshot.isCancelRequested, !snapshot.hasBegun {
      try await queue.record([.log(line)], durability: .accepted)
      return try await engine.close(run, .cancelled, failure)
    }
    let until = now.adding(seconds: engine.options.holdSeconds)
    try await queue.record(
      [
        .log(line),
        .runParked(run: run, until: until, isCalledOff: snapshot.isCancelRequested, isHeldUp: true, at: now),
      ], durability: .synced)
    return .waiting(run, until: until)
  }
}
