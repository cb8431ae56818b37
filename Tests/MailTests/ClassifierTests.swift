import Testing

@testable import Mail

struct ClassifierTests {
  private let classifier = Classifier(owners: ["Jana@example.com"])

  private func message(_ headers: [String]) -> Message {
    Message(parsing: Array((headers.joined(separator: "\n") + "\n\ntext\n").utf8))
  }

  /// Classifies a message, and sees to it that the fields which are said to be looked at tell as much as the whole header.
  private func classify(_ headers: [String], isOwnThread: Bool = false) -> Classification {
    func reduced(to fields: Set<String>) -> Message {
      message(headers.filter { fields.contains($0.prefix { $0 != ":" }.lowercased()) })
    }
    let result = classifier.classify(message(headers), isOwnThread: isOwnThread)
    let some = reduced(to: classifier.rules.categoryFields)
    #expect(classifier.classify(some, isOwnThread: isOwnThread) == result, "\(headers)")
    let origin = classifier.origin(of: reduced(to: classifier.rules.originFields))
    #expect(origin.isHuman == result.isHuman && origin.isBulk == result.isBulk, "\(headers)")
    return result
  }

  @Test func fieldsThatAreNotLookedAtAreNotListed() {
    let fields = classifier.rules.categoryFields
    #expect(fields.isSuperset(of: classifier.rules.originFields))
    #expect(fields.isDisjoint(with: ["received", "dkim-signature", "authentication-results", "to", "date"]))
  }

  @Test(arguments: [
    ("Anna Berg <anna@firm.example>", true), ("Berg, Anna <anna@firm.example>", true),
    ("Anna Maria von Berg <a@firm.example>", true), ("Prof. Dr. Eva-Maria von der Heide <e@uni.example>", true),
    ("Mama <mama@gmx.de>", true), ("anna@gmail.com", true),
    ("anna.berg@firm.example", true), ("佐藤美咲 <m@firm.example>", true), ("김서연 <k@firm.example>", true),
    ("Anna <anna@firm.example>", true), ("Mama <heidi47@example.org>", true), ("Chef <b.kurz@firm.example>", true),
    ("Anna-Lena <al@firm.example>", true), ("Anna <anna@annaberg.example>", true), ("CHEF <chef@firm.example>", true),
    ("anna.berg@firm.example <anna.berg@firm.example>", true), ("k4711@firm.example <k4711@firm.example>", false),
    ("Zalando <zalando@news.zalando.example>", false), ("ALDI <angebot@aldi-mails.example>", false),
    ("Booking.com <reise@booking.com>", false), ("Finanzamt <stelle@land.example>", false),
    ("Anna <no-reply@firm.example>", false), ("Anna <info@firm.example>", false), ("Web24 <x@firm.example>", false),
    ("anna@firm.example", false), ("LinkedIn Team <x@firm.example>", false),
    ("Anna Berg via Board <anna@firm.example>", false), ("Anna Berg <no-reply@firm.example>", false),
    ("Anna Berg <noreply-4711@firm.example>", false), ("Anna Berg <do_not_reply@firm.example>", false),
    ("Anna Berg <notifications@firm.example>", false), ("Anna Berg <info@firm.example>", false),
    ("Muster GmbH <anna@firm.example>", false), ("Anna Berg 24 <anna@firm.example>", false),
    ("One Two Three Four Five <anna@firm.example>", false), ("Netz Alerts <alerts@gmail.com>", false),
    ("anna.team@firm.example", false), ("", false),
  ])
  func personIsToldFromProgram(from: String, isHuman: Bool) {
    let result = classify(from.isEmpty ? ["Subject: x"] : ["From: \(from)", "Subject: x"])
    #expect(result.isHuman == isHuman, "\(result.reasons.map(\.rawValue))")
    #expect((result.category == .people) == isHuman)
  }

  @Test(arguments: [
    ("List-Unsubscribe: <https://x.example>", Classification.Reason.listUnsubscribe),
    ("List-ID: <x.example.org>", .listID), ("List-Post: <mailto:x@example.org>", .listPost),
    ("Precedence: bulk", .precedence), ("Precedence: List", .precedence), ("Precedence: junk", .precedence),
    ("Auto-Submitted: auto-generated", .autoSubmitted), ("Feedback-ID: a:b", .campaignHeader),
    ("Return-Path: <b@mail.sendgrid.net>", .marketingDomain), ("Sender: x@list-manage.com", .marketingDomain),
    ("X-Gmail-Labels: Inbox, Category_Promotions", .gmailCategory), ("X-Gmail-Labels: Social", .gmailCategory),
  ])
  func bulkIsToldByItsHeader(header: String, reason: Classification.Reason) {
    let result = classify(["From: Anna Berg <anna@firm.example>", header])
    #expect(result.isBulk && result.category != .people)
    #expect(result.reasons.contains(reason))
  }

