internal import Engine
public import Localization
public import RecipePlanning
import RecipeSyntax
internal import RunStore
public import Schemas

/// Why something that was asked for in a workspace was not done, or did not succeed.
///
/// Errors of the modules below come as this one, with their codes, so that a caller has one set of codes to answer to.
public struct UseCaseError: CodedError {
  /// A stable name for a kind of error; those of the modules below keep theirs.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What was asked for cannot be: a value, a name or a combination is wrong.
    public static let wrongInput = Code(rawValue: "wrong_input")
    /// An object that was named does not exist.
    public static let notFound = Code(rawValue: "not_found")
    /// The configuration, a file or the machine is in the way.
    public static let environment = Code(rawValue: "environment")
    /// The surrounding task was cancelled before there was a result.
    public static let interrupted = Code(rawValue: "interrupted")
    /// The configuration has errors.
    public static let invalidConfiguration = Code(rawValue: "invalid_configuration")
    /// The recipe has errors.
    public static let invalidRecipe = Code(rawValue: "invalid_recipe")
    /// An input is missing, unknown or has a value that its schema refuses.
    public static let invalidInput = Code(rawValue: EngineError.Code.invalidInput.rawValue)
    /// The recipe of a recorded run can no longer be planned.
    public static let planUnavailable = Code(rawValue: "plan_unavailable")
    /// A file to be written is one that the workspace works with.
    public static let destinationInUse = Code(rawValue: RunStoreError.Code.destinationInUse.rawValue)
    /// The run is not in a state in which this can be done.
    public static let runState = Code(rawValue: EngineError.Code.runState.rawValue)
    /// There is no provider of that name.
    public static let unknownProvider = Code(rawValue: "unknown_provider")
    /// The provider does not offer what it is wanted for.
    public static let unsuitableProvider = Code(rawValue: "unsuitable_provider")
    /// The recipe has no version of that number, or the version has no text.
    public static let unknownVersion = Code(rawValue: "unknown_version")
    /// A commit is not signed by a known signer.
    public static let signatureRefused = Code(rawValue: "signature_refused")
    /// Files differ from the last sync of recipes, or the branch was rewritten.
    public static let syncConflict = Code(rawValue: "sync_conflict")
    /// Several providers could be meant.
    public static let ambiguousProvider = Code(rawValue: "ambiguous_provider")
  }

  /// The kind of error.
  public var code: Code
  /// What happened, to what, and what to do about it.
  public var message: LocalizedText
  /// What is wrong with recipes and configurations, where that is the reason.
  public var planning: Planning?
  /// The recipe that ``planning`` is about; `nil` where it is about a configuration.
  public var recipe: String?
  /// The error of the module below.
  public var cause: (any Error)?
  /// The values of the caller that cannot be used: inputs of a run below `/inputs`, fields of a form below `/fields`.
  public var faults: [InputFault] = []

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension UseCaseError {
  /// Something was asked for that cannot be.
  package static func wrongInput(_ message: LocalizedText) -> UseCaseError { UseCaseError(.wrongInput, message) }

  /// An object that was named does not exist.
  package static func notFound(_ message: LocalizedText) -> UseCaseError { UseCaseError(.notFound, message) }

  /// The machine or the configuration is in the way.
  package static func environment(_ message: LocalizedText) -> UseCaseError { UseCaseError(.environment, message) }

  /// A name that no provider has, with the nearest one.
  package static func unknownProvider(_ name: String, among names: [String]) -> UseCaseError {
    UseCaseError(
      .unknownProvider,
      LocalizedText("unknown provider '\(name)'", de: "unbekannter Provider '\(name)'")
        + Suggestion.text(for: name, among: names))
  }

  /// A run that is not in a state in which this can be done.
  package static func runState(_ message: LocalizedText) -> UseCaseError { UseCaseError(.runState, message) }
}
