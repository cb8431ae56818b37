import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Network
import PluginHost
import Recipes
import RunStore
import Secrets

/// What a configuration makes available to recipes: actions, providers, prompts.
struct Project {
  let configuration: Configuration
  let manifests: ManifestDirectory
  let host: PluginHost
  /// The configured providers, and those that come with Sous.
  let providers: ConfiguredProviders
  /// The secrets of its providers.
  let secrets: ProjectSecrets
  /// When the configuration or a file that secrets come from was last changed; `nil` where there is none.
  let lastChange: Timestamp?
  /// What kept results depend on.
  let resultScopes: ResultScopes
  private let surroundings: BuiltinSurroundings
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
    providers = ConfiguredProviders(configuration: configuration, manifests: manifests)
    resultScopes = ResultScopes(
      configuration, manifests: manifests, vaultChange: Self.changeTime(of: workspace.vault))
    secrets = ProjectSecrets(configuration, vault: workspace.vault, environment: environment)
    lastChange = ([workspace.configurationPath, workspace.vault].compactMap(\.self) + secrets.files)
      .compactMap(Self.changeTime).max()
    // Makes nothing before it is first used.
    let network = NetworkService()
    surroundings = BuiltinSurroundings(
      configuration, workspace, secrets: secrets, manifests: manifests, network: network, environment: environment)
    let builtins = BuiltinActions(surroundings)
    let configurations = providers.hostConfigurations(secrets: secrets)
    hostConfigurations = Dictionary(configurations.map { ($0.name, $0) }) { _, last in last }
    host = PluginHost(
      providers: configurations, searchPath: manifests.searchPath,
      cache: manifests.cache, builtins: builtins, network: network, time: SystemTime(),
      log: { provider, level, message in
        // Lines that belong to a step stand in the run log; these have no other place to go.
        guard level >= .warning else { return }
        writeError("\(provider): \(level.rawValue): \(message)\n")
      })
    var planner = Planner(
      catalog: ActionCatalog(contracts: BundledContract.all) { name in
        name.map { builtins.signature(named: $0).map { [$0] } ?? [] } ?? builtins.signatures
      }, providers: providers,
      configuration: configuration)
    planner.knowHosts(of: configuration)
    self.planner = planner
  }

  /// When a file was last changed; `nil` where there is none.
  private static func changeTime(of path: String) -> Timestamp? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Timestamp(seconds: Int64(found.st_mtim.tv_sec), nanoseconds: Int32(clamping: found.st_mtim.tv_nsec))
  }

  /// Lets plugins and recipes keep state from now on.
  ///
  /// - Parameter store: Where: the run log.
  func use(_ store: RunStore) async {
    await host.use(store)
    surroundings.use(ProviderRecipeState(store) { (run) throws(StorageFailure) in try store.isUnfinished(run) })
  }

  /// What the host makes a provider from.
  func hostConfiguration(of provider: String) -> ProviderConfiguration? { hostConfigurations[provider] }

  /// Reads and checks a recipe.
  func planning(_ path: String) -> Planning {
    do throws(Diagnostic) {
      return planner.plan(try SourceText.read(path))
    } catch {
      return Planning(unreadable: error)
    }
  }

  /// Reads and checks a recipe that is at hand as text.
  ///
  /// - Parameter recipes: The texts of the recipes that it runs, by path; `nil` for those of the files.
  func planning(_ source: SourceText, recipes: [String: String]? = nil) -> Planning {
    guard let recipes else { return planner.plan(source) }
    var planner = planner
    planner.recipes = RecordedRecipes(recipes)
    return planner.plan(source)
  }

  /// The plan of a recipe that is about to run.
  ///
  /// - Throws: ``CommandError`` after what is wrong has been written to standard error.
  func plan(_ path: String) throws(CommandError) -> Plan {
    let planning = planning(path)
    if FormatOptions.isJSONWanted, planning.hasErrors || planning.plan == nil {
      throw CommandError(
        planning.hasErrors ? ExitStatus.wrongInput : ExitStatus.environment,
        LocalizedText("\(path) cannot run as it is", de: "\(path) kann so nicht ausgeführt werden"),
        code: planning.hasErrors ? "invalid_recipe" : planning.providerProblems.first?.code.rawValue,
        diagnostics: planning.diagnostics.map(\.json) + planning.providerProblems.map { $0.json(recipe: path) })
    }
    let report = DiagnosticReport(terminal: Terminal(descriptor: 2))
    if !FormatOptions.isJSONWanted { writeError(report.text(planning)) }
    if planning.hasErrors { throw CommandError(ExitStatus.wrongInput) }
    guard let plan = planning.plan else { throw CommandError(ExitStatus.environment) }
    return plan
  }

  /// Checks a configuration: the file, and the settings of its providers as their plugins want them.
  static func checking(
    configuration path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Planning {
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path)
    } catch {
      return Planning(unreadable: error)
    }
    let (configuration, diagnostics) = Configuration.parse(source)
    let lookup = ConfiguredProviders(
      configuration: configuration,
      manifests: ManifestDirectory(
        searchPath: .standard(project: configuration.pluginPaths, environment: environment),
        cache: .standard(environment: environment)))
    var problems: [ProviderProblem] = []
    var warnings: [Diagnostic] = []
    for name in lookup.names {
      warnings += lookup.literalSecrets(of: name)
      do throws(ProviderProblem) {
        _ = try lookup.describe(name)
      } catch {
        problems.append(error)
      }
    }
    return Planning(diagnostics: diagnostics + warnings, providerProblems: problems, sources: [path: source])
  }

  /// Gets the secrets that a run is bound to need, before it starts.
  ///
  /// With a terminal also those that it may need: whoever has to be asked is asked now.
  ///
  /// - Throws: ``CommandError`` where one that is needed cannot be had.
  func openSecrets(for plan: Plan) throws(CommandError) {
    defer { secrets.endQuestions() }
    try openSecrets(for: plan, isNeeded: true, asksEarly: HiddenEntry.isPossible)
  }

  private func openSecrets(for plan: Plan, isNeeded: Bool, asksEarly: Bool) throws(CommandError) {
    // Which of them a request needs is known when its URL is; who is missing then is told then.
    if asksEarly, plan.steps.contains(where: { $0.action.isBuiltin && $0.action.name.hasPrefix("http.") }) {
      for credential in configuration.http.credentials { _ = try? secrets.value(of: credential.secret) }
    }
    for step in plan.steps {
      // What a run may do without, the second of several providers or a step with a condition, fails when it is used.
      let isNeeded = isNeeded && step.condition == nil
      for (index, name) in step.providers.enumerated() {
        guard isNeeded && index == 0 || asksEarly, let source = hostConfigurations[name]?.secretSource else { continue }
        do throws(PluginError) {
          _ = try source.filledSettings()
        } catch {
          guard isNeeded && index == 0 else { continue }
          throw CommandError(ExitStatus.environment, error.message, code: error.code.rawValue)
        }
      }
      if let child = step.child { try openSecrets(for: child, isNeeded: isNeeded, asksEarly: asksEarly) }
    }
  }

  private static func read(_ path: String?) throws(CommandError) -> Configuration {
    guard let path else { return .empty }
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path)
    } catch {
      throw invalid(path, [error], sources: [:])
    }
    let (configuration, diagnostics) = Configuration.parse(source)
    if diagnostics.contains(where: { $0.severity == .error }) {
      throw invalid(path, diagnostics, sources: [path: source])
    }
    if !FormatOptions.isJSONWanted {
      writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [path: source]))
    }
    return configuration
  }

  /// A configuration that cannot be used: written for people, or in the error for machines.
  private static func invalid(
    _ path: String, _ diagnostics: [Diagnostic], sources: [String: SourceText]
  ) -> CommandError {
    if FormatOptions.isJSONWanted {
      return CommandError(
        ExitStatus.environment, LocalizedText("\(path) cannot be used", de: "\(path) ist nicht brauchbar"),
        code: "invalid_configuration", diagnostics: diagnostics.map(\.json))
    }
    writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: sources))
    return CommandError(ExitStatus.environment)
  }
}

extension Planner {
  /// Lets the planner know which hosts a configuration lets recipes reach.
  mutating func knowHosts(of configuration: Configuration) {
    let access = HTTPAccess(hosts: configuration.http.hosts.map(\.value))
    urlRefusal = { access.refusal(of: $0) }
  }
}
