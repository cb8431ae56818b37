import Engine
import Expressions
import Testing

@testable import RunStore

/// Which beginning belongs to which end.
struct PendingStartsTests {
  private func start(_ run: String, _ step: Int, item: Int? = nil, number: Int = 1) -> AttemptStart {
    AttemptStart(
      run: RunID(rawValue: run), step: step, item: item, number: number, kind: .provider("home"), key: "",
      inputBytes: 0,
      at: SampleRun.start)
  }

  private func end(_ run: String, _ step: Int, item: Int? = nil, number: Int = 1) -> AttemptEnd {
    AttemptEnd(
      run: RunID(rawValue: run), step: step, item: item, number: number, failure: nil, outputBytes: 0, duration: 0,
      retryDelay: nil, at: SampleRun.start)
  }

  @Test func anEndTakesTheBeginningOfItsOwnAttempt() {
    var beginnings = PendingStarts()
    for item in [nil, 0, 1] as [Int?] { #expect(beginnings.begin(start("A", 0, item: item))?.step == nil) }
    #expect(beginnings.begin(start("B", 0))?.step == nil)
    #expect(beginnings.begin(start("A", 0, number: 2))?.step == nil)
    #expect(beginnings.start(of: end("A", 0, item: 2))?.step == nil)
    #expect(beginnings.start(of: end("A", 1))?.step == nil)
    #expect(beginnings.start(of: end("A", 0, item: 1))?.item == 1)
    #expect(beginnings.start(of: end("A", 0, item: 1))?.step == nil)
    #expect(beginnings.start(of: end("A", 0, number: 2))?.number == 2)
    #expect(beginnings.takeAll().attempts.count == 3)
    #expect(beginnings.takeAll().attempts.isEmpty)
  }

  @Test func anotherBeginningGivesTheEarlierOneBack() {
    var beginnings = PendingStarts()
    let run = RunID(rawValue: "A")
    let first = StepStart(run: run, step: 0, itemCount: nil, at: SampleRun.time(1))
    let second = StepStart(run: run, step: 0, itemCount: 3, at: SampleRun.time(2))
    #expect(beginnings.begin(first) == nil)
    #expect(beginnings.begin(second) == first)
    let end = StepEnd(run: run, step: 0, status: .succeeded, at: SampleRun.time(3))
    #expect(beginnings.start(of: end) == second)
    #expect(beginnings.start(of: end) == nil)
  }
}
