import Expressions
import Foundation
import Localization
import Recipes
import RunStore

/// Where a command works: the configuration that applies to it and the folder of the run log.
struct Workspace {
  /// The configuration file; `nil` where none was found.
  let configurationPath: String?
  /// The folder of the run log.
  let stateFolder: String

  /// The run log's file.
  var database: String { stateFolder + "/sous.db" }
  /// The vault's file.
  var vault: String { stateFolder + "/vault" }

  /// Finds the files that apply.
  ///
  /// The configuration is `--config`, `SOUS_CONFIG`, or `sous.yaml` in the current folder or the nearest one above.
  /// The state is `--state`, `SOUS_STATE`, `.sous` beside the configuration, or `$XDG_STATE_HOME/sous`.
  ///
  /// - Throws: ``CommandError`` where a file that was named does not exist.
  init(
    _ options: GlobalOptions, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) {
    if let named = options.config ?? environment.nonEmpty("SOUS_CONFIG") {
      guard FileManager.default.fileExists(atPath: named) else {
        throw CommandError(
          ExitStatus.environment,
          .init(
            "the configuration \(named) does not exist", de: "die Konfiguration \(named) gibt es nicht"))
      }
      configurationPath = named
    } else {
      configurationPath = Self.search()
    }
    if let named = options.state ?? environment.nonEmpty("SOUS_STATE") {
      stateFolder = named
    } else if let configurationPath {
      let folder = (configurationPath as NSString).deletingLastPathComponent
      stateFolder = folder.isEmpty ? ".sous" : folder + "/.sous"
    } else if let state = environment.nonEmpty("XDG_STATE_HOME"), state.hasPrefix("/") {
      stateFolder = state + "/sous"
    } else {
      stateFolder = (environment.nonEmpty("HOME") ?? NSHomeDirectory()) + "/.local/state/sous"
    }
    var isFolder: ObjCBool = false
    guard !FileManager.default.fileExists(atPath: stateFolder, isDirectory: &isFolder) || isFolder.boolValue else {
      throw CommandError(
        ExitStatus.environment,
        .init(
          "the run log is kept in a folder, but \(stateFolder) is a file",
          de: "das Laufprotokoll liegt in einem Ordner, aber \(stateFolder) ist eine Datei"))
    }
  }

  /// `sous.yaml` in the current folder or the nearest one above, relative where it can be.
  private static func search() -> String? {
    var folder = FileManager.default.currentDirectoryPath
    var relative = ""
    while true {
      if FileManager.default.fileExists(atPath: (folder == "/" ? "" : folder) + "/sous.yaml") {
        return relative + "sous.yaml"
      }
      if folder == "/" || folder.isEmpty { return nil }
      folder = (folder as NSString).deletingLastPathComponent
      relative += "../"
    }
  }

  /// Refuses a path to write to that leads to what the project works with: run log, vault or configuration.
  ///
  /// - Throws: ``CommandError`` with what the file is.
  func requireForeign(_ destination: String) throws(CommandError) {
    let log = LocalizedText("the run log", de: "das Laufprotokoll")
    var own = RunStore.parts(of: database).map { (path: $0, what: log) }
    own.append((vault, LocalizedText("the vault", de: "der Tresor")))
    if let configurationPath {
      own.append((configurationPath, LocalizedText("the configuration", de: "die Konfiguration")))
    }
    let place = FilePlace(destination)
    guard let found = own.first(where: { FilePlace($0.path).isSame(as: place) }) else { return }
    throw CommandError(
      ExitStatus.wrongInput,
      LocalizedText("'\(destination)' is ", de: "'\(destination)' ist ") + found.what
        + LocalizedText(": name another file", de: ": eine andere Datei nennen"),
      code: RunStoreError.Code.destinationInUse.rawValue)
  }

  /// Reads the run log.
  ///
  /// - Parameters:
  ///   - body: What to read.
  ///   - ifMissing: The answer where nothing has run yet; without it that is an error.
  func runLog<Result>(
    _ body: (RunStore) async throws(RunStoreError) -> Result, ifMissing: (() -> Result)? = nil
  ) async throws(CommandError) -> Result {
    do throws(RunStoreError) {
      let log = try RunStore(readingFrom: database)
      let result = try await body(log)
      try await log.close()
      return result
    } catch {
      if error.code == .missing, let ifMissing { return ifMissing() }
      throw CommandError(error)
    }
  }
}

extension [String: String] {
  /// A variable's value; `nil` where it is unset or empty.
  fileprivate func nonEmpty(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension CommandError {
  /// A fault of the run log: a run that the user named wrongly is the command line's, all else the surroundings'.
  init(_ error: RunStoreError) {
    let isUsage = [.runNotFound, .ambiguousRun, .stepNotFound, .outputNotFound].contains(error.code)
    self.init(isUsage ? ExitStatus.wrongInput : ExitStatus.environment, error.message, code: error.code.rawValue)
  }
}
