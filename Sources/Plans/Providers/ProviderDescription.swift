/// The offer of a configured provider, as the manifest of its plugin says.
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

  /// Whether its plugin connects to hosts; `true` if unknown.
  public var reachesNetwork = true

  /// Whether Sous itself carries its actions out and keeps what they give: the inbox of notices, notes.
  public var isOwn = false

  /// The names of the plugin's triggers.
  public var triggers: [String]

  /// The statements of a plugin about one of its actions, beside its shape.
  public struct Declaration: Sendable, Hashable {
    /// The effect of a repetition.
    public var effect: Effect
    /// Whether a result is worth money or much time.
    public var isCostly: Bool
    /// The values of the input's `task` that it carries out; `nil` where it carries out every one, and none at all.
    public var tasks: [String]?

    /// Creates a declaration.
    public init(effect: Effect, isCostly: Bool = false, tasks: [String]? = nil) {
      self.effect = effect
      self.isCostly = isCostly
      self.tasks = tasks
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
