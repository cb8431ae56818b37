import Foundation
import Localization
import OperatingSystem
import PluginBoundary

/// The files of the user that a worker may use, decided from the manifest and the provider's settings.
struct WorkerFiles: Sendable, Equatable {
  /// Existing paths, without symbolic links.
  var places: [WorkerPlace] = []
  /// Missing paths: once one exists, the plugin needs a new worker.
  var missing: [String] = []

  /// Resolves the paths, and creates missing folders if the settings say so.
  ///
  /// - Parameter protected: Places that no worker may use: the vault, keys, the run log, configuration, caches, libraries.
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
            The setting '\(file.setting)' of the provider '\(configuration.name)' is \(path), where Sous keeps its own files \
            (\(place)). The worker process of the provider may not use these. Name a folder with only the plugin's files.
            """,
            de: """
              Die Einstellung '\(file.setting)' des Providers '\(configuration.name)' ist \(path); dort hat Sous eigene \
              Dateien (\(place)). Der Arbeitsprozess des Providers darf diese nicht verwenden. Einen Ordner nennen, der nur \
              Dateien des Plugins enthält.
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

  /// Whether a worker may read a file that a call names: a regular file outside the protected places.
  static func mayRead(_ path: String, protected: [String]) -> Bool {
    guard let resolved = LibraryFile.canonicalPath(path) else { return false }
    return conflict(resolved, with: protected) == nil
  }

  /// The protected place that a path equals, contains or lies in; `nil` if none.
  private static func conflict(_ path: String, with protected: [String]) -> String? {
    protected.first { place in
      let place = resolved(place)
      return path == place || place.hasPrefix(path == "/" ? "/" : path + "/") || path.hasPrefix(place + "/")
    }
  }

  /// The absolute path without symbolic links. Of a missing file, the part that exists is resolved.
  static func resolved(_ path: String) -> String {
    var rest: [String] = []
    var path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while true {
      if let found = SystemPath.resolved(path) {
        return rest.isEmpty ? found : (found == "/" ? "" : found) + "/" + rest.reversed().joined(separator: "/")
      }
      let parent = (path as NSString).deletingLastPathComponent
      guard parent != path, !parent.isEmpty else { return path }
      rest.append((path as NSString).lastPathComponent)
      path = parent
    }
  }
}
