import Expressions

/// The arguments of calls of tools, read as structured answers are: what is nearly JSON is put right.
enum ToolArguments {
  /// The calls with their arguments as objects, or the calls whose arguments cannot be read.
  enum Reading {
    case calls([Value])
    case unreadable([Value])
  }

  /// Reads the arguments of the calls of an answer.
  ///
  /// - Parameter calls: Each `{id, name, arguments}`; a plugin passes arguments that are not a JSON object as text.
  static func read(_ calls: [Value]) -> Reading {
    var read: [Value] = []
    var unreadable: [Value] = []
    for call in calls {
      guard case .map(var members) = call, let text = members["arguments"]?.stringValue else {
        read.append(call)
        continue
      }
      guard let object = object(of: text) else {
        unreadable.append(call)
        continue
      }
      members["arguments"] = object
      read.append(.map(members))
    }
    return unreadable.isEmpty ? .calls(read) : .unreadable(unreadable)
  }

  /// The object of a text; `nil` if it has none, or several different ones.
  private static func object(of text: String) -> Value? {
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty || words == ["null"] || words == ["None"] { return [:] }
    let objects = SalvagedAnswer(text).objects
    guard let first = objects.first, objects.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}
