public import Builtins
import Engine
public import Expressions
import Foundation
import Glibc
import Localization
package import Networking
public import Plans
import PluginBoundary
public import PluginHost
public import Providers
public import RecipeModel
public import RecipePlanning
package import RecipeSyntax
import Schemas
import Secrets

/// What the configuration of a workspace makes available to recipes: actions, providers, prompts.
public struct Project: Sendable {
  /// Where it is.
  public let workspace: Workspace
  /// What `sous.yaml` says.
  public let configuration: Configuration
  /// Finds plugins and reads their manifests. An unknown plugin is opened in a child process, which blocks the caller.
  public let manifests: ManifestDirectory
  /// Decides what the configuration may run, connect to and read without a question.
  public let trust: WorkspaceTrust
  /// Opens its providers.
  public private(set) var host: PluginHost
  /// The configured providers, and those that come with Sous.
  public let providers: ConfiguredProviders
  /// The secrets of its providers.
  public let secrets: ProjectSecrets
  /// When the configuration or a file that secrets come from was last changed; `nil` where there is none.
  public let lastChange: Timestamp?
  /// What kept results depend on.
  let resultScopes: ResultScopes
  /// The plans whose runs hold personal data.
  let privatePlans = PrivatePlans()
  /// The network, for all that is not a plugin's own.
  package let network: NetworkService
  package let surroundings: BuiltinSurroundings
  package let planner: Planner
  private let hostConfigurations: [String: ProviderConfiguration]
  private let makeHost: @Sendable (BuiltinActions, (any ProviderStorage)?, NetworkService) -> PluginHost

  /// Reads the configuration and prepares its providers. Opens no plugin.
  ///
  /// - Throws: ``UseCaseError`` with code `invalid_configuration` and all that is wrong with it.
  public init(_ workspace: Workspace) throws(UseCaseError) {
    self.workspace = workspace
    let (environment, events) = (workspace.surroundings.environment, workspace.surroundings.events)
    configuration = try Self.read(workspace)
    trust = WorkspaceTrust(configuration, workspace.surroundings)
    manifests = ManifestDirectory(
      searchPath: trust.searchPath, cache: .standard(environment: environment), gate: trust.gate)
    try trust.ask(workspace.surroundings.trustQuestion, manifests)
    providers = ConfiguredProviders(configuration: configuration, manifests: manifests)
    resultScopes = ResultScopes(
      configuration, manifests: manifests, vaultMark: VaultMark(path: workspace.vault).text)
    // Makes nothing before it is first used.
    let network = NetworkService()
    self.network = network
    secrets = ProjectSecrets(configuration, workspace, trust: trust, manifests: manifests, network: network)
    lastChange = ([workspace.configurationPath, workspace.vault].compactMap(\.self) + secrets.files)
      .compactMap(Self.changeTime).max()
    surroundings = BuiltinSurroundings(
      configuration, workspace, secrets: secrets, manifests: manifests, network: network)
    let builtins = BuiltinActions(surroundings)
    let configurations = providers.hostConfigurations(secrets: secrets, fence: surroundings.fence)
    hostConfigurations = Dictionary(configurations.map { ($0.name, $0) }) { _, last in last }
    let protected = workspace.ownPlaces + secrets.files + configuration.pluginPaths
    let separated: Set<String> = workspace.surroundings.isolatesMail ? ["mail.store", "mail.transport"] : []
    makeHost = { [manifests] builtins, storage, network in
      PluginHost(
        providers: configurations, searchPath: manifests.searchPath, cache: manifests.cache, gate: manifests.gate,
        builtins: builtins, storage: storage, network: network, time: SystemTime(), protected: protected,
        separated: separated,
        log: { provider, level, message in
          // Lines that belong to a step are kept in the run log; these have no other place to go.
          guard level >= .warning else { return }
          events(.provider(provider, level, message: message))
        })
    }
    host = makeHost(builtins, nil, network)
    var planner = Planner(
      catalog: ActionCatalog(contracts: BundledContract.all) { name in
        name.map { builtins.signature(named: $0).map { [$0] } ?? [] } ?? builtins.signatures
      }, providers: providers,
      configuration: configuration)
    planner.knowHosts(of: configuration)
    let fence = surroundings.fence
    planner.pathRefusal = { fence.refusal(of: $0, isChanged: $1)?.message }
    planner.hasVariable = { environment[$0] != nil }
    planner.prompts.language = workspace.surroundings.language
    self.planner = planner
  }

