import Synchronization

/// Whether the task that waits for a sync was cancelled; read by the thread that works on it.
final class SyncCancellation: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
