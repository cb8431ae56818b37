import Synchronization

/// Hands over to one handler: one call at a time, on a queue of its own, and no more bytes than the window allows.
final class Delivery: Sendable {
  private let queue: CallbackQueue
  private let window: Mutex<FlowWindow>
  private let begun = Mutex(0)
  private let givesBack: Bool
  private let resume: @Sendable () -> Void

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
  var handedOver: Int { begun.withLock { $0 } }

  /// Takes room for a part of so many bytes.
  func room(for wanted: Int) -> Int { window.withLock { $0.take(wanted) } }

  /// Calls the handler with a piece that there is room for.
  func deliver(bytes count: Int, _ work: @escaping @Sendable () -> Void) {
    queue.run { [self] in
      begun.withLock { $0 += count }
      work()
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
