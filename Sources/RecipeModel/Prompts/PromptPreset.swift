package import RecipeSyntax

/// A prompt of the catalog, of one preset or of a composition.
package struct PromptPreset {
  /// Its name: `mail/summary`.
  package var name: String
  package var summary: String?
  /// What kind of work it asks for; one of ``StepTask/names``.
  package var task: String?
  /// The keywords that expressions can use, those of its folders first; later ones override earlier ones.
  package var keywords: [KeywordSource]
  /// All keywords in the same order, also those that no expression can use.
  var pairs: [CatalogKeyword]
  /// What the model is told about its role.
  package var system: PlacedText?
  /// What the model is to do.
  package var prompt: PlacedText
  /// The files that it was made from.
  package var documents: [YAMLDocument]
}
