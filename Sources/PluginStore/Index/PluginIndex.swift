import Expressions
import Localization
import PluginBoundary
import PluginHost

/// An index of plugins: a static JSON file on any server or disk.
///
/// ```json
/// { "format": 1, "plugins": [ { "id": "weather", "version": "1.2.0", "url": "weather-1.2.0.tar.gz", "sha256": "…",
///   "signature": "untrusted comment: …", "platform": "linux-x86_64", "permissions": { "hosts": ["api.example.com"] } } ] }
/// ```
public struct PluginIndex: Sendable {
  /// One version of a plugin for one kind of machine.
  public struct Entry: Sendable {
    /// The id.
    public var id: String
    /// The version.
    public var version: PluginVersion
    /// Where the archive or library is: a URL or a path, which may be relative to the index.
    public var url: String
    /// The SHA-256 of the archive or library, 64 hexadecimal digits.
    public var sha256: String
    /// The text of the `.minisig` file; `nil` without a signature.
    public var signature: String?
    /// The access that the plugin asks for; `nil` if the index does not say.
    public var permissions: PluginPermissions?
    /// The purpose, in one sentence; may be empty.
    public var summary: String
  }

  /// The largest index in bytes.
  static let longest = 16 << 20

  /// The entries for this kind of machine.
  public let entries: [Entry]

  /// The kind of this machine: `linux-x86_64`, `linux-aarch64`.
  public static var platform: String {
    #if arch(x86_64)
      "linux-x86_64"
    #elseif arch(arm64)
      "linux-aarch64"
    #else
      "linux-other"
    #endif
  }

  /// Reads an index. Entries for other machines are left out.
  ///
  /// - Parameters:
  ///   - json: The contents of the file.
  ///   - place: The URL or path, for messages.
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/badIndex``.
  public init(json: [UInt8], from place: String) throws(PluginStoreError) {
    let document: Value
    do throws(ExpressionError) {
      document = try Value(json: json)
    } catch {
      throw Self.invalid(place, error.message)
    }
    guard document["format"]?.intValue == 1, let list = document["plugins"]?.listValue else {
      throw Self.invalid(
        place,
        LocalizedText("it needs 'format': 1 and a list 'plugins'", de: "'format': 1 und eine Liste 'plugins' fehlen"))
    }
    var entries: [Entry] = []
    for (number, value) in list.enumerated() {
      if let platform = value["platform"]?.stringValue, platform != Self.platform { continue }
      guard let id = value["id"]?.stringValue, PluginID.isValid(id) else {
        throw Self.invalid(place, "plugins[\(number)].id")
      }
      guard let version = value["version"]?.stringValue, !version.isEmpty else {
        throw Self.invalid(place, "plugins[\(number)].version (\(id))")
      }
      guard let url = value["url"]?.stringValue, !url.isEmpty else {
        throw Self.invalid(place, "plugins[\(number)].url (\(id))")
      }
      guard let sha256 = value["sha256"]?.stringValue, PluginSearchPath.isDigest(sha256) else {
        throw Self.invalid(place, "plugins[\(number)].sha256 (\(id))")
      }
      let permissions = value["permissions"].map { PluginPermissions(json: $0) }
      if let permissions, permissions == nil { throw Self.invalid(place, "plugins[\(number)].permissions (\(id))") }
      if let signature = value["signature"], signature.stringValue == nil {
        throw Self.invalid(place, "plugins[\(number)].signature (\(id))")
      }
      entries.append(
        Entry(
          id: id, version: PluginVersion(version), url: url, sha256: sha256, signature: value["signature"]?.stringValue,
          permissions: permissions ?? nil, summary: value["summary"]?.stringValue ?? ""))
    }
    self.entries = entries
  }

  /// The newest version of a plugin. A pre-release counts only if nothing else exists.
  ///
  /// - Parameter version: The version that is wanted; `nil` for the newest.
  public func newest(_ id: String, version: String? = nil) -> Entry? {
    let all = entries.filter { $0.id == id }
    if let version { return all.first { $0.version == PluginVersion(version) } }
    let final = all.filter { !$0.version.isPrerelease }
    return (final.isEmpty ? all : final).max { $0.version < $1.version }
  }

  private static func invalid(_ place: String, _ field: String) -> PluginStoreError {
    invalid(place, LocalizedText("'\(field)' is missing or wrong", de: "'\(field)' fehlt oder ist falsch"))
  }

  private static func invalid(_ place: String, _ reason: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .badIndex,
      LocalizedText("the index \(place) cannot be used: ", de: "der Index \(place) ist nicht verwendbar: ") + reason
        + LocalizedText(". Its author has to correct it", de: ". Der Autor muss ihn berichtigen"))
  }
}
