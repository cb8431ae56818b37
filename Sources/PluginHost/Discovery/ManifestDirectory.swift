import Glibc
public import PluginBoundary
import Synchronization

/// Reads the manifests of plugins, without opening these in this process.
///
/// A plugin that the cache does not know is tried out in a child process, which blocks the caller for as long.
public struct ManifestDirectory: Sendable {
  /// Throws if a library may not be opened, by its canonical path. Asked once for each state of the file.
  public typealias Gate = @Sendable (_ path: String) throws(PluginError) -> Void

  /// The manifests that were read before, by path of the library. Copies of a directory share it.
  private final class Memo: Sendable {
    let known = Mutex<[String: (state: FileState, manifest: PluginManifest)]>([:])
  }

  /// The identity and the last change of a file. Programs cannot set the time of the last change, as they can its other times.
  private struct FileState: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
  }

  /// Where plugins are looked for.
  public let searchPath: PluginSearchPath
  /// Where manifests are kept.
  public let cache: ManifestCache
  /// Opens a plugin that the cache does not know, to read its manifest.
  public let probe: any PluginProbing
  /// Decides whether a library may be opened; `nil` allows every library.
  public let gate: Gate?
  private let memo = Memo()

  /// Creates a directory. Touches no file.
  public init(
    searchPath: PluginSearchPath, cache: ManifestCache, probe: any PluginProbing = PluginProbe(), gate: Gate? = nil
  ) {
    self.searchPath = searchPath
    self.cache = cache
    self.probe = probe
    self.gate = gate
  }

  /// The manifest of a plugin.
  ///
  /// - Throws: ``PluginError`` if it is missing, cannot be loaded, or describes itself wrongly.
  public func manifest(of reference: PluginReference) throws(PluginError) -> PluginManifest {
    try manifest(ofLibraryAt: try searchPath.locate(reference))
  }

  /// The manifest of the plugin in a library.
  func manifest(ofLibraryAt path: String) throws(PluginError) -> PluginManifest {
    let state = FileState(path: path)
    if let state, let known = memo.known.withLock({ $0[path] }), known.state == state { return known.manifest }
    try gate?(path)
    let manifest = try readManifest(ofLibraryAt: path)
    if let state { memo.known.withLock { $0[path] = (state, manifest) } }
    return manifest
  }

  private func readManifest(ofLibraryAt path: String) throws(PluginError) -> PluginManifest {
    let file = LibraryFile(path: path)
    if let file, let known = cache.manifest(of: file), let manifest = try? PluginManifest(known, path: path) {
      return manifest
    }
    let text = try probe.manifest(ofLibraryAt: path)
    let manifest = try PluginManifest(json: text, path: path)
    // A file that changed meanwhile is not what was tried out.
    if let file, LibraryFile(path: path) == file { cache.store(text, of: file) }
    return manifest
  }
}
