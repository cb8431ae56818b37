import ArgumentParser
import Expressions
import Foundation
import Localization
import PluginHost
import PluginStore
import RecipeModel
import UseCases

/// `sous plugins install`: gets a plugin from a folder, a file, a URL or an index.
struct PluginsInstallCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "install",
      abstract: say(
        "Install a plugin from a folder, a file, a URL or an index.",
        de: "Ein Plugin aus einem Ordner, einer Datei, von einer URL oder aus einem Index installieren."),
      discussion: say(
        """
        Shows what the plugin may do, and asks. Without a source, installs the plugins that sous.lock names, in exactly the \
        files that it names.
        """,
        de: """
          Zeigt, was das Plugin darf, und fragt. Ohne Quelle werden die Plugins installiert, die sous.lock nennt, in genau den \
          Dateien, die es nennt.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "A source folder, a library (lib<id>.so), an archive (.tar.gz, .tar.xz), an https URL, or NAME or NAME@VERSION of an index.",
        de:
          "Ein Quellordner, eine Bibliothek (lib<id>.so), ein Archiv (.tar.gz, .tar.xz), eine https-URL, oder NAME oder "
          + "NAME@VERSION eines Index."),
      valueName: "source"))
  var source: String?

  @Option(
    name: .customLong("sha256"),
    help: ArgumentHelp(
      say("The SHA-256 that the file must have.", de: "Die SHA-256, die die Datei haben muss."), valueName: "digits"))
  var digest: String?

  @OptionGroup var options: PluginFetchOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let digest {
      guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else {
        throw ValidationError(
          say("--sha256 takes 64 hexadecimal digits", de: "--sha256 nimmt 64 hexadezimale Ziffern"))
      }
      self.digest = digest.lowercased()
    }
    if source == nil, digest != nil {
      throw ValidationError(say("--sha256 needs a source", de: "--sha256 braucht eine Quelle"))
    }
  }

  func run() async throws {
    let store = try PluginStoreAccess(global, options)
    guard let source else { return try await installLocked(store) }
    let staged = try await stage(try mapped { try PluginSource(source) }, store)
    let question = LocalizedText("Install this plugin?", de: "Dieses Plugin installieren?")
    guard let manifest = try store.install(staged, options, question: question) else {
      write(say("nothing was installed\n", de: "nichts wurde installiert\n"))
      return
    }
    if format.json { return writeJSON(PluginStoreAccess.json(staged, manifest)) }
    write(
      say("Installed \(manifest.id) \(manifest.version)", de: "\(manifest.id) \(manifest.version) installiert")
        + " (\(lockNames(store)))\n")
    guard !store.project.configuration.providers.contains(where: { $0.plugin == .id(manifest.id) }) else { return }
    write(
      say("To use it, in sous.yaml:", de: "Zum Verwenden, in sous.yaml:")
        + "  providers: { \(manifest.id): { plugin: \(manifest.id) } }\n")
  }

  private func lockNames(_ store: PluginStoreAccess) -> String {
    [store.installer.locks.project, store.installer.locks.user].compactMap { $0?.path.shownPath }
      .joined(separator: ", ")
  }

  private func stage(_ source: PluginSource, _ store: PluginStoreAccess) async throws -> StagedPlugin {
    let demands = PluginInstaller.Demands(key: store.key, sha256: digest)
    guard case .folder(let folder) = source else {
      return try await Interruption.untilInterrupted {
        do { return try await store.installer.stage(source, demands) } catch let error as PluginStoreError {
          throw CommandError(error)
        }
      }
    }
    let build = PluginBuild(folder: folder, isRelease: true)
    if let command = build.command {
      let text = command.joined(separator: " ")
      let lines = [
        say(
          "'\(text)' builds the plugin in \(folder). The build runs programs of that folder, with all your rights.",
          de:
            "'\(text)' baut das Plugin in \(folder). Der Build führt Programme dieses Ordners aus, mit allen Ihren Rechten."
        )
      ]
      guard
        try PluginStoreAccess.confirm(
          lines, LocalizedText("Build it?", de: "Bauen?"), yes: options.yes,
          undone: LocalizedText("nothing was built", de: "nichts wurde gebaut"))
      else {
        throw CommandError(
          ExitStatus.environment, .init("nothing was built", de: "nichts wurde gebaut"),
          code: PluginStoreError.Code.notConfirmed.rawValue)
      }
    }
    return try await Interruption.untilInterrupted {
      do {
        let library = try build.run(environment: ProcessInfo.processInfo.environment, report: showBuildOutput)
        let origin = URL(filePath: folder).standardizedFileURL.path(percentEncoded: false)
        return try await store.installer.stage(.file(library), demands, recordedAs: origin)
      } catch let error as PluginStoreError {
        throw CommandError(error)
      }
    }
  }

  /// Installs the plugins of the locks that are missing or changed.
  private func installLocked(_ store: PluginStoreAccess) async throws {
    let names = store.installer.locks.existing.map(\.path.shownPath).joined(separator: ", ")
    guard !names.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "name a plugin: there is no sous.lock whose plugins could be installed",
          de: "ein Plugin nennen: Es gibt keine sous.lock, deren Plugins installiert werden könnten"))
    }
    let searchPath = store.project.manifests.searchPath
    let wanted = try mapped { try store.installer.locks.verified(searchPath) }
      .filter { $0.state == .missing || $0.state == .changed }
    var installed: [Value] = []
    var options = options
    // The lock names the exact file, which may be older than the installed one.
    options.allowOlder = true
    for plugin in wanted { try store.project.trust.check(plugin) }
    for plugin in wanted {
      let staged = try await Interruption.untilInterrupted {
        do {
          return try await store.installer.stage(plugin.id, lockedAs: plugin.entry)
        } catch let error as PluginStoreError {
          throw CommandError(error)
        }
      }
      let question = LocalizedText("Install this plugin?", de: "Dieses Plugin installieren?")
      guard let manifest = try store.install(staged, options, question: question, demandedBy: plugin.lock) else {
        continue
      }
      installed.append(PluginStoreAccess.json(staged, manifest))
      if !format.json {
        write(say("Installed \(plugin.id) \(manifest.version)\n", de: "\(plugin.id) \(manifest.version) installiert\n"))
      }
    }
    if format.json { return writeJSON(.list(installed)) }
    if wanted.isEmpty {
      write(
        say(
          "All plugins of \(names) are installed.\n", de: "Alle Plugins aus \(names) sind installiert.\n"))
    }
  }
}
