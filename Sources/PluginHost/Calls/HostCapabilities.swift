import CPluginABI
import Engine
import Expressions
import Localization
import Synchronization

/// What the host offers to one plugin instance: log, progress, delta and clock, looked up by name and version.
///
/// The C structs are a few hundred bytes per configured provider and never freed: a plugin whose threads outlive its
/// instance still finds them, and after ``close()`` they do nothing.
// The pointers are written once, before a plugin sees them.
final class HostCapabilities: @unchecked Sendable {
  /// Takes lines that belong to no running call: provider, level, text.
  typealias Log = @Sendable (_ provider: String, _ level: LogLevel, _ message: String) -> Void

  let provider: String
  private let time: any TimeSource
  private let limits: PluginLimits
  private let writeLog: Log
  /// Takes the provider's secrets out of everything its plugin reports.
  let mask: SecretMask
  private let calls = Mutex<[UInt64: PendingCall]>([:])

  /// What `get` leads to, in one piece of memory: the plugin's pointer to the host is a pointer to all of it.
  private struct Tables {
    var host: sous_host
    var log: sous_log_v1
    var progress: sous_progress_v1
    var delta: sous_delta_v1
    var clock: sous_clock_v1
  }

  let host: UnsafePointer<sous_host>
  private let token: UInt

  init(
    provider: String, time: any TimeSource, limits: PluginLimits, mask: SecretMask = .none,
    log writeLog: @escaping Log
  ) {
    self.mask = mask
    self.provider = provider
    self.time = time
    self.limits = limits
    self.writeLog = writeLog
    // Plugins get a number instead of an address, so that one that reports too late finds nothing.
    let token = UInt(truncatingIfNeeded: CompletionTable.shared.makeID())
    let context = UnsafeMutableRawPointer(bitPattern: token)
    self.token = token
    let tables = UnsafeMutablePointer<Tables>.allocate(capacity: 1)
    tables.initialize(
      to: Tables(
        host: sous_host(
          size: MemoryLayout<sous_host>.size, context: context,
          get: { host, name in
            guard let host, let name else { return nil }
            return HostCapabilities.capability(String(cString: name), of: host)
          }),
        log: sous_log_v1(
          size: MemoryLayout<sous_log_v1>.size, context: context,
          write: { context, call, level, message in
            HostCapabilities.find(context)?.write(call, level, message)
          }),
        progress: sous_progress_v1(
          size: MemoryLayout<sous_progress_v1>.size, context: context,
          report: { context, call, done, total, label in
            HostCapabilities.find(context)?.report(call, done, total, label)
          }),
        delta: sous_delta_v1(
          size: MemoryLayout<sous_delta_v1>.size, context: context,
          emit: { context, call, delta in HostCapabilities.find(context)?.emit(call, delta) }),
        clock: sous_clock_v1(
          size: MemoryLayout<sous_clock_v1>.size, context: context,
          now: { HostCapabilities.find($0)?.now() ?? 0 },
          monotonic: { HostCapabilities.find($0)?.monotonic() ?? 0 })))
    host = UnsafeRawPointer(tables).assumingMemoryBound(to: sous_host.self)
    HostCapabilities.registry.withLock { $0[token] = self }
  }

  private static let registry = Mutex<[UInt: HostCapabilities]>([:])

  private static func find(_ context: UnsafeMutableRawPointer?) -> HostCapabilities? {
    registry.withLock { $0[UInt(bitPattern: context)] }
  }

  /// Makes the capabilities do nothing from now on.
  func close() {
    _ = HostCapabilities.registry.withLock { $0.removeValue(forKey: token) }
  }

  /// Lets a call report.
  func attach(_ call: PendingCall) { calls.withLock { $0[call.id] = call } }

  /// Lets a call report no more.
  func detach(_ id: UInt64) { calls.withLock { _ = $0.removeValue(forKey: id) } }

  /// Notes something a plugin must not do, or that somebody should know of.
  func reportDefect(_ message: String, _ level: LogLevel = .error) {
    writeLog(provider, level, mask(message).singleLine(limit: limits.logLineBytes))
  }

  private static func capability(_ name: String, of host: UnsafePointer<sous_host>) -> UnsafeRawPointer? {
    let offset =
      switch name {
      case SOUS_LOG_V1: MemoryLayout<Tables>.offset(of: \.log)
      case SOUS_PROGRESS_V1: MemoryLayout<Tables>.offset(of: \.progress)
      case SOUS_DELTA_V1: MemoryLayout<Tables>.offset(of: \.delta)
      case SOUS_CLOCK_V1: MemoryLayout<Tables>.offset(of: \.clock)
      default: nil as Int?
      }
    return offset.map { UnsafeRawPointer(host) + $0 }
  }

  private func running(_ id: UInt64) -> PendingCall? { calls.withLock { $0[id] } }

  private func write(_ id: UInt64, _ level: Int32, _ message: sous_bytes) {
    let level: LogLevel =
      switch Int(level) {
      case ...Int(SOUS_LOG_DEBUG): .debug
      case Int(SOUS_LOG_INFO): .info
      case Int(SOUS_LOG_WARNING): .warning
      default: .error
      }
    let text = text(message)
    guard id != 0 else {
      writeLog(provider, level, text)
      return
    }
    guard let call = running(id) else { return }
    switch call.countLogLine(limit: limits.logLines) {
    case .write: call.reporter.log(level, text)
    case .writeLast: call.reporter.log(.warning, "further lines of this call are dropped")
    case .drop: break
    }
  }

  private func report(_ id: UInt64, _ done: UInt64, _ total: UInt64, _ label: sous_bytes) {
    guard let call = running(id),
      call.admitsProgress(
        at: time.monotonic, isLast: total > 0 && done >= total, interval: limits.progressInterval)
    else { return }
    call.reporter.progress(done: done, total: total, label: text(label))
  }

  private func emit(_ id: UInt64, _ delta: sous_bytes) {
    guard let call = running(id), !call.hasEnded else { return }
    guard let data = delta.data, delta.size <= limits.deltaBytes,
      let value = try? Value(json: Array(UnsafeBufferPointer(start: data, count: delta.size))), case .map = value
    else {
      if call.noteBadDelta() {
        reportDefect("'\(call.action)' emitted a delta that is no JSON object, or is too large; it is dropped")
      }
      return
    }
    call.reporter.delta(mask(value))
  }

  private func now() -> Int64 {
    let now = time.now
    return now.seconds &* 1000 &+ Int64(now.nanoseconds / 1_000_000)
  }

  private func monotonic() -> UInt64 {
    UInt64(exactly: (max(0, time.monotonic) * 1_000_000_000).rounded()) ?? 0
  }

  /// A text of the plugin's in one line, without secrets.
  private func text(_ bytes: sous_bytes) -> String {
    guard let data = bytes.data else { return "" }
    // A secret at the limit must be seen whole to be found.
    let count = min(bytes.size, limits.logLineBytes + mask.longest)
    let text = String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
    return mask(text).singleLine(limit: limits.logLineBytes)
  }
}
