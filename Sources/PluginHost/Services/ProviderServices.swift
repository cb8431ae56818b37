import CPluginABI
import Engine
import Expressions
import Localization
import OperatingSystem
import PluginBoundary
import Synchronization

/// The services of one configured provider: the implementation behind all capabilities, in the host's process.
///
/// Nothing that comes from the plugin is trusted here, as it may come from a worker process: lines are cut and masked,
/// progress is thinned out, deltas are checked, and everything is counted against the call it belongs to.
final class ProviderServices: InstanceServices {
  /// Takes lines that belong to no running call: provider, level, text.
  typealias Log = @Sendable (_ provider: String, _ level: LogLevel, _ message: String) -> Void

  let provider: String
  let offered: Set<Capability>
  let resources: ProviderResources
  let time: any TimeSource
  let limits: PluginLimits
  /// The requests and streams that the instance has open.
  let exchanges = OpenExchanges()
  /// Blobs that the instance made, by hash.
  let ownBlobs = Mutex<Set<String>>([])
  private let writeLog: Log
  private let noteDefect: Log
  private let calls = Mutex<[UInt64: PendingCall]>([:])
  /// Takes the provider's secrets out of everything its plugin says; those it has read since too.
  let mask: SecretMask

  /// Where what may block is done, so that no service does.
  static let threads = BlockingPool(name: "plugin-services", limit: 16)

  /// Where secrets are read: a source may start a program that asks the user.
  static let secretThreads = BlockingPool(name: "plugin-secrets", limit: 4)

  init(
    provider: String, resources: ProviderResources = ProviderResources(), time: any TimeSource, limits: PluginLimits,
    mask: SecretMask = .none, log writeLog: @escaping Log, defects: @escaping Log = { _, _, _ in }
  ) {
    self.provider = provider
    self.resources = resources
    self.time = time
    self.limits = limits
    self.mask = mask
    self.writeLog = writeLog
    noteDefect = defects
    var offered: Set<Capability> = [.log, .progress, .delta, .clock, .secret]
    if resources.network != nil { offered.formUnion([.http, .stream]) }
    if resources.storage != nil { offered.formUnion([.state, .blob, .event]) }
    self.offered = offered
  }

  /// Takes one more secret out from now on.
  func hide(_ secret: String) { mask.insert([secret]) }

  // MARK: - Calls

  /// Lets a call report and ask.
  func attach(_ call: PendingCall) { calls.withLock { $0[call.id] = call } }

  /// Lets a call report no more.
  func detach(_ call: PendingCall) { calls.withLock { _ = $0.removeValue(forKey: call.id) } }

  /// The running call of a number.
  func running(_ id: UInt64) -> PendingCall? { calls.withLock { $0[id] } }

  /// Takes the plugin's answer to a call.
  func answer(_ call: PendingCall, _ answer: Answer?) {
    if !call.hasEnded, let rest = call.deltas.withLock({ $0.finish() }) { call.reporter.delta(.map(rest)) }
    detach(call)
    guard !call.end(.answered(answer)) else { return }
    // The plugin may have had its effect: the user has to check.
    let outcome = answer?.status == UInt32(SOUS_STATUS_OK) ? "a success" : "a failure"
    reportDefect(
      "'\(call.action)' (key \(call.key)) answered after the host had stopped waiting; \(outcome) is dropped",
      level: .warning)
  }

  /// Notes that a plugin answered a call again.
  func repeatedAnswer(_ call: PendingCall) {
    reportDefect(
      "'\(call.action)' (key \(call.key)) answered the same call twice; the second answer is dropped", level: .error)
  }

  /// Ends what a call has open on the network.
  func endExchanges(of call: PendingCall) { exchanges.end(call.id) }

  /// Ends everything that the instance has under way; nothing begins any more.
  func close() { exchanges.close() }

  // MARK: - Reports

  func log(_ level: LogLevel, _ message: String, call id: UInt64) {
    let text = line(message)
    guard id != 0 else { return writeLog(provider, level, text) }
    guard let call = running(id) else { return }
    switch call.countLogLine(limit: limits.logLines) {
    case .write: call.reporter.log(level, text)
    case .writeLast: call.reporter.log(.warning, "further lines of this call are dropped")
    case .drop: break
    }
  }

  func progress(done: UInt64, total: UInt64, label: String, call id: UInt64) {
    guard let call = running(id),
      call.admitsProgress(at: time.monotonic, isLast: total > 0 && done >= total, interval: limits.progressInterval)
    else { return }
    call.reporter.progress(done: done, total: total, label: line(label))
  }

  func delta(_ json: [UInt8]?, call id: UInt64) {
    guard let call = running(id), !call.hasEnded else { return }
    guard let json, json.count <= limits.deltaBytes, let value = try? Value(json: json), case .map(let map) = value
    else {
      if call.noteBadDelta() {
        reportDefect(
          "'\(call.action)' emitted a delta that is no JSON object, or is too large; it is dropped", level: .error)
      }
      return
    }
    let masked = call.deltas.withLock { $0(map, mask) }
    call.reporter.delta(.map(masked))
  }

  func reportDefect(_ message: String, level: LogLevel) {
    let line = line(message)
    writeLog(provider, level, line)
    noteDefect(provider, level, line)
  }

  // MARK: - Clock

  var now: Int64 {
    let now = time.now
    return now.seconds &* 1000 &+ Int64(now.nanoseconds / 1_000_000)
  }

  var monotonic: UInt64 {
    UInt64(exactly: (max(0, time.monotonic) * 1_000_000_000).rounded()) ?? 0
  }

  /// A text of the plugin's in one line, without secrets.
  private func line(_ text: String) -> String { mask(text).singleLine(limit: limits.logLineBytes) }
}
