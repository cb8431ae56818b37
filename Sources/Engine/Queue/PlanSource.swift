public import Plans

/// Makes the plan with which a run is resumed.
public protocol PlanSource: Sendable {
  /// The plan of a run that has begun, from the recipe's text as it was then.
  ///
  /// - Throws: ``ActionFailure`` if no plan can be made now, for example because a provider is no longer configured; the
  ///   run is tried again later.
  func plan(of start: RunStart) async throws(ActionFailure) -> Plan

  /// A digest of the inputs of plans beside recipes, such as the plugins that can be found. If it changes, runs without a
  /// plan are tried again at once. It is read at each poll of the queue.
  var surroundings: String { get }
}

extension PlanSource {
  /// Nothing that changes.
  public var surroundings: String { "" }
}
