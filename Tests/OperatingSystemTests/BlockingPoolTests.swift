import Foundation
import OperatingSystem
import Testing

@Suite struct BlockingPoolTests {
  private struct Failure: Error, Equatable {}

  @Test func resultAndErrorReachTheCaller() async throws {
    let pool = BlockingPool(name: "test", limit: 2)
    let name = await pool.run { Thread.current.name }
    #expect(name == "test")
    await #expect(throws: Failure()) { try await pool.run { () throws(Failure) -> Int in throw Failure() } }
  }

  /// Two pieces of work that wait for each other only end on two threads.
  @Test func workThatBlocksDoesNotHoldUpOtherWork() async {
    let pool = BlockingPool(name: "test", limit: 2)
    let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let first: Void = pool.run { () -> Void in
      one.signal()
      other.wait()
    }
    async let second: Void = pool.run { () -> Void in
      other.signal()
      one.wait()
    }
    _ = await (first, second)
  }

  @Test func workBeyondTheLimitRunsWhenEarlierWorkHasEnded() async {
    let pool = BlockingPool(name: "test", limit: 1)
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 { group.addTask { await pool.run { number } } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == Set(0..<20))
  }
}
