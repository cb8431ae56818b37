/// What a fault of the run log means for somebody who works through its queue.
public enum QueueFault: Sendable, Equatable {
  /// It may be over soon, such as a full disk or a lock: trying again helps.
  case passing
  /// It is about one run, such as an entry that contradicts what is recorded: the others can go on.
  case ofRun
  /// Trying again does not help: the run log is gone or damaged, or others have taken this process for gone.
  case lasting

  /// What an error means; one that does not say is a lasting fault.
  init(_ error: any Error) {
    var cause = error
    while let inner = (cause as? EngineError)?.cause { cause = inner }
    self = (cause as? any QueueError)?.fault ?? .lasting
  }
}

/// An error of a run log that says what it means for its queue.
public protocol QueueError: Error {
  /// What it means.
  var fault: QueueFault { get }
}
