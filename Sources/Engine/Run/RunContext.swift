import Expressions
import Recipes
import Synchronization

/// What the tasks of one run share.
struct RunContext: Sendable {
  let plan: Plan
  let run: RunID
  let recorder: any RunRecorder
  let providers: any ProviderDirectory
  let time: any TimeSource
  let observer: any RunObserver
  let random: @Sendable () -> Double
  let defaultTimeout: Double
  let request: RunRequest
  let runner: Runner
  let lines: LogLines
  let stopSignal = StopSignal()

  /// Writes entries to the journal, then shows them to the watcher.
  func record(_ entries: [JournalEntry], _ durability: Durability) async throws {
    try await recorder.record(entries, durability: durability)
    for entry in entries { observer.observe(.journal(entry)) }
  }
}

/// Tells the units of a run that no new attempt may begin; what is under way may end.
final class StopSignal: Sendable {
  private let isStopping = Atomic(false)
  private let isOverdue = Atomic(false)

  /// Whether no new attempt may begin.
  var isSet: Bool { isStopping.load(ordering: .acquiring) }
  /// Whether the run's own deadline has called off what was under way, rather than the process's end.
  var isDeadline: Bool { isOverdue.load(ordering: .acquiring) }

  func set(deadline: Bool = false) {
    if deadline { isOverdue.store(true, ordering: .releasing) }
    isStopping.store(true, ordering: .releasing)
  }
}

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

/// Reports of one unit's attempts.
struct UnitReporter: ActionReporter {
  let context: RunContext
  let step: Int
  let item: Int?
  let attempt: Int

  func log(_ level: LogLevel, _ message: String) {
    let line = LogLine(
      run: context.run, step: step, item: item, attempt: attempt, level: level, message: message,
      at: context.time.now)
    context.lines.append(line)
    context.observer.observe(.journal(.log(line)))
  }

  func progress(done: UInt64, total: UInt64, label: String) {
    context.observer.observe(.progress(step: step, item: item, done: done, total: total, label: label))
  }

  func delta(_ delta: Value) {
    context.observer.observe(.delta(step: step, item: item, delta))
  }
}
