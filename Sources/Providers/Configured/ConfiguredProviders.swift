import Engine
import Expressions
import Localization
import Networking
public import Plans
import PluginBoundary
public import PluginHost
public import RecipeModel
public import RecipeSyntax
import Schemas

/// The configured providers as the planner and the plugin host want them.
public struct ConfiguredProviders: ProviderLookup {
  /// The providers that answer for a contract when nobody configured does; they need no settings.
  package static let embedded = ConfiguredProvider.bundled

  package let configuration: Configuration
  let manifests: ManifestDirectory

  /// The providers of a configuration, with the plugins that can be found.
  public init(configuration: Configuration, manifests: ManifestDirectory) {
    self.configuration = configuration
    self.manifests = manifests
  }

  /// The names of the configured providers, in source order.
  public var names: [String] { configuration.providers.map(\.name) }

  /// The plugin behind a provider, by its id.
  public func pluginID(of name: String) -> String? {
    switch configuration.provider(name)?.plugin {
    case .id(let id): id
    // By the rule for library names; the file itself is not looked at.
    case .file(let path): Self.id(ofLibrary: path)
    case nil: Self.embedded.values.contains(name) ? name : nil
    }
  }

  /// The provider that answers for a contract where nobody configured does.
  public func embeddedDefault(for contract: String) -> String? { Self.embedded[contract] }

