import Foundation
import Localization
public import PluginBoundary
public import PluginHost

/// The locks that apply to a workspace: the one beside `sous.yaml`, and the one of the user, which describes the user's plugin
/// folder.
///
/// A plugin that the project's lock names must be the file that this lock names. For other plugins in the user's folder, the
/// user's lock decides. A library that the configuration names by a path outside the plugin folders is not checked here: trust
/// in the folder covers its contents.
public struct PluginLocks: Sendable {
  /// The lock beside `sous.yaml`; `nil` without a configuration.
  public let project: PluginLockFile?
  /// The lock of the user; `nil` without a home folder.
  public let user: PluginLockFile?

  /// Names the locks. Touches no file.
  ///
  /// - Parameters:
  ///   - configuration: The path of `sous.yaml`; `nil` if none applies.
  ///   - environment: The environment of the process.
  public init(configuration: String?, environment: [String: String]) {
    project = configuration.map { path in
      let folder = (path as NSString).deletingLastPathComponent
      return PluginLockFile(path: folder.isEmpty ? "sous.lock" : folder + "/sous.lock")
    }
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      user = PluginLockFile(path: folder + "/sous/sous.lock")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      user = PluginLockFile(path: home + "/.config/sous/sous.lock")
    } else {
      user = nil
    }
  }

  /// The locks to change, each file once.
  var all: [PluginLockFile] {
    var files: [PluginLockFile] = []
    for case let file? in [project, user] where !files.contains(file) { files.append(file) }
    return files
  }

  /// The locks that an installation changes.
  ///
  /// - Parameter lock: The path of the lock that demands the plugin; `nil` if the user named it.
  func files(demandedBy lock: String?) -> [PluginLockFile] {
    guard let user, lock == user.path else { return all }
    return [user]
  }

  /// The files that the project's lock demands; `nil` without a project.
  public var pins: PluginPins? {
    project.map { file in
      PluginPins(lock: file.path) {
        // A lock that cannot be read is reported when a library is opened.
        ((try? file.read())?.plugins ?? [:]).mapValues { [$0.sha256] + ($0.replacing.map { [$0] } ?? []) }
      }
    }
  }

  /// The locks that exist.
  public var existing: [PluginLockFile] { all.filter { FileManager.default.fileExists(atPath: $0.path) } }

  /// The entry that decides about a library, with the lock that has it; `nil` if no lock names it.
  ///
  /// - Parameters:
  ///   - id: The id of the plugin.
  ///   - origin: The origin of the folder of the library; `nil` outside the plugin folders.
  public func entry(
    for id: String, origin: PluginSearchPath.Origin?
  ) throws(PluginStoreError) -> (entry: PluginLock.Entry, file: PluginLockFile)? {
    guard let origin else { return nil }
    if let project, let entry = try project.read().plugins[id] { return (entry, project) }
    guard origin == .user, let user, let entry = try user.read().plugins[id] else { return nil }
    return (entry, user)
  }

  /// Refuses a library that is not the one that a lock names, under its own name and under the names of links to it in the plugin
  /// folders. Reads the whole library if a lock names it.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the library.
  ///   - searchPath: The plugin folders.
  /// - Throws: ``PluginBoundary/PluginError`` with the code ``PluginBoundary/PluginError/Code/changed``.
  public func check(library path: String, on searchPath: PluginSearchPath) throws(PluginError) {
    try check(library: path, origin: searchPath.origin(ofLibraryAt: path))
    var ids: Set<String> = []
    do throws(PluginStoreError) {
      for file in all { ids.formUnion(try file.read().plugins.keys) }
    } catch {
      throw PluginError(.changed, error.message, path: path)
    }
    for id in ids.sorted() where (try? searchPath.locate(.id(id))) == path {
      try check(library: path, id: id, origin: searchPath.origin(ofPlugin: id))
    }
  }

  /// Refuses a library that is not the one that a lock names, under its own name.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the library.
  ///   - origin: The origin of its folder; `nil` outside the plugin folders.
  /// - Throws: ``PluginBoundary/PluginError`` with the code ``PluginBoundary/PluginError/Code/changed``.
  func check(library path: String, origin: PluginSearchPath.Origin?) throws(PluginError) {
    guard let id = PluginID.ofLibrary(at: path) else { return }
    try check(library: path, id: id, origin: origin)
  }

  private func check(library path: String, id: String, origin: PluginSearchPath.Origin?) throws(PluginError) {
    let found: (entry: PluginLock.Entry, file: PluginLockFile)?
    do throws(PluginStoreError) {
      found = try entry(for: id, origin: origin)
    } catch {
      throw PluginError(.changed, error.message, path: path)
    }
    guard let (entry, file) = found else { return }
    guard let digest = PluginSearchPath.digest(ofLibraryAt: path) else {
      throw PluginError(
        .changed,
        LocalizedText(
          "The plugin \(path) cannot be read, so that it cannot be compared with \(file.path). Correct the rights of the file, or "
            + "try again.",
          de:
            "Das Plugin \(path) ist nicht lesbar und darum nicht mit \(file.path) vergleichbar. Die Rechte der Datei berichtigen, "
            + "oder erneut versuchen."),
        path: path)
    }
    guard !entry.accepts(digest) else { return }
    throw PluginError(
      .changed,
      LocalizedText(
        "The plugin \(path) is not the file that \(file.path) names (version \(entry.version), SHA-256 \(entry.sha256)); it "
          + "has the SHA-256 \(digest). If you did not change it, find out who did. 'sous plugins install' restores the locked "
          + "file, 'sous plugins update \(id)' installs the newest version, 'sous plugins remove \(id)' removes file and entry.",
        de: "Das Plugin \(path) ist nicht die Datei, die \(file.path) nennt (Version \(entry.version), SHA-256 "
          + "\(entry.sha256)); es hat die SHA-256 \(digest). Wenn Sie es nicht geändert haben, die Ursache klären. 'sous "
          + "plugins install' stellt die festgelegte Datei wieder her, 'sous plugins update \(id)' installiert die neueste Version, 'sous plugins remove \(id)' entfernt Datei und Eintrag."
      ),
      path: path)
  }
}
