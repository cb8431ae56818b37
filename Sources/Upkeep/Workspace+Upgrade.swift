import Glibc
public import RunStore
import Synchronization
public import UseCases

/// The outcome of an upgrade of the run log.
public struct UpgradeReport: Sendable, Equatable {
  /// The schema version before.
  public var from: Int
  /// The schema version now; the same if there was nothing to do.
  public var to: Int
  /// The copy that was made before the change; `nil` if none was.
  public var copy: String?
}

extension Workspace {
  /// Brings the run log to the schema of this program, if it is one of an older version.
  ///
  /// - Parameters:
  ///   - options: Where the copy goes, and how long to wait for other processes.
  ///   - stopsServers: Whether daemons of this machine are asked to end (SIGTERM): they end or suspend their steps. Other processes
  ///     are waited for.
  ///   - progress: Gets the steps.
  /// - Throws: ``UseCaseError``: as for opening a run log.
  public func upgradeRunLog(
    _ options: UpgradeOptions, stopsServers: Bool, progress: @escaping @Sendable (UpgradeStep) -> Void
  ) async throws(UseCaseError) -> UpgradeReport {
    let outcome = UpgradeOutcome()
    UpgradeStep.observe { step in
      if stopsServers, case .waiting(let users) = step { outcome.stop(users) }
      outcome.note(step)
      progress(step)
    }
    defer { UpgradeStep.observe(nil) }
    var configuration = RunStore.Configuration()
    configuration.upgrade = options
    let (settings, path) = (configuration, database)
    try await mapErrors {
      try await RunStore(readingFrom: path, configuration: settings).close()
    }
    return outcome.report
  }
}

/// Collects what an upgrade does, and stops daemons once each.
private final class UpgradeOutcome: Sendable {
  private struct State {
    var report = UpgradeReport(from: RunStore.schemaVersion, to: RunStore.schemaVersion)
    var stopped: Set<Int> = []
  }

  private let state = Mutex(State())

  var report: UpgradeReport { state.withLock { $0.report } }

  func note(_ step: UpgradeStep) {
    guard case .finished(let from, let to, let copy) = step else { return }
    state.withLock { $0.report = UpgradeReport(from: from, to: to, copy: copy) }
  }

  func stop(_ users: [RunLogUser]) {
    for user in users where user.isServer && user.host == nil {
      guard let pid = pid_t(exactly: user.pid), pid > 1 else { continue }
      guard state.withLock({ $0.stopped.insert(user.pid).inserted }) else { continue }
      // The process may have ended by now, or belong to another user: then the wait says so.
      kill(pid, SIGTERM)
    }
  }
}
