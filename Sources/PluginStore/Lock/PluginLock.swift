public import Expressions
import Localization
import PluginBoundary
import PluginHost

/// The contents of a `sous.lock`: which version and file of each plugin is expected.
public struct PluginLock: Sendable, Equatable {
  /// One plugin.
  public struct Entry: Sendable, Equatable {
    /// The version.
    public var version: String
    /// The file or folder that it was installed from, or the URL without user info and query; `?` at its end means that the URL has a query.
    public var source: String
    /// The index that named the source; `nil` if the source was given directly.
    public var index: String?
    /// The SHA-256 of the library, 64 hexadecimal digits.
    public var sha256: String
    /// The SHA-256 of the library that is being replaced, while an installation is under way. An installation that was interrupted
    /// leaves it behind: either file counts then.
    public var replacing: String?
    /// The public key of minisign whose signature was checked; updates need a signature of the same key.
    public var key: String?
    /// The access that the user has agreed to.
    public var permissions: PluginPermissions

    /// Creates an entry.
    public init(
      version: String, source: String, index: String? = nil, sha256: String, replacing: String? = nil,
      key: String? = nil, permissions: PluginPermissions
    ) {
      self.version = version
      self.source = source
      self.index = index
      self.sha256 = sha256
      self.replacing = replacing
      self.key = key
      self.permissions = permissions
    }

    /// Whether a file with this SHA-256 is expected.
    func accepts(_ digest: String) -> Bool { digest == sha256 || digest == replacing }

    /// The result of comparing a library with the entry.
    ///
    /// - Parameter digest: The SHA-256 of the library; `nil` if it cannot be read.
    func state(of digest: String?) -> PluginLocks.State {
      guard let digest, accepts(digest) else { return .changed }
      return replacing == nil ? .locked : .interrupted
    }
  }

  /// The plugins by id.
  public var plugins: [String: Entry] = [:]

  /// Creates an empty lock.
  public init() {}

  /// The version of the format.
  static let format: Int64 = 1
}

extension PluginLock {
  /// The lock as JSON, the plugins sorted by id: a change of one plugin changes the lines of that plugin only.
  public var json: Value {
    var entries = ValueMap()
    for (id, entry) in plugins.sorted(by: { $0.key < $1.key }) {
      var map: ValueMap = ["version": .string(entry.version), "source": .string(entry.source)]
      if let index = entry.index { map["index"] = .string(index) }
      map["sha256"] = .string(entry.sha256)
      if let replacing = entry.replacing { map["replacing"] = .string(replacing) }
      if let key = entry.key { map["key"] = .string(key) }
      for (name, value) in (entry.permissions.json.mapValue ?? [:]).entries { map[name] = value }
      entries[.string(id)] = .map(map)
    }
    return ["format": .int(Self.format), "plugins": .map(entries)]
  }

  /// Reads a lock.
  ///
  /// - Parameters:
  ///   - json: The contents of the file.
  ///   - path: The file, for messages.
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/badLock``.
  public init(json: [UInt8], path: String) throws(PluginStoreError) {
    let document: Value
    do throws(ExpressionError) {
      document = try Value(json: json)
    } catch {
      throw Self.invalid(path, error.message)
    }
    guard document["format"]?.intValue == Self.format else {
      throw Self.invalid(
        path,
        LocalizedText(
          "'format' is not \(Self.format): a newer Sous wrote it",
          de: "'format' ist nicht \(Self.format): ein neueres Sous "
            + "hat sie geschrieben"))
    }
    guard let entries = document["plugins"]?.mapValue else {
      throw Self.invalid(path, LocalizedText("'plugins' is missing", de: "'plugins' fehlt"))
    }
    for (key, value) in entries.entries {
      guard case .string(let id) = key, PluginID.isValid(id), let version = value["version"]?.stringValue,
        let source = value["source"]?.stringValue, let sha256 = value["sha256"]?.stringValue,
        PluginSearchPath.isDigest(sha256),
        let permissions = PluginPermissions(json: value)
      else {
        throw Self.invalid(
          path,
          LocalizedText("the entry 'plugins.\(key)' is damaged", de: "der Eintrag 'plugins.\(key)' ist beschädigt"))
      }
      plugins[id] = Entry(
        version: version, source: source, index: value["index"]?.stringValue, sha256: sha256,
        replacing: value["replacing"]?.stringValue, key: value["key"]?.stringValue, permissions: permissions)
    }
  }

  private static func invalid(_ path: String, _ reason: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .badLock,
      LocalizedText("\(path) cannot be read: ", de: "\(path) ist nicht lesbar: ") + reason
        + LocalizedText(
          ". Restore the file, for example from version control, or delete it and install the plugins again",
          de: ". Die Datei wiederherstellen, etwa aus der Versionsverwaltung, oder löschen und die Plugins neu "
            + "installieren"))
  }
}
