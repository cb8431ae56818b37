import Expressions
import Localization
public import Plans

/// Claims a run and decides by the answer: works on it, waits for its turn in its concurrency group or until it is due, or
/// reports that it has ended or that another process has it. A new run without a concurrency group begins without a claim.
///
/// The worker, recipes that steps run and the commands all use this decision.
public struct RunClaimLoop: Sendable {
  /// Seconds between two claims while another run of the concurrency group has its turn.
  private static let groupPause = 0.2
  /// Seconds between two claims of a run that waits: decisions and events come from other processes.
  private static let waitPause = 1.0
  /// How often a run may find that no process resumes the run before it, until it gives up.
  private static let patience = 25

  package let engine: RunEngine
  package let observer: any RunObserver
  package let control: CancelToken

  var queue: any RunQueue { engine.queue }
  var time: any TimeSource { engine.time }

  /// Creates a claim loop for one run.
  ///
  /// - Parameters:
  ///   - engine: Works on the run.
  ///   - observer: Watches it.
  ///   - control: Cancels it from outside.
  public init(
    _ engine: RunEngine, observer: any RunObserver = SilentObserver(), control: CancelToken = CancelToken()
  ) {
    self.engine = engine
    self.observer = observer
    self.control = control
  }

  // MARK: - To the end

  /// Begins a run and works on it to its end, through its waits. If its concurrency group is taken, the policy of the group
  /// decides.
  ///
  /// If the surrounding task is cancelled while the run waits for its turn, the run is cancelled; during another wait, the run
  /// stays ``RunStatus/waiting``, and a worker resumes it.
  ///
  /// - Throws: ``EngineError`` as ``RunEngine/run(_:_:observer:control:)``.
  public func begin(_ plan: Plan, _ request: RunRequest) async throws(EngineError) -> RunResult {
    guard plan.concurrency != nil else {
      return try await follow(plan, try await engine.run(plan, request, observer: observer, control: control))
    }
    try await engine.line(up: plan, request)
    return try await takeTurn(plan, request.id)
  }

  /// Resumes a recorded run, and works on it to its end.
  ///
  /// A run that is held until a provider is back is tried at once. If the surrounding task is cancelled before the run has its
  /// turn, the run does not change, and the result is ``RunStatus/interrupted``.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - plan: Its plan, from the text of the recipe when the run began.
  /// - Throws: ``EngineError`` as ``RunEngine/resume(_:_:observer:control:)``; with code ``EngineError/Code/runState`` if the run
  ///   has ended, another process works on it, it is not recorded, or a run of its group blocks it.
  public func resume(_ run: RunID, _ plan: Plan) async throws(EngineError) -> RunResult {
    try await drive(run, plan, .recorded)
  }

  /// Repeats a run that has ended, as ``RunEngine/retry(_:_:from:_:observer:control:)`` does, and works on the new run to its
  /// end.
  public func retry(
    _ plan: Plan, _ earlier: RunSnapshot, from step: Int?, _ request: RunRequest
  ) async throws(EngineError) -> RunResult {
    try await follow(
      plan, try await engine.retry(plan, earlier, from: step, request, observer: observer, control: control))
  }

  /// Resumes a waiting run each time its wait ends, until the run ends.
  ///
  /// - Parameter result: The result of the work so far; returned without a change if the run does not wait.
  public func follow(_ plan: Plan, _ result: RunResult) async throws(EngineError) -> RunResult {
    guard result.status == .waiting else { return result }
    return try await drive(result.id, plan, .waiting(result))
  }

  /// Works to its end on a run that this process has just enqueued.
  func takeTurn(_ plan: Plan, _ run: RunID) async throws(EngineError) -> RunResult {
    try await drive(run, plan, .new)
  }

  /// Where the run of a claim loop comes from.
  private enum Origin {
    /// This process has just enqueued it, and removes it from the queue if it is not wanted any more.
    case new
    /// A person has asked for a recorded run.
    case recorded
    /// This process has worked on it until it waits.
    case waiting(RunResult)
  }

