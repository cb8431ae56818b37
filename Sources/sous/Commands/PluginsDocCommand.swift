import ArgumentParser
import Expressions
import Localization
import PluginHost
import Recipes

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
      write(ReferencePage(try manifests.manifest(of: PluginReference(plugin))).text)
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
    lines += requiredNames(manifest.configuration.document).map { name in
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
    var traits = [say("Effect: `\(action.effect.rawValue)`", de: "Effekt: `\(action.effect.rawValue)`")]
    if action.isCostly { traits.append(say("costly", de: "kostspielig")) }
    if action.verifies { traits.append(say("can be verified", de: "nachprüfbar")) }
    lines += [traits.joined(separator: ", ") + ".", ""]
    let contract = manifest.contracts.lazy
      .compactMap { claim in BundledContract.all.first { "\($0.name)/\($0.version)" == claim } }
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
    guard case .map(let properties)? = schema["properties"], properties.count > 0 else {
      return [say("None.", de: "Keine.")]
    }
    let required = Set(requiredNames(schema))
    var lines = [
      say("| name | type | | meaning |", de: "| Name | Typ | | Bedeutung |"), "|---|---|---|---|",
    ]
    for entry in properties.entries {
      guard case .string(let name) = entry.key else { continue }
      var notes: [String] = []
      if required.contains(name) { notes.append(say("required", de: "nötig")) }
      if secrets.contains(name) { notes.append(say("secret", de: "geheim")) }
      if let preset = entry.value["default"] {
        notes.append(say("default `\(preset.jsonString)`", de: "Vorgabe `\(preset.jsonString)`"))
      }
      let meaning = (entry.value["description"]?.stringValue ?? "").replacing("|", with: "\\|")
      lines.append("| `\(name)` | \(Self.type(of: entry.value)) | \(notes.joined(separator: ", ")) | \(meaning) |")
    }
    return lines
  }

  private func requiredNames(_ schema: Value) -> [String] {
    guard case .list(let names)? = schema["required"] else { return [] }
    return names.compactMap(\.stringValue)
  }

  private static func type(of schema: Value) -> String {
    if case .list(let choices)? = schema["enum"] {
      return choices.map { "`\($0.stringValue ?? $0.jsonString)`" }.joined(separator: ", ")
    }
    let name = schema["type"]?.stringValue ?? ""
    if name == "array", let items = schema["items"]?["type"]?.stringValue { return "array of \(items)" }
    return name
  }

  private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}
