import Mail
import MailWire
import PluginKit
import Testing

struct MessageJSONTests {
  private static let source = """
    From: News <news@shop.example>
    To: jana@example.net
    Bcc: hidden@example.net
    Subject: Offers
    Date: Tue, 17 Nov 2026 10:00:00 +0100
    Message-ID: <1@shop.example>
    List-Unsubscribe: <mailto:out@shop.example?subject=x>,
     <https://shop.example/out?id=1>, <ftp://shop.example/>
    List-Unsubscribe-Post: List-Unsubscribe=One-Click
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: multipart/related; boundary=r

    --r
    Content-Type: text/html

    <p>Hello <img src="cid:logo@x"></p>
    --r
    Content-Type: image/png; name=logo.png
    Content-ID: <logo@x>
    Content-Transfer-Encoding: base64

    aGVsbG8=
    --r--
    --b
    Content-Type: application/pdf
    Content-Disposition: attachment; filename=plan.pdf

    %PDF
    --b--
    """

  private var content: MessageContent {
    MessageContent(
      MessageFacts(
        uid: "3", folder: "INBOX", flags: [MailFlag.seen], labels: ["Work"],
        received: MessageDate(secondsSinceEpoch: 1_795_000_000), size: 777),
      Message(parsing: Array(Self.source.utf8)))
  }

  @Test func showsWhatVersionTwoAdds() {
    let json = MessageJSON().json(content)
    #expect(json["received"] == "2026-11-18T11:06:40Z")
    #expect(json["labels"] == ["Work"])
    #expect(json["flags"] == ["\\Seen"])
    #expect(json["bcc"] == [["name": "", "address": "hidden@example.net"]])
    #expect(
      json["list_unsubscribe"] == [
        "http": ["https://shop.example/out?id=1"], "mailto": ["mailto:out@shop.example?subject=x"], "one_click": true,
      ])
    #expect(
      json["attachments"] == [
        ["name": "logo.png", "type": "image/png", "size": 5, "part": "1.2", "content_id": "logo@x", "inline": true],
        ["name": "plan.pdf", "type": "application/pdf", "size": 4, "part": "2", "content_id": nil, "inline": false],
      ])
    #expect(json["html"] == nil)
    #expect(json["headers"] == nil)
  }

  @Test func showsEveryFieldOfItsContractAndNoOther() throws {
    let every = MessageFields(names: MessageField.allCases, headers: ["subject"])
    let names = MessageJSON().json(content, every).object?.keys ?? []
    #expect(Set(names) == Set(MessageField.allCases.map(\.rawValue)))
    #expect(names.count == MessageField.allCases.count)
  }

  @Test(arguments: MessageField.allCases)
  func showsOnlyWhatIsAskedFor(_ field: MessageField) throws {
    let fields = try MessageFields([field.rawValue], headers: field == .headers ? ["List-ID"] : nil)
    let names = Set(MessageJSON().json(content, fields).object?.keys ?? [])
    #expect(names == Set(["uid", "folder", field.rawValue]))
  }

  @Test func showsHeadersByName() throws {
    let fields = try MessageFields([], headers: ["SUBJECT", "List-Unsubscribe-Post", "X-None"])
    let json = MessageJSON().json(content, fields)
    #expect(
      json["headers"] == [
        ["name": "Subject", "value": "Offers"],
        ["name": "List-Unsubscribe-Post", "value": "List-Unsubscribe=One-Click"],
      ])
    #expect(fields.need == .header)
  }

  @Test func saysWhatHasToBeRead() throws {
    #expect(try MessageFields(["uid", "flags", "labels", "received", "size", "seen"]).need == [])
    #expect(try MessageFields(["subject", "thread", "human"]).need == .header)
    #expect(try !MessageFields(["subject"]).need.reachesBody)
    #expect(try MessageFields(["attachments"]).need == .structure)
    #expect(try MessageFields(["snippet"]).need.reachesBody)
    #expect(MessageFields.standard.need == [.header, .structure, .text])
  }

  @Test(arguments: [["colour"], ["Subject"], [""]])
  func refusesUnknownFields(_ fields: [String]) {
    #expect(throws: ActionError(.invalidInput, "")) { try MessageFields(fields) }
  }

  @Test(arguments: ["", "A B", "A:", "Ä", String(repeating: "x", count: 77)])
  func refusesNamesThatNoHeaderFieldHas(_ name: String) {
    #expect(throws: ActionError(.invalidInput, "")) { try MessageFields(nil, headers: [name]) }
  }

  @Test func knowsNoBodyWhereOnlyTheHeaderWasRead() throws {
    var header = content
    header.isHeaderOnly = true
    let json = MessageJSON().json(header)
    #expect(json["text"] == "")
    #expect(json["truncated"] == true)
    #expect(json["attachments"] == [])
    header.text = "Hello"
    header.attachments = [AttachmentFacts(name: "a", type: "text/plain", size: 1, part: "2")]
    let better = MessageJSON().json(header)
    #expect(better["text"] == "Hello")
    #expect(better["truncated"] == false)
    #expect(better["attachments"]?.array?.count == 1)
  }

  @Test func datesWithoutADateHeaderAreThoseOfReceipt() {
    let facts = MessageFacts(uid: "1", folder: "x", received: MessageDate(secondsSinceEpoch: 86_400))
    let undated = MessageContent(facts, Message(parsing: Array("Subject: x\n\nHi".utf8)))
    #expect(MessageJSON().json(undated)["date"] == "1970-01-02T00:00:00Z")
  }

  @Test(arguments: [
    ("seen", "\\Seen", false), ("\\FLAGGED", "\\Flagged", false), ("$forwarded", "$Forwarded", false),
    ("$label1", "$label1", true), ("Steuer", "Steuer", true), ("$MDNSent", "$MDNSent", false),
    ("\\Custom", "\\Custom", false), ("", "", false),
  ])
  func sortsFlagsAndLabels(_ name: String, _ canonical: String, _ isLabel: Bool) {
    #expect(MailFlag.canonical(name) == canonical)
    #expect(MailFlag.isLabel(canonical) == isLabel)
  }

  @Test(arguments: [("aé", 2, "a"), ("aé", 3, "aé"), ("👨‍👩‍👧x", 5, ""), ("abc", 0, ""), ("e\u{301}x", 3, "e\u{301}")])
  func keepsCharactersWhole(_ text: String, _ limit: Int, _ expected: String) {
    #expect(MessageJSON.cut(text, to: limit) == expected)
  }
}
