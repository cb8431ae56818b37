import ArgumentParser
import Catalog
import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import Schemas
import Secrets
import UseCases

/// `sous providers import`
struct ProvidersImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: say(
        "Make entries of sous.yaml from the providers or mail accounts of another program (JSON).",
        de: "Aus Providern oder Mailkonten eines anderen Programms (JSON) Einträge für sous.yaml machen."),
      discussion: say(
        """
        Keys and passwords go into the vault; the entries name them. Without --write the entries are only shown, with \
        --dry-run nothing is kept at all.
        """,
        de: """
          Schlüssel und Passwörter kommen in den Tresor; die Einträge nennen sie. Ohne --write werden die Einträge nur gezeigt, \
          mit --dry-run wird gar nichts behalten.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The file; - for standard input.", de: "Die Datei; - für die Standardeingabe."), valueName: "file"))
  var file: String

  @Flag(help: ArgumentHelp(say("Append the entries to sous.yaml.", de: "Die Einträge an sous.yaml anfügen.")))
  var write = false

  @Flag(help: ArgumentHelp(say("Keep nothing, not even secrets.", de: "Nichts behalten, auch keine Geheimnisse.")))
  var dryRun = false

  @OptionGroup var vault: NewVaultOptions

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private static let limit = 4 << 20

  func run() throws {
    let bytes = try MessageArgument.source(file, limit: Self.limit).bytes
    let project = try Project(try Workspace(global))
    let taken = project.configuration.providers.map(\.name)
    let found = try cataloguing { () throws(CatalogError) in try ForeignProviders(bytes, taken: taken) }
    let lines = found.entries.map { "  \($0.name): \($0.settings)\n" }.joined()
    // The new content of the file is checked before anything is stored.
    let changed = write ? try appended(lines, project) : nil
    if !dryRun {
      for (name, value) in found.secrets {
        _ = try project.secrets.set(name, newVault: vault.lock) { (_) throws(SecretError) in try SecureBytes(value) }
      }
      if let (path, text) = changed {
        project.workspace.auditSettings(by: nil)
        let target = try OutputFile(own: path, keepingMode: true)
        try target.write(Array(text.utf8))
        try target.finish()
        project.workspace.auditSettings(by: .ofCommand)
      }
    }
    tell(found, lines)
  }

  private func tell(_ found: ForeignProviders, _ lines: String) {
    if format.json {
      return writeJSON([
        "providers": .list(found.entries.map { ["name": .string($0.name), "settings": .string($0.settings)] }),
        "secrets": .list(found.secrets.map { .string($0.name) }), "default": found.chosen.map { .string($0) } ?? .null,
        "remarks": .list(found.remarks.map { .string($0.spoken) }), "written": .bool(write && !dryRun),
      ])
    }
    sous.write("providers:\n" + lines)
    if let chosen = found.chosen { sous.write("# defaults: { chat: \(chosen) }\n") }
    for remark in found.remarks { writeError("- \(remark.spoken)\n") }
    if !dryRun, !found.secrets.isEmpty {
      let count = LocalizedText.count(found.secrets.count, "secret", "secrets", de: "Geheimnis", "Geheimnisse").spoken
      writeError(say("\(count) in the vault\n", de: "\(count) im Tresor\n"))
    }
  }

  /// The configuration with the entries in it.
  private func appended(_ lines: String, _ project: Project) throws -> (path: String, text: String) {
    guard let path = project.configuration.path else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("there is no sous.yaml; see 'sous init'", de: "es gibt keine sous.yaml; siehe 'sous init'"))
    }
    let source = try MessageArgument.source(path, limit: Self.limit)
    var rows = source.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let row = rows.firstIndex(where: { $0.hasPrefix("providers:") }) {
      // An empty map in braces gives way to the entries.
      let empty = rows[row].prefixMatch(of: /providers: *\{ *\}/)
      if let empty { rows[row].replaceSubrange(empty.range, with: "providers:") }
      let rest = rows[row].dropFirst(10).drop { $0 == " " }
      guard rest.isEmpty || rest.hasPrefix("#") else { throw Self.unsuitable(path) }
      let next = rows[(row + 1)...].first { !$0.isEmpty && !$0.drop { $0 == " " }.hasPrefix("#") } ?? ""
      let indent = next.prefix { $0 == " " }
      let margin = indent.isEmpty ? "  " : String(indent)
      rows.insert(contentsOf: lines.split(separator: "\n").map { margin + $0.dropFirst(2) }, at: row + 1)
    } else {
      if rows.last?.isEmpty == true { rows.removeLast() }
      rows += ["providers:"] + lines.split(separator: "\n").map(String.init) + [""]
    }
    let text = rows.joined(separator: "\n")
    guard
      !Configuration.parse(SourceText(path: path, text: text)).diagnostics.contains(where: { $0.severity == .error })
    else { throw Self.unsuitable(path) }
    return (path, text)
  }

  private static func unsuitable(_ path: String) -> CommandError {
    CommandError(
      ExitStatus.wrongInput,
      LocalizedText(
        "the entries do not fit into \(path) by themselves; copy them from the output without --write",
        de: "die Einträge passen nicht von selbst in \(path); aus der Ausgabe ohne --write übernehmen"))
  }
}
