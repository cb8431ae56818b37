/// The words of German and English, inflected and compound ones too.
public protocol Vocabulary: Sendable {
  /// Whether a word is in a dictionary of a language.
  ///
  /// - Parameters:
  ///   - word: With its capitals: a German noun in lower case is not a word. A word at the beginning of a sentence counts as
  ///     the same in lower case.
  func contains(_ word: String, in language: VocabularyLanguage) -> Bool
}

/// A language of a ``Vocabulary``.
public enum VocabularyLanguage: Sendable, Hashable, CaseIterable {
  case german
  case english
}
