import Foundation

/// A value that is there later; threads may wait for it.
final class Box<Value: Sendable>: @unchecked Sendable {
  // The condition guards the value.
  private let condition = NSCondition()
  private var value: Value?

  func set(_ value: Value) {
    condition.lock()
    self.value = value
    condition.broadcast()
    condition.unlock()
  }

  func wait() -> Value {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value { return value }
      condition.wait()
    }
  }
}
