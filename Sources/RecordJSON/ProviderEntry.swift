public import Engine
public import Expressions
public import Localization
import Plans
import Providers
public import UseCases

/// A configured provider, as far as it is known without starting its plugin.
public struct ProviderEntry: Sendable {
  /// The name in `sous.yaml`.
  public let name: String
  /// The id of its plugin; `nil` if it is not known.
  public let plugin: String?
  /// The contracts that it offers.
  public let contracts: [String]
  /// Why it cannot be used; `nil` if nothing is wrong with its settings and its plugin.
  public let problem: LocalizedText?
  /// The model that answers if a call does not name one; `nil` for providers without models.
  public let model: String?
  /// Whether its work is done on this machine or in the private network.
  public let isLocal: Bool
  /// The contracts for which it answers first.
  public let defaultFor: [String]

  /// The provider: `{name, contracts, problem, model, local, default_for}`.
  public func json(in language: Language) -> Value {
    [
      "name": .string(name), "contracts": .list(contracts.map { .string($0) }),
      "problem": .text(problem?.string(in: language)), "model": .text(model), "local": .bool(isLocal),
      "default_for": .list(defaultFor.map { .string($0) }),
    ]
  }
}

extension Project {
  /// The configured providers, in the order of `sous.yaml`. Reads manifests and starts no plugin.
  public var providerEntries: [ProviderEntry] { providers.names.map(entry) }

  private func entry(_ name: String) -> ProviderEntry {
    var contracts: [String] = []
    var problem: LocalizedText?
    do { contracts = try providers.describe(name).contracts } catch { problem = error.message }
    return ProviderEntry(
      name: name, plugin: providers.pluginID(of: name), contracts: contracts, problem: problem,
      model: contracts.contains("chat") ? model(of: name) : nil, isLocal: isLocal(name),
      defaultFor: defaultRoutes.filter { $0.routes.first.map { ProviderRoute($0).provider } == name }.map(\.contract))
  }
}

extension BreakerRecord {
  /// The circuit breaker of a provider: `{provider, state, failures, open_until, last_failure, at}`; `state` is `open`,
  /// `half_open` or `closed`.
  public func json(at now: Timestamp) -> Value {
    [
      "provider": .string(provider),
      "state": .string(isOpen(at: now) ? "open" : openUntil == nil ? "closed" : "half_open"),
      "failures": .number(failures), "open_until": .time(openUntil), "last_failure": .text(lastFailure?.rawValue),
      "at": .time(at),
    ]
  }
}
