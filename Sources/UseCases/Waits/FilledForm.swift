public import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import Schemas

/// A form that was filled in.
struct FilledForm {
  /// The fields, in the types that the form gives them and with its defaults.
  let value: Value

  /// Reads fields that a person has typed.
  ///
  /// - Parameter option: The option of the command line that gives a field: `--field`. The errors then say how to use it.
  /// - Throws: ``UseCaseError``: `wrong_input` if a field is unknown, given twice, missing or wrong.
  init(_ form: Value?, typed fields: [Assignment], option: String? = nil) throws(UseCaseError) {
    var map = ValueMap()
    for field in fields {
      let name = field.name
      guard map[name] == nil else {
        throw Self.refusal(name, .init("field '\(name)' is given twice", de: "Feld '\(name)' ist zweimal angegeben"))
      }
      try Self.requireField(name, form)
      guard let schema = form?["properties"]?[name] ?? form?["additionalProperties"], case .map = schema else {
        map[name] = .string(field.text)
        continue
      }
      do throws(SchemaViolation) {
        map[name] = try Schema(document: schema).coerce(field.text)
      } catch {
        throw Self.refusal(name, LocalizedText("field '\(name)': ", de: "Feld '\(name)': ") + error.message)
      }
    }
    try self.init(form, map, option: option)
  }

  /// Takes fields whose values have their types already: a text is no number.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` if a field is unknown, missing or wrong.
  init(_ form: Value?, _ fields: ValueMap, option: String? = nil) throws(UseCaseError) {
    for field in fields.entries { try Self.requireField(field.key.text, form) }
    guard let form else {
      value = .map(fields)
      return
    }
    let schema = Schema(document: form)
    value = schema.withWholeNumbers(schema.fillingDefaults(.map(fields)))
    let violations = schema.validate(value)
    if let violation = violations.first {
      var error = UseCaseError.wrongInput(
        LocalizedText("the form is not filled in: ", de: "das Formular ist nicht ausgefüllt: ") + violation.located
          + (option.map { Self.remedy(form, given: value, $0) } ?? LocalizedText(verbatim: "")))
      error.faults = violations.map { InputFault($0, below: ["fields"]) }
      throw error
    }
  }

  /// The options that fill in the missing fields; their general form if none is missing.
  private static func remedy(_ form: Value, given value: Value, _ option: String) -> LocalizedText {
    let missing = FormField.all(of: form).filter { $0.isRequired && value[$0.name] == nil }
    let options = missing.map { "\(option) \($0.name)=\($0.placeholder)" }.joined(separator: " ")
    return missing.isEmpty
      ? LocalizedText("; answer with \(option) NAME=VALUE", de: "; antworten mit \(option) NAME=WERT")
      : LocalizedText("; answer with \(options)", de: "; antworten mit \(options)")
  }

  /// Refuses a field that the form does not ask for: it would be left out.
  private static func requireField(_ name: String, _ form: Value?) throws(UseCaseError) {
    let (properties, others) = (form?["properties"], form?["additionalProperties"])
    let isOpen = form?["patternProperties"] != nil || others.map { $0 != .bool(false) } ?? false
    guard isOpen || properties?[name] != nil else { throw unknown(name, properties) }
  }

  private static func refusal(_ name: String, _ message: LocalizedText) -> UseCaseError {
    var error = UseCaseError.wrongInput(message)
    error.faults = [InputFault(at: ["fields", name], message)]
    return error
  }

  private static func unknown(_ name: String, _ properties: Value?) -> UseCaseError {
    var names: [String] = []
    if case .map(let map)? = properties {
      names = map.entries.compactMap { if case .string(let name) = $0.key { name } else { nil } }
    }
    guard !names.isEmpty else {
      return refusal(
        name,
        .init(
          "the question has no fields, so there is no '\(name)'",
          de: "die Frage hat keine Felder, also auch nicht '\(name)'"))
    }
    return refusal(
      name,
      LocalizedText("the form has no field '\(name)'", de: "das Formular hat kein Feld '\(name)'")
        + Suggestion.text(for: name, among: names))
  }
}

/// A field that the form of a decision asks for.
public struct FormField: Sendable, Equatable {
  /// The name of the property.
  public let name: String
  /// The kind of value, for command lines: `TEXT`, `NUMBER`, `BOOLEAN` …
  public let placeholder: String
  /// Whether the form is incomplete without it.
  public let isRequired: Bool

  /// The fields of a form, in its order.
  ///
  /// - Parameter form: A JSON Schema of an object; `nil` for a decision without a form.
  public static func all(of form: Value?) -> [FormField] {
    guard case .map(let properties)? = form?["properties"] else { return [] }
    var required: Set<String> = []
    if case .list(let names)? = form?["required"] { required = Set(names.compactMap(\.stringValue)) }
    return properties.keys.map(\.text).map { name in
      let type = properties[name]?["type"]?.stringValue ?? "string"
      return FormField(
        name: name, placeholder: type == "string" ? "TEXT" : type.uppercased(), isRequired: required.contains(name))
    }
  }
}
