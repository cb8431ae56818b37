/// A prompt of the catalog, of one preset or of a composition.
struct PromptPreset {
  /// Its name: `mail/summary`.
  var name: String
  var summary: String?
  /// What kind of work it asks for; one of ``StepTask/names``.
  var task: String?
  /// The keywords that expressions can use, those of its folders first; later ones override earlier ones.
  var keywords: [KeywordSource]
  /// All keywords in the same order, also those that no expression can use.
  var pairs: [CatalogKeyword]
  /// What the model is told about its role.
  var system: PlacedText?
  /// What the model is to do.
  var prompt: PlacedText
  /// The files that it was made from.
  var documents: [YAMLDocument]
}
