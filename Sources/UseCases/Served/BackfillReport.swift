public import Engine
public import Localization

/// The outcome of ``Session/backfill(_:from:to:onlyMissed:isForced:)``.
public struct BackfillReport: Sendable {
  /// The points that have got a run, in order.
  public var begun: [OccurrenceRecord]
  /// How many points of the schedules lie in the period.
  public var pointCount: Int
  /// Whether only missed points count.
  public var onlyMissed: Bool

  /// Describes an outcome.
  ///
  /// - Parameters:
  ///   - begun: The points that have got a run, in order.
  ///   - pointCount: How many points of the schedules lie in the period.
  ///   - onlyMissed: Whether only missed points count.
  public init(begun: [OccurrenceRecord], pointCount: Int, onlyMissed: Bool) {
    (self.begun, self.pointCount, self.onlyMissed) = (begun, pointCount, onlyMissed)
  }

  /// How many runs are queued; if none, why.
  public var summary: LocalizedText {
    if !begun.isEmpty {
      return .count(begun.count, "run is queued", "runs are queued", de: "Lauf eingereiht", "Läufe eingereiht")
    }
    let none = LocalizedText("no run is queued: ", de: "kein Lauf eingereiht: ")
    if pointCount == 0 {
      return none
        + LocalizedText(
          "the schedule has no point in this period", de: "der Zeitplan hat in diesem Zeitraum keinen Zeitpunkt")
    }
    let points =
      LocalizedText.count(pointCount, "point", "points", de: "Zeitpunkt", "Zeitpunkte")
      + LocalizedText(" in this period, ", de: " in diesem Zeitraum, ")
    return none + points
      + (onlyMissed
        ? LocalizedText("none recorded as missed", de: "keiner als versäumt vermerkt")
        : LocalizedText("each has had a run", de: "jeder hatte schon einen Lauf"))
  }
}
