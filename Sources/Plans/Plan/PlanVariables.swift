public import Expressions
package import Localization
public import Schemas

/// The variables that a recipe's expressions know, with their types.
public enum PlanVariables {
  /// The names that every recipe has, and that nothing else may take.
  public static let reserved: Set<String> = [
    "inputs", "keywords", "steps", "run", "event", "recipe", "index", "failure",
  ]

  /// The type of `run`.
  public static let run = ValueType.object(
    ObjectType(name: "run", fields: ["id": .string, "started": .timestamp]))
  /// The type of `recipe`.
  public static let recipe = ValueType.object(ObjectType(name: "recipe", fields: ["name": .string]))

  /// The type of `failure`, which the steps know that deal with one.
  ///
  /// - Parameter kinds: The words of `kind`.
  public static func failure(kinds: [String]) -> ValueType {
    .object(
      ObjectType(
        name: LocalizedText(verbatim: "failure"),
        fields: ["kind": .string, "message": .string, "message_de": .string, "step": .string, "output": .dynamic],
        words: ["kind": kinds]))
  }

  /// The type of `inputs`.
  public static func inputs(_ inputs: [Plan.Input]) -> ValueType {
    var fields: [String: ValueType] = [:]
    var words: [String: [String]] = [:]
    for input in inputs {
      words[input.name] = input.schema.words
      // Without a default an input that may be left out is null then.
      let isNullable = !input.isRequired && input.schema.view["default"] == nil
      let name = LocalizedText("input '\(input.name)'", de: "Eingabe '\(input.name)'")
      fields[input.name] = isNullable ? .dynamic : input.schema.valueType(named: name)
    }
    return .object(ObjectType(name: LocalizedText(verbatim: "inputs"), fields: fields, words: words))
  }

  /// The words of `status`, of a step and of an element of a loop. Steps of `finally` see cancelled ones.
  private static let statuses = ["status": ["succeeded", "failed", "skipped", "cancelled"]]

  /// The type of `steps.ID`.
  public static func step(_ id: String, output: ValueType, isLoop: Bool, item: ValueType) -> ValueType {
    var fields: [String: ValueType] = ["output": output, "status": .string, "error": .dynamic]
    if isLoop {
      let entry = ObjectType(
        name: LocalizedText("item of step '\(id)'", de: "Element von Schritt '\(id)'"),
        fields: ["index": .int, "item": item, "status": .string, "output": output, "error": .dynamic],
        words: statuses)
      fields["items"] = .list(.object(entry))
      fields["output"] = .list(output)
    }
    return .object(
      ObjectType(name: LocalizedText("step '\(id)'", de: "Schritt '\(id)'"), fields: fields, words: statuses))
  }

  /// The type of a step's output: what its action says, and for a chat step with a literal `schema` the properties of
  /// that schema beside it, and nothing else unless the schema allows it.
  public static func output(_ action: ActionSignature, id: String, answer: Schema?) -> ValueType {
    let name = outputName(id)
    let own = action.output.valueType(named: name)
    guard let answer, case .object(let fields) = answer.valueType(named: name, isComplete: true) else { return own }
    guard case .object(var merged) = own else { return .object(fields) }
    // A name that the schema lists belongs to the schema.
    merged.fields.merge(fields.fields) { $1 }
    for name in fields.fields.keys { merged.words[name] = fields.words[name] }
    merged.isOpen = fields.isOpen
    return .object(merged)
  }

  /// The type of an item of a loop over values of a type; `nil` where one cannot loop over them.
  public static func item(of type: ValueType) -> ValueType? {
    switch type {
    case .dynamic, .parameter, .optional: .dynamic
    case .list(let element): element
    case .map(let key, let value): entry(key, value)
    case .object: entry(.string, .dynamic)
    default: nil
    }
  }

  private static func entry(_ key: ValueType, _ value: ValueType) -> ValueType {
    .object(
      ObjectType(
        name: LocalizedText("entry of a map", de: "Eintrag einer Map"), fields: ["key": key, "value": value]))
  }

  /// What people call a step's output.
  package static func outputName(_ id: String) -> LocalizedText {
    LocalizedText("output of step '\(id)'", de: "Ausgabe von Schritt '\(id)'")
  }

  /// The type of a literal value; a value of which the type alone is known has that type.
  package static func type(of shape: Value) -> ValueType {
    switch shape {
    case .null: return .dynamic
    case .bool: return .bool
    case .int: return .int
    case .uint: return .uint
    case .double: return .double
    case .string: return .string
    case .bytes: return .bytes
    case .timestamp: return .timestamp
    case .duration: return .duration
    case .type(let type): return type
    case .optional: return .dynamic
    case .list(let elements):
      let types = Set(elements.map { type(of: $0) })
      return .list(types.count == 1 ? types.first ?? .dynamic : .dynamic)
    case .map(let map):
      let types = Set(map.entries.map { type(of: $0.value) })
      return .map(.string, types.count == 1 ? types.first ?? .dynamic : .dynamic)
    }
  }
}
