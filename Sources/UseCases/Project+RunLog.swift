import Builtins
import Engine
import Expressions
import Plans
import PluginHost
import Providers
import RecipeModel
import RunStore

extension Project {
  /// The project with plugins and actions that keep their state in a run log, and the providers as steps and commands
  /// call them.
  ///
  /// - Parameters:
  ///   - store: The run log.
  ///   - breakers: The circuit breakers of the providers.
  ///   - state: The state of recipes, if it is not that of `store`.
  ///   - isTemporary: Whether its host is closed while this project goes on.
  func connected(
    to store: RunStore, _ breakers: BreakerBoard, state: (any RecipeState)? = nil, isTemporary: Bool = false
  ) -> (project: Project, providers: ProviderChain) {
    var surroundings = surroundings
    surroundings.state =
      state ?? ProviderRecipeState(store) { (run) throws(StorageFailure) in try store.isUnfinished(run) }
    surroundings.blobs = store
    surroundings.rounds = StoredRounds(store: store)
    let actions = BuiltinActions(surroundings)
    let project = keeping(in: store, actions, isTemporary: isTemporary)
    let notes = NotesProvider(
      path: workspace.notes, blobs: store, reminders: NoteReminders(project: project, store: store))
    let providers = ProviderChain(
      project.plugins, actions: actions, store: store, breakers: breakers, notes: notes,
      summaries: { SummaryMaker(project: project, store: store, providers: $0) })
    return (project, providers)
  }

  /// The circuit breakers as the run log has them.
  ///
  /// - Parameter probesAtOnce: Whether a provider whose circuit is open is tried at once.
  func breakers(_ store: RunStore, probesAtOnce: Bool) async -> BreakerBoard {
    let breaker = configuration.engine.breaker
    // Breakers that cannot be read are as good as closed ones.
    let (now, changed) = (SystemTime().now, lastChange)
    var records = (try? await store.breakers()) ?? []
    for (index, record) in records.enumerated() where record.isOpen(at: now) {
      // What was changed since then may be what was wrong.
      let isOutdated = changed.map { $0 > record.at } ?? false
      guard probesAtOnce || isOutdated else { continue }
      records[index] = record.readyToProbe(at: now)
      // Runs that wait for it go on as well, whoever works on them.
      if isOutdated { try? await store.record([.breaker(records[index])], durability: .committed) }
    }
    return BreakerBoard(
      records,
      policy: Breaker.Policy(
        failures: breaker.failures, openSeconds: breaker.openSeconds,
        maximumFactor: EngineSettings.Breaker.maximumFactor))
  }

  /// The providers that plugins carry out, without a run log.
  var plugins: NeutralisingProviders { NeutralisingProviders(host, providers) }
}
