import ArgumentParser
import Catalog
import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import RecordJSON
import UseCases

/// `sous catalog`: the prompts of a project.
struct CatalogCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "catalog",
      abstract: say(
        "Show, change, import and export the prompt catalog.",
        de: "Den Prompt-Katalog zeigen, ändern, importieren und exportieren."),
      discussion: say(
        """
        The catalog is a folder of YAML files, catalog/ beside sous.yaml. Everything here can also be done with an editor \
        and git. See docs/catalog.md.
        """,
        de: """
          Der Katalog ist ein Ordner mit YAML-Dateien, catalog/ neben sous.yaml. Alles hier geht auch mit einem Editor und \
          git. Siehe docs/catalog.md.
          """),
      subcommands: [
        CatalogTreeCommand.self, CatalogShowCommand.self, CatalogPromptCommand.self, CatalogSearchCommand.self,
        CatalogPathCommand.self, CatalogAddCommand.self, CatalogEditCommand.self, CatalogMoveCommand.self,
        CatalogReorderCommand.self, CatalogDeleteCommand.self, CatalogImportCommand.self, CatalogExportCommand.self,
        CatalogInitCommand.self,
      ],
      defaultSubcommand: CatalogTreeCommand.self)
  }
}

/// `sous catalog tree`
struct CatalogTreeCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "tree", abstract: say("Show folders and prompts.", de: "Ordner und Prompts zeigen."))
  }

  @Argument(help: ArgumentHelp(say("Where to begin.", de: "Wo begonnen wird."), valueName: "folder"))
  var folder = ""

  @Option(help: ArgumentHelp(say("How many levels.", de: "Wie viele Ebenen."), valueName: "n"))
  var depth = 64

  @Flag(
    help: ArgumentHelp(say("Without the prompts that come with Sous.", de: "Ohne die Prompts, die Sous mitbringt.")))
  var own = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let snapshot = try cataloguing { () throws(CatalogError) in try store.snapshot() }
    let start = try cataloguing { () throws(CatalogError) in try snapshot.find(folder) }
    let problems = snapshot.problems.filter { $0.severity == .error }
    if format.json {
      writeJSON([
        "entries": .list(nodes(start.name, snapshot, 0)),
        "problems": .list(problems.map { .string("\($0.path): \($0.message.spoken)") }),
      ])
    } else {
      var table = TextTable([
        .init(say("entry", de: "Eintrag"), .cut(to: 24)), .init(say("name", de: "Name")),
        .init(say("remarks", de: "Bemerkungen"), .below),
      ])
      rows(start.name, snapshot, 0, &table)
      write(table.text())
    }
    for problem in problems {
      writeError("\(problem.path):\(problem.range?.start.line ?? 1): \(problem.message.spoken)\n")
    }
    if !problems.isEmpty { throw CommandError(ExitStatus.wrongInput) }
  }

  private func nodes(_ folder: String, _ snapshot: CatalogSnapshot, _ level: Int) -> [Value] {
    guard level < depth else { return [] }
    return snapshot.children(of: folder).filter { !own || !snapshot.isBundled($0) }.map { place in
      var map = snapshot.json(place)
      if case .folder(let name) = place { map["entries"] = .list(nodes(name, snapshot, level + 1)) }
      return .map(map)
    }
  }

  private func rows(_ folder: String, _ snapshot: CatalogSnapshot, _ level: Int, _ table: inout TextTable) {
    guard level < depth else { return }
    for place in snapshot.children(of: folder) where !own || !snapshot.isBundled(place) {
      let icon = snapshot.file(place)?.icon ?? ""
      let indent = String(repeating: "  ", count: level)
      table.append([
        indent + (icon.isEmpty ? "" : icon + " ") + snapshot.title(place), place.label, snapshot.remark(place),
      ])
      if case .folder(let name) = place { rows(name, snapshot, level + 1, &table) }
    }
  }
}

/// `sous catalog show`
struct CatalogShowCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: say("Show one entry with all it says.", de: "Einen Eintrag mit allem zeigen."))
  }

  @OptionGroup var named: NamedPrompt
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let (snapshot, place) = try cataloguing { () throws(CatalogError) in
      let snapshot = try store.snapshot()
      return (snapshot, try snapshot.find(named.entry))
    }
    let file = snapshot.file(place)
    if format.json {
      return writeJSON(.map(snapshot.detail(place)))
    }
    write("\(snapshot.titlePath(place))  (\(place.label))\n")
    let remark = snapshot.remark(place)
    if !remark.isEmpty { write(remark + "\n") }
    write((file?.document.source.path ?? "") + "\n\n")
    write(
      file.map { $0.document.source.text.hasSuffix("\n") ? $0.document.source.text : $0.document.source.text + "\n" }
        ?? "")
  }
}

