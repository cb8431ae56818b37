import Expressions

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
