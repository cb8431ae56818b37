import Foundation
import Glibc
import PluginKit
import Testing

@testable import MaildirPlugin

struct StoreActionsTests {
  private func mailbox() throws -> TemporaryMaildir {
    let temporary = try TemporaryMaildir()
    try temporary.write("new/1.a")
    try temporary.write("cur/2.a,S=5:2,S")
    return temporary
  }

  @Test func countsMessagesOfFolders() async throws {
    let temporary = try mailbox()
    try temporary.write(".Gesendet/cur/3.a:2,S")
    #expect(
      try await temporary.open().call("mail.folders") == [
        "folders": [
          ["name": "INBOX", "special_use": nil, "total": 2, "unseen": 1],
          ["name": "Gesendet", "special_use": "\\Sent", "total": 1, "unseen": 0],
        ]
      ])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every file"))
  func aFileThatCannotBeReadIsNamedAndTheOthersAreRead() async throws {
    let temporary = try mailbox()
    chmod(temporary.path + "/cur/2.a,S=5:2,S", 0)
    let plugin = try temporary.open()
    let page = try await plugin.call("mail.search", ["fields": ["subject"]])
    #expect(page["messages"]?.array?.compactMap { $0["uid"]?.string } == ["1.a"])
    #expect(page["unreadable"]?.array?.compactMap { $0["uid"]?.string } == ["2.a"])
    let exported = try await plugin.call("mail.export", ["folder": "INBOX", "uids": ["1.a", "2.a", "3.a"]])
    #expect(exported["messages"]?.array?.compactMap { $0["uid"]?.string } == ["1.a"])
    #expect(exported["unreadable"]?.array?.compactMap { $0["uid"]?.string } == ["2.a"])
    #expect(exported["missing"] == ["3.a"])
  }

  @Test func aFileWhoseNameIsNotUTF8IsNamedAndHoldsUpNoOther() async throws {
    let temporary = try mailbox()
    let name = Array((temporary.path + "/new/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let file = Glibc.open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(file >= 0)
    close(file)
    let page = try await temporary.open().call("mail.search", ["fields": ["subject"]])
    #expect(Set(page["messages"]?.array?.compactMap { $0["uid"]?.string } ?? []) == ["1.a", "2.a"])
    #expect(page["unreadable"]?.array?.compactMap { $0["uid"]?.string } == ["caf\\xE9"])
  }

  @Test func flagsMoveMessagesFromNewToCur() async throws {
    let temporary = try mailbox()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a", "2.a"], "add": ["\\Seen", "flagged"]]
    let plugin = try temporary.open()
    #expect(try await plugin.call("mail.flag", input) == ["changed": 2, "missing": []])
    #expect(temporary.names("new") == [])
    #expect(temporary.names("cur") == ["1.a:2,FS", "2.a,S=5:2,FS"])
    #expect(try await plugin.call("mail.flag", input) == ["changed": 0, "missing": []])
    #expect(
      try await plugin.call("mail.flag", ["folder": "INBOX", "uids": ["2.a"], "remove": ["\\Seen"]]) == [
        "changed": 1, "missing": [],
      ])
    #expect(temporary.names("cur") == ["1.a:2,FS", "2.a,S=5:2,F"])
  }

  @Test func unreadStaysNewWhereNothingChanges() async throws {
    let temporary = try mailbox()
    let output = try await temporary.open().call(
      "mail.flag", ["folder": "INBOX", "uids": ["1.a"], "remove": ["\\Seen"]])
    #expect(output == ["changed": 0, "missing": []])
    #expect(temporary.names("new") == ["1.a"])
  }

  /// Another program has moved or removed one of the messages meanwhile: the others are dealt with.
  @Test(
    arguments: [
      ("mail.flag", ["folder": "INBOX", "uids": ["9.a", "2.a"], "add": ["\\Flagged"]], "changed"),
      ("mail.move", ["folder": "INBOX", "uids": ["9.a", "2.a"], "to": "B"], "moved"),
      ("mail.copy", ["folder": "INBOX", "uids": ["9.a", "2.a"], "to": "B"], "copied"),
      ("mail.archive", ["folder": "INBOX", "uids": ["9.a", "2.a"]], "moved"),
      ("mail.spam", ["folder": "INBOX", "uids": ["9.a", "2.a"]], "moved"),
      ("mail.delete", ["folder": "INBOX", "uids": ["9.a", "2.a"]], "deleted"),
      ("mail.delete", ["folder": "INBOX", "uids": ["9.a", "2.a"], "permanently": true], "deleted"),
    ] as [(String, JSONValue, String)])
  func missingMessagesAreNamedAndTheOthersDealtWith(
    _ action: String, _ input: JSONValue, _ count: String
  ) async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let output = try await plugin.call(action, input, key: "k")
    #expect(output[count] == 1)
    #expect(output["missing"] == ["9.a"])
    #expect((temporary.names("cur") == ["2.a,S=5:2,S"]) == (action == "mail.copy"))
    if action == "mail.copy" {
      #expect(try await plugin.verify(action, input, key: "k") == ["verdict": "done", "output": output])
    }
    var none = try #require(input.object)
    none["uids"] = ["9.a"]
    let nothing = try await plugin.call(action, .object(none))
    #expect(nothing[count] == 0)
    #expect(nothing["missing"] == ["9.a"])
  }

