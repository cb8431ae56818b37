public import Expressions
import Localization
import RecipeSyntax

extension Schema {
  /// Turns a text of the command line into a value of the schema: `-i limit=20`.
  ///
  /// A string stays as it is. Numbers, truth values and null are read as YAML reads them, lists and maps as YAML flow
  /// collections (JSON among them); a text without brackets for a list is its only element. Where the schema names
  /// several types, the text itself comes last; where it names none, the text is read as a YAML scalar.
  ///
  /// - Throws: ``SchemaViolation`` where the text cannot be a value of the type; bounds are for ``validate(_:)``.
  public func coerce(_ text: String) throws(SchemaViolation) -> Value {
    try Self.coerce(text, view, depth: 0)
  }

  private static func coerce(_ text: String, _ schema: SchemaView, depth: Int) throws(SchemaViolation) -> Value {
    if depth < 16, let reference = schema.reference { return try coerce(text, reference, depth: depth + 1) }
    guard let types = schema.types, !types.isEmpty else {
      if case .list(let choices)? = schema["enum"], choices.contains(.string(text)) { return .string(text) }
      return CoreSchema.value(of: text)
    }
    let plain = CoreSchema.value(of: text)
    if !types.contains(.string), CoreSchema.losesDigits(text) {
      throw SchemaViolation(
        path: [],
        message: LocalizedText(
          "has more digits than a number keeps; declare it as 'string'",
          de: "hat mehr Ziffern, als eine Zahl behält; als 'string' erklären"),
        code: .invalidValue)
    }
    for type in types where type != .string {
      switch type {
      case .array, .object:
        if let value = collection(text, type, schema, depth: depth) { return value }
      default:
        if type.contains(plain) { return plain }
      }
    }
    if types.contains(.string) { return .string(text) }
    let wanted = SchemaType.names(types)
    throw SchemaViolation(
      path: [],
      message: LocalizedText(
        "must be \(wanted.english), but '\(text)' is not", de: "muss \(wanted.german) sein, '\(text)' ist es nicht"),
      code: .wrongType)
  }

  private static func collection(_ text: String, _ type: SchemaType, _ schema: SchemaView, depth: Int) -> Value? {
    let opening: Character = type == .array ? "[" : "{"
    let trimmed = text.drop { $0 == " " }
    if trimmed.first == opening {
      let result = YAMLDocument.parse(SourceText(path: "-i", text: text))
      guard result.diagnostics.isEmpty, let value = result.document?.root?.value, type.contains(value) else {
        return nil
      }
      return value
    }
    guard type == .array, depth < 16 else { return nil }
    guard let items = schema.subschema("items") else { return .list([CoreSchema.value(of: text)]) }
    return (try? coerce(text, items, depth: depth + 1)).map { .list([$0]) }
  }
}
