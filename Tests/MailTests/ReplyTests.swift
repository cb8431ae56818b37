import Localization
import Testing

@testable import Mail

struct ReplyTests {
  private let jana = Address(name: "Jana Keller", address: "jana@example.com")

  private func original(_ extra: String = "", html: Bool = false) -> Message {
    let content =
      html
      ? """
      Content-Type: multipart/mixed; boundary=m

      --m
      Content-Type: multipart/related; boundary=r

      --r
      Content-Type: text/html; charset=utf-8

      <html><head><style>p{color:red}</style></head><body onload="x()"><p>Grüße <img src="cid:pic@x"></p>\
      <img src="https://t.example/o" width=1 height=1><script>x</script></body></html>
      --r
      Content-Type: image/png; name=p.png
      Content-ID: <pic@x>
      Content-Transfer-Encoding: base64

      iVBORw0KGgo=
      --r--
      --m
      Content-Type: application/pdf; name="Plan Ä.pdf"
      Content-Transfer-Encoding: base64

      JVBERi0=
      --m--
      """ : "Content-Type: text/plain; charset=utf-8\n\nGrüße\n> older\n\n\nEnde\n\n-- \nAnna\nTel. 1"
    let header = """
      From: Anna Berg <anna@example.org>
      To: Jana <JANA@example.com>, Ben <ben@example.org>
      Cc: jana.k+x@googlemail.com, cora@example.org, Ben <BEN@example.org>
      Date: Thu, 05 Nov 2026 09:02:13 +0100
      Message-ID: <2@x>
      In-Reply-To: <1@x>
      Subject: AW: Re: Plan

      """
    return Message(parsing: Array((header.dropLast() + extra + "\n" + content).utf8))
  }

