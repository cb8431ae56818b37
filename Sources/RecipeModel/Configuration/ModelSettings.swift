public import Expressions
import Localization
public import Plans
package import RecipeSyntax

/// What `sous.yaml` says of a provider of models beside the settings of its plugin.
public struct ModelSettings: Sendable, Hashable {
  /// What a model may be able to do beside answering texts.
  public enum Capability: String, Sendable, CaseIterable {
    /// It takes pictures.
    case images
    /// It asks for tools.
    case tools
    /// It answers in the form of a schema.
    case schema
  }

  /// What `chat.complete` takes where a call does not say, by the names of its input: `temperature`, `top_p`,
  /// `max_tokens`, `system`.
  public var defaults = ValueMap()
  /// Whether its work is done on this machine or in the private network; `nil` where its address tells.
  public var isLocal: Bool?
  /// Tokens that a prompt and its answer may have together; `nil` where that is not known.
  public var context: Int?
  /// What its models can do; `nil` where that is not known.
  public var capabilities: Set<Capability>?
  /// What its calls may use.
  public var budget: Budget?

  /// Creates settings that say nothing.
  public init() {}

  package static func read(_ map: Node.Mapping, _ field: String, _ reader: FieldReader) -> ModelSettings {
    var settings = ModelSettings()
    if let number = map["temperature"].flatMap({ reader.number($0, "\(field).temperature", in: 0...2) }) {
      settings.defaults["temperature"] = .double(number)
    }
    if let number = map["top_p"].flatMap({ reader.number($0, "\(field).top_p", in: 0...1) }) {
      settings.defaults["top_p"] = .double(number)
    }
    if let number = map["max_tokens"].flatMap({ reader.integer($0, "\(field).max_tokens", in: bounds) }) {
      settings.defaults["max_tokens"] = .int(Int64(number))
    }
    if let text = map["system"].flatMap({ reader.string($0, "\(field).system") }), !text.isEmpty {
      settings.defaults["system"] = .string(text)
    }
    settings.isLocal = map["local"].flatMap { reader.bool($0, "\(field).local") }
    settings.context = map["context"].flatMap { reader.integer($0, "\(field).context", in: bounds) }
    settings.capabilities = map["capabilities"].flatMap { node in
      reader.list(node, "\(field).capabilities").map { elements in
        Set(elements.compactMap { reader.choice($0, "\(field).capabilities", of: Capability.self) })
      }
    }
    if let node = map["budget"] {
      settings.budget = Budget.read(node, "\(field).budget", isOfRecipe: false, reader)
      if let run = node.mapping?.entry("run") {
        reader.report(
          .invalidValue,
          LocalizedText(
            "the budget of a provider is one of a day or a month; that of a run stands in the recipe or under 'engine'",
            de: "das Budget eines Providers gilt für einen Tag oder Monat; das eines Laufs steht im Rezept oder unter "
              + "'engine'"),
          at: run.nameRange)
      }
    }
    return settings
  }

  package static let bounds = 1...100_000_000

  /// The keys of a provider that are read here.
  package static let keys = [
    KeyDefinition(
      "temperature", .number(0...2), "How free answers are where a call does not say, 0 to 2.",
      de: "Wie frei Antworten sind, wo ein Aufruf es nicht sagt, 0 bis 2."),
    KeyDefinition(
      "top_p", .number(0...1), "From how much of the probability words are taken where a call does not say.",
      de: "Aus wie viel der Wahrscheinlichkeit Wörter genommen werden, wo ein Aufruf es nicht sagt."),
    KeyDefinition(
      "max_tokens", .integer(bounds), "Tokens of an answer at most where a call does not say.",
      de: "Tokens einer Antwort höchstens, wo ein Aufruf es nicht sagt."),
    KeyDefinition(
      "system", .text, "Standing instructions where a call gives none.",
      de: "Anweisungen für das ganze Gespräch, wo ein Aufruf keine gibt."),
    KeyDefinition(
      "local", .boolean, "Whether its work is done on this machine or in the private network; default: by its address.",
      de: "Ob seine Arbeit auf dieser Maschine oder im privaten Netz geschieht; Vorgabe: was seine Adresse sagt."),
    KeyDefinition(
      "context", .integer(bounds), "Tokens that a prompt and its answer may have together.",
      de: "Tokens, die ein Prompt und seine Antwort zusammen haben dürfen."),
    KeyDefinition(
      "capabilities", .list(.words(of: Capability.self)), "Abilities of its models beside answering texts.",
      de: "Was seine Modelle können, außer Texte zu beantworten."),
    KeyDefinition(
      "budget", .mapping(.budget), "The limit for its calls: `cost` and `tokens` of a day, or of a `month`.",
      de: "Was seine Aufrufe brauchen dürfen: `cost` und `tokens` eines Tages, oder eines Monats (`month`)."),
  ]
}
