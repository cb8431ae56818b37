import Mail
import MailWire
import PluginKit
import Testing

struct MailQueryTests {
  private static let source = """
    From: Anna Meier <anna@example.org>
    Sender: office@example.org
    To: Jana Keller <jana@example.net>
    Cc: Tom <tom@example.com>
    Subject: =?utf-8?q?Rechnung_f=C3=BCr_M=C3=A4rz?=
    Date: Tue, 17 Nov 2026 00:30:00 +0100
    X-Tracker: blue
    List-ID: <garden.lists.example.org>

    The amount is due.
    """

  private var message: QueryEvidence {
    let parsed = Message(parsing: Array(Self.source.utf8))
    return QueryEvidence(
      MessageFacts(
        uid: "7", folder: "INBOX", flags: [MailFlag.seen], labels: ["Steuer"],
        received: MessageDate(secondsSinceEpoch: 1_795_000_000), size: 500),
      header: parsed, text: parsed.textBody)
  }

  private static let decisions: [(JSONValue, Bool)] = [
    (["all": true], true), (["and": []], true), (["or": []], false), (["not": ["all": true]], false),
    (["from": "ANNA"], true), (["from": "meier <anna@"], true), (["from": "office"], true), (["from": "jana"], false),
    (["to": "keller"], true), (["to": "tom"], false), (["cc": "TOM"], true), (["bcc": ""], false),
    (["subject": "märz"], true), (["subject": "MÄRZ"], true), (["subject": "april"], false),
    (["header": ["name": "x-tracker", "contains": "Blue"]], true), (["header": ["name": "X-Tracker"]], true),
    (["header": ["name": "X-Other", "contains": ""]], false),
    (["header": ["name": "List-ID", "contains": "red"]], false),
    (["body": "AMOUNT"], true), (["body": "anna"], false), (["text": "anna"], true), (["text": "due"], true),
    (["text": "absent"], false),
    (["flag": "Seen"], true), (["flag": "\\SEEN"], true), (["flag": "steuer"], true), (["flag": "flagged"], false),
    (["larger": 499], true), (["larger": 500], false), (["smaller": 501], true), (["smaller": 500], false),
    // Half past midnight in Zurich is the 17th there, in London still the 16th.
    (["since": "2026-11-17"], true), (["before": "2026-11-17"], false), (["since": "2026-11-17T00:00:00Z"], false),
    (["received_since": "2026-11-18"], true), (["received_before": "2026-11-18T11:06:40Z"], false),
    (["uid": ["6", "7"]], true), (["uid": []], false),
    (["and": [["from": "anna"], ["not": ["or": [["flag": "flagged"], ["subject": "april"]]]]]], true),
  ]

  @Test(arguments: decisions)
  func decidesWithEverythingKnown(_ tree: JSONValue, _ expected: Bool) throws {
    let query = try MailQuery(tree)
    #expect(query.evaluate(message) == expected)
    #expect(query.simplified.evaluate(message) == expected)
  }

  @Test(arguments: ["müller.example", "xn--mller-kva.example", "anna@MÜLLER", "XN--mller", "Anna <anna@xn--mller"])
  func aDomainIsFoundInEitherSpelling(_ text: String) throws {
    for address in ["anna@müller.example", "anna@xn--mller-kva.example"] {
      let header = Message(parsing: Array("From: Anna <\(address)>\n\n".utf8))
      #expect(try MailQuery(["from": .string(text)]).evaluate(QueryEvidence(uid: "1", header: header)) == true)
    }
  }

  @Test func leavesOpenWhatIsNotKnown() throws {
    let unread = QueryEvidence(uid: "7", flags: [MailFlag.seen], size: 500)
    #expect(try MailQuery(["and": [["from": "anna"], ["flag": "flagged"]]]).evaluate(unread) == false)
    #expect(try MailQuery(["or": [["from": "anna"], ["flag": "seen"]]]).evaluate(unread) == true)
    #expect(try MailQuery(["and": [["from": "anna"], ["flag": "seen"]]]).evaluate(unread) == nil)
    #expect(try MailQuery(["not": ["from": "anna"]]).evaluate(unread) == nil)
    #expect(try MailQuery(["received_since": "2026-01-01"]).evaluate(unread) == nil)
    var noText = message
    noText.text = nil
    #expect(try MailQuery(["text": "due"]).evaluate(noText) == nil)
    #expect(try MailQuery(["text": "anna"]).evaluate(noText) == true)
  }

  @Test func saysWhatHasToBeRead() throws {
    #expect(try MailQuery(["and": [["flag": "x"], ["uid": ["1"]], ["larger": 1]]]).need == [])
    #expect(try MailQuery(["not": ["or": [["flag": "x"], ["subject": "y"]]]]).need == .header)
    #expect(try MailQuery(["and": [["body": "x"]]]).need == [.header, .text])
  }

