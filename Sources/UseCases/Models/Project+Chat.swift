public import Expressions
import Localization
import Plans
import Providers
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Schemas

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

  /// The provider that answered last in a conversation, with its model. No default replaces it, because the provider gets the
  /// whole conversation.
  ///
  /// - Parameters:
  ///   - conversation: The conversation to continue.
  ///   - model: The model that the user names; it replaces that of the conversation.
  /// - Returns: One route, such as `gpt/gpt-4o`; before the first answer the providers of a new conversation.
  /// - Throws: ``UseCaseError`` with code `unknown_provider` if that provider no longer offers `chat`, or
  ///   `unsuitable_provider` if it was in the private network and is not any more.
  public func chatProviders(continuing conversation: Conversation, model: String?) throws(UseCaseError) -> [String] {
    guard let last = conversation.lastAnswer else { return try chatProviders(named: nil) }
    var route = ProviderRoute(last.provider)
    if let model, !model.isEmpty { route.model = nil }
    let number = conversation.number.map { " \($0)" } ?? ""
    let others = providers.names.filter { $0 != route.provider }
    let remedy = LocalizedText(
      "\n  'sous chat --continue\(number) --provider NAME' sends the whole conversation to another provider; 'sous chat --new' "
        + "starts a new one",
      de:
        "\n  'sous chat --continue\(number) --provider NAME' schickt das ganze Gespräch an einen anderen Provider; "
        + "'sous chat --new' beginnt ein neues")
    let isThere =
      providers.names.contains(route.provider) || providers.embeddedDefault(for: "chat") == route.provider
    guard isThere, try offersChat(route.provider) else {
      throw UseCaseError(
        .unknownProvider,
        LocalizedText(
          "the conversation\(number) was with '\(route.provider)', which does not offer 'chat' here any more",
          de: "das Gespräch\(number) war mit '\(route.provider)', das hier kein 'chat' mehr anbietet")
          + Suggestion.text(for: route.provider, among: others) + remedy)
    }
    if last.settings?["local"]?.boolValue == true, let reason = providers.remoteness(of: route.provider) {
      throw UseCaseError(
        .unsuitableProvider,
        LocalizedText(
          "the conversation\(number) stayed in your network, but '\(route.provider)' is not there any more: ",
          de: "das Gespräch\(number) blieb im eigenen Netz, aber '\(route.provider)' ist nicht mehr darin: ")
          + reason
          + LocalizedText(
            "\n  'sous chat --continue\(number) --provider \(route.provider)' sends the whole conversation there anyway",
            de:
              "\n  'sous chat --continue\(number) --provider \(route.provider)' schickt das ganze Gespräch trotzdem dorthin"
          )
      )
    }
    return [route.text]
  }

  /// The settings of an answer that the next turn of the conversation uses too: `{local, model, task, temperature}`.
  ///
  /// - Parameters:
  ///   - route: The route that answered.
  ///   - input: The input of `chat.complete`.
  public func chatSettings(of route: String, input: Value) -> ValueMap {
    let route = ProviderRoute(route)
    let model = providers.model(of: route, action: "chat.complete", input: input)
    let isLocal =
      providers.remoteness(of: route.provider) == nil && !model.hasSuffix("-cloud") && !model.hasSuffix(":cloud")
    var settings: ValueMap = ["local": .bool(isLocal)]
    if !model.isEmpty { settings["model"] = .string(model) }
    for name in ["task", "temperature"] { if let value = input[name] { settings[name] = value } }
    return settings
  }

  /// Every configured provider of language models, in source order; where there is none, the one that comes with Sous.
  ///
  /// - Throws: ``UseCaseError`` where what a provider offers cannot be found out.
  public func allChatProviders() throws(UseCaseError) -> [String] {
    let offering = try configuredChatProviders()
    return offering.isEmpty ? [providers.embeddedDefault(for: "chat")].compactMap(\.self) : offering
  }

  /// Those of some providers that answer a prompt. A provider without a language model carries out some tasks only.
  ///
  /// - Parameters:
  ///   - routes: The providers, first choice first, such as `gpt/gpt-4o`.
  ///   - task: The task of the prompt; `nil` for a prompt without one, as people ask it.
  /// - Returns: The routes in their order, at least one.
  /// - Throws: ``UseCaseError`` with code `unsuitable_provider` if none of them does; it says what to configure.
  public func answering(_ routes: [String], task: String?) throws(UseCaseError) -> [String] {
    let fit = routes.filter { answers(ProviderRoute($0).provider, task) }
    guard fit.isEmpty else { return fit }
    let names = routes.map { "'\(ProviderRoute($0).provider)'" }.joined(separator: ", ")
    let others = try allChatProviders().filter { answers($0, task) }
    let remedy =
      others.isEmpty
      ? LocalizedText(
        "configure one, for example 'providers: { local: { plugin: ollama } }' and 'defaults: { chat: local }' in sous.yaml",
        de:
          "eines einrichten, etwa 'providers: { local: { plugin: ollama } }' und 'defaults: { chat: local }' in sous.yaml"
      )
      : LocalizedText(
        "choose one of the others: \(others.joined(separator: ", "))",
        de: "einen der anderen wählen: \(others.joined(separator: ", "))")
    throw UseCaseError(
      .unsuitableProvider,
      (routes.isEmpty
        ? LocalizedText("no language model is configured: ", de: "kein Sprachmodell ist eingerichtet: ")
        : LocalizedText("\(names) has no language model: ", de: "\(names) hat kein Sprachmodell: ")) + remedy)
  }

  /// Whether a provider of `chat` carries out a task; those whose plugin names no tasks carry out all.
  ///
  /// - Parameter task: `nil` for a prompt without a task.
  private func answers(_ provider: String, _ task: String?) -> Bool {
    guard let description = try? providers.describe(provider) else { return true }
    guard let tasks = description.declarations?["chat.complete"]?.tasks else { return true }
    return task.map { tasks.contains($0) } ?? false
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
