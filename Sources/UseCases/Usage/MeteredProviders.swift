import Engine
import Expressions
import Glibc
import Localization
import Plans
import PluginHost
import RecipeModel
import RunStore
import Synchronization

/// The providers of a project, of which those of models are counted, held to budgets, and asked only for what they can do.
final class MeteredProviders: ProviderDirectory, CallMeter {
  let configured: ConfiguredProviders
  let store: RunStore
  private let base: any ProviderDirectory
  /// By run, step, item and attempt.
  private let ended = Mutex<[String: [CallUsage]]>([:])
  /// Which providers have models, as far as has been asked.
  private let modelProviders = Mutex<[String: Bool]>([:])

  /// - Parameters:
  ///   - base: Finds the providers.
  ///   - configured: What `sous.yaml` says of them.
  ///   - store: Keeps what calls use.
  init(_ base: any ProviderDirectory, configured: ConfiguredProviders, store: RunStore) {
    self.base = base
    self.configured = configured
    self.store = store
  }

  private static func place(_ request: ActionRequest) -> String {
    "\(request.run.rawValue)/\(request.step)/\(request.item ?? -1)/\(request.attempt)"
  }

  var builtins: any StepProvider { base.builtins }

  func admit(to name: String) async throws(ActionFailure) -> Admission {
    try await base.admit(to: ProviderRoute(name).provider)
  }

  func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    let route = ProviderRoute(name)
    let provider = try await base.provider(named: route.provider)
    return hasModels(route.provider) ? MeteredProvider(directory: self, route: route, base: provider) : provider
  }

  /// Whether a provider's calls are counted. The one that comes with Sous and has no model is none of them.
  private func hasModels(_ name: String) -> Bool {
    if let known = modelProviders.withLock({ $0[name] }) { return known }
    let contracts = (try? configured.describe(name))?.contracts ?? []
    let hasModels =
      configured.pluginID(of: name) != ConfiguredProvider.bundled["chat"]
      && contracts.contains(where: ModelAction.contracts.contains)
    modelProviders.withLock { $0[name] = hasModels }
    return hasModels
  }

  // MARK: - What calls have used

  /// Keeps what a call of a run has used until the end of its attempt is written down.
  func note(_ usage: CallUsage, _ request: ActionRequest) {
    ended.withLock { $0[Self.place(request), default: []].append(usage) }
  }

  func take(_ request: ActionRequest) -> [CallUsage] {
    ended.withLock { $0.isEmpty ? [] : $0.removeValue(forKey: Self.place(request)) ?? [] }
  }
}

/// The actions of models.
enum ModelAction {
  /// The contracts whose calls are counted.
  static let contracts: Set<String> = ["chat", "embed", "transcribe", "speak"]

  /// Whether calls of an action are counted: those that ask a model, and not those that ask for the list of models.
  static func isCounted(_ name: String) -> Bool {
    guard let dot = name.firstIndex(of: "."), contracts.contains(String(name[..<dot])) else { return false }
    return !name.hasSuffix(".models") && !name.hasSuffix(".voices")
  }
}

extension Timestamp {
  /// The day in the local time zone: `2026-11-23`.
  var localDay: String { String(spokenLocalTime.prefix(10)) }
}

/// The counted providers of a project, from when its run log is open.
final class MeteredSlot: Sendable {
  private let providers = Mutex<MeteredProviders?>(nil)

  func fill(_ metered: MeteredProviders) { providers.withLock { $0 = metered } }

  /// Gives the providers up, which hold on to the project.
  func clear() { providers.withLock { $0 = nil } }

  /// The providers; `nil` before there is a run log.
  var directory: MeteredProviders? { providers.withLock { $0 } }
}