  /// A message that is nowhere may have been delivered and taken away: repeating it could double it.
  @Test func whatWasBegunAndIsNowhereIsInDoubt() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let raw = Data("Subject: raw\r\n\r\nBody\r\n".utf8).base64EncodedString()
    let input: JSONValue = ["folder": "B", "raw": .string(raw)]
    let output = try await plugin.call("mail.append", input, key: "k")
    let name = try #require(temporary.names(".B/new").first)
    try temporary.write(".C/tmp/x")
    try temporary.rename(".B/new/" + name, ".C/tmp/" + name)
    #expect(try await plugin.verify("mail.append", input, key: "k") == ["verdict": "unknown"])
    try temporary.write(".C/new/1.x")
    try temporary.rename(".C/tmp/" + name, ".C/new/" + name)
    #expect(try await plugin.verify("mail.append", input, key: "k") == ["verdict": "done", "output": output])
  }

  @Test(
    arguments: [
      ("mail.flag", ["folder": "INBOX", "uids": ["2.a"], "add": ["two words"]], ActionError.Kind.invalidInput),
      ("mail.flag", ["folder": "INBOX", "uids": ["2.a"], "add": ["seen"], "remove": ["\\Seen"]], .invalidInput),
      ("mail.flag", ["folder": "Nope", "uids": ["2.a"]], .notFound),
      ("mail.move", ["folder": "INBOX", "uids": ["2.a"], "to": "../B"], .invalidInput),
      ("mail.move", ["folder": "INBOX", "uids": ["2.a"], "to": "B", "create": false], .notFound),
      ("mail.move", ["folder": "INBOX", "to": "B"], .invalidInput),
    ] as [(String, JSONValue, ActionError.Kind)])
  func refusesWhatCannotBeDone(_ action: String, _ input: JSONValue, _ expected: ActionError.Kind) async throws {
    let temporary = try mailbox()
    #expect(await kind { try await temporary.open().call(action, input) } == expected)
  }

  @Test func movesKeepNameAndFlagsAndRepeatSafely() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a", "2.a"], "to": "Archive/2026"]
    let output = try await plugin.call("mail.move", input)
    #expect(output == ["moved": 2, "uids": ["1.a", "2.a"], "missing": []])
    #expect(temporary.names(".Archive.2026/new") == ["1.a"])
    #expect(temporary.names(".Archive.2026/cur") == ["2.a,S=5:2,S"])
    #expect(temporary.names("cur") + temporary.names("new") == [])
    #expect(try await plugin.call("mail.move", input, attempt: 2) == output)
    #expect(
      try await plugin.call("mail.move", ["folder": "Archive/2026", "uids": ["2.a"], "to": "Archive/2026"])
        == ["moved": 1, "uids": ["2.a"], "missing": []])
  }

  @Test func copiesAreNewMessagesMadeOnce() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a", "2.a"], "to": "B"]
    #expect(try await plugin.verify("mail.copy", input, key: "k") == ["verdict": "not_done"])
    let output = try await plugin.call("mail.copy", input, key: "k")
    #expect(output["copied"] == 2)
    #expect(output["uids"]?.array?.contains("2.a") == false)
    #expect(try await plugin.call("mail.copy", input, key: "k", attempt: 2) == output)
    #expect(try await plugin.verify("mail.copy", input, key: "k") == ["verdict": "done", "output": output])
    #expect(temporary.names(".B/new").count == 1)
    #expect(temporary.names(".B/cur").count == 1)
    #expect(temporary.names(".B/cur").first?.hasSuffix(",S=5:2,S") == true)
    _ = try await plugin.call("mail.copy", input, key: "other")
    #expect(temporary.names(".B/cur").count == 2)
    #expect(temporary.names("cur").count == 1)
  }

  @Test func deletesIntoTheTrashAndThenForGood() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["2.a"]]
    let moved: JSONValue = ["deleted": 1, "uids": ["2.a"], "missing": [], "to": "Trash"]
    #expect(try await plugin.call("mail.delete", input) == moved)
    #expect(temporary.names(".Trash/cur") == ["2.a,S=5:2,S"])
    #expect(try await plugin.call("mail.delete", input, attempt: 2) == moved)
    #expect(
      try await plugin.call("mail.delete", ["folder": "Trash", "uids": ["2.a"]]) == ["deleted": 1, "missing": []])
    #expect(temporary.names(".Trash/cur") == [])
  }

  @Test func usesTheTrashFolderThereIs() async throws {
    let temporary = try mailbox()
    try temporary.write(".Papierkorb/cur/9.a:2,S")
    _ = try await temporary.open().call("mail.delete", ["folder": "INBOX", "uids": ["2.a"]])
    #expect(temporary.names(".Papierkorb/cur") == ["2.a,S=5:2,S", "9.a:2,S"])
    #expect(temporary.names(".Trash") == [])
  }

  @Test func deletesForGoodOnlyOnce() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a"], "permanently": true]
    #expect(try await plugin.call("mail.delete", input) == ["deleted": 1, "missing": []])
    #expect(temporary.names("new") == [])
    #expect(try await plugin.call("mail.delete", input, attempt: 2) == ["deleted": 1, "missing": []])
    #expect(try await plugin.call("mail.delete", input) == ["deleted": 0, "missing": ["1.a"]])
  }

  @Test func appendsRawMessagesOnce() async throws {
    let temporary = try mailbox()
    let plugin = try temporary.open()
    let raw = Data("Subject: raw\r\nMessage-ID: <raw@x>\r\n\r\nBody\r\n".utf8).base64EncodedString()
    let input: JSONValue = ["folder": "Entwürfe", "raw": .string(raw), "flags": ["\\Draft", "\\Seen"]]
    #expect(try await plugin.verify("mail.append", input, key: "k") == ["verdict": "not_done"])
    let output = try await plugin.call("mail.append", input, key: "k")
    #expect(output["message_id"] == "<raw@x>")
    #expect(try await plugin.call("mail.append", input, key: "k") == output)
    #expect(try await plugin.verify("mail.append", input, key: "k") == ["verdict": "done", "output": output])
    let names = temporary.names(".Entw&APw-rfe/cur")
    #expect(names.count == 1)
    let name = try #require(names.first)
    #expect(name.hasSuffix(":2,DS"))
    #expect(try temporary.content(".Entw&APw-rfe/cur/" + name) == "Subject: raw\nMessage-ID: <raw@x>\n\nBody\n")
  }

  @Test func appendsComposedMessages() async throws {
    let temporary = try mailbox()
    let output = try await temporary.open().call(
      "mail.append",
      ["folder": "INBOX", "from": "a@x.example", "to": ["b@x.example"], "subject": "S", "text": "T"], key: "run.step")
    #expect(output["message_id"] == "<run.step@x.example>")
    #expect(temporary.names("new").count == 2)
  }

  @Test(
    arguments: [
      ["folder": "INBOX", "raw": "###"], ["folder": "INBOX", "raw": ""], ["folder": "INBOX", "from": "a@x.example"],
      ["folder": "INBOX"], ["folder": "a.b", "raw": "QQ=="],
    ] as [JSONValue])
  func refusesToAppendNothing(_ input: JSONValue) async throws {
    let temporary = try mailbox()
    #expect(await kind { try await temporary.open().call("mail.append", input) } == .invalidInput)
  }

  @Test func namesMissingRights() throws {
    let error = ActionError(FileError(code: EACCES, "open", "/mail/cur"))
    #expect(error.kind == .auth)
    #expect(error.message.contains("/mail/cur"))
    #expect(error.adviceGerman != nil)
    #expect(ActionError(FileError(code: EIO, "read", "x")).kind == .io)
    #expect(ActionError(FileError(code: EDQUOT, "write", "x")).kind == .quota)
    #expect(ActionError(FileError(code: ELOOP, "open", "x")).kind == .invalidInput)
    #expect(ActionError(FileError(code: ENOENT, "open", "x")).kind == .notFound)
  }

  @Test func describesItself() throws {
    let manifest = try JSONValue(json: Array(Manifest.json(of: MaildirPlugin.self).utf8))
    #expect(manifest["id"] == "maildir")
    #expect(manifest["contracts"] == ["mail.store/2", "mail.transport/2"])
    let effects = Dictionary(
      uniqueKeysWithValues: (manifest["actions"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["effect"]?.string) })
    #expect(
      effects == [
        "mail.folders": "read", "mail.search": "read", "mail.fetch": "read", "mail.flag": "idempotent",
        "mail.move": "idempotent", "mail.copy": "once", "mail.delete": "idempotent", "mail.append": "once",
        "mail.send": "once", "mail.raw": "read", "mail.attachment": "read", "mail.thread": "read",
        "mail.folder": "idempotent", "mail.archive": "idempotent", "mail.spam": "idempotent", "mail.verify": "read",
        "mail.list": "read", "mail.export": "read", "mail.import": "once",
      ])
    #expect(manifest["triggers"]?.array?.map { $0["name"] } == ["mail.new"])
  }
}
