/// The languages that the rules of this plugin know something about.
///
/// Only German and English have stop words, abbreviations and signals of their own; Japanese and Chinese are distinguished so
/// that `language` can be answered and sentences end at their own full stop.
enum TextLanguage: String, Sendable, CaseIterable {
  /// Standard German, Austrian and Swiss spelling alike.
  case german = "de"
  /// Any English.
  case english = "en"
  /// Recognised by its kana.
  case japanese = "ja"
  /// Recognised by ideographs without kana.
  case chinese = "zh"

  /// How many words are looked at to decide; enough for certainty, and a bound for long texts.
  static let wordsConsidered = 600

  /// Finds the language of a text by its function words.
  ///
  /// German or English is named where at least two of its function words occur that the other does not have, they make
  /// up at least one word in twelve, and the other language has fewer. German letters count as evidence, too.
  /// - Parameter tokens: The tokens of the text, in order.
  /// - Returns: The language, or nil where nothing speaks clearly for one.
  static func detect(_ tokens: [Token]) -> TextLanguage? {
    var german = 0
    var english = 0
    var words = 0
    var kana = 0
    var ideographs = 0
    for token in tokens where token.kind == .word {
      if token.isIdeographic {
        ideographs += 1
        continue
      }
      if token.isKana {
        kana += 1
        continue
      }
      words += 1
      if words > wordsConsidered { break }
      let inGerman = StopWords.german.contains(token.lowercased)
      let inEnglish = StopWords.english.contains(token.lowercased)
      if inGerman, !inEnglish { german += 1 }
      if inEnglish, !inGerman { english += 1 }
      if token.lowercased.unicodeScalars.contains(where: { "äöüß".unicodeScalars.contains($0) }) { german += 1 }
    }
    if kana + ideographs > words { return kana > 0 ? .japanese : .chinese }
    let best = max(german, english)
    guard best >= 2 || (best == 1 && words <= 6), best * 12 >= words, german != english else { return nil }
    return german > english ? .german : .english
  }
}
