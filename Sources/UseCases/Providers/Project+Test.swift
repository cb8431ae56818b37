import Engine
public import Expressions
import Localization
import PluginHost
import Providers

/// What came of trying a provider out.
public struct ProviderTest: Sendable {
  /// The action that was called.
  public let action: String
  /// What it answered.
  public let answer: Value
}

extension Project {
  /// Checks the name of a provider that a person has typed.
  ///
  /// - Throws: ``UseCaseError`` with code `unknown_provider` and the nearest name.
  package func checkIsKnown(_ provider: String) throws(UseCaseError) {
    guard !providers.names.contains(provider) else { return }
    throw .unknownProvider(provider, among: providers.names)
  }

  /// Tries a provider out: calls `ID.test` where its plugin has such an action, otherwise an action that reads and needs no
  /// input (`mail.folders`, `chat.models`).
  ///
  /// - Parameters:
  ///   - provider: The provider's name.
  ///   - timeout: Seconds it may take.
  /// - Throws: ``UseCaseError``: `unknown_provider`; `unsuitable_provider` where the plugin has no such action; with an
  ///   `ActionFailure` as its cause where the provider does not answer well.
  public func test(_ provider: String, timeout: Double) async throws(UseCaseError) -> ProviderTest {
    try checkIsKnown(provider)
    return try await mapErrors {
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
      if action == "chat.models", let missing = missingModel(of: provider, among: answer) { throw missing }
      return ProviderTest(action: action, answer: answer)
    }
  }

  /// Why a provider's own model cannot be asked: it is not among those that there are; `nil` where it is, or where the service
  /// does not list them.
  private func missingModel(of provider: String, among answer: Value) -> ActionFailure? {
    let known = answer["models"]?.listValue?.compactMap { $0["id"]?.stringValue } ?? []
    guard let model = model(of: provider), !known.isEmpty else { return nil }
    // Ollama: a name without a tag means the tag 'latest'.
    guard !known.contains(model), !known.contains(model + ":latest") else { return nil }
    let list = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
    return ActionFailure(
      .notFound,
      LocalizedText(
        "the model '\(model)' is not there", de: "das Modell '\(model)' ist nicht da"),
      advice: LocalizedText(
        "set 'model' of the provider '\(provider)' in sous.yaml to one of these: \(list)",
        de: "'model' des Providers '\(provider)' in sous.yaml auf eines von diesen setzen: \(list)"))
  }

  /// Tries several providers out at once.
  ///
  /// - Parameter timeout: Seconds that each may take.
  /// - Returns: What came of each, in the order of the names.
  public func test(
    all names: [String], timeout: Double
  ) async -> [(provider: String, outcome: Result<ProviderTest, UseCaseError>)] {
    await withTaskGroup(of: (Int, Result<ProviderTest, UseCaseError>).self) { group in
      for (place, name) in names.enumerated() {
        group.addTask { (place, await outcome(of: name, timeout: timeout)) }
      }
      var outcomes: [(Int, Result<ProviderTest, UseCaseError>)] = []
      for await outcome in group { outcomes.append(outcome) }
      return outcomes.sorted { $0.0 < $1.0 }.map { (names[$0.0], $0.1) }
    }
  }

  private func outcome(of name: String, timeout: Double) async -> Result<ProviderTest, UseCaseError> {
    do throws(UseCaseError) {
      return .success(try await test(name, timeout: timeout))
    } catch {
      return .failure(error)
    }
  }

  /// The action that tries a plugin out.
  private static func trial(of manifest: PluginManifest) -> String? {
    let names = Set(manifest.actions.map(\.name))
    return ["\(manifest.id).test", "mail.folders", "chat.models"].first(where: names.contains)
  }
}
