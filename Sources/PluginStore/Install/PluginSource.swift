import Foundation
import Localization
import PluginBoundary

/// The place that a plugin is installed from, as the user names it.
public enum PluginSource: Sendable, Equatable {
  /// A source folder, or a folder with a built library.
  case folder(String)
  /// A library or an archive.
  case file(String)
  /// The URL of a library or an archive.
  case url(String)
  /// An id that an index resolves, with the version if one is wanted.
  case name(String, version: String?)

  /// Reads an argument: `https://…`, `NAME`, `NAME@1.2.0`, or a path. A word without a slash that is a plugin id is a name.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/wrongSource`` if nothing of the kind exists.
  public init(_ text: String) throws(PluginStoreError) {
    if text.contains("://") {
      self = .url(text)
      return
    }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if !text.contains("/"), let id = parts.first.map(String.init), PluginID.isValid(id), !text.hasSuffix("@") {
      self = .name(id, version: parts.count == 2 ? String(parts[1]) : nil)
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: text, isDirectory: &isFolder) else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "'\(text)' does not exist: name a folder, a file (lib<id>.so, .tar.gz, .tar.xz), an https URL, or a plugin of an index",
          de:
            "'\(text)' gibt es nicht: einen Ordner, eine Datei (lib<id>.so, .tar.gz, .tar.xz), eine https-URL oder ein Plugin "
            + "eines Index nennen"))
    }
    self = isFolder.boolValue ? .folder(text) : .file(text)
  }
}

/// An index, and the key that has to sign the plugins that it names.
public struct PluginIndexSource: Sendable {
  /// A URL, or the path of a file.
  public var location: String
  /// The trusted key; `nil` if signatures are not checked.
  public var key: SignatureKey?

  /// Names an index.
  public init(location: String, key: SignatureKey? = nil) { (self.location, self.key) = (location, key) }

  var isURL: Bool { location.contains("://") }

  /// The location as locks record it and messages show it.
  var shown: String { isURL ? SourceURL(location).shown : location }
}
