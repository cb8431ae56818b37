import Access
import Engine
import Expressions
import Localization
import PluginBoundary
import PluginHost
import PluginStore
import Providers
import RecordJSON
import RunStore
import UseCases

/// Operations on providers and plugins.
enum ProviderRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, show, test, models, listPlugins, showPlugin]

  private static let list = Route(
    .get, "/providers", "listProviders", "List the configured providers and whether they are ready; none is started.",
    de: "Die konfigurierten Provider auflisten, und ob sie bereit sind; keiner wird gestartet.",
    .may(.read, .providers),
    answers: [.json(S.page(S.named("Provider")))]
  ) { request in .page(try await entries(request)) }

  private static let show = Route(
    .get, "/providers/{provider}", "showProvider", "Show a configured provider.",
    de: "Einen konfigurierten Provider zeigen.",
    .may(.read, .providers), answers: [.json(S.named("Provider"))]
  ) { request in
    let name = request.name("provider")
    guard let entry = try await entries(request).first(where: { $0["name"]?.stringValue == name }) else {
      throw Problem.notFound(LocalizedText("provider", de: "Provider"), name)
    }
    return .json(entry)
  }

  /// The configured providers with their circuit breakers.
  private static func entries(_ request: APIRequest) async throws -> [Value] {
    try request.require(.read, .providers)
    let (project, now) = (request.services.session.project, SystemTime().now)
    let breakers = Dictionary(
      try await request.services.store.breakers().map { ($0.provider, $0) }, uniquingKeysWith: { first, _ in first })
    let entries = try await request.blocking { project.providerEntries }
    return entries.map { entry in
      let breaker = breakers[entry.name]
      var map = entry.json(in: request.language).mapValue ?? [:]
      map["plugin"] = .text(entry.plugin)
      map["ready"] = .bool(entry.problem == nil && breaker?.isOpen(at: now) != true)
      map["breaker"] = breaker?.json(at: now) ?? .null
      return .map(map)
    }
  }

  /// The name of the configured provider that the path names.
  private static func name(_ verb: AccessVerb, _ request: APIRequest) throws -> String {
    try request.require(verb, .providers)
    let name = request.name("provider")
    guard request.services.session.project.providers.names.contains(name) else {
      throw Problem.notFound(LocalizedText("provider", de: "Provider"), name)
    }
    return name
  }

  /// Seconds that a provider may take for an answer.
  private static let timeout = 20.0

  private static let test = Route(
    .post, "/providers/{provider}/test", "testProvider", "Try a provider: connect and sign in, change nothing.",
    de: "Einen Provider probieren: verbinden und anmelden, nichts ändern.", .may(.update, .providers),
    answers: [.json(S.named("ProviderTest"))], repetition: .harmless
  ) { request in
    let name = try name(.update, request)
    let project = request.services.session.project
    let outcome = await project.test(all: [name], timeout: timeout).first?.outcome
    return .json(outcome?.json(of: name, in: request.language) ?? .null)
  }

  private static let models = Route(
    .get, "/providers/{provider}/models", "listModels", "The models of a provider; it is asked.",
    de: "Die Modelle eines Providers; er wird gefragt.", .may(.read, .providers),
    answers: [.json(S.page(S.named("Model")))]
  ) { request in
    let name = try name(.read, request)
    let project = request.services.session.project
    guard
      try await request.blocking({ project.providerEntries })
        .contains(where: { $0.name == name && $0.contracts.contains("chat") })
    else {
      throw Problem(
        409, UseCaseError.Code.unsuitableProvider.rawValue, "the provider '\(name)' has no models",
        de: "der Provider '\(name)' hat keine Modelle")
    }
    switch await project.models(of: [name], timeout: timeout).first?.models {
    case .success(let models): return .page(models)
    case .failure(let failure): throw Problem(503, failure.kind.rawValue, UseCaseError(failure).trouble)
    case nil: return .page([])
    }
  }

  // MARK: - Plugins

  private static let listPlugins = Route(
    .get, "/plugins", "listPlugins", "List the installed plugins.", de: "Die installierten Plugins auflisten.",
    .may(.read, .plugins), answers: [.json(S.page(S.named("Plugin")))]
  ) { request in
    try request.require(.read, .plugins)
    let (project, language) = (request.services.session.project, request.language)
    let plugins = await project.host.installedPlugins()
    return .page(
      try await request.blocking {
        try plugins.map { plugin in
          let found = try project.trust.locks.state(ofLibraryAt: plugin.path, id: plugin.id, origin: plugin.origin)
          return plugin.json(lock: found.state, source: found.entry?.source, in: language)
        }
      })
  }

  private static let showPlugin = Route(
    .get, "/plugins/{plugin}", "showPlugin", "Show what a plugin offers and what it can reach.",
    de: "Zeigen, was ein Plugin anbietet und was es erreicht.", .may(.read, .plugins),
    answers: [.json(S.named("PluginDetail"))]
  ) { request in
    try request.require(.read, .plugins)
    let (id, project, language) = (request.name("plugin"), request.services.session.project, request.language)
    // A path would open a library of the caller's choice.
    guard project.manifests.searchPath.ids.contains(id) else {
      throw Problem.notFound(LocalizedText("plugin", de: "Plugin"), id)
    }
    return .json(try await request.blocking { try PluginDetail(id, in: project).json(in: language) })
  }
}
