public import Engine

/// A wait that has not ended.
public struct OpenWait: Sendable {
  /// The recipe of the run.
  public var recipe: String
  /// The step's name.
  public var step: String
  /// The wait itself: run, position of step and item, kind, form and message.
  public var wait: WaitStart
  /// Whether what it waits for has come, and the run only has to go on.
  public var isAnswered: Bool
}
