import Builtins
import Engine
import Expressions
import Foundation
import Localization
import PluginHost
import Recipes

/// What a configuration makes available to recipes: actions, providers, prompts.
struct Project {
  let configuration: Configuration
  let manifests: ManifestDirectory
  let host: PluginHost
  private let planner: Planner
  private let hostConfigurations: [String: ProviderConfiguration]

  /// Reads the configuration and prepares its providers. Opens no plugin.
  ///
  /// - Throws: ``CommandError`` after the configuration's problems have been written to standard error.
  init(
    _ workspace: Workspace, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) {
    configuration = try Self.read(workspace.configurationPath)
    manifests = ManifestDirectory(
      searchPath: .standard(project: configuration.pluginPaths, environment: environment),
      cache: .standard(environment: environment))
    let lookup = ConfiguredProviders(configuration: configuration, manifests: manifests)
    let builtins = BuiltinActions()
    let providers = lookup.hostConfigurations(environment: environment)
    hostConfigurations = Dictionary(providers.map { ($0.name, $0) }) { _, last in last }
    host = PluginHost(
      providers: providers, searchPath: manifests.searchPath,
      cache: manifests.cache, builtins: builtins, time: SystemTime(),
      log: { provider, level, message in
        // Lines that belong to a step stand in the run log; these have no other place to go.
        guard level >= .warning else { return }
        writeError("\(provider): \(level.rawValue): \(message)\n")
      })
    planner = Planner(
      catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all), providers: lookup,
      configuration: configuration)
  }

  /// Reads and checks a recipe.
  func planning(_ path: String) -> Planning {
    do throws(Diagnostic) {
      return planner.plan(try SourceText.read(path))
    } catch {
      return Planning(unreadable: error)
    }
  }

  /// The plan of a recipe that is about to run.
  ///
  /// - Throws: ``CommandError`` after what is wrong has been written to standard error, or with what is wrong: a secret
  ///   is missing that the run is bound to need.
  func plan(_ path: String) throws(CommandError) -> Plan {
    let planning = planning(path)
    let report = DiagnosticReport(terminal: Terminal(descriptor: 2))
    writeError(report.text(planning))
    if planning.hasErrors { throw CommandError(ExitStatus.wrongInput) }
    guard let plan = planning.plan else { throw CommandError(ExitStatus.environment) }
    // What a run may do without, the second of several providers or a step with a condition, fails when it is used.
    for step in plan.steps where step.condition == nil {
      guard let name = step.providers.first, let configuration = hostConfigurations[name] else { continue }
      if let missing = PluginError(secretsMissingFor: configuration) {
        throw CommandError(ExitStatus.environment, missing.message)
      }
    }
    return plan
  }

  private static func read(_ path: String?) throws(CommandError) -> Configuration {
    guard let path else { return .empty }
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path)
    } catch {
      writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text([error], sources: [:]))
      throw CommandError(ExitStatus.environment)
    }
    let (configuration, diagnostics) = Configuration.parse(source)
    writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [path: source]))
    if diagnostics.contains(where: { $0.severity == .error }) { throw CommandError(ExitStatus.environment) }
    return configuration
  }
}

/// The configured providers as the planner and the plugin host want them.
struct ConfiguredProviders: ProviderLookup {
  /// The providers that answer for a contract when nobody configured does; they need no settings.
  private static let embedded = ["chat": "extractive"]

  let configuration: Configuration
  let manifests: ManifestDirectory

  var names: [String] { configuration.providers.map(\.name) }

  func pluginID(of name: String) -> String? {
    switch configuration.provider(name)?.plugin {
    case .id(let id): id
    case .file: nil
    case nil: Self.embedded.values.contains(name) ? name : nil
    }
  }

