import Engine
import Expressions
import Foundation
import Glibc
import Localization
import Plans
import PluginHost
import RecipeModel
import RunStore
import UseCases

/// Starts recipes by their triggers: keeps schedules, listens for events, looks for changes of recipes.
///
/// What it knows is a copy: the run log decides, in the transaction that begins a run.
actor RecipeServer {
  /// Seconds between two looks at what has been switched off, and at the files of recipes where nothing tells of changes.
  private static let scanInterval = 2.0
  /// Seconds between two looks at the files where the kernel tells of changes: it does not tell of all, as behind links.
  private static let watchedInterval = 10.0
  /// How much longer than a look at the files takes it is until the next one, and until one that is needed.
  private static let (scanShare, urgentShare) = (250.0, 10.0)
  /// Bytes of recipes that are planned before their schedules are written down.
  private static let portion = 1 << 20
  /// Seconds between two signs of life.
  private static let beatInterval = 10.0
  /// Seconds to sleep at most: how late a clock that was set is noticed.
  private static let longestSleep = 1.0
  /// The same while a report of readiness waits for the first looks of triggers.
  private static let sleepBeforeReport = 0.05
  /// Seconds for which the names of events are known that have been dealt with.
  private static let eventMemory = 30.0 * 86_400

  let session: Session
  let store: RunStore
  let time = SystemTime()
  private let reload: ReloadSignal
  private let notifier: ServiceNotifier
  var servedRecipes: ServedRecipes
  var dueQueue = DueQueue()
  private(set) var watchers: [ServedTrigger: Task<Void, Never>] = [:]
  private(set) var disabled: Set<String> = []
  private var told: [ServerRecord.Problem] = []
  /// What the daemon refuses to do because the folder is not trusted; a grant is read when the daemon starts.
  private let trustProblem: [ServerRecord.Problem]
  /// Why the last sync of recipes has failed; `nil` if it has not.
  private var syncProblem: LocalizedText?
  /// The ids of other processes that were reported.
  private var toldOthers: Set<String> = []
  private var record: ServerRecord
  private var clock = ClockStepDetector()
  private var lastScan = -Double.infinity
  /// Seconds that a look at the files takes.
  private var scanCost = 0.0
  /// Tells of changes of the folders that it names.
  private var folderWatcher: (folders: [String], watcher: FolderWatcher)?
  /// Whether files may have changed since the last look.
  private var mayHaveChanged = false
  private var lastNote = -Double.infinity
  private var lastBeat = -Double.infinity
  private var lastSign = -Double.infinity
  private var lastCleaning = -Double.infinity
  private(set) var isReady = false
  private var looks = FirstLooks()
  /// Files that have changed and are not yet taken over.
  private var pending: Set<String> = []
  /// The paths that renamed files had before, as long as the run log does not know of it.
  var formers: [String: String] = [:]
  private let front: any HTTPFront
  private var listener: Task<any OpenFront, any Error>?
  private let router = WebhookRouter()
  private let changes = RunLogChanges()
  private var pump: Task<Void, Never>?

  init(_ session: Session, reload: ReloadSignal, front: any HTTPFront) {
    self.session = session
    self.front = front
    self.reload = reload
    trustProblem = Self.trustProblem(session.project)
    store = session.store
    servedRecipes = ServedRecipes(of: session.project)
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
    let opening = session.project.configuration.server == nil ? nil : Task { await self.keepOpening() }
    defer { opening?.cancel() }
    var trouble: (since: Double, pause: Double)?
    var hasToldTrouble = false
    while !Task.isCancelled, !session.drain.isSet {
      var pause: Double
      do {
        pause = try await turn()
        if let failing = trouble {
          if hasToldTrouble {
            session.project.workspace.surroundings.events(.work(.logWorks(after: time.monotonic - failing.since)))
          }
          (trouble, hasToldTrouble) = (nil, false)
        }
      } catch {
        if (error as? any QueueError)?.fault == .lasting { throw error }
        // The worker reports its own failures.
        let isShared = (error as? any QueueError)?.fault == .passing
        if trouble == nil, !isShared {
          session.project.workspace.surroundings.events(.work(.logFails(UseCaseError(error))))
        }
        hasToldTrouble = hasToldTrouble || !isShared
        pause = min(30, (trouble?.pause ?? 0.5) * 2)
        trouble = (trouble?.since ?? time.monotonic, pause)
      }
      giveSign()
      await rest(pause)
    }
    notifier.tell(
      reload.isSet ? "RELOADING=1\nMONOTONIC_USEC=\(UInt64(time.monotonic * 1_000_000))" : "STOPPING=1")
    for watcher in watchers.values { watcher.cancel() }
    for watcher in watchers.values { await watcher.value }
    // Not before: one that was about to listen may have begun it.
    pump?.cancel()
    await pump?.value
    if let listener = try? await listener?.value { await listener.close() }
    let (store, id) = (store, record.id)
    _ = await uncancelled { try? await store.removeServer(id) }
  }

  /// Does what is due.
  ///
  /// - Returns: Seconds until something may be due again.
  private func turn() async throws -> Double {
    let monotonic = time.monotonic
    if clock.hasSteppedBack(at: time.now), isReady {
      // What was decided while the clock was ahead is decided again by the time that it shows now.
      try await fillDueQueue(at: time.now)
      clock.acknowledge()
    }
    if isTimeToScan(monotonic) {
      mayHaveChanged = false
      try await scan()
      lastScan = time.monotonic
    } else if monotonic - lastNote >= Self.scanInterval {
      try await noteDisabled(at: time.now)
    }
    let isAhead = wakeAhead()
    if dueQueue.nextWake.map({ $0 <= time.now }) ?? false {
      try await noteDisabled(at: time.now)
      try await fireDue()
    } else if isAhead, let path = servedRecipes.checkSleeper(session.project, at: time.now, monotonic: monotonic) {
      readAgain([path])
    }
    servedRecipes.letSleep(at: monotonic)
    if monotonic - lastBeat >= Self.beatInterval {
      record.beatAt = time.now
      try await store.keep(record)
      lastBeat = monotonic
    }
    if monotonic - lastCleaning >= 3600 {
      try await store.forgetOccurrences(before: time.now.adding(seconds: -Session.occurrenceMemory))
      try await store.forgetEvents(before: time.now.adding(seconds: -Self.eventMemory))
      try await forgetJourneys()
      if servedRecipes.isComplete {
        try await store.forgetSubscriptions(
          except: Set(servedRecipes.recipes.flatMap(\.triggers).map(\.subscription)),
          unusedSince: time.now.adding(seconds: -Session.occurrenceMemory))
      }
      lastCleaning = monotonic
    }
    if !isReady {
      isReady = true
      looks.wait(.start, at: monotonic)
    }
    reportReadiness()
    guard isAhead, lastScan > 0 else { return 0.001 }
    let longest = looks.isWaiting ? Self.sleepBeforeReport : Self.longestSleep
    return min(longest, max(0.001, dueQueue.nextWake?.seconds(since: time.now) ?? longest))
  }

  /// Reports what is served, once its triggers have made their first look.
  private func reportReadiness() {
    for (report, unwatched) in looks.takeDue(watchers.keys, at: time.monotonic) {
      let names = unwatched.map { "\(recipe($0.path)?.plan.name ?? $0.path) (\($0.name) \($0.place))" }.sorted()
      switch report {
      case .start:
        tell(
          .begins(recipes: servedRecipes.count, schedules: dueQueue.count, triggers: watchers.count, unwatched: names))
        let missing = names.isEmpty ? "" : ", not watching yet: \(names.joined(separator: ", "))"
        notifier.tell("READY=1\nSTATUS=\(servedRecipes.count) recipes, \(dueQueue.count) schedules" + missing)
      case .file(let path):
        guard let recipe = servedRecipes.recipe(path), !recipe.isOutdated else { continue }
        tell(.loaded(path: path, name: recipe.plan.name, unwatched: names))
      }
    }
  }

  /// Sleeps; wakes up for the wish to end.
  private func rest(_ seconds: Double) async {
    await session.drain.interrupt { [time] in try? await time.sleep(seconds: seconds) }
  }

  /// Whether its last sign of life is in the run log.
  var isWell: Bool { time.monotonic - lastBeat < ServerRecord.patience }

  func giveSign() {
    guard let seconds = notifier.watchdogSeconds, time.monotonic - lastSign >= seconds / 4 else { return }
    lastSign = time.monotonic
    notifier.tell("WATCHDOG=1")
  }

  /// Looks at the recipes again at the next turn.
  func lookSoon() { lastScan = -.infinity }

  /// Takes a recipe over anew at the next turn.
  func readAgain(_ paths: some Sequence<String>) {
    pending.formUnion(paths)
    lookSoon()
  }

  // MARK: - Recipes

  /// Whether the files are to be looked at: soon after the kernel tells of a change, else from time to time.
  private func isTimeToScan(_ monotonic: Double) -> Bool {
    let since = monotonic - lastScan
    if let folderWatcher { mayHaveChanged = !folderWatcher.watcher.changes().allSatisfy(\.isWriting) || mayHaveChanged }
    if mayHaveChanged, since >= Self.urgentShare * scanCost { return true }
    let isMissing = servedRecipes.missing.contains { access($0, F_OK) == 0 }
    let pause = folderWatcher == nil || isMissing ? Self.scanInterval : Self.watchedInterval
    return since >= max(pause, Self.scanShare * scanCost)
  }

  private func scan() async throws {
    let now = time.now
    if !isReady { try await forgetGone() }
    let known = isReady ? [] : try await store.servedFiles()
    watchFolders()
    let (gone, wanted) = look(known)
    if !isReady { try await notePredecessors(known) }
    // A change is reported once, and what follows may fail.
    pending.formUnion(gone)
    var rest = wanted[...]
    repeat {
      pending.formUnion(servedRecipes.plan(takePortion(of: &rest), session.project, at: now, monotonic: time.monotonic))
      try await adoptPending(at: now)
      servedRecipes.letSleep(at: time.monotonic)
      giveSign()
    } while !rest.isEmpty && !session.drain.isSet
    if !isReady, !session.drain.isSet { try await adoptKnown(known, at: now) }
    try await noteDisabled(at: now)
    noteProblems()
  }

  /// Notes which files were served before this process began and are gone: one of the new ones may be such a file.
  private func notePredecessors(_ known: [ServedFile]) async throws {
    var gone = known.filter { !servedRecipes.contains($0.path) }.map { (path: $0.path, stamp: $0.stamp, name: $0.name) }
    let restless = try await store.restlessFiles().filter { !servedRecipes.contains($0) && access($0, F_OK) != 0 }
    let names = try await store.recipeNames(of: restless)
    gone += restless.map { (path: $0, stamp: 0, name: names[$0] ?? "") }
    servedRecipes.notePredecessors(gone, at: time.monotonic)
  }

  /// Ends what listens for the triggers of a file.
  func stopListening(to path: String) async {
    for (trigger, watcher) in watchers where trigger.path == path {
      watcher.cancel()
      await watcher.value
      watchers[trigger] = nil
      looks.forget(trigger)
    }
  }

  /// Tells of processes that ended without a word, once.
  private func forgetGone() async throws {
    for server in try await store.servers() where server.isGone {
      tell(.foundGone(server))
      try await store.removeServer(server.id)
    }
    for server in try await others() where toldOthers.insert(server.id).inserted { tell(.servesBeside(server)) }
  }

  /// The other processes that serve this project now. A process that reads its configuration anew is not one of them.
  private func others() async throws -> [ServerRecord] {
    let now = time.now
    return try await store.servers().filter {
      $0.isAlive(at: now) && !($0.pid == record.pid && $0.host == record.host)
    }
  }

  /// Looks which files there are. Few that sleep are planned all the same, so that what is wrong with them is told.
  private func look(_ known: [ServedFile]) -> (gone: Set<String>, wanted: [ServedRecipes.Wanted]) {
    let areFew =
      known.count <= ServedRecipes.awake.recipes
      && known.reduce(0) { $0 + $1.schedules } <= ServedRecipes.awake.schedules
    let began = time.monotonic
    let found = servedRecipes.look(at: began, known: areFew ? [] : known)
    scanCost = time.monotonic - began
    return found
  }

  /// Lets the kernel tell of changes.
  private func watchFolders() {
    if folderWatcher == nil, lastScan > 0, !servedRecipes.lookedFolders.isEmpty {
      folderWatcher = (try? FolderWatcher(servedRecipes.lookedFolders)).map { (servedRecipes.lookedFolders, $0) }
    } else if let known = folderWatcher, known.folders != servedRecipes.lookedFolders {
      folderWatcher = nil
    }
  }

  private func takePortion(of rest: inout ArraySlice<ServedRecipes.Wanted>) -> [ServedRecipes.Wanted] {
    var size = 0
    let portion = Array(
      rest.prefix { file in
        defer { size += 2048 + file.size }
        return size < Self.portion
      })
    rest = rest.dropFirst(portion.count)
    return portion
  }

  /// Takes over what has changed.
  private func adoptPending(at now: Timestamp) async throws {
    try await restore(at: now)
    _ = servedRecipes.wakeUp(
      pending.filter(servedRecipes.isAsleep), session.project, at: now, monotonic: time.monotonic)
    // One that still sleeps has changed since the look.
    let changed = pending.filter { !servedRecipes.isAsleep($0) }
    guard !changed.isEmpty else { return }
    try await adoptSchedules(of: changed, at: now)
    disabled = try await store.disabledRecipes()
    try await keepGood(changed)
    if isReady { try await adoptTriggers() }
    for path in changed.sorted() where isReady {
      // Of one whose file is wrong the last good version stays: only what is wrong is told.
      guard let recipe = servedRecipes.recipe(path), !recipe.isOutdated else { continue }
      looks.wait(.file(path), at: time.monotonic)
    }
    pending.subtract(changed)
  }

  /// Notes how the last sync of recipes has ended; the status shows a failure.
  func noteSync(_ problem: LocalizedText?) {
    syncProblem = problem
    lookSoon()
  }

  private func noteProblems() {
    let sync = syncProblem.map { [ServerRecord.Problem(path: "recipes.sync", message: $0)] } ?? []
    let problems = servedRecipes.problems() + openAddressProblem + trustProblem + sync
    if problems != told {
      for problem in problems where !told.contains(problem) { tell(.problem(path: problem.path, problem.message)) }
      told = problems
    }
    if record.problems != problems || record.recipes != servedRecipes.count {
      (record.problems, record.recipes) = (problems, servedRecipes.count)
      lastBeat = -.infinity
    }
  }

  /// Takes over what the run log knows, once all files are known.
  private func adoptKnown(_ known: [ServedFile], at now: Timestamp) async throws {
    disabled = try await store.disabledRecipes()
    try await fillDueQueue(at: now)
    try await adoptTriggers()
    guard servedRecipes.isComplete else { return }
    let gone = known.map(\.path).filter { !servedRecipes.contains($0) }
    try await store.forgetServed(gone + store.restlessFiles().filter { !servedRecipes.contains($0) })
  }

  /// A warning if runs will be refused what the configuration says.
  private static func trustProblem(_ project: Project) -> [ServerRecord.Problem] {
    guard let path = project.configuration.path, project.trust.lacksTrust(project.manifests) else { return [] }
    return [
      .init(
        path: path,
        message: .init(
          "not trusted, so runs get none of what needs trust: run 'sous trust' as the user of the daemon, then start the "
            + "daemon again",
          de:
            "nicht vertraut, daher bekommen Läufe nichts, was Vertrauen braucht: 'sous trust' als Benutzer des Dienstes "
            + "ausführen, dann den Dienst neu starten"))
    ]
  }

  /// A warning where other machines reach the webhooks, and one of folders that are not served without trust.
  private var openAddressProblem: [ServerRecord.Problem] {
    let address = session.project.configuration.listen
    if let refusal = session.project.trust.recipeFoldersRefusal {
      return [.init(path: "recipes", message: refusal)]
    }
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
    for path in servedRecipes.pathsWithoutRecipe {
      let kept = try await store.servedRecipe(path)
      if servedRecipes.restore(path, kept, session.project, at: now) { pending.insert(path) }
    }
  }

  /// Keeps the good versions of recipes that have changed, and notes which files need not be read.
  private func keepGood(_ changed: Set<String>) async throws {
    let good = changed.compactMap(servedRecipes.recipe).filter { $0.isTriggered && !$0.isOutdated }
    try await store.keepServedRecipes(
      good.compactMap { recipe in recipe.plan.source.map { (recipe.path, $0, recipe.plan.recipes) } })
    try await keepVersions(changed)
    let sleepers = changed.compactMap(servedRecipes.sleeper)
    try await store.keep(sleepers, others: Array(changed.subtracting(sleepers.map(\.path))))
    if servedRecipes.isComplete { try await store.forgetServed(changed.filter { !servedRecipes.contains($0) }) }
  }

  /// Keeps the texts that are served from now on as versions, unless their writers have done it.
  private func keepVersions(_ changed: Set<String>) async throws {
    let drafts = changed.sorted().compactMap { path -> RecipeVersionDraft? in
      guard let recipe = servedRecipes.recipe(path), !recipe.isOutdated, let text = recipe.plan.source else {
        return nil
      }
      return RecipeVersionDraft(path: path, recipe: recipe.plan.name, text: text, .file)
    }
    try await store.keepRecipeVersions(drafts, most: session.project.versionCount)
  }

  /// Takes over which recipes are switched off, wherever that is looked up: they are listened for no longer.
  private func noteDisabled(at now: Timestamp) async throws {
    let current = try await store.disabledRecipes()
    lastNote = time.monotonic
    guard current != disabled else { return }
    disabled = current
    try await adoptTriggers()
  }

  private func adoptTriggers() async throws {
    var wanted: Set<ServedTrigger> = []
    for recipe in servedRecipes.recipes where !disabled.contains(recipe.path) {
      wanted.formUnion(recipe.activeTriggers)
    }
    router.expect(Set(wanted.compactMap(\.webhook)))
    let ended = watchers.filter { !wanted.contains($0.key) }
    for (trigger, watcher) in ended {
      watcher.cancel()
      watchers[trigger] = nil
      looks.forget(trigger)
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
  func recipe(_ path: String) -> ServedRecipe? { servedRecipes.recipe(path) }

  // MARK: - Events

  /// Tells when the run log may have been written to. Nobody watches it where no trigger asks.
  func runLogBeats() -> AsyncStream<Void> {
    watchRunLog()
    return changes.beats()
  }

  private func watchRunLog() {
    pump = pump ?? Task.detached { [changes, store] in await changes.beat(with: QueueWatch(store)) }
  }

  /// Seconds between two attempts to listen at an address that another process has.
  private static let openingInterval = 5.0

  /// Listens for requests to the server; tries again while the address cannot be used.
  private func keepOpening() async {
    watchRunLog()
    var hasFailed = false
    while !Task.isCancelled, !session.drain.isSet {
      do {
        _ = try await openRouter()
        return tell(.listens(at: "\(session.project.configuration.listen)"))
      } catch {
        if !hasFailed { tell(.serverFails(await unopened(UseCaseError(error).message))) }
        hasFailed = true
        await rest(Self.openingInterval)
      }
    }
  }

  /// Why nothing listens at the address, and what the daemon does meanwhile.
  private func unopened(_ reason: LocalizedText) async -> LocalizedText {
    let other = (try? await others())?.first
    let owner = other.map {
      LocalizedText(
        " (process \($0.pid) on \($0.host) serves this project already)",
        de: " (Prozess \($0.pid) auf \($0.host) läuft für dieses Projekt schon)")
    }
    return reason + (owner ?? LocalizedText(verbatim: ""))
      + LocalizedText(
        "; recipes and schedules go on without API, pages and webhooks, and Sous tries the address again",
        de: "; Rezepte und Zeitpläne laufen ohne API, Seiten und Webhooks weiter, und Sous versucht die Adresse erneut")
  }

  /// Listens for requests, where that has not begun.
  func openRouter() async throws -> WebhookRouter {
    try session.project.trust.checkListening()
    let opening =
      listener
      ?? Task { [front, session, router, changes] in
        try await front.open(Daemon(session: session, webhooks: router, changes: changes))
      }
    listener = opening
    do {
      _ = try await opening.value
      return router
    } catch {
      if listener == opening { listener = nil }
      throw error
    }
  }

  /// Notes that a trigger watches: events from now on begin runs.
  func watches(_ trigger: ServedTrigger) {
    if watchers[trigger] != nil { looks.note(trigger, watches: true) }
  }

  /// Tells that a trigger does not listen.
  func fails(_ trigger: ServedTrigger, _ reason: LocalizedText) {
    if watchers[trigger] != nil { looks.note(trigger, watches: false) }
    tell(.triggerFails(recipe: recipe(trigger.path)?.plan.name ?? trigger.path, provider: trigger.place, reason))
  }
}
