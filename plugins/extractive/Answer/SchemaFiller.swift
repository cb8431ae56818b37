import PluginKit

/// Fills the properties that a JSON Schema asks for from a text.
///
/// A property is understood by its name (``PropertyMeaning``) and its type. An unknown property gets the schema's `const` or
/// `default`, else null where the schema allows it, else, if it is required, the empty value of its type; an optional property
/// that is not understood is left out. Nothing is invented.
struct SchemaFiller {
  /// Objects inside objects are filled down to here; deeper ones stay empty.
  static let maximumDepth = 8
  /// More properties than this are not looked at.
  static let maximumProperties = 200
  /// How many elements a list has where the schema names no bound.
  static let usualCount = 8
  /// The longest title, in characters.
  static let titleLength = 80

  /// The text, taken apart.
  let document: Document
  /// The text as it came.
  let text: String
  /// How long a summary may be.
  let summaryLength: Summary.Length

  /// The properties of an object schema.
  func object(_ schema: JSONValue, depth: Int = 0) -> JSONObject {
    guard depth < Self.maximumDepth else { return [:] }
    let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
    var result: JSONObject = [:]
    var properties: JSONObject = [:]
    if case .object(let members) = schema["properties"] { properties = members }
    for name in properties.keys.sorted().prefix(Self.maximumProperties) {
      let property = ExpectedValue(properties[name] ?? .null)
      result[name] = value(named: name, property, isRequired: required.contains(name), depth: depth)
    }
    for name in required.sorted().prefix(Self.maximumProperties) where properties[name] == nil {
      result[name] = value(named: name, ExpectedValue(.object([:])), isRequired: true, depth: depth)
    }
    return result
  }

  private func value(named name: String, _ expected: ExpectedValue, isRequired: Bool, depth: Int) -> JSONValue? {
    if let constant = expected.constant { return constant }
    if let meaning = PropertyMeaning(name: name), let value = value(meaning, expected) { return value }
    if let value = expected.fallback { return value }
    if let choices = expected.choices {
      guard isRequired || !expected.isNullable else { return .null }
      let labels = choices.compactMap(\.string)
      return labels.isEmpty
        ? choices.first : LabelChoice.best(of: labels, for: document, text: text).map(JSONValue.string)
    }
    if expected.isNullable { return .null }
    if expected.type == .object, isRequired || expected.hasProperties {
      return .object(object(expected.schema, depth: depth + 1))
    }
    guard isRequired else { return nil }
    return expected.emptyValue
  }

  /// The value for a property whose meaning is known; nil where the meaning says nothing for this type.
  private func value(_ meaning: PropertyMeaning, _ expected: ExpectedValue) -> JSONValue? {
    if let choices = expected.choices { return choice(meaning, choices.compactMap(\.string)) }
    switch expected.type {
    case .string, nil: return string(meaning).map { .string(expected.fitted($0)) }
    case .array: return list(meaning, expected).map { .array($0.map(JSONValue.string)) }
    case .boolean: return boolean(meaning).map(JSONValue.bool)
    case .integer, .number: return count(meaning).map { .integer(Int64(clamping: $0)) }
    case .object: return nil
    }
  }

  private func choice(_ meaning: PropertyMeaning, _ labels: [String]) -> JSONValue? {
    guard !labels.isEmpty else { return nil }
    switch meaning {
    case .language:
      let names = document.language.map { Self.languageNames[$0] ?? [] } ?? []
      let known = labels.first { label in
        let code = label.lowercased().split { !$0.isLetter }.first.map(String.init) ?? ""
        return names.contains(code)
      }
      return (known ?? LabelChoice.best(of: labels, for: document, text: "")).map(JSONValue.string)
    case .needsReply:
      let wanted: Set<String> = document.needsReply ? ["yes", "ja", "true"] : ["no", "nein", "false"]
      return (labels.first { wanted.contains($0.lowercased()) } ?? labels.first).map(JSONValue.string)
    default:
      return LabelChoice.best(of: labels, for: document, text: text).map(JSONValue.string)
    }
  }

  private static let languageNames: [TextLanguage: Set<String>] = [
    .german: ["de", "deu", "ger", "german", "deutsch"], .english: ["en", "eng", "english", "englisch"],
    .japanese: ["ja", "jpn", "japanese", "japanisch"], .chinese: ["zh", "zho", "chinese", "chinesisch"],
  ]

  private static let usualCategories = [
    "invoice", "newsletter", "meeting", "security", "shipping", "travel", "support", "personal", "work", "other",
  ]

  private func string(_ meaning: PropertyMeaning) -> String? {
    switch meaning {
    case .summary: Summary(of: document, length: summaryLength).text
    case .title: title
    case .keyPhrases: KeyPhrases.extract(from: document, limit: 1).first ?? ""
    case .needsReply, .requests: document.sentences.first(where: \.isRequest)?.text ?? ""
    case .category: LabelChoice.best(of: Self.usualCategories, for: document, text: text)
    case .urgency: LabelChoice.best(of: ["urgent", "normal"], for: document, text: text)
    case .language: document.language?.rawValue ?? "und"
    case .wordCount, .sentenceCount: nil
    }
  }

  private func list(_ meaning: PropertyMeaning, _ expected: ExpectedValue) -> [String]? {
    let limit = expected.maximumCount.map { min($0, 100) } ?? Self.usualCount
    guard expected.elementsAreStrings else { return nil }
    switch meaning {
    case .keyPhrases, .category: return KeyPhrases.extract(from: document, limit: limit)
    case .summary: return Summary(of: document, length: .init(sentences: min(limit, 5), characters: 2000)).sentences
    case .requests, .needsReply: return document.sentences.filter(\.isRequest).prefix(limit).map(\.text)
    case .language: return document.language.map { [$0.rawValue] } ?? []
    default: return nil
    }
  }

  private func boolean(_ meaning: PropertyMeaning) -> Bool? {
    switch meaning {
    case .needsReply, .requests: document.needsReply
    case .urgency: LabelChoice.best(of: ["urgent", "normal"], for: document, text: text) == "urgent"
    default: nil
    }
  }

  private func count(_ meaning: PropertyMeaning) -> Int? {
    switch meaning {
    case .wordCount: document.wordCount
    case .sentenceCount: document.sentences.count
    default: nil
    }
  }

  /// The first sentence that says something, short.
  private var title: String {
    let sentence =
      document.sentences.first { !$0.signs.contains(.courtesy) && !$0.terms.isEmpty } ?? document.sentences.first
    var title = (sentence?.text ?? "").shortened(to: Self.titleLength)
    if title.hasSuffix(".") { title.removeLast() }
    return title
  }
}
