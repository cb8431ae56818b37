import Engine
import Expressions

/// Drops everything that an action reports.
struct SilentReporter: ActionReporter {
  func log(_ level: LogLevel, _ message: String) {}
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}
