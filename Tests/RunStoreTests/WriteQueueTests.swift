import Engine
import Expressions
import Testing

@testable import RunStore

struct WriteQueueTests {
  typealias Queue = WriteQueue<Int>

  private func request(_ count: Int, _ durability: Durability = .committed, waiter: Int? = nil) -> Queue.Request {
    let entry = PreparedEntry(SampleRun.log("01AAA", "line"))
    return Queue.Request(entries: Array(repeating: entry, count: count), durability: durability, waiter: waiter)
  }

  @Test func aWaiterStartsDrainingOnce() {
    var queue = Queue(capacity: 100, batchLimit: 100)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    #expect(queue.add(request(1, waiter: 2)) == .none)
    #expect(queue.takeBatch()?.map(\.waiter) == [1, 2])
    #expect(queue.add(request(1, waiter: 3)) == .none)
    #expect(queue.takeBatch()?.map(\.waiter) == [3])
    #expect(queue.takeBatch() == nil)
    #expect(queue.add(request(1, waiter: 4)) == .drain)
  }

  @Test func requestsWithoutAWaiterStartOneDelay() {
    var queue = Queue(capacity: 100, batchLimit: 100)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
    #expect(queue.add(request(1, .accepted)) == .none)
    #expect(queue.delayEnded() == .drain)
    #expect(queue.takeBatch()?.count == 2)
    #expect(queue.takeBatch() == nil)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
  }

  @Test func aDelayThatFindsEverythingWrittenDoesNothing() {
    var queue = Queue(capacity: 100, batchLimit: 100)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    #expect(queue.takeBatch()?.count == 2)
    #expect(queue.takeBatch() == nil)
    #expect(queue.delayEnded() == .none)
  }

  @Test func batchesKeepToTheLimitAndTheOrder() {
    var queue = Queue(capacity: 100, batchLimit: 10)
    for (waiter, count) in [4, 5, 2, 30, 1].enumerated() { _ = queue.add(request(count, waiter: waiter)) }
    #expect(queue.takeBatch()?.map(\.waiter) == [0, 1])
    #expect(queue.takeBatch()?.map(\.waiter) == [2])
    #expect(queue.takeBatch()?.map(\.waiter) == [3])
    #expect(queue.takeBatch()?.map(\.waiter) == [4])
    #expect(queue.takeBatch() == nil)
  }

  @Test func aFullQueueMakesEveryoneWait() {
    var queue = Queue(capacity: 3, batchLimit: 10)
    #expect(!queue.mustWait(for: .accepted))
    #expect(queue.mustWait(for: .committed))
    _ = queue.add(request(3, .accepted))
    #expect(queue.mustWait(for: .accepted))
    _ = queue.takeBatch()
    #expect(!queue.mustWait(for: .accepted))
  }
}
