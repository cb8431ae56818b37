public import PluginKit

/// The result of an action of `mail.store` for its messages.
///
/// A message that is not in its folder any more is not an error: another program has moved or removed it since it was found.
/// The others are dealt with, and the output names the missing ones.
public struct ChangeReport: Sendable, Equatable {
  /// How many messages were dealt with.
  public var count: Int
  /// Their current IDs, in the order given, without unknown ones.
  public var uids: [String]
  /// The messages that were not there, as the input names them.
  public var missing: [String]
  /// The messages that were left alone as another program has changed them; `nil` if this was not requested.
  public var modified: [String]?

  /// Reports what was done.
  public init(count: Int, uids: [String] = [], missing: [String] = [], modified: [String]? = nil) {
    self.count = count
    self.uids = uids
    self.missing = missing
    self.modified = modified
  }

  /// The output of `mail.flag` and `mail.delete`: the count under a name of its own, and `missing`.
  public func counted(as name: String) -> JSONValue {
    var object: JSONObject = [name: .integer(Int64(count)), "missing": .array(missing.map(JSONValue.string))]
    if let modified { object["modified"] = .array(modified.map(JSONValue.string)) }
    return .object(object)
  }

  /// The output of actions that put messages somewhere: the count under a name of its own, `uids`, and `missing`.
  ///
  /// - Parameter folder: The folder they are in now, where the output names it.
  public func placed(as name: String, in folder: String? = nil) -> JSONValue {
    var object: JSONObject = [
      name: .integer(Int64(count)), "uids": .array(uids.map(JSONValue.string)),
      "missing": .array(missing.map(JSONValue.string)),
    ]
    if let folder { object["to"] = .string(folder) }
    return .object(object)
  }
}