  @Test(arguments: [
    "Auto-Submitted: no", "Precedence: normal", "List-Post: NO", "Return-Path: <b@sendgrid.net.example>",
    "X-Gmail-Labels: Inbox",
  ])
  func headerThatMeansNothingIsNoBulk(header: String) {
    let result = classify(["From: Anna Berg <anna@firm.example>", header])
    #expect(!result.isBulk && result.category == .people)
  }

  @Test func teamIsBulk() {
    let result = classify(["From: The Cloud Team <anna@firm.example>"])
    #expect(result.isBulk && result.reasons.contains(.teamName) && result.category == .newsletter)
  }

  @Test(arguments: [
    (["From: Shop <news@shop.example>", "List-Unsubscribe: <x>"], Classification.Category.newsletter),
    (["From: Anna Berg <a@x.example>", "List-ID: <l.x>", "List-Post: <mailto:l@x>", "Precedence: list"], .mailingList),
    (["From: Shop <news@shop.example>", "List-ID: <l.x>", "List-Unsubscribe: <x>"], .newsletter),
    (["From: Cron <root@x.example>", "Auto-Submitted: auto-generated"], .notification),
    (["From: Anna Berg <a@x.example>", "Auto-Submitted: auto-replied", "Return-Path: <>"], .notification),
    (["From: Post <noreply@x.example>", "Subject: Ihr Paket kommt heute"], .notification),
    (["From: Net <noreply@x.example>", "Subject: Security alert"], .security),
    (["From: Netz <noreply@x.example>", "Subject: Neue Anmeldung in deinem Konto"], .security),
    (["From: Anna Berg <a@x.example>", "Subject: new login page design"], .people),
    (["From: Shop <noreply@x.example>", "Subject: Your receipt"], .invoice),
    (["From: Werk <service@x.example>", "Subject: Ihre Stromrechnung"], .invoice),
    (["From: Anna Berg <a@x.example>", "Subject: Re: Rechnung"], .people),
    (["From: Institut <service@x.example>", "Subject: Neue Berechnung der Statik"], .other),
    (["From: MAILER-DAEMON@x.example", "Return-Path: <>", "Subject: Returned mail"], .bounce),
    (["From: Mail System <postmaster@x.example>", "Subject: Unzustellbar: Hallo"], .bounce),
    (["From: Post Office <postmaster@x.example>", "Subject: New mail server"], .notification),
    (["From: x@x.example", "Content-Type: multipart/report; report-type=delivery-status; boundary=b"], .bounce),
    (["From: Anna Berg <a@x.example>", "Content-Type: text/calendar; method=REQUEST"], .calendar),
    (["From: Anna Berg <a@x.example>", "X-Spam-Flag: YES"], .spam),
    (["From: Anna Berg <a@x.example>", "X-Spam-Status: No, score=1"], .people),
    (["From: Firm <info@x.example>"], .other),
    (["From: Jana <jana@example.com>", "Precedence: bulk"], .people),
  ])
  func categoryFollowsTheSigns(headers: [String], category: Classification.Category) {
    let result = classify(headers)
    #expect(result.category == category, "\(result.reasons.map(\.rawValue))")
  }

  @Test func billWithADocumentIsAnInvoiceWhoeverSendsIt() throws {
    var bill = OutgoingMessage(
      from: Address(name: "Beat Zumstein", address: "beat@example.net"), to: [Address(address: "jana@example.com")],
      subject: "Rechnung Oktober", text: "anbei")
    func category() throws -> Classification.Category {
      let bytes = try bill.encoded(messageID: "1@example.net", date: MessageDate(secondsSinceEpoch: 0))
      return classifier.classify(Message(parsing: bytes)).category
    }
    #expect(try category() == .people)
    bill.attachments = [OutgoingAttachment(name: "scan.pdf", type: "application/pdf", data: [1])]
    #expect(try category() == .invoice)
    bill.subject = "wie besprochen"
    #expect(try category() == .people)
    bill.attachments[0].name = "Rechnung_10.PDF"
    bill.attachments[0].type = "application/octet-stream"
    #expect(try category() == .invoice)
    bill.inReplyTo = "0@example.com"
    #expect(try category() == .people)
  }

  @Test func ownThreadCountsAsPeople() {
    let headers = ["From: Firm <info@x.example>", "List-Unsubscribe: <x>", "Subject: Re: question"]
    #expect(classify(headers).category == .newsletter)
    let result = classify(headers, isOwnThread: true)
    #expect(result.category == .people && result.reasons.contains(.ownThread))
    #expect(classify(headers + ["Auto-Submitted: auto-replied"], isOwnThread: true).category != .people)
  }

  @Test func rulesCanBeWidened() {
    var own = Classifier()
    own.rules.personalDomains.insert("family.example")
    let message = Message(parsing: Array("From: oma@mail.family.example\n\n".utf8))
    #expect(own.classify(message).category == .people)
    #expect(Classifier().classify(message).category == .other)
  }
}
