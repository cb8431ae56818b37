import Builtins
import Engine
import Expressions
import Testing

/// What a run of a reminder delivers, and what comes after it.
@Suite struct ReminderRoundTests {
  private static let run = RunID(rawValue: "01M8362BPGDAP4M6FM4TBNRZ4Z")
  private static let start = Timestamp(seconds: 1_800_000_000)

  private func time(_ seconds: Double) -> Timestamp { Self.start.adding(seconds: seconds) }

  private func first(_ event: Value = .null, _ times: ReminderRound.Times = .init(), at now: Double = 0)
    -> ReminderRound
  {
    ReminderRound(of: Self.run, event: event, times: times, now: time(now))
  }

  @Test func withoutTimesItIsDeliveredAtOnce() {
    let round = first()
    #expect(round.wait == .none)
    #expect(round.round == 1)
    #expect(round.reminder == Self.run)
    #expect(round.next(.init(), at: time(1)) == nil)
  }

  @Test func leadTimesComeOneAfterTheOtherAndThenTheTimeItself() throws {
    let times = ReminderRound.Times(at: time(10_000), leads: [7200, 3600])
    var round = first(.null, times)
    var dues: [Double] = []
    var rounds: [Int] = []
    while true {
      dues.append(round.due.seconds(since: Self.start))
      let delivered = round.delivered(at: round.due)
      rounds.append(delivered.round)
      guard let next = delivered.next(times, at: round.due) else { break }
      round = next
    }
    #expect(dues == [2800, 6400, 10_000])
    #expect(rounds == [0, 0, 1])
  }

  @Test func leadTimesThatHavePassedWhenItIsKeptAreLeftOut() {
    let round = first(.null, .init(at: time(5000), leads: [86_400, 3600]))
    #expect(round.due == time(1400))
    #expect(first(.null, .init(at: time(5000), leads: [86_400])).due == time(5000))
  }

  @Test func aLeadThatWasMissedUntilTheTimeItselfIsDeliveredOnce() {
    let times = ReminderRound.Times(at: time(10_000), leads: [7200, 3600])
    let delivered = first(.null, times).delivered(at: time(20_000))
    #expect(delivered.round == 1)
    #expect(delivered.due == time(10_000))
    #expect(delivered.next(times, at: time(20_000)) == nil)
  }

  @Test(arguments: [(nil as Int?, 3), (1, 1), (2, 2)])
  func itIsRepeatedAsOftenAsTheLimitSays(_ limit: Int?, _ deliveries: Int) {
    let times = ReminderRound.Times(every: 600, limit: limit)
    var round: ReminderRound? = first(.null, times)
    var count = 0
    while let now = round, count < 3 {
      count += 1
      round = now.next(times, at: now.due.adding(seconds: 5))
      if let round {
        #expect(round.wait == .acknowledgement)
        #expect(round.due == now.due.adding(seconds: 605))
        #expect(round.round == count + 1)
      }
    }
    #expect(count == deliveries)
  }

  @Test func aPointOfAScheduleIsAboutThatPoint() {
    let point: Value = ["type": "schedule", "at": .string(time(-30).rfc3339), "late_seconds": 30]
    let round = first(point, .init(every: 60))
    #expect(round.at == time(-30))
    #expect(round.due == time(-30))
    #expect(round.wait == .none)
    #expect(round.next(.init(every: 60), at: time(0))?.round == 2)
  }

  @Test func aPointAheadOfASchedulesTimeRepeatsNothing() {
    let point: Value = ["type": "schedule", "at": .string(time(3600).rfc3339), "lead_seconds": 3600.0]
    let round = first(point, .init(leads: [3600], every: 60))
    #expect(round.round == 0)
    #expect(round.due == time(0))
    #expect(round.next(.init(leads: [3600], every: 60), at: time(1)) == nil)
  }

  @Test func aRoundIsReadFromTheEventThatItWrites() {
    let round = ReminderRound(
      reminder: Self.run, wait: .acknowledgement, due: time(60), at: time(0), round: 3, isScheduled: true)
    #expect(ReminderRound(event: round.event) == round)
    #expect(first(round.event) == round)
  }

  @Test(arguments: [
    Value.null, ["type": "schedule"], ["type": "reminder"],
    [
      "type": "reminder", "reminder": "X", "wait": "never", "due": "2027-01-01T00:00:00Z", "at": "2027-01-01T00:00:00Z",
      "round": 1,
    ],
    ["type": "reminder", "reminder": "X", "wait": "time", "due": "tomorrow", "at": "2027-01-01T00:00:00Z", "round": 1],
    [
      "type": "reminder", "reminder": "X", "wait": "time", "due": "2027-01-01T00:00:00Z", "at": "2027-01-01T00:00:00Z",
      "round": 1.5,
    ],
  ])
  func anyOtherEventIsNoRound(_ event: Value) {
    #expect(ReminderRound(event: event) == nil)
  }

  @Test func whatIsPutOffWaitsForItsNewTime() {
    let round = ReminderRound(reminder: Self.run, wait: .none, due: time(0), at: time(0), round: 0)
    let later = round.snoozed(until: time(7200))
    #expect(later.wait == .time)
    #expect(later.due == time(7200))
    #expect(later.round == 1)
    #expect(later.at == time(0))
  }

  @Test(arguments: [
    // The reminder itself waits, and was told of before: its notice comes again, and it comes as well.
    (1, true, false, 5000.0, 0), (1, true, false, 20_000, 1), (0, false, false, 5000, 0), (0, false, false, 20_000, 1),
    // Nothing was told before: it moves as a whole.
    (1, false, false, 5000, 1), (1, true, true, 5000, 1), (2, true, false, 5000, 2),
  ])
  func whatIsPutOffUntilBeforeItsTimeStaysAhead(
    _ number: Int, _ wasNoticed: Bool, _ isScheduled: Bool, _ due: Double, _ wanted: Int
  ) {
    let round = ReminderRound(
      reminder: Self.run, wait: .none, due: time(0), at: time(10_000), round: number, isScheduled: isScheduled)
    let later = round.putOff(until: time(due), wasNoticed: wasNoticed)
    #expect(later.round == wanted)
    #expect(later.due == time(due) && later.wait == .time)
    guard wanted == 0 else { return }
    #expect(later.next(.init(at: time(10_000)), at: time(due))?.due == time(10_000))
  }
}
