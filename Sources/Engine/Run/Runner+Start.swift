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

  /// Puts runs into the queue, all or none, for whichever process takes them.
  ///
  /// Of a concurrency group whose policy is `skip`, a run that finds another one in the queue or half-way is skipped; where
  /// it is `cancel`, it calls the others off.
  public func enqueue(_ runs: [(plan: Plan, request: RunRequest)]) async throws(EngineError) -> [RunID] {
    guard let first = runs.first else { return [] }
    var starts: [RunStart] = []
    var newest: [String: Int] = [:]
    do {
      for (index, (plan, request)) in runs.enumerated() {
        var start = plan.start(request, group: try group(of: plan, request), at: time.now)
        start.isQueued = true
        start.givesWay = plan.concurrency?.policy == .skip
        if plan.concurrency?.policy == .cancel, let group = start.group { newest[group] = index }
        starts.append(start)
      }
      // Of each group the last one does for those before it too.
      for index in newest.values { starts[index].displacesOthers = true }
      try await recorder.record(starts.map(JournalEntry.runStarted), durability: .synced)
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(first.request.id, error)
    }
    return runs.map(\.request.id)
  }

  /// Puts a run into the queue that whoever asks works on himself, once it has its turn.
  func line(up plan: Plan, _ request: RunRequest) async throws(EngineError) {
    var start = plan.start(request, group: try group(of: plan, request), at: time.now)
    start.isQueued = true
    do {
      try await recorder.record([.runStarted(start)], durability: .synced)
    } catch {
      throw .journal(request.id, error)
    }
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
    guard plan.concurrency != nil, options.queue != nil else {
      let result = try await run(plan, request, observer: observer, control: control)
      return try await follow(plan, result, observer: observer, control: control)
    }
    try await line(up: plan, request)
    let result = try await takeTurn(plan, request.id, observer: observer, control: control)
    return try await follow(plan, result, observer: observer, control: control)
  }

  /// Waits until a run that stands in the queue has its turn in its concurrency group, and works on it.
  func takeTurn(
    _ plan: Plan, _ run: RunID, observer: any RunObserver, control: RunControl
  ) async throws(EngineError) -> RunResult {
    guard let concurrency = plan.concurrency, let queue = options.queue else {
      return RunResult(id: run, status: .queued, outputs: .map([:]), failure: nil)
    }
    var hasAskedFor: RunID?
    do {
      while true {
        var claim = try await queue.claim(run, at: time.now)
        if case .groupLeft(let other) = claim {
          if try await bringToEnd(other, concurrency.policy, for: run, control) { continue }
          // It may have been put down because this one was called off.
          claim = try await queue.claim(run, at: time.now)
        }
        switch claim {
        // Nothing is asked of others any more.
        case .groupTaken where control.isCancelled, .groupLeft where control.isCancelled: break
        case .claimed:
          let snapshot = try await queue.snapshot(of: run)
          if snapshot.isCancelRequested { control.cancel() }
          return try await resume(plan, snapshot, observer: observer, control: control)
        case .groupTaken(let other), .groupLeft(let other):
          if concurrency.policy == .skip {
            if let result = try await withdraw(run, .skipped, .groupTaken(by: other), queue) { return result }
            continue
          }
          if concurrency.policy == .cancel, hasAskedFor != other {
            try await queue.requestCancel(of: other)
            try await tell(other, displacedBy: run)
            hasAskedFor = other
          }
          observer.observe(.waitsForTurn(behind: other))
        case .absent: throw EngineError.isGone(run)
        case .ended:
          return try await queue.result(of: run)
            ?? RunResult(
              id: run, status: .cancelled, outputs: .map([:]), failure: nil)
        case .taken, .waiting: break
        }
        let wasInterrupted = (try? await time.sleep(seconds: 0.1)) == nil
        guard wasInterrupted || control.isCancelled else { continue }
        return try await withdraw(run, .cancelled, nil, queue)
          ?? RunResult(id: run, status: .interrupted, outputs: .map([:]), failure: nil)
      }
    } catch let error as EngineError {
      throw error
    } catch {
      // Refused for good: nobody is to come across it later.
      if QueueFault(error) == .ofRun { _ = try? await close(run, .cancelled, nil) }
      throw .journal(run, error)
    }
  }

  /// Ends a run that stands in the queue, as long as nobody else has taken it.
  ///
  /// - Returns: `nil` where somebody has, and works on it.
  private func withdraw(
    _ run: RunID, _ status: RunStatus, _ failure: ActionFailure?, _ queue: any RunQueue
  ) async throws -> RunResult? {
    // A task of its own, awaited: it is asked for also where this one has been cancelled.
    try await Task { () async throws -> RunResult? in
      do {
        return try await close(run, status, failure)
      } catch {
        guard QueueFault(error) == .ofRun else { throw error }
        return try await queue.result(of: run)
      }
    }.value
  }

  /// Works on a run that somebody has left half-way, so that its concurrency group is free again; for `cancel` it is
  /// called off. A run that a step of another one has begun goes on with that one.
  ///
  /// - Parameters:
  ///   - run: What was left.
  ///   - policy: The policy of the run that waits for it.
  ///   - waiting: The run that waits for it. Where that is called off, by `control` or in the queue, this one is put down:
  ///     it was not meant.
  ///   - control: Calls off the run that waits for it.
  /// - Returns: `false` where that cannot be done here, or has to wait: also where it was put down once more.
  public func bringToEnd(
    _ run: RunID, _ policy: Plan.Concurrency.Policy, for waiting: RunID, _ control: RunControl
  ) async throws -> Bool {
    guard let queue = options.queue, let plans = options.plans, !Task.isCancelled, !control.isCancelled,
      options.drain?.isSet != true
    else { return false }
    var start = try await queue.snapshot(of: run).start
    if start.parent != nil, policy == .cancel { try await queue.requestCancel(of: run) }
    let isPart = start.parent != nil
    while let parent = start.parent { start = try await queue.snapshot(of: parent).start }
    let run = start.run
    let plan: Plan
    do throws(ActionFailure) {
      plan = try await plans.plan(of: start)
    } catch {
      return false
    }
    guard plan.steps.map(\.id) == start.steps.map(\.id), try await queue.claim(run, at: time.now) == .claimed else {
      return false
    }
    let snapshot = try await queue.snapshot(of: run)
    let own = RunControl()
    if policy == .cancel && !isPart || snapshot.isCancelRequested { own.cancel() }
    do {
      // Whoever tried again at once would come no further.
      return try await untilCalledOff(waiting, control, queue) {
        try await resume(plan, snapshot, control: own)
      }?.status != .interrupted
    } catch let error as EngineError {
      // It could not begin, and its end is on record.
      if error.code == .unknownKeyword { return true }
      guard error.code != .journal else { throw error }
      try await giveUp(snapshot, ActionFailure(.invalidInput, error.message))
    }
    return true
  }

  /// Works on a run for the sake of another one, which stands in the queue, until that one is called off.
  private func untilCalledOff(
    _ waiting: RunID, _ control: RunControl, _ queue: any RunQueue,
    _ body: @escaping @Sendable () async throws -> RunResult
  ) async throws -> RunResult? {
    try await withThrowingTaskGroup(of: RunResult?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        _ = await control.waitForCancel()
        return nil
      }
      group.addTask {
        // A run in the queue belongs to nobody who could be told: whether it is to be called off has to be looked up.
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
        case .absent: throw EngineError.isGone(result.id)
        case .taken, .groupTaken, .groupLeft: result.due = nil
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
  func close(_ run: RunID, _ status: RunStatus, _ failure: ActionFailure?) async throws -> RunResult {
    let end = RunEnd(run: run, status: status, outputs: .map([:]), failure: failure, at: time.now)
    try await recorder.record([.runFinished(end)], durability: .synced)
    return RunResult(id: run, status: status, outputs: .map([:]), failure: failure)
  }

  /// The name of a run's concurrency group.
  func group(of plan: Plan, _ request: RunRequest) throws(EngineError) -> String? {
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

extension EngineError {
  /// Somebody has removed the run, or put another run log in the place of the one that held it.
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
}

extension ActionFailure {
  /// Why a run is skipped: another run of its concurrency group has not ended.
  public static func groupTaken(by run: RunID) -> ActionFailure {
    ActionFailure(
      .cancelled,
      .init("run \(run) of the same group is at work", de: "Lauf \(run) derselben Gruppe ist bei der Arbeit"))
  }
}
