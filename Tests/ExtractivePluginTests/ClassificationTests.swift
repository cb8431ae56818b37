import Testing

@testable import ExtractivePlugin

struct ClassificationTests {
  @Test(arguments: [
    ("Could you send me the file?", true), ("Please let me know by Friday.", true),
    ("What do you think about Thursday?", true), ("Kannst du mir die Datei schicken?", true),
    ("Bitte gib mir bis Freitag Bescheid.", true), ("Wir bitten um Rückmeldung bis Montag.", true),
    ("Passt dir der Dienstag?", true), ("Gilt das noch?", true),
    ("The file is attached.", false), ("Anbei die Datei.", false), ("Danke für gestern!", false),
    ("How are you? I am fine and the garden is green.", false), ("Wie geht es dir? Mir geht es gut.", false),
    ("Ready for summer? Unsubscribe here: https://a.example", false),
    ("Haben Sie Fragen? Antworten Sie nicht auf diese E-Mail.", false),
    ("Could you look at this? No reply needed.", false),
    ("I agree.\n\n> Could you send me the file?", false),
  ])
  func seesWhetherAnAnswerIsWanted(_ text: String, _ expected: Bool) {
    #expect(Document(text).needsReply == expected)
  }

  @Test(arguments: [
    ("Ihre Rechnung über 86,40 EUR wird abgebucht.", "invoice"),
    ("Please find the invoice attached; the total amount due is 20 EUR.", "invoice"),
    ("Unsubscribe from this newsletter at any time. 30% off everything!", "newsletter"),
    ("Ein neues Passwort wurde angefordert. Ihre Sicherheit ist uns wichtig.", "security"),
    ("Let us move the meeting: the agenda and the calendar invitation follow.", "meeting"),
    ("Xyzzy plugh.", "other"),
  ])
  func choosesTheLabelWithMostSignals(_ text: String, _ label: String) {
    let labels = ["invoice", "newsletter", "security", "meeting", "other"]
    #expect(LabelChoice.best(of: labels, for: Document(text), text: text) == label)
  }

  @Test func knowsGermanLabels() {
    let text = "Your invoice: the total amount was charged."
    #expect(LabelChoice.best(of: ["Termin", "Rechnung", "Sonstiges"], for: Document(text), text: text) == "Rechnung")
  }

  @Test func findsUnknownLabelsByTheirOwnName() {
    let text = "The greenhouse roof leaks."
    #expect(LabelChoice.best(of: ["kitchen", "greenhouse"], for: Document(text), text: text) == "greenhouse")
  }

  @Test(arguments: [(["b", "a"], "b"), (["x", "Sonstiges"], "Sonstiges"), (["high", "medium", "low"], "medium")])
  func fallsBackToTheLeftoverOrTheFirst(_ labels: [String], _ expected: String) {
    #expect(LabelChoice.best(of: labels, for: Document("Qqq."), text: "Qqq.") == expected)
  }

  @Test(arguments: [
    ("eur", "europa", 0), ("eur", "86 eur", 1), ("versand", "versandt und unversandt", 1), ("?", "a? b? c? d?", 3),
    ("€", "5€ 6 €", 2), ("", "abc", 0), ("abc", "", 0),
  ])
  func countsSignalsAtWordBeginnings(_ signal: String, _ text: String, _ count: Int) {
    #expect(LabelChoice.occurrences(of: signal, in: Array(text.unicodeScalars)) == count)
  }
}
