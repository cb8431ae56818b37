import Synchronization

/// Carries log lines, which arrive from anywhere at any time, to the journal in order.
final class LogLines: Sendable {
  private struct State {
    /// The lines that were appended, and those of them that are written or lost.
    var (appended, written) = (0, 0)
    /// Tasks that wait until so many lines are written.
    var waiters: [(count: Int, task: CheckedContinuation<Void, Never>)] = []
  }

  private let stream: AsyncStream<LogLine>
  private let continuation: AsyncStream<LogLine>.Continuation
  private let state = Mutex(State())

  init() {
    // A plugin that floods the log loses its oldest unwritten lines rather than the host its memory.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  func append(_ line: LogLine) {
    // Counted first: it may be written before `yield` returns.
    state.withLock { $0.appended += 1 }
    switch continuation.yield(line) {
    case .enqueued: break
    default: countWritten()
    }
  }

  func finish() {
    continuation.finish()
  }

  /// Writes lines until ``finish()``. A journal that refuses one refuses the run's next durable entry too, so the run
  /// notices.
  func drain(into recorder: any RunRecorder) async {
    for await line in stream {
      try? await recorder.record([.log(line)], durability: .accepted)
      countWritten()
    }
  }

  /// Waits until the lines so far are written, so that the end of an attempt is recorded after its lines.
  func settle() async {
    guard state.withLock({ $0.written < $0.appended }) else { return }
    await withCheckedContinuation { task in
      let isDone = state.withLock { state in
        guard state.written < state.appended else { return true }
        state.waiters.append((state.appended, task))
        return false
      }
      if isDone { task.resume() }
    }
  }

  private func countWritten() {
    let ready = state.withLock { state in
      state.written += 1
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      let ready = state.waiters.filter { $0.count <= state.written }.map(\.task)
      state.waiters.removeAll { $0.count <= state.written }
      return ready
    }
    for task in ready { task.resume() }
  }
}