  @Test func onlyGmailDecidesAboutItsOwnLanguage() throws {
    let query = try MailQuery(["and": [["gmail": "has:attachment"], ["not": ["gmail": "in:chats"]], ["from": "anna"]]])
    #expect(query.gmailSearches == ["has:attachment", "in:chats"])
    #expect(throws: ActionError(.unsupported, "")) { try query.requireNoGmail("example.com") }
    let found = query.replacingGmail(with: ["has:attachment": ["7.1", "7.2"], "in:chats": ["7.2"]])
    #expect(found == .and([.uids(["7.1", "7.2"]), .not(.uids(["7.2"])), .address(.from, TextPattern("anna"))]))
    #expect(
      query.evaluate(QueryEvidence(uid: "7.1", header: Message(parsing: Array("From: anna@x.de\n\n".utf8)))) == nil)
    try found.requireNoGmail("example.com")
  }

  @Test func simplifies() {
    let (a, b) = (MailQuery.flag("a"), MailQuery.flag("b"))
    #expect(MailQuery.and([a, .and([b, a]), .all]).simplified == .and([a, b]))
    #expect(MailQuery.or([.or([a]), .nothing]).simplified == a)
    #expect(MailQuery.and([a, .not(.all)]).simplified == .nothing)
    #expect(MailQuery.not(.not(.not(a))).simplified == .not(a))
    #expect(MailQuery.or([a, .not(.nothing)]).simplified == .all)
  }

  private static let unusable: [JSONValue] = [
    ["gmail": " "], ["gmail": 5],
    [:], "all", nil, [["all": true]], ["all": false], ["from": "a", "to": "b"], ["unknown": "x"], ["and": "x"],
    ["and": [["or": [["flag": 1]]]]], ["larger": -1], ["larger": 1.5], ["since": "yesterday"], ["uid": "1"],
    ["header": "Subject"], ["header": ["name": "A B"]], ["header": ["name": ""]], ["subject": "a\u{0}b"],
  ]

  @Test(arguments: unusable)
  func refusesWhatIsNoTree(_ tree: JSONValue) {
    #expect(throws: ActionError(.invalidInput, "")) { try MailQuery(tree) }
  }

  @Test func boundsDepthAndSize() {
    var deep: JSONValue = ["all": true]
    for _ in 0..<40 { deep = ["not": deep] }
    #expect(throws: ActionError(.invalidInput, "")) { try MailQuery(deep) }
    let wide: JSONValue = ["or": .array(Array(repeating: ["all": true], count: 1001))]
    #expect(throws: ActionError(.invalidInput, "")) { try MailQuery(wide) }
  }

  @Test func namesThePlaceOfAMistake() {
    #expect {
      try MailQuery(["and": [["all": true], ["not": ["colour": "red"]]]])
    } throws: { error in
      (error as? ActionError)?.message.contains("query.and[1].not.colour") == true
    }
  }

  @Test func flatKeysAreAnAndOfConditions() throws {
    var request = SearchRequest()
    request.unseen = true
    request.to = "x"
    request.text = "y"
    request.query = ["flag": "work"]
    let x = TextPattern("x")
    #expect(
      try request.conditions
        == .and([
          .not(.flag(MailFlag.seen)), .or([.address(.to, x), .address(.cc, x), .address(.bcc, x)]),
          .body(TextPattern("y")), .flag("work"),
        ]))
    #expect(try SearchRequest().conditions == .all)
  }

  @Test(arguments: [
    ("Straße", "STRASSE", false), ("Grüße", "GRÜSSE", false), ("É", "e\u{301}", true), ("", "x", false),
  ])
  func comparesAsCharactersNotBytes(_ text: String, _ pattern: String, _ expected: Bool) {
    #expect(TextPattern(pattern).isFound(in: text) == expected)
    #expect(TextPattern("").isFound(in: text))
  }

  @Test func cursorsKeepTheirPlace() throws {
    let cursor = PageCursor(isNewestFirst: true, seconds: 100, uid: "1.M2.host", total: 9)
    #expect(try PageCursor(cursor.text, isNewestFirst: true) == cursor)
    #expect(cursor.precedes(seconds: 99, uid: "z"))
    #expect(!cursor.precedes(seconds: 101, uid: "a"))
    #expect(cursor.precedes(seconds: 100, uid: "1.M1.host"))
    #expect(!cursor.precedes(seconds: 100, uid: "1.M2.host"))
    #expect(throws: ActionError(.invalidInput, "")) { try PageCursor(cursor.text, isNewestFirst: false) }
    for text in ["", "2", "1.newest.1.1.a", "2.newest.x.1.a", "2.newest.1.1."] {
      #expect(throws: ActionError(.invalidInput, "")) { try PageCursor(text, isNewestFirst: true) }
    }
  }
}
