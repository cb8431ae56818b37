import Engine
import Localization
public import Plans
public import RecipePlanning
import RecipeSyntax

/// What the recipes that are served mean for the triggers of one of them.
public struct TriggerNeighbours {
  private let recipes: [String]
  /// The files with a webhook of a name.
  private var hooks: [String: [String]] = [:]
  private var filters = FilterNeighbours()
  private var groups = GroupNeighbours()

  /// Reads the recipes that are served.
  public init(_ project: Project) {
    var servedRecipes = ServedRecipes(of: project)
    _ = servedRecipes.update(project, at: SystemTime().now, monotonic: 0)
    recipes = servedRecipes.recipes.map(\.plan.name)
    for recipe in servedRecipes.recipes {
      filters.add(recipe.plan, path: recipe.path, isTriggered: recipe.isTriggered)
      groups.add(recipe.plan, path: recipe.path)
      for hook in recipe.triggers.compactMap(\.webhook) { hooks[hook, default: []].append(recipe.path) }
    }
  }

  /// Adds a recipe that is not served, or replaces the one of the same file.
  public mutating func add(_ plan: Plan, path: String) {
    filters.add(plan, path: CheckedFiles.canonical(path), isTriggered: plan.isTriggered)
    groups.add(plan, path: CheckedFiles.canonical(path))
  }

  /// Whether a plan has triggers that refer to other recipes, or a concurrency group, as mail filters have.
  public static func matter(to plan: Plan?) -> Bool {
    if plan?.concurrency != nil { return true }
    return plan?.triggers.contains { trigger in
      switch trigger.kind {
      case .recipe, .webhook: true
      default: false
      }
    } ?? false
  }

  /// Adds what is wrong with the triggers and the concurrency group of a recipe.
  ///
  /// - Parameters:
  ///   - planning: What planning it has led to.
  ///   - path: Its file.
  ///   - others: Names of recipes that need not be served.
  public func check(_ planning: inout Planning, path: String, others: [String] = []) {
    let file = CheckedFiles.canonical(path)
    for warning in filters.warnings(for: file) {
      planning.diagnostics.append(
        Diagnostic(
          .sharedFolder, warning, path: path, range: planning.plan?.triggers.first { $0.startsRuns }?.range,
          severity: .warning))
    }
    if let disagreement = groups.disagreement(of: file) {
      planning.diagnostics.append(
        Diagnostic(.groupsDiffer, disagreement, path: path, range: planning.plan?.concurrency?.range))
    }
    for trigger in planning.plan?.triggers ?? [] {
      switch trigger.kind {
      case .recipe(let end) where !(recipes + others).contains(where: { NamePattern.matches($0, end.recipe) }):
        planning.diagnostics.append(
          Diagnostic(
            .unknownRecipe,
            LocalizedText(
              "no recipe that is served is called '\(end.recipe)'",
              de: "kein Rezept, das der Server ausführt, heißt '\(end.recipe)'"), path: path, range: trigger.range,
            severity: .warning))
      case .webhook(let hook):
        guard let other = hooks[hook.name]?.first(where: { $0 != file }) else { continue }
        planning.diagnostics.append(
          Diagnostic(
            .invalidTrigger,
            LocalizedText(
              "\(other) has a webhook '\(hook.name)' too: one of them does not listen",
              de: "\(other) hat auch einen Webhook '\(hook.name)': einer von beiden lauscht nicht"), path: path,
            range: trigger.range, severity: hooks[hook.name]?.contains(file) == true ? .error : .warning))
      default: break
      }
    }
  }
}
