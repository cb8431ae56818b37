import Engine
import Foundation
import RunStore
import Synchronization
import UseCases

/// The work that requests have started and that goes on after their answers: retries, cancellations, tests.
final class RunTasks: Sendable {
  private let state = Mutex<(isOpen: Bool, tasks: [UUID: Task<Void, Never>])>((true, [:]))

  /// Starts work on a run and returns once the run is recorded.
  ///
  /// - Parameters:
  ///   - run: The run that the work begins.
  ///   - store: The run log.
  ///   - work: The work; it goes on after the return.
  /// - Throws: The error of the work if it ends before the run is recorded.
  func start(_ run: RunID, in store: RunStore, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
    try launch {
      do {
        try await work()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    // The run log has no message for "this run is recorded": one look every few milliseconds, for as long as planning takes.
    let watch = Task {
      while !Task.isCancelled, (try? await store.status(of: run)) == nil {
        try? await Task.sleep(for: .milliseconds(5))
      }
      continuation.finish()
    }
    defer { watch.cancel() }
    for try await _ in stream {}
  }

  /// Starts work and waits for its end, but not longer than some seconds; then the work goes on without a caller.
  ///
  /// - Throws: The error of the work if it ends in time.
  func within(seconds: Double, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
    try launch {
      do {
        try await work()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let alarm = Task {
      try await Task.sleep(for: .seconds(seconds))
      continuation.finish()
    }
    defer { alarm.cancel() }
    for try await _ in stream {}
  }

  /// Starts work without a waiter.
  func launch(_ work: @escaping @Sendable () async -> Void) throws {
    let id = UUID()
    let task = try state.withLock { state in
      guard state.isOpen else { throw CancellationError() }
      let task = Task { [self] in
        await work()
        self.state.withLock { $0.tasks[id] = nil }
      }
      state.tasks[id] = task
      return task
    }
    _ = task
  }

  /// Interrupts the work, which goes on after the next start, and waits for its end.
  func close() async {
    let tasks = state.withLock { state in
      state.isOpen = false
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
