public import Expressions

/// One entry under `providers:` in `sous.yaml`.
public struct ProviderConfiguration: Sendable {
  /// The provider's name.
  public var name: String
  /// The plugin that carries its actions out.
  public var plugin: PluginReference
  /// What stands beside `plugin:`, a map.
  public var settings: Value
  /// Whether the plugin runs inside Sous; `nil` for what suits where the plugin comes from.
  public var isolation: Isolation?
  /// What a worker process of the plugin may use.
  public var limits = IsolationLimits()
  /// The values of the secrets among the settings: they are taken out of whatever the plugin says.
  public var secrets: [String] = []
  /// Secrets that the settings name and that are not there; the provider cannot be opened without them.
  public var missingSecrets: [MissingSecret] = []
  /// The folder, as a way to see paths from it, of the file that the settings stand in; applied to the setting `path` and
  /// to those whose schema has `"format": "path"`.
  public var resolvePath: (@Sendable (String) -> String)?

  /// A secret that is not there.
  public struct MissingSecret: Sendable, Hashable {
    /// The environment variable that should hold it.
    public var variable: String
    /// The setting it is for: `password`, `accounts.0.token`.
    public var setting: String

    /// Creates a note of a missing secret.
    public init(variable: String, setting: String) {
      self.variable = variable
      self.setting = setting
    }
  }

  /// Creates a configuration.
  public init(name: String, plugin: PluginReference, settings: Value = .map([:])) {
    self.name = name
    self.plugin = plugin
    self.settings = settings
  }
}

extension ProviderConfiguration {
  /// The settings with their paths as this process can use them.
  func settingsWithResolvedPaths(schema: Value) -> Value {
    guard let resolvePath, case .map(var map) = settings else { return settings }
    var properties: ValueMap = [:]
    if case .map(let document) = schema, case .map(let found)? = document["properties"] { properties = found }
    for (key, entry) in map.entries {
      guard case .string(let name) = key, case .string(let path) = entry else { continue }
      var isPath = name == "path"
      if case .map(let property)? = properties[name], property["format"] == .string("path") { isPath = true }
      if isPath { map[name] = .string(resolvePath(path)) }
    }
    return .map(map)
  }
}
