public import Localization
public import RecipeSyntax

/// Why a provider cannot be used: trouble with the configuration or a plugin, not with the recipe.
public struct ProviderProblem: CodedError {
  /// A stable name for a kind of problem.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such provider.
    public static let missing = Code(rawValue: "provider_missing")
    /// Nobody configured provides the contract.
    public static let noneForContract = Code(rawValue: "contract_unprovided")
    /// A plugin claims a version of a contract that this Sous does not know.
    public static let contractVersionUnknown = Code(rawValue: "contract_version_unknown")
    /// A plugin claims a contract and lacks one of its actions.
    public static let actionMissing = Code(rawValue: "contract_action_missing")
    /// No provider carries out the task of a step: it needs a language model.
    public static let taskUnsupported = Code(rawValue: "task_unsupported")
  }

  /// The kind of problem.
  public var code: Code
  /// The provider; `nil` where none is concerned in particular.
  public var provider: String?
  /// The step that needed it; filled in by the planner.
  public var step: String?
  /// The problem and its remedy.
  public var message: LocalizedText
  /// The file that ``range`` is in; filled in by the planner together with it.
  public var path: String?
  /// The place in the recipe that asks for what nobody provides, or that of a provider's setting; `nil` where there is
  /// none.
  public var range: SourceRange?
  /// What is wrong with the provider's settings, each at its place; where this is not empty it says all that ``message``
  /// does.
  public var findings: [Diagnostic] = []

  /// Creates a problem.
  public init(_ code: Code, _ message: LocalizedText, provider: String? = nil, step: String? = nil) {
    self.code = code
    self.message = message
    self.provider = provider
    self.step = step
  }

  /// The problem as a diagnostic of the recipe; `nil` where it lies with a provider.
  public var diagnostic: Diagnostic? {
    guard provider == nil, let path, let range else { return nil }
    return Diagnostic(Diagnostic.Code(rawValue: code.rawValue), message, path: path, range: range)
  }

  /// The provider is not configured.
  package static func missing(_ name: String) -> ProviderProblem {
    ProviderProblem(
      .missing,
      LocalizedText(
        "the provider '\(name)' is not configured in sous.yaml",
        de: "der Provider '\(name)' ist in sous.yaml nicht konfiguriert"),
      provider: name)
  }

  /// Whether a problem says what another one has said, so that once is enough.
  package func says(_ other: ProviderProblem) -> Bool {
    self == other && (provider != nil || message == other.message)
  }

  /// Two problems are equal when they are of the same kind and concern the same provider.
  public static func == (left: ProviderProblem, right: ProviderProblem) -> Bool {
    left.code == right.code && left.provider == right.provider
  }
}
