public import Localization
public import Schemas

/// Why a run could not be started or had to stop without an end of its own.
public struct EngineError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An input is missing, unknown or has a value that its schema refuses.
    public static let invalidInput = Code(rawValue: "input_invalid")
    /// A keyword given for this run is unknown.
    public static let unknownKeyword = Code(rawValue: "keyword_unknown")
    /// The recipe has other steps than the run that is to go on.
    public static let planDiffers = Code(rawValue: "plan_differs")
    /// The run is not in a state in which this can be done.
    public static let runState = Code(rawValue: "run_state")
    /// The journal cannot be written; no further effect was started.
    public static let journal = Code(rawValue: "journal_failed")
  }

  /// The kind of error.
  public var code: Code
  /// What happened and what to do.
  public var message: LocalizedText
  /// What caused it.
  public var cause: (any Error)?
  /// The inputs that cannot be used, with pointers below the inputs: `/count`.
  public var faults: [InputFault] = []

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message; if the journal cannot be written, what the run log says about that.
  public var text: LocalizedText { (cause as? any CodedError & QueueError)?.text ?? message }
}
