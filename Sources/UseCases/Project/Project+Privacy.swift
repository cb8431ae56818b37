import Recipes

extension Project {
  /// Whether any provider gets neutral texts only.
  var neutralises: Bool { configuration.providers.contains { $0.neutralise != nil } }

  /// A planning, whose plan is remembered where its runs hold personal data.
  func noting(_ planning: Planning) -> Planning {
    if let plan = planning.plan { privatePlans.note(plan, configuration) }
    return planning
  }
}
