import Providers
import Synchronization

/// The provider chain of a project, from when its run log is open.
final class ChainSlot: Sendable {
  private let providers = Mutex<ProviderChain?>(nil)

  func fill(_ chain: ProviderChain) { providers.withLock { $0 = chain } }

  /// Gives the chain up, which holds on to the project.
  func clear() { providers.withLock { $0 = nil } }

  /// The chain; `nil` before there is a run log.
  var directory: ProviderChain? { providers.withLock { $0 } }
}