  private func drive(_ run: RunID, _ plan: Plan, _ origin: Origin) async throws(EngineError) -> RunResult {
    do {
      switch origin {
      case .new: return try await drive(run, plan, plan.policy, isNew: true)
      case .waiting(let result):
        guard await pauseForWait(result) else { return result }
        return try await drive(run, plan, .queue, last: result)
      case .recorded:
        let first = try await claimRecorded(run)
        // A run that has begun does not cancel later ones.
        let policy = try await queue.snapshot(of: run).hasBegun ? .queue : plan.policy
        return try await drive(run, plan, policy, first: first)
      }
    } catch let error as EngineError {
      throw error
    } catch {
      // Refused for good: the run must not stay in the queue.
      if case .new = origin, QueueFault(error) == .ofRun { _ = try? await engine.close(run, .cancelled, nil) }
      throw .journal(run, error)
    }
  }

  /// Claims the run repeatedly until it has ended.
  ///
  /// - Parameters:
  ///   - policy: How to treat interrupted runs of its concurrency group until it has begun.
  ///   - isNew: Whether it is removed from the queue if it is not wanted any more.
  ///   - last: The result of earlier work on it.
  ///   - first: The answer to an earlier claim.
  private func drive(
    _ run: RunID, _ plan: Plan, _ policy: Plan.Concurrency.Policy, isNew: Bool = false, last: RunResult? = nil,
    first: ClaimOutcome? = nil
  ) async throws -> RunResult {
    var (policy, isNew, last, first) = (policy, isNew, last, first)
    var refusals = 0
    var asked: RunID?
    while true {
      if control.isCancelled, !isNew { try await queue.requestCancel(of: run) }
      let outcome: ClaimOutcome
      if let given = first {
        outcome = given
        first = nil
      } else {
        outcome = try await claim(run, policy)
      }
      var isAwake: Bool
      switch outcome {
      case .claimed:
        (isNew, policy, refusals) = (false, .queue, 0)
        let snapshot = try await queue.snapshot(of: run)
        if snapshot.isCancelRequested { control.cancel() }
        let result = try await proceed(snapshot, plan)
        guard result.status == .waiting else { return result }
        last = result
        isAwake = await pauseForWait(result)
      case .ended(let status):
        return try await queue.result(of: run)
          ?? RunResult(id: run, status: status, outputs: .map([:]), failure: nil)
      case .absent: throw EngineError.isGone(run)
      case .waiting(let until):
        let result = RunResult.waiting(run, until: until)
        if !isNew { last = result }
        isAwake = await pauseForWait(result)
      case .taken:
        last?.due = nil
        isAwake = await pause(last == nil ? Self.groupPause : Self.waitPause)
      case .groupTaken(let other), .groupLeft(let other):
        if isNew, !control.isCancelled, !Task.isCancelled {
          if policy == .skip {
            if let result = try await withdraw(run, .skipped, .groupTaken(by: other)) { return result }
            continue
          }
          if policy == .cancel, asked != other {
            try await displace(other, for: run)
            asked = other
          }
        }
        if case .groupLeft = outcome { refusals += 1 } else { refusals = 0 }
        // The owner of the other run may be about to resume it.
        if !isNew, refusals > Self.patience { throw EngineError.standsBehind(other, run) }
        if !control.isCancelled { observer.observe(.waitsForTurn(behind: other)) }
        isAwake = await pause(Self.groupPause)
      }
      if isNew, control.isCancelled { isAwake = false }
      if isAwake { continue }
      let interrupted = RunResult(id: run, status: .interrupted, outputs: .map([:]), failure: nil)
      return isNew ? try await withdraw(run, .cancelled, nil) ?? interrupted : last ?? interrupted
    }
  }

  /// Resumes a run that belongs to this process, with the recipe that it has now: an amendment may have changed it.
  private func proceed(_ snapshot: RunSnapshot, _ plan: Plan) async throws -> RunResult {
    var plan = plan
    if let source = snapshot.start.source, let known = plan.source, source != known, let plans = engine.options.plans {
      do throws(ActionFailure) {
        plan = try await plans.plan(of: snapshot.start)
      } catch {
        return try await hold(snapshot, error)
      }
    }
    return try await engine.resume(plan, snapshot, observer: observer, control: control)
  }

  /// Claims a run for a person.
  private func claimRecorded(_ run: RunID) async throws -> ClaimOutcome? {
    let outcome = try await queue.claim(run, at: time.now)
    switch outcome {
    case .ended(let status): throw EngineError.hasEnded(run, status)
    case .taken(let owner): throw EngineError.isTaken(run, by: owner)
    case .absent: throw EngineError.isAbsent(run)
    case .waiting:
      // The reason why the run is held may be gone.
      try await queue.releaseHeld(run, at: time.now)
      let again = try await queue.claim(run, at: time.now)
      if case .waiting = again { try await observeWaits(of: queue.snapshot(of: run)) }
      return again
    // Interrupted runs of the group end first.
    case .groupLeft: return nil
    case .claimed, .groupTaken: break
    }
    return outcome
  }

