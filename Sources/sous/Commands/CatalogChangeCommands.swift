import ArgumentParser
import Catalog
import Expressions
import Foundation
import Localization
import RecordJSON
import UseCases

/// What `add` and `edit` say about an entry.
struct CatalogFieldOptions: ParsableArguments {
  @Option(help: ArgumentHelp(say("The name for people.", de: "Wie Menschen es nennen."), valueName: "text"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      say("An emoji; three characters at most.", de: "Ein Emoji; höchstens drei Zeichen."), valueName: "icon"))
  var icon: String?

  @Option(help: ArgumentHelp(say("\"Anrede: Du; Stil: knapp\"", de: "\"Anrede: Du; Stil: knapp\""), valueName: "text"))
  var keywords: String?

  @Option(help: ArgumentHelp(say("The purpose.", de: "Wofür es da ist."), valueName: "text"))
  var description: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The prompt; @FILE reads a file, - standard input.",
        de: "Der Prompt; @DATEI liest eine Datei, - die Standardeingabe."), valueName: "text"))
  var text: String?

  @Option(
    help: ArgumentHelp(
      say("The instructions to the model about its role.", de: "Was dem Modell über seine Rolle gesagt wird."),
      valueName: "text"))
  var system: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The kind of work: summarise, classify, extract, correct, translate, write, answer.",
        de: "Die Art der Arbeit: summarise, classify, extract, correct, translate, write, answer."), valueName: "task"))
  var task: String?

  @Option(
    help: ArgumentHelp(
      say("Its place among its neighbours.", de: "Seine Stelle unter seinen Nachbarn."), valueName: "n"))
  var order: Int?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      say(
        "The presets and folders (with '/') of a composition.",
        de: "Die Presets und Ordner (mit '/') einer Komposition."), valueName: "entry"))
  var elements: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "The separator of the elements; \\n is a line break.",
        de: "Was zwischen den Elementen steht; \\n ist ein Zeilenumbruch."), valueName: "text"))
  var separator: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      say(
        "The compositions of a cookbook; 'chapter:NAME' begins a chapter.",
        de: "Die Kompositionen eines Kochbuchs; 'chapter:NAME' beginnt ein Kapitel."), valueName: "entry"))
  var contents: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      say("Use it where no other preset is chosen.", de: "Es verwenden, wo kein anderes Preset gewählt ist.")))
  var `default`: Bool?

  /// The fields; texts are read where a file is named.
  func fields() throws(CommandError) -> CatalogFields {
    var fields = CatalogFields()
    fields.title = name
    fields.icon = icon
    fields.keywords = keywords
    fields.description = description
    fields.system = try system.map { (text) throws(CommandError) in try Self.read(text) }
    fields.text = try text.map { (text) throws(CommandError) in try Self.read(text) }
    fields.task = task
    fields.order = order
    fields.elements = elements.isEmpty ? nil : elements
    fields.separator = separator.map { $0.replacing("\\n", with: "\n") }
    fields.contents = contents.isEmpty ? nil : contents
    fields.isDefault = `default`
    return fields
  }

  /// The most bytes of a text.
  private static let limit = 1 << 20

  private static func read(_ text: String) throws(CommandError) -> String {
    if text == "-" { return try StandardInput.text(isAskedFor: true, limit: limit) }
    guard text.hasPrefix("@") else { return text }
    var read = try TextFile.text(String(text.dropFirst()), limit: limit)
    while read.last?.isNewline ?? false { read.removeLast() }
    return read
  }
}

/// `sous catalog add`
struct CatalogAddCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "add",
      abstract: say(
        "Add a preset, a folder, an item, a composition or a cookbook.",
        de: "Ein Preset, einen Ordner, einen Verweis, eine Komposition oder ein Kochbuch anlegen."),
      discussion: say(
        """
        With --text it is a preset, with --preset an item that points to one, with --elements a composition, with \
        --contents a cookbook; a name that ends in '/' is a folder.
        """,
        de: """
          Mit --text ist es ein Preset, mit --preset ein Verweis auf eines, mit --elements eine Komposition, mit --contents \
          ein Kochbuch; ein Name, der mit '/' endet, ist ein Ordner.
          """))
  }

  @OptionGroup var named: NamedPrompt

  @Option(
    help: ArgumentHelp(
      say("The preset that the item points to.", de: "Das Preset, auf das der Eintrag verweist."), valueName: "entry"))
  var preset: String?

  @OptionGroup var options: CatalogFieldOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    var fields = try options.fields()
    fields.preset = preset
    let store = try Workspace.catalogue(global)
    let wanted = fields
    let result = try cataloguing { () throws(CatalogError) in
      try store.add(try wanted.kind(named: named.entry), named.entry, wanted, now: Date())
    }
    result.tell(say("added", de: "angelegt"), format.json)
  }
}

