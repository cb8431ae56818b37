import Engine
import Expressions
import Localization
import Networking
public import OAuth
import Plans
public import PluginBoundary
import PluginHost
public import RecipeModel
import RecipeSyntax
import Schemas
public import Secrets
import Synchronization

/// The secrets that the providers of a configuration name, and the sources they come from.
///
/// Nothing is read before a provider is opened, or a run is about to need it.
public final class ProjectSecrets: Sendable {
  /// What secrets come from, in order.
  public let store: SecretStore
  /// The vault beside the run log.
  public let vault: Vault
  /// Where the vault's key comes from.
  public let keyring: VaultKeyring

  /// Keeps the tokens of accounts.
  public let tokens: TokenKeeper

  /// The vault, opened once for all who use it.
  let openedVault: OpenedVault
  /// The names of the secrets in the vault, which is opened for it.
  package var namesInVault: [SecretName] {
    get throws(SecretError) { try openedVault.names() }
  }

  /// Seals personal data with a key of the vault, or of this process where there is none.
  let seal: VaultSeal

  /// The files and folders that secrets and the keys of the vault come from, whether they exist or not.
  let files: [String]

  /// The variables of the environment that the configuration takes for secrets.
  let variables: Set<String>

  /// Decides which secrets may be read without a question.
  package let trust: WorkspaceTrust
  /// The plugins that can be found.
  let manifests: ManifestDirectory

  private let configuration: Configuration
  private let environment: [String: String]
  private let questions: Questions?

  /// Whether a person may be asked for a passphrase.
  private final class Questions: Sendable {
    private let areAllowed = Atomic<Bool>(true)
    private let question: VaultKeyring.Question

    init(_ question: @escaping VaultKeyring.Question) { self.question = question }

    func end() { areAllowed.store(false, ordering: .relaxed) }

    func passphrase(_ path: String) throws(SecretError) -> SecureBytes {
      guard areAllowed.load(ordering: .relaxed) else {
        throw SecretError(
          .noTerminal, LocalizedText("nobody can be asked now", de: "jetzt kann niemand gefragt werden"))
      }
      return try question(path)
    }
  }

  init(
    _ configuration: Configuration, _ workspace: Workspace, trust: WorkspaceTrust, manifests: ManifestDirectory,
    network: NetworkService
  ) {
    self.trust = trust
    self.manifests = manifests
    let environment = workspace.surroundings.environment
    self.configuration = configuration
    self.environment = environment
    let questions = workspace.surroundings.passphrase.map { Questions($0) }
    self.questions = questions
    var question: VaultKeyring.Question?
    if let questions { question = { (path) throws(SecretError) in try questions.passphrase(path) } }
    vault = Vault(path: workspace.vault)
    var keyFile: String?
    var passphraseFile: String?
    for case .vault(let key, let passphrase) in configuration.secretSources ?? [] {
      keyFile = keyFile ?? key.map { configuration.resolve($0, environment) }
      passphraseFile = passphraseFile ?? passphrase.map { configuration.resolve($0, environment) }
    }
    keyring = VaultKeyring(
      environment: environment, keyFile: keyFile, passphraseFile: passphraseFile, question: question)
    variables = Set(
      Self.references(configuration).compactMap {
        switch $0.place {
        case .name(let name), .environment(let name): name
        case .file, .command, .account: nil
        }
      })
    files = Self.files(configuration, environment) + keyring.files
    let timeout =
      workspace.surroundings.isAttended ? SecretCommand.interactiveTimeout : SecretCommand.standardTimeout
    let definitions = configuration.secretSources ?? Self.standardSources
    let opened = OpenedVault(vault, keyring: keyring)
    openedVault = opened
    seal = VaultSeal(opened)
    let sources = definitions.map { Self.source($0, configuration, environment, timeout, opened, trust) }
    let gate: SecretStore.Gate = { (request) throws(SecretError) in try trust.check(request) }
    let isAttended = workspace.surroundings.isAttended || workspace.surroundings.asksEarly
    // The secrets of clients, which are needed to get a token, are no tokens.
    let clients = SecretStore(
      sources: sources, environment: environment, commandTimeout: timeout, gate: gate, isAttended: isAttended)
    tokens = Self.tokens(configuration, environment, opened, clients, network, trust)
    store = SecretStore(
      sources: sources, environment: environment, commandTimeout: timeout, tokens: tokens, gate: gate,
      isAttended: isAttended)
  }

