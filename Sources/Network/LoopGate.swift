import NIOCore
import Synchronization

/// The way onto the event loop from other threads, which is shut before the loop goes away.
final class LoopGate: Sendable {
  private let loop: any EventLoop
  private let isOpen = Mutex(true)

  init(loop: any EventLoop) { self.loop = loop }

  /// Runs work on the loop, in order; drops it once the gate is shut.
  func run(_ work: @escaping @Sendable () -> Void) {
    isOpen.withLock { if $0 { loop.execute(work) } }
  }

  /// Lets nothing through any more.
  func shut() { isOpen.withLock { $0 = false } }
}
