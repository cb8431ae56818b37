import Expressions
import Localization
import RecipeSyntax

/// Compares a value with a schema and collects every point at which they differ.
///
/// A value whose type alone is known, because an expression will make it, stands in the tree as ``Value/type(_:)`` when
/// `knowsTypes` is set: then only what the type rules out is reported.
struct SchemaValidator {
  /// How deep schemas and values may nest, references included.
  static let depth = 100
  /// After how many violations the comparison stops.
  static let most = 100

  let knowsTypes: Bool
  private(set) var violations: [SchemaViolation] = []
  private var path: [SchemaViolation.PathElement] = []
  /// How many values and schemas may still be looked at: alternatives of alternatives multiply. Enough for a list of 500 000
  /// messages with some fields each.
  private var remaining = 4_000_000

  init(knowsTypes: Bool = false) {
    self.knowsTypes = knowsTypes
  }

  mutating func validate(_ value: Value, against schema: SchemaView, depth: Int = 0) {
    guard violations.count < Self.most else { return }
    remaining -= 1
    guard depth < Self.depth, remaining > 0 else {
      report(
        .invalidSchema,
        LocalizedText("schema or value nest too deeply", de: "Schema oder Wert sind zu tief verschachtelt"))
      return
    }
    if schema.isFalse {
      report(.invalidValue, LocalizedText("no value is allowed here", de: "hier ist kein Wert erlaubt"))
      return
    }
    guard schema.map != nil else { return }
    if let reference = schema.reference { validate(value, against: reference, depth: depth + 1) }
    guard checkType(value, schema) else { return }
    if knowsTypes, case .type(let type) = value {
      validate(unknown: type, schema, depth: depth)
      return
    }
    if schema.hasChoices { checkChoices(value, schema) }
    switch value {
    case .int(let number) where schema.limitsNumbers: checkNumber(Double(number), schema)
    case .uint(let number) where schema.limitsNumbers: checkNumber(Double(number), schema)
    case .double(let number) where schema.limitsNumbers: checkNumber(number, schema)
    case .string(let text) where schema.limitsTexts: checkString(text, schema)
    case .list(let elements): checkList(elements, schema, depth: depth)
    case .map(let map): checkMap(map, schema, depth: depth)
    default: break
    }
    checkCombinations(value, schema, depth: depth)
  }

  private mutating func report(_ code: Diagnostic.Code, _ message: LocalizedText, suggestion: String? = nil) {
    guard violations.count < Self.most else { return }
    violations.append(SchemaViolation(path: path, message: message, code: code, suggestion: suggestion))
  }

  private mutating func descend(
    _ element: SchemaViolation.PathElement, _ value: Value, _ schema: SchemaView, depth: Int
  ) {
    path.append(element)
    validate(value, against: schema, depth: depth + 1)
    path.removeLast()
  }

  // MARK: Types and choices

  private mutating func checkType(_ value: Value, _ schema: SchemaView) -> Bool {
    guard let types = schema.types else { return true }
    let found: LocalizedText
    var remedy = LocalizedText(verbatim: "")
    if knowsTypes, case .type(let type) = value {
      if types.contains(where: { $0.canContain(type) }) { return true }
      found = type.words
      switch type {
      case .int, .uint, .double, .bool, .timestamp,
        .duration where types.contains(.string):
        remedy = LocalizedText("; string(…) makes it a text", de: "; string(…) macht einen Text daraus")
      default: break
      }
    } else {
      if types.contains(where: { $0.contains(value) }) { return true }
      found = SchemaType(of: value).name
    }
    let wanted = SchemaType.names(types)
    report(
      .wrongType,
      LocalizedText(
        "must be \(wanted.english), but is \(found.english)", de: "muss \(wanted.german) sein, ist aber \(found.german)"
      ) + remedy)
    return false
  }

