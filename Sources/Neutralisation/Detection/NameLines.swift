/// Lines that show the position of a name.
enum NameLines {
  private static let greetings: [[String]] = [
    ["sehr", "geehrte"], ["sehr", "geehrter"], ["sehr", "geehrtes"], ["geehrte"], ["geehrter"], ["werte"], ["werter"],
    ["liebe"], ["lieber"],
    ["liebes"], ["hallo"], ["hello"], ["hi"], ["hey"], ["hoi"], ["salü"], ["sali"], ["ciao"], ["moin"], ["servus"],
    ["grüezi"], ["grüessech"],
    ["guten", "tag"], ["guten", "morgen"], ["guten", "abend"], ["good", "morning"], ["good", "afternoon"],
    ["good", "evening"], ["dear"],
    ["my", "dear"], ["dearest"], ["grüss", "gott"], ["grüß", "gott"], ["guete", "morge"], ["guten", "nachmittag"],
    ["good", "day"], ["greetings"], ["bonjour"], ["verehrte"], ["verehrter"],
  ].sorted { $0.count > $1.count }

  private static let closings: [[String]] = [
    ["mit", "freundlichen", "grüssen"], ["mit", "freundlichen", "grüßen"], ["mit", "freundlichem", "gruss"],
    ["mit", "freundlichem", "gruß"],
    ["mit", "besten", "grüssen"], ["mit", "besten", "grüßen"], ["mit", "herzlichen", "grüssen"],
    ["mit", "lieben", "grüssen"],
    ["mit", "herzlichen", "grüßen"], ["mit", "lieben", "grüßen"], ["mit", "vorzüglicher", "hochachtung"],
    ["freundliche", "grüsse"],
    ["freundliche", "grüße"], ["freundlicher", "gruss"], ["beste", "grüsse"], ["beste", "grüße"], ["besten", "gruss"],
    ["besten", "gruß"],
    ["liebe", "grüsse"], ["liebe", "grüße"], ["lieber", "gruss"], ["herzliche", "grüsse"], ["herzliche", "grüße"],
    ["herzlichst"], ["viele", "grüsse"],
    ["viele", "grüße"], ["schöne", "grüsse"], ["schöne", "grüße"], ["gruss"], ["gruß"], ["grüsse"], ["grüße"],
    ["hochachtungsvoll"], ["mfg"], ["lg"], ["glg"], ["bg"], ["hg"], ["herzlich"], ["ganz", "herzlich"],
    ["cordialement"], ["bien", "cordialement"], ["meilleures", "salutations"], ["cordiali", "saluti"],
    ["es", "grüsst"],
    ["es", "grüßt"], ["es", "grüssen"], ["es", "grüßen"], ["alles", "gute"], ["alles", "liebe"], ["tschüss"],
    ["bis", "morgen"],
    ["bis", "später"],
    ["vg"], ["bis", "bald"], ["bis", "dann"], ["vielen", "dank"], ["besten", "dank"], ["danke"], ["merci"],
    ["best", "regards"], ["kind", "regards"],
    ["warm", "regards"], ["with", "kind", "regards"], ["with", "best", "regards"], ["regards"], ["yours", "sincerely"],
    ["yours", "faithfully"],
    ["yours", "truly"], ["sincerely"], ["sincerely", "yours"], ["best", "wishes"], ["all", "the", "best"],
    ["many", "thanks"], ["thanks"], ["thank", "you"],
    ["cheers"], ["best"], ["all", "best"], ["love"], ["much", "love"], ["lots", "of", "love"], ["take", "care"],
    ["warmly"],
    ["warmest"], ["warmest", "regards"], ["fondly"], ["yours"], ["yours", "ever"], ["gratefully"], ["see", "you"],
    ["see", "you", "soon"], ["talk", "soon"], ["speak", "soon"], ["with", "gratitude"], ["with", "appreciation"],
    ["cordially"], ["respectfully"], ["gezeichnet"], ["gez"], ["signed"],
  ].sorted { $0.count > $1.count }

