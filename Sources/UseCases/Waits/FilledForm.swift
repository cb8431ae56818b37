import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import Schemas

/// A form that somebody has filled in by typing texts.
struct FilledForm {
  /// The fields, in the types that the form gives them and with its defaults.
  let value: Value

  /// Reads the texts.
  ///
  /// - Throws: ``UseCaseError`` where a field is unknown, given twice, missing or wrong.
  init(_ form: Value?, _ fields: [Assignment]) throws(UseCaseError) {
    var map = ValueMap()
    let properties = form?["properties"]
    let others = form?["additionalProperties"]
    let isOpen = form?["patternProperties"] != nil || others.map { $0 != .bool(false) } ?? false
    for field in fields {
      let name = field.name
      guard map[name] == nil else {
        throw .wrongInput(
          .init("field '\(name)' is given twice", de: "Feld '\(name)' ist zweimal angegeben"))
      }
      guard isOpen || properties?[name] != nil else { throw Self.unknown(name, properties) }
      guard let schema = properties?[name] ?? others, case .map = schema else {
        map[name] = .string(field.text)
        continue
      }
      do throws(SchemaViolation) {
        map[name] = try Schema(document: schema).coerce(field.text)
      } catch {
        throw .wrongInput(LocalizedText("field '\(name)': ", de: "Feld '\(name)': ") + error.message)
      }
    }
    guard let form else {
      value = .map(map)
      return
    }
    let schema = Schema(document: form)
    value = schema.fillingDefaults(.map(map))
    if let violation = schema.validate(value).first {
      let place = violation.pathText.isEmpty ? "" : "\(violation.pathText): "
      throw .wrongInput(
        LocalizedText("the form is not filled in: \(place)", de: "das Formular ist nicht ausgefüllt: \(place)")
          + violation.message)
    }
  }

  /// A field that the form does not ask for: what was meant by it would be left out.
  private static func unknown(_ name: String, _ properties: Value?) -> UseCaseError {
    var names: [String] = []
    if case .map(let map)? = properties {
      names = map.entries.compactMap { if case .string(let name) = $0.key { name } else { nil } }
    }
    guard !names.isEmpty else {
      return .wrongInput(
        .init(
          "there is no field to fill in, '\(name)' neither", de: "es gibt kein Feld auszufüllen, auch nicht '\(name)'"))
    }
    return .wrongInput(
      LocalizedText("the form has no field '\(name)'", de: "das Formular hat kein Feld '\(name)'")
        + Suggestion.text(for: name, among: names))
  }
}
