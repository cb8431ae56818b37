import Engine
import Expressions
import FixturePlugins
import Testing

@testable import PluginBoundary
@testable import PluginHost

struct AdmissionQueueTests {
  @Test func atMostSoManyCallAtATimeInTheOrderTheyCame() {
    var queue = AdmissionQueue(concurrency: 2, rate: nil)
    for id in 1...5 { queue.enter(UInt64(id)) }
    #expect(queue.admit(at: 0).ids == [1, 2])
    #expect(queue.admit(at: 100).ids == [])
    queue.finish()
    #expect(queue.admit(at: 100).ids == [3])
    queue.finish()
    queue.finish()
    #expect(queue.admit(at: 100).ids == [4, 5])
    #expect(queue.isEmpty)
  }

  @Test func rateSpreadsCallsEvenly() {
    var queue = AdmissionQueue(concurrency: nil, rate: .init(requests: 60, seconds: 60, burst: 1))
    for id in 1...3 { queue.enter(UInt64(id)) }
    let first = queue.admit(at: 10)
    #expect(first.ids == [1])
    #expect(first.wake == 11)
    #expect(queue.admit(at: 10.5).ids == [])
    #expect(queue.admit(at: 10.5).wake == 11)
    #expect(queue.admit(at: 11).ids == [2])
    #expect(queue.admit(at: 12).ids == [3])
    #expect(queue.admit(at: 12).wake == nil)
  }

  @Test func burstFollowsAPauseAndNoMore() {
    var queue = AdmissionQueue(concurrency: nil, rate: .init(requests: 1, seconds: 1, burst: 3))
    for id in 1...10 { queue.enter(UInt64(id)) }
    #expect(queue.admit(at: 0).ids == [1, 2, 3])
    #expect(queue.admit(at: 2).ids == [4, 5])
    #expect(queue.admit(at: 1000).ids == [6, 7, 8])
  }

  @Test(arguments: [(7, 3.0, 2), (60, 60, 5), (1000, 1, 1), (3, 0.7, 3)])
  func neverMoreThanTheRateAllows(requests: Int, seconds: Double, burst: Int) {
    var queue = AdmissionQueue(concurrency: nil, rate: .init(requests: requests, seconds: seconds, burst: burst))
    for id in 1...500 { queue.enter(UInt64(id)) }
    var time = 100.0
    var admitted = 0
    var turns = 0
    while admitted < 500 {
      let (ids, wake) = queue.admit(at: time)
      admitted += ids.count
      turns += 1
      let allowed = Double(burst) + (time - 100) * Double(requests) / seconds
      #expect(Double(admitted) <= allowed + 1e-6)
      if let wake { time = max(time, wake) }
    }
    // Woken once for each call, and not in vain over and over.
    #expect(turns <= 1002)
    #expect(abs((time - 100) - Double(500 - burst) * seconds / Double(requests)) < 0.01)
  }

  @Test func whoLeavesHoldsNobodyUp() {
    var queue = AdmissionQueue(concurrency: 1, rate: nil)
    for id in 1...3 { queue.enter(UInt64(id)) }
    #expect(queue.admit(at: 0).ids == [1])
    let left = [queue.leave(2), queue.leave(2), queue.leave(1)]
    #expect(left == [true, false, false])
    queue.finish()
    #expect(queue.admit(at: 0).ids == [3])
  }
}

@Suite(.timeLimit(.minutes(5)))
struct AdmissionGateTests {
  @Test func oneAfterTheOther() async throws {
    let gate = AdmissionGate(concurrency: 1, rate: nil, time: SystemTime())
    let first = try await gate.admit()
    let second = Task { try await gate.admit() }
    while gate.waiting == 0 { await Task.yield() }
    first.end()
    try await second.value.end()
    try await gate.admit().end()
  }

  @Test func cancelledWaiterLeaves() async throws {
    let gate = AdmissionGate(concurrency: 1, rate: nil, time: SystemTime())
    let first = try await gate.admit()
    let second = Task { try await gate.admit() }
    let third = Task { try await gate.admit() }
    while gate.waiting < 2 { await Task.yield() }
    second.cancel()
    await #expect(throws: ActionFailure(.cancelled)) { try await second.value }
    #expect(gate.waiting == 1)
    first.end()
    try await third.value.end()
  }

  @Test func cancelledBeforeItWaits() async throws {
    let gate = AdmissionGate(concurrency: 1, rate: nil, time: SystemTime())
    let first = try await gate.admit()
    let second = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await gate.admit()
    }
    second.cancel()
    await #expect(throws: ActionFailure(.cancelled)) { try await second.value }
    first.end()
    try await gate.admit().end()
  }

  @Test func rateIsKeptByTheClock() async throws {
    let gate = AdmissionGate(
      concurrency: nil, rate: .init(requests: 1000, seconds: 1, burst: 1), time: SystemTime())
    let begin = SystemTime().monotonic
    for _ in 0..<21 { try await gate.admit().end() }
    #expect(SystemTime().monotonic - begin >= 0.0199)
  }

  @Test func providersWithoutLimitsDoNotWait() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.echo())) { $0.concurrency = 1 }
    let held = try await host.admit(to: "home")
    try await host.admit(to: "other").end()
    held.end()
    try await host.admit(to: "home").end()
  }
}