/// `sous catalog edit`
struct CatalogEditCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "edit",
      abstract: say("Change what an entry says.", de: "Ändern, was ein Eintrag sagt."),
      discussion: say(
        """
        An empty text removes what it is for. A text in several languages is changed in that of the command, see --lang. A \
        prompt that comes with Sous becomes a file of the project.
        """,
        de: """
          Ein leerer Text entfernt die Angabe. Von einem Text in mehreren Sprachen ändert sich der in der Sprache des Befehls, \
          siehe --lang. Ein Prompt, den Sous mitbringt, wird eine Datei des Projekts.
          """))
  }

  @OptionGroup var named: NamedPrompt
  @OptionGroup var options: CatalogFieldOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let fields = try options.fields()
    let store = try Workspace.catalogue(global)
    let result = try cataloguing { () throws(CatalogError) in try store.edit(named.entry, fields, now: Date()) }
    result.tell(say("changed", de: "geändert"), format.json)
  }
}

/// `sous catalog move`
struct CatalogMoveCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "move",
      abstract: say(
        "Move or rename an entry; whatever names it follows.",
        de: "Einen Eintrag verschieben oder umbenennen; was ihn nennt, folgt."))
  }

  @OptionGroup var named: NamedPrompt

  @Argument(
    help: ArgumentHelp(
      say("A folder, or the new name; '/' is the root.", de: "Ein Ordner, oder der neue Name; '/' ist die Wurzel."),
      valueName: "target"))
  var target: String

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(say("A folder takes along what is in it.", de: "Ein Ordner nimmt mit, was in ihm ist.")))
  var recursive = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let result = try cataloguing { () throws(CatalogError) in
      try store.move(named.entry, to: target, recursive: recursive)
    }
    result.tell(say("moved to", de: "verschoben nach"), format.json)
  }
}

/// `sous catalog reorder`
struct CatalogReorderCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reorder",
      abstract: say("Put the entries of a folder into an order.", de: "Die Einträge eines Ordners ordnen."))
  }

  @Argument(
    help: ArgumentHelp(say("The folder; '/' is the root.", de: "Der Ordner; '/' ist die Wurzel."), valueName: "folder"))
  var folder: String

  @Argument(
    help: ArgumentHelp(
      say("Its entries; those left out follow as they were.", de: "Seine Einträge; die übrigen folgen wie bisher."),
      valueName: "entry"))
  var entries: [String]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let result = try cataloguing { () throws(CatalogError) in try store.reorder(folder, entries) }
    if format.json { return result.tell("", true) }
    write(result.affected.map { $0 + "\n" }.joined())
  }
}

/// `sous catalog delete`
struct CatalogDeleteCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: say(
        "Delete an entry that nothing names; a preset with the items that point to it.",
        de: "Einen Eintrag löschen, den nichts nennt; ein Preset mit den Verweisen darauf."))
  }

  @OptionGroup var named: NamedPrompt

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(say("A folder with all that is in it.", de: "Einen Ordner mit allem, was in ihm ist.")))
  var recursive = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let result = try cataloguing { () throws(CatalogError) in try store.delete(named.entry, recursive: recursive) }
    result.tell(say("deleted", de: "gelöscht"), format.json)
    guard !format.json else { return }
    for label in result.affected where label != result.name {
      write(say("deleted with it: \(label)\n", de: "ebenfalls gelöscht: \(label)\n"))
    }
  }
}

/// `sous catalog init`
struct CatalogInitCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "init",
      abstract: say(
        "Write the prompts that come with Sous as files, to be changed; deleted ones are not written again.",
        de: "Die Prompts, die Sous mitbringt, als Dateien schreiben, zum Ändern; Gelöschtes bleibt weg."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try Workspace.catalogue(global)
    let written = try cataloguing { () throws(CatalogError) in try store.begin() }
      .filter { $0.hasSuffix(".yaml") }
    if format.json { return writeJSON(["written": .list(written.map { .string(store.folder + "/" + $0) })]) }
    write(
      written.isEmpty
        ? say("all of them were written before\n", de: "alle wurden schon einmal geschrieben\n")
        : say(
          "wrote \(written.count) files to \(store.folder)/\n",
          de: "\(written.count) Dateien nach \(store.folder)/ geschrieben\n"))
  }
}

extension CatalogResult {
  /// Prints what was done.
  fileprivate func tell(_ verb: String, _ json: Bool) {
    if json { return writeJSON(self.json) }
    write("\(verb): \(name)\n")
    for path in rewritten { write(say("changed: \(path)\n", de: "geändert: \(path)\n")) }
  }
}
