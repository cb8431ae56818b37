import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Synchronization

@testable import PluginBoundary
@testable import PluginHost

/// Keeps what is reported.
final class RecordingReporter: ActionReporter {
  struct State {
    var lines: [String] = []
    var progress: [UInt64] = []
    var labels: [String] = []
    var deltas: [Value] = []
  }
  let state = Mutex(State())
  var lines: [String] { state.withLock { $0.lines } }
  var progress: [UInt64] { state.withLock { $0.progress } }
  var labels: [String] { state.withLock { $0.labels } }
  var deltas: [Value] { state.withLock { $0.deltas } }

  func log(_ level: LogLevel, _ message: String) { state.withLock { $0.lines.append("\(level): \(message)") } }
  func progress(done: UInt64, total: UInt64, label: String) {
    state.withLock {
      $0.progress.append(done)
      $0.labels.append(label)
    }
  }
  func delta(_ delta: Value) { state.withLock { $0.deltas.append(delta) } }
}

/// Keeps the lines of a host, and lets a test wait for one.
final class HostLog: Sendable {
  private struct State {
    var lines: [String] = []
    var waiters: [(words: String, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())
  var lines: [String] { state.withLock { $0.lines } }

  func write(_ provider: String, _ level: LogLevel, _ message: String) {
    let ready = state.withLock { state in
      state.lines.append("\(provider) \(level): \(message)")
      let ready = state.waiters.filter { message.contains($0.words) }
      state.waiters.removeAll { message.contains($0.words) }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until a line with these words has been written.
  func wait(for words: String) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.lines.contains(where: { $0.contains(words) }) { return true }
        state.waiters.append((words, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

/// Opens a library in this process and counts how often; for plugins that survive it.
final class CountingProbe: PluginProbing {
  private let calls = Mutex(0)
  var count: Int { calls.withLock { $0 } }

  func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8] {
    calls.withLock { $0 += 1 }
    return try PluginTable(opening: path).manifest(limit: 1 << 20)
  }
}

/// Carries nothing out.
struct NoBuiltins: StepProvider {
  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    throw ActionFailure(.unsupported, LocalizedText(verbatim: "none"))
  }
  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

extension PluginHost {
  /// A host with one provider `home` and limits that suit tests.
  static func forTests(
    _ plugin: PluginReference, settings: Value = .map([:]), folders: [String] = [], cache: String? = nil,
    probe: any PluginProbing = CountingProbe(), isolation: Isolation = .inProcess, time: any TimeSource = SystemTime(),
    limits: PluginLimits = .forTests, log: HostLog = HostLog(), storage: (any ProviderStorage)? = nil,
    configure: (inout ProviderConfiguration) -> Void = { _ in }
  ) -> PluginHost {
    var configuration = ProviderConfiguration(name: "home", plugin: plugin, settings: settings)
    configuration.isolation = isolation
    configure(&configuration)
    return PluginHost(
      providers: [configuration],
      searchPath: PluginSearchPath(folders: folders.map { .init($0, origin: .project) }),
      cache: ManifestCache(folder: cache), probe: probe,
      workerExecutable: FixtureLibrary.executable, builtins: NoBuiltins(), storage: storage, time: time,
      limits: limits,
      log: { log.write($0, $1, $2) })
  }
}

extension PluginLimits {
  static var forTests: PluginLimits {
    var limits = PluginLimits()
    limits.cancelGrace = 0.5
    // Long enough for a machine that is busy with other tests; only plugins that block take as long.
    limits.startSeconds = 4
    limits.createSeconds = 4
    limits.answerBytes = 1 << 20
    return limits
  }
}

extension ActionRequest {
  static func forTests(
    _ action: String, _ input: ValueMap = [:], key: String = "key", attempt: Int = 1, timeout: Double? = nil
  ) -> ActionRequest {
    ActionRequest(
      run: RunID(rawValue: "01JD"), step: "step", attempt: attempt, action: action, input: .map(input), key: key,
      timeout: timeout)
  }
}

extension PluginError {
  /// An error to compare codes with.
  init(_ code: Code) { self.init(code, LocalizedText(verbatim: "")) }
}

extension ActionFailure {
  /// A failure to compare kinds with.
  init(_ kind: Kind) { self.init(kind, LocalizedText(verbatim: "")) }
}
