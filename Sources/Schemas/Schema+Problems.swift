import Expressions
import Localization
import RecipeSyntax

extension Schema {
  /// What is wrong with the schema itself: keywords of the wrong form, bounds that no value can satisfy, defaults below
  /// the top that break their own schema.
  ///
  /// - Returns: Violations whose paths lead into ``document``; empty where the schema can be used.
  public func problems() -> [SchemaViolation] {
    remarks().filter { $0.severity == .error }
  }

  /// What is wrong with the schema itself, and what is doubtful: a `format` that is not checked.
  package func remarks() -> [SchemaViolation] {
    var check = SchemaCheck(root: document)
    check.check(document, depth: 0)
    return check.problems
  }
}

/// Goes through a schema and collects what is wrong with it.
private struct SchemaCheck {
  let root: Value
  var problems: [SchemaViolation] = []
  private var path: [SchemaViolation.PathElement] = []

  init(root: Value) {
    self.root = root
  }

  private mutating func report(
    _ message: LocalizedText, suggestion: String? = nil, severity: Diagnostic.Severity = .error
  ) {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    problems.append(
      SchemaViolation(
        path: path, message: message + tail, code: .invalidSchema, suggestion: suggestion, severity: severity))
  }

  private mutating func below(
    _ elements: SchemaViolation.PathElement..., check: (inout SchemaCheck) -> Void
  ) {
    path += elements
    check(&self)
    path.removeLast(elements.count)
  }

  mutating func check(_ schema: Value, depth: Int) {
    guard depth < 64 else {
      report(LocalizedText("the schema nests too deeply", de: "das Schema ist zu tief verschachtelt"))
      return
    }
    if case .bool = schema { return }
    guard case .map(let map) = schema else {
      report(LocalizedText("a schema is a map", de: "ein Schema ist eine Map"))
      return
    }
    let before = problems.count
    for entry in map.entries {
      guard case .string(let keyword) = entry.key else { continue }
      let value = entry.value
      below(.key(keyword)) { check in check.check(keyword: keyword, value, schema: schema, depth: depth) }
    }
    // Bounds are compared, and values with them, only where they are sound themselves.
    guard !problems[before...].contains(where: { $0.severity == .error }) else { return }
    checkBounds(SchemaView(schema, root: root), map)
    checkChoices(SchemaView(schema, root: root))
    if depth > 0, problems.count == before, let value = map["default"] { checkDefault(value, schema) }
  }

  // MARK: Keywords against each other

  /// Reports bounds between which nothing lies, at the one that is written last.
  private mutating func checkBounds(_ schema: SchemaView, _ map: ValueMap) {
    for (lower, upper) in [("minLength", "maxLength"), ("minItems", "maxItems")] {
      guard let least = schema.integer(lower), let most = schema.integer(upper), least > most else { continue }
      reportBounds(lower, upper, least.description, most.description, map)
    }
    let lowers = ["minimum", "exclusiveMinimum"].compactMap { name in schema.number(name).map { (name, $0) } }
    let uppers = ["maximum", "exclusiveMaximum"].compactMap { name in schema.number(name).map { (name, $0) } }
    for (lower, least) in lowers {
      for (upper, most) in uppers {
        let isOpen = lower == "exclusiveMinimum" || upper == "exclusiveMaximum"
        guard least > most || (least == most && isOpen) else { continue }
        reportBounds(lower, upper, least.shortText, most.shortText, map)
        return
      }
    }
  }

  private mutating func reportBounds(
    _ lower: String, _ upper: String, _ least: String, _ most: String, _ map: ValueMap
  ) {
    let last = map.entries.last { $0.key == .string(lower) || $0.key == .string(upper) }
    below(.key(last?.key.text ?? upper)) {
      $0.report(
        LocalizedText(
          "no value can satisfy '\(lower)' \(least) and '\(upper)' \(most)",
          de: "kein Wert kann '\(lower)' \(least) und '\(upper)' \(most) erfüllen"))
    }
  }

  /// Reports choices that the schema's own type rules out.
  private mutating func checkChoices(_ schema: SchemaView) {
    guard let types = schema.types, case .list(let choices)? = schema["enum"] else { return }
    for (position, choice) in choices.enumerated() where !types.contains(where: { $0.contains(choice) }) {
      let wanted = SchemaType.names(types)
      below(.key("enum"), .index(position)) {
        $0.report(
          LocalizedText(
            "\(choice.shortText) can never be chosen, since it must be \(wanted.english)",
            de: "\(choice.shortText) kann nie gewählt werden, weil es \(wanted.german) sein muss"))
      }
    }
  }

  /// Reports a default below the top that breaks its own schema; that of an input is compared by the reader of inputs.
  private mutating func checkDefault(_ value: Value, _ schema: Value) {
    var validator = SchemaValidator()
    validator.validate(value, against: SchemaView(schema, root: root))
    for violation in validator.violations {
      problems.append(
        SchemaViolation(
          path: path + [.key("default")] + violation.path,
          message: LocalizedText("the default ", de: "der Standardwert ") + violation.message, code: violation.code,
          suggestion: violation.suggestion))
    }
  }

