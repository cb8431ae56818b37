import Expressions
import Localization
import Plans

/// Observes a worker.
public protocol WorkObserver: Sendable {
  /// A run is claimed.
  ///
  /// - Parameter isResumed: Whether a step of the run has begun before.
  /// - Returns: The observer of the run.
  func begins(_ start: RunStart, isResumed: Bool) -> any RunObserver
  /// A run has ended, or was parked until a wait ends.
  func ends(_ result: RunResult, of start: RunStart)
  /// A run cannot be resumed at present.
  func isHeldUp(_ start: RunStart, by failure: ActionFailure)
  /// The run log fails, probably for a while: it is tried again, and the runs that it has stopped resume then.
  func isTroubled(by error: any Error)
  /// The run log works again.
  ///
  /// - Parameter seconds: How long it has failed.
  func isRelieved(after seconds: Double)
  /// The run log refuses an entry of a run for good. The run is left as it is; other runs go on.
  func isRefused(_ run: RunID, by error: any Error)
  /// The worker claims no more runs, and parks those at work after their current attempts.
  ///
  /// - Parameters:
  ///   - count: How many runs are at work.
  ///   - seconds: How long they have before they are interrupted.
  func drains(_ count: Int, within seconds: Double)
}

extension WorkObserver {
  /// Does nothing.
  public func isTroubled(by error: any Error) {}
  /// Does nothing.
  public func isRelieved(after seconds: Double) {}
  /// Does nothing.
  public func isRefused(_ run: RunID, by error: any Error) {}
  /// Does nothing.
  public func drains(_ count: Int, within seconds: Double) {}
}

/// Works through the queue: claims runs that are queued, due or interrupted, or whose process has ended, and works on many of
/// them at once.
public struct QueueWorker: Sendable {
  /// How to work.
  public struct Options: Sendable {
    /// How many runs are worked on at once.
    public var parallel = 64
    /// Whether to end when no run can be worked on now.
    public var endsWhenIdle = false
    /// Seconds between two claims while nothing happens.
    public var interval = 0.25
    /// Waits so many seconds, or less if the queue may have changed; `nil`: waits to the end.
    public var rest: (@Sendable (Double) async -> Void)?
    /// Seconds for which a failing run log is tried again; `nil`: without end.
    public var patience: Double?
    /// Seconds for which runs may go on once ``RunEngine/Options/drain`` is set; then they are interrupted.
    public var drainSeconds = 25.0

    /// Creates the default options.
    public init() {}
  }

  fileprivate enum Report: Sendable {
    case ended(RunID)
    /// The journal of a run failed.
    case failed(RunID, any Error)
    case tick
  }

  /// The state of the work.
  private struct Session {
    var controls: [RunID: CancelToken] = [:]
    /// Runs of this process without a task, because their journal failed.
    var left: Set<RunID> = []
    var trouble: QueueTrouble
    var lastBeat: Double
    var lastLook = -Double.infinity
    /// ``PlanSource/surroundings`` at the last claim.
    var surroundings: String?
    /// Ends the pause before the next claim early.
    var sleeper: Task<Void, Never>?
    /// When the runs are interrupted, because the process is to end; `nil` without such a request.
    var drainEnd: Double?
    /// Whether they have been interrupted at that time.
    var isCutOff = false

    /// Whether all runs have been interrupted.
    var isInterrupted: Bool { isCutOff || Task.isCancelled }
    /// Whether no more runs are claimed.
    var isEnding: Bool { drainEnd != nil || isInterrupted }
  }

  /// The most seconds between two checks while runs are under way: they may be cancelled.
  private static let busyInterval = 0.5

  private let engine: RunEngine
  private let plans: any PlanSource
  private let observer: any WorkObserver
  private let options: Options
  private var queue: any RunQueue { engine.queue }

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - engine: Works on the runs of its queue.
  ///   - plans: Makes their plans.
  ///   - observer: Observes the work.
  ///   - options: How to work.
  public init(
    engine: RunEngine, plans: any PlanSource, observer: any WorkObserver, options: Options = Options()
  ) {
    self.engine = engine
    self.plans = plans
    self.observer = observer
    self.options = options
  }