  private mutating func checkChoices(_ value: Value, _ schema: SchemaView) {
    if let constant = schema["const"], constant != value {
      report(
        .invalidValue,
        LocalizedText("must be \(constant.shortText)", de: "muss \(constant.shortText) sein"))
    }
    guard case .list(let choices)? = schema["enum"], !choices.contains(value) else { return }
    let names = choices.map(\.shortText).joined(separator: ", ")
    var suggestion: String?
    if case .string(let text) = value {
      suggestion = Suggestion.closest(
        to: text, among: choices.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    report(
      .invalidValue,
      LocalizedText("must be one of \(names)", de: "muss eines von \(names) sein")
        + (suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")),
      suggestion: suggestion)
  }

  // MARK: Numbers and texts

  private mutating func checkNumber(_ number: Double, _ schema: SchemaView) {
    if let minimum = schema.number("minimum"), number < minimum {
      report(
        .invalidValue,
        LocalizedText("must be at least \(minimum.shortText)", de: "muss mindestens \(minimum.shortText) sein"))
    }
    if let maximum = schema.number("maximum"), number > maximum {
      report(
        .invalidValue,
        LocalizedText("must be at most \(maximum.shortText)", de: "darf höchstens \(maximum.shortText) sein"))
    }
    if let minimum = schema.number("exclusiveMinimum"), number <= minimum {
      report(
        .invalidValue,
        LocalizedText("must be greater than \(minimum.shortText)", de: "muss grösser als \(minimum.shortText) sein"))
    }
    if let maximum = schema.number("exclusiveMaximum"), number >= maximum {
      report(
        .invalidValue,
        LocalizedText("must be less than \(maximum.shortText)", de: "muss kleiner als \(maximum.shortText) sein"))
    }
  }

  private mutating func checkString(_ text: String, _ schema: SchemaView) {
    if let minimum = schema.integer("minLength"), text.unicodeScalars.count < minimum {
      report(
        .invalidValue,
        minimum == 1
          ? LocalizedText("must not be empty", de: "darf nicht leer sein")
          : LocalizedText("must have at least \(minimum) characters", de: "muss mindestens \(minimum) Zeichen haben"))
    }
    if let maximum = schema.integer("maxLength"), text.unicodeScalars.count > maximum {
      let count = LocalizedText.count(maximum, "character", "characters", de: "Zeichen", "Zeichen")
      report(
        .invalidValue,
        LocalizedText("must have at most \(count.english)", de: "darf höchstens \(count.german) haben"))
    }
    if case .string(let pattern)? = schema["pattern"], !SchemaPattern.matches(text, pattern) {
      report(
        .invalidValue, LocalizedText("must match the pattern \(pattern)", de: "muss zum Muster \(pattern) passen"))
    }
    if case .string(let name)? = schema["format"], let format = SchemaFormat(rawValue: name), !format.accepts(text) {
      report(.invalidValue, format.message)
    }
  }

  // MARK: Lists and maps

  private mutating func checkList(_ elements: [Value], _ schema: SchemaView, depth: Int) {
    if let minimum = schema.integer("minItems"), elements.count < minimum {
      report(
        .invalidValue,
        minimum == 1
          ? LocalizedText("must not be empty", de: "darf nicht leer sein")
          : LocalizedText("must have at least \(minimum) elements", de: "muss mindestens \(minimum) Elemente haben"))
    }
    if let maximum = schema.integer("maxItems"), elements.count > maximum {
      let count = LocalizedText.count(maximum, "element", "elements", de: "Element", "Elemente")
      report(
        .invalidValue,
        LocalizedText("must have at most \(count.english)", de: "darf höchstens \(count.german) haben"))
    }
    if schema["uniqueItems"] == .bool(true) {
      var seen: Set<Value> = []
      for (position, element) in elements.enumerated() where !seen.insert(element.comparable).inserted {
        if knowsTypes, case .type = element { continue }
        path.append(.index(position))
        report(
          .invalidValue,
          LocalizedText("is in the list more than once", de: "kommt in der Liste mehr als einmal vor"))
        path.removeLast()
      }
    }
    if let items = schema.items {
      for (position, element) in elements.enumerated() {
        descend(.index(position), element, items, depth: depth)
      }
    }
  }

  private mutating func checkMap(_ map: ValueMap, _ schema: SchemaView, depth: Int) {
    for name in schema.required where map[name] == nil {
      report(.missingKey, LocalizedText("'\(name)' is missing", de: "'\(name)' fehlt"))
    }
    let additional = schema.additionalProperties
    for entry in map.entries {
      let name = entry.key.text
      if let property = schema.property(name) {
        descend(.key(name), entry.value, property, depth: depth)
      } else if let additional, additional.isFalse {
        let suggestion = Suggestion.closest(to: name, among: schema.properties.map(\.name))
        path.append(.key(name))
        report(
          .unknownKey,
          LocalizedText("unknown key '\(name)'", de: "unbekannter Schlüssel '\(name)'")
            + (suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")),
          suggestion: suggestion)
        path.removeLast()
      } else if let additional {
        descend(.key(name), entry.value, additional, depth: depth)
      }
    }
  }

  // MARK: Combinations

  private mutating func checkCombinations(_ value: Value, _ schema: SchemaView, depth: Int) {
    for part in schema.allOf { validate(value, against: part, depth: depth + 1) }
    if let parts = schema.anyOf { checkAlternatives(value, parts, exactlyOne: false, depth: depth) }
    if let parts = schema.oneOf { checkAlternatives(value, parts, exactlyOne: true, depth: depth) }
  }

  private mutating func checkAlternatives(_ value: Value, _ parts: [SchemaView], exactlyOne: Bool, depth: Int) {
    var outcomes: [[SchemaViolation]] = []
    for part in parts {
      var trial = SchemaValidator(knowsTypes: knowsTypes)
      trial.path = path
      trial.remaining = remaining
      trial.validate(value, against: part, depth: depth + 1)
      remaining = trial.remaining
      outcomes.append(trial.violations)
    }
    let matches = outcomes.filter(\.isEmpty).count
    if matches == 1 || (matches > 1 && !exactlyOne) { return }
    if matches > 1 {
      // With types alone known, several may fit now and one at run time.
      if knowsTypes, value.holdsUnknown { return }
      report(
        .invalidValue,
        LocalizedText("fits more than one of the allowed forms", de: "passt zu mehr als einer der erlaubten Formen"))
      return
    }
    let missing = outcomes.map { violations in
      violations.allSatisfy { $0.code == .missingKey && $0.path == path }
        ? violations.map(\.message.english).joined(separator: ", ") : nil
    }
    if let texts = missing.allPresent {
      let german = outcomes.map { $0.map(\.message.german).joined(separator: ", ") }
      report(
        .missingKey,
        LocalizedText(texts.joined(separator: ", or "), de: german.joined(separator: ", oder ")))
    } else if let closest = outcomes.min(by: {
      ($0.first?.path.count ?? 0, -$0.count) > ($1.first?.path.count ?? 0, -$1.count)
    }) {
      for violation in closest where violations.count < Self.most { violations.append(violation) }
    }
  }

  // MARK: Known types

  /// Reports what a type rules out below the top: list elements and the fields of an object.
  private mutating func validate(unknown type: ValueType, _ schema: SchemaView, depth: Int) {
    switch type {
    case .list(let element):
      if let items = schema.items, element != .dynamic {
        descend(.index(0), .type(element), items, depth: depth)
      }
    case .object(let object):
      if !object.isOpen {
        for name in schema.required where object.fields[name] == nil {
          report(.missingKey, LocalizedText("'\(name)' is missing", de: "'\(name)' fehlt"))
        }
      }
      for (name, field) in object.fields.sorted(by: { $0.key < $1.key }) {
        if let property = schema.property(name) { descend(.key(name), .type(field), property, depth: depth) }
      }
    default: break
    }
    for part in schema.allOf { validate(.type(type), against: part, depth: depth + 1) }
    if let parts = schema.anyOf ?? schema.oneOf {
      checkAlternatives(.type(type), parts, exactlyOne: false, depth: depth)
    }
  }
}

extension Array {
  /// The elements where all are there.
  fileprivate func unwrapped<Wrapped>() -> [Wrapped]? where Element == Wrapped? {
    let present = compactMap { $0 }
    return present.count == count ? present : nil
  }
}

extension Array where Element == String? {
  fileprivate var allPresent: [String]? { isEmpty ? nil : unwrapped() }
}

extension Value {
  /// Whether part of the value is known by its type only.
  fileprivate var holdsUnknown: Bool {
    switch self {
    case .type: true
    case .list(let elements): elements.contains { $0.holdsUnknown }
    case .map(let map): map.entries.contains { $0.value.holdsUnknown }
    default: false
    }
  }
}

extension Value {
  /// The value with one form for equal numbers: JSON Schema takes `1` and `1.0` for the same.
  fileprivate var comparable: Value {
    switch self {
    case .double(let number): Int64(exactly: number).map { .int($0) } ?? self
    case .uint(let number): Int64(exactly: number).map { .int($0) } ?? self
    case .list(let elements): .list(elements.map(\.comparable))
    case .map(let map): .map(ValueMap(map.entries.map { (key: $0.key, value: $0.value.comparable) }))
    default: self
    }
  }
}
