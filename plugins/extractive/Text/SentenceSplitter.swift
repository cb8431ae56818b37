/// Finds where sentences end inside a paragraph.
///
/// Works on one paragraph without line breaks, in one pass. A full stop ends a sentence unless it belongs to an
/// abbreviation (German and English lists), an initial, a German ordinal ("am 3. Mai"), a number, a URL or an ellipsis
/// that goes on in lower case.
struct SentenceSplitter {
  private let scalars: [Unicode.Scalar]
  private let language: TextLanguage?
  private let stopWords: Set<String>

  private init(_ paragraph: String, language: TextLanguage?) {
    scalars = Array(paragraph.unicodeScalars)
    self.language = language
    stopWords = StopWords.of(language)
  }

  /// The sentences of a paragraph, trimmed, none of them empty.
  /// - Parameters:
  ///   - paragraph: Text without line breaks.
  ///   - language: Decides about ordinals; nil means that any rule may apply.
  static func sentences(in paragraph: String, language: TextLanguage?) -> [String] {
    SentenceSplitter(paragraph, language: language).split()
  }

  private func split() -> [String] {
    var sentences: [String] = []
    var start = 0
    var index = 0
    while index < scalars.count {
      guard let end = boundary(at: index, sentenceStart: start) else {
        index += 1
        continue
      }
      append(start..<end, to: &sentences)
      start = end
      index = end
    }
    append(start..<scalars.count, to: &sentences)
    return sentences
  }

  private func append(_ range: Range<Int>, to sentences: inout [String]) {
    var range = range
    while let first = range.first, scalars[first].isSpace { range = (first + 1)..<range.upperBound }
    while let last = range.last, scalars[last].isSpace { range = range.lowerBound..<last }
    guard !range.isEmpty else { return }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    sentences.append(String(view))
  }

  /// The index after the sentence that the mark at `index` ends, or nil where it ends none.
  private func boundary(at index: Int, sentenceStart: Int) -> Int? {
    switch scalars[index] {
    case "。", "！", "？", "｡":
      return afterClosers(index + 1)
    case "!", "?", ".", "…":
      break
    default:
      return nil
    }
    var end = index + 1
    while end < scalars.count, "!?.…".unicodeScalars.contains(scalars[end]) { end += 1 }
    let isSingleStop = end == index + 1 && scalars[index] == "."
    end = afterClosers(end)
    guard end < scalars.count else { return nil }
    guard scalars[end].isSpace else { return nil }
    guard let next = firstOfNextWord(after: end) else { return nil }
    if next.properties.isLowercase { return nil }
    if isSingleStop, belongsToWord(stop: index, nextWordAt: end, sentenceStart: sentenceStart) { return nil }
    return end
  }

  private func afterClosers(_ index: Int) -> Int {
    var index = index
    while index < scalars.count, "\"'”“’»›«)]}」』".unicodeScalars.contains(scalars[index]) { index += 1 }
    return index
  }

  private func firstOfNextWord(after index: Int) -> Unicode.Scalar? {
    var index = index
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.isSpace || "\"'„“”‘‚»«›‹([{¿¡-–—*•".unicodeScalars.contains(scalar) {
        index += 1
      } else {
        return scalar
      }
    }
    return nil
  }

  /// Whether the full stop at `stop` is part of the word before it rather than the end of a sentence.
  private func belongsToWord(stop: Int, nextWordAt: Int, sentenceStart: Int) -> Bool {
    var start = stop
    while start > sentenceStart, stop - start < 24,
      !scalars[start - 1].isSpace, !"([{\"„“»".unicodeScalars.contains(scalars[start - 1])
    {
      start -= 1
    }
    guard start < stop else { return false }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<stop])
    let word = String(view).lowercased()
    if Abbreviations.inside.contains(word) { return true }
    let nextStartsSentence = stopWords.contains(nextWord(after: nextWordAt))
    if Abbreviations.final.contains(word) { return !nextStartsSentence }
    if word.unicodeScalars.allSatisfy(\.isDigit) {
      if start == sentenceStart { return true }
      return language != .english && word.unicodeScalars.count <= 2 && !nextStartsSentence
    }
    if stop - start == 1, scalars[start].properties.isUppercase { return !nextStartsSentence }
    // Letters with full stops between them: "U.S.A.", "M.Sc.".
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.allSatisfy({ $0.count == 1 }) { return !nextStartsSentence }
    return false
  }

  private func nextWord(after index: Int) -> String {
    var start = index
    while start < scalars.count, !scalars[start].isWordScalar { start += 1 }
    var end = start
    while end < scalars.count, end - start < 24, scalars[end].isWordScalar { end += 1 }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<end])
    return String(view).lowercased()
  }
}
