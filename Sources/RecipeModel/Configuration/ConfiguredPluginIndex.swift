import Foundation
import Localization
import RecipeSyntax

/// An index of plugins in `sous.yaml`.
public struct ConfiguredPluginIndex: Sendable, Hashable {
  /// A URL, or the path of a file, resolved like every path of the configuration.
  public var location: String
  /// The public key of minisign that must have signed each plugin; `nil` if signatures are not checked.
  public var key: String?

  /// Whether the location is a URL, which may be of this machine; otherwise it is the path of a file.
  public var isURL: Bool { location.contains("://") }
}

extension ConfiguredPluginIndex {
  /// Reads `plugins.index`: a text, a map, or a list of both.
  static func read(_ node: Node, _ reader: FieldReader, resolve: (String) -> String) -> [ConfiguredPluginIndex] {
    if node.isNull { return [] }
    guard let elements = node.sequence else { return [one(node, reader, resolve)].compactMap(\.self) }
    return elements.compactMap { one($0, reader, resolve) }
  }

  private static func one(_ node: Node, _ reader: FieldReader, _ resolve: (String) -> String) -> ConfiguredPluginIndex?
  {
    var place = node
    var key: Located<String>?
    if node.mapping != nil {
      guard let map = reader.map(node, "plugins.index", RecipeDefinitions.pluginIndex), let url = map["url"] else {
        return nil
      }
      place = url
      key = map["key"].flatMap { reader.name($0, "plugins.index.key") }
    }
    guard let text = reader.name(place, "plugins.index") else { return nil }
    if let key, !isKey(key.value) {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'plugins.index.key' is not a public key of minisign (RW…, 56 characters)",
          de: "'plugins.index.key' ist kein öffentlicher Schlüssel von minisign (RW…, 56 Zeichen)"), at: key.range)
      return nil
    }
    if text.value.contains("://"), !text.value.hasPrefix("https://"), !text.value.hasPrefix("http://") {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'plugins.index' takes https URLs and paths of files, not '\(text.value)'",
          de: "'plugins.index' nimmt https-URLs und Pfade von Dateien, nicht '\(text.value)'"), at: text.range)
      return nil
    }
    return ConfiguredPluginIndex(
      location: text.value.contains("://") ? text.value : resolve(text.value), key: key?.value)
  }

  /// Whether a text has the form of a public key: 42 bytes in Base64, which begin with the algorithm `Ed`.
  private static func isKey(_ text: String) -> Bool {
    guard let data = Data(base64Encoded: text) else { return false }
    return data.count == 42 && data.starts(with: Array("Ed".utf8))
  }
}
