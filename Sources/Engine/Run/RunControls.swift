import Synchronization

/// The runs that a process works on, so that each can be cancelled by its name: also those that it works on for the sake
/// of another one.
public final class RunControls: Sendable {
  private let controls = Mutex<[RunID: RunControl]>([:])

  /// Creates a list without runs.
  public init() {}

  /// Calls a run off; nothing where it is not being worked on.
  public func cancel(_ run: RunID) { controls.withLock { $0[run] }?.cancel() }

  /// Takes a run in.
  ///
  /// - Returns: What stood there before, which has to be put back.
  func begin(_ run: RunID, _ control: RunControl) -> RunControl? {
    controls.withLock { $0.updateValue(control, forKey: run) }
  }

  /// Puts back what stood there before.
  func end(_ run: RunID, _ before: RunControl?) { controls.withLock { $0[run] = before } }
}
