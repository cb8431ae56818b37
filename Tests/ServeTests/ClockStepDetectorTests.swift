import Expressions
import Testing

@testable import Serve
@testable import UseCases

@Suite struct ClockStepDetectorTests {
  private func clock(_ readings: [Int64]) -> (ClockStepDetector, isBack: Bool) {
    var clock = ClockStepDetector()
    let answers = readings.map { clock.hasSteppedBack(at: Timestamp(seconds: $0)) }
    return (clock, answers.last ?? false)
  }

  @Test func aClockThatIsSetAheadHasNotSteppedBack() {
    #expect(!clock([1_000, 1_001, 70_000_000, 70_000_001]).isBack)
  }

  @Test func aClockThatIsAdjustedBySecondsHasNotSteppedBack() {
    #expect(!clock([1_000, 999, 1_000]).isBack)
  }

  @Test func aClockThatIsSetBackIsToldUntilThatIsAcknowledged() {
    var (clock, isBack) = clock([1_000, 70_000_000, 1_002, 1_003])
    #expect(isBack)
    clock.acknowledge()
    let isStillBack = clock.hasSteppedBack(at: Timestamp(seconds: 1_004))
    #expect(!isStillBack)
    let isBackAgain = clock.hasSteppedBack(at: Timestamp(seconds: 500))
    #expect(isBackAgain)
  }
}

@Suite struct EndedRunsPositionTests {
  @Test func aPositionFromAClockThatWasAheadGoesBack() throws {
    let ahead = try #require(EndedRunsPosition("2026-11-24T10:00:00.000Z 2029-02-01T00:00:00.000Z"))
    var position = ahead
    let now = try #require(Timestamp(rfc3339: "2026-11-24T12:00:00Z"))
    position.goBack(to: now)
    #expect(position.seen == now)
    #expect(position.beginning == ahead.beginning)
    var begun = EndedRunsPosition(beginning: ahead.seen)
    begun.goBack(to: now)
    #expect(begun == EndedRunsPosition(beginning: now))
  }

  @Test func aPositionInThePastStays() throws {
    let past = try #require(EndedRunsPosition("2026-11-24T10:00:00.000Z 2026-11-24T11:00:00.000Z"))
    var position = past
    position.goBack(to: try #require(Timestamp(rfc3339: "2026-11-24T12:00:00Z")))
    #expect(position == past)
    #expect(EndedRunsPosition(position.text) == past)
  }

  @Test func whatComesIntoViewByAClockThatIsSetBackIsKnown() throws {
    var position = try #require(EndedRunsPosition("2026-11-24T10:00:00.000Z 2026-11-24T12:00:00.000Z"))
    let former = position.since(slack: 3600)
    #expect(former == Timestamp(rfc3339: "2026-11-24T11:00:00Z"))
    position.goBack(to: Timestamp(seconds: 60))
    #expect(position.since(slack: 3600) == Timestamp(seconds: 60))
    position.goBack(to: former)
    #expect(position.since(slack: 3600) == Timestamp(seconds: 60))
  }
}
