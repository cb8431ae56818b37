import MailWire
import PluginKit
import Testing

@testable import MaildirPlugin

struct MessageNameTests {
  @Test(arguments: [
    ("1.M2P3Q4.host", "1.M2P3Q4.host", "", ""), ("1.M2.host:2,", "1.M2.host", "", ""),
    ("1.M2.host:2,FS", "1.M2.host", "", "FS"), ("1.M2.host:2,SF", "1.M2.host", "", "FS"),
    ("1.M2.host,S=12,W=14:2,RS", "1.M2.host", ",S=12,W=14", "RS"), ("1.M2.host:2,Sab", "1.M2.host", "", "Sab"),
    ("1.M2.host:1,x", "1.M2.host", "", ""), ("x", "x", "", ""), ("1.host:2,SSS", "1.host", "", "S"),
  ])
  func readsFileNames(_ fileName: String, _ unique: String, _ attributes: String, _ flags: String) throws {
    let name = try #require(MessageName(fileName: fileName))
    #expect(name.unique == unique)
    #expect(name.attributes == attributes)
    #expect(name.flags.text == flags)
  }

  @Test(arguments: ["", ".hidden", ".nfs0001", ":2,S", ",S=3"])
  func ignoresOtherFiles(_ fileName: String) {
    #expect(MessageName(fileName: fileName) == nil)
  }

  @Test(arguments: [("a,S=12:2,", 12), ("a,W=14,S=12", 12), ("a,S=x", nil), ("a", nil)])
  func readsTheSize(_ fileName: String, _ size: Int?) throws {
    #expect(try #require(MessageName(fileName: fileName)).size == size)
  }

  @Test func keepsAttributesAndSortsFlags() throws {
    var name = try #require(MessageName(fileName: "1.host,S=12,W=14:2,S"))
    name.flags = name.flags.changed(adding: ["R", "D", "F"], removing: ["T"])
    #expect(name.withFlags == "1.host,S=12,W=14:2,DFRS")
    #expect(name.withoutFlags == "1.host,S=12,W=14")
  }

  @Test(
    arguments: [
      ("\\Seen", "S"), ("seen", "S"), ("\\ANSWERED", "R"), ("Flagged", "F"), ("\\Deleted", "T"), ("\\Draft", "D"),
      ("$Forwarded", "P"), ("forwarded", "P"), ("passed", "P"),
    ] as [(String, Character)])
  func knowsImapFlags(_ flag: String, _ letter: Character) throws {
    let name = try MailFlag.checked(flag)
    #expect(MessageFlags.letter(name) == letter)
  }

  @Test(arguments: ["", "\\Recent", "\\Custom", "two words", "a\"b", "Büro", String(repeating: "a", count: 101)])
  func refusesWhatNoStoreKeeps(_ flag: String) {
    #expect(throws: ActionError(.invalidInput, "")) { try MailFlag.checked(flag) }
  }

  @Test func spellsFlagsAsImapDoes() {
    #expect(
      MessageFlags(letters: "TSRPFDa").imapNames
        == ["\\Draft", "\\Flagged", "$Forwarded", "\\Answered", "\\Seen", "\\Deleted"])
  }

  @Test func makesNamesOfTheUsualForm() throws {
    let name = UniqueName.make(at: 1_800_000_000_123)
    #expect(name.wholeMatch(of: /1800000000\.M123000P\d+Q\d+\.[^\/:,]+/) != nil)
    #expect(UniqueName.make(at: 1_800_000_000_123) != name)
    #expect(UniqueName.make(at: -5).hasPrefix("0.M0P"))
  }

  @Test func escapesHostNames() {
    #expect(UniqueName.escaped("a/b:c,d.example") == "a\\057b\\072c\\054d.example")
  }

  @Test func findsItsMarks() {
    let mark = UniqueName.mark(key: "run/step")
    #expect(mark.count == 17)
    #expect(UniqueName.mark(of: UniqueName.make(at: 1, mark: mark)) == mark)
    #expect(UniqueName.mark(of: UniqueName.make(at: 1, mark: UniqueName.mark(key: "run/other"))) != mark)
    #expect(UniqueName.mark(of: "plain") == nil)
  }
}
