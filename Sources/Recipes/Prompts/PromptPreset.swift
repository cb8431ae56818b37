/// A prompt of the catalog.
struct PromptPreset {
  /// Its name: `mail/summary`.
  var name: String
  var summary: String?
  /// What kind of work it asks for; one of ``StepTask/names``.
  var task: String?
  /// The keywords it has, those of its folders first; later ones override earlier ones.
  var keywords: [KeywordSource]
  /// What the model is told about its role.
  var system: PlacedText?
  /// What the model is to do.
  var prompt: PlacedText
}
