import Foundation
import PluginKit
import Testing

@testable import MaildirPlugin

struct LabelTests {
  private func labels(_ plugin: TemporaryMaildir.Plugin, _ folder: String = "INBOX") async throws -> [[String]] {
    let output = try await plugin.call(
      "mail.search", ["folder": .string(folder), "fields": ["labels"], "order": "oldest"])
    return (output["messages"]?.array ?? []).map { ($0["labels"]?.array ?? []).compactMap(\.string) }
  }

  @Test func keepsLabelsAsDovecotDoes() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("new/1.a")
    try temporary.write("dovecot-keywords", "0 $Junk\n2 Steuer\n")
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a"], "add": ["work", "steuer", "$Junk", "\\Seen"]]
    #expect(try await plugin.call("mail.flag", input) == ["changed": 1, "missing": []])
    // The first free letter is b; names that are there already keep theirs, whatever the case.
    #expect(temporary.names("cur") == ["1.a:2,Sabc"])
    #expect(try temporary.content("dovecot-keywords") == "0 $Junk\n1 work\n2 Steuer\n")
    #expect(try await labels(plugin) == [["work", "Steuer"]])
    #expect(try await plugin.call("mail.flag", input) == ["changed": 0, "missing": []])
    #expect(
      try await plugin.call(
        "mail.flag", ["folder": "INBOX", "uids": ["1.a"], "remove": ["STEUER", "unknown"]]) == [
          "changed": 1, "missing": [],
        ])
    #expect(temporary.names("cur") == ["1.a:2,Sab"])
    #expect(temporary.names(".").filter { $0.hasSuffix(".lock") } == [])
    let found = try await plugin.call("mail.search", ["query": ["flag": "WORK"], "fields": ["flags"]])
    #expect(found["total"] == 1)
  }

  @Test func labelsGoAlongToFoldersWithOtherLetters() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("dovecot-keywords", "0 red\n1 blue\n")
    try temporary.write("cur/1.a:2,Sabz")
    try temporary.write("cur/2.a:2,b")
    try temporary.write(".Archive/cur/9.a:2,a")
    try temporary.write(".Archive/dovecot-keywords", "0 green\n1 red\n")
    let plugin = try temporary.open()
    _ = try await plugin.call("mail.move", ["folder": "INBOX", "uids": ["1.a"], "to": "Archive"])
    _ = try await plugin.call("mail.copy", ["folder": "INBOX", "uids": ["2.a"], "to": "Archive"])
    #expect(try temporary.content(".Archive/dovecot-keywords") == "0 green\n1 red\n2 blue\n")
    // z has no name in either folder and stays.
    #expect(temporary.names(".Archive/cur").contains("1.a:2,Sbcz"))
    #expect(Set(try await labels(plugin, "Archive")) == [["red", "blue"], ["green"], ["blue"]])
  }

  @Test func refusesMoreLabelsThanThereAreLetters() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,")
    try temporary.write("dovecot-keywords", (0..<26).map { "\($0) label\($0)\n" }.joined())
    let plugin = try temporary.open()
    let add: JSONValue = ["folder": "INBOX", "uids": ["1.a"], "add": ["one-more"]]
    #expect(await kind { try await plugin.call("mail.flag", add) } == .unsupported)
    #expect(
      try await plugin.call("mail.flag", ["folder": "INBOX", "uids": ["1.a"], "add": ["label25"]]) == [
        "changed": 1, "missing": [],
      ])
    #expect(temporary.names("cur") == ["1.a:2,z"])
    #expect(temporary.names(".").filter { $0.hasSuffix(".lock") } == [])
  }

  @Test func takesAStaleLockOver() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,")
    try temporary.write("dovecot-keywords.lock", "")
    temporary.touch("dovecot-keywords.lock", at: 1_700_000_000)
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a"], "add": ["x"]]
    #expect(try await temporary.open().call("mail.flag", input) == ["changed": 1, "missing": []])
    #expect(temporary.names("cur") == ["1.a:2,a"])
  }

  @Test(arguments: ["0\n", "x y\n", "26 z\n", "-1 z\n", "\n\n", " \n", "0 \n", "\u{0}\n"])
  func passesOverLinesThatAreNone(_ text: String) {
    #expect(Keywords(Array(text.utf8)).names.isEmpty)
  }
}
