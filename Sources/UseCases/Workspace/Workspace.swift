import Builtins
import Engine
import Foundation
import Localization
import Networking
import PluginHost
import RecipeModel
import RecipeSyntax
import RunStore

/// The configuration file and the folder of the run log that a command uses.
public struct Workspace: Sendable {
  /// The configuration file; `nil` where none was found.
  public let configurationPath: String?
  /// The folder of the run log.
  public let stateFolder: String
  /// What it works with of its process.
  public var surroundings: Surroundings

  /// The run log's file.
  public var database: String { stateFolder + "/sous.db" }
  /// The vault's file.
  public var vault: String { stateFolder + "/vault" }
  /// The file of users, roles and tokens of the server.
  public var access: String { stateFolder + "/access.db" }

  /// Finds the files that apply.
  ///
  /// The configuration is the file that is named, `SOUS_CONFIG`, or `sous.yaml` in the surroundings' folder or the nearest
  /// one above. The state is the folder that is named, `SOUS_STATE`, `.sous` beside the configuration, or
  /// `$XDG_STATE_HOME/sous`.
  ///
  /// - Parameters:
  ///   - configuration: The configuration file that was named.
  ///   - state: The folder of the run log that was named.
  ///   - surroundings: What it works with of its process.
  /// - Throws: ``UseCaseError`` where a file that was named does not exist, or the folder is a file.
  public init(
    configuration: String? = nil, state: String? = nil, _ surroundings: Surroundings
  ) throws(UseCaseError) {
    self.surroundings = surroundings
    if let named = configuration ?? surroundings.variable("SOUS_CONFIG") {
      guard FileManager.default.fileExists(atPath: surroundings.resolve(named)) else {
        throw .environment(
          .init(
            "the configuration \(named) does not exist", de: "die Konfiguration \(named) gibt es nicht"))
      }
      configurationPath = surroundings.resolve(named)
    } else {
      configurationPath = Self.search(from: surroundings.folder, upTo: surroundings.variable("HOME"))
      if let configurationPath { try Self.requireTrusted(surroundings.resolve(configurationPath)) }
    }
    if let named = state ?? surroundings.variable("SOUS_STATE") {
      stateFolder = surroundings.resolve(named)
    } else if let configurationPath {
      let folder = (configurationPath as NSString).deletingLastPathComponent
      stateFolder = folder.isEmpty ? ".sous" : folder + "/.sous"
    } else if let state = surroundings.variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      stateFolder = state + "/sous"
    } else {
      stateFolder = (surroundings.variable("HOME") ?? NSHomeDirectory()) + "/.local/state/sous"
    }
    var isFolder: ObjCBool = false
    guard !FileManager.default.fileExists(atPath: stateFolder, isDirectory: &isFolder) || isFolder.boolValue else {
      throw .environment(
        .init(
          "the run log is kept in a folder, but \(stateFolder) is a file",
          de: "das Laufprotokoll liegt in einem Ordner, aber \(stateFolder) ist eine Datei"))
    }
  }

  /// `sous.yaml` in a folder or the nearest one above, relative to the current folder where that one is meant. From within
  /// the home folder the search ends there.
  private static func search(from start: String, upTo home: String?) -> String? {
    var folder = start.isEmpty ? FileManager.default.currentDirectoryPath : start
    let home = home.map { ($0 as NSString).resolvingSymlinksInPath }
    var relative = ""
    while true {
      let path = (folder == "/" ? "" : folder) + "/sous.yaml"
      if FileManager.default.fileExists(atPath: path) { return start.isEmpty ? relative + "sous.yaml" : path }
      if folder == "/" || folder.isEmpty || folder == home { return nil }
      folder = (folder as NSString).deletingLastPathComponent
      relative += "../"
    }
  }

  /// Refuses a found configuration that another user owns, as file or as link, or that others may change: it names programs to
  /// start, and any user may write one into a folder such as /tmp.
  private static func requireTrusted(_ path: String) throws(UseCaseError) {
    var link = stat()
    guard lstat(path, &link) == 0 else { return }
    let objection =
      link.st_uid == 0 || link.st_uid == geteuid()
      ? WriteAccess.objection(to: path)
      : LocalizedText(
        "the link belongs to another user (uid \(link.st_uid))",
        de: "der Link gehört einem anderen Benutzer (uid \(link.st_uid))")
    guard let objection else { return }
    throw .environment(
      LocalizedText("the configuration \(path) is not used: ", de: "die Konfiguration \(path) wird nicht verwendet: ")
        + objection
        + LocalizedText(
          "; or name it with --config if you trust it", de: "; oder mit --config nennen, wenn sie vertrauenswürdig ist")
    )
  }

  /// Files and folders of Sous that no worker process may use: the configuration, the run log with vault and notes, the user's
  /// keys, caches and plugins.
  var ownPlaces: [String] {
    var places = [stateFolder]
    if let configurationPath { places.append(configurationPath) }
    let home = surroundings.variable("HOME") ?? NSHomeDirectory()
    for (variable, usual) in [
      ("XDG_CONFIG_HOME", "/.config"), ("XDG_CACHE_HOME", "/.cache"), ("XDG_DATA_HOME", "/.local/share"),
      ("XDG_STATE_HOME", "/.local/state"),
    ] {
      let folder = surroundings.variable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + usual
      places.append(folder + "/sous")
    }
    return places
  }
}
