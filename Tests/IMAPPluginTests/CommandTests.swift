import MailWire
import PluginKit
import Testing

@testable import IMAPPlugin

struct CommandTests {
  private func text(_ command: Command, _ form: Command.LiteralForm = .immediate) -> [String] {
    command.encoded(tag: "a", literals: form).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func search(_ key: SearchKey) -> String {
    var command = Command("UID SEARCH")
    command.search(key)
    return text(command)[0]
  }

  @Test func stringsAreQuotedOrLiteral() {
    var command = Command("LOGIN")
    command.astring(#"a"b\c"#)
    command.astring("ä")
    #expect(text(command) == ["a LOGIN \"a\\\"b\\\\c\" {2+}\r\nä\r\n"])
    #expect(text(command, .synchronizing) == ["a LOGIN \"a\\\"b\\\\c\" {2}\r\n", "ä\r\n"])
    #expect(text(command, .immediateIfSmall) == ["a LOGIN \"a\\\"b\\\\c\" {2+}\r\nä\r\n"])
  }

  @Test func lineEndsInValuesEndNoCommand() {
    var command = Command("SELECT")
    command.mailbox(Array("x\r\na DELETE y".utf8))
    #expect(text(command, .synchronizing) == ["a SELECT {13}\r\n", "x\r\na DELETE y\r\n"])
  }

  @Test func largeLiteralsWaitWhereOnlySmallOnesMayNot() {
    var command = Command("APPEND")
    command.literal([UInt8](repeating: 65, count: 5000))
    let chunks = command.encoded(tag: "a", literals: .immediateIfSmall)
    #expect(chunks.map(\.awaitsContinuation) == [false, true])
    #expect(chunks[1].bytes.count == 5002)
  }

  @Test func setsAreShort() {
    #expect(UIDSet([5, 3, 1, 2, 9, 10, 3]).text == "1:3,5,9:10")
    #expect(UIDSet([UInt32.max, UInt32.max - 1]).text == "4294967294:4294967295")
  }

  @Test(arguments: [
    (SearchKey.all, "ALL"),
    (.flag("\\Seen"), "SEEN"),
    (.not(.flag("\\Seen")), "UNSEEN"),
    (.not(.flag("Projekt")), "UNKEYWORD Projekt"),
    (.or([.larger(5), .smaller(3), .flag("x")]), "OR (LARGER 5) OR (SMALLER 3) KEYWORD x"),
    (.and([.uid(UIDSet([1, 2])), .not(.text(.from, "a b"))]), "(UID 1:2 NOT (FROM \"a b\"))"),
    (.not(.or([.header("X-A", ""), .all])), "NOT (OR (HEADER \"X-A\" \"\") ALL)"),
    (.and([.gmail(#"has:attachment "x y""#), .flag("\\Seen")]), #"(X-GM-RAW "has:attachment \"x y\"" SEEN)"#),
    (.on(.sentSince, SearchDay(seconds: 837_596_665)), "SENTSINCE 17-Jul-1996"),
  ])
  func conditionsAreWritten(_ key: SearchKey, _ expected: String) {
    #expect(search(key) == "a UID SEARCH \(expected)\r\n")
  }

  @Test func daysAreThoseOfTheCalendar() {
    #expect(SearchDay(seconds: 0).text == "1-Jan-1970")
    #expect(SearchDay(seconds: -1).text == "31-Dec-1969")
    #expect(SearchDay(seconds: 951_782_400).text == "29-Feb-2000")
    #expect(SearchDay(seconds: .min).text == "1-Jan-0001")
    #expect(SearchDay(seconds: .max).text == "31-Dec-9999")
  }

  @Test func serversAreAskedForMoreWhereTheyCannotDecide() throws {
    let dialect = QueryTranslation.Dialect(validity: 7)
    func translate(_ json: JSONValue) throws -> QueryTranslation {
      QueryTranslation(try MailQuery(json).simplified, dialect)
    }
    let from = try translate(["from": "anna"])
    func sent(by text: String) -> SearchKey { .or([.text(.from, text), .header("Sender", text)]) }
    #expect(from.superset == .or([sent(by: "anna"), sent(by: "xn--")]))
    // The server gets the part before an international domain; the part behind it has two spellings.
    #expect(try translate(["from": "anna@müller.example"]).superset == sent(by: "anna@"))
    #expect(try translate(["from": "anna@xn--mller-kva.example"]).superset == sent(by: "anna@"))
    #expect(try translate(["to": "müller"]).superset == .all)
    #expect(try translate(["to": "XN--mller"]).superset == .all)
    #expect(try translate(["to": "a+b"]).superset == .text(.to, "a+b"))
    #expect(!from.isExact)
    // What is no exact answer says nothing about its opposite.
    #expect(try translate(["not": ["from": "anna"]]).superset == .all)
    #expect(try translate(["and": [["not": ["subject": "x"]], ["flag": "\\Seen"]]]).superset == .flag("\\Seen"))
    #expect(try translate(["or": [["subject": "x"], ["flag": "\\Seen"]]]).subset == .flag("\\Seen"))
    let exact = try translate(["and": [["larger": 10], ["not": ["flag": "seen"]], ["uid": ["7.3", "8.4"]]]])
    #expect(exact.isExact)
    #expect(exact.superset == .and([.larger(10), .not(.flag("\\Seen")), .uid(UIDSet([3]))]))
    #expect(
      try translate(["subject": "a\"b  c"]).superset
        == .and([.text(.subject, "a"), .text(.subject, "b"), .text(.subject, "c")]))
    // Servers do not decode raw 8 bit, and see neither through HTML nor into S/MIME; Gmail finds whole words.
    #expect(try translate(["subject": "Müller"]).superset == .all)
    #expect(try translate(["subject": "Müller Rechnung"]).superset == .text(.subject, "Rechnung"))
    #expect(try translate(["and": [["text": "x"], ["body": "y"], ["flag": "\\Seen"]]]).superset == .flag("\\Seen"))
    let gmail = QueryTranslation.Dialect(validity: 7, isGmail: true)
    #expect(QueryTranslation(try MailQuery(["subject": "echn"]).simplified, gmail).superset == .all)
  }
}
