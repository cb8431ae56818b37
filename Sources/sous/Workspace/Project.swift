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
    host = PluginHost(
      providers: lookup.hostConfigurations(environment: environment), searchPath: manifests.searchPath,
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
  /// - Throws: ``CommandError`` after what is wrong has been written to standard error.
  func plan(_ path: String) throws(CommandError) -> Plan {
    let planning = planning(path)
    let report = DiagnosticReport(terminal: Terminal(descriptor: 2))
    writeError(report.text(planning))
    if planning.hasErrors { throw CommandError(ExitStatus.wrongInput) }
    guard let plan = planning.plan else { throw CommandError(ExitStatus.environment) }
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
    do throws(PluginError) {
      let manifest = try manifests.manifest(of: try reference(of: name))
      return ProviderDescription(
        name: name, plugin: manifest.id,
        contracts: manifest.contracts.map { String($0.prefix { $0 != "/" }) },
        actions: manifest.actions.map { $0.signature() })
    } catch {
      throw ProviderProblem(.init(rawValue: error.code.rawValue), error.message, provider: name)
    }
  }

  /// The configurations the host opens providers from.
  func hostConfigurations(environment: [String: String]) -> [ProviderConfiguration] {
    let embedded = Self.embedded.values.filter { configuration.provider($0) == nil }
      .map { ProviderConfiguration(name: $0, plugin: .init($0)) }
    return embedded
      + configuration.providers.map { provider in
        ProviderConfiguration(
          name: provider.name, plugin: reference(provider.plugin),
          settings: settings(of: provider, environment: environment))
      }
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

  /// A provider's settings with its secrets from the environment, and its paths seen from the configuration's folder.
  ///
  /// A secret that the environment lacks is left out; the plugin's configuration schema then says what is missing.
  private func settings(of provider: ConfiguredProvider, environment: [String: String]) -> Value {
    let value = provider.settings.value { environment[$0.name].map(Value.string) ?? .null }
    guard case .map(var map) = value else { return value }
    for (key, entry) in map.entries {
      guard case .string(let name) = key else { continue }
      if case .null = entry { map[name] = nil }
      // The manifest is not asked for which settings are paths: that would look at plugins the run does not use.
      if name == "path" || name.hasSuffix("_path"), let path = entry.stringValue {
        map[name] = .string(configuration.resolve(path))
      }
    }
    return .map(map)
  }
}