  /// The project with a host whose plugins keep their state in `storage`.
  ///
  /// - Parameter isTemporary: Whether the host is closed while the project goes on. It has a network of its own then: a host
  ///   closes its network, which would end that of a daemon.
  package func keeping(
    in storage: any ProviderStorage, _ builtins: BuiltinActions? = nil, isTemporary: Bool = false
  ) -> Project {
    var project = self
    project.host = makeHost(
      builtins ?? BuiltinActions(surroundings), storage, isTemporary ? NetworkService() : network)
    return project
  }

  /// Works with a project whose plugins keep their state in `storage`, and closes these plugins.
  package func keeping<Answer>(
    in storage: any ProviderStorage, _ body: (Project) async throws -> Answer
  ) async throws -> Answer {
    let open = keeping(in: storage, isTemporary: true)
    do {
      let answer = try await body(open)
      _ = await open.host.shutdown()
      return answer
    } catch {
      _ = await open.host.shutdown()
      throw error
    }
  }

  /// The programs that steps have started, also those that outlived their Sous process.
  var programs: ProgramRegister { surroundings.programs }

  /// When a file was last changed; `nil` where there is none.
  private static func changeTime(of path: String) -> Timestamp? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Timestamp(seconds: Int64(found.st_mtim.tv_sec), nanoseconds: Int32(clamping: found.st_mtim.tv_nsec))
  }

  /// Where the plugins of the configured providers are found just now, as a text that tells whether that has changed.
  var pluginPlaces: String {
    let places = hostConfigurations.map { name, provider in
      "\(name) \((try? manifests.searchPath.locate(provider.plugin)) ?? "")"
    }
    return places.sorted().joined(separator: "\n")
  }

  /// Refuses paths that lead to files of Sous itself.
  public var fence: PathFence { surroundings.fence }

  /// What the host makes a provider from.
  public func hostConfiguration(of provider: String) -> ProviderConfiguration? { hostConfigurations[provider] }

  /// Reads and checks a recipe.
  public func planning(_ path: String) -> Planning {
    do throws(Diagnostic) {
      return noting(planner.plan(try SourceText.read(workspace.surroundings.resolve(path))))
    } catch {
      return Planning(unreadable: error)
    }
  }

  /// Reads and checks a recipe that is at hand as text.
  ///
  /// - Parameters:
  ///   - origin: Where the text comes from.
  ///   - recipes: The texts of the recipes that it runs, by path; `nil` for those of the files.
  package func planning(_ source: SourceText, from origin: RecipeOrigin, recipes: [String: String]? = nil) -> Planning {
    var planner = planner
    if let recipes { planner.recipes = RecordedRecipes(recipes) }
    var planning = noting(planner.plan(source))
    planning.plan?.origin = origin
    return planning
  }

  /// Reads and checks a recipe that is at hand as text, and that runs recipes of another source than the file system.
  package func planning(_ source: SourceText, with recipes: any RecipeSource) -> Planning {
    var planner = planner
    planner.recipes = recipes
    var planning = noting(planner.plan(source))
    planning.plan?.origin = .file
    return planning
  }

  /// The recipe of a run as the run log has it; if the run log has no text, the file as it is now.
  func planning(of start: RunStart) -> Planning {
    guard let text = start.source else { return planning(start.path) }
    return planning(SourceText(path: start.path, text: text), from: start.recipeOrigin, recipes: start.recipes)
  }

  /// The plan of a recipe that is about to run.
  ///
  /// - Parameter path: The recipe's file, or the name of a recipe in the served folders if no such file exists.
  /// - Throws: ``UseCaseError`` with all that is wrong: code `invalid_recipe`, or that of the first problem with a provider.
  public func plan(_ path: String) throws(UseCaseError) -> Plan {
    let path = try recipeFile(path)
    let planning = planning(path)
    guard !planning.hasErrors, let plan = planning.plan else {
      let problem = planning.providerProblems.first.map { UseCaseError.Code(rawValue: $0.code.rawValue) }
      var error = UseCaseError(
        planning.hasErrors ? .invalidRecipe : problem ?? .environment,
        LocalizedText("\(path) cannot run as it is", de: "\(path) kann so nicht ausgeführt werden"))
      (error.planning, error.recipe) = (planning, path)
      throw error
    }
    if !planning.diagnostics.isEmpty || !planning.providerProblems.isEmpty {
      workspace.surroundings.events(.warnings(planning))
    }
    return plan
  }

  /// The plugins that a configuration finds; untrusted ones are listed but not opened.
  public static func manifests(of configuration: Configuration, _ surroundings: Surroundings) -> ManifestDirectory {
    let trust = WorkspaceTrust(configuration, surroundings)
    return ManifestDirectory(
      searchPath: trust.searchPath, cache: .standard(environment: surroundings.environment), gate: trust.gate)
  }

  /// Checks a configuration: the file, and the settings of its providers as their plugins want them.
  public static func checking(configuration path: String, _ surroundings: Surroundings) -> Planning {
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(surroundings.resolve(path))
    } catch {
      return Planning(unreadable: error)
    }
    let (configuration, diagnostics) = Configuration.parse(source)
    let lookup = ConfiguredProviders(
      configuration: configuration, manifests: manifests(of: configuration, surroundings))
    var problems: [ProviderProblem] = []
    var warnings: [Diagnostic] = []
    for name in lookup.names {
      warnings += lookup.literalSecrets(of: name) + lookup.missingFences(of: name)
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
  /// With ``Surroundings/asksEarly`` also those that it may need; nobody is asked for anything after that.
  ///
  /// - Throws: ``UseCaseError`` where one that is needed cannot be had.
  package func openSecrets(for plan: Plan) throws(UseCaseError) {
    defer { secrets.endQuestions() }
    try openSecrets(for: plan, isNeeded: true, asksEarly: workspace.surroundings.asksEarly)
  }

  private func openSecrets(for plan: Plan, isNeeded: Bool, asksEarly: Bool) throws(UseCaseError) {
    // Which of them a request needs is known when its URL is; who is missing then is told then.
    if asksEarly, plan.steps.contains(where: { $0.action.isBuiltin && $0.action.name.hasPrefix("http.") }) {
      for credential in configuration.http.credentials { _ = try? secrets.value(of: credential.secret) }
    }
    for step in plan.steps {
      // What a run may do without, the second of several providers or a step with a condition, fails when it is used.
      let isNeeded = isNeeded && step.condition == nil
      for name in step.input.secretNames where isNeeded || asksEarly { _ = try? secrets.value(named: name) }
      for (index, name) in step.providers.enumerated() {
        guard isNeeded && index == 0 || asksEarly,
          let source = hostConfigurations[ProviderRoute(name).provider]?.secretSource
        else { continue }
        do throws(PluginError) {
          _ = try source.filledSettings()
        } catch {
          // What is away for a moment may be there when the step begins, which is tried again.
          guard isNeeded && index == 0, error.cause == nil else { continue }
          throw UseCaseError(error)
        }
      }
      if let child = step.child { try openSecrets(for: child, isNeeded: isNeeded, asksEarly: asksEarly) }
    }
  }

  private static func read(_ workspace: Workspace) throws(UseCaseError) -> Configuration {
    guard let path = workspace.configurationPath else { return .empty }
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path)
    } catch {
      throw invalid(path, Planning(unreadable: error))
    }
    let (configuration, diagnostics) = Configuration.parse(source)
    let findings = Planning(diagnostics: diagnostics, sources: [path: source])
    if findings.hasErrors { throw invalid(path, findings) }
    if !diagnostics.isEmpty { workspace.surroundings.events(.warnings(findings)) }
    return configuration
  }

  /// A configuration that cannot be used.
  private static func invalid(_ path: String, _ findings: Planning) -> UseCaseError {
    var error = UseCaseError(
      .invalidConfiguration, LocalizedText("\(path) cannot be used", de: "\(path) ist nicht brauchbar"))
    error.planning = findings
    return error
  }
}

extension Planner {
  /// Lets the planner know which hosts a configuration lets recipes reach.
  public mutating func knowHosts(of configuration: Configuration) {
    let access = HTTPAccess(hosts: configuration.http.hosts.map(\.value))
    urlRefusal = { access.refusal(of: $0) }
  }
}
