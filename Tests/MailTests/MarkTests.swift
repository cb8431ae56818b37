import Testing

@testable import Mail

struct MarkTests {
  private func marks(
    _ text: String, subject: String = "x", from: String = "Anna Berg <anna.berg@gmx.de>",
    to: String = "jana@example.com",
    extra: String = "", rules: ClassificationRules = ClassificationRules()
  ) -> [Mark] {
    let source = """
      From: \(from)
      To: \(to)
      Date: Thu, 19 Nov 2026 09:00:00 +0100
      Subject: \(subject)\(extra)
      Content-Type: text/plain; charset=utf-8

      \(text)
      """
    let message = Message(parsing: Array(source.utf8))
    let classifier = Classifier(rules: rules, owners: ["jana@example.com"])
    return classifier.marks(of: message, classification: classifier.classify(message))
  }

  @Test func listedSendersAreMarked() {
    var rules = ClassificationRules()
    rules.vipSenders = ["Anna.Berg@gmx.de"]
    rules.blockedSenders = ["@gmx.de"]
    #expect(marks("Hallo", rules: rules).map(\.kind) == [.vip, .blocked])
    #expect(marks("Hallo", from: "x@example.org", rules: rules).isEmpty)
  }

  @Test(arguments: [
    ("Die Rechnung beträgt 1.234,50 €.", "1234.50 EUR"), ("Bitte zahlen: Betrag 86,40 EUR", "86.40 EUR"),
    ("The price is $12.50 today", "12.50 USD"), ("We paid £1,200 for it", "1200.00 GBP"),
    ("Kosten: CHF 1'250.–", "1250.00 CHF"), ("Das Angebot: 18.400\u{A0}€ netto", "18400.00 EUR"),
    ("The budget is 11,300 francs for this year", "11300.00 CHF"), ("Miete (650 Euro) überwiesen", "650.00 EUR"),
    ("Rechnung über 99€", "99.00 EUR"), ("total: EUR 7", "7.00 EUR"),
  ])
  func amountsAreFound(text: String, amount: String) throws {
    let mark = try #require(marks(text).first { $0.kind == .money })
    #expect(mark.amount?.text == amount && mark.reason == .amount)
  }

  @Test(arguments: [
    "Ich habe 3 Äpfel und zahle nichts", "Der Preis steht noch nicht fest",
    "Wir treffen uns um 12.30 Uhr, Kosten: keine",
    "I have 20 $ worth of nothing", "Rechnung 2026-1184 liegt bei",
  ])
  func textWithoutAmountOrReasonIsNotAboutMoney(text: String) {
    #expect(!marks(text).contains { $0.kind == .money && $0.amount != nil })
  }

  @Test func advertisingIsNotAboutMoney() {
    let found = marks(
      "Preis nur 9,99 € bis 30. November!", from: "Shop <news@shop.example>",
      extra: "\nList-Unsubscribe: <https://x.example>")
    #expect(found.isEmpty)
  }

  @Test(arguments: [
    ("Bitte bis zum 30. November antworten", "2026-11-30"), ("Zahlbar bis 5.12.2026", "2026-12-05"),
    ("Anmeldeschluss ist am 3.1.", "2027-01-03"), ("please send it by Friday", "2026-11-20"),
    ("The deadline is December 4th, 2026.", "2026-12-04"), ("due on 2026-12-01", "2026-12-01"),
    ("spätestens Montag, 23. November", "2026-11-23"), ("no later than 12/24/2026", "2026-12-24"),
    ("Bitte bis morgen", "2026-11-20"), ("until Thursday", "2026-11-26"),
    ("Die Frist endet am Freitag, den 27.11.", "2026-11-27"),
  ])
  func deadlinesAreFound(text: String, day: String) throws {
    let mark = try #require(marks(text).first { $0.kind == .deadline })
    #expect(mark.day == day)
  }

  @Test(arguments: [
    "Kinoprogramm 20. bis 26. November", "von Montag bis Freitag geöffnet", "Bis bald!", "see you by the river",
    "from Monday until Friday", "Bis zum 99.99.", "Wir haben das Duett am Freitag gehört", "9 bis 12 Uhr am Freitag",
  ])
  func otherDaysAreNoDeadlines(text: String) {
    #expect(!marks(text).contains { $0.kind == .deadline })
  }

  @Test(arguments: [
    ("Kommst du am Samstag?", Classification.Reason.question),
    ("Gib bitte Bescheid. Gib mir Bescheid!", .requestPhrase),
    ("Let me know what you think", .requestPhrase), ("週末は空いていますか？", .question),
  ])
  func questionsWantAnAnswer(text: String, reason: Classification.Reason) throws {
    #expect(try #require(marks(text).first { $0.kind == .needsReply }).reason == reason)
  }

  @Test func notEveryQuestionWantsAnAnswer() {
    #expect(!marks("> Kommst du?\nJa.").contains { $0.kind == .needsReply })
    #expect(!marks("Siehe https://example.org/?a=1").contains { $0.kind == .needsReply })
    #expect(!marks("Kommst du?", from: "jana@example.com").contains { $0.kind == .needsReply })
    #expect(!marks("Kommst du?", from: "Bot <noreply@example.org>").contains { $0.kind == .needsReply })
    #expect(
      !marks("Kommst du?", to: "ben@example.org", extra: "\nCc: jana@example.com").contains { $0.kind == .needsReply })
  }

  @Test func signInsAreAboutSecurity() {
    #expect(marks("x", subject: "Security alert", from: "Service <no-reply@example.org>").map(\.kind) == [.security])
    #expect(
      marks("Your verification code is 123456", from: "Service <no-reply@example.org>").map(\.reason) == [.securityText]
    )
  }

  @Test func spamIsNotMarked() {
    #expect(marks("Pay 100 € by Friday?", extra: "\nX-Spam-Flag: YES").isEmpty)
  }
}
