public import Engine
public import Expressions
public import Localization
public import Neutralisation
import Plans
public import RecipeModel

extension BuiltinAction {
  private static let formats: Value = .list(TextFormat.allCases.map { .string($0.rawValue) })
  private static let texts: Value = ["type": "array", "items": ["type": "string", "minLength": 1], "maxItems": 1000]

  /// `text.neutralise`: puts placeholders in the place of personal data.
  static let textNeutralise = BuiltinAction(
    "text.neutralise",
    .init("Replaces personal data by placeholders", de: "Ersetzt Personendaten durch Platzhalter"), effect: .pure,
    required: ["text"],
    input: [
      "text": ["type": "string", "description": "The text."],
      "format": ["type": "string", "enum": formats, "default": "auto", "description": "How it is written."],
      "kinds": [
        "type": "array",
        "items": ["type": "string", "enum": .list(PersonalDataKind.choices.map { .string($0.rawValue) })],
        "description": "The kinds to replace, instead of those of sous.yaml.",
      ],
      "patterns": .map(texts, "Regular expressions (RE2) beside those of sous.yaml."),
      "words": .map(texts, "Words and phrases beside those of sous.yaml."),
      "keep": .map(texts, "Texts that are kept although they are found."),
      "mapping": [
        "type": "string", "description": "The mapping of an earlier call: equal values get equal placeholders.",
      ],
    ],
    output: [
      "text": ["type": "string", "description": "The text with placeholders such as [PERSON_1]."],
      "statistics": [
        "type": "object", "additionalProperties": ["type": "integer"],
        "description": "How many places of each kind were replaced.",
      ],
      "mapping": ["type": "string", "description": "The originals, sealed: for text.resolve."],
    ]
  ) { call in
    let options = Neutraliser.Options(call.neutralisation)
    let neutraliser = try Neutraliser(options)
    if options.lacksDictionaries, call.request.attempt == 1, (call.request.item ?? 0) == 0 {
      call.reporter.log(.warning, "rare names may stay: \(Neutraliser.Options.missingDictionaries.english)")
    }
    var mapping = PlaceholderMapping()
    if let sealed = call.input["mapping"]?.stringValue { mapping = try .init(bytes: try opened(sealed, call)) }
    let neutral = try neutraliser.neutralise(
      call.text("text"), format: TextFormat(rawValue: call.text("format")) ?? .auto, into: &mapping)
    return [
      "text": .string(neutral.text), "statistics": .map(.init(statistics: neutral.statistics)),
      "mapping": .string(try sealed(mapping, call)),
    ]
  }

  /// `text.resolve`: puts originals back into what a model has written.
  static let textResolve = BuiltinAction(
    "text.resolve",
    .init("Puts originals back in the place of placeholders", de: "Setzt für Platzhalter die Originale ein"),
    effect: .pure, required: ["text", "mapping"],
    input: [
      "text": ["type": "string", "description": "A text with placeholders."],
      "mapping": ["type": "string", "description": "The mapping of text.neutralise."],
      "format": [
        "type": "string", "enum": formats, "default": "text",
        "description": "html: originals are written as text of HTML.",
      ],
    ],
    output: [
      "text": ["type": "string", "description": "The text with its originals."],
      "count": ["type": "integer", "description": "How many placeholders were replaced."],
      "unknown": [
        "type": "array", "items": ["type": "string"], "description": "Placeholders that no original is known for.",
      ],
    ]
  ) { call in
    let mapping = try PlaceholderMapping(bytes: try opened(call.text("mapping"), call))
    let resolved = mapping.resolve(call.text("text"), escaping: call.text("format") == "html" ? .html : .none)
    return [
      "text": .string(resolved.text), "count": .int(Int64(resolved.count)),
      "unknown": .list(resolved.unknown.map { .string($0) }),
    ]
  }

  private static func opened(_ sealed: String, _ call: BuiltinCall) throws(ActionFailure) -> [UInt8] {
    do {
      return try call.surroundings.seal.open(sealed)
    } catch {
      throw ActionFailure(
        .invalidInput,
        error.message + LocalizedText(verbatim: error.advice == nil ? "" : "; ")
          + (error.advice ?? LocalizedText(verbatim: "")))
    }
  }

  private static func sealed(_ mapping: PlaceholderMapping, _ call: BuiltinCall) throws(ActionFailure) -> String {
    do {
      return try call.surroundings.seal.seal(mapping.bytes)
    } catch {
      throw ActionFailure(.invalidInput, error.message)
    }
  }
}

extension BuiltinCall {
  /// The kinds to replace: those of the configuration and of the step.
  fileprivate var neutralisation: ConfiguredNeutralisation {
    func texts(_ key: String) -> [String]? { input[key]?.listValue?.compactMap(\.stringValue) }
    var own = ConfiguredNeutralisation()
    own.kinds = texts("kinds")
    own.patterns = texts("patterns") ?? []
    own.words = texts("words") ?? []
    own.keep = texts("keep") ?? []
    return surroundings.neutralisation.adding(own)
  }
}

extension Value {
  fileprivate static func map(_ schema: Value, _ description: String) -> Value {
    guard case .map(var map) = schema else { return schema }
    map["description"] = .string(description)
    return .map(map)
  }
}

extension ValueMap {
  /// The numbers of each kind, by its name.
  public init(statistics: [PersonalDataKind: Int]) {
    self.init()
    for kind in PersonalDataKind.allCases {
      if let count = statistics[kind] { self[kind.rawValue] = .int(Int64(count)) }
    }
  }
}

extension Neutraliser.Options {
  /// Whether rare names are kept, because no dictionary distinguishes them from words.
  public var lacksDictionaries: Bool { kinds.contains(.unknownName) && vocabulary == nil }

  /// The package to install if ``lacksDictionaries``.
  public static let missingDictionaries = LocalizedText(
    "install libhunspell-1.7-0, hunspell-de-de and hunspell-en-us, which tell names from words",
    de: "libhunspell-1.7-0, hunspell-de-de und hunspell-en-us installieren, die Namen von Wörtern unterscheiden")

  /// The options of a configuration.
  public init(_ settings: ConfiguredNeutralisation) {
    self.init()
    // An empty list would let everything through.
    if let kinds = settings.kinds, !kinds.isEmpty { self.kinds = Set(kinds.compactMap(PersonalDataKind.init)) }
    patterns = settings.patterns
    words = settings.words
    keep = settings.keep
    // Who names words means them, also where 'kinds' leaves 'own' out.
    if !patterns.isEmpty || !words.isEmpty { kinds.insert(.own) }
    if kinds.contains(.unknownName), SystemDictionaries.shared.isComplete { vocabulary = SystemDictionaries.shared }
  }
}

extension ActionFailure {
  /// Why a text cannot be neutralised, or resolved.
  public init(neutralising error: NeutralisationError) {
    self.init(.invalidInput, error.message)
  }
}
