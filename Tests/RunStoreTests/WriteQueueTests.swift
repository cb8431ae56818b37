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
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    #expect(queue.add(request(1, waiter: 2)) == .none)
    #expect(queue.takeBatch()?.map(\.waiter) == [1, 2])
    #expect(queue.add(request(1, waiter: 3)) == .none)
    #expect(queue.takeBatch()?.map(\.waiter) == [3])
    #expect(queue.takeBatch() == nil)
    #expect(queue.add(request(1, waiter: 4)) == .drain)
  }

  @Test func aQueueThatIsEmptyAfterABatchIsDrainedAnew() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    let next = queue.takeBatch()
    #expect(queue.batchEnded(try #require(next), keeping: []) == .none)
    // What comes first without a waiter is not taken for one that is waited for.
    #expect(queue.add(request(1, .soon)) == .startSoon)
    #expect(queue.add(request(1, waiter: 2)) == .drain)
    #expect(queue.takeBatch()?.map(\.waiter) == [nil, 2])
  }

  @Test func requestsWithoutAWaiterStartOneDelay() {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
    #expect(queue.add(request(1, .accepted)) == .none)
    #expect(queue.delayEnded() == .drain)
    #expect(queue.takeBatch()?.count == 2)
    #expect(queue.takeBatch() == nil)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
  }

  @Test func aDelayThatFindsEverythingWrittenDoesNothing() {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, .accepted)) == .startDelay)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    #expect(queue.takeBatch()?.count == 2)
    #expect(queue.takeBatch() == nil)
    #expect(queue.delayEnded() == .none)
  }

  @Test func batchesKeepToTheLimitAndTheOrder() {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 10)
    for (waiter, count) in [4, 5, 2, 30, 1].enumerated() { _ = queue.add(request(count, waiter: waiter)) }
    #expect(queue.takeBatch()?.map(\.waiter) == [0, 1])
    #expect(queue.takeBatch()?.map(\.waiter) == [2])
    #expect(queue.takeBatch()?.map(\.waiter) == [3])
    #expect(queue.takeBatch()?.map(\.waiter) == [4])
    #expect(queue.takeBatch() == nil)
  }

  @Test func aFullQueueMakesEveryoneWaitUntilItIsWritten() throws {
    var queue = Queue(capacity: 3, byteCapacity: 1 << 20, batchLimit: 10)
    #expect(!queue.mustWait(for: .accepted, bytes: 1))
    #expect(queue.mustWait(for: .committed, bytes: 1))
    _ = queue.add(request(3, .accepted))
    #expect(queue.mustWait(for: .accepted, bytes: 1))
    let next = queue.takeBatch()
    let batch = try #require(next)
    #expect(queue.mustWait(for: .accepted, bytes: 1))
    #expect(queue.batchEnded(batch, keeping: []) == .none)
    #expect(!queue.mustWait(for: .accepted, bytes: 1))
  }

  @Test func bytesFillTheQueueAsEntriesDo() throws {
    let large = Queue.Request(
      entries: [PreparedEntry(SampleRun.log("01AAA", String(repeating: "x", count: 600)))], durability: .accepted,
      waiter: nil)
    var queue = Queue(capacity: 100, byteCapacity: 1000, batchLimit: 10)
    #expect(!queue.mustWait(for: .accepted, bytes: large.bytes))
    _ = queue.add(large)
    #expect(queue.mustWait(for: .accepted, bytes: large.bytes))
    #expect(!queue.mustWait(for: .accepted, bytes: 10))
    let next = queue.takeBatch()
    let batch = try #require(next)
    _ = queue.batchEnded(batch, keeping: batch)
    #expect(queue.mustWait(for: .accepted, bytes: large.bytes))
    #expect(queue.mustWait(for: .accepted, bytes: .max))
  }

  @Test func whatIsKeptComesFirstInTheNextBatch() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    _ = queue.add(request(1, .accepted))
    _ = queue.add(request(2, waiter: 1))
    // The short delay of the first request is over; otherwise it would do for trying again.
    #expect(queue.delayEnded() == .none)
    let next = queue.takeBatch()
    let batch = try #require(next)
    #expect(queue.batchEnded(batch, keeping: [batch[0]]) == .startRetryDelay)
    #expect(queue.add(request(3, .accepted)) == .none)
    #expect(queue.add(request(4, waiter: 2)) == .drain)
    #expect(queue.takeBatch()?.map(\.entries.count) == [1, 3, 4])
  }

  @Test func repeatedBatchReachesSomebodyWhoWaits() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 5)
    for _ in 0..<4 { _ = queue.add(request(4, .accepted)) }
    _ = queue.add(request(1, waiter: 1))
    _ = queue.add(request(1, waiter: 2))
    #expect(queue.delayEnded() == .none)
    var next = queue.takeBatch()
    var batch = try #require(next)
    #expect(batch.count == 1)
    #expect(queue.batchEnded(batch, keeping: batch) == .drain)
    next = queue.takeBatch()
    batch = try #require(next)
    #expect(batch.last?.waiter == 1)
    #expect(queue.batchEnded(batch, keeping: Array(batch.dropLast())) == .drain)
    next = queue.takeBatch()
    batch = try #require(next)
    #expect(batch.last?.waiter == 2)
    #expect(queue.batchEnded(batch, keeping: Array(batch.dropLast())) == .startRetryDelay)
    #expect(queue.delayEnded() == .drain)
  }

  @Test func resultsOfEffectsGoWithTheNextWaiterOrSoon() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(!queue.mustWait(for: .soon, bytes: 1))
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    let next = queue.takeBatch()
    let batch = try #require(next)
    // While the transaction is under way: it starts none of its own when that one ends.
    #expect(queue.add(request(1, .soon)) == .none)
    #expect(queue.batchEnded(batch, keeping: []) == .startSoon)
    #expect(queue.add(request(1, waiter: 2)) == .drain)
    #expect(queue.takeBatch()?.map(\.durability) == [.soon, .committed])
    #expect(queue.takeBatch() == nil)
    #expect(queue.soonEnded() == .none)
    #expect(queue.add(request(1, .soon)) == .startSoon)
    #expect(queue.soonEnded() == .drain)
  }

  @Test func aDelayThatBeganForEarlierResultsIsNotOverForLaterOnes() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, .soon)) == .startSoon)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    let next = queue.takeBatch()
    let batch = try #require(next)
    #expect(queue.batchEnded(batch, keeping: []) == .none)
    // The delay is still under way when the next result comes, and that one's own intent with it.
    #expect(queue.add(request(1, .soon)) == .none)
    #expect(queue.soonEnded() == .startSoon)
    #expect(queue.soonEnded() == .drain)
    #expect(queue.takeBatch()?.count == 1)
    #expect(queue.takeBatch() == nil)
  }

  @Test func aDelayForResultsThatEndsDuringATransactionStartsAnewAfterIt() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 100)
    #expect(queue.add(request(1, .soon)) == .startSoon)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    let next = queue.takeBatch()
    let batch = try #require(next)
    #expect(queue.add(request(1, .soon)) == .none)
    #expect(queue.soonEnded() == .none)
    #expect(queue.batchEnded(batch, keeping: []) == .startSoon)
    #expect(queue.soonEnded() == .drain)
  }

  @Test func aDelayForResultsThatABatchLeftBehindCountsForThem() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 2)
    #expect(queue.add(request(2, .soon)) == .startSoon)
    #expect(queue.add(request(2, .soon)) == .none)
    #expect(queue.add(request(1, waiter: 1)) == .drain)
    let next = queue.takeBatch()
    let batch = try #require(next)
    #expect(queue.soonEnded() == .none)
    #expect(queue.batchEnded(batch, keeping: []) == .drain)
  }

  @Test func whatIsDueIsWrittenThroughAllBatches() throws {
    var queue = Queue(capacity: 100, byteCapacity: 1 << 20, batchLimit: 2)
    #expect(queue.add(request(2, .accepted)) == .startDelay)
    for _ in 0..<2 { #expect(queue.add(request(2, .accepted)) == .none) }
    #expect(queue.delayEnded() == .drain)
    for expected in [Queue.Action.drain, .drain, .none] {
      let next = queue.takeBatch()
      #expect(queue.batchEnded(try #require(next), keeping: []) == expected)
    }
    #expect(queue.takeBatch() == nil)
  }
}
