import Expressions
import Schemas

/// Checks the output of an action against its schema.
struct OutputCheck: Sendable {
  let schema: Schema
  /// The defaults of members that a plugin may leave out.
  private var absent = ValueMap()

  /// The check of a contract's output: a plugin may leave out members that have a `default` in the contract.
  init(contract schema: Schema) {
    self.schema = schema
    guard case .map(let properties)? = schema.document["properties"] else { return }
    for entry in properties.entries {
      if let value = entry.value["default"] { absent[entry.key.text] = value }
    }
  }

  /// The check of an output that the plugin's manifest describes.
  init(own schema: Schema) { self.schema = schema }

  /// The output with the defaults of members that are missing.
  func completed(_ output: Value) -> Value {
    guard absent.count > 0, case .map(var members) = output else { return output }
    for entry in absent.entries where members[entry.key] == nil { members[entry.key] = entry.value }
    return .map(members)
  }
}
