public import PluginKit

/// A message that is in its folder and that the store cannot give: a server refuses it or leaves it out of its answer, or a file
/// cannot be read. It holds up no other message.
public struct UnreadableMessage: Sendable {
  /// What names it in its folder.
  public var uid: String
  /// Why it cannot be read.
  public var error: ActionError

  /// Describes a message that cannot be read.
  public init(uid: String, error: ActionError) {
    self.uid = uid
    self.error = error
  }

  /// `{uid, error}`, as outputs of the contract have it.
  public var json: JSONValue { ["uid": .string(uid), "error": .string(error.message)] }
}

extension JSONValue {
  /// The output of an action, with `unreadable` where a message could not be read.
  public func naming(_ unreadable: [UnreadableMessage]) -> JSONValue {
    guard !unreadable.isEmpty, case .object(var object) = self else { return self }
    object["unreadable"] = .array(unreadable.map(\.json))
    return .object(object)
  }
}
