import Engine
import Expressions
import Localization
import PluginHost
import Recipes

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
    // By the rule for library names; the file itself is not looked at.
    case .file(let path): Self.id(ofLibrary: path)
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
    if let provider = configuration.provider(name) { try check(provider, against: manifest) }
    return ProviderDescription(
      name: name, plugin: manifest.id, contracts: try Self.contracts(of: manifest, provider: name),
      actions: manifest.actions.map { $0.signature() },
      declarations: Dictionary(
        manifest.actions.map { ($0.name, .init(effect: $0.effect, isCostly: $0.isCostly)) }
      ) { first, _ in first })
  }

  /// Checks a provider's settings before anything runs.
  ///
  /// - Throws: ``ProviderProblem`` with the place of every setting that does not suit the plugin.
  private func check(_ provider: ConfiguredProvider, against manifest: PluginManifest) throws(ProviderProblem) {
    let file = configuration.path ?? "sous.yaml"
    if provider.isolation == .process {
      throw ProviderProblem(
        .init(rawValue: "not_supported"),
        .init(
          "\(file):\(provider.nameRange.start.line): 'isolation: process' is not supported yet; take it out to run the "
            + "plugin inside Sous",
          de: "\(file):\(provider.nameRange.start.line): 'isolation: process' gibt es noch nicht; ohne die Zeile läuft "
            + "das Plugin in Sous selbst"),
        provider: provider.name)
    }
    // What a secret holds is not known here; that it is there is checked when the provider is opened.
    let settings = provider.settings.value { _ in "secret" }
    let problems = manifest.configuration.validate(settings).map { violation in
      let place = provider.settings.range(at: violation.path)?.start ?? provider.nameRange.start
      let setting = violation.path.isEmpty ? "" : "'\(violation.pathText)': "
      return LocalizedText(verbatim: "\(file):\(place.line):\(place.column): \(setting)") + violation.message
    }
    guard let first = problems.first else { return }
    throw ProviderProblem(
      .init(rawValue: "provider_settings_invalid"),
      problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n  ") + $1 }, provider: provider.name)
  }

  private static func id(ofLibrary path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix("lib"), name.hasSuffix(".so") else { return nil }
    return String(name.dropFirst(3).dropLast(3))
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
    result.hosts = provider.hosts.map(\.value)
    result.trust = .init(authorities: provider.trust.authorities, certificate: provider.trust.certificate)
    result.concurrency = provider.concurrency
    result.rate = provider.rate.map { .init(requests: $0.requests, per: $0.seconds, burst: $0.burst) }
    result.resolvePath = { [configuration] in configuration.resolve($0) }
    return result
  }
}

extension SettingValue {
  /// Where the value at a path stands, or what it stands in where it is missing; `nil` for the settings as a whole.
  fileprivate func range(at path: [SchemaViolation.PathElement]) -> SourceRange? {
    guard let first = path.first else { return nil }
    let rest = Array(path.dropFirst())
    switch (self, first) {
    case (.map(let entries, _), .key(let name)):
      guard let entry = entries.first(where: { $0.name == name }) else { return nil }
      return entry.value.range(at: rest) ?? entry.value.range
    case (.list(let elements, _), .index(let index)):
      guard elements.indices.contains(index) else { return nil }
      return elements[index].range(at: rest) ?? elements[index].range
    default: return nil
    }
  }

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
