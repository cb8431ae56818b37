import ArgumentParser
import Expressions
import Localization
import Upkeep
import UseCases

/// `sous state`: the values that recipes keep from run to run.
struct StateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "state",
      abstract: say(
        "List, read and delete the values that recipes keep with 'state.set' and 'state.increment'.",
        de: "Werte auflisten, lesen und löschen, die Rezepte mit 'state.set' und 'state.increment' behalten."),
      subcommands: [StateListCommand.self, StateGetCommand.self, StateClearCommand.self],
      defaultSubcommand: StateListCommand.self)
  }
}

/// `sous state list`
struct StateListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List the values of a recipe, or of all.", de: "Die Werte eines Rezepts auflisten, oder aller."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The recipe's name; default: all.", de: "Der Name des Rezepts; Vorgabe: alle."), valueName: "recipe"))
  var recipe: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  /// Columns of a value in the table.
  private static let valueColumns = 60

  func run() async throws {
    let found = try await Workspace(global).keptValues(of: recipe)
    if format.json { return writeJSON(.list(found.map(\.json))) }
    guard !found.isEmpty else { return write(say("no recipe keeps values\n", de: "kein Rezept behält Werte\n")) }
    var table = TextTable()
    for value in found {
      table.append([
        value.recipe.singleLine, value.key.singleLine, value.value.jsonString.singleLine.cut(to: Self.valueColumns),
      ])
    }
    write(table.lines().joined(separator: "\n") + "\n")
  }
}

/// `sous state get`
struct StateGetCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "get",
      abstract: say(
        "Print one value: a text as it is, anything else as JSON.",
        de: "Einen Wert ausgeben: einen Text, wie er ist, alles andere als JSON."))
  }

  @OptionGroup var kept: KeptValueArguments
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let found = try await Workspace(global).keptValue(kept.key, of: kept.recipe)
    if format.json { return writeJSON(found.json) }
    writeVerbatim((found.value.stringValue ?? found.value.prettyJSON) + "\n")
  }
}

/// `sous state clear`
struct StateClearCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clear",
      abstract: say(
        "Delete one value of a recipe, or all with --all.",
        de: "Einen Wert eines Rezepts löschen, oder alle mit --all."))
  }

  @Argument(help: ArgumentHelp(say("The recipe's name.", de: "Der Name des Rezepts."), valueName: "recipe"))
  var recipe: String

  @Argument(help: ArgumentHelp(say("The key of the value.", de: "Der Schlüssel des Werts."), valueName: "key"))
  var key: String?

  @Flag(help: ArgumentHelp(say("All values of the recipe.", de: "Alle Werte des Rezepts.")))
  var all = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if all == (key != nil) {
      throw ValidationError(say("name a key, or give --all", de: "einen Schlüssel nennen oder --all angeben"))
    }
  }

  func run() async throws {
    let count = try await Workspace(global).clearState(of: recipe, key: key)
    if format.json { return writeJSON(["cleared": .int(Int64(count))]) }
    write(
      LocalizedText.count(count, "value", "values", de: "Wert", "Werte").spoken + say(" deleted\n", de: " gelöscht\n"))
  }
}

/// A value that a command is about.
struct KeptValueArguments: ParsableArguments {
  @Argument(help: ArgumentHelp(say("The recipe's name.", de: "Der Name des Rezepts."), valueName: "recipe"))
  var recipe: String

  @Argument(help: ArgumentHelp(say("The key of the value.", de: "Der Schlüssel des Werts."), valueName: "key"))
  var key: String
}
