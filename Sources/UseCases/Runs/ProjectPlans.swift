package import Engine
import Localization
package import Plans
import RecipePlanning
import RecipeSyntax
import Schemas
import Synchronization

/// Makes plans from the texts that runs keep of their recipes.
///
/// Many runs of one recipe that go on at once have one plan; it is made anew after a moment, as what it was made from
/// beside the recipe, such as prompts, may have changed.
package final class ProjectPlans: PlanSource {
  /// Seconds that a plan is kept.
  private static let freshness = 2.0
  /// Plans that are kept, at most.
  private static let capacity = 64

  private let project: Project
  private let kept = Mutex<[String: (plan: Plan, at: Double)]>([:])

  private let places = Mutex<(text: String, at: Double)>(("", -.infinity))

  package init(project: Project) { self.project = project }

  /// Where plugins are found; looked up once a second.
  package var surroundings: String {
    let now = SystemTime().monotonic
    return places.withLock { places in
      if now - places.at >= 1 { places = (project.pluginPlaces, now) }
      return places.text
    }
  }

  package func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
    guard let text = start.source else { return try make(start) }
    let now = SystemTime().monotonic
    let name = [
      start.path, start.recipeOrigin.rawValue, start.fingerprint, start.recipes == nil ? "files" : "recorded", text,
    ].joined(separator: "\n")
    if let found = kept.withLock({ $0[name] }), now - found.at < Self.freshness { return found.plan }
    let plan = try make(start)
    kept.withLock { kept in
      if kept.count >= Self.capacity { kept = [:] }
      kept[name] = (plan, now)
    }
    return plan
  }

  private func make(_ start: RunStart) throws(ActionFailure) -> Plan {
    let planning = project.planning(of: start)
    guard !planning.hasErrors, let plan = planning.plan else {
      let problem =
        planning.diagnostics.first { $0.severity == .error }?.message
        ?? planning.providerProblems.first?.message
      throw ActionFailure(
        .notFound,
        LocalizedText(
          "the recipe '\(start.recipe)' cannot be planned: ",
          de: "das Rezept '\(start.recipe)' lässt sich nicht planen: ")
          + (problem ?? LocalizedText(verbatim: start.path)))
    }
    return plan
  }
}
