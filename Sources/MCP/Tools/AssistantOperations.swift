public import Expressions
public import Localization

/// The operations of the API for an assistant, by their ids, with the rights of one caller.
public protocol AssistantOperations: Sendable {
  /// The language of the caller.
  var language: Language { get }
  /// The caller, by its user and its token: equal for the same credential only.
  var caller: String { get }
  /// Whether interrupted runs are resumed by themselves, as the daemon does.
  var resumesRuns: Bool { get }

  /// Whether the caller may use an operation for some object.
  func permits(_ operation: String) -> Bool
  /// Carries out an operation.
  ///
  /// - Returns: The JSON of its answer; a text for operations that answer one.
  /// - Throws: ``AssistantError`` with the status and the code of the API.
  func perform(_ operation: OperationCall) async throws(AssistantError) -> Value
  /// The recipes that are tools and that the caller may see and run, each as `showRecipe` answers it.
  func openRecipes() async throws(AssistantError) -> [Value]
  /// A run without its steps: `{id, recipe, status, …}`.
  ///
  /// - Throws: ``AssistantError`` with status 404 if it does not exist, or if the caller may not see it.
  func summary(of run: String) async throws(AssistantError) -> Value
  /// A beat for each time that runs or the rights of the caller may have changed.
  func changes() -> AsyncStream<Void>
  /// Waits until the caller has no rights any more: its token was removed or has expired, or its user was removed or disabled.
  ///
  /// - Returns: The error of its calls; `nil` if the task is cancelled.
  func refusal() async -> AssistantError?
  /// A new id for a run.
  func newRun() -> String
}

/// A call of an operation.
public struct OperationCall: Sendable {
  /// The id of the operation: `runRecipe`.
  public let id: String
  /// The parameters of the path.
  public var path: [String: String]
  /// The parameters of the query.
  public var query: ValueMap
  /// The body; null for none.
  public var body: Value
  /// The id of the run that the operation starts; `nil` for a new one.
  public var run: String?
  /// The fingerprint of the recipe that the operation may start, as `explainRecipe` answers it; `nil` for any.
  public var fingerprint: String?

  /// Creates a call.
  public init(
    _ id: String, path: [String: String] = [:], query: ValueMap = [:], body: Value = .null, run: String? = nil,
    fingerprint: String? = nil
  ) {
    (self.id, self.path, self.query, self.body, self.run) = (id, path, query, body, run)
    self.fingerprint = fingerprint
  }
}
