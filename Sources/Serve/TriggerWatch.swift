import Engine
import Expressions
import Localization
import Recipes
import RunStore
import UseCases

/// Watches for the events of one trigger of a recipe: each begins a run.
struct TriggerWatch {
  /// Seconds after which a subscription that has not failed counts as one that listens.
  private static let settling = 3.0
  /// Seconds between two notes of how the subscription fares.
  private static let noteInterval = 30.0
  /// The longest pause before it is tried again to listen.
  private static let longestPause = 300.0
  /// The longest pause before the next attempt to listen for webhooks: senders do not repeat a request for long.
  private static let longestWebhookPause = 5.0
  /// Seconds after which an unchanged reason is reported again.
  static let repeatedReport = 300.0

  let trigger: ServedTrigger
  let server: RecipeServer
  let session: Session
  let health: TriggerHealthNotes
  let time = SystemTime()

  var store: RunStore { session.store }

  /// Prepares to watch; goes on with what is known of the subscription.
  init(_ trigger: ServedTrigger, server: RecipeServer, session: Session) async {
    self.trigger = trigger
    self.server = server
    self.session = session
    var health = TriggerHealth(
      subscription: trigger.subscription, recipe: await server.recipe(trigger.path)?.plan.name ?? trigger.path,
      path: trigger.path, trigger: trigger.name, provider: trigger.place)
    let known = try? await session.store.triggerHealth().first { $0.subscription == trigger.subscription }
    if let known {
      (health.eventAt, health.events, health.reconnects) = (known.eventAt, known.events, known.reconnects)
    }
    self.health = TriggerHealthNotes(health)
  }

  /// Watches until the surrounding task is cancelled; what fails is tried again after pauses that grow.
  func watch() async {
    // Events are counted in what is written here, also those that another trigger of the folder sees first.
    try? await store.keep(health.begun)
    let notes = Task { await noteRegularly() }
    var pause = 1.0
    var longestPause = Self.longestPause
    if case .webhook = trigger.source { longestPause = Self.longestWebhookPause }
    while !Task.isCancelled {
      let begin = time.monotonic
      do {
        switch trigger.source {
        case .plugin(let provider, let name, let settings): try await listen(to: name, of: provider, settings)
        case .file(let event): try await watchFiles(event)
        case .webhook(let hook): try await takeRequests(hook)
        case .recipe(let end): try await watchRuns(end)
        }
      } catch is CancellationError {
        // The recipe is gone or switched off; nothing is wrong with what is listened to.
      } catch {
        if Task.isCancelled { break }
        await fail(UseCaseError(error).message)
      }
      if time.monotonic - begin > 60 { pause = 1 }
      try? await time.sleep(seconds: pause)
      pause = min(longestPause, pause * 2)
    }
    notes.cancel()
    await notes.value
  }

  /// Notes and reports that it watches: it has made its first look, and what happens from now on begins runs.
  func watches() async {
    health.watch()
    try? await note()
    await server.watches(trigger)
  }

  /// Notes and tells that it does not listen.
  func fail(_ reason: LocalizedText) async {
    let isNew = health.fail(reason, at: time.monotonic, reportedAgainAfter: Self.repeatedReport)
    try? await note()
    if isNew { await server.fails(trigger, reason) }
  }

  /// Begins the run of an event, and notes that.
  ///
  /// - Parameters:
  ///   - id: What names the event in the subscription.
  ///   - event: The event as the run sees it.
  ///   - arrival: When it was there, by the monotonic clock.
  @discardableResult
  func begin(_ id: String, _ event: Value, since arrival: Double) async throws -> EventOutcome {
    let outcome = try await server.fire(id, event, trigger)
    health.take(at: time.now, lag: time.monotonic - arrival)
    try await note()
    return outcome
  }

  /// Writes down how the subscription fares.
  func note() async throws {
    try await store.keep(health.value(at: time.now, monotonic: time.monotonic))
  }

  private func noteRegularly() async {
    try? await time.sleep(seconds: Self.settling)
    while !Task.isCancelled {
      try? await note()
      try? await time.sleep(seconds: Self.noteInterval)
    }
  }
}

/// What has become of an event.
enum EventOutcome: Sendable {
  /// It has begun a run.
  case began(RunID)
  /// It had been dealt with.
  case known
  /// The trigger's filter leaves it out.
  case leftOut
  /// The recipe cannot begin with it.
  case unusable(LocalizedText)
}
