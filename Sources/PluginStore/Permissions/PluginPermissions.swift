public import Expressions
import Plans
public import PluginHost
import Schemas

/// The access that a plugin asks for: contracts, actions with effects, hosts, files and secrets.
///
/// A manifest, an entry of an index and an entry of `sous.lock` have the same form, so that they can be compared.
public struct PluginPermissions: Sendable, Hashable {
  /// A file or folder that a setting names.
  public struct File: Sendable, Hashable {
    /// The setting with the path, with dots between its levels.
    public var setting: String
    /// Whether the plugin also writes there.
    public var isWritable: Bool

    /// Creates an access.
    public init(setting: String, isWritable: Bool) { (self.setting, self.isWritable) = (setting, isWritable) }
  }

  /// The contracts with their versions (`mail.store/2`), sorted.
  public var capabilities: [String]
  /// The actions that change something outside (`idempotent` or `once`), sorted.
  public var effects: [String]
  /// The hosts: names, `*.example.com`, or a setting in braces (`{base_url}`); sorted.
  public var hosts: [String]
  /// The files and folders, sorted by setting.
  public var files: [File]
  /// The settings whose values are secrets, sorted.
  public var secrets: [String]

  /// Creates permissions; the lists are sorted and freed of duplicates.
  public init(
    capabilities: [String] = [], effects: [String] = [], hosts: [String] = [], files: [File] = [],
    secrets: [String] = []
  ) {
    self.capabilities = Set(capabilities).sorted()
    self.effects = Set(effects).sorted()
    self.hosts = Set(hosts).sorted()
    self.files = Set(files).sorted { ($0.setting, $1.isWritable ? 1 : 0) < ($1.setting, $0.isWritable ? 1 : 0) }
    self.secrets = Set(secrets).sorted()
  }

  /// The access that a manifest asks for. Without `files`, the settings that are paths count, as in a worker process.
  public init(_ manifest: PluginManifest) {
    self.init(
      capabilities: manifest.contracts,
      effects: manifest.actions.filter { $0.effect == .idempotent || $0.effect == .once }.map(\.name),
      hosts: manifest.hosts,
      files: manifest.files?.map { File(setting: $0.setting, isWritable: $0.isWritable) }
        ?? Self.pathSettings(of: manifest.configuration.document),
      secrets: manifest.secrets)
  }

  private static func pathSettings(of schema: Value) -> [File] {
    guard let properties = schema["properties"]?.mapValue else { return [] }
    return properties.entries.compactMap { key, property in
      guard case .string(let name) = key, name == "path" || property["format"]?.stringValue == "path" else {
        return nil
      }
      return File(setting: name, isWritable: true)
    }
  }

  /// The part of these permissions that others do not have: a file counts if only these permissions write to it.
  public func exceeding(_ other: PluginPermissions) -> PluginPermissions {
    func rest(_ mine: [String], _ others: [String]) -> [String] { mine.filter { !others.contains($0) } }
    return PluginPermissions(
      capabilities: rest(capabilities, other.capabilities), effects: rest(effects, other.effects),
      hosts: rest(hosts, other.hosts),
      files: files.filter { file in
        !other.files.contains { $0.setting == file.setting && ($0.isWritable || !file.isWritable) }
      },
      secrets: rest(secrets, other.secrets))
  }

  /// Whether nothing is asked for.
  public var isEmpty: Bool {
    capabilities.isEmpty && effects.isEmpty && hosts.isEmpty && files.isEmpty && secrets.isEmpty
  }
}

extension PluginPermissions {
  /// The members of the JSON form.
  static let members = ["capabilities", "effects", "hosts", "files", "secrets"]

  /// The permissions as JSON: `{capabilities, effects, hosts, files: [{path, access}], secrets}`.
  public var json: Value {
    func list(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
    return [
      "capabilities": list(capabilities), "effects": list(effects), "hosts": list(hosts),
      "files": .list(
        files.map { ["path": .string("{\($0.setting)}"), "access": .string($0.isWritable ? "read-write" : "read")] }),
      "secrets": list(secrets),
    ]
  }

  /// Reads the JSON form; a member that is missing counts as empty.
  ///
  /// - Returns: `nil` if the value or a member has another form.
  public init?(json value: Value) {
    guard let map = value.mapValue else { return nil }
    var lists: [String: [String]] = [:]
    for name in Self.members where name != "files" {
      let elements = map[name]?.listValue ?? (map[name] == nil ? [] : nil)
      guard let texts = elements?.map(\.stringValue), !texts.contains(nil) else { return nil }
      lists[name] = texts.compactMap(\.self)
    }
    var files: [File] = []
    guard let entries = map["files"]?.listValue ?? (map["files"] == nil ? [] : nil) else { return nil }
    for entry in entries {
      guard let path = entry["path"]?.stringValue, path.hasPrefix("{"), path.hasSuffix("}"), path.utf8.count > 2,
        let isWritable = ["read": false, "read-write": true][entry["access"]?.stringValue ?? ""]
      else { return nil }
      files.append(File(setting: String(path.dropFirst().dropLast()), isWritable: isWritable))
    }
    self.init(
      capabilities: lists["capabilities"] ?? [], effects: lists["effects"] ?? [], hosts: lists["hosts"] ?? [],
      files: files, secrets: lists["secrets"] ?? [])
  }
}
