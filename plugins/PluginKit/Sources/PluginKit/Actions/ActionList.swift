/// The actions and triggers of a plugin.
public struct ActionList<Owner: Plugin>: Sendable {
  var entries: [ActionEntry<Owner>] = []
  var triggers: [TriggerEntry<Owner>] = []
}

/// An action that has forgotten its types: JSON goes in, JSON comes out.
struct ActionEntry<Owner: Plugin>: Sendable {
  let name: String
  /// The entry in the manifest of the plugin with an id.
  let manifest: @Sendable (_ id: String) -> String
  let isBlocking: Bool
  let run: @Sendable (Owner, [UInt8], ActionContext) async throws(ActionError) -> [UInt8]
  let verify: @Sendable (Owner, [UInt8], ActionContext) async throws(ActionError) -> [UInt8]

  init<Input, Output>(_ action: Action<Owner, Input, Output>) {
    name = action.name
    isBlocking = action.isBlocking
    var said = [("name", JSONText.string(action.name)), ("summary", JSONText.string(action.summary))]
    if let german = action.summaryGerman { said.append(("summary_de", JSONText.string(german))) }
    let fields =
      said + [
        ("effect", JSONText.string(action.effect.rawValue)),
        ("costly", action.isCostly ? "true" : "false"),
        ("verifies", action.verification == nil ? "false" : "true"),
      ]
    manifest = { id in
      // Those of a published contract say nothing here: the contract does.
      let isOwn = action.name.hasPrefix(id + ".")
      let input = action.inputSchema ?? (isOwn ? .of(Input.self) : nil)
      let output = action.outputSchema ?? (isOwn ? ActionEntry.schema(ofOutput: Output.self) : nil)
      var fields = fields
      if let tasks = action.tasks { fields.append(("tasks", JSONText.array(tasks.map(JSONText.string)))) }
      if !action.native.isEmpty { fields.append(("native", JSONText.array(action.native.map(JSONText.string)))) }
      if let input { fields.append(("input", input.json)) }
      if let output { fields.append(("output", output.json)) }
      return JSONText.object(fields)
    }

    let properties = ActionEntry.properties(of: action)
    @Sendable func decode(_ json: [UInt8]) throws(ActionError) -> Input {
      do {
        let value = try JSONReader.read(json)
        try ActionEntry.check(value, properties)
        return try JSONDecoding.decode(Input.self, from: value)
      } catch let error as ActionError {
        throw error
      } catch {
        throw ActionError(input: error)
      }
    }
    run = { plugin, json, context async throws(ActionError) in
      let input = try decode(json)
      do {
        return try JSONCoding.encode(try await action.body(plugin, input, context))
      } catch {
        throw ActionError(any: error)
      }
    }
    verify = { plugin, json, context async throws(ActionError) in
      guard let verification = action.verification else { return Array(#"{"verdict":"unknown"}"#.utf8) }
      let input = try decode(json)
      do {
        return try await verification(plugin, input, context).json
      } catch {
        throw ActionError(any: error)
      }
    }
  }

  /// The properties that an input may have, and whether they may be null, where its schema names all of them.
  private static func properties<Input, Output>(of action: Action<Owner, Input, Output>) -> [String: Bool]? {
    let isOwn = action.name.hasPrefix(Owner.manifest.id + ".")
    guard let schema = action.inputSchema ?? (isOwn ? .of(Input.self) : nil),
      let value = try? JSONReader.read(Array(schema.json.utf8)), value["additionalProperties"] == .bool(false),
      case .object(let properties)? = value["properties"]
    else { return nil }
    return properties.reduce(into: [:]) { nullable, property in
      nullable[property.key] = property.value["type"]?.string.map { $0 == "null" } ?? true
    }
  }

  /// Types pass over what they do not know, and take null for absent: neither is what the schema says.
  private static func check(_ input: JSONValue, _ properties: [String: Bool]?) throws(ActionError) {
    guard let properties, case .object(let members) = input else { return }
    for (name, value) in members {
      guard let isNullable = properties[name] else {
        throw ActionError(
          .invalidInput, "The input is not usable: '\(name)' is not known",
          german: "Unbrauchbare Eingabe: '\(name)' ist unbekannt")
      }
      guard isNullable || value != .null else {
        throw ActionError(
          .invalidInput, "The input is not usable: '\(name)' is null",
          german: "Unbrauchbare Eingabe: '\(name)' ist null")
      }
    }
  }

  /// A type that only encodes itself cannot be asked for its shape.
  static func schema<Output>(ofOutput type: Output.Type) -> JSONSchema {
    func derived<Decoded: Decodable>(_ type: Decoded.Type) -> JSONSchema { .of(type) }
    guard let type = type as? any Decodable.Type else { return JSONSchema(trusted: #"{"type":"object"}"#) }
    return derived(type)
  }
}

/// Collects the actions and triggers of a plugin, one per line, with `if` and `for` where needed.
@resultBuilder
public enum ActionListBuilder<Owner: Plugin> {
  /// Takes one action.
  public static func buildExpression<Input, Output>(_ action: Action<Owner, Input, Output>) -> ActionList<Owner> {
    ActionList(entries: [ActionEntry(action)])
  }
  /// Takes one trigger.
  public static func buildExpression<Settings, Event>(
    _ trigger: Trigger<Owner, Settings, Event>
  ) -> ActionList<Owner> {
    ActionList(triggers: [TriggerEntry(trigger)])
  }
  /// Takes a list of actions put together elsewhere.
  public static func buildExpression(_ list: ActionList<Owner>) -> ActionList<Owner> { list }
  /// Joins the lines.
  public static func buildBlock(_ lists: ActionList<Owner>...) -> ActionList<Owner> { buildArray(lists) }
  /// Joins the rounds of a loop.
  public static func buildArray(_ lists: [ActionList<Owner>]) -> ActionList<Owner> {
    ActionList(entries: lists.flatMap(\.entries), triggers: lists.flatMap(\.triggers))
  }
  /// Takes the elements under an `if`.
  public static func buildOptional(_ list: ActionList<Owner>?) -> ActionList<Owner> { list ?? ActionList() }
  /// Takes the first branch.
  public static func buildEither(first list: ActionList<Owner>) -> ActionList<Owner> { list }
  /// Takes the second branch.
  public static func buildEither(second list: ActionList<Owner>) -> ActionList<Owner> { list }
}
