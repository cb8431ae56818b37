import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import RunStore

/// What commands that work on runs have in common: the project, the run log, and a runner over both.
struct RunDesk {
  let project: Project
  let store: RunStore
  let runner: Runner

  /// Opens the run log and makes a runner; see ``close()``.
  init(_ project: Project, database: String) async throws(CommandError) {
    self.project = project
    do throws(RunStoreError) {
      store = try RunStore(path: database, time: SystemTime())
    } catch {
      await project.host.shutdown()
      throw CommandError(error)
    }
    await project.use(store)
    var options = Runner.Options()
    options.queue = store
    options.answers = store
    options.cache = store
    let breaker = project.configuration.engine.breaker
    // Breakers that cannot be read are as good as closed ones.
    options.breakers = BreakerBoard(
      (try? await store.breakers()) ?? [],
      policy: Breaker.Policy(failures: breaker.failures, openSeconds: breaker.openSeconds))
    runner = Runner(recorder: store, providers: project.host, time: SystemTime(), options: options)
  }

  /// Ends what providers still do; the run log stays open until ``RunStore/close()``.
  func endProviders() async { await project.host.shutdown() }

  /// Works with a runner until done or interrupted, with errors as commands tell them.
  func working<Answer: Sendable>(
    _ body: @escaping @Sendable (Runner) async throws -> Answer
  ) async throws -> Answer {
    let runner = runner
    do {
      return try await Interruption.untilInterrupted {
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
    _ global: GlobalOptions, _ body: (RunDesk) async throws -> Answer
  ) async throws -> Answer {
    let workspace = try Workspace(global)
    let desk = try await RunDesk(try Project(workspace), database: workspace.database)
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
struct ProjectPlans: PlanSource {
  let project: Project

  func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
    let planning =
      if let text = start.source { project.planning(SourceText(path: start.path, text: text)) } else {
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
