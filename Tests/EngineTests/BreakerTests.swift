import Engine
import Expressions
import Testing

@Suite struct BreakerTests {
  private static let start = Timestamp(seconds: 1_795_000_000)

  private func at(_ seconds: Double) -> Timestamp { Self.start.adding(seconds: seconds) }

  /// A breaker that three failures have opened at 0.
  private func opened() -> Breaker {
    var breaker = Breaker(BreakerRecord(provider: "p", at: Self.start))
    for _ in 0..<3 { _ = breaker.end(.test(.server), at: at(0)) }
    return breaker
  }

  @Test func threeFailuresInARowOpenIt() {
    var breaker = Breaker(BreakerRecord(provider: "p", at: Self.start))
    for _ in 0..<2 { _ = breaker.end(.test(.server), at: at(0)) }
    #expect(breaker.ask(at: at(0)) == nil)
    _ = breaker.end(.test(.timeout), at: at(0))
    #expect(breaker.ask(at: at(0)) == 10)
  }

  @Test func aSuccessBetweenFailuresStartsTheCountAgain() {
    var breaker = Breaker(BreakerRecord(provider: "p", at: Self.start))
    for failure in [true, true, false, true, true] { _ = breaker.end(failure ? .test(.io) : nil, at: at(0)) }
    #expect(breaker.ask(at: at(0)) == nil)
  }

  @Test(arguments: [
    ActionFailure.Kind.auth, .quota, .rateLimited, .invalidInput, .notFound, .cancelled, .unsuitable, .protocol, .parse,
  ])
  func failuresThatAreNoOutageDoNotOpenIt(kind: ActionFailure.Kind) {
    var breaker = Breaker(BreakerRecord(provider: "p", at: Self.start))
    for _ in 0..<10 { _ = breaker.end(.test(kind), at: at(0)) }
    #expect(breaker.ask(at: at(0)) == nil)
  }

  @Test func openBreakerRejectsUntilCooldownAndThenLetsOneProbeThrough() {
    var breaker = opened()
    #expect(breaker.ask(at: at(9)) == 1)
    #expect(breaker.ask(at: at(10)) == nil)
    #expect(breaker.ask(at: at(10)) == 1)
  }

  @Test func threeProbesThatSucceedCloseIt() {
    var breaker = opened()
    for probe in 0..<3 {
      #expect(breaker.ask(at: at(10)) == nil, "probe \(probe)")
      _ = breaker.end(nil, at: at(10))
    }
    #expect(breaker.record.openUntil == nil)
    #expect(breaker.record.failures == 0)
  }

  @Test func aProbeThatFailsOpensItForTwiceAsLongUpToFiveTimes() {
    var breaker = opened()
    var now = 0.0
    var lengths: [Double] = []
    for _ in 0..<5 {
      now += breaker.record.openSeconds
      #expect(breaker.ask(at: at(now)) == nil)
      _ = breaker.end(.test(.server), at: at(now))
      lengths.append(breaker.record.openSeconds)
    }
    #expect(lengths == [20, 40, 50, 50, 50])
  }

  @Test func aProbeThatIsCalledOffLeavesTheWayToTheNext() {
    var breaker = opened()
    #expect(breaker.ask(at: at(10)) == nil)
    #expect(breaker.end(.test(.cancelled), at: at(10)) == false)
    #expect(breaker.ask(at: at(10)) == nil)
  }

  @Test func aClockThatJumpsBackDoesNotKeepItOpenLonger() {
    var breaker = opened()
    #expect(breaker.ask(at: at(-86_400)) == 10)
    #expect(breaker.ask(at: at(-86_390)) == nil)
  }

  @Test func whoeverHasWaitedIsLetThroughAsTheOneProbe() {
    var breaker = opened()
    #expect(breaker.ask(at: at(1)) == 9)
    #expect(breaker.ask(at: at(1), hasWaited: true) == nil)
    #expect(breaker.ask(at: at(1), hasWaited: true) != nil)
    let hasChanged = breaker.end(.test(.refused), at: at(1))
    #expect(hasChanged)
    #expect(breaker.ask(at: at(1)) == 20)
  }

  @Test func aProbeThatSucceedsEarlyOpensTheWayForTheNext() {
    var breaker = opened()
    #expect(breaker.ask(at: at(1), hasWaited: true) == nil)
    let hasChanged = breaker.end(nil, at: at(1))
    #expect(hasChanged)
    #expect(breaker.ask(at: at(1)) == nil)
  }

  @Test func aBoardTakesOverWhatOthersHaveFoundOutSince() {
    let board = BreakerBoard([opened().record])
    #expect(board.hasOpen)
    board.adopt([BreakerRecord(provider: "p", at: at(-1)), BreakerRecord(provider: "q", failures: 9, at: at(5))])
    #expect(board.record(of: "p") == opened().record)
    #expect(board.record(of: "q") == nil)
    board.adopt([BreakerRecord(provider: "p", at: at(1))])
    #expect(!board.hasOpen)
    #expect(board.record(of: "p")?.failures == 0)
  }

  @Test func aRecordReadyToProbeLetsOneCallThroughAtOnce() {
    var breaker = Breaker(opened().record.readyToProbe(at: at(2)))
    #expect(breaker.ask(at: at(2)) == nil)
    #expect(breaker.ask(at: at(2)) == 1)
    let closed = BreakerRecord(provider: "p", failures: 2, at: Self.start)
    #expect(closed.readyToProbe(at: at(2)) == closed)
  }

  @Test func aBoardGoesOnWhereItsRecordsEnd() {
    let board = BreakerBoard([opened().record])
    #expect(board.record(of: "p")?.failures == 3)
    #expect(board.record(of: "q") == nil)
  }
}
