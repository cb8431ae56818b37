public import Plans

/// Makes the plan with which a run is resumed.
public protocol PlanSource: Sendable {
  /// The plan of a run that has begun, from the recipe's text as it was then.
  ///
  /// - Throws: ``ActionFailure`` where there is none just now, such as when a provider is no longer configured; the run
  ///   is tried again later.
  func plan(of start: RunStart) async throws(ActionFailure) -> Plan

  /// What plans need beside recipes, such as which plugins can be found: where it changes, runs for which there was no
  /// plan are tried again at once. Asked for at every look at the queue.
  var surroundings: String { get }
}

extension PlanSource {
  /// Nothing that changes.
  public var surroundings: String { "" }
}
