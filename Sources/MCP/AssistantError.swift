public import Expressions
public import Localization

/// Why a message or a call of an assistant cannot be answered; becomes an error of JSON-RPC 2.0.
public struct AssistantError: CodedError {
  /// A stable name for a kind of error. Errors of operations have the names of the command line and of the API.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name in snake_case.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bytes that are not JSON.
    public static let malformed = Code(rawValue: "malformed_json")
    /// A message beyond the limit.
    public static let tooLarge = Code(rawValue: "too_large")
    /// JSON that is not a message of JSON-RPC 2.0, or one at the wrong time.
    public static let invalidRequest = Code(rawValue: "invalid_request")
    /// A method that does not exist in the version of the protocol.
    public static let unknownMethod = Code(rawValue: "unknown_method")
    /// Parameters of the wrong form.
    public static let invalidParameters = Code(rawValue: "invalid_parameters")
    /// A tool that does not exist, or that the caller may not use.
    public static let unknownTool = Code(rawValue: "unknown_tool")
    /// A resource that does not exist, or that the caller may not see.
    public static let unknownResource = Code(rawValue: "unknown_resource")
    /// A task that does not exist, or that the caller may not see.
    public static let unknownTask = Code(rawValue: "unknown_task")
    /// A `requestState` that is too old, or that belongs to another call.
    public static let invalidState = Code(rawValue: "invalid_state")
    /// A version of the protocol that is not supported.
    public static let unsupportedVersion = Code(rawValue: "unsupported_version")
    /// Fields of the HTTP header that differ from the message.
    public static let headerMismatch = Code(rawValue: "header_mismatch")
    /// A client without a feature that the call needs.
    public static let missingCapability = Code(rawValue: "missing_capability")
    /// A client that cannot ask a person, and a call that needs an approval.
    public static let approvalNeeded = Code(rawValue: "approval_needed")
    /// More calls at a time than are allowed.
    public static let tooManyCalls = Code(rawValue: "too_many_calls")
    /// A recipe that was changed after a person has seen it.
    public static let recipeChanged = Code(rawValue: "recipe_changed")
    /// A call that ended before its answer.
    public static let interrupted = Code(rawValue: "interrupted")
  }

  /// The kind of error.
  public let code: Code
  /// The problem and the remedy.
  public let message: LocalizedText
  /// The number of JSON-RPC. Errors of operations have the status of HTTP, which is outside of the reserved numbers.
  public let number: Int
  /// Further members of `data`.
  public var data: ValueMap

  /// Creates an error.
  public init(_ code: Code, _ number: Int, _ message: LocalizedText, data: ValueMap = [:]) {
    (self.code, self.number, self.message, self.data) = (code, number, message, data)
  }

  /// Creates an error of the protocol.
  init(_ code: Code, _ number: Number, _ english: String, de german: String, data: ValueMap = [:]) {
    self.init(code, number.rawValue, LocalizedText(english, de: german), data: data)
  }

  /// The numbers that JSON-RPC 2.0 and the protocol define.
  enum Number: Int {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case internalError = -32603
    /// Up to version 2025-11-25.
    case unknownResource = -32002
    case headerMismatch = -32020
    case missingCapability = -32021
    case unsupportedVersion = -32022
  }

  /// Whether the error belongs to the protocol; all others are errors of operations.
  var isOfProtocol: Bool { number < 0 }

  /// The error with the run that its call has started: a repetition of the call would start a second one.
  func naming(run: String) -> AssistantError {
    var named = AssistantError(
      code, number,
      message.english.contains(run) ? message : message + LocalizedText(" (run \(run))", de: " (Lauf \(run))"),
      data: data)
    named.data["run"] = .string(run)
    return named
  }

  /// The `error` of a response: `{code, message, data: {code, …}}`.
  func value(in language: Language) -> Value {
    var members: ValueMap = ["code": .string(code.rawValue)]
    for (key, value) in data.entries { members[key] = value }
    return [
      "code": .int(Int64(number)), "message": .string(message.string(in: language)), "data": .map(members),
    ]
  }
}

extension AssistantError {
  static func invalidParameters(_ english: String, de german: String) -> AssistantError {
    AssistantError(.invalidParameters, .invalidParameters, english, de: german)
  }

  static func invalidRequest(_ english: String, de german: String) -> AssistantError {
    AssistantError(.invalidRequest, .invalidRequest, english, de: german)
  }

  /// A message that is longer than a limit.
  ///
  /// - Parameter limit: The limit in bytes.
  public static func tooLarge(limit: Int) -> AssistantError {
    AssistantError(
      .tooLarge, .invalidRequest, "the message has more than \(limit) bytes; send a shorter one",
      de: "die Nachricht hat mehr als \(limit) Bytes; eine kürzere senden")
  }
}