  /// Reports the wait of a run that cannot be resumed yet.
  private func observeWaits(of snapshot: RunSnapshot) {
    observer.observe(.resumed(snapshot))
    for step in snapshot.steps {
      for unit in step.units {
        if let wait = unit.wait { observer.observe(.journal(.waitStarted(wait))) }
      }
    }
  }

  /// Pauses until the wait is due, but at most `waitPause`: an event or a decision may come earlier.
  ///
  /// - Returns: `false` if the surrounding task is cancelled.
  private func pauseForWait(_ result: RunResult) async -> Bool {
    observer.observe(.waits(until: result.due))
    let left = result.due.map { $0.seconds(since: time.now) } ?? Self.waitPause
    return await pause(min(Self.waitPause, max(0.01, left)))
  }

  private func pause(_ seconds: Double) async -> Bool { (try? await time.sleep(seconds: seconds)) != nil }

  /// Ends a queued run unless another process has claimed it.
  ///
  /// - Returns: `nil` if another process works on it.
  private func withdraw(_ run: RunID, _ status: RunStatus, _ failure: ActionFailure?) async throws -> RunResult? {
    try await uncancelled { () async throws -> RunResult? in
      do {
        return try await engine.close(run, status, failure)
      } catch {
        guard QueueFault(error) == .ofRun else { throw error }
        return try await queue.result(of: run)
      }
    }
  }

  /// Cancels another run of a concurrency group, and logs the reason there.
  private func displace(_ other: RunID, for run: RunID) async throws {
    try await queue.requestCancel(of: other)
    let line = LogLine(
      run: other, level: .warning, message: "cancelled, as run \(run) of the same concurrency group has begun",
      at: time.now)
    try await queue.record([.log(line)], durability: .accepted)
  }
}

extension Plan {
  fileprivate var policy: Concurrency.Policy { concurrency?.policy ?? .queue }
}

extension RunResult {
  /// A run that waits.
  static func waiting(_ run: RunID, until: Timestamp?) -> RunResult {
    var result = RunResult(id: run, status: .waiting, outputs: .map([:]), failure: nil)
    result.due = until
    return result
  }
}

extension EngineError {
  /// The run was removed, or the run log was replaced.
  fileprivate static func isGone(_ run: RunID) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(run) is not in the run log any more while it waits; 'sous runs' lists what is there. Was another file put "
          + "in the log's place, look whether it is the right one; otherwise run the recipe again.",
        de:
          "Lauf \(run) steht nicht mehr im Laufprotokoll, während er wartet; 'sous runs' zeigt, was da ist. Wurde die "
          + "Datei ersetzt, prüfen, ob es die richtige ist; sonst das Rezept neu ausführen."))
  }

  static func isAbsent(_ run: RunID) -> EngineError {
    EngineError(.runState, .init("there is no run \(run)", de: "es gibt keinen Lauf \(run)"))
  }

  fileprivate static func hasEnded(_ run: RunID, _ status: RunStatus) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(run) has ended (\(status.words.english)); 'sous retry \(run)' runs it again",
        de: "Lauf \(run) ist zu Ende (\(status.words.german)); 'sous retry \(run)' lässt ihn noch einmal laufen"))
  }

  fileprivate static func isTaken(_ run: RunID, by owner: String) -> EngineError {
    EngineError(
      .runState,
      .init("run \(run) is being worked on by \(owner)", de: "an Lauf \(run) arbeitet \(owner)"))
  }

  /// A run that no process can end at present has the concurrency group.
  fileprivate static func standsBehind(_ other: RunID, _ run: RunID) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(run) waits for run \(other) of its concurrency group, which was left: 'sous resume \(other)' resumes it",
        de:
          "Lauf \(run) wartet auf Lauf \(other) derselben Gruppe, der liegen blieb: 'sous resume \(other)' macht damit "
          + "weiter"))
  }
}

extension ActionFailure {
  /// Why a run is skipped: another run of its concurrency group has not ended.
  public static func groupTaken(by run: RunID) -> ActionFailure {
    ActionFailure(
      .cancelled,
      .init("run \(run) of the same group is at work", de: "Lauf \(run) derselben Gruppe ist bei der Arbeit"))
  }
}
