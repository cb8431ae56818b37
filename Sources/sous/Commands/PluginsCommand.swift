import ArgumentParser
import Expressions
import Localization
import Plans
import PluginBoundary
import PluginHost
import Schemas
import UseCases

/// `sous plugins`: what is installed, and what one plugin offers.
struct PluginsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plugins",
      abstract: say(
        "List, show, begin, check and document plugins.",
        de: "Plugins auflisten, zeigen, beginnen, prüfen und beschreiben."),
      subcommands: [
        PluginsListCommand.self, PluginsShowCommand.self, PluginsNewCommand.self, PluginsKitCommand.self,
        PluginsCheckCommand.self, PluginsDocCommand.self,
      ],
      defaultSubcommand: PluginsListCommand.self)
  }
}

/// `sous plugins list`.
struct PluginsListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List the installed plugins.", de: "Installierte Plugins auflisten."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let plugins = await (try Project(try Workspace(global))).host.installedPlugins()
    if format.json {
      writeJSON(Value.list(plugins.map(\.json)))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("plugin", de: "Plugin")), .init(say("version", de: "Version")), .init(say("from", de: "Herkunft")),
        .init(say("offers", de: "bietet"), .below), .init(say("what it is", de: "Beschreibung"), .below),
      ])
      for plugin in plugins { table.append(row(plugin, terminal)) }
      write(table.text())
    }
    let isBroken = plugins.contains { if case .broken = $0.status { true } else { false } }
    if isBroken { throw CommandError(ExitStatus.environment) }
  }

  private func row(_ plugin: InstalledPlugin, _ terminal: Terminal) -> [String] {
    switch plugin.status {
    case .active(let manifest):
      let offers = manifest.contracts.isEmpty ? manifest.actions.map(\.name) : manifest.contracts
      return [
        "\(terminal.styled("✓", .green)) \(plugin.id)", manifest.version, plugin.origin.rawValue,
        offers.joined(separator: ", "), manifest.summary.spoken,
      ]
    case .shadowed(let winner):
      let words = say("shadowed by \(winner): \(plugin.path)", de: "verdeckt von \(winner): \(plugin.path)")
      return ["\(terminal.styled("-", .dim)) \(plugin.id)", "", plugin.origin.rawValue, words]
    case .duplicate(let winner):
      let words = say("duplicate of \(winner): \(plugin.path)", de: "doppelt, wie \(winner): \(plugin.path)")
      return ["\(terminal.styled("!", .yellow)) \(plugin.id)", "", plugin.origin.rawValue, words]
    case .broken(let error):
      return ["\(terminal.styled("✗", .red)) \(plugin.id)", "", plugin.origin.rawValue, error.message.spoken]
    }
  }
}

/// `sous plugins show`.
struct PluginsShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say("Show what a plugin offers.", de: "Zeigen, was ein Plugin anbietet."))
  }

  @Argument(
    help: ArgumentHelp(
      say("A plugin's id, or the path of its library.", de: "Die ID eines Plugins, oder der Pfad seiner Bibliothek."),
      valueName: "plugin"))
  var plugin: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let manifests = try Project(try Workspace(global)).manifests
    let manifest: PluginManifest
    let isolation: Isolation
    do throws(PluginError) {
      manifest = try manifests.manifest(of: PluginReference(plugin))
      let path = try manifests.searchPath.locate(PluginReference(plugin))
      isolation = manifests.searchPath.isolation(ofLibraryAt: path)
    } catch {
      throw CommandError(ExitStatus.environment, error.message)
    }
    if format.json {
      writeJSON(manifest.json(isolation))
      return
    }
    let terminal = Terminal()
    var lines = ["\(terminal.styled(manifest.id, .bold)) \(manifest.version)  \(manifest.summary.spoken)"]
    if !manifest.contracts.isEmpty {
      lines.append(say("contracts: ", de: "Verträge: ") + manifest.contracts.joined(separator: ", "))
    }
    lines += Self.isolationLines(isolation)
    if let files = manifest.files, !files.isEmpty {
      let places = files.map { "{\($0.setting)} (\($0.isWritable ? "read-write" : "read"))" }
      lines.append(say("files: ", de: "Dateien: ") + places.joined(separator: ", "))
    }
    lines.append("")
    var table = TextTable([
      .init(say("action", de: "Aktion")), .init(say("effect", de: "Wirkung")),
      .init(say("what it does", de: "Beschreibung"), .below),
    ])
    for action in manifest.actions {
      table.append([action.name, action.effect.rawValue, action.summary.spoken])
    }
    for trigger in manifest.triggers {
      table.append([trigger.name, say("trigger", de: "Auslöser"), trigger.summary.spoken])
    }
    lines += table.lines()
    if case .map(let properties)? = manifest.configuration.document["properties"], properties.count > 0 {
      lines += ["", say("settings in sous.yaml:", de: "Einstellungen in sous.yaml:")]
      var settings = TextTable([
        .init(say("setting", de: "Einstellung")), .init(say("type", de: "Typ"), .cut(to: 12)),
        .init(say("notes", de: "Anmerkungen"), .below), .init(say("meaning", de: "Bedeutung"), .below),
      ])
      let fields = SchemaField.all(of: manifest.configuration.document, secrets: Set(manifest.secrets))
      for field in fields {
        settings.append([field.name, field.type, field.notes.joined(separator: ", "), field.meaning])
      }
      lines += settings.lines()
    }
    if !manifest.hosts.isEmpty {
      lines += ["", say("reaches: ", de: "erreicht: ") + manifest.hosts.joined(separator: ", ")]
    }
    write(lines.flatMap { $0.fitted(to: Terminal()) }.joined(separator: "\n") + "\n")
  }
}

