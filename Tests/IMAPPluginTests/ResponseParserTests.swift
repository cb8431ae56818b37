import Mail
import Testing

@testable import IMAPPlugin

struct ResponseParserTests {
  private func untagged(_ text: String) throws -> Untagged {
    guard case .untagged(let data) = try ResponseParser.parse(Array(text.utf8)) else {
      throw ProtocolFault(.syntax, "not untagged")
    }
    return data
  }

  private func fetched(_ text: String) throws -> FetchedMessage {
    guard case .fetch(let message) = try untagged(text) else { throw ProtocolFault(.syntax, "no FETCH") }
    return message
  }

  // RFC 9051 §7.5.2 and §8.
  @Test func fetchOfTheStandardsExample() throws {
    let message = try fetched(
      #"* 12 FETCH (FLAGS (\Seen) INTERNALDATE "17-Jul-1996 02:44:25 -0700" RFC822.SIZE 4286 ENVELOPE ("Wed, 17 Jul 1996 02:23:25 -0700 (PDT)" "IMAP4rev2 WG mtg summary and minutes" (("Terry Gray" NIL "gray" "cac.washington.edu")) (("Terry Gray" NIL "gray" "cac.washington.edu")) (("Terry Gray" NIL "gray" "cac.washington.edu")) ((NIL NIL "imap" "cac.washington.edu")) ((NIL NIL "minutes" "CNRI.Reston.VA.US") ("John Klensin" NIL "KLENSIN" "MIT.EDU")) NIL NIL "<B27397-0100000@cac.washington.edu>") BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "US-ASCII") NIL NIL "7BIT" 3028 92) UID 77)"#
    )
    #expect(message.sequenceNumber == 12)
    #expect(message.uid == 77)
    #expect(message.flags == ["\\Seen"])
    #expect(message.size == 4286)
    // date -u -d '17 Jul 1996 02:44:25 -0700' +%s
    #expect(message.internalDate == MessageDate(secondsSinceEpoch: 837_596_665, zoneOffset: -25_200))
    #expect(message.structure?.mediaType == "text/plain")
    #expect(message.structure?.parameters == [.init(name: "charset", value: "US-ASCII")])
    #expect(message.structure?.size == 3028)
  }

  @Test func structureOfPartsWithinParts() throws {
    let message = try fetched(
      #"* 1 FETCH (BODYSTRUCTURE ((("TEXT" "PLAIN" NIL NIL NIL "7BIT" 10 1)("TEXT" "HTML" NIL NIL NIL "QUOTED-PRINTABLE" 20 2 NIL NIL NIL NIL) "ALTERNATIVE" ("BOUNDARY" "a") NIL NIL)("APPLICATION" "PDF" ("NAME" "x \"y\".pdf") "<c@d>" NIL "BASE64" 400 NIL ("ATTACHMENT" ("FILENAME" {3}"#
        + "\r\n"
        + #"a)b)) NIL NIL)("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 99 ("d" "s" NIL NIL NIL NIL NIL NIL NIL NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1) 9 NIL NIL NIL) "MIXED" ("BOUNDARY" "b")))"#
    )
    let root = try #require(message.structure)
    #expect(root.mediaType == "multipart/mixed")
    #expect(root.parts.map(\.mediaType) == ["multipart/alternative", "application/pdf", "message/rfc822"])
    #expect(root.parts[0].parts.map(\.encoding) == ["7bit", "quoted-printable"])
    #expect(root.parts[1].parameters == [.init(name: "name", value: #"x "y".pdf"#)])
    #expect(root.parts[1].contentID == "<c@d>")
    #expect(root.parts[1].disposition == "attachment")
    #expect(root.parts[1].dispositionParameters == [.init(name: "filename", value: "a)b")])
    #expect(root.parts[2].parts.map(\.mediaType) == ["text/plain"])
    #expect(BodyOutline(root).textParts.map(\.number) == ["1.1", "1.2"])
  }

  @Test func sectionsHaveNamesOriginsAndNothing() throws {
    let message = try fetched(
      "* 3 FETCH (BODY[HEADER.FIELDS (FROM \"TO\")] {4}\r\nabcd UID 9 BODY[1.2]<5> \"xy\" BODY[2] NIL MODSEQ (12345678901))"
    )
    #expect(message.sections.map(\.name) == ["HEADER.FIELDS", "1.2", "2"])
    #expect(message.sections[0].content.map(Array.init) == Array("abcd".utf8))
    #expect(message.sections[1].origin == 5)
    #expect(message.sections[2].content == nil)
  }

  @Test(arguments: [
    ("s1 OK [APPENDUID 38505 3955] APPEND completed", ResponseCode.appendUID(validity: 38505, UIDSet([3955]))),
    (
      "s1 OK [COPYUID 38505 304,319:320 3956:3958] Done",
      .copyUID(validity: 38505, from: UIDSet([304, 319, 320]), to: UIDSet(3956...3958))
    ),
    ("s1 OK [READ-WRITE] SELECT completed", .readWrite),
    ("s1 OK [HIGHESTMODSEQ 9223372036854775807] Highest", .highestModSeq(9_223_372_036_854_775_807)),
    ("s1 OK [MODIFIED 7,9] Conditional STORE failed", .modified(UIDSet([7, 9]))),
    ("s1 NO [OVERQUOTA] full", .other("OVERQUOTA")),
    ("s1 NO [BADCHARSET (UTF-8)] no", .other("BADCHARSET")),
    ("s1 OK [UIDVALIDITY nonsense] x", .other("UIDVALIDITY")),
  ])
  func codesAreUnderstood(_ text: String, _ code: ResponseCode) throws {
    guard case .completion("s1", let status) = try ResponseParser.parse(Array(text.utf8)) else {
      Issue.record("no completion")
      return
    }
    #expect(status.code == code)
    #expect(!status.text.isEmpty)
  }

