import Expressions
import Localization
import Plans
package import RecipeSyntax

/// What is taken out of texts before they leave the machine: `neutralise` in `sous.yaml`, for all or for one provider.
public struct ConfiguredNeutralisation: Sendable, Hashable {
  /// The kinds that are replaced, by name; `nil` and an empty list for all.
  public var kinds: [String]?
  /// Regular expressions (RE2) whose matches are replaced.
  public var patterns: [String] = []
  /// Words and phrases that are replaced.
  public var words: [String] = []
  /// What stays although it is found.
  public var keep: [String] = []

  /// Creates what replaces all kinds.
  public init() {}

  /// What holds for a provider: its own kinds instead of the general ones, all else beside it.
  public func adding(_ other: ConfiguredNeutralisation) -> ConfiguredNeutralisation {
    var sum = self
    if let own = other.kinds, !own.isEmpty { sum.kinds = own }
    sum.patterns += other.patterns
    sum.words += other.words
    sum.keep += other.keep
    return sum
  }

  /// The names of the kinds; those of the module that replaces them, which a test compares.
  package static let kindNames = [
    "person", "organisation", "email", "address", "phone", "iban", "card", "ahv", "tax", "social_insurance",
    "id_number", "birthdate", "url", "ip", "unknown_name", "own",
  ]

  /// The word that a provider has where it needs nothing else.
  package static let required = "required"
  /// The longest pattern, word or phrase, in bytes.
  package static let longest = 4_000

  private static func expected(_ field: String) -> LocalizedText {
    LocalizedText(
      "'\(field)' is 'required', or a map with kinds, patterns, words, keep",
      de: "'\(field)' ist 'required' oder eine Map mit kinds, patterns, words, keep")
  }

  /// Reads the map under `neutralise`, or the word `required` of a provider.
  package static func read(
    _ node: Node, _ field: String, allowsWord: Bool, _ reader: FieldReader
  ) -> ConfiguredNeutralisation? {
    if allowsWord, case .string(let word) = node.value {
      if word == required { return ConfiguredNeutralisation() }
      reader.report(
        .invalidValue,
        Self.expected(field), at: node.range, suggestion: reader.suggestion(for: word, among: [required]))
      // What was meant to be neutralised never goes out in clear.
      return ConfiguredNeutralisation()
    }
    if allowsWord, node.mapping == nil {
      reader.report(.invalidValue, Self.expected(field), at: node.range)
      return ConfiguredNeutralisation()
    }
    guard let map = reader.map(node, field, RecipeDefinitions.neutralise) else { return ConfiguredNeutralisation() }
    var settings = ConfiguredNeutralisation()
    func texts(_ key: String) -> [Located<String>]? {
      map[key].flatMap { reader.strings($0, "\(field).\(key)") }
    }
    settings.kinds = texts("kinds")?.map { kind in
      if !kindNames.contains(kind.value) {
        reader.report(
          .invalidValue,
          LocalizedText("unknown kind '\(kind.value)'", de: "unbekannte Art '\(kind.value)'"), at: kind.range,
          suggestion: reader.suggestion(for: kind.value, among: kindNames))
      }
      return kind.value
    }
    settings.patterns =
      texts("patterns")?.map { pattern in
        if let problem = LinearPatterns.problem(of: pattern.value) {
          reader.report(.invalidValue, problem, at: pattern.range)
        }
        return pattern.value
      } ?? []
    settings.words = texts("words")?.map(\.value) ?? []
    settings.keep = texts("keep")?.map(\.value) ?? []
    return settings
  }
}

extension RecipeDefinitions {
  package static let neutralise = MappingDefinition(
    .neutralise, "Personal data that is taken out of texts before they leave the machine.",
    de: "Was aus Texten genommen wird, bevor sie die Maschine verlassen.",
    [
      KeyDefinition(
        "kinds", .any([.word(ConfiguredNeutralisation.kindNames), .list(.word(ConfiguredNeutralisation.kindNames))]),
        "The kinds that are replaced; default: all.", de: "Die Arten, die ersetzt werden; Vorgabe: alle."),
      KeyDefinition(
        "patterns", .texts, "Regular expressions (RE2) whose matches are replaced; of one with a group, the group's.",
        de: "Reguläre Ausdrücke (RE2), deren Treffer ersetzt werden; bei einem mit Gruppe deren Treffer."),
      KeyDefinition(
        "words", .texts, "Words and phrases that are replaced, whatever their case.",
        de: "Wörter und Wendungen, die ersetzt werden, groß oder klein geschrieben."),
      KeyDefinition(
        "keep", .texts, "What stays although it is found: the name of one's own company.",
        de: "Was bleibt, obwohl es gefunden wird: der Name der eigenen Firma."),
    ])
}
