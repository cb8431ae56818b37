import Localization
import Recipes

extension Project {
  /// Whether one of some providers of `chat` gets neutral texts only, so that what is said to it is not to be kept in clear.
  public func neutralises(_ routes: [String]) -> Bool {
    routes.contains { route in
      configuration.providers.contains { $0.name == ProviderRoute(route).provider && $0.neutralise != nil }
    }
  }

  /// The providers of language models that a command asks, first choice first.
  ///
  /// - Parameter named: The provider that the user names, also with a model: `gpt/gpt-4o`. Without it the defaults of `chat`
  ///   count, then the one configured provider that offers it, then the one that comes with Sous.
  /// - Throws: ``UseCaseError`` where the name is unknown, does not offer `chat`, or several providers offer it.
  public func chatProviders(named: String?) throws(UseCaseError) -> [String] {
    let embedded = providers.embeddedDefault(for: "chat")
    if let route = named {
      let named = ProviderRoute(route).provider
      let names = providers.names.isEmpty ? embedded ?? "" : providers.names.joined(separator: ", ")
      let known = LocalizedText(" (there are: \(names))", de: " (es gibt: \(names))")
      guard providers.names.contains(named) || named == embedded else {
        throw UseCaseError(
          .unknownProvider,
          LocalizedText("unknown provider '\(named)'", de: "unbekannter Provider '\(named)'")
            + Suggestion.text(for: named, among: providers.names) + known)
      }
      guard try offersChat(named) else {
        throw UseCaseError(
          .unsuitableProvider,
          LocalizedText(
            "the provider '\(named)' offers no 'chat'", de: "der Provider '\(named)' bietet kein 'chat' an"))
      }
      return [route]
    }
    if let defaults = configuration.defaults(for: "chat"), !defaults.isEmpty { return defaults }
    let offering = try configuredChatProviders()
    guard offering.count <= 1 else {
      let names = offering.joined(separator: ", ")
      throw UseCaseError(
        .ambiguousProvider,
        LocalizedText(
          "several providers offer 'chat': \(names); name one with --provider, or set a default in sous.yaml",
          de: "mehrere Provider bieten 'chat' an: \(names); einen mit --provider nennen oder in sous.yaml einen "
            + "Standard setzen"))
    }
    return offering.isEmpty ? [embedded].compactMap(\.self) : offering
  }

  /// Every configured provider of language models, in source order; where there is none, the one that comes with Sous.
  ///
  /// - Throws: ``UseCaseError`` where what a provider offers cannot be found out.
  public func allChatProviders() throws(UseCaseError) -> [String] {
    let offering = try configuredChatProviders()
    return offering.isEmpty ? [providers.embeddedDefault(for: "chat")].compactMap(\.self) : offering
  }

  private func configuredChatProviders() throws(UseCaseError) -> [String] {
    var offering: [String] = []
    for name in providers.names where try offersChat(name) { offering.append(name) }
    return offering
  }

  private func offersChat(_ name: String) throws(UseCaseError) -> Bool {
    do throws(ProviderProblem) {
      return try providers.describe(name).contracts.contains("chat")
    } catch {
      var refusal = UseCaseError(UseCaseError.Code(rawValue: error.code.rawValue), error.message)
      if !error.findings.isEmpty {
        refusal.planning = Planning(diagnostics: [], providerProblems: [error], sources: [:])
      }
      throw refusal
    }
  }
}
