/// The meaning of a property of an answer, by its name.
enum PropertyMeaning: Sendable, Equatable {
  /// A short version of the text.
  case summary
  /// A title for it.
  case title
  /// The phrases it is about.
  case keyPhrases
  /// Whether it wants an answer; as text, the sentence that asks.
  case needsReply
  /// The sentences that ask for something.
  case requests
  /// Which of some labels suits it.
  case category
  /// Whether, or how much, it presses.
  case urgency
  /// The language it is written in.
  case language
  /// How many words it has.
  case wordCount
  /// How many sentences it has.
  case sentenceCount

  private static let names: [(PropertyMeaning, Set<String>)] = [
    (
      .summary,
      [
        "summary", "zusammenfassung", "text", "abstract", "tldr", "tl_dr", "kurzfassung", "gist", "overview",
        "überblick",
        "kernaussage", "key_points", "points", "bullets", "bullet_points", "highlights", "kernpunkte", "stichpunkte",
        "content", "inhalt", "description", "beschreibung", "short_summary", "summaries",
      ]
    ),
    (.title, ["title", "titel", "subject", "betreff", "headline", "überschrift", "heading", "name"]),
    (
      .keyPhrases,
      [
        "key_phrases", "keyphrases", "keywords", "key_words", "topics", "tags", "topic", "schlagworte", "schlagwörter",
        "stichworte", "stichwörter", "themen", "thema", "phrases", "labels", "schlüsselwörter",
      ]
    ),
    (
      .needsReply,
      [
        "needs_reply", "reply_needed", "requires_reply", "needs_answer", "needs_response", "requires_response",
        "response_needed", "question", "is_question", "has_question", "frage", "action_required", "needs_action",
        "antwort_nötig", "antwort_noetig", "braucht_antwort", "rückmeldung_nötig", "antwort_erforderlich",
      ]
    ),
    (
      .requests,
      ["questions", "fragen", "action_items", "actions", "todos", "to_dos", "tasks", "aufgaben", "requests", "bitten"]
    ),
    (
      .category,
      ["category", "kategorie", "class", "klasse", "kind", "art", "label", "type", "typ", "folder", "ordner"]
    ),
    (.urgency, ["urgent", "urgency", "is_urgent", "priority", "priorität", "dringend", "dringlichkeit", "importance"]),
    (.language, ["language", "sprache", "lang", "locale", "language_code"]),
    (.wordCount, ["word_count", "words", "wortzahl", "wörter", "anzahl_wörter", "number_of_words"]),
    (.sentenceCount, ["sentence_count", "satzzahl", "anzahl_sätze", "number_of_sentences"]),
  ]

  /// The meaning of a name in any spelling (`keyPhrases`, `key-phrases`, `Key phrases`), or nil if none is known.
  init?(name: String) {
    let normal = Self.normalized(name)
    guard let match = Self.names.first(where: { $0.1.contains(normal) }) else { return nil }
    self = match.0
  }

  /// The name in snake_case.
  static func normalized(_ name: String) -> String {
    var result = ""
    var previousIsLower = false
    for character in name {
      if character.isUppercase, previousIsLower { result += "_" }
      previousIsLower = character.isLowercase || character.isNumber
      result += character.isLetter || character.isNumber ? character.lowercased() : "_"
    }
    return result
  }
}
