package import Engine
package import Expressions

/// Drops everything that an action reports.
package struct SilentReporter: ActionReporter {
  package init() {}

  package func log(_ level: LogLevel, _ message: String) {}
  package func progress(done: UInt64, total: UInt64, label: String) {}
  package func delta(_ delta: Value) {}
}
