public import Localization

/// One thing the suite looks at.
public enum Check: String, Sendable, CaseIterable {
  /// The library loads and hands out its table.
  case handshake
  /// The manifest says everything a user and the host need.
  case manifest
  /// The JSON Schemas can be used.
  case schemas
  /// The contracts it claims are carried out whole, with the effects they name.
  case contracts
  /// It gets ready with a configuration.
  case creation
  /// Its actions answer, in the shape they announce.
  case actions
  /// It refuses an action that its manifest does not have.
  case unknownAction = "unknown_action"
  /// Input that does not suit the schema ends in a typed error.
  case badInput = "bad_input"
  /// A cancelled call ends soon.
  case cancellation
  /// Many calls at once get an answer each.
  case concurrency
  /// Asked what became of an attempt it never saw, it does not claim success.
  case verification
  /// Many calls leave no memory behind.
  case memory
  /// It goes when it is told to.
  case closing
}

/// What a check found.
public struct CheckResult: Sendable {
  /// How a check ended.
  public enum Outcome: String, Sendable {
    /// All is well; there may be advice.
    case passed
    /// At least one thing must be mended.
    case failed
    /// It could not be looked at; the summary says why.
    case skipped
  }

  /// What was looked at.
  public var check: Check
  /// How it ended.
  public var outcome: Outcome
  /// What was done, in a few words: `112 cases`.
  public var summary: LocalizedText
  /// What is wrong, or could be better.
  public var findings: [Finding]

  /// Creates a result; one with an error among its findings has failed. Findings that say the same are kept once.
  public init(_ check: Check, _ summary: LocalizedText, _ findings: [Finding] = [], isSkipped: Bool = false) {
    self.check = check
    self.summary = summary
    var seen: Set<String> = []
    self.findings = findings.filter { seen.insert($0.message.english).inserted }
    outcome = findings.contains(where: \.isError) ? .failed : isSkipped ? .skipped : .passed
  }
}

/// One thing that is wrong with a plugin, or could be better.
public struct Finding: Sendable {
  /// Whether it must be mended; otherwise it is advice.
  public var isError: Bool
  /// What it is, and what to do.
  public var message: LocalizedText

  /// Something that must be mended.
  public static func error(_ message: LocalizedText) -> Finding { Finding(isError: true, message: message) }
  /// Something that could be better.
  public static func advice(_ message: LocalizedText) -> Finding { Finding(isError: false, message: message) }
}
