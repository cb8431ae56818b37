/// Tells what configured providers offer. A plugin is looked at only when a step needs to know.
public protocol ProviderLookup: Sendable {
  /// The names of the configured providers, in the order of the configuration.
  var names: [String] { get }

  /// The id of a provider's plugin as the configuration names it, without looking at the plugin; `nil` where it names a
  /// file.
  func pluginID(of name: String) -> String?

  /// What a provider offers.
  ///
  /// - Throws: ``ProviderProblem`` where its plugin is missing or broken.
  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription

  /// The provider that answers for a contract when nobody configured does; `nil` where Sous brings none.
  func embeddedDefault(for contract: String) -> String?
}

/// No provider at all.
public struct NoProviders: ProviderLookup {
  /// Creates the lookup.
  public init() {}

  /// None.
  public var names: [String] { [] }

  /// None.
  public func pluginID(of name: String) -> String? { nil }

  /// Always throws a problem with the code `provider_missing`.
  public func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    throw ProviderProblem.missing(name)
  }

  /// None.
  public func embeddedDefault(for contract: String) -> String? { nil }
}
