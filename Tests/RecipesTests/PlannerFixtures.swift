import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

extension ActionCatalog {
  /// The contracts and a built-in action.
  static let standard = ActionCatalog(
    [
      ActionSignature(
        name: "template", summary: LocalizedText("Renders a text", de: "Erzeugt einen Text"), effect: .pure,
        input: Schema(
          document: .map([
            "type": .string("object"), "required": .list([.string("text")]), "additionalProperties": .bool(false),
            "properties": .map(["text": .map(["type": .string("string")])]),
          ])),
        output: Schema(
          document: .map([
            "type": .string("object"), "required": .list([.string("text")]), "additionalProperties": .bool(false),
            "properties": .map(["text": .map(["type": .string("string")])]),
          ])),
        isBuiltin: true),
      ActionSignature(
        name: "notify.command", summary: LocalizedText("Tells somebody", de: "Gibt Bescheid"), effect: .once,
        input: .anything, output: .anything, isBuiltin: true),
    ], contracts: BundledContract.all)
}

extension Planner {
  /// A planner over the standard catalog.
  static func standard(
    _ providers: FakeProviders = .standard(), defaults: [String: [String]] = FakeProviders.standardDefaults,
    prompts: PromptCatalog = .bundled
  ) -> Planner {
    Planner(catalog: .standard, providers: providers, defaults: defaults, prompts: prompts)
  }

  /// Plans a text.
  func plan(_ text: String) -> Planning {
    plan(SourceText(path: "recipe.yaml", text: text))
  }
}

extension Planning {
  /// The diagnostics in short, for messages of failed tests.
  var summary: String {
    DiagnosticRenderer().render(diagnostics, sources: sources) + providerProblems.map(\.message.english).joined()
  }
}
