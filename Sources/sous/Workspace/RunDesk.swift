import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import RunStore
import Synchronization

/// What commands that work on runs have in common: the project, the run log, and a runner over both.
struct RunDesk {
  let project: Project
  let store: RunStore
  let runner: Runner
  /// The circuit breakers of the providers.
  let breakers: BreakerBoard
  /// Asks to put all runs down after what they are at.
  private let drain = DrainSignal()

  /// Opens the run log and makes a runner.
  ///
  /// - Parameters:
  ///   - project: What runs are planned and carried out with.
  ///   - database: The run log's file; it stays open until ``RunStore/close()``.
  ///   - patience: Seconds to wait while another process keeps the run log locked.
  ///   - probesAtOnce: Whether a provider that is left alone is tried at once: a person has asked for it.
  init(
    _ project: Project, database: String, patience: Double = RunStore.Configuration().busyTimeout,
    probesAtOnce: Bool = false
  ) async throws(CommandError) {
    self.project = project
    do throws(RunStoreError) {
      var configuration = RunStore.Configuration()
      configuration.busyTimeout = patience
      store = try RunStore(path: database, time: SystemTime(), configuration: configuration)
    } catch {
      await project.host.shutdown()
      throw CommandError(error)
    }
    await project.use(store)
    var options = Runner.Options()
    options.queue = store
    options.answers = store
    options.cache = store
    options.resultScope = { [scopes = project.resultScopes] in scopes.scope(of: $0) }
    options.plans = ProjectPlans(project: project)
    let breaker = project.configuration.engine.breaker
    // Breakers that cannot be read are as good as closed ones.
    let (now, changed) = (SystemTime().now, project.lastChange)
    var records = (try? await store.breakers()) ?? []
    for (index, record) in records.enumerated() where record.isOpen(at: now) {
      // What was changed since then may be what was wrong.
      let isOutdated = changed.map { $0 > record.at } ?? false
      guard probesAtOnce || isOutdated else { continue }
      records[index] = record.readyToProbe(at: now)
      // Runs that wait for it go on as well, whoever works on them.
      if isOutdated { try? await store.record([.breaker(records[index])], durability: .committed) }
    }
    let board = BreakerBoard(
      records,
      policy: Breaker.Policy(
        failures: breaker.failures, openSeconds: breaker.openSeconds,
        maximumFactor: EngineSettings.Breaker.maximumFactor))
    options.breakers = board
    options.drain = drain
    breakers = board
    runner = Runner(recorder: store, providers: project.host, time: SystemTime(), options: options)
  }

  /// Ends what providers still do; the run log stays open until ``RunStore/close()``.
  func endProviders() async { await project.host.shutdown() }

  /// Works with a runner until done or interrupted, with errors as commands tell them.
  ///
  /// - Parameters:
  ///   - drains: Whether the first SIGTERM puts runs down after what they are at, rather than to interrupt them.
  ///   - body: The work.
  func working<Answer: Sendable>(
    drains: Bool = false, _ body: @escaping @Sendable (Runner) async throws -> Answer
  ) async throws -> Answer {
    let runner = runner
    do {
      return try await Interruption.untilInterrupted(draining: drains ? drain : nil) {
        try await PluginThreads.run { try await tending { try await body(runner) } }
      }
    } catch let error as EngineError {
      let status = error.code == .journal ? ExitStatus.environment : ExitStatus.wrongInput
      throw CommandError(status, (error.cause as? RunStoreError)?.message ?? error.message, code: error.code.rawValue)
    } catch let error as RunStoreError {
      throw CommandError(error)
    }
  }

  /// Does something with the run log and providers and closes both, whatever comes of it.
  static func with<Answer>(
    _ global: GlobalOptions, patience: Double = RunStore.Configuration().busyTimeout, probesAtOnce: Bool = false,
    _ body: (RunDesk) async throws -> Answer
  ) async throws -> Answer {
    let workspace = try Workspace(global)
    let desk = try await RunDesk(
      try Project(workspace), database: workspace.database, patience: patience, probesAtOnce: probesAtOnce)
    do {
      let answer = try await body(desk)
      await desk.endProviders()
      await desk.tidy()
      try await desk.store.close()
      return answer
    } catch {
      await desk.endProviders()
      try? await desk.store.close()
      if let error = error as? RunStoreError { throw CommandError(error) }
      throw error
    }
  }
}

/// Makes plans from the texts that runs keep of their recipes.
///
/// Many runs of one recipe that go on at once have one plan; it is made anew after a moment, as what it was made from
/// beside the recipe, such as prompts, may have changed.
final class ProjectPlans: PlanSource {
  /// Seconds that a plan is kept.
  private static let freshness = 2.0
  /// Plans that are kept, at most.
  private static let capacity = 64

  private let project: Project
  private let kept = Mutex<[String: (plan: Plan, at: Double)]>([:])

  init(project: Project) { self.project = project }

  func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
    guard let text = start.source else { return try make(start) }
    let now = SystemTime().monotonic
    let name = [start.path, start.fingerprint, start.recipes == nil ? "files" : "recorded", text].joined(
      separator: "\n")
    if let found = kept.withLock({ $0[name] }), now - found.at < Self.freshness { return found.plan }
    let plan = try make(start)
    kept.withLock { kept in
      if kept.count >= Self.capacity { kept = [:] }
      kept[name] = (plan, now)
    }
    return plan
  }

  private func make(_ start: RunStart) throws(ActionFailure) -> Plan {
    let planning =
      if let text = start.source {
        project.planning(SourceText(path: start.path, text: text), recipes: start.recipes)
      } else {
        project.planning(start.path)
      }
    guard !planning.hasErrors, let plan = planning.plan else {
      let problem =
        planning.diagnostics.first { $0.severity == .error }?.message
        ?? planning.providerProblems.first?.message
      throw ActionFailure(
        .notFound,
        LocalizedText(
          "the recipe '\(start.recipe)' cannot be planned: ",
          de: "das Rezept '\(start.recipe)' lässt sich nicht planen: ")
          + (problem ?? LocalizedText(verbatim: start.path)))
    }
    return plan
  }
}

extension CommandError {
  /// A run that is not in a state in which a command could work on it.
  static func runState(_ message: LocalizedText) -> CommandError {
    CommandError(ExitStatus.wrongInput, message, code: EngineError.Code.runState.rawValue)
  }
}
