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
  /// What the plugin says about every action it carries out, those of contracts included, by name; `nil` where that is
  /// not known, and what the contracts say is taken.
  public var declarations: [String: Declaration]?

  /// The names of the plugin's triggers.
  public var triggers: [String]

  /// What a plugin says about repeating one of its actions.
  public struct Declaration: Sendable, Hashable {
    /// What repeating it would do.
    public var effect: Effect
    /// Whether a result is worth money or much time.
    public var isCostly: Bool

    /// Creates a declaration.
    public init(effect: Effect, isCostly: Bool = false) {
      self.effect = effect
      self.isCostly = isCostly
    }
  }

  /// Creates a description.
  public init(
    name: String, plugin: String, contracts: [String], actions: [ActionSignature] = [],
    declarations: [String: Declaration]? = nil, triggers: [String] = []
  ) {
    self.name = name
    self.plugin = plugin
    self.contracts = contracts
    self.actions = actions
    self.declarations = declarations
    self.triggers = triggers
  }
}
