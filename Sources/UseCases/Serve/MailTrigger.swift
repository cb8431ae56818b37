import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import RunStore
import Synchronization

/// Watches a mailbox for a recipe: each message that comes begins a run.
struct MailTrigger {
  /// Seconds after which a subscription that has not failed counts as one that listens.
  private static let settling = 3.0
  /// Seconds between two notes of how the subscription fares.
  private static let noteInterval = 30.0
  /// Seconds after which trouble counts as over where no more of it is told: longer than the longest pause before the
  /// plugin's subscription is started again.
  private static let troubleMemory = 320.0

  private let mail: ServedRecipe.ServedMail
  private let path: String
  private let server: RecipeServer
  private let session: Session
  private let health: HealthNotes
  private let time = SystemTime()

  init(_ mail: ServedRecipe.ServedMail, path: String, server: RecipeServer, session: Session) {
    self.mail = mail
    self.path = path
    self.server = server
    self.session = session
    health = HealthNotes()
  }

  /// Watches until the surrounding task is cancelled; what fails is tried again after pauses that grow.
  func watch() async {
    var health = TriggerHealth(
      subscription: mail.subscription, recipe: await server.recipe(path)?.plan.name ?? path, path: path,
      trigger: "mail.new", provider: mail.provider)
    if let known = try? await session.store.triggerHealth().first(where: { $0.subscription == mail.subscription }) {
      (health.eventAt, health.events, health.reconnects) = (known.eventAt, known.events, known.reconnects)
    }
    self.health.set(health)
    let notes = Task { await note() }
    var pause = 1.0
    while !Task.isCancelled {
      let begin = time.monotonic
      do {
        try await listen()
      } catch is CancellationError {
        // The recipe is gone or switched off; nothing is wrong with the mailbox.
      } catch {
        if Task.isCancelled { break }
        let reason = UseCaseError(error).message
        self.health.fail(reason, at: time.monotonic)
        await server.fails(mail, of: path, reason)
      }
      if time.monotonic - begin > 60 { pause = 1 }
      try? await time.sleep(seconds: pause)
      pause = min(300, pause * 2)
    }
    notes.cancel()
    await notes.value
  }

  private func listen() async throws {
    let opened = try await session.project.host.pluginProvider(named: mail.provider)
    let subscription = try opened.subscription(
      to: "mail.new", settings: ["folder": .string(mail.folder)], as: mail.subscription, store: session.store,
      reporter: TriggerReporter { [health, server, mail, path, time] message in
        let reason = LocalizedText(verbatim: message)
        health.fail(reason, at: time.monotonic)
        Task { await server.fails(mail, of: path, reason) }
      })
    for try await event in subscription {
      let begin = time.monotonic
      _ = try await server.fire(event, mail, of: path)
      health.take(at: time.now, lag: time.monotonic - begin)
      try await session.store.keep(health.value(at: time.now, monotonic: time.monotonic, Self.troubleMemory))
    }
  }

  /// Writes down from time to time how the subscription fares.
  private func note() async {
    try? await time.sleep(seconds: Self.settling)
    while !Task.isCancelled {
      let health = health.value(at: time.now, monotonic: time.monotonic, Self.troubleMemory)
      _ = try? await session.store.keep(health)
      try? await time.sleep(seconds: Self.noteInterval)
    }
  }
}

/// How a subscription fares, as several tasks know it.
private final class HealthNotes: Sendable {
  private struct State {
    var health = TriggerHealth(subscription: "", recipe: "", path: "", trigger: "", provider: "")
    var failedAt = -Double.infinity
  }

  private let state = Mutex(State())

  func set(_ health: TriggerHealth) { state.withLock { $0.health = health } }

  func fail(_ reason: LocalizedText, at monotonic: Double) {
    state.withLock { state in
      state.health.trouble = reason
      state.health.reconnects += 1
      state.failedAt = monotonic
    }
  }

  func take(at now: Timestamp, lag: Double) {
    state.withLock { state in
      state.health.events += 1
      state.health.eventAt = now
      state.health.lag = lag
      state.health.trouble = nil
    }
  }

  func value(at now: Timestamp, monotonic: Double, _ memory: Double) -> TriggerHealth {
    state.withLock { state in
      if monotonic - state.failedAt > memory { state.health.trouble = nil }
      if state.health.trouble == nil { state.health.aliveAt = now }
      return state.health
    }
  }
}

/// Passes on why a subscription was started again.
private struct TriggerReporter: ActionReporter {
  let tell: @Sendable (String) -> Void

  func log(_ level: LogLevel, _ message: String) {
    if level >= .warning { tell(message) }
  }
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}
