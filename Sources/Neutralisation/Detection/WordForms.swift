/// Classifies German words, in lower case, by their endings: noun, role, attribute.
enum WordForms {
  private static let nounEndings = [
    "ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen", "tät", "täten", "nisse",
    "nissen", "ismus", "ment", "mente", "verteiler", "betrieb", "dienst", "dienste", "stelle", "zeit", "kosten",
    "nummer", "konto", "karte", "plan", "bericht", "antrag", "termin", "gebühr", "vertrag", "liste", "formular",
    "blatt", "abteilung", "zentrum", "büro", "wagen", "arbeit", "arbeiten", "schutz", "preis", "geld", "schein",
    "schlüssel", "raum", "räume", "woche", "wochen", "monat", "stunde", "stunden", "material", "system", "technik",
    "service", "center", "wesen", "kunde", "brief", "mittel", "gerät", "geräte", "teil", "teile", "leistung", "schule",
    "kunden",
    "klasse", "gruppe", "fest", "feier", "reise", "fahrt", "weg", "netz", "werte", "wert", "satz", "sätze", "grund",
    "fall", "fälle", "unterlagen", "papiere", "dokument", "kasse", "steuer", "prämie", "rate", "raten", "zins",
    "zinsen", "frist", "pflicht", "beitrag", "beiträge", "iness",
  ]
  private static let roleEndings = [
    "berater", "leiter", "lehrer", "arzt", "anwalt", "pfleger", "meister", "betreuer", "vertreter", "führer",
    "verwalter", "assistent", "sekretär", "referent", "händler", "mitarbeiter", "inhaber", "nehmer", "geber",
    "partner", "bearbeiter", "helfer", "trainer", "therapeut", "beamte", "beauftragt", "kollege", "nachbar", "freund",
    "chef", "bewerber", "kandidat", "schüler", "praktikant", "student", "erzieher", "ingenieur", "architekt",
    "techniker", "monteur", "gutachter", "dolmetscher", "vorgesetzter", "verkäufer", "makler", "präsident", "direktor",
    "psychologe", "vater", "mutter", "bruder", "schwester", "tochter", "sohn", "unternehmer",
  ]

  /// Whether a German word, in lower case, has the ending of a noun that is not a name.
  static func isNoun(_ word: String) -> Bool {
    word.utf8.count >= 6 && nounEndings.contains { word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 1 }
      && !Surnames.all.contains(word) && !FirstNames.all.contains(word)
  }

  /// Whether a German word, in lower case, names a person's part: `Klassenlehrerin`, `Kundenberater`.
  static func isRole(_ word: String) -> Bool {
    var stem = word
    for ending in ["innen", "in", "es", "en", "n", "s", "r"] where stem.hasSuffix(ending) {
      if roleEndings.contains(where: word.hasSuffix) { break }
      stem = String(stem.dropLast(ending.count))
      break
    }
    return roleEndings.contains { stem.hasSuffix($0) || word.hasSuffix($0) }
      || stem.hasSuffix("ärzt") || stem.hasSuffix("anwält")
  }

  /// Whether a German word, in lower case, can be an adjective or an article before a noun.
  static func isAttribute(_ word: String) -> Bool {
    word.utf8.count > 2 && ["e", "en", "er", "es", "em"].contains { word.hasSuffix($0) }
      && !FirstNames.all.contains(word)
  }
}