  @Test func answerQuotesText() throws {
    let answer = OutgoingMessage.reply(to: original(), from: jana, text: "Danke!\n", language: .german)
    #expect(answer.to.map(\.address) == ["anna@example.org"] && answer.cc.isEmpty)
    #expect(answer.subject == "Re: Plan")
    #expect(answer.inReplyTo == "2@x" && answer.references == ["1@x", "2@x"])
    #expect(
      answer.text
        == "Danke!\n\nAm 5. November 2026 um 09:02 schrieb Anna Berg:\n> Grüße\n>> older\n>\n>\n> Ende\n")
    #expect(answer.html == nil && answer.relatedFiles.isEmpty)
  }

  @Test func answerToAllLeavesOwnersOut() {
    let answer = OutgoingMessage.reply(
      to: original(), from: jana, recipients: .all, owners: ["Jana.K@gmail.com"], text: "x", quotes: false)
    #expect(answer.to.map(\.address) == ["anna@example.org"])
    #expect(answer.cc.map(\.address) == ["ben@example.org", "cora@example.org"])
    #expect(answer.text == "x")
  }

  @Test func answerToOwnMessageGoesToItsRecipients() {
    let answer = OutgoingMessage.reply(to: original(), from: Address(address: "anna@example.org"), text: "x")
    #expect(answer.to.map(\.address) == ["JANA@example.com", "ben@example.org"])
  }

  @Test func answerToListGoesToList() {
    let message = original("\nList-Post: <mailto:l@lists.example.org>")
    #expect(
      OutgoingMessage.reply(to: message, from: jana, recipients: .list, text: "x").to.map(\.address) == [
        "l@lists.example.org"
      ])
    #expect(OutgoingMessage.reply(to: original(), from: jana, recipients: .list, text: "x").cc.count == 3)
    let directed = original("\nReply-To: desk@example.org")
    #expect(OutgoingMessage.reply(to: directed, from: jana, text: "x").to.map(\.address) == ["desk@example.org"])
  }

  @Test func answerQuotesHTMLWithItsPictures() throws {
    let answer = OutgoingMessage.reply(to: original(html: true), from: jana, text: "Ja <gern>")
    let html = try #require(answer.html)
    #expect(html.contains("Ja &lt;gern&gt;") && html.contains("<blockquote") && html.contains("src=\"cid:pic@x\""))
    #expect(html.contains("On 5 November 2026 at 09:02, Anna Berg wrote:"))
    for forbidden in ["onload", "script", "t.example", "<style", "<body"] { #expect(!html.contains(forbidden)) }
    #expect(answer.relatedFiles.map(\.contentID) == ["pic@x"] && answer.attachments.isEmpty)
    let bytes = try answer.encoded(messageID: "3@x", date: MessageDate(secondsSinceEpoch: 0))
    let read = Message(parsing: bytes)
    #expect(
      read.defects.isEmpty && read.body.leaves.map(\.contentType.mediaType) == ["text/plain", "text/html", "image/png"])
    #expect(try #require(read.sanitizedHTML()).html.contains("data:image/png;base64,iVBORw0KGgo="))
  }

  @Test func forwardedMessageKeepsFiles() throws {
    let passed = OutgoingMessage.forward(
      original(html: true), from: jana, to: [Address(address: "d@example.org")], text: "Zur Info", language: .german)
    #expect(passed.subject == "Fwd: AW: Re: Plan" && passed.inReplyTo == nil && passed.references == ["1@x", "2@x"])
    #expect(passed.attachments.map(\.name) == ["Plan Ä.pdf"] && passed.attachments[0].data == Array("%PDF-".utf8))
    #expect(passed.relatedFiles.map(\.name) == ["p.png"])
    let text = try #require(passed.text)
    #expect(
      text.hasPrefix(
        "Zur Info\n\n---------- Weitergeleitete Nachricht ----------\nVon: Anna Berg <anna@example.org>\nDatum: 5. November 2026, 09:02\nBetreff: AW: Re: Plan\nAn: "
      ))
    #expect(text.contains("Grüße"))
    #expect(passed.html?.contains("<b>Von:</b> Anna Berg &lt;anna@example.org&gt;") == true)
  }

  @Test func forwardedAsFileStaysAsItWas() throws {
    let message = original(html: true)
    let passed = OutgoingMessage.forward(message, from: jana, to: [jana], form: .attachment)
    let read = Message(parsing: try passed.encoded(messageID: "3@x", date: MessageDate(secondsSinceEpoch: 0)))
    let file = try #require(read.attachments.first)
    #expect(file.type == "message/rfc822" && file.name == "AW: Re: Plan.eml")
    guard case .message(let inner) = file.part.content else {
      Issue.record("the file is no message")
      return
    }
    #expect(inner.subject == message.subject && inner.attachments.count == message.attachments.count)
  }

  @Test(arguments: [
    ("Plan", "Re: Plan", "Fwd: Plan", "Plan"), ("Re: Plan", "Re: Plan", "Fwd: Re: Plan", "Plan"),
    ("AW: Plan", "Re: Plan", "Fwd: AW: Plan", "Plan"),
    ("AW: WG: Re[2]: Plan", "Re: WG: Re[2]: Plan", "Fwd: AW: WG: Re[2]: Plan", "Plan"),
    ("WG: Fwd: Plan", "Re: WG: Fwd: Plan", "Fwd: Plan", "Plan"),
    ("RE : re(3): Plan", "Re: Plan", "Fwd: RE : re(3): Plan", "Plan"),
    ("Re：Plan", "Re: Plan", "Fwd: Re：Plan", "Plan"), ("", "Re:", "Fwd:", ""),
    ("Res publica", "Re: Res publica", "Fwd: Res publica", "Res publica"),
    ("Rewe: Angebot", "Re: Rewe: Angebot", "Fwd: Rewe: Angebot", "Rewe: Angebot"),
  ])
  func marksOfSubjectsAreKnown(subject: String, answer: String, forward: String, base: String) {
    #expect(SubjectLine.answer(subject) == answer)
    #expect(SubjectLine.forward(subject) == forward)
    #expect(SubjectLine.base(subject) == base)
  }
}
