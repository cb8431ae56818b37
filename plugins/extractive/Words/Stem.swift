/// Brings the forms of a word together so that sentences about the same thing share terms.
///
/// Deliberately light: Harman's S-stemmer (1991) for English, removal of the case and plural endings for German (after
/// Savoy 2006). Wrong joins hurt a ranking more than missed ones.
enum Stem {
  /// The stem of a lower-case word.
  static func of(_ word: String, language: TextLanguage?) -> String {
    switch language {
    case .english: english(word)
    case .german: german(word)
    case .japanese, .chinese, nil: word
    }
  }

  private static func english(_ word: String) -> String {
    guard word.count > 3 else { return word }
    if word.hasSuffix("'s") || word.hasSuffix("’s") { return String(word.dropLast(2)) }
    if word.hasSuffix("ies"), !word.hasSuffix("eies"), !word.hasSuffix("aies") { return word.dropLast(3) + "y" }
    if word.hasSuffix("es"), !word.hasSuffix("aes"), !word.hasSuffix("ees"), !word.hasSuffix("oes") {
      return String(word.dropLast(1))
    }
    if word.hasSuffix("s"), !word.hasSuffix("us"), !word.hasSuffix("ss") { return String(word.dropLast(1)) }
    return word
  }

  private static func german(_ word: String) -> String {
    let length = word.count
    for ending in ["ern", "em", "en", "er", "es", "e", "n", "s"]
    where word.hasSuffix(ending) && length - ending.count >= 4 {
      return String(word.dropLast(ending.count))
    }
    return word
  }
}
