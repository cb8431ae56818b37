import Expressions
import Localization
public import Recipes

/// Makes the plan that a run goes on with.
public protocol PlanSource: Sendable {
  /// The plan of a run that has begun, from the recipe's text as it was then.
  ///
  /// - Throws: ``ActionFailure`` where there is none just now, such as when a provider is no longer configured; the run
  ///   is tried again later.
  func plan(of start: RunStart) async throws(ActionFailure) -> Plan
}

/// Watches somebody who works through the queue.
public protocol WorkObserver: Sendable {
  /// A run is taken up.
  ///
  /// - Returns: What watches the run.
  func begins(_ start: RunStart) -> any RunObserver
  /// A run has ended, or was put down until a wait ends.
  func ends(_ result: RunResult, of start: RunStart)
  /// A run cannot go on just now.
  func isHeldUp(_ start: RunStart, by failure: ActionFailure)
}

/// Works through the queue: takes runs that wait for their turn, that are due, that were interrupted, or whose process has
/// ended, and works on many of them at once.
public struct RunWorker: Sendable {
  /// How to work.
  public struct Options: Sendable {
    /// How many runs are worked on at once.
    public var parallel = 64
    /// Whether to end when nothing is left that could be worked on now.
    public var endsWhenIdle = false
    /// Seconds between two looks at the queue while nothing happens.
    public var interval = 0.25
    /// Seconds after which a run is tried again that cannot go on.
    public var heldUpSeconds = 60.0

    /// Creates the usual options.
    public init() {}
  }

  fileprivate enum Report: Sendable {
    case ended(RunID)
    case tick
  }

  private let runner: Runner
  private let queue: any RunQueue
  private let plans: any PlanSource
  private let observer: any WorkObserver
  private let options: Options

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - runner: Works on the runs; it has the same queue among its options.
  ///   - queue: Where runs come from.
  ///   - plans: Makes their plans.
  ///   - observer: Watches.
  ///   - options: How to work.
  public init(
    runner: Runner, queue: any RunQueue, plans: any PlanSource, observer: any WorkObserver,
    options: Options = Options()
  ) {
    self.runner = runner
    self.queue = queue
    self.plans = plans
    self.observer = observer
    self.options = options
  }

  /// Works until nothing is left to do, where ``Options/endsWhenIdle`` says so, or until the surrounding task is
  /// cancelled: what is being worked on is then interrupted and can be taken up again.
  ///
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` when the journal cannot be read or written.
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
    var controls: [RunID: RunControl] = [:]
    var lastBeat = runner.time.monotonic
    var lastLook = -Double.infinity
    tick(after: 0, in: &group)
    while let report = try await group.next() {
      if case .ended(let run) = report { controls[run] = nil }
      let now = runner.time.monotonic
      var hasTaken = false
      // A slot that gets free is filled at once as long as there are runs; an empty queue is looked at in intervals.
      while !Task.isCancelled, controls.count < options.parallel {
        let wanted = options.parallel - controls.count
        guard report.isTick || wanted > options.parallel / 2 || controls.isEmpty else { break }
        let runs = try await queue.claim(limit: wanted, at: runner.time.now)
        for run in runs {
          let control = RunControl()
          controls[run] = control
          group.addTask {
            try await work(on: run, control)
            return .ended(run)
          }
        }
        hasTaken = hasTaken || !runs.isEmpty
        if runs.count < wanted { break }
      }
      if Task.isCancelled {
        if controls.isEmpty { break }
        continue
      }
      if now - lastBeat > 15 {
        lastBeat = now
        try await queue.beat()
      }
      if !controls.isEmpty, now - lastLook >= options.interval {
        lastLook = now
        for run in try await queue.cancelRequests() { controls[run]?.cancel() }
      }
      if controls.isEmpty, !hasTaken, options.endsWhenIdle { break }
      if report.isTick { tick(after: try await pause(isFull: controls.count >= options.parallel), in: &group) }
    }
    group.cancelAll()
  }

  /// Seconds until the next look at the queue.
  private func pause(isFull: Bool) async throws -> Double {
    // Runs that are due wait for a free place, not for the clock.
    guard !isFull else { return options.interval }
    guard let due = try await queue.nextDue() else { return options.interval }
    return min(options.interval, max(0.001, due.seconds(since: runner.time.now)))
  }

  private func tick(after seconds: Double, in group: inout ThrowingTaskGroup<Report, any Error>) {
    let time = runner.time
    group.addTask {
      try? await time.sleep(seconds: seconds)
      return .tick
    }
  }

  /// Works on one run until it ends or waits.
  private func work(on run: RunID, _ control: RunControl) async throws {
    let snapshot = try await queue.snapshot(of: run)
    if snapshot.isCancelRequested { control.cancel() }
    do {
      let plan: Plan
      do throws(ActionFailure) {
        plan = try await plans.plan(of: snapshot.start)
      } catch {
        return try await holdUp(snapshot, error)
      }
      let watcher = observer.begins(snapshot.start)
      let result = try await runner.resume(plan, snapshot, observer: watcher, control: control)
      observer.ends(result, of: snapshot.start)
    } catch let error as EngineError where error.code == .unknownKeyword {
      // It could not begin, and its end is on record.
      let failure = ActionFailure(.invalidInput, error.message)
      observer.ends(RunResult(id: run, status: .failed, outputs: .map([:]), failure: failure), of: snapshot.start)
    } catch let error as EngineError where error.code != .journal {
      try await giveUp(snapshot, ActionFailure(.invalidInput, error.message))
    }
  }

  /// Leaves a run to a person that cannot go on as it is: looking again would not help.
  private func giveUp(_ snapshot: RunSnapshot, _ failure: ActionFailure) async throws {
    let run = snapshot.start.run
    let now = runner.time.now
    let line = LogLine(run: run, level: .error, message: failure.message.english, at: now)
    let end = RunEnd(run: run, status: .needsAttention, outputs: .map([:]), failure: failure, at: now)
    try await queue.record([.log(line), .runFinished(end)], durability: .synced)
    observer.ends(
      RunResult(id: run, status: .needsAttention, outputs: .map([:]), failure: failure), of: snapshot.start)
  }

  /// Puts a run down that cannot go on just now.
  private func holdUp(_ snapshot: RunSnapshot, _ failure: ActionFailure) async throws {
    let now = runner.time.now
    let run = snapshot.start.run
    let line = LogLine(run: run, level: .error, message: failure.message.english, at: now)
    if snapshot.isCancelRequested, snapshot.steps.allSatisfy({ $0.status == .pending && $0.units.isEmpty }) {
      // It cannot begin, and nobody wants it to.
      let end = RunEnd(run: run, status: .cancelled, outputs: .map([:]), failure: failure, at: now)
      try await queue.record([.log(line), .runFinished(end)], durability: .synced)
      let result = RunResult(id: run, status: .cancelled, outputs: .map([:]), failure: failure)
      return observer.ends(result, of: snapshot.start)
    }
    try await queue.record(
      [
        .log(line),
        .runParked(
          run: run, until: now.adding(seconds: options.heldUpSeconds), isCalledOff: snapshot.isCancelRequested,
          isHeldUp: true, at: now),
      ],
      durability: .committed)
    observer.isHeldUp(snapshot.start, by: failure)
  }
}

extension RunWorker.Report {
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
