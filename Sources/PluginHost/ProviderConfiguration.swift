public import Expressions

/// One entry under `providers:` in `sous.yaml`.
public struct ProviderConfiguration: Sendable {
  /// The provider's name.
  public var name: String
  /// The plugin that carries its actions out.
  public var plugin: PluginReference
  /// What stands beside `plugin:`, a map.
  public var settings: Value
  /// The values of the secrets among the settings: they are taken out of whatever the plugin says.
  public var secrets: [String] = []
  /// Where further secrets of the settings come from; asked when the provider is opened. `nil` where there are none.
  public var secretSource: (any SecretReading)?
  /// The folder, as a way to see paths from it, of the file that the settings stand in; applied to the setting `path` and
  /// to those whose schema has `"format": "path"`.
  public var resolvePath: (@Sendable (String) -> String)?

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
