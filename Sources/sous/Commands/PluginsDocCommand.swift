import ArgumentParser
import Expressions
import Localization
import Plans
import PluginBoundary
import PluginHost
import Schemas
import UseCases

/// `sous plugins doc`: the reference page of a plugin, written from its manifest.
struct PluginsDocCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doc",
      abstract: say(
        "Write a plugin's reference page from its manifest, as Markdown.",
        de: "Die Referenzseite eines Plugins aus seinem Manifest schreiben, als Markdown."))
  }

  @Argument(
    help: ArgumentHelp(
      say("A plugin's id, or the path of its library.", de: "Die ID eines Plugins, oder der Pfad seiner Bibliothek."),
      valueName: "plugin"))
  var plugin: String

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let manifests = try Project(try Workspace(global)).manifests
    do throws(PluginError) {
      writeVerbatim(ReferencePage(try manifests.manifest(of: PluginReference(plugin))).text)
    } catch {
      throw CommandError(ExitStatus.environment, error.message)
    }
  }
}

/// The Markdown of a reference page.
private struct ReferencePage {
  let manifest: PluginManifest

  init(_ manifest: PluginManifest) { self.manifest = manifest }

  var text: String {
    var lines = ["# \(manifest.id)", "", Self.sentence(manifest.summary.spoken), ""]
    lines.append(say("Version \(manifest.version).", de: "Version \(manifest.version)."))
    if !manifest.contracts.isEmpty {
      lines[lines.count - 1] +=
        say(" Contracts: ", de: " Verträge: ") + manifest.contracts.map { "`\($0)`" }.joined(separator: ", ") + "."
    }
    lines += ["", say("## Settings", de: "## Einstellungen"), ""]
    lines += fields(of: manifest.configuration.document, secrets: Set(manifest.secrets))
    lines += ["", "```yaml", "providers:", "  my-\(manifest.id):", "    plugin: \(manifest.id)"]
    lines += SchemaField.requiredNames(of: manifest.configuration.document).map { name in
      manifest.secrets.contains(name)
        ? "    \(name): { secret: \(name.uppercased()) }" : "    \(name): …"
    }
    lines += ["```", ""]
    if !manifest.hosts.isEmpty {
      lines += [
        say("Reaches: ", de: "Erreicht: ") + manifest.hosts.map { "`\($0)`" }.joined(separator: ", ") + ".", "",
      ]
    }
    if !manifest.actions.isEmpty { lines += [say("## Actions", de: "## Aktionen"), ""] }
    for action in manifest.actions { lines += section(action) }
    if !manifest.triggers.isEmpty { lines += [say("## Triggers", de: "## Auslöser"), ""] }
    for trigger in manifest.triggers { lines += section(trigger) }
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ action: PluginManifest.Action) -> [String] {
    var lines = ["### \(action.name)", "", Self.sentence(action.summary.spoken), ""]
    var traits = [say("Effect: `\(action.effect.rawValue)`", de: "Wirkung: `\(action.effect.rawValue)`")]
    if action.isCostly { traits.append(say("costly", de: "kostspielig")) }
    if action.verifies { traits.append(say("can be verified", de: "nachprüfbar")) }
    if let tasks = action.tasks {
      let list = tasks.joined(separator: ", ")
      traits.append(say("only for the tasks \(list)", de: "nur für die Aufgaben \(list)"))
    }
    lines += [traits.joined(separator: ", ") + ".", ""]
    let contract = manifest.contracts.lazy
      .compactMap(BundledContract.claimed)
      .flatMap(\.signatures).first { $0.name == action.name }
    let schemas = [
      (say("Input", de: "Eingabe"), action.input ?? contract?.input),
      (say("Output", de: "Ausgabe"), action.output ?? contract?.output),
    ]
    for case (let title, let schema?) in schemas {
      lines += ["\(title):", ""] + fields(of: schema.document) + [""]
    }
    return lines
  }

  private func section(_ trigger: PluginManifest.Trigger) -> [String] {
    var lines = ["### \(trigger.name)", "", Self.sentence(trigger.summary.spoken), ""]
    let schemas = [
      (say("Settings", de: "Einstellungen"), trigger.settings), (say("Event", de: "Ereignis"), trigger.event),
    ]
    for case (let title, let schema?) in schemas {
      lines += ["\(title):", ""] + fields(of: schema.document) + [""]
    }
    return lines
  }

  /// A table of an object's properties.
  private func fields(of schema: Value, secrets: Set<String> = []) -> [String] {
    let fields = SchemaField.all(of: schema, secrets: secrets)
    guard !fields.isEmpty else { return [say("None.", de: "Keine.")] }
    func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }
    return [say("| name | type | | meaning |", de: "| Name | Typ | | Bedeutung |"), "|---|---|---|---|"]
      + fields.map { field in
        let notes = field.notes.map(cell).joined(separator: ", ")
        return "| `\(field.name)` | \(field.type) | \(notes) | \(cell(field.meaning)) |"
      }
  }

  private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}
