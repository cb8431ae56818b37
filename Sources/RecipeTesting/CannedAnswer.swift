import Engine
import Expressions
import RecipeSyntax

/// What one call is answered with.
struct CannedAnswer: Sendable {
  /// The forms of an end.
  enum End: Sendable {
    case output(Node)
    case failure(ActionFailure)
    /// No answer ever; the attempt's timeout ends it.
    case hang
  }

  /// What a question after a lost answer is answered with.
  enum Verification: String, CaseIterable {
    case done
    case notDone = "not_done"
    case unknown
  }

  var end: End
  /// Seconds of the test's clock that the call takes.
  var after = 0.0
  var verification = Verification.unknown
  /// What ``Verification/done`` gives as the step's output.
  var verified: Node?

  /// The output, of the call or of the question after it.
  var output: Node? { if case .output(let node) = end { node } else { verified } }
}
