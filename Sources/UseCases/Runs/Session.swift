public import Engine
public import Expressions
package import Plans
import PluginHost
package import Providers
import RecipeModel
public import RunStore

/// An open workspace: its project, its run log and the engine over both. All that can be done to runs is done here.
///
/// Several can be open in one process, of one workspace too. A task that is cancelled while it runs something interrupts
/// the run, which is resumed later.
public struct Session: Sendable {
  /// What runs are planned and carried out with.
  public let project: Project
  /// The run log.
  public let store: RunStore
  package private(set) var engine: RunEngine
  /// The providers that runs and commands call.
  package let providers: ProviderChain
  private let sealing: SealingRunQueue
  /// The options of the engine.
  package let options: RunEngine.Options
  /// The circuit breakers of the providers.
  let breakers: BreakerBoard
  /// Sends how runs go to monitoring services.
  package let pings: PingSender
  /// Asks to suspend all runs after what they are at.
  public let drain = DrainSignal()

  /// Opens the run log, which is created if it is missing, and prepares the engine.
  ///
  /// - Parameters:
  ///   - project: What runs are planned and carried out with.
  ///   - patience: Seconds to wait while another process keeps the run log locked.
  ///   - probesAtOnce: Whether a provider whose circuit is open is tried at once: a person has asked for it.
  /// - Throws: ``UseCaseError`` where the run log cannot be opened.
  public init(
    _ project: Project, patience: Double = RunStore.Configuration().busyTimeout, probesAtOnce: Bool = false
  ) async throws(UseCaseError) {
    do throws(RunStoreError) {
      var configuration = RunStore.Configuration()
      configuration.busyTimeout = patience
      store = try RunStore(path: project.workspace.database, time: SystemTime(), configuration: configuration)
    } catch {
      _ = await project.host.shutdown()
      throw UseCaseError(error)
    }
    breakers = await project.breakers(store, probesAtOnce: probesAtOnce)
    (self.project, providers) = project.connected(to: store, breakers)
    pings = PingSender(self.project.surroundings, store)
    var options = RunEngine.Options()
    options.resultScope = { [scopes = project.resultScopes] in scopes.scope(of: $0) }
    options.plans = ProjectPlans(project: project)
    options.breakers = breakers
    options.drain = drain
    options.programs = project.programs
    options.meter = providers
    self.options = options
    options.cache = SealingCache(base: store, seal: project.secrets.seal, isNeeded: project.neutralises)
    let queue = SealingRunQueue(
      base: store, seal: project.secrets.seal, plans: project.privatePlans, project.configuration)
    sealing = queue
    engine = RunEngine(queue: queue, providers: providers, time: SystemTime(), options: options)
  }

  /// The same session for the requests of a user of the server: the runs that it starts belong to this user.
  ///
  /// - Parameters:
  ///   - user: The name of the user; `nil`: none.
  ///   - trace: The trace that the traces of the runs continue.
  public func acting(for user: String?, continuing trace: TraceParent? = nil) -> Session {
    var session = self
    session.engine = engine.acting(for: user, continuing: trace)
    return session
  }

  /// The beginning of a run as the run log is to keep it: sealed where the plan is private.
  package func start(of plan: Plan, _ request: RunRequest) throws(EngineError) -> RunStart {
    try sealing.sealing(try engine.start(of: plan, request))
  }

  /// Ends what providers still do; the run log stays open.
  public func endProviders() async {
    await pings.finish()
    _ = await project.host.shutdown()
  }

  /// Ends the session: providers, some upkeep of the run log, the file.
  ///
  /// - Parameter tidies: Whether some of what retention no longer keeps is removed.
  /// - Throws: ``UseCaseError`` where what was waiting to be written could not be written.
  public func close(tidies: Bool = true) async throws(UseCaseError) {
    await endProviders()
    if tidies { await tidy() }
    try await mapErrors { try await store.close() }
  }

  /// Ends the session after something went wrong.
  public func abandon() async {
    await endProviders()
    try? await store.close()
  }

  /// Works on one run in the foreground until `work` returns. Commands that work on one run use this; `sous serve` works on
  /// many and uses the worker of the queue.
  ///
  /// Meanwhile this process renews its heartbeat, cancels the run if another process asks for it, and maintains the run log.
  ///
  /// - Parameter isResumed: Whether it has begun before, so that a monitoring service knows its beginning.
  package func execute(
    _ run: RunID, of plan: Plan, isResumed: Bool = false,
    _ work: @escaping @Sendable (RunClaimLoop) async throws -> RunResult
  ) async throws(UseCaseError) -> RunOutcome {
    project.workspace.surroundings.events(.begins(plan))
    let observer = EventObserver(run: run, events: project.workspace.surroundings.events)
    let claimLoop = RunClaimLoop(engine, observer: observer)
    let heartbeat = RunHeartbeat(queue: store, time: SystemTime(), controls: engine.controls)
    if plan.ping != nil, !isResumed { pings.begins(run, plan.name) { plan.ping } }
    let outcome = try await outcome(try await withUpkeep { try await heartbeat.during { try await work(claimLoop) } })
    if plan.ping != nil { pings.ends(run, outcome.result.status, plan.name) { plan.ping } }
    return outcome
  }

  /// Works on threads on which plugins are called in place, and maintains the run log meanwhile.
  package func withUpkeep<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await mapErrors { try await PluginThreads.run { try await withBackground(upkeep, body) } }
  }

  /// What has become of a run; read even if the task has been cancelled.
  func outcome(_ result: RunResult) async throws(UseCaseError) -> RunOutcome {
    let store = store
    return try await mapErrors {
      let summary = try await uncancelled { try await store.summary(of: result.id) }
      return RunOutcome(result: result, summary: summary, store: store)
    }
  }

  /// The plan of a recorded run.
  package func plan(of start: RunStart) async throws(UseCaseError) -> Plan {
    do {
      return try await ProjectPlans(project: project).plan(ofPart: start, in: store)
    } catch let error as ActionFailure {
      throw UseCaseError(.planUnavailable, error.message, cause: error)
    } catch {
      throw UseCaseError(error)
    }
  }
}

/// What has become of a run that was worked on.
public struct RunOutcome: Sendable {
  /// How it ended, and what it gave.
  public let result: RunResult
  /// What is recorded of it, in short.
  public let summary: RunSummary
  let store: RunStore

  /// All that is recorded of it, read also where the task has been cancelled; the session must be open.
  public func record() async throws(UseCaseError) -> RunRecord {
    let (store, result) = (store, result)
    return try await mapErrors {
      var record = try await uncancelled { try await store.run(result.id.rawValue) }
      // Whoever has run it gets what it gives; only the run log has it sealed.
      if SealedValue.isSealed(record.outputs) { record.outputs = result.outputs }
      return record
    }
  }
}

/// Passes what happens in one run on.
struct EventObserver: RunObserver {
  let run: RunID
  let events: @Sendable (WorkspaceEvent) -> Void

  func observe(_ event: RunEvent) { events(.run(run, event)) }
}

extension BreakerRecord {
  /// Whether nothing is let through.
  public func isOpen(at now: Timestamp) -> Bool { openUntil.map { $0 > now } ?? false }
}
