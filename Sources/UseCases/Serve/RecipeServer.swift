import Engine
import Expressions
import Foundation
import Localization
import PluginHost
import Recipes
import RunStore

/// Starts recipes by their triggers: keeps schedules, watches mailboxes, looks for changes of recipes.
///
/// What it knows is a copy: the run log decides, in the transaction that begins a run.
actor RecipeServer {
  /// Seconds between two looks at the files of recipes, and at what has been switched off.
  private static let scanInterval = 2.0
  /// Seconds between two signs of life.
  private static let beatInterval = 10.0
  /// Seconds to sleep at most: how late a clock that was set is noticed.
  private static let longestSleep = 1.0
  /// Seconds for which it is known what has become of points.
  private static let memory = 90.0 * 86_400

  /// A schedule, how far it has come, and when it is decided next.
  private struct Kept {
    var digest: String
    var path: String
    var driver: ScheduleDriver
    var wake: Timestamp?
  }

  private let session: Session
  private let store: RunStore
  private let time = SystemTime()
  private let reload: ReloadSignal
  private let notifier: ServiceNotifier
  private var shelf: RecipeShelf
  private var schedules: [String: Kept] = [:]
  private var watchers: [ServedRecipe.ServedMail: Task<Void, Never>] = [:]
  private var disabled: Set<String> = []
  private var told: [ServerRecord.Problem] = []
  private var record: ServerRecord
  private var lastScan = -Double.infinity
  private var lastBeat = -Double.infinity
  private var lastSign = -Double.infinity
  private var lastCleaning = -Double.infinity
  private var isReady = false

  init(_ session: Session, reload: ReloadSignal) {
    self.session = session
    self.reload = reload
    store = session.store
    shelf = RecipeShelf(of: session.project)
    notifier = ServiceNotifier(environment: session.project.workspace.surroundings.environment)
    let now = time.now
    record = ServerRecord(
      id: "\(ProcessInfo.processInfo.hostName)/\(getpid())/\(now.rfc3339Milliseconds)",
      host: ProcessInfo.processInfo.hostName, pid: Int(getpid()), beganAt: now)
  }

  private func tell(_ event: WorkspaceEvent.ServeEvent) {
    session.project.workspace.surroundings.events(.serve(event))
  }

  // MARK: - The loop

  /// Serves until the session drains or the task is cancelled.
  func serve() async throws {
    var trouble: (since: Double, pause: Double)?
    while !Task.isCancelled, !session.drain.isSet {
      var pause: Double
      do {
        pause = try await turn()
        if let failing = trouble {
          session.project.workspace.surroundings.events(.work(.logWorks(after: time.monotonic - failing.since)))
          trouble = nil
        }
      } catch {
        if (error as? any QueueError)?.fault == .lasting { throw error }
        if trouble == nil { session.project.workspace.surroundings.events(.work(.logFails(UseCaseError(error)))) }
        pause = min(30, (trouble?.pause ?? 0.5) * 2)
        trouble = (trouble?.since ?? time.monotonic, pause)
      }
      giveSign()
      try? await rest(pause)
    }
    notifier.tell(
      reload.isSet ? "RELOADING=1\nMONOTONIC_USEC=\(UInt64(time.monotonic * 1_000_000))" : "STOPPING=1")
    for watcher in watchers.values { watcher.cancel() }
    for watcher in watchers.values { await watcher.value }
    // In a task of its own, awaited: this one may have been cancelled.
    let (store, id) = (store, record.id)
    _ = await Task { try? await store.removeServer(id) }.value
  }

  /// Does what is due.
  ///
  /// - Returns: Seconds until something may be due again.
  private func turn() async throws -> Double {
    let monotonic = time.monotonic
    if monotonic - lastScan >= Self.scanInterval {
      try await scan()
      lastScan = monotonic
    }
    var now = time.now
    let due = schedules.filter { $0.value.wake.map { $0 <= now } ?? false }.sorted { left, right in
      (left.value.wake ?? now, left.key) < (right.value.wake ?? now, right.key)
    }
    if !due.isEmpty { try await noteDisabled(at: now) }
    for (source, _) in due where !session.drain.isSet {
      giveSign()
      do {
        try await decide(source)
      } catch let error as any QueueError where error.fault == .ofRun {
        // The others go on.
        tell(.problem(path: schedules[source]?.path ?? source, UseCaseError(error).message))
        schedules[source]?.wake = now.adding(seconds: 60)
      }
    }
    if monotonic - lastBeat >= Self.beatInterval {
      record.beatAt = time.now
      try await store.keep(record)
      lastBeat = monotonic
    }
    if monotonic - lastCleaning >= 3600 {
      try await store.forgetOccurrences(before: time.now.adding(seconds: -Self.memory))
      lastCleaning = monotonic
    }
    if !isReady {
      isReady = true
      tell(.begins(recipes: shelf.recipes.count, schedules: schedules.count, triggers: watchers.count))
      notifier.tell("READY=1\nSTATUS=\(shelf.recipes.count) recipes, \(schedules.count) schedules")
    }
    now = time.now
    let next = schedules.values.compactMap(\.wake).min()
    return min(Self.longestSleep, max(0.001, next?.seconds(since: now) ?? Self.longestSleep))
  }

  /// Sleeps; wakes up for the wish to end.
  private func rest(_ seconds: Double) async throws {
    let end = time.monotonic + seconds
    while !session.drain.isSet {
      let left = end - time.monotonic
      guard left > 0 else { return }
      try await time.sleep(seconds: min(left, 0.25))
    }
  }

  private func giveSign() {
    guard let seconds = notifier.watchdogSeconds, time.monotonic - lastSign >= seconds / 4 else { return }
    lastSign = time.monotonic
    notifier.tell("WATCHDOG=1")
  }

  // MARK: - Recipes

  private func scan() async throws {
    let now = time.now
    let before = Set(shelf.recipes.map(\.path))
    let changed = shelf.update(session.project, at: now, monotonic: time.monotonic)
    if !changed.isEmpty || !isReady {
      disabled = try await store.disabledRecipes()
      try await adopt(at: now)
      for recipe in shelf.recipes where isReady && (changed.contains(recipe.path) || !before.contains(recipe.path)) {
        tell(.loaded(path: recipe.path, name: recipe.plan.name))
      }
    }
    try await noteDisabled(at: now)
    let problems = shelf.problems
    if problems != told {
      for problem in problems where !told.contains(problem) { tell(.problem(path: problem.path, problem.message)) }
      told = problems
    }
    if record.problems != problems || record.recipes != shelf.recipes.count {
      (record.problems, record.recipes) = (problems, shelf.recipes.count)
      lastBeat = -.infinity
    }
  }

  /// Takes over which recipes are switched off, wherever that is looked up: their mailboxes are watched no longer.
  private func noteDisabled(at now: Timestamp) async throws {
    let current = try await store.disabledRecipes()
    guard current != disabled else { return }
    disabled = current
    try await adopt(at: now)
  }

  /// Takes over which schedules and triggers there are.
  private func adopt(at now: Timestamp) async throws {
    var wanted: [(served: ServedRecipe.ServedSchedule, recipe: ServedRecipe)] = []
    for recipe in shelf.recipes { wanted += recipe.schedules.map { ($0, recipe) } }
    let known = schedules
    let records = try await store.begin(
      wanted.map { served, recipe in
        ScheduleRecord(source: served.source, recipe: recipe.plan.name, digest: served.digest, cursor: now)
      })
    schedules = [:]
    for ((served, recipe), record) in zip(wanted, records) {
      let before = known[served.source]
      let isSame = before?.driver.record == record && before?.digest == served.digest
      schedules[served.source] = Kept(
        digest: served.digest, path: recipe.path,
        driver: ScheduleDriver(record, served.machine, served.schedule.firingOverlap),
        wake: isSame ? before?.wake : now)
    }
    try await adoptMails()
  }

  private func adoptMails() async throws {
    var wanted: [ServedRecipe.ServedMail: ServedRecipe] = [:]
    for recipe in shelf.recipes where !disabled.contains(recipe.path) {
      for mail in recipe.mails { wanted[mail] = recipe }
    }
    for (mail, watcher) in watchers where wanted[mail] == nil {
      watcher.cancel()
      watchers[mail] = nil
    }
    for (mail, recipe) in wanted where watchers[mail] == nil {
      let watcher = MailTrigger(mail, path: recipe.path, server: self, session: session)
      watchers[mail] = Task { await watcher.watch() }
    }
    let subscriptions = Set(wanted.keys.map(\.subscription))
    for health in try await store.triggerHealth() where !subscriptions.contains(health.subscription) {
      try await store.removeTriggerHealth(of: health.subscription)
    }
  }

  /// The recipe of a file as it is now; `nil` where it is gone.
  func recipe(_ path: String) -> ServedRecipe? { shelf.recipe(path) }

  // MARK: - Schedules

  /// Decides about the points of a schedule that have come.
  private func decide(_ source: String) async throws {
    guard var kept = schedules[source], let recipe = recipe(kept.path) else { return }
    let now = time.now
    let step = try await kept.driver.decide(on: store, isHeld: disabled.contains(kept.path), at: now) {
      (point) throws(EngineError) in try start(of: recipe, point, source, at: now)
    }
    kept.wake = step.wake
    schedules[source] = kept
    if step.isGone {
      schedules[source] = nil
      lastScan = -.infinity
    }
    for problem in step.problems { tell(.problem(path: recipe.path, problem)) }
    for passed in step.passed { tell(.passed(passed, recipe: recipe.plan.name)) }
    for occurrence in step.occurrences { tell(.occurred(occurrence, recipe: recipe.plan.name)) }
  }

  private func start(
    of recipe: ServedRecipe, _ point: ScheduleMachine.Decision.Point, _ source: String, at now: Timestamp
  ) throws(EngineError) -> RunStart {
    let text = point.at.rfc3339Milliseconds
    let lead = recipe.schedules.first { $0.source == source }?.lead ?? 0
    var event: ValueMap = [
      "type": "schedule", "at": .string(point.at.adding(seconds: lead).rfc3339),
      "late_seconds": .double(max(0, now.seconds(since: point.at))),
      "caught_up": .bool(point.isCaughtUp),
    ]
    if lead > 0 { event["lead_seconds"] = .double(lead) }
    let request = RunRequest(
      id: RunID(at: point.at, of: "\(source)\n\(text)"), inputs: recipe.inputs, trigger: "schedule",
      event: .map(event))
    return try session.runner.start(of: recipe.plan, request)
  }

  // MARK: - Events

  /// Begins the run of an event, unless it has begun already.
  ///
  /// - Returns: The run; `nil` where the event has been dealt with.
  func fire(_ event: TriggerEvent, _ mail: ServedRecipe.ServedMail, of path: String) async throws -> RunID? {
    // What comes while it is switched off stays where it is until it is switched on.
    guard let recipe = recipe(path), try await !store.disabledRecipes().contains(path) else {
      throw CancellationError()
    }
    let value = try Value(json: event.event)
    let request = RunRequest(
      id: RunID(at: time.now, of: "\(mail.subscription)\n\(event.id)"), inputs: recipe.inputs, trigger: "mail",
      event: value)
    var start: RunStart
    do throws(EngineError) {
      start = try session.runner.start(of: recipe.plan, request)
    } catch {
      // It would fail the same way again and hold up all that come after it.
      tell(.problem(path: path, error.message))
      _ = try await store.fire(event: event.id, of: mail.subscription, nil)
      return nil
    }
    // A filter looks through the whole folder: two at once would do the same work.
    if recipe.plan.kind == "mail-filter", start.group == nil { start.group = "filter \(path)" }
    guard try await store.fire(event: event.id, of: mail.subscription, start) else { return nil }
    tell(.triggered(start.run, recipe: recipe.plan.name))
    return start.run
  }

  /// Tells that a trigger does not listen.
  func fails(_ mail: ServedRecipe.ServedMail, of path: String, _ reason: LocalizedText) {
    tell(.triggerFails(recipe: recipe(path)?.plan.name ?? path, provider: mail.provider, reason))
  }
}
