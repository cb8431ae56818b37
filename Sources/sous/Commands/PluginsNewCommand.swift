public import ArgumentParser
import Expressions
import Foundation
import Localization
public import Upkeep
import UseCases

/// `sous plugins new`: begins a plugin in a folder of its own.
struct PluginsNewCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "new",
      abstract: say("Begin a plugin, with tests.", de: "Ein Plugin beginnen, mit Tests."),
      discussion: say(
        """
        Writes a complete plugin that builds, is tested and checked at once, without the network. The kit it builds on is \
        copied into it, so that it does not depend on where Sous lies, nor on its version.
        """,
        de: """
          Schreibt ein vollständiges Plugin, das sich sofort bauen, testen und prüfen lässt, ohne Netz. Das Kit, auf dem es \
          aufbaut, wird hineinkopiert: so hängt es weder davon ab, wo Sous liegt, noch von dessen Version.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The plugin's id: a-z 0-9 - _.", de: "Die ID des Plugins: a-z 0-9 - _."), valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      say("swift or c (default: swift).", de: "swift oder c (Vorgabe: swift)."), valueName: "language"))
  var language = PluginScaffold.Language.swift

  @Option(
    help: ArgumentHelp(
      say(
        "The folder to make (default: the plugin's id).", de: "Der anzulegende Ordner (Vorgabe: die ID des Plugins)."),
      valueName: "folder"))
  var directory: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let folder = directory ?? name
    let written = try PluginScaffold(name: name, language: language).write(
      to: URL(filePath: folder), kit: PluginScaffold.kitFolder(), version: Version.current)
    try TrustCommand.trustOwn(folder, builds: true)
    if format.json {
      writeJSON([
        "folder": .string(folder), "language": .string(language.rawValue),
        "written": .list(written.map { .string($0) }),
      ])
      return
    }
    let (build, library) =
      switch language {
      case .swift: ("swift build && swift test", ".build/debug/lib\(name).so")
      case .c: ("make && make test", "build/lib\(name).so")
      }
    write(
      say("Wrote \(written.count) files to \(folder). Next:\n", de: "\(written.count) Dateien in \(folder). Weiter:\n")
        + """
          cd \(folder) && \(build)
          sous plugins check \(library)
          sous run hello.yaml -i name=Ada

        """)
  }
}

extension PluginScaffold.Language: ExpressibleByArgument {}

/// `sous plugins kit`: brings a plugin's copy of the kit up to date.
struct PluginsKitCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "kit",
      abstract: say(
        "Replace a plugin's copy of the kit by that of this Sous.",
        de: "Die Kopie des Kits in einem Plugin durch die dieses Sous ersetzen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The folder of the plugin (default: the current one).", de: "Der Ordner des Plugins (Vorgabe: der aktuelle)."),
      valueName: "folder"))
  var folder = "."

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let plugin = URL(filePath: folder)
    guard let language = PluginScaffold.language(of: plugin) else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(folder) holds no copy of the kit: neither Vendor/PluginKit nor include/sous_plugin.h",
          de: "\(folder) enthält keine Kopie des Kits: weder Vendor/PluginKit noch include/sous_plugin.h"))
    }
    guard let kit = PluginScaffold.kitFolder() else { throw UseCaseError.kitMissing }
    try PluginScaffold.copyKit(kit, into: plugin, language: language, version: Version.current)
    let what = language == .swift ? "Vendor/PluginKit" : "include/sous_plugin.h"
    if format.json {
      writeJSON(["replaced": .string(what), "version": .string(Version.current)])
    } else {
      write(
        say(
          "Replaced \(what) by that of sous \(Version.current).\n",
          de: "\(what) durch das von sous \(Version.current) ersetzt.\n"))
    }
  }
}
