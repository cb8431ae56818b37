public import Engine
import Synchronization

/// What the built-in actions may work with: folders, hosts, state, time.
///
/// Holds descriptions only; connections, threads and files are made by the first action that needs them.
public final class BuiltinSurroundings: Sendable {
  let time: any TimeSource

  /// Creates surroundings.
  ///
  /// - Parameter time: The clock by which programs are given time to end.
  public init(time: any TimeSource = SystemTime()) {
    self.time = time
  }
}
