/// Sentences that are polite or automatic and say nothing about the matter.
enum Courtesies {
  private static let openings = PhraseList([
    "i hope", "hope you", "hope this", "hope all", "how are you", "how's it going", "how have you been", "thank you",
    "thanks", "many thanks", "nice to", "it was great", "it was nice", "great to", "good to hear", "looking forward",
    "i look forward", "we look forward", "have a ", "enjoy your", "let me know if you have any questions",
    "feel free", "don't hesitate", "please do not hesitate", "please don't hesitate", "take care", "see you",
    "ich hoffe", "hoffe", "hoffentlich", "wie geht", "danke", "vielen dank", "herzlichen dank", "besten dank",
    "schön, dass", "schön von dir", "ich freue mich", "wir freuen uns", "freue mich", "freuen uns",
    "schönes wochenende",
    "schönen ", "einen schönen", "hab ein", "habt ein", "alles gute", "bei fragen", "bei rückfragen", "für rückfragen",
    "für fragen", "bis bald", "bis dann", "bis später", "melde dich gerne", "melden sie sich gerne", "zögern sie",
    "mit freundlichen",
  ])

  /// Longest courtesy, in bytes: beyond that a sentence that begins politely has something to say.
  private static let longest = 92

  /// Whether a sentence, given in lower case as UTF-8, is a mere courtesy.
  static func areIn(_ sentence: [UInt8]) -> Bool {
    sentence.count <= longest && openings.begins(sentence)
  }

  private static let footers = PhraseList([
    "unsubscribe", "abbestellen", "abmelden", "view in browser", "view this email", "im browser", "all rights reserved",
    "alle rechte vorbehalten", "privacy policy", "datenschutz", "impressum", "you are receiving this",
    "you received this", "sie erhalten diese", "du erhältst diese", "do not reply", "antworten sie nicht",
    "nicht auf diese", "automatically generated", "automatisch erstellt", "automatisch generiert", "confidential",
    "vertraulich", "intended recipient", "click here", "hier klicken", "klicken sie hier", "©",
    "manage your preferences",
    "handelsregister", "ust-idnr", "geschäftsführer",
  ])

  /// Whether a sentence, given in lower case as UTF-8, belongs to the small print of a mailing.
  static func areSmallPrint(_ sentence: [UInt8]) -> Bool { footers.occurs(in: sentence) }
}
