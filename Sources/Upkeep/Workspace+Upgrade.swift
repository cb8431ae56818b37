import Glibc
import Localization
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
  /// The daemons that were asked to end. Nothing starts them again: a unit with `Restart=on-failure` stays off after SIGTERM.
  public var stopped: [RunLogUser] = []
}

extension Workspace {
  /// Brings the run log to the schema of this program, if it is one of an older version.
  ///
  /// - Parameters:
  ///   - options: Where the copy goes, and how long to wait for other processes.
  ///   - stopsServers: Whether daemons of this machine are asked to end (SIGTERM): they end or suspend their steps. Other processes
  ///     are waited for.
  ///   - progress: Gets the steps.
  /// - Throws: ``UseCaseError``: as for opening a run log. The message names the command that starts each stopped daemon again.
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
    do throws(UseCaseError) {
      try await mapErrors {
        try await RunStore(readingFrom: path, configuration: settings).close()
      }
    } catch {
      var error = error
      error.message = error.message + Self.restartHint(outcome.report.stopped)
      throw error
    }
    return outcome.report
  }
}

extension Workspace {
  /// How the daemons that an upgrade has stopped start again.
  private static func restartHint(_ stopped: [RunLogUser]) -> LocalizedText {
    guard !stopped.isEmpty else { return .init(verbatim: "") }
    let commands = stopped.map { "'\($0.start)'" }.joined(separator: ", ")
    return LocalizedText(
      " Daemons were stopped; this starts them again: \(commands)",
      de: " Dienste wurden beendet; so starten sie wieder: \(commands)")
  }
}

/// Collects the steps of an upgrade, and stops daemons once each.
private final class UpgradeOutcome: Sendable {
  private struct State {
    var report = UpgradeReport(from: RunStore.schemaVersion, to: RunStore.schemaVersion)
  }

  private let state = Mutex(State())

  var report: UpgradeReport { state.withLock { $0.report } }

  func note(_ step: UpgradeStep) {
    guard case .finished(let from, let to, let copy) = step else { return }
    state.withLock { ($0.report.from, $0.report.to, $0.report.copy) = (from, to, copy) }
  }

  func stop(_ users: [RunLogUser]) {
    for user in users where user.isServer && user.host == nil {
      guard let pid = pid_t(exactly: user.pid), pid > 1 else { continue }
      guard !state.withLock({ $0.report.stopped.contains { $0.pid == user.pid } }) else { continue }
      // The process may have ended by now, or belong to another user: then the wait says so.
      guard kill(pid, SIGTERM) == 0 else { continue }
      state.withLock { $0.report.stopped.append(user) }
    }
  }
}
