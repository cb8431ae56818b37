public import PluginKit

/// A message that exists and cannot be read: the server refuses it or leaves it out of its answer, or its file is unreadable. Actions
/// report it beside the other messages.
public struct UnreadableMessage: Sendable {
  /// Its uid in the folder.
  public var uid: String
  /// Why it cannot be read.
  public var error: ActionError

  /// Describes a message that cannot be read.
  public init(uid: String, error: ActionError) {
    self.uid = uid
    self.error = error
  }

  /// `{uid, error, error_de}`, as in `mail.search` and `mail.export`; the last one only if the error has a German text.
  public var json: JSONValue {
    var object = JSONObject([("uid", .string(uid)), ("error", .string(error.message))])
    object["error_de"] = error.messageGerman.map(JSONValue.string)
    return .object(object)
  }
}

extension JSONValue {
  /// The output of an action with the list `unreadable`, unless that is empty.
  public func adding(unreadable: [UnreadableMessage]) -> JSONValue {
    guard !unreadable.isEmpty, case .object(var object) = self else { return self }
    object["unreadable"] = .array(unreadable.map(\.json))
    return .object(object)
  }
}
