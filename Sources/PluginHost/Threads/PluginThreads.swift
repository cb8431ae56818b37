/// Where work runs that calls plugins a lot.
public enum PluginThreads {
  /// Runs something, with all tasks of its own, on threads on which functions of plugins are called in place: a short
  /// call costs microseconds instead of two changes of thread.
  ///
  /// A plugin function that does not return costs its thread and delays nothing else.
  public static func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let task = Task.detached(executorPreference: PluginExecutor.shared) { try await operation() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
