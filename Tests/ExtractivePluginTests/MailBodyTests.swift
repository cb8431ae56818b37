import Testing

@testable import ExtractivePlugin

struct MailBodyTests {
  private func text(_ mail: String) -> [String] { MailBody(mail).paragraphs.map(\.text) }

  @Test func dropsGreetingCloseAndSignature() {
    let mail = """
      Hallo Jana,

      die Rechnung ist da.
      Sie ist fällig.

      Viele Grüße
      Anna Meier

      --\u{20}
      Anna Meier, Beispiel AG
      Bahnhofstrasse 1
      """
    #expect(text(mail) == ["die Rechnung ist da. Sie ist fällig."])
  }

  @Test func dropsQuotesAndTheLineAnnouncingThem() {
    let mail = """
      Yes, Thursday suits me.

      On Mon, 16 Nov 2026 at 10:00, Jana Keller
      <jana@example.org> wrote:
      > Does Thursday suit you?
      >> Or Friday?

      See you at noon in the usual place then.
      """
    #expect(text(mail) == ["Yes, Thursday suits me.", "See you at noon in the usual place then."])
  }

  @Test(arguments: [
    "-----Original Message-----\nOld text.", "-----Ursprüngliche Nachricht-----\nOld text.",
    "From: Anna\nSent: Monday\nTo: Jana\nSubject: Old\n\nOld text.",
    "Von: Anna\nGesendet: Montag\nAn: Jana\n\nOld text.",
    "_______________________________________________\ngrowers mailing list\nOld text.", "-- \nOld text.",
    "--\nOld text.",
  ])
  func stopsAtTheOriginalOrFooter(_ old: String) {
    #expect(text("The new text stays here.\n\n\(old)") == ["The new text stays here."])
  }

  @Test func keepsForwardedTextWithoutItsHeader() {
    let mail = """
      ---------- Forwarded message ---------
      From: Anna <anna@example.org>
      Date: Mon, 16 Nov 2026
      Subject: Schedule
      To: Jana <jana@example.org>

      The hall is booked from nine to five.
      """
    #expect(text(mail) == ["The hall is booked from nine to five."])
  }

  @Test(arguments: [
    ("Hi Anna, could you call me back?", "could you call me back?"),
    ("Sehr geehrte Frau Meier, sehr geehrter Herr Huber,\ndas Haus ist fertig.", "das Haus ist fertig."),
    ("Liebe Leserinnen und Leser\n\nDie Ausgabe ist da.", "Die Ausgabe ist da."),
    ("Moin!\nDas Boot ist fertig.", "Das Boot ist fertig."),
    ("Hinweis: Das Tor ist zu.", "Hinweis: Das Tor ist zu."),
    (
      "Dear all the things that were said yesterday were true.",
      "Dear all the things that were said yesterday were true."
    ),
  ])
  func dropsGreetingsOnly(_ mail: String, _ rest: String) {
    #expect(text(mail) == [rest])
  }

  @Test func keepsThanksThatAreNotTheEnd() {
    let mail = """
      Thanks for the notes!

      Can you send me the other file before Friday, please?

      Anna
      """
    #expect(text(mail) == ["Thanks for the notes!", "Can you send me the other file before Friday, please?"])
  }

  @Test func keepsPostscripts() {
    let mail = """
      The train leaves at eight.

      Cheers
      Tom

      PS: Bring the tickets.
      """
    #expect(text(mail) == ["The train leaves at eight.", "PS: Bring the tickets."])
  }

  @Test func readsListsAsItems() {
    let mail = """
      Offen sind noch:
      1. der Raum für die Feier
      2. das Essen
      - Getränke
      Beginn ist am
      27. November abends.
      """
    let body = MailBody(mail)
    #expect(body.paragraphs.filter(\.isItem).map(\.text).prefix(2) == ["der Raum für die Feier", "das Essen"])
    #expect(!body.paragraphs.contains { $0.text.hasPrefix("November") })
  }

  @Test(arguments: ["> only\n> quotes", "Hallo Anna,", "Best regards\nTom"])
  func keepsSomethingWhereNothingWouldRemain(_ mail: String) {
    #expect(!text(mail).isEmpty)
  }

  @Test func readsEveryLineEnd() {
    #expect(text("First line here.\r\n\r\nSecond line here.\r\rThird line here.").count == 3)
  }
}
