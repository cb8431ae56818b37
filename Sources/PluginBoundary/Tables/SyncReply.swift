import Dispatch
import Synchronization

/// A result that one thread waits for and another one brings; for threads of plugins, which may block.
final class SyncReply<Outcome: Sendable>: Sendable {
  private let outcome = Mutex<Outcome?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  /// Brings the result; the first counts.
  func offer(_ value: Outcome) {
    let isFirst = outcome.withLock { outcome in
      guard outcome == nil else { return false }
      outcome = value
      return true
    }
    if isFirst { arrival.signal() }
  }

  /// Waits for the result.
  func wait() -> Outcome {
    while true {
      arrival.wait()
      if let value = peek() { return value }
    }
  }

  /// Waits for the result for a limited time.
  func wait(until deadline: DispatchTime) -> Outcome? {
    guard arrival.wait(timeout: deadline) == .success else { return nil }
    // A further waiter must see the result as well.
    arrival.signal()
    return peek()
  }

  /// A time from now.
  static func deadline(in seconds: Double) -> DispatchTime { .now() + min(max(0, seconds), 1e6) }

  private func peek() -> Outcome? { outcome.withLock { $0 } }
}

extension SyncReply {
  /// Waits for the reply of a service.
  static func reply<Value: Sendable>(
    _ request: (@escaping ServiceReply<Value>) -> Void
  ) -> Result<Value, ServiceStatus> where Outcome == Result<Value, ServiceStatus> {
    let reply = SyncReply()
    request { reply.offer($0) }
    return reply.wait()
  }
}

extension Result where Failure == ServiceStatus {
  /// The number of the header.
  var status: UInt32 {
    switch self {
    case .success: 0
    case .failure(let status): status.rawValue
    }
  }
}
