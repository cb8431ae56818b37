public import Localization

/// Why a run log in memory did not do what it was asked to. Nothing was changed.
public struct MemoryStoreError: QueueError, Equatable {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An entry contradicts what is recorded.
    public static let entryRefused = Code(rawValue: "journal_entry_refused")
    /// No such run is recorded.
    public static let runNotFound = Code(rawValue: "run_not_found")
    /// The run waits for no such decision.
    public static let waitNotFound = Code(rawValue: "wait_not_found")
    /// The run waits for several such decisions.
    public static let waitAmbiguous = Code(rawValue: "wait_ambiguous")
    /// The run has no such step.
    public static let stepNotFound = Code(rawValue: "step_not_found")
    /// The step has no output.
    public static let outputNotFound = Code(rawValue: "output_not_found")
    /// Several runs begin so.
    public static let runAmbiguous = Code(rawValue: "run_ambiguous")
    /// A log in memory cannot do that.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The process has left the run log.
    public static let processLeft = Code(rawValue: "process_left")
  }

  /// The kind of error.
  public var code: Code
  /// What happened.
  public var message: LocalizedText

  /// What it means for the queue.
  public var fault: QueueFault {
    switch code {
    case .entryRefused, .runNotFound: .ofRun
    default: .lasting
    }
  }

  /// Two errors are equal when their codes are.
  public static func == (left: MemoryStoreError, right: MemoryStoreError) -> Bool { left.code == right.code }

  static func refused(_ cause: String) -> MemoryStoreError {
    MemoryStoreError(
      code: .entryRefused,
      message: .init("the run log refuses an entry: \(cause)", de: "das Laufprotokoll lehnt einen Eintrag ab: \(cause)")
    )
  }

  static var processLeft: MemoryStoreError {
    MemoryStoreError(
      code: .processLeft,
      message: .init("this process has left the run log", de: "dieser Prozess hat das Laufprotokoll verlassen"))
  }

  static func notRecorded(_ run: RunID) -> MemoryStoreError {
    MemoryStoreError(
      code: .runNotFound, message: .init("there is no run \(run)", de: "es gibt keinen Lauf \(run)"))
  }

  static func ambiguous(_ reference: String) -> MemoryStoreError {
    MemoryStoreError(
      code: .runAmbiguous,
      message: .init("several runs begin with \(reference)", de: "mehrere Läufe beginnen mit \(reference)"))
  }

  static func noStep(_ step: String, of run: RunID) -> MemoryStoreError {
    MemoryStoreError(
      code: .stepNotFound,
      message: .init("run \(run) has no step '\(step)'", de: "Lauf \(run) hat keinen Schritt '\(step)'"))
  }

  static func noOutput(of step: String, of run: RunID) -> MemoryStoreError {
    MemoryStoreError(
      code: .outputNotFound,
      message: .init(
        "step '\(step)' of run \(run) has no output", de: "Schritt '\(step)' von Lauf \(run) hat keine Ausgabe"))
  }

  static var unsupported: MemoryStoreError {
    MemoryStoreError(
      code: .unsupported,
      message: .init(
        "a run log in memory has no index, no statistics and no export",
        de: "ein Laufprotokoll im Speicher hat weder Suche noch Statistik noch Export"))
  }

  static func noDecision(_ run: RunID) -> MemoryStoreError {
    MemoryStoreError(
      code: .waitNotFound,
      message: .init(
        "run \(run) waits for no such decision", de: "Lauf \(run) wartet auf keine solche Entscheidung"))
  }

  static func severalDecisions(_ run: RunID) -> MemoryStoreError {
    MemoryStoreError(
      code: .waitAmbiguous,
      message: .init(
        "run \(run) waits for several decisions: name the step",
        de: "Lauf \(run) wartet auf mehrere Entscheidungen: den Schritt nennen"))
  }
}
