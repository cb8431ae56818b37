import Engine
import Expressions
import Foundation
import Recipes
import RunStore
import Schedules
import Synchronization
import TestWorkspace
import Testing

@testable import Serve
@testable import UseCases

/// A year of many schedules with outages, clocks that jump, two processes on one run log and processes that end anywhere:
/// each point is accounted for exactly once, and runs overlap only where they may. `SOUS_TEST_SCHEDULES=1000` simulates a
/// whole year of so many on disk, which takes minutes.
@Suite(.timeLimit(.minutes(60))) struct ScheduleYearTests {
  /// A clock that a test sets.
  private final class SetTime: TimeSource {
    private let state: Mutex<Timestamp>

    init(_ now: Timestamp) { state = Mutex(now) }

    var now: Timestamp { state.withLock { $0 } }
    var monotonic: Double { 0 }
    func set(_ now: Timestamp) { state.withLock { $0 = now } }
    func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }
  }

  /// Numbers that a seed decides.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  /// A schedule of the simulation.
  private struct Definition {
    let source: String
    let points: any OccurrenceSource
    let policy: ScheduleMachine.Policy
    let overlap: ScheduleFiring.Overlap
    let pattern: String

    /// How many of its runs may be taken from the queue at once. One that is cancelled is taken to be ended, beside others.
    var mostAtOnce: Int {
      switch overlap {
      case .skip, .queue: 1
      case .cancel: .max
      case .allow(let limit): limit ?? .max
      }
    }
  }

  private static let start = Timestamp(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z
  private static let day = 86_400.0

  private static func definitions(_ count: Int, _ dice: inout Dice) throws -> [Definition] {
    let zones = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]
    let overlaps: [ScheduleFiring.Overlap] = [
      .skip, .queue(limit: 1), .queue(limit: nil), .cancel, .allow(limit: nil), .allow(limit: 2),
    ]
    return try (0..<count).map { number in
      let cron =
        "\(number % 60) \(number % 4) \(number.isMultiple(of: 3) ? "*/2" : "*") * \(number % 5 == 0 ? "*" : "1,4")"
      let zone = try #require(Zone(zones[number % zones.count]))
      var policy = ScheduleMachine.Policy()
      policy.catchUp = ScheduleMachine.CatchUp.allCases[number % 3]
      policy.catchUpWindow = number % 7 == 0 ? 2 * day : nil
      policy.catchUpLimit = 3
      policy.jitter = number % 4 == 0 ? 60 : 0
      let place = Schedules.Place(latitude: 47, longitude: Double(number % 180))
      let form: Schedules.Schedule.Form =
        switch number % 16 {
        case 3, 7, 11: .every(seconds: (20 + number % 100) * 3600, anchor: Date(timeIntervalSince1970: 0))
        case 5:
          .recurrence(
            Recurrence(
              try RecurrenceRule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SU;BYHOUR=2,\(number % 24)"),
              start: try #require(LocalTime(iso: "2025-03-01T00:30")), zone: zone))
        case 9: .sun(.sunset, try #require(place), offset: -1800)
        default: .cron(try Schedules.CronExpression(cron))
        }
      let points = SchedulePoints(
        schedule: Schedules.Schedule(
          form, zone: zone, missing: number % 2 == 0 ? .shift : .skip, repeated: RepeatedTime.allCases[number % 3]))
      return Definition(
        source: "/recipes/\(number).yaml#0", points: points, policy: policy,
        overlap: overlaps[Int(dice.next() % UInt64(overlaps.count))], pattern: cron)
    }
  }

  /// A process: what it believes of each schedule.
  private struct Server {
    let log: RunStore
    var drivers: [ScheduleDriver] = []
    var wakes: [Timestamp?] = []

    init(_ log: RunStore, _ definitions: [Definition], at now: Timestamp) async throws {
      self.log = log
      let records = try await log.begin(
        definitions.map { ScheduleRecord(source: $0.source, recipe: "r", digest: $0.pattern, cursor: now) })
      for (definition, record) in zip(definitions, records) {
        drivers.append(
          ScheduleDriver(record, ScheduleMachine(definition.points, definition.policy), definition.overlap))
        wakes.append(now)
      }
    }

    /// Does what is due; a process that dies stops after some schedules.
    ///
    /// - Returns: Which schedule each run belongs to.
    mutating func turn(at now: Timestamp, dyingAfter limit: Int = .max) async throws -> [RunID: Int] {
      var owners: [RunID: Int] = [:]
      var decided = 0
      // Some rounds: another process may have been first.
      for _ in 0..<4 {
        var proposals: [(index: Int, proposal: ScheduleDriver.Proposal)] = []
        for index in drivers.indices where decided < limit {
          guard let wake = wakes[index], wake <= now else { continue }
          let source = drivers[index].record.source
          let (proposal, later) = drivers[index].propose(isHeld: false, at: now) { point in
            let run = RunID(at: point.at, of: "\(source)\n\(point.at.rfc3339Milliseconds)")
            var start = RunStart(
              run: run, recipe: source, path: source, fingerprint: "f", trigger: "schedule", inputs: .map([:]),
              steps: [.init(id: "a", action: "log", effect: .pure)], at: now)
            start.isQueued = true
            owners[run] = index
            return start
          }
          wakes[index] = later
          if let proposal { proposals.append((index, proposal)) }
          decided += 1
        }
        guard !proposals.isEmpty else { break }
        for ((index, proposal), result) in zip(proposals, try await log.fire(proposals.map(\.proposal.firing))) {
          wakes[index] = drivers[index].take(result, of: proposal, at: now).wake
        }
      }
      return owners
    }
  }

  /// Compares what is recorded with all points of the year.
  private func check(_ log: RunStore, _ definitions: [Definition], until end: Timestamp) async throws -> Int {
    var total = 0
    let records = Dictionary(uniqueKeysWithValues: try await log.schedules().map { ($0.source, $0) })
    for definition in definitions {
      let record = try #require(records[definition.source])
      var wanted: [Timestamp] = []
      var at = Self.start
      while let next = definition.points.next(after: at), next <= record.cursor {
        wanted.append(next)
        at = next
      }
      #expect(record.cursor <= end)
      let recorded = try await log.occurrences(of: definition.source, limit: .max)
      #expect(recorded.reduce(0) { $0 + $1.count } == wanted.count, "\(definition.source) \(definition.pattern)")
      #expect(record.counts.total == wanted.count)
      // None lies in the range of another one, and each single one is a point.
      let ordered = recorded.sorted { $0.at < $1.at }
      for (left, right) in zip(ordered, ordered.dropFirst()) { #expect(left.until < right.at) }
      let points = Set(wanted)
      for occurrence in ordered { #expect(points.contains(occurrence.at) && points.contains(occurrence.until)) }
      let runs = ordered.compactMap(\.run)
      #expect(Set(runs).count == runs.count)
      #expect(runs.count == record.counts.run + record.counts.caughtUp)
      if case .none = definition.policy.catchUp { #expect(record.counts.caughtUp == 0) }
      total += wanted.count
    }
    return total
  }

  /// The runs of the simulation.
  private struct Work {
    let definitions: [Definition]
    var dice: Dice
    /// The schedule of each run.
    var owners: [RunID: Int] = [:]
    private var begun: Set<RunID> = []
    private var open: [Int: [RunID]] = [:]

    init(_ definitions: [Definition], _ dice: Dice) { (self.definitions, self.dice) = (definitions, dice) }

    /// Lets runs that are queued begin, as far as they may, and most of those that work end.
    mutating func goOn(_ log: RunStore, at now: Timestamp, endsAll: Bool = false) async throws {
      for run in try await log.claim(limit: 1000, at: now) {
        #expect(begun.insert(run).inserted, "\(run) began twice")
        let owner = try #require(owners[run])
        open[owner, default: []].append(run)
        #expect(
          open[owner, default: []].count <= definitions[owner].mostAtOnce, "runs of \(definitions[owner]) overlap")
      }
      for (owner, runs) in open.sorted(by: { $0.key < $1.key }) {
        var left: [RunID] = []
        for run in runs {
          guard endsAll || dice.next() % 3 > 0 else {
            left.append(run)
            continue
          }
          let status: RunStatus = dice.next() % 10 == 0 ? .failed : .succeeded
          try await log.record(
            [.runFinished(RunEnd(run: run, status: status, outputs: .map([:]), failure: nil, at: now))],
            durability: .committed)
        }
        open[owner] = left.isEmpty ? nil : left
      }
    }
  }

  @Test func everyPointOfAYearInMemory() async throws {
    let time = SetTime(Self.start)
    let store = try RunStore(inMemory: time)
    try await simulate(1, 30, days: 366, time, store) { old in
      old.abandon()
      return try RunStore(sharing: store)
    }
  }

  @Test func everyPointOfTwoMonthsOnDisk() async throws {
    let place = try Place()
    let path = place.folder + "/sous.db"
    let time = SetTime(Self.start)
    let store = try RunStore(path: path, time: time)
    let count = ProcessInfo.processInfo.environment["SOUS_TEST_SCHEDULES"].flatMap(Int.init)
    try await simulate(3, count ?? 30, days: count == nil ? 60 : 366, time, store) { old in
      // As the end of a process does.
      old.abandon()
      return try RunStore(path: path, time: time)
    }
  }

  private func simulate(
    _ seed: UInt64, _ count: Int, days: Int, _ time: SetTime, _ first: RunStore,
    _ reopen: (RunStore) throws -> RunStore
  ) async throws {
    var dice = Dice(state: seed)
    let definitions = try Self.definitions(count, &dice)
    var log = first
    var servers = [try await Server(log, definitions, at: Self.start)]
    var now = Self.start
    let end = Self.start.adding(seconds: Double(days) * Self.day)
    var work = Work(definitions, Dice(state: seed + 1))
    var latest = now
    while now < end {
      switch dice.next() % 100 {
      // An outage, of hours or of days: all processes end.
      case 0..<2: now = now.adding(seconds: Double(dice.next() % 400_000))
      // The clock is set back, or ahead.
      case 2..<4: now = now.adding(seconds: -Double(dice.next() % 7200))
      case 4..<6: now = now.adding(seconds: Double(dice.next() % 7200))
      default: now = now.adding(seconds: Double(dice.next() % 3600))
      }
      latest = max(latest, now)
      time.set(now)
      switch dice.next() % 50 {
      case 0:
        // It dies in the middle of its work, and another one begins.
        try await work.goOn(log, at: now, endsAll: true)
        work.owners.merge(try await servers[0].turn(at: now, dyingAfter: Int(dice.next() % 5) + 1)) { $1 }
        log = try reopen(log)
        servers = [try await Server(log, definitions, at: now)]
      case 1..<5 where servers.count == 1: servers.append(try await Server(log, definitions, at: now))
      case 5..<8 where servers.count > 1: servers.removeLast()
      default: break
      }
      for index in servers.indices { work.owners.merge(try await servers[index].turn(at: now)) { $1 } }
      try await work.goOn(log, at: now)
    }
    time.set(latest)
    // What another process has decided is known after one more turn.
    for _ in 0..<3 { _ = try await servers[0].turn(at: latest) }
    let total = try await check(log, definitions, until: latest)
    #expect(total > days * count / 10)
  }
}
