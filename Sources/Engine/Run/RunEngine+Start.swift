import Expressions
import Localization
public import Plans

extension RunEngine {
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
        let start = try queuedStart(of: plan, request)
        if plan.concurrency?.policy == .cancel, let group = start.group { newest[group] = index }
        starts.append(start)
      }
      // Of each group the last one does for those before it too.
      for index in newest.values { starts[index].displacesOthers = true }
      try await queue.record(starts.map(JournalEntry.runStarted), durability: .synced)
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(first.request.id, error)
    }
    return runs.map(\.request.id)
  }

  /// The beginning of a run that joins the queue, for whoever writes it down together with something else; see
  /// ``FiringLog``.
  ///
  /// - Throws: ``EngineError`` with code `keyword_unknown` where the name of the concurrency group cannot be evaluated.
  public func start(of plan: Plan, _ request: RunRequest) throws(EngineError) -> RunStart {
    var start = try queuedStart(of: plan, request)
    start.displacesOthers = plan.concurrency?.policy == .cancel && start.group != nil
    return start
  }

  private func queuedStart(of plan: Plan, _ request: RunRequest) throws(EngineError) -> RunStart {
    var start = start(plan, request, group: try group(of: plan, request))
    start.isQueued = true
    start.givesWay = plan.concurrency?.policy == .skip
    return start
  }

  /// Puts a run into the queue that whoever asks works on himself, once it has its turn.
  func line(up plan: Plan, _ request: RunRequest) async throws(EngineError) {
    var start = start(plan, request, group: try group(of: plan, request))
    (start.isQueued, start.isAttended) = (true, true)
    do {
      try await queue.record([.runStarted(start)], durability: .synced)
    } catch {
      throw .journal(request.id, error)
    }
  }

  /// Ends a run that has not begun.
  func close(_ run: RunID, _ status: RunStatus, _ failure: ActionFailure?) async throws -> RunResult {
    let end = RunEnd(run: run, status: status, outputs: .map([:]), failure: failure, at: time.now)
    try await queue.record([.runFinished(end)], durability: .synced)
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
