import Expressions
import Localization
import Schemas

/// What the document of a contract says.
struct ContractContent: Sendable {
  var version = 0
  var summary = LocalizedText(verbatim: "")
  var signatures: [ActionSignature] = []
  var triggers: [TriggerSignature] = []
}

/// Why the document of a contract cannot be read.
package struct ContractProblem: Error {
  /// The contract: `mail.store`.
  package let contract: String
  /// The place in the document and what is wrong with it, in English.
  package let message: String
}

/// Reads the document of a contract, strictly: a missing key, an unknown one and a value of another type are errors.
///
///     {
///       "contract": "mail.store", "version": 2, "summary": { "en": "…", "de": "…" },
///       "$defs": { NAME: SCHEMA },                                   optional
///       "actions": {
///         "mail.search": {
///           "summary": { "en": "…", "de": "…" },
///           "effect": "read",                                        a case of Effect
///           "costly": false,
///           "optional": true,                                        optional: a plugin may do without the action
///           "input": SCHEMA, "output": SCHEMA,
///           "delta": SCHEMA                                          optional: the shape of what the action streams
///         }
///       },
///       "triggers": {                                                optional
///         "mail.new": { "summary": { "en": "…", "de": "…" }, "configuration": SCHEMA, "event": SCHEMA }
///       }
///     }
///
/// A SCHEMA is a JSON Schema; `#/$defs/NAME` in it refers to the `$defs` of the document.
struct ContractReader {
  private let contract: String
  private let definitions: Value?

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - contract: The name that the document must have.
  static func read(_ bytes: [UInt8], of contract: String) throws(ContractProblem) -> ContractContent {
    let document: Value
    do { document = try Value(json: bytes) } catch { throw ContractProblem(contract: contract, message: "\(error)") }
    var definitions: Value?
    if case .map(let map) = document { definitions = map["$defs"] }
    return try ContractReader(contract: contract, definitions: definitions).content(document)
  }

  private func content(_ document: Value) throws(ContractProblem) -> ContractContent {
    let root = try map(
      document, "document", keys: ["contract", "version", "summary", "actions"], optional: ["$defs", "triggers"])
    guard root["contract"] == .string(contract) else { throw problem("contract", "is not '\(contract)'") }
    guard case .int(let number)? = root["version"], let version = Int(exactly: number), version > 0 else {
      throw problem("version", "is not a positive whole number")
    }
    if let definitions { _ = try map(definitions, "$defs") }
    var content = ContractContent(version: version, summary: try text(root["summary"], "summary"))
    for (name, fields) in try entries(root["actions"], "actions") {
      content.signatures.append(try action(name, fields))
    }
    if let triggers = root["triggers"] {
      for (name, fields) in try entries(triggers, "triggers") { content.triggers.append(try trigger(name, fields)) }
    }
    return content
  }

  private func action(_ name: String, _ value: Value) throws(ContractProblem) -> ActionSignature {
    let fields = try map(
      value, name, keys: ["summary", "effect", "costly", "input", "output"], optional: ["optional", "delta"])
    guard case .string(let word)? = fields["effect"], let effect = Effect(rawValue: word) else {
      throw problem("\(name).effect", "is not an effect")
    }
    if let delta = fields["delta"] { _ = try schema(delta, "\(name).delta") }
    return ActionSignature(
      name: name, contract: contract, summary: try text(fields["summary"], "\(name).summary"), effect: effect,
      isCostly: try flag(fields["costly"], "\(name).costly"),
      isOptional: try flag(fields["optional"] ?? false, "\(name).optional"),
      input: try schema(fields["input"], "\(name).input"), output: try schema(fields["output"], "\(name).output"))
  }

  private func trigger(_ name: String, _ value: Value) throws(ContractProblem) -> TriggerSignature {
    let fields = try map(value, name, keys: ["summary", "configuration", "event"])
    return TriggerSignature(
      name: name, contract: contract, summary: try text(fields["summary"], "\(name).summary"),
      configuration: try schema(fields["configuration"], "\(name).configuration"),
      event: try schema(fields["event"], "\(name).event"))
  }

  /// A sentence in both languages.
  private func text(_ value: Value?, _ place: String) throws(ContractProblem) -> LocalizedText {
    let texts = try map(value, place, keys: ["en", "de"])
    guard case .string(let english)? = texts["en"], case .string(let german)? = texts["de"] else {
      throw problem(place, "is not text in both languages")
    }
    return LocalizedText(english, de: german)
  }

  /// A schema that carries the document's definitions, so that its references lead somewhere.
  private func schema(_ value: Value?, _ place: String) throws(ContractProblem) -> Schema {
    var document = try map(value, place)
    if let definitions { document["$defs"] = definitions }
    return Schema(document: .map(document))
  }

  private func flag(_ value: Value?, _ place: String) throws(ContractProblem) -> Bool {
    guard case .bool(let flag)? = value else { throw problem(place, "is not true or false") }
    return flag
  }

  /// The entries of a map, in their order.
  private func entries(_ value: Value?, _ place: String) throws(ContractProblem) -> [(name: String, fields: Value)] {
    var entries: [(name: String, fields: Value)] = []
    for entry in try map(value, place).entries {
      guard case .string(let name) = entry.key else { throw problem(place, "has a key that is not text") }
      entries.append((name, entry.value))
    }
    return entries
  }

  /// A map; with `keys` it must have them, and no others than those and `optional`.
  private func map(
    _ value: Value?, _ place: String, keys: Set<String>? = nil, optional: Set<String> = []
  ) throws(ContractProblem) -> ValueMap {
    guard case .map(let map)? = value else { throw problem(place, "is not an object") }
    guard let keys else { return map }
    for key in keys.sorted() where map[.string(key)] == nil { throw problem(place, "has no '\(key)'") }
    for case .string(let key) in map.keys where !keys.contains(key) && !optional.contains(key) {
      throw problem(place, "has the unknown key '\(key)'")
    }
    return map
  }

  private func problem(_ place: String, _ message: String) -> ContractProblem {
    ContractProblem(contract: contract, message: "\(place) \(message)")
  }
}
