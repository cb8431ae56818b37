import Access
import Expressions
import Testing

/// The pauses after failures.
struct LockOutTests {
  private let start = Timestamp(seconds: 1_795_510_800)

  @Test(arguments: [(0, 0), (1, 0), (4, 0), (5, 1), (6, 2), (7, 4), (10, 32), (14, 512), (15, 900), (1_000_000, 900)])
  func pausesDoubleUpToFifteenMinutes(failures: Int, seconds: Int) {
    #expect(LockOut.seconds(after: failures) == Double(seconds))
  }

  @Test func aPauseEndsAfterItsTimeAndFailuresAreForgottenAfterADay() {
    var failures: LockOut.Failures?
    for _ in 1...4 { failures = LockOut.adding(failures, now: start) }
    #expect(LockOut.wait(failures, now: start) == nil)
    failures = LockOut.adding(failures, now: start)
    #expect(LockOut.wait(failures, now: start) == 1)
    #expect(LockOut.wait(failures, now: start.adding(seconds: 0.25)) == 0.75)
    #expect(LockOut.wait(failures, now: start.adding(seconds: 1)) == nil)
    failures = LockOut.adding(failures, now: start.adding(seconds: 1))
    #expect(LockOut.wait(failures, now: start.adding(seconds: 1)) == 2)
    #expect(LockOut.adding(failures, now: start.adding(seconds: 86_401)).count == 1)
  }

  @Test func aClockThatWasSetBackDoesNotMakeAPauseLonger() {
    let failures = LockOut.Failures(count: 6, last: start)
    #expect(LockOut.wait(failures, now: start.adding(seconds: -3600)) == 2)
  }
}
