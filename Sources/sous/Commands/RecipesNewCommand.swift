import ArgumentParser
import Expressions
import Localization
import UseCases

/// `sous recipes duplicate`
struct RecipesDuplicateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "duplicate",
      abstract: say(
        "Copy a recipe under another name; the copy's triggers are switched off.",
        de: "Ein Rezept unter anderem Namen kopieren; die Auslöser der Kopie sind ausgeschaltet."))
  }

  @OptionGroup var named: NamedRecipe
  @Argument(help: ArgumentHelp(say("The copy's name.", de: "Der Name der Kopie."), valueName: "copy"))
  var copy: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let path = try await Project(try Workspace(global)).duplicateRecipe(named.name, as: copy)
    if format.json { return writeJSON(["path": .string(path), "disabled": true]) }
    write(
      say(
        "\(path)\nits triggers are switched off: sous recipes enable \(copy)\n",
        de: "\(path)\nseine Auslöser sind ausgeschaltet: sous recipes enable \(copy)\n"))
  }
}

/// `sous recipes new`
struct RecipesNewCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "new",
      abstract: say("Begin a recipe from a template.", de: "Ein Rezept aus einer Vorlage beginnen."))
  }

  @Argument(help: ArgumentHelp(say("The recipe's name.", de: "Der Name des Rezepts."), valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      say("The template: \(Self.templates).", de: "Woraus es entsteht: \(Self.templates)."),
      valueName: "template"))
  var template = RecipeTemplate.schedule.rawValue

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private static var templates: String {
    RecipeTemplate.allCases.map { "\($0.rawValue) (\($0.summary.spoken))" }.joined(separator: ", ")
  }

  mutating func validate() throws {
    guard RecipeTemplate(rawValue: template) != nil else {
      let words = RecipeTemplate.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(say("--template is one of \(words)", de: "--template ist eines von \(words)"))
    }
  }

  func run() throws {
    guard let template = RecipeTemplate(rawValue: template) else { return }
    let path = try Project(try Workspace(global)).newRecipe(name, from: template)
    if format.json { return writeJSON(["path": .string(path)]) }
    write(path + "\n")
  }
}
