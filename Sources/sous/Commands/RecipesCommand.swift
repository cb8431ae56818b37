import ArgumentParser
import Expressions
import Localization
import RecordJSON
import UseCases

/// `sous recipes`: the recipes that 'sous serve' starts.
struct RecipesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "recipes",
      abstract: say(
        "List the served recipes, switch their triggers on and off, copy them, begin new ones, and see their history.",
        de:
          "Die Rezepte des Servers auflisten, ihre Auslöser ein- und ausschalten, sie kopieren, neue beginnen und ihren "
          + "Verlauf ansehen."),
      subcommands: [
        RecipesListCommand.self, RecipesEnableCommand.self, RecipesDisableCommand.self, RecipesDuplicateCommand.self,
        RecipesNewCommand.self, RecipesHistoryCommand.self, RecipesDiffCommand.self, RecipesRollbackCommand.self,
        RecipesForgetCommand.self, RecipesSyncCommand.self,
      ],
      defaultSubcommand: RecipesListCommand.self)
  }
}

/// `sous recipes list`
struct RecipesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List the served recipes.", de: "Die Rezepte auflisten, die 'sous serve' ausführt."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let recipes = try await project.servedRecipes()
    let unreadable = project.unreadableFolders.joined(separator: ", ")
    // With --json there is one answer: the error.
    if unreadable.isEmpty || !format.json { Self.list(recipes, project, format) }
    if !unreadable.isEmpty {
      throw CommandError(
        ExitStatus.environment,
        .init(
          "sous.yaml names folders of recipes that cannot be read: \(unreadable)",
          de: "sous.yaml nennt Ordner für Rezepte, die sich nicht lesen lassen: \(unreadable)"))
    }
  }

  private static func list(_ recipes: [RecipeEntry], _ project: Project, _ format: FormatOptions) {
    if format.json { return writeJSON(.list(recipes.map { $0.json(in: Speech.language) })) }
    guard !recipes.isEmpty else {
      let folders = project.servedFolders.joined(separator: ", ")
      return write(say("no recipes in \(folders)\n", de: "keine Rezepte in \(folders)\n"))
    }
    var table = TextTable([
      .init(say("recipe", de: "Rezept"), .cut(to: 16)), .init(say("kind", de: "Art")),
      .init(say("starts", de: "Start")), .init(say("file", de: "Datei"), .below),
      .init(say("problems", de: "Probleme"), .below),
    ])
    for recipe in recipes {
      let state =
        recipe.isDisabled
        ? say("disabled", de: "ausgeschaltet")
        : LocalizedText.count(recipe.triggers, "trigger", "triggers", de: "Auslöser", "Auslöser").spoken
      table.append([
        recipe.name ?? "–", recipe.kind, state, recipe.path.shownPath,
        recipe.problems.map(\.spoken).joined(separator: "; "),
      ])
    }
    write(table.text())
  }
}

/// `sous recipes enable`
struct RecipesEnableCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "enable",
      abstract: say("Switch the triggers of a recipe on.", de: "Die Auslöser eines Rezepts einschalten."))
  }

  @OptionGroup var named: NamedRecipe
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await named.set(disabled: false, format, global) }
}

/// `sous recipes disable`
struct RecipesDisableCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "disable",
      abstract: say(
        "Switch the triggers of a recipe off; it can still be run by hand.",
        de: "Die Auslöser eines Rezepts ausschalten; von Hand läuft es weiterhin."))
  }

  @OptionGroup var named: NamedRecipe
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await named.set(disabled: true, format, global) }
}

/// The recipe that a command is about.
struct NamedRecipe: ParsableArguments {
  @Argument(
    help: ArgumentHelp(say("The recipe's name or file.", de: "Name oder Datei des Rezepts."), valueName: "recipe"),
    completion: Completions.recipes)
  var name: String

  fileprivate func set(disabled: Bool, _ format: FormatOptions, _ global: GlobalOptions) async throws {
    let workspace = try Workspace(global)
    let path = try await workspace.setDisabled(name, disabled, in: try Project(workspace))
    workspace.audit(
      disabled ? "recipe.disable" : "recipe.enable", "recipes/" + name, (nil, ["disabled": .bool(disabled)]))
    if format.json { return writeJSON(["path": .string(path), "disabled": .bool(disabled)]) }
    write(
      disabled
        ? say("switched off: \(path)\n", de: "ausgeschaltet: \(path)\n")
        : say("switched on: \(path)\n", de: "eingeschaltet: \(path)\n"))
  }
}