  private static let labels: [[String]] = [
    ["name"], ["vorname"], ["nachname"], ["familienname"], ["geburtsname"], ["vor-", "und", "nachname"],
    ["name", "vorname"], ["full", "name"],
    ["first", "name"], ["last", "name"], ["surname"], ["given", "name"], ["patient"], ["patientin"],
    ["patient", "name"], ["versicherte", "person"],
    ["versicherter"], ["versicherte"], ["versicherungsnehmer"], ["versicherungsnehmerin"], ["kontoinhaber"],
    ["kontoinhaberin"], ["karteninhaber"],
    ["karteninhaberin"], ["account", "holder"], ["card", "holder"], ["cardholder"], ["ansprechpartner"],
    ["ansprechpartnerin"], ["kontakt"],
    ["kontaktperson"], ["contact"], ["contact", "person"], ["kunde"], ["kundin"], ["customer"], ["client"], ["mieter"],
    ["mieterin"], ["vermieter"],
    ["tenant"], ["landlord"], ["insured"], ["policyholder"], ["beneficiary"], ["begünstigter"], ["zahlungsempfänger"],
    ["empfänger"], ["recipient"],
    ["sachbearbeiter"], ["sachbearbeiterin"], ["sachbearbeitung"], ["bearbeiter"], ["bearbeiterin"], ["attn"],
    ["attention"], ["zuhanden"],
    ["teilnehmer"], ["teilnehmende"], ["anwesend"], ["entschuldigt"], ["participants"], ["attendees"], ["present"],
    ["apologies"], ["unterschrift"],
    ["signature"], ["autor"], ["autorin"], ["author"], ["arzt"], ["ärztin"], ["hausarzt"], ["physician"], ["employee"],
    ["mitarbeiter"], ["mitarbeiterin"],
    ["arbeitnehmer"], ["arbeitnehmerin"], ["antragsteller"], ["antragstellerin"], ["applicant"], ["kläger"],
    ["klägerin"], ["beklagte"], ["beklagter"],
    ["plaintiff"], ["defendant"], ["gemeldet", "von"], ["kommentar", "von"], ["erfasst", "von"], ["erstellt", "von"],
    ["reported", "by"], ["assigned", "to"], ["created", "by"], ["comment", "by"], ["prepared", "by"],
    ["approved", "by"],
    ["geschädigter"], ["geschädigte"], ["beschuldigter"], ["beschuldigte"], ["auskunftsperson"], ["zeuge"], ["zeugin"],
    ["zeugen"], ["opfer"], ["täter"], ["verdächtiger"], ["victim"], ["suspect"], ["witness"], ["witnesses"],
    ["claimant"],
    ["gast"], ["gäste"], ["guest"], ["guests"], ["passenger"], ["passagier"], ["next", "of", "kin"],
    ["your", "contact"],
    ["ihr", "ansprechpartner"], ["ihre", "ansprechpartnerin"], ["ansprechperson"], ["referenzen"], ["referenz"],
    ["references"], ["referee"], ["referees"], ["klassenrat"], ["klassenlehrer"], ["klassenlehrerin"], ["schulleiter"],
    ["schulleiterin"], ["trauer"], ["in", "stiller", "trauer"], ["traueradresse"], ["survived", "by"], ["angehörige"],
    ["notfallkontakt"], ["emergency", "contact"], ["guarantor"], ["bürge"], ["executor"], ["willensvollstrecker"],
    ["gesuchsteller"], ["gesuchstellerin"], ["auftraggeber"], ["besteller"], ["bestellerin"], ["käufer"], ["käuferin"],
    ["verkäufer"], ["verkäuferin"], ["buyer"], ["seller"], ["borrower"], ["lender"], ["spouse"], ["ehepartner"],
    ["kind"],
    ["kinder"], ["mutter"], ["vater"], ["mother"], ["father"], ["child"], ["children"], ["student"], ["schüler"],
    ["schülerin"], ["teacher"], ["lehrer"], ["lehrerin"], ["doctor"], ["nurse"], ["trainer"], ["trainerin"],
    ["bewerber"], ["bewerberin"], ["kandidat"], ["kandidatin"], ["candidate"], ["referent"], ["referentin"],
    ["speaker"],
    ["moderation"], ["host"], ["organizer"], ["organiser"], ["owner"], ["assignee"], ["reporter"], ["reviewer"],
    ["verfasser"], ["verfasserin"], ["verantwortlich"], ["zuständig"], ["vertreten", "durch"], ["represented", "by"],
    ["gegenseite"], ["gegenpartei"],
    ["halter"], ["halterin"], ["protokoll"], ["leitung"], ["vorsitz"], ["chair"],
    ["minutes"],
  ].sorted { $0.count > $1.count }

  /// Where the names of a greeting begin; `nil` if the line is none.
  static func greeting(_ words: [WordScan.Word], _ line: Range<Int>) -> Int? { phrase(greetings, words, line) }

  /// Where a closing ends; `nil` if the line is none.
  static func closing(_ words: [WordScan.Word], _ line: Range<Int>) -> Int? {
    guard let end = phrase(closings, words, line) else {
      // "Sonnige Grüsse aus dem Tessin", "Härzliche Gruess", "With warmest wishes"
      let isClosing =
        line.count <= 7
        && line.contains {
          $0 - line.lowerBound < 4
            && [
              "grüsse", "grüße", "grüssen", "grüßen", "gruss", "gruß", "gruess", "grüess", "grüessli", "regards",
              "wishes",
              "greetings",
            ].contains(words[$0].text)
        }
      return isClosing || endsWithClosing(words, line) ? line.upperBound : nil
    }
    // "Danke für Ihre Nachricht" is not a closing: what follows is a comma, the line's end, or a name.
    if end < line.upperBound, !words[end].isCapital { return closing(endsLine: words, end, line) }
    return end
  }

