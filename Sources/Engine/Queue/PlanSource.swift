import Localization
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

extension PlanSource {
  /// The plan of a run that a step of another run has begun. The run of a block has no text of its own: its plan is a part of
  /// the plan of the run around it.
  ///
  /// - Parameter isBlock: Whether it is the run of a block; `nil` if it is so without a text.
  package func plan(ofPart start: RunStart, isBlock: Bool? = nil, in queue: any RunQueue) async throws -> Plan {
    guard isBlock ?? (start.source == nil), let parent = start.parent else { return try await plan(of: start) }
    let around = try await plan(ofPart: queue.snapshot(of: parent).start, in: queue)
    let step = start.trigger.dropFirst(parent.rawValue.count + 1)
    guard let block = around.steps.first(where: { $0.id == step })?.child, block.block != nil else {
      throw ActionFailure(
        .notFound,
        LocalizedText(
          "the recipe '\(start.recipe)' has no block '\(step)' any more",
          de: "das Rezept '\(start.recipe)' hat keinen Block '\(step)' mehr"))
    }
    return block
  }
}