  /// What a provider offers, once its settings suit its plugin.
  public func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    if let contract = ownContract(of: name) {
      var description = ProviderDescription(name: name, plugin: name, contracts: [contract])
      description.reachesNetwork = false
      description.isOwn = true
      return description
    }
    let manifest: PluginManifest
    do throws(PluginError) {
      manifest = try manifests.manifest(of: try reference(of: name))
    } catch {
      throw ProviderProblem(.init(rawValue: error.code.rawValue), error.message, provider: name)
    }
    if let provider = configuration.provider(name) { try check(provider, against: manifest) }
    var description = ProviderDescription(
      name: name, plugin: manifest.id, contracts: try Self.contracts(of: manifest, provider: name),
      actions: manifest.actions.map { $0.signature() },
      declarations: Dictionary(
        manifest.actions.map { ($0.name, .init(effect: $0.effect, isCostly: $0.isCostly, tasks: $0.tasks)) }
      ) { first, _ in first }, triggers: manifest.triggers.map(\.name))
    description.reachesNetwork =
      !manifest.hosts.isEmpty || configuration.provider(name)?.hosts.isEmpty == false
    return description
  }

  /// Whether a provider is the inbox of notifications, which no plugin carries out.
  package func isInbox(_ name: String) -> Bool {
    ownContract(of: name) == "notify"
  }

  /// Whether a provider is the one that keeps notes, which no plugin carries out.
  func isNotes(_ name: String) -> Bool { ownContract(of: name) == "notes" }

  /// The contract of a provider that no plugin carries out; `nil` for all others.
  package func ownContract(of name: String) -> String? {
    guard configuration.provider(name) == nil else { return nil }
    return ConfiguredProvider.withoutPlugin.first { $0.value == name }?.key
  }

  /// What an installed plugin offers that no provider uses.
  public func installedPlugin(_ id: String) -> InstalledPluginOffer? {
    guard !id.contains("/"), let manifest = try? manifests.manifest(of: .init(id)) else { return nil }
    return InstalledPluginOffer(
      actions: manifest.actions.map(\.name), triggers: manifest.triggers.map(\.name))
  }

  /// Checks a provider's settings before anything runs.
  ///
  /// - Throws: ``ProviderProblem`` with the place of every setting that does not suit the plugin.
  private func check(_ provider: ConfiguredProvider, against manifest: PluginManifest) throws(ProviderProblem) {
    let file = configuration.path ?? "sous.yaml"
    // What a secret holds is not known here; that it is there is checked when the provider is opened.
    let settings = provider.settings.value { _ in "secret" }
    var findings = manifest.configuration.validate(settings).map { violation in
      // Of settings as a whole the provider's name is the place to look at.
      let range = violation.path.isEmpty ? provider.nameRange : provider.settings.range(of: violation)
      // An unknown key is named in what is said of it.
      let isNamed = violation.path.isEmpty || violation.code == .unknownKey
      let message = LocalizedText(verbatim: isNamed ? "" : "'\(violation.pathText)': ") + violation.message
      let setting = violation.path.first.map(\.description)?.dropFirst()
      let isSecret = setting.map { manifest.secrets.contains(String($0)) } ?? false
      return finding(isSecret ? message + Self.secretAdvice : message, file, range)
    }
    findings += hostFindings(of: provider, manifest, file)
    findings.sort { ($0.range?.start.offset ?? 0) < ($1.range?.start.offset ?? 0) }
    guard let first = findings.first else { return }
    var problem = ProviderProblem(
      .init(rawValue: "provider_settings_invalid"),
      findings.dropFirst().reduce(first.message) { $0 + LocalizedText(verbatim: "\n  \($1.place)") + $1.message },
      provider: provider.name)
    problem.path = file
    problem.range = first.range
    problem.findings = findings
    throw problem
  }

  private func finding(_ message: LocalizedText, _ file: String, _ range: SourceRange) -> Diagnostic {
    Diagnostic(.init(rawValue: "provider_settings_invalid"), message, path: file, range: range)
  }

  private static let secretAdvice = LocalizedText(
    "; a secret is written { secret: NAME } or { secret: { env: NAME } }",
    de: "; ein Geheimnis schreibt man { secret: NAME } oder { secret: { env: NAME } }")

  /// What is wrong with the hosts a provider may reach: those that it names, and those of settings that its plugin takes
  /// hosts from.
  private func hostFindings(
    of provider: ConfiguredProvider, _ manifest: PluginManifest, _ file: String
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for host in provider.hosts {
      guard let error = Self.error(ofHost: host.value) else { continue }
      findings.append(finding(LocalizedText(verbatim: "'hosts': ") + error.message, file, host.range))
    }
    for name in manifest.hosts where name.hasPrefix("{") && name.hasSuffix("}") {
      let setting = String(name.dropFirst().dropLast())
      guard case .map(let entries, _) = provider.settings,
        case .literal(.string(let text), let range)? = entries.first(where: { $0.name == setting })?.value,
        !text.isEmpty
      else { continue }
      if setting.hasSuffix("url"), !text.contains("://") {
        let advice = LocalizedText(
          "'\(setting)': '\(text)' is no URL; put http:// or https:// in front",
          de: "'\(setting)': '\(text)' ist keine URL; http:// oder https:// davor schreiben")
        findings.append(finding(advice, file, range))
      } else if let error = Self.error(ofHost: text) {
        findings.append(finding(LocalizedText(verbatim: "'\(setting)': ") + error.message, file, range))
      }
    }
    return findings
  }

  private static func error(ofHost text: String) -> NetworkError? {
    do throws(NetworkError) {
      _ = try EgressPolicy(declared: [], configured: [text])
      return nil
    } catch {
      return error
    }
  }

  /// Secrets that stand in the configuration as they are, where only their names should.
  ///
  /// - Parameter name: The provider's name.
  public func literalSecrets(of name: String) -> [Diagnostic] {
    guard let provider = configuration.provider(name), case .map(let entries, _) = provider.settings,
      let reference = try? reference(of: name), let manifest = try? manifests.manifest(of: reference)
    else { return [] }
    return entries.compactMap { entry in
      guard manifest.secrets.contains(entry.name), case .literal(.string(let text), let range) = entry.value,
        !text.isEmpty
      else { return nil }
      return Diagnostic(
        .secretInConfiguration,
        LocalizedText(
          "the secret '\(entry.name)' of the provider '\(name)' stands here for everybody to read; "
            + "write { secret: NAME }, and 'sous secrets set NAME' keeps it in the vault",
          de: "das Geheimnis '\(entry.name)' des Providers '\(name)' steht hier für alle lesbar; "
            + "{ secret: NAME } schreiben, und 'sous secrets set NAME' legt es in den Tresor"),
        path: configuration.path ?? "sous.yaml", range: range, severity: .warning)
    }
  }

  /// A warning for each fence of worker processes that this kernel lacks; none for a plugin that runs inside Sous.
  ///
  /// - Parameter name: The provider's name.
  public func missingFences(of name: String) -> [Diagnostic] {
    let missing = IsolationSupport.missing
    guard !missing.isEmpty, let provider = configuration.provider(name), let reference = try? reference(of: name),
      let path = try? manifests.searchPath.locate(reference)
    else { return [] }
    let isolation = Self.isolation(of: provider) ?? manifests.searchPath.isolation(ofLibraryAt: path)
    guard isolation == .process else { return [] }
    return missing.map { fence in
      Diagnostic(
        .isolationIncomplete,
        LocalizedText(
          "the worker process of the provider '\(name)' is not fully isolated: ",
          de: "der Arbeitsprozess des Providers '\(name)' ist nicht vollständig isoliert: ") + fence.lack,
        path: configuration.path ?? "sous.yaml", range: provider.nameRange, severity: .warning)
    }
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
      if versions.contains(String(version)) {
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

  func reference(of name: String) throws(PluginError) -> PluginReference {
    if let provider = configuration.provider(name) { return provider.plugin.reference }
    if Self.embedded.values.contains(name) { return .init(name) }
    throw PluginError(
      .providerUnknown,
      .init("There is no provider '\(name)'.", de: "Es gibt keinen Provider '\(name)'."))
  }

  /// The isolation that the configuration chooses for a provider; `nil` if it chooses none.
  package static func isolation(of provider: ConfiguredProvider) -> Isolation? {
    provider.isolation.map { $0 == .process ? .process : .inProcess }
  }

}

extension Diagnostic {
  /// `sous.yaml:4:51: `.
  fileprivate var place: String {
    range.map { "\(path):\($0.start.line):\($0.start.column): " } ?? "\(path): "
  }
}

extension Diagnostic.Code {
  /// A secret stands in the configuration itself.
  public static let secretInConfiguration = Self(rawValue: "secret_in_configuration")
  /// The kernel lacks a fence of worker processes.
  public static let isolationIncomplete = Self(rawValue: "isolation_incomplete")
}
