import Bookmarks
import Engine
import RunStore
public import UseCases

extension Session {
  /// Starts recipes by their triggers and works through the queue, as ``work(_:)`` does, until ``drain`` is set or the
  /// surrounding task is cancelled; ``WorkspaceEvent/serve(_:)`` tells what starts.
  ///
  /// Several processes may serve one run log: a point of a schedule and an event begin one run all the same.
  ///
  /// - Parameters:
  ///   - order: How to work through the queue; it never ends by itself.
  ///   - reload: Whether it ends to begin anew, which systemd is told.
  ///   - front: Listens for requests, if a recipe has a webhook or sous.yaml has `server`.
  ///   - version: The version of the program, for traces.
  /// - Throws: ``UseCaseError`` where the run log cannot be used.
  public func serve(
    _ order: WorkOrder = WorkOrder(), reload: ReloadSignal = ReloadSignal(), front: any HTTPFront,
    version: String = ""
  ) async throws(UseCaseError) {
    try await mapErrors { try await store.requireOriginal() }
    var order = order
    order.endsWhenIdle = false
    let server = RecipeServer(self, reload: reload, front: front)
    try await withUpkeep { [order] in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await worker(engine, order).work()
          return true
        }
        group.addTask {
          try await server.serve()
          return false
        }
        group.addTask {
          await FailureAlerts(self).keep()
          return false
        }
        group.addTask {
          await BookmarkKeeper(self).keep()
          return false
        }
        group.addTask {
          await RecipeSyncKeeper(session: self, server: server).keep()
          return false
        }
        group.addTask {
          await TracePusher(self, version: version).keep()
          return false
        }
        group.addTask {
          await DaemonPing(session: self, server: server).keep()
          return false
        }
        // The server ends before the worker, which brings what is under way to an end.
        while let isWorker = try await group.next() { if isWorker { group.cancelAll() } }
      }
    }
  }
}
