import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas

/// The names of the tested recipe that a test file can use.
struct TestedRecipe {
  /// A step of the recipe.
  struct Step {
    var id: String
    var uses: String
    var action: ActionSignature?
    var isLoop: Bool
  }

  let path: String
  let steps: [Step]
  let inputs: [(name: String, schema: Schema)]
  let keywords: [String]
  let outputs: [String]

  /// Reads a recipe.
  ///
  /// - Parameters:
  ///   - source: Its text; one that cannot be planned yet is read as far as possible.
  ///   - planner: The planner.
  init(_ source: SourceText, planner: Planner) {
    path = source.path
    let outline = Outline(TextBuffer(source.text))
    let scope = RecipeScope(outline: outline, planner: planner, tree: YAMLDocument.parse(source).document?.root)
    if let plan = planner.plan(source).plan {
      steps = plan.steps.map { Step(id: $0.id, uses: $0.action.name, action: $0.action, isLoop: $0.loop != nil) }
      inputs = plan.inputs.map { ($0.name, $0.schema) }
      keywords = plan.keywordNames
      outputs = plan.outputs.map(\.name)
    } else {
      steps = scope.steps.filter { !$0.id.isEmpty && $0.block.isEmpty }.map { step in
        Step(id: step.id, uses: step.uses, action: scope.action(of: step), isLoop: scope.isLoop(step))
      }
      inputs = scope.inputs
      keywords = scope.keywords(at: []).map(\.name) + scope.listedKeywords
      outputs = outline.keys(below: [.key("outputs")]).map(\.name)
    }
  }

  /// The schema of a place of the test file: an input, or what a step takes or gives; `nil` elsewhere.
  func schema(at path: Outline.Path) -> SchemaFields? {
    guard path.count >= 4, path[0] == .key("tests"), let section = path.dropFirst(2).first else { return nil }
    if section == .key("inputs"), case .key(let name) = path[3] {
      return inputs.first { $0.name == name }.flatMap { SchemaFields($0.schema).at(path.dropFirst(4)) }
    }
    let rest = section == .key("expect") ? path.dropFirst(3) : path.dropFirst(2)
    guard rest.first == .key("steps"), case .key(let id)? = rest.dropFirst().first,
      let step = steps.first(where: { $0.id == id }), let action = step.action
    else { return nil }
    let place = rest.dropFirst(2)
    // Answers are below an attempt or an item as well.
    if let output = place.firstIndex(of: .key("output")), place[..<output].allSatisfy(Self.leadsToAnswer) {
      var inner = place[(output + 1)...]
      if section == .key("expect"), step.isLoop, case .index? = inner.first { inner = inner.dropFirst() }
      return SchemaFields(action.output).at(inner)
    }
    guard section == .key("expect") else { return nil }
    if place.first == .key("input") { return SchemaFields(action.input).at(place.dropFirst()) }
    if place.first == .key("inputs"), case .index? = place.dropFirst().first {
      return SchemaFields(action.input).at(place.dropFirst(2))
    }
    return nil
  }

  private static func leadsToAnswer(_ element: SchemaViolation.PathElement) -> Bool {
    if case .index = element { return true }
    return element == .key("items")
  }
}
