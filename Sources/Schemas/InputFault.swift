public import Localization

/// A value of a caller that cannot be used, and its place.
public struct InputFault: Sendable, Hashable {
  /// The place as a JSON Pointer (RFC 6901), such as `/inputs/count`; empty for the value as a whole.
  public var pointer: String
  /// The problem.
  public var message: LocalizedText
  /// Whether the value is missing.
  public var isMissing: Bool

  /// Creates a fault.
  ///
  /// - Parameter path: The names of the members that lead to the value.
  public init(at path: [String], _ message: LocalizedText, isMissing: Bool = false) {
    pointer = Self.pointer(path)
    (self.message, self.isMissing) = (message, isMissing)
  }

  /// The fault of a value that does not satisfy its schema.
  ///
  /// - Parameter path: The names of the members that lead to the value of the schema.
  public init(_ violation: SchemaViolation, below path: [String] = []) {
    self.init(
      at: path
        + violation.path.map { element in
          switch element {
          case .key(let name): name
          case .index(let position): "\(position)"
          }
        }, violation.message)
  }

  /// The same fault of a value that is part of a larger one.
  ///
  /// - Parameter member: The name of the member that has the value.
  public func below(_ member: String) -> InputFault {
    var fault = self
    fault.pointer = Self.pointer([member]) + pointer
    return fault
  }

  private static func pointer(_ path: [String]) -> String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}
