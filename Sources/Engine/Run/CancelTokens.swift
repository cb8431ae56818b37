import Synchronization

/// The runs that a process works on, so that each can be cancelled by its name: also those that it works on for the sake
/// of another one.
public final class CancelTokens: Sendable {
  // A few: a list of them is quicker at each start than a table.
  private let controls = Mutex<[(run: RunID, control: CancelToken)]>([])

  /// Creates a list without runs.
  public init() {}

  /// Calls a run off; nothing where it is not being worked on.
  public func cancel(_ run: RunID) { controls.withLock { list in list.first { $0.run == run }?.control }?.cancel() }

  /// Takes a run in.
  ///
  /// - Returns: What stood there before, which has to be put back.
  func begin(_ run: RunID, _ control: CancelToken) -> CancelToken? {
    replace(run, by: control)
  }

  /// Puts back what stood there before.
  func end(_ run: RunID, _ before: CancelToken?) { _ = replace(run, by: before) }

  /// - Returns: What stood there before.
  private func replace(_ run: RunID, by control: CancelToken?) -> CancelToken? {
    controls.withLock { list in
      let before = list.firstIndex { $0.run == run }.map { list.remove(at: $0).control }
      if let control { list.append((run, control)) }
      return before
    }
  }
}
