import CPluginABI
import Engine

/// Log, progress, delta and clock.
extension CapabilityTables {
  static func log(_ context: UnsafeMutableRawPointer?) -> sous_log_v1 {
    sous_log_v1(
      size: MemoryLayout<sous_log_v1>.size, context: context,
      write: { context, call, level, message in
        guard let tables = CapabilityTables.find(context) else { return }
        let level: LogLevel =
          switch Int(level) {
          case ...Int(SOUS_LOG_DEBUG): .debug
          case Int(SOUS_LOG_INFO): .info
          case Int(SOUS_LOG_WARNING): .warning
          default: .error
          }
        tables.services.log(level, tables.line(message), call: call)
      })
  }

  static func progress(_ context: UnsafeMutableRawPointer?) -> sous_progress_v1 {
    sous_progress_v1(
      size: MemoryLayout<sous_progress_v1>.size, context: context,
      report: { context, call, done, total, label in
        guard let tables = CapabilityTables.find(context) else { return }
        tables.services.progress(done: done, total: total, label: tables.line(label), call: call)
      })
  }

  static func delta(_ context: UnsafeMutableRawPointer?) -> sous_delta_v1 {
    sous_delta_v1(
      size: MemoryLayout<sous_delta_v1>.size, context: context,
      emit: { context, call, delta in
        guard let tables = CapabilityTables.find(context) else { return }
        tables.services.delta(delta.copy(limit: tables.limits.deltaBytes), call: call)
      })
  }

  static func clock(_ context: UnsafeMutableRawPointer?) -> sous_clock_v1 {
    sous_clock_v1(
      size: MemoryLayout<sous_clock_v1>.size, context: context,
      now: { CapabilityTables.find($0)?.services.now ?? 0 },
      monotonic: { CapabilityTables.find($0)?.services.monotonic ?? 0 })
  }

  private func line(_ bytes: sous_bytes) -> String {
    bytes.beginning(limit: limits.logLineBytes + PluginLimits.lineSlack)
  }
}
