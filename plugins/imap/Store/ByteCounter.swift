import Synchronization

/// Counts bytes that pass by.
final class ByteCounter: Sendable {
  private let count = Mutex(0)

  var total: Int { count.withLock { $0 } }

  func add(_ bytes: Int) { count.withLock { $0 += bytes } }
}
