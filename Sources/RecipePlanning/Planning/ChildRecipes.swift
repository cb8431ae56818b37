import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Plans the recipes that recipes run, each file once.
final class ChildRecipes {
  /// How deeply recipes may call each other.
  static let depth = 16

  /// A recipe that was planned.
  struct Child {
    var plan: Plan?
    /// The types of its declared outputs.
    var outputs: [String: ValueType]
    var path: String
  }

  private let planner: Planner
  private var known: [String: Child] = [:]
  /// The files that are being planned, the first one first.
  private var callers: [String]
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources: [String: SourceText] = [:]
  private(set) var problems: [ProviderProblem] = []

  init(planner: Planner, root: String) {
    self.planner = planner
    callers = [RecipePath.normalized(root)]
  }

  /// The recipe that a node names.
  ///
  /// - Returns: `nil` after a problem was reported.
  func child(_ node: Node, _ reader: FieldReader) -> Child? {
    guard let name = reader.name(node, "recipe") else { return nil }
    guard !name.value.contains("{{") else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "the recipe must be known before the run; it cannot be an expression",
          de: "das Rezept muss vor dem Lauf feststehen; es kann kein Ausdruck sein"),
        at: name.range)
      return nil
    }
    let base = RecipePath.normalized(RecipePath.resolve(name.value, in: RecipePath.directory(of: reader.path)))
    let isFile = name.value.hasSuffix(".yaml") || name.value.hasSuffix(".yml")
    for path in isFile ? [base] : [base + ".yaml", base + ".yml"] {
      if let child = known[path] { return child }
      if let position = callers.firstIndex(of: path) {
        let chain = (callers[position...] + [path]).joined(separator: " → ")
        reader.report(
          .recipeCycle,
          LocalizedText("recipes call each other: \(chain)", de: "Rezepte rufen einander auf: \(chain)"), at: name.range
        )
        return nil
      }
      do throws(Diagnostic) {
        if let source = try planner.recipes.text(path) { return plan(source, path, name.range, reader) }
      } catch {
        reader.report(error)
        return nil
      }
    }
    reader.report(
      .unknownRecipe,
      LocalizedText(
        "there is no recipe \(isFile ? base : base + ".yaml")",
        de: "es gibt kein Rezept \(isFile ? base : base + ".yaml")"),
      at: name.range)
    return nil
  }

  private func plan(_ source: SourceText, _ path: String, _ range: SourceRange, _ reader: FieldReader) -> Child? {
    guard callers.count < Self.depth else {
      reader.report(
        .tooMany,
        LocalizedText(
          "recipes call each other at most \(Self.depth) deep",
          de: "Rezepte rufen einander höchstens \(Self.depth) tief auf"), at: range)
      return nil
    }
    callers.append(path)
    defer { callers.removeLast() }
    let (planning, outputs) = planner.plan(source, self)
    sources.merge(planning.sources) { old, _ in old }
    diagnostics += planning.diagnostics
    for problem in planning.providerProblems where !problems.contains(where: { $0.says(problem) }) {
      problems.append(problem)
    }
    let child = Child(plan: planning.plan, outputs: outputs, path: path)
    known[path] = child
    return child
  }
}

extension ChildRecipes.Child {
  /// The signature of the step that runs the recipe.
  var signature: ActionSignature {
    var signature = ActionSignature.recipe
    var inputs = ValueMap()
    var required: [Value] = []
    for input in plan?.inputs ?? [] {
      inputs[input.name] = input.schema.document
      if input.isRequired { required.append(.string(input.name)) }
    }
    var properties: ValueMap = ["recipe": ["type": "string"]]
    properties["inputs"] =
      plan == nil
      ? ["type": "object"]
      : [
        "type": "object", "properties": .map(inputs), "required": .list(required), "additionalProperties": false,
      ]
    signature.input = Schema(
      document: [
        "type": "object", "properties": .map(properties), "additionalProperties": false,
        "required": .list(required.isEmpty ? ["recipe"] : ["recipe", "inputs"]),
      ])
    var values = ValueMap()
    for output in plan?.outputs ?? [] { values[output.name] = [:] }
    if plan != nil {
      signature.output = Schema(
        document: ["type": "object", "properties": .map(values), "additionalProperties": false])
    }
    return signature
  }

  /// The type of the step's output.
  func type(of id: String) -> ValueType {
    guard plan != nil else { return .dynamic }
    return .object(ObjectType(name: PlanVariables.outputName(id), fields: outputs))
  }
}
