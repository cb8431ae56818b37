/// A text taken apart once: its language, sentences and words, for every algorithm of this plugin.
///
/// Bounds: at most ``maximumScalars`` characters are read; the work is linear in them.
struct Document: Sendable {
  /// Longer texts are cut here (Unicode scalars); no mail body that a person reads comes near.
  static let maximumScalars = 1_000_000

  /// The language, where the function words show one.
  let language: TextLanguage?
  /// The sentences in order.
  let sentences: [Sentence]
  /// The tokens of the sender's own text, a mark between sentences.
  let tokens: [Token]
  /// How many words and numbers the text has, greeting and quotes left out.
  let wordCount: Int

  /// Reads a text, mail or not.
  init(_ text: String) {
    let bounded = String(text.unicodeScalars.prefix(Self.maximumScalars))
    let body = MailBody(bounded)
    let language = Self.language(of: body)
    let stopWords = StopWords.of(language)
    var sentences: [Sentence] = []
    var tokens: [Token] = []
    for paragraph in body.paragraphs {
      for sentence in SentenceSplitter.sentences(in: paragraph.text, language: language) {
        let words = Tokenizer.tokens(in: sentence)
        sentences.append(
          Sentence(
            text: sentence, position: sentences.count,
            terms: Self.terms(words, stopWords: stopWords, language: language),
            wordCount: words.count { $0.kind == .word || $0.kind == .number }, isItem: paragraph.isItem,
            signs: SentenceSigns(sentence, tokens: words)))
        tokens += words
        tokens.append(Token(kind: .mark, text: "\u{2029}"))
      }
    }
    self.language = language
    self.sentences = sentences
    self.tokens = tokens
    wordCount = tokens.count { $0.kind == .word || $0.kind == .number }
  }

  private static func language(of body: MailBody) -> TextLanguage? {
    var tokens: [Token] = []
    for paragraph in body.paragraphs {
      tokens += Tokenizer.tokens(in: String(paragraph.text.prefix(8000)))
      if tokens.count > TextLanguage.wordsConsidered { break }
    }
    return TextLanguage.detect(tokens)
  }

  /// A sentence has no more terms than this; a longer one is a table or a list of names.
  static let maximumTerms = 100

  private static func terms(_ tokens: [Token], stopWords: Set<String>, language: TextLanguage?) -> [String] {
    var seen: Set<String> = []
    var terms: [String] = []
    func add(_ term: String) {
      guard terms.count < maximumTerms else { return }
      if seen.insert(term).inserted { terms.append(term) }
    }
    for token in tokens {
      if token.isIdeographic {
        // Without spaces between words, pairs of neighbours represent them.
        let scalars = Array(token.text.unicodeScalars)
        if scalars.count <= 2 { add(token.text) }
        for index in scalars.indices.dropLast() where scalars.count > 2 {
          add(String(scalars[index]) + String(scalars[index + 1]))
        }
        continue
      }
      switch token.kind {
      case .word where token.text.unicodeScalars.count > 1 && !stopWords.contains(token.lowercased):
        add(Stem.of(token.lowercased, language: language))
      case .number:
        add(token.text)
      default:
        break
      }
    }
    return terms
  }
}

extension Document {
  /// Whether the text as a whole asks for an answer. Quotes, greeting and signature do not count.
  var needsReply: Bool {
    !sentences.contains { $0.signs.contains(.refusal) } && sentences.contains(where: \.isRequest)
  }
}
