import ArgumentParser
import Expressions
import Localization
import Notes
import RecordJSON
import UseCases

/// `sous notes categories`
struct NotesCategoriesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "categories",
      abstract: say(
        "List, add, change and delete categories of notes.",
        de: "Kategorien von Notizen zeigen, anlegen, ändern und löschen."),
      subcommands: [
        NotesCategoriesListCommand.self, NotesCategoriesAddCommand.self, NotesCategoriesEditCommand.self,
        NotesCategoriesDeleteCommand.self,
      ],
      defaultSubcommand: NotesCategoriesListCommand.self)
  }
}

/// `sous notes categories list`
struct NotesCategoriesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "list", abstract: say("List the categories.", de: "Die Kategorien zeigen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let categories = try workspace.readingNotes(
      { try $0.categories() }, ifMissing: { NoteCategory.first(in: Speech.language) })
    if format.json { return writeJSON(.list(categories.map(\.json))) }
    let report = try workspace.report()
    var table = TextTable([
      .init(say("category", de: "Kategorie")), .number(say("notes", de: "Notizen")), .init(say("colour", de: "Farbe")),
      .init(""),
    ])
    for category in categories {
      table.append([
        report.category(named: category.name), String(category.count), category.color ?? "",
        category.isDefault ? say("default", de: "Vorgabe") : "",
      ])
    }
    write(table.text())
  }
}

/// `sous notes categories add`
struct NotesCategoriesAddCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "add", abstract: say("Add a category.", de: "Eine Kategorie anlegen."))
  }

  @Argument(help: ArgumentHelp(say("Its name.", de: "Ihr Name."), valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp(say("Its colour: #0a84ff.", de: "Ihre Farbe: #0a84ff."), valueName: "color"))
  var color: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (name, color) = (name, color)
    let found = try Workspace(global).changingNotes { store in
      try store.addCategory(name, color: color)
      return try store.categories()
    }
    tell(found, format, say("added\n", de: "angelegt\n"))
  }
}

/// `sous notes categories edit`
struct NotesCategoriesEditCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "edit",
      abstract: say(
        "Change a category's name, colour or place, or make it the default.",
        de: "Name, Farbe oder Platz einer Kategorie ändern, oder sie zur Vorgabe machen."))
  }

  @Argument(help: ArgumentHelp(say("Its name.", de: "Ihr Name."), valueName: "name"))
  var name: String

  @Option(
    name: .customLong("name"), help: ArgumentHelp(say("Its new name.", de: "Ihr neuer Name."), valueName: "name"))
  var newName: String?

  @Option(
    help: ArgumentHelp(
      say("Its colour: #0a84ff; empty: none.", de: "Ihre Farbe: #0a84ff; leer: keine."), valueName: "color"))
  var color: String?

  @Option(
    help: ArgumentHelp(
      say("Its place in the order, from 1.", de: "Ihr Platz in der Reihenfolge, ab 1."), valueName: "number"))
  var position: Int?

  @Flag(
    name: .customLong("default"),
    help: ArgumentHelp(say("Notes without a category belong to it.", de: "Notizen ohne Kategorie gehören zu ihr.")))
  var isDefault = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard newName != nil || color != nil || position != nil || isDefault else {
      throw ValidationError(
        say(
          "say what to change: --name, --color, --position, --default",
          de: "sagen, was sich ändert: --name, --color, --position, --default"))
    }
  }

  func run() async throws {
    let found = try Workspace(global).changingNotes { store in
      try store.changeCategory(name, to: newName, color: color, position: position, isDefault: isDefault)
      return try store.categories()
    }
    tell(found, format, say("changed\n", de: "geändert\n"))
  }
}

/// `sous notes categories delete`
struct NotesCategoriesDeleteCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: say(
        "Delete a category; its notes go to the default one.",
        de: "Eine Kategorie löschen; ihre Notizen kommen zur Vorgabe."))
  }

  @Argument(help: ArgumentHelp(say("Its name.", de: "Ihr Name."), valueName: "name"))
  var name: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = name
    let found = try Workspace(global).changingNotes { store in
      try store.deleteCategory(name)
      return try store.categories()
    }
    tell(found, format, say("deleted\n", de: "gelöscht\n"))
  }
}

private func tell(_ categories: [NoteCategory], _ format: FormatOptions, _ words: String) {
  if format.json { writeJSON(.list(categories.map(\.json))) } else { write(words) }
}
