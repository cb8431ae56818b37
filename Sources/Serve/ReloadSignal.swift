import Synchronization
import UseCases

/// Notes that somebody has asked whoever serves recipes to begin anew, with the configuration as it is then. Whoever gives
/// it sets ``Session/drain`` too.
public final class ReloadSignal: Sendable {
  private let flag = Atomic(false)

  /// Creates a signal that nobody has given.
  public init() {}

  /// Asks for it.
  public func set() { flag.store(true, ordering: .releasing) }

  /// Whether somebody has asked.
  public var isSet: Bool { flag.load(ordering: .acquiring) }
}
