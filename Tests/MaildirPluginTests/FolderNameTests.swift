import PluginKit
import Testing

@testable import MaildirPlugin

struct FolderNameTests {
  @Test(arguments: [
    ("Archive", ".Archive"), ("Archive/2026", ".Archive.2026"), ("Entwürfe", ".Entw&APw-rfe"), ("A&B", ".A&-B"),
    ("日本語", ".&ZeVnLIqe-"), ("Rechnungen/März 26", ".Rechnungen.M&AOQ-rz 26"), ("😀", ".&2D3eAA-"),
  ])
  func mapsNamesToDirectoriesAndBack(_ display: String, _ directory: String) throws {
    #expect(try FolderName(display).directories.first == directory)
    #expect(FolderName(directory: directory)?.display == display)
  }

  @Test(arguments: ["INBOX", "inbox", "Inbox"])
  func knowsTheInboxInAnyCase(_ name: String) throws {
    #expect(try FolderName(name) == .inbox)
  }

  @Test(arguments: [
    "", "/", "a/", "/a", "a//b", ".", "..", "../x", "a/../b", "../../etc", "a/./b", "a.b", ".Archive", "a\nb",
    "a\u{0}b",
    "\u{7f}", String(repeating: "a", count: 300), String(repeating: "ü", count: 150),
  ])
  func refusesTricks(_ name: String) {
    #expect(throws: ActionError(.invalidInput, "")) { try FolderName(name) }
  }

  @Test(arguments: ["cur", ".", "..", ".a..b", ".a.", "..a", ""])
  func ignoresOtherDirectories(_ name: String) {
    #expect(FolderName(directory: name) == nil)
  }

  @Test(arguments: [(".Entwürfe", "Entwürfe"), (".a&b", "a&b"), (".&AC8-", "&AC8-"), (".&AC4-", "&AC4-")])
  func showsNamesThatAreNotEncodedAsTheyAre(_ directory: String, _ display: String) {
    #expect(FolderName(directory: directory)?.display == display)
  }

  @Test func sortsTheInboxFirst() throws {
    let names = try ["Zoo", "apple", "INBOX", "Berg"].map { try FolderName($0) }
    #expect(names.sorted().map(\.display) == ["INBOX", "apple", "Berg", "Zoo"])
  }
}
