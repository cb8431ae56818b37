import Expressions
import Localization
public import Recipes

extension Runner {
  /// Puts a run into the queue, for whichever process takes it.
  ///
  /// - Throws: ``EngineError``: `journal`, or `keyword_unknown` where the name of the concurrency group cannot be
  ///   evaluated.
  public func enqueue(_ plan: Plan, _ request: RunRequest) async throws(EngineError) {
    _ = try await enqueue([(plan, request)])
  }

  /// Puts runs into the queue, all or none.
  public func enqueue(_ runs: [(plan: Plan, request: RunRequest)]) async throws(EngineError) -> [RunID] {
    var entries: [JournalEntry] = []
    for (plan, request) in runs {
      var start = plan.start(request, group: try group(of: plan, request), at: time.now)
      start.isQueued = true
      entries.append(.runStarted(start))
    }
    guard let first = runs.first else { return [] }
    do {
      try await recorder.record(entries, durability: .synced)
    } catch {
      throw .journal(first.request.id, error)
    }
    return runs.map(\.request.id)
  }

  /// Runs a plan to its end, through its waits, and waits for its turn where its concurrency group is taken.
  ///
  /// When the surrounding task is cancelled while the run waits for its turn, it is cancelled; while it waits for
  /// something else, it stays ``RunStatus/waiting``, and whoever works through the queue goes on with it.
  ///
  /// - Parameters:
  ///   - plan: What to run.
  ///   - request: What it starts from.
  ///   - observer: Watches it.
  ///   - control: Calls it off from outside.
  /// - Throws: ``EngineError`` as ``run(_:_:observer:control:)``.
  public func runToEnd(
    _ plan: Plan, _ request: RunRequest, observer: any RunObserver = SilentObserver(),
    control: RunControl = RunControl()
  ) async throws(EngineError) -> RunResult {
    guard let concurrency = plan.concurrency, let queue = options.queue else {
      let result = try await run(plan, request, observer: observer, control: control)
      return try await follow(plan, result, observer: observer, control: control)
    }
    try await enqueue(plan, request)
    var hasAskedFor: RunID?
    do {
      while true {
        switch try await queue.claim(request.id, at: time.now) {
        case .claimed:
          let snapshot = try await queue.snapshot(of: request.id)
          if snapshot.isCancelRequested { control.cancel() }
          let result = try await resume(plan, snapshot, observer: observer, control: control)
          return try await follow(plan, result, observer: observer, control: control)
        case .groupTaken(let other):
          if concurrency.policy == .skip {
            return try await close(request.id, .skipped, .groupTaken(by: other))
          }
          if concurrency.policy == .cancel, hasAskedFor != other {
            try await queue.requestCancel(of: other)
            try await tell(other, displacedBy: request.id)
            hasAskedFor = other
          }
          observer.observe(.waitsForTurn(behind: other))
        case .ended, .absent:
          return try await queue.result(of: request.id)
            ?? RunResult(
              id: request.id, status: .cancelled, outputs: .map([:]), failure: nil)
        case .taken, .waiting: break
        }
        do {
          try await time.sleep(seconds: 0.1)
        } catch {
          return try await close(request.id, .cancelled, nil)
        }
        if control.isCancelled { return try await close(request.id, .cancelled, nil) }
      }
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(request.id, error)
    }
  }

  /// Goes on with a run that was put down, each time its wait ends, until the run ends.
  public func follow(
    _ plan: Plan, _ result: RunResult, observer: any RunObserver = SilentObserver(),
    control: RunControl = RunControl()
  ) async throws(EngineError) -> RunResult {
    guard let queue = options.queue else { return result }
    var result = result
    do {
      while result.status == .waiting {
        observer.observe(.waits(until: result.due))
        // Decisions and events come from other processes: they are looked for once a second.
        let left = result.due.map { $0.seconds(since: time.now) } ?? 1
        do {
          try await time.sleep(seconds: min(1, max(0.01, left)))
        } catch {
          return result
        }
        if control.isCancelled { try await queue.requestCancel(of: result.id) }
        switch try await queue.claim(result.id, at: time.now) {
        case .claimed:
          let snapshot = try await queue.snapshot(of: result.id)
          if snapshot.isCancelRequested { control.cancel() }
          result = try await resume(plan, snapshot, observer: observer, control: control)
        case .ended(let status):
          let ended = try await queue.result(of: result.id)
          return ended ?? RunResult(id: result.id, status: status, outputs: .map([:]), failure: nil)
        case .waiting(let until): result.due = until
        case .taken, .groupTaken, .absent: result.due = nil
        }
      }
      return result
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(result.id, error)
    }
  }

  /// Leaves in the log of a run why it is called off.
  private func tell(_ run: RunID, displacedBy other: RunID) async throws {
    let line = LogLine(
      run: run, level: .warning, message: "called off, as run \(other) of the same concurrency group has begun",
      at: time.now)
    try await recorder.record([.log(line)], durability: .accepted)
  }

  /// Ends a run that has not begun.
  private func close(_ run: RunID, _ status: RunStatus, _ failure: ActionFailure?) async throws -> RunResult {
    let end = RunEnd(run: run, status: status, outputs: .map([:]), failure: failure, at: time.now)
    try await recorder.record([.runFinished(end)], durability: .synced)
    return RunResult(id: run, status: status, outputs: .map([:]), failure: failure)
  }

  /// The name of a run's concurrency group.
  private func group(of plan: Plan, _ request: RunRequest) throws(EngineError) -> String? {
    guard let concurrency = plan.concurrency else { return nil }
    do throws(ExpressionError) {
      let values = try RunValues(plan: plan, request: request, now: time.now)
      let name = try concurrency.group.evaluate(values.bindings())
      return name.stringValue ?? name.jsonString
    } catch {
      throw EngineError(
        .unknownKeyword, LocalizedText("concurrency: ", de: "concurrency: ") + error.message, cause: error)
    }
  }
}

extension ActionFailure {
  fileprivate static func groupTaken(by run: RunID) -> ActionFailure {
    ActionFailure(
      .cancelled,
      .init("run \(run) of the same group is at work", de: "Lauf \(run) derselben Gruppe ist bei der Arbeit"))
  }
}
