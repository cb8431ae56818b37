package import Builtins
package import Engine
import Expressions
import Localization
import Plans
import RecipeModel
package import RunStore
import Synchronization

/// The providers of an open workspace, as steps, tools and commands call them.
///
/// A call passes from the outside in: the check of answers, with defaults and schema (``ChatProvider``); what counts the call and
/// holds it to budgets (``MeteredProvider``); what records notifications and messages in the run log; what replaces personal
/// data (``NeutralisingProvider``); the plugin.
package final class ProviderChain: ProviderDirectory, CallMeter {
  package let configured: ConfiguredProviders
  package let store: RunStore
  /// The circuit breakers of the providers.
  package let breakers: BreakerBoard
  /// The calls that put messages into folders just now.
  package let storings = OpenStorings()
  private let schemas = SchemaMemory()
  private let plugins: NeutralisingProviders
  private let actions: BuiltinActions
  private let notes: any StepProvider
  private let summaries: @Sendable (ProviderChain) -> any MessageSummaries
  /// What calls have used, by run, step, item and attempt.
  private let ended = Mutex<[String: [CallUsage]]>([:])
  /// The contracts of providers, as far as has been asked.
  private let contracts = Mutex<[String: [String]]>([:])

  /// - Parameters:
  ///   - plugins: The providers that plugins carry out.
  ///   - actions: The built-in actions.
  ///   - store: The run log: the inbox of notifications, and what calls have used.
  ///   - breakers: The circuit breakers of the providers.
  ///   - notes: Keeps notes, where no plugin does.
  ///   - summaries: Creates the maker of summaries of messages, which calls these providers.
  package init(
    _ plugins: NeutralisingProviders, actions: BuiltinActions, store: RunStore, breakers: BreakerBoard,
    notes: any StepProvider, summaries: @escaping @Sendable (ProviderChain) -> any MessageSummaries
  ) {
    self.plugins = plugins
    self.actions = actions
    self.store = store
    self.breakers = breakers
    self.notes = notes
    self.summaries = summaries
    configured = plugins.configured
  }

  package var builtins: any StepProvider { actions.summarising(with: summaries(self)) }

  package func admit(to name: String) async throws(ActionFailure) -> Admission {
    try await plugins.admit(to: ProviderRoute(name).provider)
  }

  package func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    try await provider(ProviderRoute(name), for: nil)
  }

  package func provider(named name: String, for use: ProviderUse) async throws(ActionFailure) -> any StepProvider {
    let route = ProviderRoute(name)
    let provider = try await provider(route, for: use)
    guard let selection = use.step.selection else { return provider }
    return actions.sorting(
      MessageSorting(selection, bindings: use.bindings, store: provider, provider: route.provider))
  }

  private func provider(
    _ route: ProviderRoute, for use: ProviderUse?
  ) async throws(ActionFailure) -> any StepProvider {
    let contracts = contracts(of: route.provider)
    let base = try await recorded(route.provider, contracts)
    // The provider of chat that comes with Sous has no model.
    let isCounted =
      configured.pluginID(of: route.provider) != ConfiguredProvider.bundled["chat"]
      && contracts.contains(where: ModelAction.contracts.contains)
    guard isCounted else { return contracts.contains("chat") ? ChatProvider(base: base) : base }
    var metered = MeteredProvider(chain: self, route: route, base: base)
    if let use, use.step.action.isCostly {
      metered.budgets = use.budgets
      metered.isLocal = use.step.routing.locality == .required
    }
    guard contracts.contains("chat") else { return metered }
    let defaults = configured.configuration.provider(route.provider)?.models.defaults
    return ChatProvider(
      base: metered, defaults: defaults ?? ValueMap(), memory: schemas, route: route.text)
  }

  /// A provider whose notifications and messages are recorded in the run log.
  private func recorded(_ name: String, _ contracts: [String]) async throws(ActionFailure) -> any StepProvider {
    if configured.isInbox(name) { return NotifyingProvider(inbox: store, name: name, carrier: nil) }
    if configured.isNotes(name) { return notes }
    if contracts.contains("mail.store") {
      return StoringProvider(
        base: try await plugins.provider(named: name), name: name, store: store, open: storings)
    }
    guard contracts.contains("notify") else { return try await plugins.provider(named: name) }
    let carrier: any StepProvider
    do throws(ActionFailure) {
      carrier = try await plugins.provider(named: name)
    } catch {
      if error.kind == .cancelled { throw error }
      // After a missing secret or an expired sign-in too, the inbox gets the notification first, then the reason why it was not
      // sent.
      carrier = UnopenedProvider(failure: error)
    }
    return NotifyingProvider(inbox: store, name: name, carrier: carrier)
  }

  private func contracts(of name: String) -> [String] {
    if let known = contracts.withLock({ $0[name] }) { return known }
    let found = (try? configured.describe(name))?.contracts ?? []
    contracts.withLock { $0[name] = found }
    return found
  }

  // MARK: - What calls have used

  private static func place(_ request: ActionRequest) -> String {
    "\(request.run.rawValue)/\(request.step)/\(request.item ?? -1)/\(request.attempt)"
  }

  /// Keeps what a call of a run has used until the end of its attempt is written down.
  func note(_ usage: CallUsage, _ request: ActionRequest) {
    ended.withLock { $0[Self.place(request), default: []].append(usage) }
  }

  package func take(_ request: ActionRequest) -> [CallUsage] {
    ended.withLock { $0.isEmpty ? [] : $0.removeValue(forKey: Self.place(request)) ?? [] }
  }
}

extension ActionFailure {
  /// The run log could not be read or written, which may pass.
  init(runLog error: any Error) {
    let message =
      switch error {
      case let error as RunStoreError: error.message
      case let error as EngineError: (error.cause as? RunStoreError)?.message ?? error.message
      case is CancellationError: LocalizedText("it was interrupted", de: "es wurde unterbrochen")
      default: LocalizedText(verbatim: "\(error)")
      }
    self.init(.io, message)
  }
}
