public import Expressions

/// The features of a client, from its `capabilities`.
public struct ClientFeatures: Sendable, Hashable {
  /// Whether it can show a form to a person.
  public var elicitsForms = false
  /// Whether it knows tasks that the server decides on (`io.modelcontextprotocol/tasks`).
  public var knowsTasks = false

  /// The name of the extension for tasks.
  static let tasks = "io.modelcontextprotocol/tasks"

  /// A client without features.
  public init() {}

  /// Reads `capabilities`.
  public init(_ capabilities: Value?) {
    if let elicitation = capabilities?["elicitation"]?.mapValue {
      // An empty object means forms.
      elicitsForms = elicitation["form"]?.mapValue != nil || elicitation["url"] == nil
    }
    knowsTasks = capabilities?["extensions"]?[Self.tasks]?.mapValue != nil
  }
}
