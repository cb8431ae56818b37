import ArgumentParser
import Expressions
import Foundation
import Localization
import PluginStore
import UseCases

/// `sous plugins pack`: an archive of a plugin for others, and its entry in an index.
struct PluginsPackCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "pack",
      abstract: say(
        "Build a plugin and write an archive for others.", de: "Ein Plugin bauen und ein Archiv für andere schreiben."),
      discussion: say(
        "Prints the entry for an index. Sign the archive with minisign: minisign -Sm ARCHIVE",
        de: "Gibt den Eintrag für einen Index aus. Das Archiv mit minisign signieren: minisign -Sm ARCHIV"))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The source folder, or a library (default: the current folder).",
        de: "Der Quellordner, oder eine Bibliothek (Vorgabe: der aktuelle Ordner)."),
      valueName: "folder"))
  var folder = "."

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "The folder of the archive (default: the current one).", de: "Der Ordner des Archivs (Vorgabe: der aktuelle)."),
      valueName: "folder"))
  var output = "."

  @Option(
    help: ArgumentHelp(
      say("Add the entry to this index file.", de: "Den Eintrag dieser Indexdatei hinzufügen."), valueName: "file"))
  var index: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (folder, output) = (folder, output)
    let environment = ProcessInfo.processInfo.environment
    let package = try await Interruption.untilInterrupted {
      try mapped {
        var library = folder
        if case .folder(let place) = try PluginSource(folder.contains("/") ? folder : "./" + folder) {
          library = try PluginBuild(folder: place, isRelease: true)
            .run(environment: environment, report: showBuildOutput)
        }
        return try PluginPackage(library: library, folder: output, environment: environment)
      }
    }
    if let index { try mapped { try package.add(toIndexAt: index) } }
    if format.json { return writeJSON(["archive": .string(package.path), "entry": package.entry]) }
    writeError(say("Wrote \(package.path)\n", de: "\(package.path) geschrieben\n"))
    if index == nil { writeJSON(package.entry, pretty: true) }
  }
}
