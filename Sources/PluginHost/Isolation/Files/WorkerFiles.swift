import Foundation
import Localization
import Recipes

/// What a worker may use of the user's files, decided from the manifest and the provider's settings.
struct WorkerFiles: Sendable, Equatable {
  /// Paths that are there, without symbolic links.
  var places: [WorkerPlace] = []
  /// Paths that were missing: once they are there the plugin needs a new worker.
  var missing: [String] = []

  /// Looks at the paths, and makes those folders that the settings want made.
  ///
  /// - Parameter protected: What no worker may use: the vault, keys, the run log, configuration, caches, libraries.
  /// - Throws: ``PluginError`` with code `plugin_config_invalid` if a path leads into a protected place or holds one.
  init(
    _ configuration: ProviderConfiguration, manifest: PluginManifest, protected: [String]
  ) throws(PluginError) {
    for file in configuration.files(of: manifest) {
      let path = file.path.utf8.contains(0) ? "" : file.path
      let resolved = WorkerFiles.resolved(path)
      if let place = WorkerFiles.conflict(resolved, with: protected) {
        throw PluginError(
          .configInvalid,
          LocalizedText(
            """
            The provider '\(configuration.name)' runs in a worker process, and its setting '\(file.setting)' gives that \
            \(path), where Sous keeps files of its own (\(place)). Name a folder that holds only the plugin's files.
            """,
            de: """
              Der Provider '\(configuration.name)' läuft in einem Arbeitsprozess, und seine Einstellung '\(file.setting)' \
              gibt ihm \(path), wo Sous eigene Dateien hat (\(place)). Einen Ordner nennen, der nur Dateien des Plugins enthält.
              """))
      }
      if access(path, F_OK) != 0, file.isMade {
        try? FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      if access(path, F_OK) == 0 {
        places.append(WorkerPlace(path: WorkerFiles.resolved(path), isWritable: file.isWritable))
      } else {
        missing.append(path)
      }
    }
  }

  /// Files that a call names by their paths may be given to a worker if they are regular and not protected.
  static func mayRead(_ path: String, protected: [String]) -> Bool {
    guard let resolved = LibraryFile.canonicalPath(path) else { return false }
    return conflict(resolved, with: protected) == nil
  }

  /// The protected place that a path is, holds or lies in.
  private static func conflict(_ path: String, with protected: [String]) -> String? {
    protected.first { place in
      let place = resolved(place)
      return path == place || place.hasPrefix(path == "/" ? "/" : path + "/") || path.hasPrefix(place + "/")
    }
  }

  /// The absolute path without symbolic links, also of a file that is not there: then of the nearest folder that is.
  static func resolved(_ path: String) -> String {
    var rest: [String] = []
    var path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while true {
      if let found = LibraryFile.canonicalFolder(path) {
        return rest.isEmpty ? found : (found == "/" ? "" : found) + "/" + rest.reversed().joined(separator: "/")
      }
      let parent = (path as NSString).deletingLastPathComponent
      guard parent != path, !parent.isEmpty else { return path }
      rest.append((path as NSString).lastPathComponent)
      path = parent
    }
  }
}
