import Builtins
import Engine
import Expressions
import Plans
import PluginHost
import Providers
import RecipeModel
import RunStore

extension Project {
  /// Lets plugins and recipes keep state from now on.
  ///
  /// - Parameter store: Where: the run log.
  func use(_ store: RunStore, _ breakers: BreakerBoard) async -> ProviderChain {
    await host.use(store)
    surroundings.use(ProviderRecipeState(store) { (run) throws(StorageFailure) in try store.isUnfinished(run) })
    surroundings.use(blobs: store)
    surroundings.use(rounds: StoredRounds(store: store))
    let chain = chain(over: store, breakers)
    metered.fill(chain)
    surroundings.use(summaries: SummaryMaker(project: self, store: store, providers: chain))
    return chain
  }

  /// The providers as steps call them, over a run log.
  func chain(over store: RunStore, _ breakers: BreakerBoard) -> ProviderChain {
    ProviderChain(
      plugins, actions: builtins, store: store, breakers: breakers,
      notes: NotesProvider(
        path: workspace.notes, blobs: store, reminders: NoteReminders(project: self, store: store)))
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

  /// Ends its providers, and counts no more.
  func end() async {
    _ = await host.shutdown()
    metered.clear()
  }

  /// Lets recipes see what state they have, which they are not to change.
  func remember(from store: RunStore) { surroundings.use(ProviderRecipeState(store) { _ in true }) }
}