  /// Closings that are at the end of a letter only, unlike "Vielen Dank".
  private static let farewells = closings.filter { phrase in
    phrase.count > 1
      && phrase.contains { word in
        ["grüß", "grüss", "gruß", "gruss", "regards", "sincerely", "salutations"].contains(where: word.hasPrefix)
      }
  }

  /// "Bitte sperren Sie die Karte. Mit freundlichen Grüßen": a closing behind the last sentence of its line.
  private static func endsWithClosing(_ words: [WordScan.Word], _ line: Range<Int>) -> Bool {
    farewells.contains { phrase in
      phrase.count < line.count
        && words[line.upperBound - phrase.count].gap == .stop
        && zip(phrase, words[line].suffix(phrase.count)).allSatisfy { $0 == $1.text }
    }
  }

  /// Closings that end with words of their own: "Mit freundlichen Grüssen aus Bern".
  private static func closing(endsLine words: [WordScan.Word], _ end: Int, _ line: Range<Int>) -> Int? {
    line.count <= 8 && ["aus", "und", "from", "in", "and", "for", "again", "an"].contains(words[end].text)
      && line.count - (end - line.lowerBound) <= 4
      ? line.upperBound : nil
  }

  /// Whether a word is a label of its own.
  static func isLabel(_ word: String) -> Bool { single.contains(word) }
  private static let single = Set(labels.filter { $0.count == 1 }.map { $0[0] })

  /// Where the value of a label begins: "Patientin: …".
  static func label(_ words: [WordScan.Word], _ line: Range<Int>) -> Int? {
    guard let end = phrase(labels, words, line), end < line.upperBound, words[end].gap == .colon else { return nil }
    return end
  }

  private static func phrase(_ phrases: [[String]], _ words: [WordScan.Word], _ line: Range<Int>) -> Int? {
    guard let first = line.first else { return nil }
    for phrase in phrases where phrase[0] == words[first].text && phrase.count <= line.count {
      if zip(phrase, words[line]).allSatisfy({ $0 == $1.text }) { return line.lowerBound + phrase.count }
    }
    return nil
  }

  private static let headers: Set<String> = [
    "from", "to", "cc", "bcc", "reply-to", "sender", "von", "an", "absender", "kopie", "gesendet", "delivered-to",
    "empfänger",
  ]

  /// Whether a line's first word is that of a header with mail addresses.
  static func isAddressHeader(_ word: String) -> Bool { headers.contains(word) }

  /// Whether a word is the name of a header field of a message: "Von", "Betreff".
  static func isHeader(_ word: String) -> Bool { headers.contains(word) || otherHeaders.contains(word) }

  private static let otherHeaders = WordList(
    """
    von an cc bcc kopie betreff datum gesendet antwort aw wg re fw fwd from to subject date sent reply-to priority priorität anlage anlagen attachments
    de à objet envoyé host user benutzer
    """)

  /// Where "schrieb" or "wrote" is in the line before a quotation.
  static func quoted(_ words: [WordScan.Word], _ line: Range<Int>) -> Int? {
    guard line.count <= 30 else { return nil }
    return line.first { ["schrieb", "wrote", "writes", "schreibt"].contains(words[$0].text) }
  }

  /// Whether a person's name follows a word: "mein Name ist", "ich heisse", "my name is", "c/o", "z. Hd.".
  static func introduces(_ words: [WordScan.Word], at index: Int) -> Bool {
    func text(_ offset: Int) -> String { words.indices.contains(index + offset) ? words[index + offset].text : "" }
    switch text(0) {
    case "ist", "is": return text(-1) == "name" && ["mein", "sein", "ihr", "my", "his", "her"].contains(text(-2))
    case "lautet": return text(-1) == "name"
    case "heisse", "heiße", "heisst", "heißt": return true
    case "o": return text(-1) == "c"
    case "hd", "hdn", "h": return text(-1) == "z"
    case "inh", "inhaber", "inhaberin", "ppa", "lautend", "gezeichnet": return true
    case "auf": return text(-1) == "lautend"
    case "a", "v": return text(-1) == "i" && words.indices.contains(index - 1) && words[index].gap == .stop
    case "namen": return text(-1) == "den" && text(-2) == "auf"
    case "under":
      return (1...6).contains { ["table", "booking", "booked", "reservation", "name", "reserved"].contains(text(-$0)) }
    case "holder": return ["account", "card", "policy"].contains(text(-1)) || FirstNames.all.contains(text(1))
    case "zuhanden", "attn", "namens", "named", "called", "gez": return true
    default: return false
    }
  }

  /// Whether a word precedes the name of a person who signs for another.
  static func isProxy(_ word: String) -> Bool { ["i", "a", "v", "ia", "iv", "ppa", "pp", "gez", "sig"].contains(word) }
}
