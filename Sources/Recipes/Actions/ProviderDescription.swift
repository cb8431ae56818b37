/// What a configured provider offers, as the manifest of its plugin says.
public struct ProviderDescription: Sendable {
  /// The provider's name in the configuration.
  public var name: String
  /// The id of its plugin.
  public var plugin: String
  /// The contracts it provides.
  public var contracts: [String]
  /// The actions that only its plugin has.
  public var actions: [ActionSignature]

  /// Creates a description.
  public init(name: String, plugin: String, contracts: [String], actions: [ActionSignature] = []) {
    self.name = name
    self.plugin = plugin
    self.contracts = contracts
    self.actions = actions
  }
}
