/// One word, number, link or punctuation mark of a text.
struct Token: Sendable, Equatable {
  /// The kind of a token.
  enum Kind: Sendable, Equatable {
    /// Letters, with apostrophes and hyphens inside.
    case word
    /// Digits, with separators inside.
    case number
    /// A URL or an e-mail address; never part of a phrase or a comparison.
    case link
    /// Anything that is neither space nor part of the others; ends a phrase.
    case mark
  }

  /// The kind.
  let kind: Kind
  /// As it is in the text.
  let text: String
  /// For comparing.
  let lowercased: String
  /// Made of Han ideographs only.
  let isIdeographic: Bool
  /// Made of hiragana or katakana only.
  let isKana: Bool

  init(kind: Kind, text: String, isIdeographic: Bool = false, isKana: Bool = false) {
    self.kind = kind
    self.text = text
    self.lowercased = text.lowercased()
    self.isIdeographic = isIdeographic
    self.isKana = isKana
  }
}