  // MARK: Each keyword

  private mutating func check(keyword: String, _ value: Value, schema: Value, depth: Int) {
    switch keyword {
    case "type": checkType(value)
    case "properties", "$defs", "patternProperties": checkMap(value, depth: depth)
    case "items", "additionalProperties", "not": check(value, depth: depth + 1)
    case "anyOf", "oneOf", "allOf": checkList(value, depth: depth)
    case "required": checkRequired(value)
    case "enum":
      if case .list(let choices) = value, !choices.isEmpty { return }
      report(LocalizedText("'enum' is a list of the allowed values", de: "'enum' ist eine Liste der erlaubten Werte"))
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      if !SchemaType.number.contains(value) {
        report(LocalizedText("'\(keyword)' is a number", de: "'\(keyword)' ist eine Zahl"))
      }
    case "minLength", "maxLength", "minItems", "maxItems":
      if case .int(let number) = value, number >= 0 { return }
      report(
        LocalizedText("'\(keyword)' is an integer, 0 or more", de: "'\(keyword)' ist eine ganze Zahl ab 0"))
    case "uniqueItems":
      if case .bool = value { return }
      report(LocalizedText("'uniqueItems' is true or false", de: "'uniqueItems' ist true oder false"))
    case "pattern":
      if case .string(let pattern) = value, SchemaPattern.isValid(pattern) { return }
      report(
        LocalizedText(
          "'pattern' is not a regular expression that RE2 accepts",
          de: "'pattern' ist kein regulärer Ausdruck, den RE2 annimmt"))
    case "format":
      checkFormat(value)
    case "description", "title":
      if case .string = value { return }
      report(LocalizedText("'\(keyword)' is a string", de: "'\(keyword)' ist ein Text"))
    case "$ref":
      if SchemaView(schema, root: root).reference == nil {
        report(
          LocalizedText(
            "'$ref' leads to nothing; it has the form '#/$defs/NAME'",
            de: "'$ref' führt ins Leere; es hat die Form '#/$defs/NAME'"))
      }
    default: break
    }
  }

  private mutating func checkFormat(_ value: Value) {
    guard case .string(let name) = value else {
      report(LocalizedText("'format' is a string", de: "'format' ist ein Text"))
      return
    }
    guard SchemaFormat(rawValue: name) == nil else { return }
    let known = SchemaFormat.allCases.map(\.rawValue)
    report(
      LocalizedText(
        "the format '\(name)' is not checked; known are \(known.joined(separator: ", "))",
        de: "das Format '\(name)' wird nicht geprüft; bekannt sind \(known.joined(separator: ", "))"),
      suggestion: Suggestion.closest(to: name, among: known), severity: .warning)
  }

  private mutating func checkType(_ value: Value) {
    let known = SchemaType.allCases.map(\.rawValue)
    func problem(_ name: String) -> (LocalizedText, String?) {
      (
        LocalizedText(
          "unknown type '\(name)'; known are \(known.joined(separator: ", "))",
          de: "unbekannter Typ '\(name)'; bekannt sind \(known.joined(separator: ", "))"),
        Suggestion.closest(to: name, among: known)
      )
    }
    switch value {
    case .string(let name):
      guard SchemaType(rawValue: name) == nil else { return }
      let (message, suggestion) = problem(name)
      report(message, suggestion: suggestion)
    case .list(let names) where !names.isEmpty:
      for (position, name) in names.enumerated() {
        if case .string(let text) = name, SchemaType(rawValue: text) != nil { continue }
        let (message, suggestion) = problem(name.shortText)
        below(.index(position)) { $0.report(message, suggestion: suggestion) }
      }
    default:
      report(LocalizedText("'type' is a name or a list of names", de: "'type' ist ein Name oder eine Liste von Namen"))
    }
  }

  private mutating func checkMap(_ value: Value, depth: Int) {
    guard case .map(let map) = value else {
      report(LocalizedText("a map of schemas is expected", de: "hier wird eine Map von Schemas erwartet"))
      return
    }
    for entry in map.entries { below(.key(entry.key.text)) { $0.check(entry.value, depth: depth + 1) } }
  }

  private mutating func checkList(_ value: Value, depth: Int) {
    guard case .list(let schemas) = value, !schemas.isEmpty else {
      report(LocalizedText("a list of schemas is expected", de: "hier wird eine Liste von Schemas erwartet"))
      return
    }
    for (position, schema) in schemas.enumerated() { below(.index(position)) { $0.check(schema, depth: depth + 1) } }
  }

  private mutating func checkRequired(_ value: Value) {
    if case .list(let names) = value, names.allSatisfy({ if case .string = $0 { true } else { false } }) { return }
    report(
      LocalizedText(
        "'required' is a list of property names", de: "'required' ist eine Liste von Namen der Eigenschaften"))
  }
}
