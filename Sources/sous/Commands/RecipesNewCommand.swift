import ArgumentParser
import Expressions
import Localization
import RecipeHistory
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
    let project = try Project(try Workspace(global))
    let path = try await project.duplicateRecipe(named.name, as: copy, by: .ofCommand)
    project.workspace.audit(
      "recipe.duplicate", "recipes/" + copy,
      await project.recipeChange(of: path, from: nil, to: project.recipeDigest(of: path)))
    if format.json { return writeJSON(["path": .string(path), "disabled": true]) }
    write(
      say(
        "\(path)\nits triggers are switched off: sous recipes enable \(copy)\n",
        de: "\(path)\nseine Auslöser sind ausgeschaltet: sous recipes enable \(copy)\n"))
  }
}

/// `sous recipes new`
struct RecipesNewCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "new",
      abstract: say("Begin a recipe from a template.", de: "Ein Rezept aus einer Vorlage beginnen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The recipe's name (default: that of the template).", de: "Der Name des Rezepts (Vorgabe: der der Vorlage)."),
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      say("The template: \(Self.templates).", de: "Woraus es entsteht: \(Self.templates)."),
      valueName: "template"), completion: Completions.templates)
  var template: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private static var templates: String {
    let own = RecipeTemplate.allCases.map { "\($0.rawValue) (\($0.summary.spoken))" }
    return (own + RecipeTemplate.workflows).joined(separator: ", ")
  }

  mutating func validate() throws {
    guard name == nil, template == nil else { return }
    throw ValidationError(
      say(
        "Name the recipe or a template: sous recipes new NAME, sous recipes new --template invoices",
        de: "Einen Namen oder eine Vorlage angeben: sous recipes new NAME, sous recipes new --template invoices"))
  }

  func run() async throws {
    let template = template ?? RecipeTemplate.schedule.rawValue
    let project = try Project(try Workspace(global))
    let path = try await project.newRecipe(
      name, from: template, language: Speech.language, by: .ofCommand)
    project.workspace.audit(
      "recipe.new", "recipes/" + (name ?? template),
      await project.recipeChange(of: path, from: nil, to: project.recipeDigest(of: path)))
    if format.json { return writeJSON(["path": .string(path)]) }
    write(path + "\n")
  }
}
