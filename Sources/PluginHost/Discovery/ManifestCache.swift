import CPluginABI
import Expressions
import Foundation

/// Manifests of plugins that were tried out before, so that nothing has to be opened to know them.
///
/// One small file per plugin, bound to the SHA-256 of the library. A damaged or outdated file counts as absent; if
/// nothing can be written, nothing is kept.
public struct ManifestCache: Sendable {
  /// The folder, `nil` to keep nothing.
  public let folder: String?

  /// Creates a cache in a folder, which need not exist.
  public init(folder: String?) {
    self.folder = folder
  }

  /// The usual folder, `$XDG_CACHE_HOME/sous/plugins`.
  public static func standard(environment: [String: String]) -> ManifestCache {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
      return ManifestCache(folder: cache + "/sous/plugins")
    }
    guard let home = environment["HOME"], !home.isEmpty else { return ManifestCache(folder: nil) }
    return ManifestCache(folder: home + "/.cache/sous/plugins")
  }

  /// The manifest of a library that has not changed since it was stored.
  func manifest(of file: LibraryFile) -> Value? {
    guard let place = place(of: file), let data = FileManager.default.contents(atPath: place),
      case .map(let entry)? = try? Value(json: Array(data)), case .map(let stamp) = ManifestCache.stamp(file),
      case .map(let stored)? = entry["library"], stored == stamp, let manifest = entry["manifest"]
    else { return nil }
    return manifest
  }

  /// Keeps a manifest text, as well as that goes.
  func store(_ manifest: [UInt8], of file: LibraryFile) {
    guard let folder, let place = place(of: file), let document = try? Value(json: manifest) else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let entry: Value = .map(["library": ManifestCache.stamp(file), "manifest": document])
    // Foundation writes a temporary file and renames it.
    try? Data(entry.json()).write(to: URL(fileURLWithPath: place), options: .atomic)
  }

  private static func stamp(_ file: LibraryFile) -> Value {
    .map([
      "path": .string(file.path), "sha256": .string(file.digest), "abi": .string(String(SOUS_ABI_VERSION)),
      "format": .string("2"),
    ])
  }

  private func place(of file: LibraryFile) -> String? {
    guard let folder else { return nil }
    // FNV-1a; a collision is harmless, since the file contains the path.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in file.path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return folder + "/" + String(hash, radix: 16) + ".json"
  }
}
