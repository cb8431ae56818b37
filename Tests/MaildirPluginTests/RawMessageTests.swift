import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import MaildirPlugin

struct RawMessageTests {
  private func bytes(_ output: JSONValue, _ plugin: TemporaryMaildir.Plugin) throws -> [UInt8] {
    let name = try #require(output["blob"]?.string)
    return try #require(plugin.host.bytes(of: Blob(name: name)))
  }

  @Test(arguments: [
    ("a\nb\n", "a\r\nb\r\n"), ("a\r\nb\n\n", "a\r\nb\r\n\r\n"), ("a\rb", "a\rb"), ("\n", "\r\n"), ("a", "a"),
  ])
  func rawMessagesEndTheirLinesAsOnTheWire(_ stored: String, _ wire: String) async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,", stored)
    let plugin = try temporary.open()
    let output = try await plugin.call("mail.raw", ["folder": "INBOX", "uid": "1.a"])
    #expect(try bytes(output, plugin) == Array(wire.utf8))
    #expect(output["size"] == .integer(Int64(wire.utf8.count)))
  }

  @Test func largeMessagesGoThroughInPieces() async throws {
    let temporary = try TemporaryMaildir()
    let text = "Subject: big\n\n" + String(repeating: "0123456789abcde\n", count: 100_000)
    try temporary.write("cur/1.a:2,", text)
    let plugin = try temporary.open()
    let output = try await plugin.call("mail.raw", ["folder": "INBOX", "uid": "1.a"])
    #expect(try bytes(output, plugin) == Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
  }

  private static let withFile = """
    Subject: x
    Content-Type: multipart/mixed; boundary=b

    --b

    Text
    --b
    Content-Type: application/pdf; name="plan.pdf"
    Content-Transfer-Encoding: base64

    aGVsbG8=
    --b
    Content-Type: message/rfc822

    Subject: inner
    Content-Type: multipart/mixed; boundary=c

    --c

    Inner text
    --c
    Content-Type: text/csv
    Content-Disposition: attachment; filename=t.csv

    a,b
    --c--
    --b--
    """

  @Test func takesAttachmentsOut() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,", Self.withFile)
    let plugin = try temporary.open()
    let message = try await plugin.call("mail.fetch", ["folder": "INBOX", "uid": "1.a"])["message"]
    #expect(message?["attachments"]?.array?.map { $0["part"] } == ["2", "3"])
    let file = try await plugin.call("mail.attachment", ["folder": "INBOX", "uid": "1.a", "part": "2"])
    #expect(try bytes(file, plugin) == Array("hello".utf8))
    #expect(file["name"] == "plan.pdf")
    #expect(file["type"] == "application/pdf")
    #expect(file["size"] == 5)
    let inner = try await plugin.call("mail.attachment", ["folder": "INBOX", "uid": "1.a", "part": "3.2"])
    #expect(try bytes(inner, plugin) == Array("a,b".utf8))
    for part in ["", "4", "2.1", "x"] {
      let input: JSONValue = ["folder": "INBOX", "uid": "1.a", "part": .string(part)]
      #expect(await kind { try await plugin.call("mail.attachment", input) } == .notFound)
    }
  }

  @Test func takesBlobsWhereItGivesThem() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let source = "Subject: x\r\nMessage-ID: <7@x>\r\n\r\nBody\r\n"
    let blob = plugin.host.addBlob(Array(source.utf8))
    let output = try await plugin.call(
      "mail.append",
      [
        "folder": "Old", "blob": .string(blob.name), "flags": ["\\Seen", "kept"],
        "received": "2020-01-02T03:04:05Z",
      ])
    #expect(output["message_id"] == "<7@x>")
    let uid = try #require(output["uid"]?.string)
    let found = try await plugin.call(
      "mail.fetch", ["folder": "Old", "uid": .string(uid), "fields": ["received", "labels"]])
    #expect(
      found["message"] == [
        "uid": .string(uid), "folder": "Old", "received": "2020-01-02T03:04:05Z", "labels": ["kept"],
      ])
    #expect(found["headers"] == [])
    let raw = try await plugin.call("mail.raw", ["folder": "Old", "uid": .string(uid)])
    #expect(try bytes(raw, plugin) == Array(source.utf8))
  }

  @Test func sendsBlobsAsAttachments() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let blob = plugin.host.addBlob(Array("hello".utf8))
    let output = try await plugin.call(
      "mail.send",
      [
        "from": "a@x.example", "to": ["b@x.example"], "subject": "S", "text": "T",
        "attachments": [["blob": .string(blob.name), "name": "note.txt"]],
      ])
    #expect(output["queue_id"] == .null)
    let message = try await plugin.call("mail.search", ["fields": ["attachments"]])["messages"]?.array?.first
    #expect(
      message?["attachments"] == [
        ["name": "note.txt", "type": "text/plain", "size": 5, "part": "2", "content_id": nil, "inline": false]
      ])
    let id = try #require(output["message_id"])
    #expect(try await plugin.call("mail.verify", ["message_id": id])["found"] == true)
    #expect(
      try await plugin.call("mail.verify", ["message_id": "<other@x>"]) == ["found": false, "evidence": nil])
  }
}
