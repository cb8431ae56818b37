public import Engine
public import Expressions
public import PluginBoundary
import Schemas

/// One entry under `providers:` in `sous.yaml`.
public struct ProviderConfiguration: Sendable {
  /// The provider's name.
  public var name: String
  /// The plugin that carries its actions out.
  public var plugin: PluginReference
  /// The settings of the provider, the keys beside `plugin:`; a map.
  public var settings: Value
  /// Whether the plugin runs inside Sous; `nil` for what suits where the plugin comes from.
  public var isolation: Isolation?
  /// The limits of a worker process of the plugin.
  public var limits = IsolationLimits()
  /// The values of the secrets among the settings: they are taken out of whatever the plugin says.
  public var secrets: [String] = []
  /// Where further secrets of the settings come from; asked when the provider is opened. `nil` if no setting names one.
  public var secretSource: (any SecretReading)?
  /// Hosts it may reach beside those of its plugin's manifest: names, `*.example.com`, addresses, networks, URLs.
  public var hosts: [String] = []
  /// Whether every host is refused, as without a network: no name is looked up, no connection is made.
  public var isOffline = false
  /// Whom its connections trust, where not the system's authorities.
  public var trust = ConnectionTrust()
  /// The most calls at a time; `nil` for any number.
  public var concurrency: Int?
  /// How often calls may begin; `nil` for any rate.
  public var rate: CallRate?
  /// The folder, as a way to see paths from it, of the file that contains the settings; applied to the setting `path` and
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

  /// Returns the path of a file without links, or throws if the provider may not use the file.
  public typealias Fence = @Sendable (String) throws(ActionFailure) -> String

  /// Checks the inputs of actions whose schema has `"format": "path"`; `nil` allows every path.
  public var fence: Fence?
  /// Throws if the provider may not be opened; called with the manifest and the canonical path of the library, before secrets
  /// are read. `nil` allows every provider.
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
    for (name, path) in Self.paths(in: settings, schema: schema) { map[name] = .string(resolvePath(path)) }
    return .map(map)
  }

  /// The settings that hold a path: `path`, and those whose schema has `"format": "path"`.
  fileprivate static func paths(in settings: Value, schema: Value) -> [(setting: String, path: String)] {
    guard case .map(let map) = settings else { return [] }
    let properties = schema["properties"]
    return map.entries.compactMap { key, entry in
      guard case .string(let name) = key, case .string(let path) = entry,
        name == "path" || properties?[name]?["format"] == .string("path")
      else { return nil }
      return (name, path)
    }
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

  /// The hosts that a manifest declares, and those that the configuration names: its own, and the values of settings
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

  /// The files of the user that a plugin may use in a worker: those in its manifest, otherwise the settings that are paths.
  ///
  /// - Returns: For each file its setting, the path, whether the worker may write there, and whether a missing folder is made.
  func files(of manifest: PluginManifest) -> [(setting: String, path: String, isWritable: Bool, isMade: Bool)] {
    let wanted = manifest.files ?? manifest.paths(in: settings).map { .init(setting: $0.setting, isWritable: true) }
    return wanted.compactMap { file in
      guard case .string(let path)? = Self.setting(file.setting, of: settings), !path.isEmpty else { return nil }
      let isMade = file.creates.flatMap { Self.setting($0, of: settings) } == .bool(true)
      return (file.setting, path, file.isWritable, isMade)
    }
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
  /// The settings that hold a path, with the path as it is written: `path`, and those whose schema has `"format": "path"`.
  public func paths(in settings: Value) -> [(setting: String, path: String)] {
    ProviderConfiguration.paths(in: settings, schema: configuration.document)
  }
}
