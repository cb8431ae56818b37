import Engine
import Expressions
import Glibc
import TestSupport
import Testing

@testable import RunStore

/// What the run log keeps for the daemon beside points and their runs.
@Suite(.timeLimit(.minutes(5))) struct ServingRecordsTests {
  private let folder: TemporaryFolder
  private let store: RunStore
  private let time = ManualTime()

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  private func schedule(_ source: String) -> ScheduleRecord {
    ScheduleRecord(source: source, recipe: "digest", digest: "", cursor: SampleRun.start)
  }

  private func begin(_ source: String) async throws -> ScheduleRecord {
    try #require(try await store.begin([schedule(source)]).first)
  }

  private func start(_ id: String) throws -> RunStart {
    guard case .runStarted(var start) = SampleRun.started(id) else { throw CancellationError() }
    start.trigger = "schedule"
    return start
  }

  /// Begins a run a minute after the cursor.
  private func fire(_ record: ScheduleRecord, _ id: String, pauseAfter: Int? = nil) async throws -> (
    ScheduleRecord, OccurrenceOutcome?
  ) {
    let at = record.cursor.adding(seconds: 60)
    var firing = ScheduleFiring(source: record.source, revision: record.revision, cursor: at, nextDue: nil)
    firing.points = [.init(at: at, start: try start(id))]
    firing.pauseAfter = pauseAfter
    guard case .written(let written, let occurrences) = try await store.fire(firing) else { throw CancellationError() }
    return (written, occurrences.first?.outcome)
  }

  private func end(_ id: String, _ status: RunStatus) async throws {
    let end = RunEnd(run: RunID(rawValue: id), status: status, outputs: .map([:]), failure: nil, at: SampleRun.start)
    try await store.record([.runFinished(end)], durability: .committed)
  }

  @Test func aSchedulePausesAfterSomeFailuresInARowAndForgivesThemWhenItGoesOn() async throws {
    var record = try await begin("/r/a.yaml#1")
    for id in ["01A", "01B"] {
      let (written, outcome) = try await fire(record, id, pauseAfter: 2)
      #expect(outcome == .run && !written.isPaused)
      record = written
      _ = try await store.claim(limit: 1, at: SampleRun.start)
      try await end(id, .failed)
    }
    let (paused, outcome) = try await fire(record, "01C", pauseAfter: 2)
    #expect(outcome == .skipped && paused.isPaused && paused.failures == 2)
    let resumed = try #require(try await store.pause(record.source, false))
    #expect(!resumed.isPaused && resumed.failures == 0)
    #expect(try await fire(resumed, "01D", pauseAfter: 2).1 == .run)
    try await store.close()
  }

  @Test(arguments: [(4.0, 0), (6.0, 1)])
  func aRunCountsAsLateByWhenItBegins(seconds: Double, late: Int) async throws {
    let record = try await begin("\(try start("01A").path)#1")
    _ = try await fire(record, "01A")
    // Between its point and its start it waits in the queue.
    let at = record.cursor.adding(seconds: 60 + seconds)
    #expect(try await store.claim(limit: 1, at: at) == [RunID(rawValue: "01A")])
    #expect(try await store.schedules().first?.counts.late == late)
    try await store.close()
  }

  @Test func whatNoRecipeHasAnyMoreIsNotListedAndBeginsAnewWhenItIsBack() async throws {
    let record = try await begin("/r/a.yaml#1")
    _ = try await begin("/r/b.yaml#1")
    let (fired, _) = try await fire(record, "01A")
    _ = try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [])])
    #expect(try await store.schedules().map(\.source) == ["/r/b.yaml#1"])
    // Whoever still decides about it finds it gone.
    guard
      case .outdated(nil) = try await store.fire(
        ScheduleFiring(source: fired.source, revision: fired.revision, cursor: fired.cursor, nextDue: nil))
    else {
      Issue.record("it is still there")
      return
    }
    var again = schedule("/r/a.yaml#1")
    again.cursor = SampleRun.start.adding(seconds: 9000)
    time.advance(by: RunStore.absence + 1)
    let back = try #require(try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [again])]).first)
    #expect(back.cursor == again.cursor && back.counts.run == 1 && back.revision > fired.revision)
    try await store.close()
  }

  /// An editor writes by renaming, a branch is changed: no point in between is lost.
  @Test func aFileThatWasAwayForAMomentGoesOnWhereItWas() async throws {
    let (fired, _) = try await fire(try await begin("/r/a.yaml#1"), "01A")
    _ = try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [])])
    time.advance(by: RunStore.absence - 1)
    var again = schedule("/r/a.yaml#1")
    (again.cursor, again.nextDue) = (SampleRun.start.adding(seconds: 200), SampleRun.start.adding(seconds: 300))
    let back = try #require(try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [again])]).first)
    #expect(back.cursor == fired.cursor && back.counts == fired.counts && back.revision > fired.revision)
    // It is decided about at once.
    #expect(back.nextDue == again.cursor)
    // One that gave way to another schedule of the file begins anew.
    _ = try await adopt("/r/a.yaml", "/r/a.yaml#2")
    let anew = try #require(
      try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [again])]).first)
    #expect(anew.cursor == again.cursor)
    try await store.close()
  }

  @Test func aFileThatWasRenamedKeepsWhatIsKnownOfIt() async throws {
    let other = try await begin("/r/a.yaml#b.yaml#1")
    let (fired, _) = try await fire(try await begin("/r/a.yaml#1"), "01A")
    _ = try await store.pause("/r/a.yaml#1", true)
    try await store.setDisabled("/r/a.yaml", true)
    let subscriptions = ["file /r/a.yaml /in/*", "recipe//r/a.yaml/mail.new/home/INBOX", "end /r/a.yaml x succeeded"]
    for name in subscriptions { #expect(try store.accept(TriggerEvent(id: "7", event: [], cursor: "c7"), of: name)) }
    // The file is gone at one look, and another is there at the next one.
    _ = try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [])])
    let moved = [
      ScheduleAdoption(path: "/r/a.yaml", schedules: []),
      ScheduleAdoption(path: "/r/c.yaml", schedules: [schedule("/r/c.yaml#1")], former: "/r/a.yaml"),
    ]
    let record = try #require(try await store.adopt(moved).first)
    #expect(record.source == "/r/c.yaml#1" && record.isPaused)
    #expect(record.cursor == fired.cursor && record.counts == fired.counts)
    #expect(try await store.schedules().map(\.source) == [other.source, "/r/c.yaml#1"])
    #expect(try await store.occurrences(of: "/r/c.yaml#1", limit: 9).count == 1)
    #expect(try await store.disabledRecipes() == ["/r/c.yaml"])
    for name in subscriptions {
      #expect(try store.pendingEvents(of: name, limit: 9).isEmpty)
      let renamed = name.replacing("/r/a.yaml", with: "/r/c.yaml")
      #expect(try store.pendingEvents(of: renamed, limit: 9).map(\.id) == ["7"])
    }
    // Said again, as by a second daemon, it changes nothing.
    #expect(try await store.adopt(moved).map(\.cursor) == [fired.cursor])
    try await store.close()
  }

  private func adopt(_ path: String, _ sources: String...) async throws -> [ScheduleRecord] {
    try await store.adopt([ScheduleAdoption(path: path, schedules: sources.map(schedule))])
  }

  @Test func aScheduleInThePlaceOfAPausedOneIsPausedToo() async throws {
    _ = try await adopt("/r/a.yaml", "/r/a.yaml#1")
    _ = try await store.pause("/r/a.yaml#1", true)
    // Names of neighbours begin the same.
    #expect(try await adopt("/r/a.yaml2", "/r/a.yaml2#2").map(\.isPaused) == [false])
    #expect(try await adopt("/r/a.yaml#b.yaml", "/r/a.yaml#b.yaml#2").map(\.isPaused) == [false])
    #expect(try await adopt("/r/a.yaml", "/r/a.yaml#2", "/r/a.yaml#3").map(\.isPaused) == [true, true])
    #expect(
      try await store.schedules().map(\.source) == ["/r/a.yaml#2", "/r/a.yaml#3", "/r/a.yaml#b.yaml#2", "/r/a.yaml2#2"])
    _ = try await store.pause("/r/a.yaml#2", false)
    #expect(try await adopt("/r/a.yaml", "/r/a.yaml#2", "/r/a.yaml#4").map(\.isPaused) == [false, false])
    #expect(try await store.scheduleWakes(at: time.now).count == 4)
    try await store.close()
  }

  @Test func pointsThatWereMissedRunAfterwardsOnce() async throws {
    var record = try await begin("/r/a.yaml#1")
    let at = { (minute: Int) in SampleRun.start.adding(seconds: Double(minute) * 60) }
    var firing = ScheduleFiring(source: record.source, revision: record.revision, cursor: at(6), nextDue: nil)
    firing.passed = [
      PassedPoints(.missed, first: at(1), last: at(4), count: 4),
      PassedPoints(.skipped, first: at(5), last: at(5), count: 1),
    ]
    firing.points = [.init(at: at(6), start: try start("01Z"))]
    _ = try await store.fire(firing)
    let points = try (1...6).map {
      BackfillPoint(at: at($0), next: at($0 + 1), start: try start($0 == 6 ? "01Z" : "01\($0)"))
    }
    let begun = try await store.backfill(record.source, Array(points[0...1] + points[4...5]), onlyMissed: true)
    #expect(begun.map(\.at) == [at(1), at(2)])
    #expect(try await store.backfill(record.source, points, onlyMissed: false).map(\.at) == [at(3), at(4), at(5)])
    #expect(try await store.backfill(record.source, points, onlyMissed: false).isEmpty)
    record = try #require(try await store.schedules().first)
    #expect(record.counts.missed == 0 && record.counts.skipped == 0)
    #expect(record.counts.caughtUp == 5 && record.counts.run == 1)
    let recorded = try await store.occurrences(of: record.source, limit: 100)
    #expect(recorded.map(\.at).reversed() == (1...6).map(at))
    #expect(recorded.allSatisfy { $0.count == 1 && $0.run != nil })
    try await store.close()
  }

  @Test func aPointThatWasMissedByAWrongClockRunsWhenItsTimeComes() async throws {
    let record = try await begin("/r/a.yaml#1")
    let at = record.cursor.adding(seconds: 60)
    var firing = ScheduleFiring(source: record.source, revision: record.revision, cursor: at, nextDue: nil)
    firing.passed = [PassedPoints(.missed, first: at, last: at, count: 1)]
    guard case .written(let missed, _) = try await store.fire(firing) else { throw CancellationError() }
    #expect(missed.counts.missed == 1)
    firing = ScheduleFiring(source: record.source, revision: missed.revision, cursor: at, nextDue: nil)
    firing.points = [.init(at: at, start: try start("01A"))]
    guard case .written(let run, let begun) = try await store.fire(firing) else { throw CancellationError() }
    #expect(begun.map(\.outcome) == [.run] && run.counts.missed == 0 && run.counts.run == 1)
    firing.revision = run.revision
    guard case .written(_, let again) = try await store.fire(firing) else { throw CancellationError() }
    #expect(again.isEmpty)
    #expect(try await store.claim(limit: 10, at: SampleRun.start) == [RunID(rawValue: "01A")])
    try await store.close()
  }

  /// Also where it stands among several in one record.
  @Test func aPointOfSeveralThatWereMissedRunsWhenItsTimeComes() async throws {
    var record = try await begin("/r/a.yaml#1")
    let at = { (minute: Int) in SampleRun.start.adding(seconds: Double(minute) * 60) }
    var firing = ScheduleFiring(source: record.source, revision: record.revision, cursor: at(4), nextDue: nil)
    firing.passed = [PassedPoints(.missed, first: at(1), last: at(4), count: 4)]
    guard case .written(let missed, _) = try await store.fire(firing) else { throw CancellationError() }
    record = missed
    for (minute, left) in [(3, 3), (4, 2), (4, 2)] {
      firing = ScheduleFiring(source: record.source, revision: record.revision, cursor: at(4), nextDue: nil)
      firing.points = [.init(at: at(minute), start: try start("01\(minute)"))]
      guard case .written(let run, _) = try await store.fire(firing) else { throw CancellationError() }
      #expect(run.counts.missed == left && run.counts.total == 4)
      record = run
    }
    try await store.close()
  }

  @Test func theGoodVersionOfARecipeIsKept() async throws {
    #expect(try await store.servedRecipe("/r/a.yaml") == nil)
    try await store.keepServedRecipes([("/r/a.yaml", "name: a\n", ["/r/b.yaml": "name: b\n"]), ("/r/c.yaml", "c", [:])])
    try await store.keepServedRecipes([("/r/a.yaml", "name: a2\n", [:])])
    let kept = try #require(try await store.servedRecipe("/r/a.yaml"))
    #expect(kept.source == "name: a2\n" && kept.recipes.isEmpty)
    let file = ServedFile(path: "/r/a.yaml", stamp: -7, name: "a", schedules: 2)
    try await store.keep([file], others: ["/r/c.yaml"])
    #expect(try await store.servedFiles() == [file])
    #expect(try await store.restlessFiles() == ["/r/c.yaml"])
    try await store.forgetServed(["/r/a.yaml"])
    #expect(try await store.servedFiles().isEmpty)
    #expect(try await store.servedRecipe("/r/a.yaml") == nil)
    #expect(try await store.servedRecipe("/r/c.yaml")?.source == "c")
    try await store.close()
  }

  @Test func namesOfEventsAreForgottenByAgeUnlessTheyTellFilesApart() async throws {
    for subscription in ["webhook a", "file a"] {
      try await store.settle(events: ["1"], of: subscription)
      #expect(try store.accept(TriggerEvent(id: "2", event: Array("{}".utf8), cursor: "c"), of: subscription))
    }
    try await store.forgetEvents(before: time.now.adding(seconds: 1))
    #expect(try await store.settledEvents(of: "webhook a").isEmpty)
    #expect(try await store.settledEvents(of: "file a") == ["1"])
    // What is not dealt with yet stays.
    #expect(try store.pendingEvents(of: "webhook a", limit: 10).map(\.id) == ["2"])
    try await store.forget(events: ["1"], of: "file a")
    #expect(try await store.settledEvents(of: "file a").isEmpty)
    try await store.close()
  }

  @Test func namesOfRunsStayWhileTheyCanBeFoundAgain() async throws {
    let subscription = "end /r/a.yaml first any"
    try await store.settle(events: ["01A"], of: subscription)
    let later = time.now.adding(seconds: 40 * 86_400)
    let began = time.now.adding(seconds: -86_400).rfc3339Milliseconds
    // Nobody has looked for runs since then.
    try await store.move(subscription, to: "\(began) \(time.now.rfc3339Milliseconds)")
    try await store.forgetEvents(before: later)
    #expect(try await store.settledEvents(of: subscription) == ["01A"])
    try await store.move(subscription, to: "\(began) \(time.now.adding(seconds: 2 * 86_400).rfc3339Milliseconds)")
    try await store.forgetEvents(before: later)
    #expect(try await store.settledEvents(of: subscription).isEmpty)
    try await store.close()
  }

  @Test func subscriptionsThatNoRecipeHasAreForgottenAfterAWhile() async throws {
    for name in ["file /r/a.yaml /d/*", "file /r/b.yaml /d/*", "other"] {
      try await store.settle(events: ["1"], of: name)
      try await store.move(name, to: "\(time.now.rfc3339Milliseconds) 7")
    }
    let probe = try DatabaseProbe(folder("sous.db"))
    try await probe.execute("UPDATE trigger_cursors SET updated_at = '2001-01-01T00:00:00.000Z'")
    let long = time.now.adding(seconds: -90 * 86_400)
    try await store.forgetSubscriptions(except: ["file /r/b.yaml /d/*"], unusedSince: long)
    #expect(try await store.position(of: "file /r/a.yaml /d/*") == nil)
    #expect(try await store.settledEvents(of: "file /r/a.yaml /d/*").isEmpty)
    #expect(try await store.settledEvents(of: "other") == ["1"])
    // A recipe that is gone now had it until just now.
    try await store.forgetSubscriptions(except: [], unusedSince: long)
    #expect(try await store.settledEvents(of: "file /r/b.yaml /d/*") == ["1"])
    // Who switches a recipe off and on takes the folder that is there.
    try await store.setDisabled("/r/b.yaml", true)
    #expect(try await store.position(of: "file /r/b.yaml /d/*") == time.now.rfc3339Milliseconds)
    try await store.close()
  }

  @Test func runsThatHaveEndedAreFoundOnce() async throws {
    for (id, status) in [("01A", RunStatus.succeeded), ("01B", .failed)] {
      try await store.record([.runStarted(try start(id))], durability: .committed)
      try await end(id, status)
    }
    let name = try start("01A").recipe
    let since = SampleRun.start.adding(seconds: -60)
    let found = try await store.endedRuns(
      of: name, except: "", [.succeeded, .failed], since: since, notSettledIn: "end", limit: 10)
    #expect(found.map(\.run.rawValue) == ["01A", "01B"])
    #expect(
      try await store.endedRuns(of: name, except: "", [.failed], since: since, notSettledIn: "end", limit: 10).map(
        \.run.rawValue)
        == ["01B"])
    #expect(try await store.fire(event: "01A", of: "end", nil))
    #expect(
      try await store.endedRuns(of: name, except: "", [.succeeded], since: since, notSettledIn: "end", limit: 10)
        .isEmpty)
    #expect(
      try await store.endedRuns(of: "other", except: "", [.failed], since: since, notSettledIn: "end", limit: 10)
        .isEmpty)
    try await store.close()
  }

  @Test func aPatternFindsOtherRecipesAndRunsThatNeedAttention() async throws {
    for (id, status) in [("01A", RunStatus.failed), ("01B", .needsAttention), ("01C", .succeeded)] {
      try await store.record([.runStarted(try start(id))], durability: .committed)
      try await end(id, status)
    }
    let name = try start("01A").recipe
    let since = SampleRun.start.adding(seconds: -60)
    func found(_ pattern: String, except own: String = "alarm") async throws -> [EndedRun] {
      try await store.endedRuns(
        of: pattern, except: own, [.failed, .needsAttention], since: since, notSettledIn: "end", limit: 10)
    }
    let all = try await found("*")
    #expect(all.map(\.event) == ["01A", "01B needs_attention"] && all.map(\.run.rawValue) == ["01A", "01B"])
    #expect(
      all.map(\.status) == [.failed, .needsAttention] && all.allSatisfy { $0.recipe == name && $0.chain.isEmpty })
    #expect(try await found("*", except: name).isEmpty)
    #expect(try await found("?" + name.dropFirst()).count == 2)
    #expect(try await found("[*").isEmpty)
    #expect(try await store.fire(event: "01B needs_attention", of: "end", nil))
    #expect(try await found("*").map(\.run.rawValue) == ["01A"])
    // Runs of messages, notices and single reminders are not meant by a pattern.
    let probe = try DatabaseProbe(folder("sous.db"))
    try await probe.execute("UPDATE runs SET recipe_origin = 'outbox'")
    #expect(try await found("*").isEmpty)
    try await store.close()
  }

  @Test func aServerWhoseProcessIsGoneIsNotAlive() async throws {
    var server = ServerRecord(id: "a", host: ProcessIdentity.current.host, pid: Int(getpid()), beganAt: time.now)
    try await store.keep(server)
    #expect(try await store.servers().map { $0.isAlive(at: time.now) } == [true])
    // The process number is another's by now.
    let probe = try DatabaseProbe(folder("sous.db"))
    try await probe.execute("UPDATE servers SET start_ticks = start_ticks - 1")
    #expect(try await store.servers().map { $0.isAlive(at: time.now) } == [false])
    server.beatAt = time.now
    try await store.close()
  }
}
