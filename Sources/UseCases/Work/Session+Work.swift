public import Engine
import Plans
import RecipeModel
import RunStore

/// How the queue is to be worked through.
public struct WorkOrder: Sendable {
  /// Whether to end when nothing can be worked on now.
  public var endsWhenIdle = false
  /// How many runs at once; `nil` for what the configuration says.
  public var parallel: Int?
  /// Seconds that what is under way may go on once ``Session/drain`` is set; `nil` for the usual.
  public var drainSeconds: Double?

  /// Creates the wish to work until the surrounding task is cancelled.
  public init() {}
}

extension Session {
  /// Seconds for which somebody who waits for the end waits for a run log that fails.
  private static let patience = 30.0

  /// Works through the queue: queued, due, interrupted and abandoned runs; ``WorkspaceEvent/work(_:)`` tells how they end.
  ///
  /// It ends once nothing is left, where that was asked for; once ``drain`` is set and what is under way has come to its
  /// end; or when the surrounding task is cancelled, which interrupts the runs.
  ///
  /// - Returns: How many runs are left in the queue, and one that the first of them waits for; 0 where it was not to end by
  ///   itself.
  /// - Throws: ``UseCaseError`` where the run log cannot be used.
  @discardableResult
  public func work(_ order: WorkOrder) async throws(UseCaseError) -> (queued: Int, behind: RunID?) {
    try await mapErrors { try await store.requireOriginal() }
    let log = store
    try await withUpkeep {
      try await withFailureAlerts { notices in
        while true {
          try await worker(engine, order).work()
          guard order.endsWhenIdle, !Task.isCancelled, !drain.isSet else { return }
          // What is told when nothing is left is worked on as well.
          if try await notices.turn() == 0 { return }
        }
      }
    }
    guard order.endsWhenIdle else { return (0, nil) }
    return try await mapErrors {
      let left = try await uncancelled { try await log.queuedRuns() }
      return (left.count, left.behind)
    }
  }
}

extension Session {
  /// Works, and reports meanwhile runs that fail.
  package func withFailureAlerts(_ body: (FailureAlerts) async throws -> Void) async throws {
    let notices = FailureAlerts(self)
    try await withBackground([{ await notices.keep() }]) { try await body(notices) }
  }

  /// Who works through the queue.
  package func worker(_ engine: RunEngine, _ order: WorkOrder) -> QueueWorker {
    var options = QueueWorker.Options()
    options.parallel = order.parallel ?? project.configuration.engine.parallel ?? options.parallel
    options.endsWhenIdle = order.endsWhenIdle
    options.drainSeconds = order.drainSeconds ?? options.drainSeconds
    if order.endsWhenIdle {
      options.patience = Self.patience
    } else {
      let watch = QueueWatch(store)
      let drain = drain
      options.rest = { seconds in
        // Whoever drains has been woken, and waits for what is under way.
        if drain.isSet { await watch.rest(seconds) } else { await drain.interrupt { await watch.rest(seconds) } }
      }
      // Changes of the queue and the wish to end are told.
      if watch.isTold { options.interval = 2 }
    }
    let plans = ProjectPlans(project: project)
    let observer = EventWorkObserver(
      events: project.workspace.surroundings.events, pings: pings, targets: { try? await plans.plan(of: $0).ping })
    return QueueWorker(engine: engine, plans: ProjectPlans(project: project), observer: observer, options: options)
  }
}

/// Passes what happens while the queue is worked through on.
private struct EventWorkObserver: WorkObserver {
  let events: @Sendable (WorkspaceEvent) -> Void
  let pings: PingSender
  let targets: @Sendable (RunStart) async -> PingTargets?

  func begins(_ start: RunStart, isResumed: Bool) -> any RunObserver {
    // A run that waited, or whose process has ended, was reported when it began.
    if !isResumed, isPinged(start) { pings.begins(start.run, start.recipe) { [targets] in await targets(start) } }
    return EventObserver(run: start.run, events: events)
  }

  func ends(_ result: RunResult, of start: RunStart) {
    if isPinged(start) { pings.ends(start.run, result.status, start.recipe) { [targets] in await targets(start) } }
    events(.work(.ended(result, start)))
  }

  /// Whether the recipe may have `ping`. Only such recipes are planned once more for it.
  private func isPinged(_ start: RunStart) -> Bool { start.parent == nil && start.source?.contains("ping") == true }

  func isHeldUp(_ start: RunStart, by failure: ActionFailure) { events(.work(.heldUp(start, failure))) }
  func isTroubled(by error: any Error) { events(.work(.logFails(UseCaseError(error)))) }
  func isRelieved(after seconds: Double) { events(.work(.logWorks(after: seconds))) }
  func isRefused(_ run: RunID, by error: any Error) { events(.work(.refused(run, UseCaseError(error)))) }
  func drains(_ count: Int, within seconds: Double) { events(.work(.drains(count, within: seconds))) }
}
