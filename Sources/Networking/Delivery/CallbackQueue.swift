import Dispatch

/// Where one handler is called: one call at a time, in order, and away from the event loop, so that a blocking handler delays
/// no other handler.
final class CallbackQueue: Sendable {
  private let queue: DispatchQueue
  private let unfinished: DispatchGroup

  /// Creates a queue whose work counts towards a group.
  init(unfinished: DispatchGroup) {
    self.unfinished = unfinished
    queue = DispatchQueue(label: "network.callbacks")
  }

  func run(_ work: @escaping @Sendable () -> Void) {
    queue.async(group: unfinished, execute: work)
  }
}
