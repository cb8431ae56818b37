import ArgumentParser
import Expressions
import Localization
import Plans
import PluginBoundary
import PluginHost
import PluginStore
import RecordJSON
import Schemas
import UseCases

/// `sous plugins`: what is installed, and what one plugin offers.
struct PluginsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plugins",
      abstract: say(
        "Get, list, show, update, check and write plugins.",
        de: "Plugins holen, auflisten, zeigen, aktualisieren, prüfen und schreiben."),
      subcommands: [
        PluginsListCommand.self, PluginsShowCommand.self, PluginsInstallCommand.self, PluginsUpdateCommand.self,
        PluginsRemoveCommand.self, PluginsVerifyCommand.self, PluginsNewCommand.self, PluginsDevCommand.self,
        PluginsKitCommand.self, PluginsCheckCommand.self, PluginsDocCommand.self, PluginsPackCommand.self,
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
    let project = try Project(try Workspace(global))
    let plugins = await project.host.installedPlugins()
    let locks = project.trust.locks
    let states = try plugins.map { plugin in
      try mapped { try locks.state(ofLibraryAt: plugin.path, id: plugin.id, origin: plugin.origin) }
    }
    if format.json {
      writeJSON(
        Value.list(
          zip(plugins, states).map { $0.json(lock: $1.state, source: $1.entry?.source, in: Speech.language) }))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("plugin", de: "Plugin")), .init(say("version", de: "Version")), .init(say("from", de: "Herkunft")),
        .init(say("offers", de: "bietet"), .below), .init(say("what it is", de: "Beschreibung"), .below),
        .init(say("problem", de: "Problem"), .apart),
      ])
      for (plugin, state) in zip(plugins, states) {
        var row = row(plugin, terminal)
        if row.count > 2 { row[2] = Self.origin(plugin, state.state) }
        // The source of the file, if it is known.
        if let source = state.entry?.source, let last = row.indices.last, case .active = plugin.status {
          row[last] += say("; from \(source)", de: "; von \(source)")
        }
        table.append(row)
      }
      write(table.text())
    }
    let isBroken = plugins.contains { if case .broken = $0.status { true } else { false } }
    if isBroken { throw CommandError(ExitStatus.environment) }
  }

  /// The origin of a plugin, with the state of its lock; plugins of Sous have none.
  private static func origin(_ plugin: InstalledPlugin, _ state: PluginLocks.State) -> String {
    if plugin.origin == .bundled, state == .unlocked { return plugin.origin.spoken }
    return "\(plugin.origin.spoken), \(state.spoken)"
  }

  private func row(_ plugin: InstalledPlugin, _ terminal: Terminal) -> [String] {
    switch plugin.status {
    case .active(let manifest):
      let offers = manifest.contracts.isEmpty ? manifest.actions.map(\.name) : manifest.contracts
      return [
        "\(terminal.styled("✓", .green)) \(plugin.id)", manifest.version, plugin.origin.spoken,
        offers.joined(separator: ", "), manifest.summary.spoken,
      ]
    case .shadowed(let winner):
      let words = say("shadowed by \(winner): \(plugin.path)", de: "verdeckt von \(winner): \(plugin.path)")
      return ["\(terminal.styled("-", .dim)) \(plugin.id)", "", plugin.origin.spoken, "", "", words]
    case .duplicate(let winner):
      let words = say("duplicate of \(winner): \(plugin.path)", de: "doppelt, wie \(winner): \(plugin.path)")
      return ["\(terminal.styled("!", .yellow)) \(plugin.id)", "", plugin.origin.spoken, "", "", words]
    case .broken(let error):
      return ["\(terminal.styled("✗", .red)) \(plugin.id)", "", plugin.origin.spoken, "", "", error.message.spoken]
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
    let project = try Project(try Workspace(global))
    let detail: PluginDetail
    do {
      detail = try mapped { try PluginDetail(plugin, in: project) }
    } catch let error as PluginError {
      throw CommandError(ExitStatus.environment, error.message)
    }
    if format.json { return writeJSON(detail.json(in: Speech.language)) }
    let manifest = detail.manifest
    let terminal = Terminal()
    var lines = ["\(terminal.styled(manifest.id, .bold)) \(manifest.version)  \(manifest.summary.spoken)"]
    if !manifest.contracts.isEmpty {
      lines.append(say("contracts: ", de: "Verträge: ") + manifest.contracts.joined(separator: ", "))
    }
    lines += Self.isolationLines(detail.isolation)
    if let source = detail.source {
      lines.append(say("from: \(source)", de: "von: \(source)"))
      lines.append("sous.lock: " + detail.lock.spoken)
    }
    lines += ["", say("access:", de: "Zugriff:")]
    lines += detail.sentences.map { "  - \($0.spoken)" }
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

extension PluginSearchPath.Origin {
  /// The origin as one word.
  fileprivate var spoken: String {
    switch self {
    case .project: say("project", de: "Projekt")
    case .environment: say("environment", de: "Umgebung")
    case .user: say("user", de: "Benutzer")
    case .bundled: say("bundled", de: "mitgeliefert")
    }
  }
}
