import Expressions
import Testing

@testable import Engine

@Suite struct ScheduleMachineTests {
  private let start = Timestamp(seconds: 1_800_000_000)

  private func record(cursor: Timestamp? = nil) -> ScheduleRecord {
    ScheduleRecord(source: "a.yaml#0", recipe: "a", digest: "d", cursor: cursor ?? start)
  }

  private func machine(
    _ catchUp: ScheduleMachine.CatchUp, every seconds: Double = 600,
    _ change: (inout ScheduleMachine.Policy) -> Void = { _ in }
  ) -> ScheduleMachine {
    var policy = ScheduleMachine.Policy()
    policy.catchUp = catchUp
    change(&policy)
    return ScheduleMachine(EvenPoints(every: seconds), policy)
  }

  private func after(_ seconds: Double) -> Timestamp { start.adding(seconds: seconds) }

  @Test func nothingIsDueBeforeThePoint() {
    let decision = machine(.last).decide(record(), at: after(599))
    #expect(decision.points.isEmpty && decision.passed.isEmpty)
    #expect(decision.cursor == start)
    #expect(decision.nextDue == after(600) && decision.wake == after(600))
  }

  @Test func aPointRunsAtItsTimeOnce() {
    let decision = machine(.none).decide(record(), at: after(600))
    #expect(decision.points == [.init(at: after(600))])
    #expect(decision.cursor == after(600) && decision.wake == after(1200))
    #expect(machine(.none).decide(record(cursor: decision.cursor), at: after(601)).points.isEmpty)
  }

  @Test func someSecondsAreLateAndNotMissed() {
    let decision = machine(.none).decide(record(), at: after(620))
    #expect(decision.points == [.init(at: after(600))])
  }

  @Test func anOutageIsCaughtUpAsWanted() {
    // Six points passed; none of them a moment ago.
    let now = after(3900)
    let none = machine(.none).decide(record(), at: now)
    #expect(none.points.isEmpty)
    #expect(none.passed == [.init(.missed, first: after(600), last: after(3600), count: 6)])
    let last = machine(.last).decide(record(), at: now)
    #expect(last.points == [.init(at: after(3600), isCaughtUp: true)])
    #expect(last.passed == [.init(.missed, first: after(600), last: after(3000), count: 5)])
    let all = machine(.all).decide(record(), at: now)
    #expect(all.points.map(\.at) == (1...6).map { after(Double($0) * 600) })
    #expect(all.points.allSatisfy(\.isCaughtUp) && all.passed.isEmpty)
    for decision in [none, last, all] { #expect(decision.cursor == after(3600) && decision.nextDue == after(4200)) }
  }

  @Test func catchingUpIsBounded() {
    let now = after(3900)
    let window = machine(.all) { $0.catchUpWindow = 1500 }.decide(record(), at: now)
    #expect(window.points.map(\.at) == [after(2400), after(3000), after(3600)])
    #expect(window.passed == [.init(.missed, first: after(600), last: after(1800), count: 3)])
    let capped = machine(.all) { $0.catchUpLimit = 2 }.decide(record(), at: now)
    #expect(capped.points.map(\.at) == [after(3000), after(3600)])
    #expect(capped.passed == [.init(.missed, first: after(600), last: after(2400), count: 4)])
  }

  @Test func theLastMissedPointGivesWayToOneThatRunsNow() {
    let decision = machine(.last).decide(record(), at: after(1200))
    #expect(decision.points == [.init(at: after(1200))])
    #expect(decision.passed == [.init(.missed, first: after(600), last: after(600), count: 1)])
  }

  @Test func aClockThatWasSetBackBringsNothingAgain() {
    let fired = record(cursor: after(600))
    for now in [after(0), after(599), after(600), after(1199)] {
      let decision = machine(.all).decide(fired, at: now)
      #expect(decision.points.isEmpty && decision.passed.isEmpty && decision.cursor == after(600))
      #expect(decision.wake == after(1200))
    }
  }

  @Test func aClockThatWasFarAheadDoesNotStopTheSchedule() {
    // The clock showed a day of years ahead, and is set right.
    let wrong = after(1e8)
    let decision = machine(.last).decide(record(cursor: wrong), at: after(601))
    #expect(decision.cursor == after(601) && decision.points.isEmpty && decision.passed.isEmpty)
    #expect(decision.wake == after(1200))
    // By less than a day it may as well be a change of the clock that comes again.
    let near = machine(.last).decide(record(cursor: after(80_000)), at: after(601))
    #expect(near.cursor == after(80_000) && near.wake == after(80_400))
  }

  @Test func whatIsPausedIsSkipped() {
    var paused = record()
    paused.isPaused = true
    for decision in [
      machine(.all).decide(paused, at: after(1800)), machine(.all).decide(record(), isHeld: true, at: after(1800)),
    ] {
      #expect(decision.points.isEmpty)
      #expect(decision.passed == [.init(.skipped, first: after(600), last: after(1800), count: 3)])
    }
  }

  @Test func aLongOutageIsDecidedInPortionsAndLosesNothing() {
    let machine = machine(.all, every: 1) { $0.catchUpLimit = 10 }
    var record = record()
    var counts: [OccurrenceOutcome: Int] = [:]
    var runs: [Timestamp] = []
    let now = after(130_000)
    var rounds = 0
    repeat {
      let decision = machine.decide(record, at: now)
      for passed in decision.passed { counts[passed.outcome, default: 0] += passed.count }
      runs += decision.points.map(\.at)
      #expect(decision.cursor > record.cursor)
      record.cursor = decision.cursor
      rounds += 1
    } while record.cursor < now && rounds < 10
    #expect(rounds > 1)
    #expect(record.cursor == now)
    // The last 31 seconds count as on time, ten before them are caught up.
    #expect(runs == (129_960...130_000).map { after(Double($0)) })
    #expect(counts == [.missed: 129_959])
  }

  @Test func jitterIsTheSameForEveryPointAndBounded() throws {
    let machine = machine(.last) { $0.jitter = 60 }
    let delay = machine.delay(of: "a.yaml#0")
    #expect(delay >= 0 && delay < 60)
    #expect(delay != machine.delay(of: "b.yaml#0"))
    let before = machine.decide(record(), at: after(600 + delay - 0.01))
    #expect(before.points.isEmpty && before.nextDue == after(600))
    #expect(try #require(before.wake) == after(600).adding(seconds: delay))
    #expect(machine.decide(record(), at: after(600 + delay + 0.01)).points.map(\.at) == [after(600)])
  }
}
