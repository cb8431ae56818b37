public import Localization

/// Why something on the network did not work.
public struct NetworkError: Error, Sendable {
  /// What sort of failure it was, a stable name in snake_case.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What sort of failure it was.
  public let code: Code
  /// What happened to which host, and what to do.
  public let message: LocalizedText

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}