/// `sous catalog prompt`
struct CatalogPromptCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "prompt",
      abstract: say(
        "Show the text of a preset or a composition, with keywords put in.",
        de: "Den Text eines Presets oder einer Komposition zeigen, mit eingesetzten Schlüsselwörtern."))
  }

  @OptionGroup var named: NamedPrompt

  @Option(
    name: .customShort("k"),
    help: ArgumentHelp(
      say("A keyword that counts more than all others.", de: "Ein Schlüsselwort, das vor allen anderen gilt."),
      valueName: "name=value"))
  var keyword: [String] = []

  @Flag(help: ArgumentHelp(say("Show where each keyword comes from.", de: "Zeigen, woher jedes Schlüsselwort kommt.")))
  var sources = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let given = try Assignment.all(keyword, option: "-k").map { (name: $0.name, value: $0.text) }
    let store = try Workspace.catalogue(global)
    let prompt = try cataloguing { () throws(CatalogError) in try store.prompt(named.entry, keywords: given) }
    if format.json { return writeJSON(prompt.json) }
    if let system = prompt.system {
      writeVerbatim(say("System:\n", de: "System:\n") + system + "\n\n" + say("Prompt:\n", de: "Prompt:\n"))
    }
    writeOutput(prompt.text + "\n")
    guard sources else { return }
    write(say("\nKeywords:\n", de: "\nSchlüsselwörter:\n"))
    var table = TextTable([
      .init(say("keyword", de: "Schlüsselwort")), .init(say("value", de: "Wert"), .cut(to: 16)),
      .init(say("from", de: "aus"), .below), .init(say("replaces", de: "ersetzt"), .below),
    ])
    for keyword in prompt.keywords {
      let replaced =
        keyword.replaced.isEmpty ? "" : say("replaces ", de: "ersetzt ") + keyword.replaced.joined(separator: ", ")
      table.append([keyword.name, keyword.value, keyword.place, replaced])
    }
    write(table.text())
  }
}

/// `sous catalog search`
struct CatalogSearchCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "search",
      abstract: say(
        "Find entries by words in their names, texts and keywords.",
        de: "Einträge nach Wörtern in Namen, Texten und Schlüsselwörtern finden."))
  }

  @Argument(
    help: ArgumentHelp(
      say("Words that all have to be there.", de: "Wörter, die alle vorkommen müssen."), valueName: "word"))
  var words: [String]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let snapshot = try cataloguing { () throws(CatalogError) in try store.snapshot() }
    let found = snapshot.places(with: words)
    if format.json { return writeJSON(.list(found.map { .map(snapshot.json($0)) })) }
    var table = TextTable([
      .init(say("name", de: "Name")), .init(say("entry", de: "Eintrag"), .below),
      .init(say("description", de: "Beschreibung"), .below),
    ])
    for place in found {
      table.append([
        place.label, snapshot.titlePath(place), snapshot.file(place)?.text("description", in: snapshot.language) ?? "",
      ])
    }
    write(table.text())
    if found.isEmpty { throw CommandError(ExitStatus.runFailed, LocalizedText("nothing found", de: "nichts gefunden")) }
  }
}

/// `sous catalog path`
struct CatalogPathCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "path",
      abstract: say("Show the way from the root to an entry.", de: "Den Weg von der Wurzel zu einem Eintrag zeigen."))
  }

  @OptionGroup var named: NamedPrompt
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let (snapshot, place) = try cataloguing { () throws(CatalogError) in
      let snapshot = try store.snapshot()
      return (snapshot, try snapshot.find(named.entry))
    }
    if format.json { return writeJSON(.list(snapshot.path(to: place).map { .map(snapshot.json($0)) })) }
    write(snapshot.path(to: place).map { snapshot.title($0) }.joined(separator: " › ") + "\n")
    write((snapshot.file(place)?.document.source.path ?? place.label) + "\n")
  }
}

/// The entry that a command is about.
struct NamedPrompt: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "Its name, mail/summary, or as it is shown, Mail/Summary; a folder ends in '/'.",
        de: "Sein Name, mail/summary, oder wie er angezeigt wird, Mail/Zusammenfassung; ein Ordner endet mit '/'."),
      valueName: "entry"))
  var entry: String
}

extension Workspace {
  /// The catalog of the workspace that the options name.
  static func catalogue(_ options: GlobalOptions) throws(UseCaseError) -> CatalogStore {
    try Workspace(options).catalog(Speech.language)
  }
}

/// Works with the catalog; errors belong to the command line or to the disk.
func cataloguing<Answer>(_ body: () throws(CatalogError) -> Answer) throws(CommandError) -> Answer {
  do throws(CatalogError) {
    return try body()
  } catch {
    throw CommandError(
      error.code == .storage ? ExitStatus.environment : ExitStatus.wrongInput, error.message, code: error.code.rawValue)
  }
}

extension CatalogSnapshot {
  /// Further remarks about an entry.
  func remark(_ place: Place) -> String {
    guard let file = file(place) else { return "" }
    var parts: [String] = []
    switch file.kind {
    case .item: parts.append("→ " + (file.target ?? ""))
    case .composition:
      parts.append(
        LocalizedText.count(file.elements.count, "element", "elements", de: "Element", "Elemente").spoken)
    case .cookbook: parts.append(say("\(file.recipes.count) compositions", de: "\(file.recipes.count) Kompositionen"))
    case .folder, .preset: break
    }
    if file.isDefault { parts.append(say("default", de: "Vorgabe")) }
    if !file.isListed { parts.append(say("not in the menu", de: "nicht im Menü")) }
    if isBundled(place), file.kind != .folder { parts.append(say("comes with Sous", de: "von Sous")) }
    return parts.joined(separator: ", ")
  }
}