extension PluginsShowCommand {
  /// Where the plugin runs, and what is missing for that.
  private static func isolationLines(_ isolation: Isolation) -> [String] {
    switch isolation {
    case .inProcess:
      return [say("isolation: in-process (comes with Sous)", de: "Isolation: in-process (kommt mit Sous)")]
    case .process:
      return [say("isolation: process", de: "Isolation: process")]
        + IsolationSupport.missing.map { "  " + $0.lack.spoken }
    }
  }
}

extension InstalledPlugin {
  /// The plugin for `sous plugins --json`: `{id, path, origin, status, version?, contracts?, other?, error?}`.
  fileprivate var json: Value {
    var map: ValueMap = ["id": .string(id), "path": .string(path), "origin": .string(origin.rawValue)]
    switch status {
    case .active(let manifest):
      map["status"] = "active"
      map["version"] = .string(manifest.version)
      map["contracts"] = .list(manifest.contracts.map { .string($0) })
      map["actions"] = .list(manifest.actions.map { .string($0.name) })
    case .shadowed(let winner):
      map["status"] = "shadowed"
      map["other"] = .string(winner)
    case .duplicate(let winner):
      map["status"] = "duplicate"
      map["other"] = .string(winner)
    case .broken(let error):
      map["status"] = "broken"
      map["error"] = ["code": .string(error.code.rawValue), "message": .string(error.message.spoken)]
    }
    return .map(map)
  }
}

extension PluginManifest {
  /// The manifest for `sous plugins show --json`, and how the plugin runs where the configuration says nothing.
  fileprivate func json(_ isolation: Isolation) -> Value {
    [
      "isolation": [
        "mode": .string(isolation.rawValue), "filters_system_calls": .bool(IsolationSupport.filtersSystemCalls),
        "landlock": .int(Int64(IsolationSupport.domainVersion)),
        "missing_fences": .list(IsolationSupport.missing.map { .string($0.rawValue) }),
      ],
      "id": .string(id), "version": .string(version), "summary": .string(summary.spoken),
      "contracts": .list(contracts.map { .string($0) }),
      "actions": .list(
        actions.map { action in
          [
            "name": .string(action.name), "summary": .string(action.summary.spoken),
            "effect": .string(action.effect.rawValue), "costly": .bool(action.isCostly),
            "verifies": .bool(action.verifies),
            "native": .list(action.native.map { .string($0) }),
            "tasks": action.tasks.map { .list($0.map { .string($0) }) } ?? .null,
            "input": action.input?.document ?? .null,
            "output": action.output?.document ?? .null,
          ]
        }),
      "triggers": .list(
        triggers.map { trigger in
          [
            "name": .string(trigger.name), "summary": .string(trigger.summary.spoken),
            "settings": trigger.settings?.document ?? .null, "event": trigger.event?.document ?? .null,
          ]
        }), "config": configuration.document, "hosts": .list(hosts.map { .string($0) }),
      "files": files.map { files in
        .list(
          files.map {
            ["path": .string("{\($0.setting)}"), "access": .string($0.isWritable ? "read-write" : "read")]
          })
      } ?? .null,
      "secrets": .list(secrets.map { .string($0) }),
    ]
  }
}
