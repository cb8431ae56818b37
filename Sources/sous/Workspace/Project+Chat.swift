import Localization
import Recipes

extension Project {
  /// The providers of language models that a command asks, first choice first.
  ///
  /// - Parameter named: The provider that the user names; without it the defaults of `chat` count, then the one
  ///   configured provider that offers it, then the one that comes with Sous.
  /// - Throws: ``CommandError`` where the name is unknown, does not offer `chat`, or several providers offer it.
  func chatProviders(named: String?) throws(CommandError) -> [String] {
    let embedded = providers.embeddedDefault(for: "chat")
    if let named {
      let names = providers.names.isEmpty ? embedded ?? "" : providers.names.joined(separator: ", ")
      let known = LocalizedText(" (there are: \(names))", de: " (es gibt: \(names))")
      guard providers.names.contains(named) || named == embedded else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText("unknown provider '\(named)'", de: "unbekannter Provider '\(named)'")
            + Suggestion.text(for: named, among: providers.names) + known,
          code: "unknown_provider")
      }
      guard try offersChat(named) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "the provider '\(named)' offers no 'chat'", de: "der Provider '\(named)' bietet kein 'chat' an"),
          code: "unsuitable_provider")
      }
      return [named]
    }
    if let defaults = configuration.defaults(for: "chat"), !defaults.isEmpty { return defaults }
    let offering = try configuredChatProviders()
    guard offering.count <= 1 else {
      let names = offering.joined(separator: ", ")
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "several providers offer 'chat': \(names); name one with --provider, or set a default in sous.yaml",
          de: "mehrere Provider bieten 'chat' an: \(names); nenne einen mit --provider oder setze in sous.yaml einen "
            + "Standard"),
        code: "ambiguous_provider")
    }
    return offering.isEmpty ? [embedded].compactMap(\.self) : offering
  }

  /// Every configured provider of language models, in source order; where there is none, the one that comes with Sous.
  ///
  /// - Throws: ``CommandError`` where what a provider offers cannot be found out.
  func allChatProviders() throws(CommandError) -> [String] {
    let offering = try configuredChatProviders()
    return offering.isEmpty ? [providers.embeddedDefault(for: "chat")].compactMap(\.self) : offering
  }

  private func configuredChatProviders() throws(CommandError) -> [String] {
    var offering: [String] = []
    for name in providers.names where try offersChat(name) { offering.append(name) }
    return offering
  }

  private func offersChat(_ name: String) throws(CommandError) -> Bool {
    do throws(ProviderProblem) {
      return try providers.describe(name).contracts.contains("chat")
    } catch {
      let values = error.findings.map(\.json)
      guard !error.findings.isEmpty, !FormatOptions.isJSONWanted else {
        throw CommandError(ExitStatus.environment, error.message, code: error.code.rawValue, diagnostics: values)
      }
      let report = DiagnosticReport(terminal: Terminal(descriptor: 2))
      writeError(report.text(Planning(diagnostics: [], providerProblems: [error], sources: [:])))
      throw CommandError(ExitStatus.environment, code: error.code.rawValue)
    }
  }
}