  func embeddedDefault(for contract: String) -> String? { Self.embedded[contract] }

  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    let manifest: PluginManifest
    do throws(PluginError) {
      manifest = try manifests.manifest(of: try reference(of: name))
    } catch {
      throw ProviderProblem(.init(rawValue: error.code.rawValue), error.message, provider: name)
    }
    return ProviderDescription(
      name: name, plugin: manifest.id, contracts: try Self.contracts(of: manifest, provider: name),
      actions: manifest.actions.map { $0.signature() },
      declarations: Dictionary(
        manifest.actions.map { ($0.name, .init(effect: $0.effect, isCostly: $0.isCostly)) }
      ) { first, _ in first })
  }

  /// The names of the contracts a plugin claims in a version that this Sous knows; others' contracts are left out.
  ///
  /// - Throws: ``ProviderProblem`` where it claims only unknown versions of a contract.
  static func contracts(of manifest: PluginManifest, provider: String) throws(ProviderProblem) -> [String] {
    var claims: [String: [String]] = [:]
    for claim in manifest.contracts {
      let parts = claim.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      claims[String(parts[0]), default: []].append(parts.count == 2 ? String(parts[1]) : "")
    }
    var names: [String] = []
    for contract in BundledContract.all {
      guard let versions = claims[contract.name] else { continue }
      let version = contract.version
      // A version adds and never takes away: a newer Sous goes on with an older plugin.
      if versions.contains(where: { Int($0).map { $0 >= 1 && $0 <= version } ?? false }) {
        names.append(contract.name)
        continue
      }
      let claim = versions.map { "\(contract.name)/\($0)" }.joined(separator: ", ")
      throw ProviderProblem(
        .contractVersionUnknown,
        .init(
          "the plugin \(manifest.id) of the provider '\(provider)' claims '\(claim)'; this Sous knows "
            + "'\(contract.name)/\(version)': update Sous, or use a plugin for that version",
          de: "das Plugin \(manifest.id) des Providers '\(provider)' gibt '\(claim)' an; dieses Sous kennt "
            + "'\(contract.name)/\(version)': aktualisiere Sous oder nimm ein Plugin für diese Version"),
        provider: provider)
    }
    return names
  }

  /// The configurations the host opens providers from.
  func hostConfigurations(environment: [String: String]) -> [ProviderConfiguration] {
    let embedded = Self.embedded.values.filter { configuration.provider($0) == nil }
      .map { ProviderConfiguration(name: $0, plugin: .init($0)) }
    return embedded
      + configuration.providers.map { hostConfiguration(of: $0, environment: environment) }
  }

  private func reference(of name: String) throws(PluginError) -> PluginReference {
    if let provider = configuration.provider(name) { return reference(provider.plugin) }
    if Self.embedded.values.contains(name) { return .init(name) }
    throw PluginError(
      .providerUnknown,
      .init("There is no provider '\(name)'.", de: "Es gibt keinen Provider '\(name)'."))
  }

  private func reference(_ plugin: ConfiguredProvider.Plugin) -> PluginReference {
    switch plugin {
    case .id(let id): .init(id)
    case .file(let path): .init(path.contains("/") ? path : "./" + path)
    }
  }

  /// A provider's settings with its secrets from the environment; those that are missing are an error when the provider
  /// is opened, and are left out until then.
  private func hostConfiguration(
    of provider: ConfiguredProvider, environment: [String: String]
  ) -> ProviderConfiguration {
    var result = ProviderConfiguration(name: provider.name, plugin: reference(provider.plugin))
    for (reference, setting) in provider.settings.secretPlaces {
      // An empty variable is as good as none.
      if let value = environment[reference.name], !value.isEmpty {
        result.secrets.append(value)
      } else {
        result.missingSecrets.append(.init(variable: reference.name, setting: setting))
      }
    }
    result.settings = provider.settings.value { environment[$0.name].map(Value.string) ?? .null }
    result.resolvePath = { [configuration] in configuration.resolve($0) }
    return result
  }
}

extension SettingValue {
  /// The secrets below, with the setting each is for: `password`, `accounts.0.token`.
  fileprivate var secretPlaces: [(secret: SecretReference, setting: String)] {
    switch self {
    case .literal: return []
    case .secret(let reference): return [(reference, "")]
    case .list(let elements, _):
      return elements.enumerated().flatMap { index, element in
        element.secretPlaces.map { ($0.secret, Self.path("\(index)", $0.setting)) }
      }
    case .map(let entries, _):
      return entries.flatMap { entry in
        entry.value.secretPlaces.map { ($0.secret, Self.path(entry.name, $0.setting)) }
      }
    }
  }

  private static func path(_ name: String, _ rest: String) -> String { rest.isEmpty ? name : name + "." + rest }
}
