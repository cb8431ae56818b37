import Synchronization
import Testing

@testable import PluginBoundary
@testable import PluginHost

struct DeadlineQueueTests {
  @Test func timerIsReplacedOnlyByAnEarlierDeadline() {
    var queue = DeadlineQueue()
    #expect(queue.set(.end, of: 1, at: 30) {} == DeadlineQueue.Timer(number: 1, wake: 30))
    #expect(queue.set(.end, of: 2, at: 40) {} == nil)
    #expect(queue.set(.end, of: 3, at: 20) {} == DeadlineQueue.Timer(number: 2, wake: 20))
    #expect(queue.fire(1, at: 30).due.isEmpty)
    #expect(queue.fire(1, at: 30).next == nil)
  }

  @Test func dueDeadlinesComeInOrderAndOnce() {
    var queue = DeadlineQueue()
    let done = Log()
    for (call, time) in [(1, 30), (2, 10), (3, 20), (4, 40)] as [(UInt64, Double)] {
      _ = queue.set(.end, of: call, at: time) { done.add(call) }
    }
    let first = queue.fire(2, at: 9)
    #expect(first.due.isEmpty)
    #expect(first.next == DeadlineQueue.Timer(number: 3, wake: 10))
    let second = queue.fire(3, at: 35)
    for action in second.due { action() }
    #expect(done.calls == [2, 3, 1])
    #expect(second.next == DeadlineQueue.Timer(number: 4, wake: 40))
    #expect(queue.fire(4, at: 40).due.count == 1)
    #expect(queue.set(.start, of: 5, at: 50) {} == DeadlineQueue.Timer(number: 5, wake: 50))
  }

  @Test func whatWasTakenBackOrReplacedDoesNotHappen() {
    var queue = DeadlineQueue()
    let done = Log()
    _ = queue.set(.start, of: 1, at: 5) { done.add(1) }
    _ = queue.set(.end, of: 1, at: 5) { done.add(2) }
    _ = queue.set(.end, of: 1, at: 5) { done.add(3) }
    queue.remove(.start, of: 1)
    queue.remove(.grace, of: 1)
    let fired = queue.fire(1, at: 5)
    for action in fired.due { action() }
    #expect(done.calls == [3])
    #expect(fired.next == nil)
  }
}

private final class Log: Sendable {
  private let state = Mutex<[UInt64]>([])
  var calls: [UInt64] { state.withLock { $0 } }
  func add(_ call: UInt64) { state.withLock { $0.append(call) } }
}
