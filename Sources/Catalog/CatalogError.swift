public import Localization

/// Why something was not done with a prompt catalog.
public struct CatalogError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The catalog has nothing of that name.
    public static let notFound = Code(rawValue: "not_found")
    /// A name or a value cannot be used.
    public static let invalid = Code(rawValue: "wrong_input")
    /// Something of that name is there already.
    public static let exists = Code(rawValue: "exists")
    /// Other files or recipes name it.
    public static let referenced = Code(rawValue: "referenced")
    /// A file of the catalog, or one to be imported, is wrong.
    public static let broken = Code(rawValue: "invalid_catalog")
    /// The entry has changed since its version was read.
    public static let changed = Code(rawValue: "object_changed")
    /// The disk is in the way.
    public static let storage = Code(rawValue: "environment")
  }

  /// The kind of error.
  public var code: Code
  /// What happened, to what, and what to do about it.
  public var message: LocalizedText

  init(_ code: Code, _ english: String, de german: String) {
    self.code = code
    message = LocalizedText(english, de: german)
  }

  init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}
