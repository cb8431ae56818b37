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
  ])
  func signaturesAndHistoryGo(_ text: String, _ expected: String) {
    #expect(Boilerplate.removed(from: text) == expected)
  }
}
