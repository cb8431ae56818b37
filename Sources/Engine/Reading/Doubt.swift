public import Expressions

/// An attempt of which nobody knows whether it took effect.
public struct Doubt: Sendable, Equatable {
  /// The run; a child where the run that was asked about stands still because of one.
  public let run: RunID
  /// The step's position in the plan.
  public let position: Int
  /// The step's name.
  public let step: String
  /// The item's position in a `for_each`.
  public let item: Int?
  /// The attempt's number.
  public let attempt: Int
  /// What was to be done.
  public let action: String

  package init(run: RunID, position: Int, step: String, item: Int? = nil, attempt: Int, action: String) {
    self.run = run
    self.position = position
    self.step = step
    self.item = item
    self.attempt = attempt
    self.action = action
  }
}

/// Takes in what people have found out about attempts in doubt.
public protocol DoubtSettlement: Sendable {
  /// Writes down what a person has found out about an attempt in doubt; on disk when it returns.
  ///
  /// The attempt stays on record; one that took no effect uses up no retry, and the next one has the next number. Where
  /// nothing else is in doubt, the run can be resumed afterwards, and the runs that wait for it.
  ///
  /// - Parameters:
  ///   - doubt: One of ``RunLogReader/doubts(of:)``.
  ///   - output: What the action gave; `nil` where it took no effect and is to be done again.
  ///   - person: Who has found it out.
  func settle(_ doubt: Doubt, output: Value?, by person: String) async throws
}
