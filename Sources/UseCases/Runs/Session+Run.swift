public import Engine
import Localization
import Plans
import RunStore

extension Session {
  /// Runs a recipe to its end, through its waits; see ``WorkspaceEvent`` for what happens on the way.
  ///
  /// A task that is cancelled interrupts the run: it is resumed later.
  ///
  /// - Throws: ``UseCaseError`` where the run cannot begin or its journal cannot be written; a run that fails has an outcome.
  public func run(_ order: CheckedOrder) async throws(UseCaseError) -> RunOutcome {
    guard let request = order.requests.first, order.requests.count == 1 else {
      throw .wrongInput(
        .init("one run at a time can be worked on", de: "bearbeitet werden kann ein Lauf auf einmal"))
    }
    let plan = order.plan
    return try await execute(request.id, of: plan) { claimLoop in try await claimLoop.begin(plan, request) }
  }

  /// Queues runs, all or none, for whoever works through the queue.
  ///
  /// - Returns: Each run, and whether it was skipped, as its concurrency group is taken.
  public func enqueue(_ order: CheckedOrder) async throws(UseCaseError) -> [(run: RunID, isSkipped: Bool)] {
    try await mapErrors {
      let runs = try await engine.enqueue(order.requests.map { (order.plan, $0) })
      guard order.plan.concurrency?.policy == .skip else { return runs.map { ($0, false) } }
      var answer: [(run: RunID, isSkipped: Bool)] = []
      for run in runs { answer.append((run, try await store.status(of: run) == .skipped)) }
      return answer
    }
  }
}
