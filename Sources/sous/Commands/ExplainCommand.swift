import ArgumentParser
import Expressions
import Localization
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas
import UseCases

/// `sous explain`: shows or draws the plan that a recipe of any kind lowers to.
struct ExplainCommand: ParsableCommand {
  /// The forms of an explanation.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case mermaid
    case dot
    case svg
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "explain",
      abstract: say("Show what a recipe will do.", de: "Zeigen, was ein Rezept tun wird."))
  }

  @Argument(
    help: ArgumentHelp(say("The recipe's file.", de: "Die Datei des Rezepts."), valueName: "recipe"),
    completion: Completions.recipes)
  var recipe: String

  @Option(
    help: ArgumentHelp(
      say(
        "Words for people, JSON, or a drawing: \(Self.forms).",
        de: "Text, JSON oder eine Zeichnung: \(Self.forms)."), valueName: "form"))
  var format = Form.text

  @Flag(help: ArgumentHelp(say("The same as --format json.", de: "Dasselbe wie --format json.")))
  var json = false

  @OptionGroup var global: GlobalOptions

  private static let forms = Form.allCases.map(\.rawValue).joined(separator: ", ")

  func run() throws {
    let project = try Project(try Workspace(global))
    let plan = try project.plan(recipe)
    let explanation = PlanExplanation(plan, breaker: project.configuration.engine.breaker)
    switch json ? .json : format {
    case .text:
      write(explanation.text(in: Speech.language, width: Terminal().columns.map { min($0, 120) } ?? .max))
    case .json: writeJSON(explanation.value, pretty: true)
    case .mermaid: writeVerbatim(PlanGraph(plan).mermaid)
    case .dot: writeVerbatim(PlanGraph(plan).dot)
    case .svg: writeVerbatim(PlanGraph(plan).svg)
    }
  }
}
