/// Signs in a text that its sender expects an answer.
enum ReplySignals {
  private static let requests = PhraseList([
    "could you", "can you", "would you", "will you", "can i", "could we", "can we", "shall we", "let me know",
    "please let", "please send", "please confirm", "please review", "please reply", "please check", "please tell",
    "please respond", "please answer", "please have a look", "please take a look", "get back to me", "rsvp",
    "what do you think", "your thoughts", "your opinion", "your feedback", "waiting for your", "need your",
    "i need you",
    "awaiting your", "do you have", "are you able", "kindly", "give me a call", "call me back", "drop me a line",
    "kannst du", "könntest du", "können sie", "könnten sie", "könnt ihr", "könntet ihr", "würdest du", "würden sie",
    "magst du", "möchtest du", "hast du zeit", "hättest du", "haben sie", "bist du dabei", "seid ihr dabei",
    "gib mir", "gebt mir", "geben sie mir", "sag mir", "sagt mir", "sagen sie", "sag bescheid", "bescheid geben",
    "bescheid sagen", "bescheid, ob", "bescheid ob", "um rückmeldung", "um antwort", "um bestätigung", "deine meinung",
    "eure meinung", "ihre meinung", "was meinst du", "was meint ihr", "was meinen sie", "was denkst du", "passt dir",
    "passt es dir", "passt das", "passt euch", "bitte schick", "bitte sende", "bitte bestätige", "bitte prüf",
    "bitte antworte", "bitte melde", "bitte teile", "bitte sag", "bitte gib", "bitte schau", "bitte ruf", "schick mir",
    "schickst du", "schicken sie", "ruf mich", "rufen sie mich", "melde dich", "melden sie sich", "meld dich",
    "brauche von dir", "brauchen wir", "benötigen wir", "wir benötigen", "müssten sie", "müsstest du", "müsstet ihr",
    "need from you", "we need", "brauche noch", "brauchen von ihnen", "brauche deine", "bitte um",
  ])

  private static let refusals = PhraseList([
    "do not reply", "don't reply", "no reply needed", "no need to reply", "no reply necessary", "no response needed",
    "no action needed", "no action is required", "no action required", "fyi only", "unsubscribe",
    "automatically generated",
    "this is an automated", "not monitored", "view in browser", "view this email in your browser",
    "keine antwort nötig", "keine antwort erforderlich", "keine rückmeldung nötig", "brauchst nicht zu antworten",
    "musst nicht antworten", "nicht auf diese", "antworten sie nicht", "automatisch erstellt", "automatisch generiert",
    "automatisch versendet", "abbestellen", "im browser ansehen", "im browser anzeigen", "nur zur info",
  ])

  private static let rhetorical = PhraseList([
    "how are you", "how's it going", "how have you been", "how is it going", "wie geht", "alles gut", "alles klar",
    "wusstest du", "wussten sie", "did you know", "what's new", "ready for", "ready to", "lust auf", "questions?",
    "fragen?", "noch fragen", "who doesn't",
  ])

  /// Whether a sentence asks for something: a question that is more than small talk, or a request.
  /// - Parameters:
  ///   - sentence: In lower case, as UTF-8.
  ///   - tokens: Its tokens.
  static func ask(_ sentence: [UInt8], tokens: [Token]) -> Bool {
    if tokens.suffix(3).contains(where: { $0.text == "?" || $0.text == "？" }) {
      return !rhetorical.begins(sentence) && tokens.count { $0.kind == .word || $0.kind == .number } >= 2
    }
    return requests.occurs(in: sentence)
  }

  /// Whether a sentence, given in lower case as UTF-8, says that no answer is wanted.
  static func refuse(_ sentence: [UInt8]) -> Bool { refusals.occurs(in: sentence) }
}
