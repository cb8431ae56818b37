public import Engine
public import Expressions
import Recipes

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
  /// Where further secrets of the settings come from; asked when the provider is opened. `nil` where there are none.
  public var secretSource: (any SecretReading)?
  /// Hosts it may reach beside those of its plugin's manifest: names, `*.example.com`, addresses, networks, URLs.
  public var hosts: [String] = []
  /// Whether every host is refused, as where there is no network: no name is looked up, nothing is connected to.
  public var isOffline = false
  /// Whom its connections trust, where not the system's authorities.
  public var trust = ConnectionTrust()
  /// The most calls at a time; `nil` for any number.
  public var concurrency: Int?
  /// How often calls may begin; `nil` for any rate.
  public var rate: CallRate?
  /// The folder, as a way to see paths from it, of the file that the settings stand in; applied to the setting `path` and
  /// to those whose schema has `"format": "path"`.
  public var resolvePath: (@Sendable (String) -> String)?

  /// How often calls may begin.
  public struct CallRate: Sendable, Hashable {
    /// Calls in every ``seconds``.
    public var requests: Int
    /// The time in seconds.
    public var seconds: Double
    /// How many may begin at once after a pause.
    public var burst: Int

    /// Creates a rate.
    public init(requests: Int, per seconds: Double, burst: Int = 1) {
      self.requests = requests
      self.seconds = seconds
      self.burst = burst
    }
  }

  /// Whom connections trust; paths of PEM files.
  public struct ConnectionTrust: Sendable, Hashable {
    /// The authorities to trust instead of the system's.
    public var authorities: String?
    /// The one certificate that a server must present.
    public var certificate: String?

    /// Creates a choice; without arguments: the system's authorities.
    public init(authorities: String? = nil, certificate: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
    }
  }

  /// Gives the path of a file that an action's input names, or refuses it.
  public typealias Fence = @Sendable (String) throws(ActionFailure) -> String

  /// Decides about the inputs that a schema gives the `"format": "path"`; `nil` allows every path.
  public var fence: Fence?
  /// Decides whether the provider may be opened, by the manifest and the canonical path of its library, before its secrets
  /// are read; `nil` for yes.
  public var permit: (@Sendable (PluginManifest, String) throws(PluginError) -> Void)?

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
      if Self.isPath(name, properties) { map[name] = .string(resolvePath(path)) }
    }
    return .map(map)
  }

  /// The setting of a path like `accounts.0.password`.
  static func setting(_ path: String, of settings: Value) -> Value? {
    var value = settings
    for part in path.split(separator: ".") {
      switch value {
      case .map(let map):
        guard let member = map[String(part)] else { return nil }
        value = member
      case .list(let elements):
        guard let index = Int(part), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// The hosts that a manifest declares, and those that the configuration names: its own, and what stands in settings
  /// that the manifest names in braces.
  public func hosts(of manifest: PluginManifest) -> (declared: [String], configured: [String]) {
    var declared: [String] = []
    var configured = hosts
    for host in manifest.hosts {
      guard host.hasPrefix("{"), host.hasSuffix("}") else {
        declared.append(host)
        continue
      }
      switch ProviderConfiguration.setting(String(host.dropFirst().dropLast()), of: settings) {
      case .string(let text)? where !text.isEmpty: configured.append(text)
      case .list(let elements)?: configured += elements.compactMap(\.stringValue)
      default: break
      }
    }
    return (declared, configured)
  }

  /// What a plugin may use of the user's files in a worker: what its manifest says, otherwise the settings that are paths.
  ///
  /// - Returns: For each the setting, the path that it holds, whether it may be written, whether it is made if it is missing.
  func files(of manifest: PluginManifest) -> [(setting: String, path: String, isWritable: Bool, isMade: Bool)] {
    let wanted = manifest.files ?? pathSettings(of: manifest).map { .init(setting: $0, isWritable: true) }
    return wanted.compactMap { file in
      guard case .string(let path)? = Self.setting(file.setting, of: settings), !path.isEmpty else { return nil }
      let isMade = file.creates.flatMap { Self.setting($0, of: settings) } == .bool(true)
      return (file.setting, path, file.isWritable, isMade)
    }
  }

  /// The settings that are paths: `path`, and those whose schema says so.
  private func pathSettings(of manifest: PluginManifest) -> [String] {
    guard case .map(let map) = settings else { return [] }
    var properties: ValueMap = [:]
    if case .map(let document) = manifest.configuration.document, case .map(let found)? = document["properties"] {
      properties = found
    }
    return map.entries.compactMap { entry in
      guard case .string(let name) = entry.key else { return nil }
      return Self.isPath(name, properties) ? name : nil
    }
  }

  /// Whether a setting holds a path.
  private static func isPath(_ name: String, _ properties: ValueMap) -> Bool {
    if name == "path" { return true }
    guard case .map(let property)? = properties[name] else { return false }
    return property["format"] == .string("path")
  }

  /// The texts among the settings that a manifest calls secrets.
  func literalSecrets(of manifest: PluginManifest) -> [String: String] {
    var literals: [String: String] = [:]
    for name in manifest.secrets {
      if case .string(let text)? = ProviderConfiguration.setting(name, of: settings) { literals[name] = text }
    }
    return literals
  }
}

extension PluginManifest {
  /// The settings that are paths, as they are written: `path`, and those whose schema has `"format": "path"`.
  public func paths(in settings: Value) -> [(setting: String, path: String)] {
    guard case .map(let map) = settings else { return [] }
    var properties: ValueMap = [:]
    if case .map(let document) = configuration.document, case .map(let found)? = document["properties"] {
      properties = found
    }
    return map.entries.compactMap { key, entry in
      guard case .string(let name) = key, case .string(let path) = entry else { return nil }
      if case .map(let property)? = properties[name], property["format"] == .string("path") { return (name, path) }
      return name == "path" ? (name, path) : nil
    }
  }
}
