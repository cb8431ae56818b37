import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Synchronization
import TestWorkspace
import Testing

@testable import UseCases

/// What people are told of runs that fail.
@Suite(.timeLimit(.minutes(5))) struct FailureAlertsTests {
  private static let recipe = """
    name: nightly
    inputs: { ok: { type: boolean } }
    steps:
      - { id: check, uses: assert, with: { condition: "{{ inputs.ok }}", message: the disk is full } }

    """

  private func place(_ policy: String = "", notify: String = "") throws -> Place {
    let place = try Place(configuration: "providers: {}\n" + policy)
    try place.write("r.yaml", Self.recipe + notify)
    return place
  }

  private func titles(_ session: Session) async throws -> [String] {
    try await session.store.notifications(limit: 100).map(\.title).reversed()
  }

  @Test func theFirstFailureAndTheRecoveryAreTold() async throws {
    try await place().withSession { session in
      for ok in [true, false, false, true, true] {
        try await session.enqueue("r.yaml", ["ok": .bool(ok)])
        try await session.workUntilIdle()
      }
      #expect(try await titles(session) == ["nightly failed", "nightly works again"])
      let first = try await session.store.notification(1)
      #expect(first?.text.contains("the disk is full") == true)
      #expect(first?.text.contains("sous show \(first?.run ?? "?")") == true)
      // The inbox needs no run of its own.
      #expect(try await session.store.runs(RunFilter(limit: 100)).count == 5)
    }
  }

  /// Runs of a recipe that Sous wrote have nothing in common but a label, even if a file has that name.
  @Test(arguments: [(RecipeOrigin.file, 1), (.reminder, 2), (.outbox, 2)])
  func onlyRunsOfAFileHaveAHistory(origin: RecipeOrigin, count: Int) async throws {
    try await place().withSession { session in
      let plan = try session.project.plan(of: SourceText(path: "r.yaml", text: Self.recipe), from: origin)
      for _ in 0..<2 {
        try await session.engine.enqueue(plan, RunRequest(id: .new(), inputs: ["ok": false]))
        for _ in 0..<2 { try await session.workUntilIdle() }
      }
      #expect(try await titles(session) == Array(repeating: "nightly failed", count: count))
    }
  }

  @Test func runsInTheForegroundAreNotTold() async throws {
    try await place().withSession { session in
      _ = try await session.run("r.yaml", ["ok": false])
      try await session.workUntilIdle()
      #expect(try await titles(session).isEmpty)
    }
  }

  @Test func aSuccessInTheForegroundEndsTheFailuresWithoutANotice() async throws {
    try await place().withSession { session in
      for _ in 0..<2 {
        try await session.enqueue("r.yaml", ["ok": false])
        try await session.workUntilIdle()
      }
      #expect(try await titles(session) == ["nightly failed"])
      _ = try await session.run("r.yaml", ["ok": true])
      try await session.workUntilIdle()
      #expect(try await titles(session) == ["nightly failed"])
      for ok in [false, true] {
        try await session.enqueue("r.yaml", ["ok": .bool(ok)])
        try await session.workUntilIdle()
      }
      #expect(try await titles(session) == ["nightly failed", "nightly failed", "nightly works again"])
    }
  }

  @Test func runsInTheForegroundThatWaitForTheirGroupAreNotTold() async throws {
    try await place(notify: "concurrency: { group: g, policy: skip }\n").withSession { session in
      _ = try await session.run("r.yaml", ["ok": false])
      try await session.workUntilIdle()
      #expect(try await titles(session).isEmpty)
      // A queued run of the same group is.
      try await session.enqueue("r.yaml", ["ok": false])
      try await session.workUntilIdle()
      #expect(try await titles(session) == ["nightly failed"])
    }
  }

  @Test func aRecipeHasAPolicyOfItsOwn() async throws {
    try await place("engine: { on_failure: { every: 2 } }\n", notify: "notify: false\n").withSession { session in
      for _ in 0..<3 { try await session.enqueue("r.yaml", ["ok": false]) }
      try await session.workUntilIdle()
      #expect(try await titles(session).isEmpty)
    }
    try await place("engine: { on_failure: false }\n", notify: "notify: { first: false, every: 2 }\n").withSession {
      session in
      for _ in 0..<3 {
        try await session.enqueue("r.yaml", ["ok": false])
        try await session.workUntilIdle()
      }
      #expect(try await titles(session) == ["nightly failed 2 times in a row"])
    }
  }

  @Test func aNotifierThatIsMissingIsToldInTheInboxAlone() async throws {
    try await place("engine: { on_failure: { provider: ghost } }\n").withSession { session in
      try await session.enqueue("r.yaml", ["ok": false])
      try await session.workUntilIdle()
      let notifications = try await session.store.notifications(limit: 10)
      #expect(notifications.map(\.title) == ["nightly failed"])
      #expect(notifications.first?.trouble?.english.contains("ghost") == true)
      #expect(try await session.store.runs(RunFilter(limit: 100)).count == 1)
    }
  }

  /// If no notice of a streak was delivered, the next failure sends one, and a recovery sends none.
  @Test func aStreakWithoutADeliveredNoticeIsReportedAgain() {
    let policy = FailurePolicy()
    let at = SystemTime().now
    let before = FailureStreak(failures: 3, since: at, isTold: true)
    func end(_ status: RunStatus) -> ConcludedRun {
      ConcludedRun(number: 1, run: RunID(rawValue: "R"), path: "r.yaml", recipe: "r", status: status, at: at)
    }
    #expect(FailureJudgement(end(.failed), after: before, policy).news == nil)
    let again = FailureJudgement(end(.failed), after: before, hasReached: false, policy)
    #expect(again.news == .failed(4) && again.streak?.isTold == true)
    #expect(FailureJudgement(end(.succeeded), after: before, hasReached: false, policy).news == nil)
    #expect(FailureJudgement(end(.succeeded), after: before, policy).news != nil)
  }

  /// A person may set the missing secret within the six hours.
  @Test func aNoticeIsRetriedForSixHoursIfASecretIsMissing() throws {
    let place = try place()
    let planning = try Project(place.workspace).planning(
      SourceText(path: FailureTarget.path, text: FailureTarget(FailurePolicy()).recipe), from: .notice)
    let retry = try #require(planning.plan?.steps.first?.retry)
    #expect(retry.repeatsMendable && retry.within == FailureTarget.period)
    var sequence = AttemptSequence(policy: retry, providers: 1)
    var (now, attempts) = (0.0, 0)
    while true {
      switch sequence.next(at: now) {
      case .start:
        attempts += 1
        sequence.fail(ActionFailure(.auth, .init(verbatim: "no secret")), at: now, random: 0.5)
        continue
      case .wait(let seconds): now += seconds
      case .giveUp:
        #expect(now > 5 * 3600 && now <= 6 * 3600 && attempts > 10)
        return
      }
    }
  }

  @Test func mailThatCannotBeSentIsNotTold() async throws {
    try await place("engine: { on_failure: { mail: me@example.com } }\n").withSession { session in
      try await session.enqueue("r.yaml", ["ok": false])
      for _ in 0..<2 { try await session.workUntilIdle() }
      let notifications = try await session.store.notifications(limit: 10)
      #expect(notifications.map(\.title) == ["nightly failed"])
      #expect(notifications.first?.trouble?.english.contains("mail.transport") == true)
    }
  }

  @Test func whatIsGatheredComesAsOneMessage() async throws {
    let clock = SettableTime()
    try await place("engine: { on_failure: { every: 2, digest: 1h } }\n").withSession { session in
      let notices = FailureAlerts(session, time: clock)
      for ok in [false, false, true] {
        try await session.enqueue("r.yaml", ["ok": .bool(ok)])
        var order = WorkOrder()
        order.endsWhenIdle = true
        try await session.worked(order)
        try await notices.turn()
      }
      #expect(try await titles(session).isEmpty)
      clock.pass(seconds: 3599)
      try await notices.turn()
      #expect(try await titles(session).isEmpty)
      clock.pass(seconds: 2)
      try await notices.turn()
      try await notices.turn()
      let notifications = try await session.store.notifications(limit: 10)
      #expect(notifications.map(\.title) == ["Sous: 3 reports"])
      let text = try #require(notifications.first?.text)
      for words in ["nightly failed\n", "nightly failed 2 times in a row", "nightly works again"] {
        #expect(text.contains(words))
      }
    }
  }

  @Test func twoProcessesTellOnce() async throws {
    let place = try place("engine: { on_failure: { every: 1000 } }\n")
    for index in 0..<8 { try place.write("r\(index).yaml", Self.recipe) }
    try await place.withSession { session in
      for index in 0..<8 { try await session.enqueue("r\(index).yaml", ["ok": false]) }
      var order = WorkOrder()
      order.endsWhenIdle = true
      try await session.worked(order)
      try await place.withSession { other in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for each in [session, other, session, other] { group.addTask { _ = try await FailureAlerts(each).turn() } }
          try await group.waitForAll()
        }
      }
      #expect(try await titles(session) == Array(repeating: "nightly failed", count: 8))
      #expect(try await session.store.concludedRuns(limit: 10).isEmpty)
    }
  }
}

extension Session {
  /// Works on the queue, and tells nothing.
  fileprivate func worked(_ order: WorkOrder) async throws {
    try await withUpkeep { try await worker(engine, order).work() }
  }
}

/// A clock that stands still until it is moved.
private final class SettableTime: TimeSource {
  private let passed = Mutex(0.0)
  private let start = SystemTime().now

  var now: Timestamp { start.adding(seconds: passed.withLock { $0 }) }
  var monotonic: Double { passed.withLock { $0 } }
  func sleep(seconds: Double) async throws {}
  func pass(seconds: Double) { passed.withLock { $0 += seconds } }
}
