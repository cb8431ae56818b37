/// Carries log lines, which arrive from anywhere at any time, to the journal in order.
final class LogLines: Sendable {
  private let stream: AsyncStream<LogLine>
  private let continuation: AsyncStream<LogLine>.Continuation

  init() {
    // A plugin that floods the log loses its oldest unwritten lines rather than the host its memory.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  func append(_ line: LogLine) {
    continuation.yield(line)
  }

  func finish() {
    continuation.finish()
  }

  /// Writes lines until ``finish()``. A journal that refuses one refuses the run's next durable entry too, so the run
  /// notices.
  func drain(into recorder: any RunRecorder) async {
    for await line in stream {
      try? await recorder.record([.log(line)], durability: .accepted)
    }
  }
}
