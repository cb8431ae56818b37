import Engine
import Expressions
import Foundation
import Localization
import Network
import PluginHost
import Recipes
import RunStore

/// Starts recipes by their triggers: keeps schedules, listens for events, looks for changes of recipes.
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
  static let memory = 90.0 * 86_400
  /// Seconds for which the names of events are known that have been dealt with.
  private static let eventMemory = 30.0 * 86_400

  let session: Session
  let store: RunStore
  let time = SystemTime()
  private let reload: ReloadSignal
  private let notifier: ServiceNotifier
  var shelf: RecipeShelf
  var board = ScheduleBoard()
  private var watchers: [ServedTrigger: Task<Void, Never>] = [:]
  private(set) var disabled: Set<String> = []
  private var told: [ServerRecord.Problem] = []
  private var record: ServerRecord
  private var lastScan = -Double.infinity
  private var lastBeat = -Double.infinity
  private var lastSign = -Double.infinity
  private var lastCleaning = -Double.infinity
  private var isReady = false
  /// Files that have changed and are not yet taken over.
  private var pending: Set<String> = []
  private var listener: Task<HTTPListener, any Error>?
  private let desk = WebhookDesk()

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

  func tell(_ event: WorkspaceEvent.ServeEvent) {
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
    if let listener = try? await listener?.value { await listener.close() }
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
    if board.nextWake.map({ $0 <= time.now }) ?? false {
      try await noteDisabled(at: time.now)
      try await fireDue()
    }
    if monotonic - lastBeat >= Self.beatInterval {
      record.beatAt = time.now
      try await store.keep(record)
      lastBeat = monotonic
    }
    if monotonic - lastCleaning >= 3600 {
      try await store.forgetOccurrences(before: time.now.adding(seconds: -Self.memory))
      try await store.forgetEvents(before: time.now.adding(seconds: -Self.eventMemory))
      if shelf.isComplete {
        try await store.forgetSubscriptions(
          except: Set(shelf.recipes.flatMap(\.triggers).map(\.subscription)),
          unusedSince: time.now.adding(seconds: -Self.memory))
      }
      lastCleaning = monotonic
    }
    if !isReady {
      isReady = true
      tell(.begins(recipes: shelf.recipes.count, schedules: board.count, triggers: watchers.count))
      notifier.tell("READY=1\nSTATUS=\(shelf.recipes.count) recipes, \(board.count) schedules")
    }
    return min(
      Self.longestSleep, max(0.001, board.nextWake?.seconds(since: time.now) ?? Self.longestSleep))
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

  func giveSign() {
    guard let seconds = notifier.watchdogSeconds, time.monotonic - lastSign >= seconds / 4 else { return }
    lastSign = time.monotonic
    notifier.tell("WATCHDOG=1")
  }

  /// Looks at the recipes again at the next turn.
  func lookSoon() { lastScan = -.infinity }

  // MARK: - Recipes

  private func scan() async throws {
    let now = time.now
    // The shelf tells a change once, and what follows may fail.
    pending.formUnion(shelf.update(session.project, at: now, monotonic: time.monotonic))
    try await restore(at: now)
    if !pending.isEmpty || !isReady {
      disabled = try await store.disabledRecipes()
      try await adopt(at: now)
      try await keepGood(pending)
      for recipe in shelf.recipes where isReady && pending.contains(recipe.path) {
        tell(.loaded(path: recipe.path, name: recipe.plan.name))
      }
      pending = []
    }
    try await noteDisabled(at: now)
    let problems = shelf.problems + openAddressProblem
    if problems != told {
      for problem in problems where !told.contains(problem) { tell(.problem(path: problem.path, problem.message)) }
      told = problems
    }
    if record.problems != problems || record.recipes != shelf.recipes.count {
      (record.problems, record.recipes) = (problems, shelf.recipes.count)
      lastBeat = -.infinity
    }
  }

  /// A warning where other machines reach the webhooks.
  private var openAddressProblem: [ServerRecord.Problem] {
    let address = session.project.configuration.listen
    guard !address.isLoopback, watchers.keys.contains(where: { $0.webhook != nil }) else { return [] }
    return [
      .init(
        path: "listen",
        message: .init(
          "\(address) is open to other machines, without TLS", de: "\(address) ist für andere Rechner offen, ohne TLS"))
    ]
  }

  /// Takes the last good versions of recipes over whose files were wrong when this process began.
  private func restore(at now: Timestamp) async throws {
    for path in shelf.pathsWithoutRecipe {
      let kept = try await store.servedRecipe(path)
      if shelf.restore(path, kept, session.project, at: now) { pending.insert(path) }
    }
  }

  /// Keeps the good versions of recipes that have changed.
  private func keepGood(_ changed: Set<String>) async throws {
    let good = shelf.recipes.filter { recipe in
      changed.contains(recipe.path) && recipe.isTriggered && !recipe.isOutdated
    }
    try await store.keepServedRecipes(
      good.compactMap { recipe in recipe.plan.source.map { (recipe.path, $0, recipe.plan.recipes) } })
    if shelf.isComplete { try await store.forgetServedRecipes(except: Set(shelf.paths)) }
  }

  /// Takes over which recipes are switched off, wherever that is looked up: they are listened for no longer.
  private func noteDisabled(at now: Timestamp) async throws {
    let current = try await store.disabledRecipes()
    guard current != disabled else { return }
    disabled = current
    try await adoptTriggers()
  }

  /// Takes over which schedules and triggers there are.
  private func adopt(at now: Timestamp) async throws {
    try await adoptSchedules(at: now)
    try await adoptTriggers()
  }

  private func adoptTriggers() async throws {
    var wanted: Set<ServedTrigger> = []
    for recipe in shelf.recipes where !disabled.contains(recipe.path) { wanted.formUnion(recipe.activeTriggers) }
    desk.expect(Set(wanted.compactMap(\.webhook)))
    let ended = watchers.filter { !wanted.contains($0.key) }
    for (trigger, watcher) in ended {
      watcher.cancel()
      watchers[trigger] = nil
    }
    for trigger in wanted where watchers[trigger] == nil {
      let (server, session) = (self, session)
      let before = ended.filter { $0.key.isReplaced(by: trigger) }.values
      // Not on the actor: what watches may look through whole folders.
      watchers[trigger] = Task.detached {
        for watcher in before { await watcher.value }
        await TriggerWatch(trigger, server: server, session: session).watch()
      }
    }
    let subscriptions = Set(wanted.map(\.subscription))
    for health in try await store.triggerHealth() where !subscriptions.contains(health.subscription) {
      try await store.removeTriggerHealth(of: health.subscription)
    }
  }

  /// The recipe of a file as it is now; `nil` where it is gone.
  func recipe(_ path: String) -> ServedRecipe? { shelf.recipe(path) }

  // MARK: - Events

  /// Listens for requests, where that has not begun.
  func openDesk() async throws -> WebhookDesk {
    let address = session.project.configuration.listen
    let opening =
      listener ?? Task { [desk] in try await HTTPListener.start(host: address.host, port: address.port, desk) }
    listener = opening
    do {
      _ = try await opening.value
      return desk
    } catch {
      if listener == opening { listener = nil }
      throw error
    }
  }

  /// Begins the run of an event, unless it has begun already: event and run are one transaction.
  ///
  /// - Throws: `CancellationError` where the recipe is switched off or gone: the event stays where it is.
  func fire(_ id: String, _ event: Value, _ trigger: ServedTrigger) async throws -> EventOutcome {
    guard let recipe = recipe(trigger.path), let written = recipe.trigger(trigger.subscription),
      try await !store.disabledRecipes().contains(trigger.path)
    else { throw CancellationError() }
    var begun: RunStart?
    do throws(EngineError) {
      if let inputs = try recipe.plan.inputs(of: written, event: event, at: time.now) {
        let request = RunRequest(
          id: RunID(at: time.now, of: "\(trigger.subscription)\n\(id)"), inputs: inputs, trigger: trigger.word,
          event: event)
        begun = try session.runner.start(of: recipe.plan, request)
      }
    } catch {
      // It would fail the same way again and hold up all that come after it.
      tell(.problem(path: trigger.path, error.message))
      _ = try await store.fire(event: id, of: trigger.subscription, nil)
      return .unusable(error.message)
    }
    guard var start = begun else {
      return try await store.fire(event: id, of: trigger.subscription, nil) ? .leftOut : .known
    }
    // Runs of a filter work on one folder.
    if recipe.plan.kind == "mail-filter", start.group == nil { start.group = "filter \(trigger.path)" }
    guard try await store.fire(event: id, of: trigger.subscription, start) else { return .known }
    tell(.triggered(start.run, recipe: recipe.plan.name, by: trigger.word))
    return .began(start.run)
  }

  /// Tells that a trigger does not listen.
  func fails(_ trigger: ServedTrigger, _ reason: LocalizedText) {
    tell(.triggerFails(recipe: recipe(trigger.path)?.plan.name ?? trigger.path, provider: trigger.place, reason))
  }
}
