import Neutralisation
import Testing

/// Names that no rule and no list knows, told from words by a vocabulary.
@Suite struct UnknownNameTests {
  /// A few words; the nouns of German and the names of English with a capital.
  private struct Words: Vocabulary {
    static let german: Set<String> = [
      "hast", "du", "gehört", "dass", "kommt", "laut", "ist", "der", "die", "das", "und", "wir", "nicht", "für", "mit",
      "auf",
      "Vertrag", "Kreis", "fertig", "Nr.", "heute", "morgen", "Nord", "Licht", "schreibt", "treffe", "ich", "auch",
      "Unterlagen", "Maurer", "hat", "Beat",
    ]
    static let english: Set<String> = [
      "Nilssono", "the", "and", "to", "is", "for", "you", "on", "with", "have", "heard", "that", "late", "meeting",
      "Singh", "git",
      "hub",
      "Hub", "Git", "report", "says", "hunt", "jack", "booth", "of",
    ]

    func contains(_ word: String, in language: VocabularyLanguage) -> Bool {
      let words = language == .german ? Self.german : Self.english
      return words.contains(word) || words.contains(word.lowercased())
    }
  }

  private func neutral(_ text: String, kinds: Set<PersonalDataKind>? = nil) throws -> String {
    var options = Neutraliser.Options()
    options.vocabulary = Words()
    if let kinds { options.kinds = kinds }
    var mapping = PlaceholderMapping()
    let neutral = try Neutraliser(options).neutralise(text, format: .text, into: &mapping).text
    #expect(mapping.resolve(neutral).text == text)
    return neutral
  }

  @Test(arguments: [
    ("Hast du gehört, dass Xiuyingo kommt?", "Hast du gehört, dass [NAME_1] kommt?"),
    ("Laut Pfaustlero ist der Vertrag fertig.", "Laut [NAME_1] ist der Vertrag fertig."),
    ("The report on Xiuyingo is late.", "The report on [NAME_1] is late."),
    // What only the other language knows: with a capital only, a word that is a name as well, and a word.
    (
      "Hast du gehört, dass Singh und Hunt nicht auf das Meeting kommt?",
      "Hast du gehört, dass [NAME_1] und [NAME_2] nicht auf das Meeting kommt?"
    ),
    // What the English dictionary has with a capital only; what everybody knows stays.
    (
      "You have heard that the report is for Nilssono and you, on Monday with the Swiss.",
      "You have heard that the report is for [NAME_1] and you, on Monday with the Swiss."
    ),
    // What is a word and a name has a capital within a sentence of English where it is a name.
    ("Is Jack on the report? You have the Booth of May.", "Is [NAME_1] on the report? You have the [NAME_2] of May."),
    ("Kommt Beat auch nicht, und ist das heute?", "Kommt [NAME_1] auch nicht, und ist das heute?"),
    // Beside a name that a list knows.
    ("Ist das für Sabine Xiuyingo und die Pfaustlero-Kreis?", "Ist das für [PERSON_1] und die [NAME_1]?"),
    ("Ist das für van der Xiuyingo und die Pfaustlero?", "Ist das für [NAME_1] und die [NAME_2]?"),
    ("Ist das für van der Kreis und die Unterlagen?", "Ist das für [NAME_1] und die Unterlagen?"),
    // What is put together from words, abbreviated, or made of capitals.
    (
      "Der Vertrag Nr. 4 ist für das NordLicht, GitHub, NSXiuLock und die AHV.",
      "Der Vertrag Nr. 4 ist für das NordLicht, GitHub, NSXiuLock und die AHV."
    ),
    // Typed in lower case.
    (
      "hast du gehört, dass xiuyingo kommt und das meeting nicht ist",
      "hast du gehört, dass [NAME_1] kommt und das meeting nicht ist"
    ),
    // Other scripts and languages have no capital that is left out; nor has a long sentence without names.
    ("نحن نلتقي غدا مع الجميع في المكتب", "نحن نلتقي غدا مع الجميع في المكتب"),
    ("我们明天在办公室见面 好吗", "我们明天在办公室见面 好吗"),
    (
      "je voudrais savoir quand ma commande arrive chez nous car nous sommes absents toute la semaine prochaine et personne "
        + "ne peut ouvrir la porte demain matin",
      "je voudrais savoir quand ma commande arrive chez nous car nous sommes absents toute la semaine prochaine et personne "
        + "ne peut ouvrir la porte demain matin"
    ),
    (
      "The report is late and you have heard that the meeting is on kubernetes for you and the report is with you to have the "
        + "report and the hub",
      "The report is late and you have heard that the meeting is on kubernetes for you and the report is with you to have the "
        + "report and the hub"
    ),
    // Between quotes and brackets, as a part of Markdown, beside a slash.
    ("Ist das „der Xiuyingo.“ und (Pfaustlero.)", "Ist das „der [NAME_1].“ und ([NAME_2].)"),
    ("Ist das für _Xiuyingo_ und Quarxo/Pfaustlero", "Ist das für _[NAME_1]_ und [NAME_2]/[NAME_3]"),
    ("Ist das für DeLaXiuyo und Sydney", "Ist das für [NAME_1] und Sydney"),
    // A name that begins a sentence, where a word would have an article.
    ("You have the report. Hunt has the hub.", "You have the report. [PERSON_1] has the hub."),
    // The end of a mail address is no particle of a name.
    ("Ist das für info@example.de Pfaustlero und die", "Ist das für [EMAIL_1] [NAME_1] und die"),
    // Within addresses of the network a word is none.
    (
      "Der Vertrag ist auf /home/Xiuyingo/Pfaustlero und a.Quarxo",
      "Der Vertrag ist auf /home/Xiuyingo/Pfaustlero und a.Quarxo"
    ),
  ])
  func aWordInNoDictionaryIsAName(_ text: String, _ expected: String) throws {
    #expect(try neutral(text) == expected)
  }

  @Test func inOtherLanguagesTheFirstWordOfASentenceIsNone() throws {
    let text =
      "Vorrei sapere quando arriva la merce ordinata il mese scorso. Purtroppo nessuno ha risposto alle domande che abbiamo "
      + "mandato a Xiuyingo ieri pomeriggio. Grazie mille per la risposta."
    #expect(try neutral(text) == text.replacing("Xiuyingo", with: "[NAME_1]"))
  }

  @Test func theKindCanBeLeftOut() throws {
    let text = "Hast du gehört, dass Xiuyingo kommt?"
    #expect(try neutral(text, kinds: [.person, .email]) == text)
  }
}
