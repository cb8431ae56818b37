import Engine
public import Expressions
import Localization
import PluginHost
import Recipes

/// What came of trying a provider out.
public struct ProviderTest: Sendable {
  /// The action that was called.
  public let action: String
  /// What it answered.
  public let answer: Value
}

extension Project {
  /// Tries a provider out: calls `ID.test` where its plugin has such an action, otherwise an action that reads and needs no
  /// input (`mail.folders`, `chat.models`).
  ///
  /// - Parameters:
  ///   - provider: The provider's name.
  ///   - timeout: Seconds it may take.
  /// - Throws: ``UseCaseError``: `unknown_provider`; `unsuitable_provider` where the plugin has no such action; with an
  ///   `ActionFailure` as its cause where the provider does not answer well.
  public func test(_ provider: String, timeout: Double) async throws(UseCaseError) -> ProviderTest {
    guard providers.names.contains(provider) else {
      throw UseCaseError(
        .unknownProvider,
        LocalizedText("unknown provider '\(provider)'", de: "unbekannter Provider '\(provider)'")
          + Suggestion.text(for: provider, among: providers.names))
    }
    return try await typed {
      let manifest = try await host.describe(provider)
      guard let action = Self.trial(of: manifest) else {
        throw UseCaseError(
          .unsuitableProvider,
          LocalizedText(
            "the plugin '\(manifest.id)' has no action to try it out with; run a recipe that uses it",
            de:
              "das Plugin '\(manifest.id)' hat keine Aktion, um es zu probieren; ein Rezept ausführen, das es verwendet"
          ))
      }
      let answer = try await call(action, .map([:]), by: provider, timeout: timeout, reporter: SilentReporter())
      return ProviderTest(action: action, answer: answer)
    }
  }

  /// The action that tries a plugin out.
  private static func trial(of manifest: PluginManifest) -> String? {
    let names = Set(manifest.actions.map(\.name))
    return ["\(manifest.id).test", "mail.folders", "chat.models"].first(where: names.contains)
  }
}
