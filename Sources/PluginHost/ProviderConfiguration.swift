public import Expressions

/// One entry under `providers:` in `sous.yaml`.
public struct ProviderConfiguration: Sendable {
  /// The provider's name.
  public var name: String
  /// The plugin that carries its actions out.
  public var plugin: PluginReference
  /// What stands beside `plugin:`, a map.
  public var settings: Value

  /// Creates a configuration.
  public init(name: String, plugin: PluginReference, settings: Value = .map([:])) {
    self.name = name
    self.plugin = plugin
    self.settings = settings
  }
}
