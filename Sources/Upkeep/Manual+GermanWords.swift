extension Manual {
  /// German words for pages and sections.
  ///
  /// A target is written as in links: `security`, `recipes#permissions`. The first word of a page that does not exist in German
  /// is its German title.
  static let germanWords: [(target: String, words: [String])] = [
    ("access", ["Benutzer und Rechte", "Benutzer", "Rollen", "Tokens"]),
    ("actions", ["Eingebaute Aktionen", "Aktionen"]),
    ("api", ["Die Operationen der API", "API", "Schnittstelle"]),
    ("backup", ["Sicherung", "Sicherungen", "Datensicherung", "Sichern"]),
    ("bookmarks", ["Lesezeichen"]),
    ("catalog", ["Der Prompt-Katalog", "Prompt-Katalog", "Katalog", "Vorlagen"]),
    ("coming-from", ["Umsteigen von anderen Programmen", "Umsteigen", "Umstieg"]),
    ("daemon", ["Der Dienst", "Dienst", "Hintergrunddienst"]),
    ("digest", ["Übersicht", "Zusammenfassung", "Zusammenfassungen"]),
    ("editors", ["Editoren"]),
    ("expressions", ["Ausdrücke", "Ausdruck"]),
    ("getting-started", ["Erste Schritte", "Einstieg", "Anfang"]),
    ("glossary", ["Glossar", "Begriffe", "Wörter"]),
    ("mail", ["Mail", "E-Mail", "Postfach", "Postfächer"]),
    ("mail#filters-hand-over-the-inbox", ["Mailfilter"]),
    ("mcp", ["Assistenten", "Assistent", "Werkzeuge", "MCP"]),
    ("models", ["Sprachmodelle", "Sprachmodell", "Modelle", "KI"]),
    ("modules", ["Module"]),
    ("notes", ["Notizen", "Notiz"]),
    ("notifications", ["Benachrichtigungen", "Benachrichtigung", "Meldungen"]),
    ("operations", ["Betrieb"]),
    ("operations#commands", ["Befehle", "Kommandos"]),
    ("operations#configuration", ["Konfiguration", "Einstellungen"]),
    ("operations#exit-codes", ["Exit-Codes", "Rückgabewerte"]),
    ("operations#secrets", ["Geheimnisse", "Geheimnis", "Tresor", "Passwörter"]),
    ("operations#the-run-log", ["Laufprotokoll"]),
    ("operations#looking-at-runs", ["Läufe"]),
    ("operations#export", ["Ausfuhr", "Exportieren"]),
    ("packaging", ["Pakete", "Paket"]),
    ("plugins", ["Plugins", "Erweiterungen"]),
    ("plugins#contracts", ["Verträge"]),
    ("privacy", ["Personenbezogene Daten", "Datenschutz", "Neutralisieren"]),
    ("recipe-history", ["Verlauf und Sync von Rezepten", "Verlauf", "Fassungen"]),
    ("recipes", ["Rezepte", "Rezept"]),
    ("recipes#conditions", ["Bedingungen"]),
    ("recipes#keywords", ["Schlüsselwörter"]),
    ("recipes#loops", ["Schleifen", "Schleife"]),
    ("recipes#permissions", ["Rechte", "Berechtigungen"]),
    ("recipes#retries", ["Wiederholungen"]),
    ("recipes#steps", ["Schritte", "Schritt"]),
    ("recipes#triggers", ["Auslöser"]),
    ("reminders", ["Erinnerungen"]),
    ("scheduled-mail", ["Mail später senden", "Geplante Mail", "Postausgang"]),
    ("schedules", ["Zeitpläne", "Zeitplan"]),
    ("security", ["Sicherheit"]),
    ("security#trust-of-folders", ["Vertrauen"]),
    ("sign-in", ["Bei Konten anmelden", "Anmeldung", "Anmelden", "Konten"]),
    ("server", ["Der Server", "Server", "Anmeldung im Browser"]),
    ("smtp", ["Mail senden", "Mailversand"]),
    ("speech", ["Gesprochene Sprache", "Sprache", "Diktat"]),
    ("sync-recipes", ["Git", "Synchronisieren", "Repository"]),
    ("testing", ["Rezepte testen", "Testen"]),
    ("upgrading", ["Aktualisieren", "Aktualisierung", "Neue Version"]),
    ("usage", ["Verbrauch und Kosten von Modellen", "Verbrauch", "Kosten"]),
    ("why-failed", ["Fehlersuche", "Gescheitert"]),
  ]

  /// The title of a page in the lists of a German reader: its own heading if the page is in German.
  public static func germanTitle(of page: Page) -> String {
    page.isGerman ? page.title : germanWords.first { $0.target == page.name }?.words.first ?? page.title
  }

  /// The page or section that has such a German word, in the form of links; `nil` if none has it.
  static func target(ofGermanWord word: String) -> String? {
    let wanted = folded(word)
    return germanWords.first { $0.words.contains { folded($0) == wanted } }?.target
  }

  /// The pages with a German word that has a text in it.
  static func pages(withGermanWord text: String, among pages: [Page]) -> [Page] {
    let wanted = folded(text)
    guard wanted.count >= 4 else { return [] }
    return pages.filter { page in
      germanWords.contains { $0.target == page.name && $0.words.contains { folded($0).contains(wanted) } }
    }
  }

  /// A word in the form in which words are compared: `Schlüssel` and `schluessel` are the same.
  private static func folded(_ text: String) -> String {
    let plain = ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"]
    return plain.reduce(text.lowercased()) { $0.replacing($1.key, with: $1.value) }
  }
}
