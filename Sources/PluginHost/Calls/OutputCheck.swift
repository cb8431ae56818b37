import Expressions
import Recipes

/// The shape that an action's output must have.
struct OutputCheck: Sendable {
  let schema: Schema
  /// What the output has where a plugin leaves it out.
  private var absent = ValueMap()

  /// What a contract asks for: a plugin may leave out what has a `default` there.
  init(contract schema: Schema) {
    self.schema = schema
    guard case .map(let properties)? = schema.document["properties"] else { return }
    for entry in properties.entries {
      if let value = entry.value["default"] { absent[entry.key.text] = value }
    }
  }

  /// What a plugin itself says.
  init(own schema: Schema) { self.schema = schema }

  /// The output with what was left out.
  func completed(_ output: Value) -> Value {
    guard absent.count > 0, case .map(var members) = output else { return output }
    for entry in absent.entries where members[entry.key] == nil { members[entry.key] = entry.value }
    return .map(members)
  }
}
