import Mail
import Testing

@Suite struct BoilerplateTests {
  @Test func whatAMessageSaysByItselfStays() {
    let text = """
      View this email in your browser
      \u{200C}\u{200C}\u{200C}
      Hello Anna,

      the meeting is on Monday.
      Sent from my phone
      > old words

      Unsubscribe | Privacy policy
      On 5 November 2026 at 09:02, Tom wrote:
      older words
      """
    #expect(Boilerplate.removed(from: text) == "Hello Anna,\n\nthe meeting is on Monday.")
  }

  @Test(arguments: [
    ("Gut.\n-- \nAnna Meier", "Gut."),
    ("Gut.\nAm 5. November 2026 um 09:02 schrieb Tom\n<tom@x.example>:\n> alt", "Gut."),
    ("Gut.\n-----Ursprüngliche Nachricht-----\nVon: Tom", "Gut."), ("Gut.\n\n\n\nSo.", "Gut.\n\nSo."),
    ("> nur Zitat", "> nur Zitat"), ("", ""),
    ("Klicken Sie hier, um sich abzumelden: https://x.example/u\nGut.", "Gut."),
    ("Diese E-Mail wurde an a@x.example gesendet.\nGut.\nNewsletter abbestellen", "Gut."),
    ("To stop these emails, unsubscribe.\nGut.\nImpressum | Datenschutz", "Gut."),
  ])
  func signaturesHistoryAndLinksGo(_ text: String, _ expected: String) {
    #expect(Boilerplate.removed(from: text) == expected)
  }

  @Test(arguments: [
    "Leider muss ich mich für Montag abmelden, ich bin krank.", "We want to opt out here and now, is that possible?",
    "Der Entwurf zum Datenschutz ist fertig und muss bis Montag gelesen werden.",
  ])
  func whatAPersonWritesStays(_ text: String) {
    #expect(Boilerplate.removed(from: text) == text)
  }
}
