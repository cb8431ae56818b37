import NIOCore
import Synchronization

/// Runs work on the event loop for other threads; refuses it once the loop is about to end.
final class EventLoopTurns: Sendable {
  private let loop: any EventLoop
  private let isOpen = Mutex(true)

  init(loop: any EventLoop) { self.loop = loop }

  /// Runs work on the loop, in order of the calls; drops it after ``shut()``.
  func run(_ work: @escaping @Sendable () -> Void) {
    isOpen.withLock { if $0 { loop.execute(work) } }
  }

  /// Drops all later work. Call before the loop ends: NIO reports work that arrives later as a programming error.
  func shut() { isOpen.withLock { $0 = false } }
}
