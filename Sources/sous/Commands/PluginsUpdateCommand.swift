import ArgumentParser
import Expressions
import Foundation
import Localization
import PluginHost
import PluginStore
import UseCases

/// `sous plugins update`: installs newer versions of the plugins that the lock names.
struct PluginsUpdateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "update",
      abstract: say(
        "Install newer versions, after showing what they may do.",
        de: "Neuere Versionen installieren, nachdem gezeigt wurde, was sie dürfen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The plugins (default: all of sous.lock).", de: "Die Plugins (Vorgabe: alle aus sous.lock)."), valueName: "id"
    ))
  var plugins: [String] = []

  @OptionGroup var options: PluginFetchOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let store = try PluginStoreAccess(global, options)
    let searchPath = store.project.manifests.searchPath
    let locked = try mapped { try store.installer.locks.verified(searchPath) }
    let unknown = plugins.filter { id in !locked.contains { $0.id == id } }
    guard unknown.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "no lock names \(unknown.joined(separator: ", ")): 'sous plugins install' installs a plugin and locks it",
          de:
            "keine sous.lock nennt \(unknown.joined(separator: ", ")): 'sous plugins install' installiert ein Plugin und legt "
            + "es fest"),
        code: PluginStoreError.Code.notInstalled.rawValue)
    }
    let wanted = locked.filter { plugins.isEmpty || plugins.contains($0.id) }
    for plugin in wanted { try store.project.trust.check(plugin) }
    var results: [Value] = []
    var problems: [CommandError] = []
    for plugin in wanted {
      do {
        if let result = try await update(plugin, store) { results.append(result) }
      } catch let error as CommandError where error.status != ExitStatus.interrupted && plugins.count != 1 {
        // The others are updated all the same. Of all plugins, one that cannot be fetched again is left out.
        let isSkipped = plugins.isEmpty && error.code == PluginStoreError.Code.notUpdatable.rawValue
        if !isSkipped { problems.append(error) }
        let message = error.message?.spoken ?? error.code
        results.append([
          "id": .string(plugin.id),
          isSkipped ? "skipped" : "error": ["code": .string(error.code), "message": .string(message)],
        ])
        guard !format.json else { continue }
        writeError(
          isSkipped
            ? say("\(plugin.id) is skipped: \(message)\n", de: "\(plugin.id) wird übersprungen: \(message)\n")
            : "\(plugin.id): \(message)\n")
      }
    }
    if format.json { writeJSON(.list(results)) }
    if locked.isEmpty, !format.json { write(say("sous.lock names no plugin\n", de: "sous.lock nennt kein Plugin\n")) }
    if let problem = problems.first { throw CommandError(problem.status) }
  }

  private func update(_ plugin: PluginLocks.Verified, _ store: PluginStoreAccess) async throws -> Value? {
    let isIntact = plugin.state == .locked
    let staged = try await Interruption.untilInterrupted {
      do {
        return try await store.installer.stageUpdate(of: plugin.id, plugin.entry, isIntact: isIntact, key: store.key)
      } catch let error as PluginStoreError {
        throw CommandError(error)
      }
    }
    guard let staged else {
      if !format.json {
        write(
          say(
            "\(plugin.id) \(plugin.entry.version) is up to date\n",
            de: "\(plugin.id) \(plugin.entry.version) ist aktuell\n"))
      }
      return nil
    }
    let question = LocalizedText(
      "Update '\(plugin.id)'?", de: "'\(plugin.id)' aktualisieren?")
    guard let manifest = try store.install(staged, options, question: question, demandedBy: plugin.lock) else {
      if !format.json {
        write(
          say(
            "\(plugin.id) stays at \(plugin.entry.version)\n", de: "\(plugin.id) bleibt bei \(plugin.entry.version)\n"))
      }
      return nil
    }
    if !format.json {
      write(
        say(
          "Updated \(plugin.id) from \(plugin.entry.version) to \(manifest.version). A running daemon uses it after its next start.\n",
          de:
            "\(plugin.id) von \(plugin.entry.version) auf \(manifest.version) aktualisiert. Ein laufender Dienst verwendet es "
            + "nach dem nächsten Start.\n"))
    }
    return PluginStoreAccess.json(staged, manifest)
  }
}

/// `sous plugins verify`: compares every plugin with its lock.
struct PluginsVerifyCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: say(
        "Compare the installed plugins with sous.lock; a difference ends with status 1.",
        de: "Die installierten Plugins mit sous.lock vergleichen; eine Abweichung endet mit Status 1."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let project = try Project(try Workspace(global))
    let plugins = try mapped { try project.trust.locks.verified(project.manifests.searchPath) }
    if format.json {
      writeJSON(.list(plugins.map(\.json)))
    } else if plugins.isEmpty {
      write(say("sous.lock names no plugin\n", de: "sous.lock nennt kein Plugin\n"))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("plugin", de: "Plugin")), .init(say("version", de: "Version")), .init(say("state", de: "Zustand")),
        .init(say("file", de: "Datei"), .below), .init(say("remedy", de: "Abhilfe"), .below),
      ])
      for plugin in plugins {
        let isFine = plugin.state == .locked
        table.append([
          "\(isFine ? terminal.styled("✓", .green) : terminal.styled("✗", .red)) \(plugin.id)", plugin.entry.version,
          plugin.state.spoken, plugin.lock.shownPath, plugin.remedy,
        ])
      }
      write(table.text())
    }
    if plugins.contains(where: { $0.state != .locked }) { throw CommandError(ExitStatus.runFailed) }
  }
}

extension PluginLocks.State {
  /// The state as one word.
  var spoken: String {
    switch self {
    case .locked: say("locked", de: "festgelegt")
    case .changed: say("changed", de: "geändert")
    case .missing: say("missing", de: "fehlt")
    case .interrupted: say("interrupted", de: "abgebrochen")
    case .unlocked: say("not locked", de: "nicht festgelegt")
    }
  }
}

extension PluginLocks.Verified {
  /// The command that puts the plugin right; empty if it is as the lock says.
  fileprivate var remedy: String {
    switch state {
    case .locked, .unlocked: ""
    case .missing, .changed: "sous plugins install"
    case .interrupted: "sous plugins update \(id)"
    }
  }

  /// The result as JSON: `{id, version, state, lock, path, sha256, source}`.
  fileprivate var json: Value {
    [
      "id": .string(id), "version": .string(entry.version), "state": .string(state.rawValue), "lock": .string(lock),
      "path": path.map { .string($0) } ?? .null, "sha256": .string(entry.sha256), "source": .string(entry.source),
    ]
  }
}
