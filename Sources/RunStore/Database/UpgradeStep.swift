internal import Synchronization

/// A step of an upgrade, for progress.
public enum UpgradeStep: Sendable, Equatable {
  /// Other processes work with the run log. Repeated every second.
  case waiting(for: [RunLogUser])
  /// The copy grows: bytes of all bytes.
  case copying(bytes: Int, of: Int)
  /// The tables are changed, from one schema version to another.
  case changing(from: Int, to: Int)
  /// The run log has the new schema.
  case finished(from: Int, to: Int, copy: String?)
  /// Another process upgrades the run log, and this one waits for it.
  case waitingForUpgrade
  /// No step follows. Reported after errors too.
  case ended

  private static let observer = Mutex<(@Sendable (UpgradeStep) -> Void)?>(nil)

  /// Lets a function see the steps of each upgrade in this process: any command may be the first of a new version.
  public static func observe(_ body: (@Sendable (UpgradeStep) -> Void)?) { observer.withLock { $0 = body } }

  func report() { UpgradeStep.observer.withLock { $0 }?(self) }
}
