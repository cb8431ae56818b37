import Hashing

/// A file that pages load. Its address contains a hash of all of them, so browsers keep it for as long as they like.
package struct PageAsset: Sendable {
  /// The name.
  package let name: String
  /// The media type.
  package let type: String
  /// The contents.
  package let bytes: [UInt8]

  /// All files.
  package static let all: [PageAsset] = [
    PageAsset(name: "page.css", type: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    PageAsset(name: "theme.js", type: script, bytes: PackageResources.theme_js),
    PageAsset(name: "zone.js", type: script, bytes: PackageResources.zone_js),
    PageAsset(name: "page.js", type: script, bytes: PackageResources.page_js),
    PageAsset(name: "live.js", type: script, bytes: PackageResources.live_js),
    PageAsset(name: "run.js", type: script, bytes: PackageResources.run_js),
    PageAsset(name: "editor.js", type: script, bytes: PackageResources.editor_js),
    PageAsset(name: "suggest.js", type: script, bytes: PackageResources.suggest_js),
    PageAsset(name: "chat.js", type: script, bytes: PackageResources.chat_js),
    PageAsset(name: "icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
  ]

  private static let script = "text/javascript; charset=utf-8"

  /// The path before the names of files.
  package static let folder = "/assets/" + ContentHash.hexadecimal(of: all.flatMap(\.bytes)).prefix(12) + "/"

  /// The file with a path; `nil` for other paths.
  package static func at(_ path: String) -> PageAsset? {
    guard path.hasPrefix(folder) else { return nil }
    return all.first { $0.name == path.dropFirst(folder.count) }
  }
}