  /// Works until no run is left, if ``Options/endsWhenIdle`` is set, or until the surrounding task is cancelled: the runs are
  /// then interrupted and can be resumed. If ``RunEngine/Options/drain`` is set, it ends once the runs are parked after their
  /// current attempts, which may take ``Options/drainSeconds``.
  ///
  /// A temporary failure of the run log (disk full, locked by another process) is reported to the observer, and the run log is
  /// tried again. A run whose journal has failed does not end: it resumes from its recorded entries once the run log works.
  ///
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` if the journal cannot be read or written and that is not
  ///   temporary, or lasts longer than ``Options/patience``.
  public func work() async throws(EngineError) {
    do {
      try await withThrowingTaskGroup(of: Report.self) { group in
        try await work(in: &group)
      }
    } catch let error as EngineError {
      throw error
    } catch {
      throw .queue(error)
    }
  }

  private func work(in group: inout ThrowingTaskGroup<Report, any Error>) async throws {
    let time = engine.time
    var session = Session(trouble: QueueTrouble(patience: options.patience), lastBeat: time.monotonic)
    defer { session.sleeper?.cancel() }
    tick(after: 0, &session, in: &group)
    while let report = try await group.next() {
      try take(report, &session)
      drain(&session, in: group)
      var hasTaken = false
      if !session.trouble.isResting(at: time.monotonic) {
        do {
          hasTaken = try await attend(report, &session, in: &group)
          tell(session.trouble.work(at: time.monotonic))
        } catch {
          try take(error, &session)
        }
      }
      if session.controls.isEmpty {
        if session.isEnding { break }
        if options.endsWhenIdle, !hasTaken, session.left.isEmpty, !session.trouble.isFailing { break }
      }
      if report.isTick { tick(after: await pause(session), &session, in: &group) }
    }
    if !session.trouble.isFailing { tell(session.trouble.work(at: time.monotonic, isLast: true)) }
    group.cancelAll()
  }

  /// Does the tasks that are due.
  ///
  /// - Returns: Whether runs were claimed.
  private func attend(
    _ report: Report, _ session: inout Session, in group: inout ThrowingTaskGroup<Report, any Error>
  ) async throws -> Bool {
    let now = engine.time.monotonic
    // Also while runs end after an interruption: other processes must not take them for abandoned. After a failure the run log is
    // tried with the smallest write.
    if now - session.lastBeat >= RunHeartbeat.beatSeconds || session.trouble.isFailing {
      session.lastBeat = now
      try await queue.beat()
    }
    if !session.isEnding {
      let surroundings = plans.surroundings
      if surroundings != session.surroundings { try await queue.releaseHeld(nil, at: engine.time.now) }
      session.surroundings = surroundings
    }
    let hasTaken = session.isEnding ? false : try await takeRuns(report, &session, in: &group)
    if !session.controls.isEmpty, !session.isInterrupted, now - session.lastLook >= Self.busyInterval / 2 {
      session.lastLook = now
      for run in try await queue.cancelRequests() { engine.controls.cancel(run) }
    }
    return hasTaken
  }

  /// Claims runs for the free places: first those without a task.
  private func takeRuns(
    _ report: Report, _ session: inout Session, in group: inout ThrowingTaskGroup<Report, any Error>
  ) async throws -> Bool {
    var hasTaken = false
    for run in session.left.sorted() where session.controls.count < options.parallel {
      let outcome = try await queue.reclaim(run, at: engine.time.now)
      session.left.remove(run)
      // It may have ended or been parked after all.
      guard outcome == .claimed else { continue }
      begin(run, &session, in: &group)
      hasTaken = true
    }
    let overdue = engine.deadlines.overdue(at: engine.time.now, monotonic: engine.time.monotonic)
    for run in overdue where !session.isEnding && session.controls.count < options.parallel {
      // The time of day was set back during its wait.
      let now = engine.deadlines.claimTime(of: run, at: engine.time.now, monotonic: engine.time.monotonic)
      let outcome = try await queue.claim(run, at: now)
      engine.deadlines.wake(run)
      guard outcome == .claimed else { continue }
      begin(run, &session, in: &group)
      hasTaken = true
    }
    // A free place is filled at once while runs are queued; an empty queue is checked in intervals.
    while !session.isEnding, session.controls.count < options.parallel {
      let wanted = options.parallel - session.controls.count
      guard report.isTick || wanted > options.parallel / 2 || session.controls.isEmpty else { break }
      let runs = try await queue.claim(limit: wanted, at: engine.time.now)
      for run in runs { begin(run, &session, in: &group) }
      hasTaken = hasTaken || !runs.isEmpty
      if runs.count < wanted { break }
    }
    return hasTaken
  }

  /// Checks whether the process is to end: at the request, and when the time for it is over.
  private func drain(_ session: inout Session, in group: ThrowingTaskGroup<Report, any Error>) {
    guard engine.options.drain?.isSet == true, !session.isInterrupted else { return }
    let now = engine.time.monotonic
    if session.drainEnd == nil {
      session.drainEnd = now + options.drainSeconds
      observer.drains(session.controls.count, within: options.drainSeconds)
    }
    guard !session.controls.isEmpty, let end = session.drainEnd, now >= end else { return }
    session.isCutOff = true
    group.cancelAll()
  }

  private func begin(
    _ run: RunID, _ session: inout Session, in group: inout ThrowingTaskGroup<Report, any Error>
  ) {
    let control = CancelToken()
    session.controls[run] = control
    group.addTask {
      do {
        try await work(on: run, control)
        return .ended(run)
      } catch {
        return .failed(run, error)
      }
    }
  }

  private func take(_ report: Report, _ session: inout Session) throws {
    switch report {
    case .tick: break
    case .ended(let run): session.controls[run] = nil
    case .failed(let run, let error):
      session.controls[run] = nil
      if QueueFault(error) == .ofRun { return observer.isRefused(run, by: error) }
      session.left.insert(run)
      try take(error, &session)
    }
  }

  /// Continues in spite of an error, if possible.
  private func take(_ error: any Error, _ session: inout Session) throws {
    switch session.trouble.fail(QueueFault(error), at: engine.time.monotonic) {
    case .goOn: break
    case .tell: observer.isTroubled(by: error)
    case .end: throw error
    }
  }

  private func tell(_ lasted: Double?) {
    if let lasted { observer.isRelieved(after: lasted) }
  }

  /// Seconds until the next claim.
  private func pause(_ session: Session) async -> Double {
    let longest =
      session.controls.isEmpty && !session.isEnding ? options.interval : min(options.interval, Self.busyInterval)
    // Runs that are due wait for a free place, not for the clock.
    guard session.controls.count < options.parallel, !session.trouble.isFailing, !session.isEnding,
      let due = try? await queue.nextDue()
    else { return longest }
    return min(longest, max(0.001, due.seconds(since: engine.time.now)))
  }

  private func tick(
    after seconds: Double, _ session: inout Session, in group: inout ThrowingTaskGroup<Report, any Error>
  ) {
    let time = engine.time
    guard session.isInterrupted else {
      let rest = options.rest
      group.addTask {
        if let rest { await rest(seconds) } else { try? await time.sleep(seconds: seconds) }
        return .tick
      }
      return
    }
    // Everything in the group is cancelled already, and would not sleep.
    let sleeper = Task<Void, Never> { try? await time.sleep(seconds: seconds) }
    session.sleeper = sleeper
    group.addTask {
      await sleeper.value
      return .tick
    }
  }

  /// Works on one run until it ends or waits.
  private func work(on run: RunID, _ control: CancelToken) async throws {
    let snapshot = try await queue.snapshot(of: run)
    if snapshot.isCancelRequested { control.cancel() }
    let surroundings = plans.surroundings
    let plan: Plan
    do throws(ActionFailure) {
      plan = try await plans.plan(of: snapshot.start)
    } catch {
      let result = try await RunClaimLoop(engine).hold(snapshot, error)
      if result.status.isFinal { return observer.ends(result, of: snapshot.start) }
      // The missing provider may have come back meanwhile.
      if plans.surroundings != surroundings { try await queue.releaseHeld(run, at: engine.time.now) }
      return observer.isHeldUp(snapshot.start, by: error)
    }
    let claimLoop = RunClaimLoop(
      engine, observer: observer.begins(snapshot.start, isResumed: snapshot.hasBegun), control: control)
    observer.ends(try await claimLoop.work(on: snapshot, plan), of: snapshot.start)
  }
}

extension QueueWorker.Report {
  fileprivate var isTick: Bool { if case .tick = self { true } else { false } }
}

extension EngineError {
  fileprivate static func queue(_ error: any Error) -> EngineError {
    EngineError(
      .journal,
      .init("the run log cannot be used: \(error)", de: "das Laufprotokoll ist nicht brauchbar: \(error)"),
      cause: error)
  }
}
