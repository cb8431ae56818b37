import Expressions
import Testing

@testable import Engine

@Suite struct WaitDeadlinesTests {
  private func wait(at seconds: Int64, nanoseconds: Int32 = 0) -> WaitStart {
    WaitStart(
      run: RunID(rawValue: "R"), step: 0, item: nil, kind: .retry, until: nil,
      at: Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test func aWaitThatAnotherProcessHasBegunMeanwhileIsNotTheOldOne() {
    let deadlines = WaitDeadlines()
    deadlines.begin(wait(at: 1, nanoseconds: 2_000_001), deadline: 30)
    // As the run log gives it back.
    #expect(deadlines.deadline(of: wait(at: 1, nanoseconds: 2_000_000)) == 30)
    #expect(deadlines.deadline(of: wait(at: 40)) == nil)
    deadlines.end(wait(at: 1, nanoseconds: 2_000_001))
    #expect(deadlines.deadline(of: wait(at: 1, nanoseconds: 2_000_001)) == nil)
  }
}
