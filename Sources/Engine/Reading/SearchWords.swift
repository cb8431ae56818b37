/// What a person looks for: words, and phrases between quotes; all of them must occur.
///
/// Upper and lower case and accents make no difference, and a word stands for all that begin with it: `rechn` finds
/// `Rechnung`.
public struct SearchWords: Sendable, Hashable {
  /// The most words and phrases of one search.
  static let limit = 32

  /// The words and phrases.
  public let words: [String]

  /// Reads what a person typed.
  ///
  /// - Parameter text: Words between spaces; `"several words"` between quotes stand together in this order.
  /// - Returns: `nil` where there is no letter and no digit in it.
  public init?(_ text: String) {
    var found: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      // Every second part stands between quotes.
      let pieces = index % 2 == 1 ? [part] : part.split(whereSeparator: \.isWhitespace)
      found += pieces.filter { $0.contains { $0.isLetter || $0.isNumber } }.map(String.init)
    }
    guard !found.isEmpty else { return nil }
    words = Array(found.prefix(SearchWords.limit))
  }
}
