public import Engine
public import Expressions
import PluginHost
import Providers

extension Project {
  /// Calls an action of a provider outside of any run, when its `concurrency` and `rate` allow. Nothing of it is counted or
  /// kept; calls of models that cost go through a session's `providers`.
  ///
  /// - Parameters:
  ///   - action: The action: `chat.complete`.
  ///   - input: What it is given.
  ///   - provider: The provider's name, or the text of a `ProviderRoute`.
  ///   - key: What makes a second call of an action with an effect the same one; `nil` for a new effect.
  ///   - timeout: Seconds it may take; `nil` where the action's own limit counts.
  ///   - reporter: Takes what it reports on the way.
  /// - Throws: `ActionFailure`, as the provider reports it or if it cannot be opened; also for an empty or truncated answer of a
  ///   model.
  public func call(
    _ action: String, _ input: Value, by provider: String, key: String? = nil, timeout: Double? = nil,
    reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    try await plugins.call(action, input, by: provider, key: key, timeout: timeout, reporter: reporter)
  }

  /// The models that each of several providers has, asked for at once.
  ///
  /// - Parameter timeout: Seconds that each may take.
  /// - Returns: What each has answered, in the order of the names.
  public func models(of providers: [String], timeout: Double) async -> [ModelListing] {
    await withTaskGroup(of: (Int, ModelListing).self) { group in
      for (place, name) in providers.enumerated() {
        group.addTask {
          do throws(ActionFailure) {
            let output = try await call(
              "chat.models", .map([:]), by: name, timeout: timeout, reporter: SilentReporter())
            return (place, ModelListing(provider: name, models: .success(output["models"]?.listValue ?? [])))
          } catch {
            return (place, ModelListing(provider: name, models: .failure(error)))
          }
        }
      }
      var listings: [(Int, ModelListing)] = []
      for await listing in group { listings.append(listing) }
      return listings.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// The models that one provider has, or why it has not answered.
public struct ModelListing: Sendable {
  /// The provider's name.
  public let provider: String
  /// The models as `chat.models` gives them.
  public let models: Result<[Value], ActionFailure>
}
