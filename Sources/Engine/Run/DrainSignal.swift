import Synchronization

/// Asks those who work on runs to come to an end in good order: no run is taken and no attempt begins any more, what is
/// under way may end, and runs are parked where they then stand.
public final class DrainSignal: Sendable {
  private let isDraining = Atomic(false)

  /// Creates a signal that is not set.
  public init() {}

  /// Whether somebody has asked.
  public var isSet: Bool { isDraining.load(ordering: .acquiring) }

  /// Asks; there is no way back. Again, it does nothing.
  public func set() { isDraining.store(true, ordering: .releasing) }
}
