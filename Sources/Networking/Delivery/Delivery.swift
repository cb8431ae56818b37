import NIOCore
import Synchronization

/// Hands over to one handler: one call at a time, on a queue of its own, and no more bytes than the window allows.
final class Delivery: Sendable {
  private let queue: CallbackQueue
  private let window: Mutex<FlowWindow>
  private let progress = Mutex(Progress())
  private let givesBack: Bool
  private let resume: @Sendable () -> Void

  private struct Progress: Sendable {
    var begun = 0
    /// Pieces the handler has not returned from.
    var underWay = 0
    var lastReturn = NIODeadline.distantPast
  }

  /// Creates a delivery.
  ///
  /// - Parameters:
  ///   - window: The size of the window in bytes.
  ///   - givesBack: Whether a piece counts as consumed once the handler has returned.
  ///   - resume: Called from any thread when there is room again for what had to wait.
  init(queue: CallbackQueue, window: Int, givesBack: Bool, resume: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.window = Mutex(FlowWindow(capacity: window))
    self.givesBack = givesBack
    self.resume = resume
  }

  /// The bytes whose handing over has begun.
  var handedOver: Int { progress.withLock { $0.begun } }

  /// The last moment at which the handler was busy with a piece; now where it still is.
  var lastBusy: NIODeadline { progress.withLock { $0.underWay > 0 ? .now() : $0.lastReturn } }

  /// Takes room for a part of so many bytes.
  func room(for wanted: Int) -> Int { window.withLock { $0.take(wanted) } }

  /// Calls the handler with a piece that there is room for.
  func deliver(bytes count: Int, _ work: @escaping @Sendable () -> Void) {
    progress.withLock { $0.underWay += 1 }
    queue.run { [self] in
      progress.withLock { $0.begun += count }
      work()
      progress.withLock { progress in
        progress.underWay -= 1
        progress.lastReturn = .now()
      }
      if givesBack { giveBack(count) }
    }
  }

  /// Calls the handler.
  func deliver(_ work: @escaping @Sendable () -> Void) { queue.run(work) }

  /// The receiver is done with so many bytes.
  func consumed(_ count: Int) {
    if !givesBack { giveBack(count) }
  }

  private func giveBack(_ count: Int) {
    if window.withLock({ $0.giveBack(count) }) { resume() }
  }
}
