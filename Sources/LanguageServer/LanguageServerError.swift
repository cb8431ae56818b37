public import Localization

/// Why a request cannot be answered; becomes the error of its response.
public struct LanguageServerError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The content is not a JSON.
    public static let notJSON = Code(rawValue: "not_json")
    /// The JSON is not a message.
    public static let invalidRequest = Code(rawValue: "invalid_request")
    /// There is no such method.
    public static let unknownMethod = Code(rawValue: "unknown_method")
    /// The parameters lack something.
    public static let invalidParameters = Code(rawValue: "invalid_parameters")
    /// A request came before `initialize`.
    public static let notInitialized = Code(rawValue: "not_initialized")
    /// The server was initialized already.
    public static let alreadyInitialized = Code(rawValue: "already_initialized")
    /// The request is understood, but what it asks for cannot be done.
    public static let requestFailed = Code(rawValue: "request_failed")
    /// The client took the request back.
    public static let cancelled = Code(rawValue: "request_cancelled")
    /// The message is larger than the limit.
    public static let tooLarge = Code(rawValue: "message_too_large")
  }

  /// The kind of error.
  public var code: Code
  /// The problem.
  public var message: LocalizedText
  /// The error of a lower layer.
  public var cause: (any Error)?

  init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }

  /// The number that JSON-RPC 2.0 and LSP 3.17 (`ErrorCodes`) give to it.
  public var number: Int64 {
    switch code {
    case .notJSON: -32700
    case .unknownMethod: -32601
    case .invalidParameters: -32602
    case .notInitialized: -32002
    case .requestFailed: -32803
    case .cancelled: -32800
    default: -32600
    }
  }
}