  /// The secret sources that are used if `sous.yaml` lists none. A source that does not exist has no secret.
  private static let standardSources: [ConfiguredSecretSource] = [
    .environment, .credentials, .vault(keyFile: nil, passphraseFile: nil),
  ]

  private static func source(
    _ definition: ConfiguredSecretSource, _ configuration: Configuration, _ environment: [String: String],
    _ timeout: Double, _ vault: OpenedVault, _ trust: WorkspaceTrust
  ) -> any SecretSource {
    switch definition {
    case .environment: return EnvironmentSource(environment: environment)
    case .credentials: return CredentialSource(folder: environment["CREDENTIALS_DIRECTORY"])
    case .file(let path):
      let path = configuration.resolve(path, environment)
      return GatedSource(FileSource(path: path)) { () throws(SecretError) in
        try trust.check(.file(path, line: nil))
      }
    case .command(let arguments):
      let arguments = configuration.resolve(arguments, environment)
      return GatedSource(CommandSource(arguments: arguments, environment: environment, timeout: timeout)) {
        () throws(SecretError) in try trust.check(.command(arguments))
      }
    case .vault: return VaultSource(vault)
    }
  }

  /// Every secret that the configuration names.
  private static func references(_ configuration: Configuration) -> [SecretReference] {
    configuration.providers.flatMap { $0.settings.secretPlaces.map(\.secret) }
      + configuration.http.credentials.map(\.secret) + configuration.accounts.compactMap(\.clientSecret)
  }

  /// The files that the configuration names: sources, and places of single secrets.
  private static func files(_ configuration: Configuration, _ environment: [String: String]) -> [String] {
    let single: [String] = references(configuration).compactMap {
      if case .file(let path, _) = $0.place { path } else { nil }
    }
    let sources: [String] = (configuration.secretSources ?? []).flatMap { source -> [String] in
      switch source {
      case .file(let path): [path]
      case .vault(let key, let passphrase): [key, passphrase].compactMap(\.self)
      case .environment, .credentials, .command: []
      }
    }
    return (single + sources).map { configuration.resolve($0, environment) }
  }

  // MARK: - Settings

  /// Asks nobody any more: a run has begun.
  func endQuestions() { questions?.end() }

  /// What a reference to a place asks for.
  public func request(_ place: SecretReference.Place) throws(SecretError) -> SecretRequest {
    try Self.request(place, configuration, environment)
  }

  static func request(
    _ place: SecretReference.Place, _ configuration: Configuration, _ environment: [String: String]
  ) throws(SecretError) -> SecretRequest {
    switch place {
    case .name(let name): .named(try SecretName(checking: name))
    case .environment(let variable): .environment(variable)
    case .file(let path, let line):
      .file(
        configuration.resolve(path, environment),
        line: try line.map { name throws(SecretError) in try SecretName(checking: name) })
    case .command(let arguments): .command(configuration.resolve(arguments, environment))
    case .account(let name): .account(name)
    }
  }

  /// The secret of a provider's setting as it is now: one that was rotated is new.
  ///
  /// - Parameters:
  ///   - provider: The provider's name.
  ///   - setting: The setting: `password`, `accounts.0.token`.
  /// - Returns: Its value; `nil` where the setting holds no secret.
  public func read(provider: String, setting: String) throws(PluginError) -> String? {
    guard let provider = configuration.provider(provider) else { return nil }
    return try ProviderSecrets(provider: provider, secrets: self).read(setting)
  }

