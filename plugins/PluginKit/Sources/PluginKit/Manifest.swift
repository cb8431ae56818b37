/// A file or folder of the user that a plugin may use in a worker process.
public struct FileAccess: Sendable, Hashable {
  /// Whether a plugin reads files or changes them too.
  public enum Mode: String, Sendable {
    /// Reads files.
    case read
    /// Reads, writes, creates, renames and removes files and folders.
    case readWrite = "read-write"
  }

  /// The configuration key that holds the path of a file or folder, in braces: `{path}`.
  public var path: String
  /// Whether the plugin only reads there.
  public var access: Mode
  /// The configuration key, in braces, that is `true` if Sous creates a missing folder before the plugin starts.
  public var create: String?

  /// Creates an access to the path in a configuration key.
  public init(_ path: String, _ access: Mode, create: String? = nil) {
    self.path = path
    self.access = access
    self.create = create
  }
}

/// The description of a plugin, read before any of its code runs.
public struct Manifest: Sendable {
  /// The plugin's name, the `<id>` of its file `lib<id>.so`: lowercase letters, digits, `-` and `_`.
  public var id: String
  /// The plugin's version, `1.2.0`.
  public var version: String
  /// Its purpose, in one English sentence.
  public var summary: String
  /// The summary in German.
  public var summaryGerman: String?
  /// The published contracts it carries out, with version: `mail.store/2`.
  public var contracts: [String]
  /// The shape of its configuration; `nil` for what its type says.
  public var configuration: JSONSchema?
  /// The hosts it wants to reach.
  public var hosts: [String]
  /// The configuration keys whose values are secrets.
  public var secrets: [String]
  /// The files and folders that the plugin uses in a worker process. With `nil` it reads and writes the configuration key `path` and
  /// all keys of `"format": "path"`; with an empty list it uses none.
  public var files: [FileAccess]?

  /// Describes a plugin.
  ///
  /// Hosts are names, `*.example.com` for all below one, or `{base_url}` for a configuration key that holds a host or URL.
  public init(
    id: String, version: String, summary: String, summaryGerman: String? = nil, contracts: [String] = [],
    configuration: JSONSchema? = nil, hosts: [String] = [], secrets: [String] = [],
    files: [FileAccess]? = nil
  ) {
    self.id = id
    self.version = version
    self.summary = summary
    self.summaryGerman = summaryGerman
    self.contracts = contracts
    self.configuration = configuration
    self.hosts = hosts
    self.secrets = secrets
    self.files = files
  }

  /// The manifest of a plugin as the host reads it: JSON, UTF-8, keys in the order of the ABI header.
  public static func json<Owner: Plugin>(of type: Owner.Type) -> String {
    let manifest = Owner.manifest
    let actions = Owner.actions
    var fields = [
      ("id", JSONText.string(manifest.id)),
      ("version", JSONText.string(manifest.version)),
      ("summary", JSONText.string(manifest.summary)),
    ]
    if let german = manifest.summaryGerman { fields.append(("summary_de", JSONText.string(german))) }
    fields += [
      ("contracts", JSONText.array(manifest.contracts.map(JSONText.string))),
      ("actions", JSONText.array(actions.entries.map { $0.manifest(manifest.id) })),
    ]
    if !actions.triggers.isEmpty {
      fields.append(("triggers", JSONText.array(actions.triggers.map { $0.manifest(manifest.id) })))
    }
    fields += [
      ("config", (manifest.configuration ?? .of(Owner.Configuration.self)).json),
      ("hosts", JSONText.array(manifest.hosts.map(JSONText.string))),
      ("secrets", JSONText.array(manifest.secrets.map(JSONText.string))),
    ]
    if let files = manifest.files {
      let entries = files.map { file in
        var members = [("path", JSONText.string(file.path)), ("access", JSONText.string(file.access.rawValue))]
        if let create = file.create { members.append(("create", JSONText.string(create))) }
        return JSONText.object(members)
      }
      fields.append(("files", JSONText.array(entries)))
    }
    return JSONText.object(fields)
  }
}