  @Test func searchesGiveNumbersAndSets() throws {
    guard case .search(let numbers) = try untagged("* SEARCH 2 5 6 (MODSEQ 917162500)") else { return }
    #expect(numbers == [2, 5, 6])
    guard
      case .extendedSearch(let result) = try untagged(#"* ESEARCH (TAG "A285") UID MIN 7 MAX 3800 COUNT 4 ALL 7,10:12"#)
    else {
      Issue.record("no ESEARCH")
      return
    }
    #expect(result.tag == "A285")
    #expect(result.count == 4)
    #expect(try result.all.expanded() == [7, 10, 11, 12])
  }

  @Test func mailboxesHaveAttributesAndNames() throws {
    guard case .list(let entry) = try untagged(#"* LIST (\Sent \HasNoChildren) "/" {8}"# + "\r\nGesendet") else {
      Issue.record("no LIST")
      return
    }
    #expect(entry.attributes == ["\\Sent", "\\HasNoChildren"])
    #expect(entry.delimiter == UInt8(ascii: "/"))
    #expect(entry.name == Array("Gesendet".utf8))
    guard case .mailboxStatus(let status) = try untagged("* STATUS blurdybloop (MESSAGES 231 UIDNEXT 44292)") else {
      return
    }
    #expect(status.messages == 231 && status.uidNext == 44292)
  }

  @Test(arguments: [
    "", "*", "* ", "* 1", "* 99999999999 EXISTS", "s1", "s1 ", "s1 BYE x", "* 1 FETCH", "* VANISHED", "* SEARCH 1 x",
    "* ESEARCH ALL",
  ])
  func brokenResponsesAreFaults(_ text: String) {
    #expect(throws: ProtocolFault.self) { try ResponseParser.parse(Array(text.utf8)) }
  }

  /// The items before the broken one are kept, except texts.
  @Test(arguments: [
    "", "UID 7 UID x)", "UID 7 FLAGS \\Seen)", "UID 7 BODY[] {5}\r\nabc", "UID 7 BODYSTRUCTURE ())",
    "UID 7 BODY[] \"a\r\nb\")", "UID 7 BODY[] {3}\r\nabcdef)", "UID 7 UID 0)", "UID 7 UID 4294967296)",
    "UID 7 X-THING " + String(repeating: "(", count: 100_000),
    "UID 7 BODYSTRUCTURE " + String(repeating: "(", count: 100_000),
  ])
  func aBrokenDescriptionConcernsOneMessage(_ text: String) throws {
    guard case .fetch(let message) = try untagged("* 1 FETCH (" + text) else {
      Issue.record("no FETCH")
      return
    }
    #expect(message.isDamaged && message.sections.isEmpty && message.structure == nil)
    #expect(message.uid == (text.isEmpty ? nil : 7))
  }

  @Test(arguments: ["* LIST () \"/", "* LIST () \"/\" a b", "* LSUB ()", "* LIST"])
  func aBrokenNameConcernsOneFolder(_ text: String) throws {
    guard case .unreadableMailbox = try untagged(text) else {
      Issue.record("taken for a folder")
      return
    }
  }

  @Test func aBrokenStatusConcernsOneFolder() throws {
    guard case .other = try untagged("* STATUS x (MESSAGES)") else {
      Issue.record("taken for a status")
      return
    }
  }

  @Test func nestingIsBounded() {
    let bytes = Array(("* VANISHED " + String(repeating: "(", count: 100_000)).utf8)
    #expect(throws: ProtocolFault.self) { try ResponseParser.parse(bytes) }
  }

  @Test func shortSetsOfManyNumbersAreNotWrittenOut() throws {
    guard case .extendedSearch(let result) = try untagged("* ESEARCH ALL 1:4294967295") else { return }
    #expect(throws: ProtocolFault.self) { try result.all.expanded() }
  }

  /// Whatever a server sends ends in a response or a fault; this test ends at all.
  @Test func mutatedResponsesNeverTrap() {
    let seeds = [
      #"* 12 FETCH (FLAGS (\Seen) INTERNALDATE "17-Jul-1996 02:44:25 -0700" BODY[1]<0> {3}"# + "\r\nabc UID 4)",
      #"* 1 FETCH (BODYSTRUCTURE (("TEXT" "PLAIN" ("A" "b") NIL NIL "7BIT" 10 1) "MIXED" NIL NIL NIL))"#,
      #"* LIST (\Sent) "/" "a b""#, "s1 OK [COPYUID 1 2:3 4:5] x", #"* ESEARCH (TAG "a") UID ALL 1:3"#,
    ].map { Array($0.utf8) }
    var state: UInt64 = 42
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let bytes = Array("(){}[]<>\"\\ *+:,0123NIL\r\n\u{0}".utf8)
    var understood = 0
    for _ in 0..<100_000 {
      var response = seeds[random(seeds.count)]
      for _ in 0...random(4) {
        let index = random(response.count)
        switch random(3) {
        case 0: response[index] = bytes[random(bytes.count)]
        case 1: response.insert(bytes[random(bytes.count)], at: index)
        default: response.remove(at: index)
        }
      }
      if (try? ResponseParser.parse(response)) != nil { understood += 1 }
    }
    #expect(understood > 0 && understood < 100_000)
  }
}