  /// The secret that a reference names.
  public func value(of reference: SecretReference) throws(SecretError) -> String {
    try store.value(of: try request(reference.place))
  }

  /// The secret of a name, wherever the configured sources have it.
  package func value(named name: String) throws(SecretError) -> String { try store.value(of: try request(.name(name))) }

  /// The file and place of a setting, for messages.
  public func place(of reference: SecretReference) -> String {
    "\(configuration.path ?? "sous.yaml"):\(reference.range.start.line):\(reference.range.start.column)"
  }
}

extension Project {
  /// The secrets for a command that reads them by name.
  ///
  /// - Throws: `SecretError` of code `untrusted` if the folder holds something that is not trusted.
  package func readableSecrets() throws(SecretError) -> ProjectSecrets {
    try trust.checkReading(in: manifests)
    return secrets
  }
}

/// The secrets of one provider.
struct ProviderSecrets: SecretReading {
  let provider: ConfiguredProvider
  let secrets: ProjectSecrets

  var settings: Set<String> { Set(provider.settings.secretPlaces.map(\.setting)) }

  func filledSettings() throws(PluginError) -> FilledSettings {
    try secrets.trust.check(provider, in: secrets.manifests)
    var values: [String] = []
    var problems: [PluginError] = []
    var filled: [SecretReference: String] = [:]
    for place in provider.settings.secretPlaces {
      do throws(SecretError) {
        let value = try secrets.store.value(of: try secrets.request(place.secret.place))
        filled[place.secret] = value
        values.append(value)
      } catch {
        problems.append(problem(place, error))
      }
    }
    if let problem = ProviderSecrets.joined(problems) { throw problem }
    return FilledSettings(
      settings: provider.settings.value { filled[$0].map(Value.string) ?? .null }, secrets: values)
  }

  func read(_ setting: String) throws(PluginError) -> String? {
    try secrets.trust.check(provider, in: secrets.manifests)
    guard let place = provider.settings.secretPlaces.first(where: { $0.setting == setting }) else { return nil }
    do throws(SecretError) {
      return try secrets.store.refreshed(try secrets.request(place.secret.place))
    } catch {
      throw problem(place, error)
    }
  }

  /// Why a setting has no secret: `sous.yaml:4:51: the provider 'work' needs a secret for its setting 'password': …`.
  private func problem(_ place: (secret: SecretReference, setting: String), _ error: SecretError) -> PluginError {
    // A server of tokens that is away for a moment is no fault of the configuration.
    let cause = error.code == .temporary ? ActionFailure(.io, error.message) : nil
    if error.code == .untrusted {
      return PluginError(
        .untrusted,
        error.message
          + LocalizedText(
            " (\(secrets.place(of: place.secret)): '\(place.setting)' of the provider '\(provider.name)')",
            de: " (\(secrets.place(of: place.secret)): '\(place.setting)' des Providers '\(provider.name)')"))
    }
    return PluginError(
      error.code == .missing ? .secretMissing : .secretUnavailable,
      LocalizedText(verbatim: secrets.place(of: place.secret) + ": ")
        + LocalizedText(
          "the provider '\(provider.name)' needs a secret for its setting '\(place.setting)': ",
          de: "der Provider '\(provider.name)' braucht ein Geheimnis für seine Einstellung '\(place.setting)': ")
        + error.message, cause: cause)
  }

  private static func joined(_ problems: [PluginError]) -> PluginError? {
    guard var first = problems.first else { return nil }
    first.message = problems.dropFirst().reduce(first.message) { $0 + LocalizedText(verbatim: "\n") + $1.message }
    return first
  }
}

extension SettingValue {
  /// The secrets below, with the setting each is for: `password`, `accounts.0.token`.
  public var secretPlaces: [(secret: SecretReference, setting: String)] {
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
