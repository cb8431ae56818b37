public import Engine

/// Queues runs of reminders, for the actions that reminders lower to.
public protocol ReminderRounds: Sendable {
  /// Ends the repetitions of earlier points, as a new point of the schedule has come. Deliveries that a person has postponed
  /// stay.
  ///
  /// - Parameter run: The run of the new point.
  func endEarlierRepetitions(for run: RunID) async throws

  /// Queues the run of the next delivery, once however often it is asked.
  ///
  /// - Parameters:
  ///   - round: The delivery.
  ///   - run: The run that has delivered before, whose recipe is run again.
  /// - Returns: The run; `nil` if a later occurrence of the same recipe has taken over.
  /// - Throws: ``Engine/ActionFailure`` where it cannot be written down.
  func queue(_ round: ReminderRound, after run: RunID) async throws(ActionFailure) -> RunID?
}
