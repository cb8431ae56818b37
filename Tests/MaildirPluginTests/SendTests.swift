import Foundation
import Mail
import MailWire
import PluginKit
import Testing

@testable import MaildirPlugin

struct SendTests {
  private static let mail: JSONValue = [
    "to": ["Me <me@example.com>", "you@example.com"], "bcc": ["hidden@example.com"], "subject": "Übersicht",
    "text": "Grüße\nvom Sous\n",
  ]

  private static func mail(_ more: JSONObject) -> JSONValue {
    guard case .object(let members) = mail else { return mail }
    return .object(members.merging(more) { _, new in new })
  }

  private func delivered(_ temporary: TemporaryMaildir, _ box: String = "new") throws -> [Message] {
    try temporary.names(box).map { Message(parsing: Array(try temporary.content(box + "/" + $0).utf8)) }
  }

  @Test func deliversIntoTheInbox() async throws {
    let temporary = try TemporaryMaildir()
    let output = try await temporary.open(["from": "Jana Keller <jana@example.org>"])
      .call("mail.send", Self.mail, key: "01JD.send")
    #expect(
      output == [
        "message_id": "<01JD.send@example.org>",
        "accepted": ["me@example.com", "you@example.com", "hidden@example.com"], "refused": [], "queue_id": nil,
      ])
    let message = try #require(try delivered(temporary).first)
    #expect(message.subject == "Übersicht")
    #expect(message.from.first?.address == "jana@example.org")
    #expect(message.to.map(\.address) == ["me@example.com", "you@example.com"])
    #expect(message.messageID == "01JD.send@example.org")
    #expect(message.textBody.contains("Grüße\nvom Sous"))
    #expect(message.date?.secondsSinceEpoch == 1_800_000_000)
    let text = try temporary.content("new/" + (temporary.names("new").first ?? ""))
    #expect(!text.contains("\r"))
    #expect(!text.contains("hidden@"))
  }

  @Test func sendsAsSousWhereNobodyIsNamed() async throws {
    let temporary = try TemporaryMaildir()
    let output = try await temporary.open().call("mail.send", Self.mail, key: "k")
    #expect(output["message_id"] == "<k@localhost>")
    #expect(try delivered(temporary).first?.from.first?.address == "sous@localhost")
  }

  @Test(arguments: [
    ("01JD2Z.send", "01JD2Z.send@localhost"), ("a_b-c.1", "a_b-c.1@localhost"),
    ("run/step#2", "sous-\(UniqueName.mark(key: "run/step#2").dropFirst())@localhost"),
    ("", "sous-\(UniqueName.mark(key: "").dropFirst())@localhost"),
    (".x", "sous-\(UniqueName.mark(key: ".x").dropFirst())@localhost"),
    ("a..b", "sous-\(UniqueName.mark(key: "a..b").dropFirst())@localhost"),
  ])
  func derivesTheMessageIDFromTheKey(_ key: String, _ expected: String) {
    #expect(Composer.messageID(key: key, sender: Composer.unnamedSender) == expected)
  }

  @Test func keepsACopyInSent() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open(["sent": "Sent", "deliver_to": "Digests/Daily"])
    _ = try await plugin.call("mail.send", Self.mail, key: "k")
    _ = try await plugin.call("mail.send", Self.mail, key: "k", attempt: 2)
    #expect(temporary.names(".Digests.Daily/new").count == 1)
    #expect(temporary.names(".Sent/cur").count == 1)
    #expect(temporary.names(".Sent/cur").first?.hasSuffix(":2,S") == true)
    #expect(temporary.names("new") == [])
  }

  @Test func completesASendThatStoppedAfterTheCopy() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open(["sent": "Sent"])
    _ = try await plugin.call("mail.send", Self.mail, key: "k")
    try FileManager.default.removeItem(atPath: temporary.path + "/new/" + (temporary.names("new").first ?? ""))
    // Somebody may have taken it away.
    #expect(try await plugin.verify("mail.send", Self.mail, key: "k") == ["verdict": "unknown"])
    _ = try await plugin.call("mail.send", Self.mail, key: "k", attempt: 2)
    #expect(temporary.names("new").count == 1)
    #expect(temporary.names(".Sent/cur").count == 1)
  }

  @Test func verifiesAfterALostAnswer() async throws {
    let temporary = try TemporaryMaildir(boxes: [])
    let plugin = try temporary.open()
    #expect(try await plugin.verify("mail.send", Self.mail, key: "k") == ["verdict": "not_done"])
    let output = try await plugin.call("mail.send", Self.mail, key: "k")
    #expect(try await plugin.verify("mail.send", Self.mail, key: "k") == ["verdict": "done", "output": output])
    #expect(try await plugin.verify("mail.send", Self.mail, key: "other") == ["verdict": "not_done"])
  }

  @Test func findsTheMessageAfterAnotherProgramRenamedIt() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let output = try await plugin.call("mail.send", Self.mail, key: "k")
    try temporary.rename("new/" + (temporary.names("new").first ?? ""), "cur/77.other.host:2,S")
    #expect(try await plugin.verify("mail.send", Self.mail, key: "k") == ["verdict": "done", "output": output])
    _ = try await plugin.call("mail.send", Self.mail, key: "k", attempt: 2)
    #expect(temporary.names("new") == [])
  }

  @Test func attachesFiles() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("files/plan.pdf", "%PDF-1.4")
    _ = try await temporary.open().call(
      "mail.send",
      Self.mail([
        "html": "<p>Hi</p>",
        "attachments": [
          ["path": .string(temporary.path + "/files/plan.pdf")],
          ["content": "aGVsbG8=", "name": "größe.txt"], ["content": "aGVs\nbG8=", "type": "application/x-test"],
        ],
      ]))
    let message = try #require(try delivered(temporary).first)
    #expect(message.attachments.map { $0.name ?? "" } == ["plan.pdf", "größe.txt", "attachment"])
    #expect(message.attachments.map(\.type) == ["application/pdf", "text/plain", "application/x-test"])
    #expect(message.attachments.map(\.size) == [8, 5, 5])
    #expect(message.htmlBody?.contains("<p>Hi</p>") == true)
  }

  private static let unusable: [(JSONObject, ActionError.Kind)] = [
    (["to": []], ActionError.Kind.invalidInput), (["to": ["nobody"]], .invalidInput),
    (["to": ["a@x.example\r\nBcc: b@x.example"]], .invalidInput), (["from": "a@x.example\nX: y"], .invalidInput),
    (["subject": "a\r\nBcc: b@x.example"], .invalidInput), (["headers": ["X-A": "a\nB: c"]], .invalidInput),
    (["headers": ["Bcc": "b@x.example"]], .invalidInput), (["headers": ["A B": "c"]], .invalidInput),
    (["reply_to": "x"], .invalidInput), (["in_reply_to": "<a@b>\nX: y"], .invalidInput),
    (["references": ["no identifier"]], .invalidInput),
    (["attachments": [["path": "/nonexistent/file"]]], .notFound), (["attachments": [["path": "/"]]], .invalidInput),
    (["attachments": [["path": "/dev/zero"]]], .invalidInput), (["attachments": [["content": "%%%"]]], .invalidInput),
    (["attachments": [["name": "x"]]], .invalidInput),
  ]

  @Test(arguments: unusable)
  func refusesWhatWouldBreakAMessage(_ more: JSONObject, _ expected: ActionError.Kind) async throws {
    let temporary = try TemporaryMaildir()
    #expect(await kind { try await temporary.open().call("mail.send", Self.mail(more)) } == expected)
    #expect(temporary.names("new") == [])
    #expect(temporary.names("tmp") == [])
  }

  @Test func refusesAttachmentsThatAreTooLarge() async throws {
    let temporary = try TemporaryMaildir()
    let path = temporary.path + "/big"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(AttachmentFile.sizeLimit + 1))
    try file.close()
    let attachments: JSONValue = ["attachments": [["path": .string(path)]]]
    guard case .object(let more) = attachments else { return }
    #expect(await kind { try await temporary.open().call("mail.send", Self.mail(more)) } == .invalidInput)
  }

  @Test func setsThreadAndFurtherHeaders() async throws {
    let temporary = try TemporaryMaildir()
    _ = try await temporary.open().call(
      "mail.send",
      Self.mail([
        "in_reply_to": "<a@x.example>", "references": ["<r@x.example>", "a@x.example"],
        "headers": ["X-Digest_Run": "7"], "reply_to": "Team <team@x.example>",
      ]))
    let message = try #require(try delivered(temporary).first)
    #expect(message.inReplyTo == ["a@x.example"])
    #expect(message.references == ["r@x.example", "a@x.example"])
    #expect(message.headers["X-Digest_Run"] == "7")
    #expect(message.replyTo.first?.address == "team@x.example")
  }

  private static let badConfigurations: [JSONObject] = [["from": "nobody"], ["sent": "../x"], ["deliver_to": "a.b"]]

  @Test(arguments: badConfigurations)
  func refusesABadConfiguration(_ configuration: JSONObject) async throws {
    let temporary = try TemporaryMaildir()
    #expect(await kind { try temporary.open(configuration) } == .invalidInput)
  }

  @Test func makesTheMaildirWhereToldTo() async throws {
    let temporary = try TemporaryMaildir(boxes: [])
    let path = JSONValue.string(temporary.path + "/deep/mail")
    #expect(await kind { try await temporary.open(["path": path]).call("mail.send", Self.mail) } == .notFound)
    _ = try await temporary.open(["path": path, "create": true]).call("mail.send", Self.mail)
    #expect(temporary.names("deep/mail/new").count == 1)
  }

  /// Another process may be about to publish it; what is old by every date, `removeAbandonedFiles` removes.
  @Test func leavesFilesInTmpThatWereJustGivenAnOldDate() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("tmp/dated")
    temporary.touch("tmp/dated", at: 1_000_000)
    _ = try await temporary.open().call("mail.send", Self.mail)
    #expect(temporary.names("tmp") == ["dated"])
  }
}
