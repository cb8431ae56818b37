import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// Every action against a server nobody here wrote.
@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .timeLimit(.minutes(5)))
struct DovecotActionTests {
  private let server: DovecotServer

  init() throws { server = try #require(DovecotServer.shared) }

  private func account(_ settings: JSONObject = [:]) throws -> TestAccount { try TestAccount(server, settings) }

  @Test func messagesAreStoredFoundAndRead() async throws {
    let account = try account()
    let uid = try await account.store(
      TestAccount.message("Grüße aus =?utf-8?q?K=C3=B6ln?=", id: "a1"), flags: ["\\Flagged"])
    let page = try await account.call("mail.search", ["flagged": true])
    let message = try #require(page["messages"]?.array?.first)
    #expect(page["total"] == 1)
    #expect(message["uid"] == .string(uid))
    #expect(message["subject"] == "Grüße aus Köln")
    #expect(message["message_id"] == "<a1@example.org>")
    #expect(message["from"] == ["name": "Anna Muster", "address": "anna@example.org"])
    #expect(message["seen"] == false)
    #expect(message["text"]?.string?.contains("Guten Tag") == true)
    let whole = try await account.call("mail.fetch", ["folder": "INBOX", "uid": .string(uid)])
    #expect(whole["message"]?["subject"] == "Grüße aus Köln")
    #expect(whole["headers"]?.array?.isEmpty == false)
    // Reading marks nothing.
    #expect(try await account.uids(["unseen": true]) == [uid])
  }

  /// Dovecot lists an empty file of the Maildir as a message of 0 bytes.
  @Test func anEmptyMessageIsReadLikeAnyOther() async throws {
    let account = try account()
    try await account.store(TestAccount.message("eins"))
    let file = server.maildir(account.user) + "/cur/1.empty:2,"
    try Data().write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
    let page = try await account.call("mail.search", ["fields": ["subject", "text", "attachments"]])
    #expect(page["messages"]?.array?.compactMap { $0["subject"]?.string }.sorted() == ["", "eins"])
    #expect(page["unreadable"] == nil)
    let uids = try await account.uids([:])
    let exported = try await account.call(
      "mail.export", ["folder": "INBOX", "uids": .array(uids.map(JSONValue.string))])
    #expect(exported["messages"]?.array?.count == 2 && exported["missing"] == [])
  }

  @Test func wantedFieldsAloneArePassedOn() async throws {
    let account = try account()
    try await account.store(TestAccount.message("eins"))
    let page = try await account.call("mail.search", ["fields": ["subject", "flags"], "headers": ["To"]])
    let message = try #require(page["messages"]?.array?.first?.object)
    #expect(Set(message.keys) == ["uid", "folder", "subject", "flags", "headers"])
    #expect(message["headers"] == [["name": "To", "value": "owner@example.com"]])
  }

  @Test func flagsAndLabelsAreSetAndTakenBack() async throws {
    let account = try account()
    let uid = try await account.store(TestAccount.message("eins"))
    let input: JSONValue = ["folder": "INBOX", "uids": [.string(uid)], "add": ["seen", "Projekt"]]
    #expect(try await account.call("mail.flag", input) == ["changed": 1, "missing": []])
    #expect(try await account.call("mail.flag", input) == ["changed": 0, "missing": []])
    let message = try await account.call("mail.search", ["fields": ["flags", "labels"]])["messages"]?.array?.first
    #expect(message?["flags"] == ["\\Seen"])
    #expect(message?["labels"] == ["Projekt"])
    #expect(try await account.uids(["query": ["flag": "Projekt"]]) == [uid])
    let back: JSONValue = ["folder": "INBOX", "uids": [.string(uid)], "remove": ["\\Seen", "Projekt"]]
    #expect(try await account.call("mail.flag", back) == ["changed": 1, "missing": []])
    #expect(try await account.uids(["query": ["flag": "Projekt"]]) == [])
  }

  @Test func messagesMoveAndCopyToFoldersThatAreMade() async throws {
    let account = try account()
    let first = try await account.store(TestAccount.message("eins"))
    let second = try await account.store(TestAccount.message("zwei"))
    let moved = try await account.call(
      "mail.move", ["folder": "INBOX", "uids": [.string(first)], "to": "Ablage/Büro"])
    #expect(moved["moved"] == 1)
    let there = try await account.uids(["folder": "Ablage/Büro"])
    #expect(moved["uids"] == .array(there.map(JSONValue.string)))
    let copied = try await account.call(
      "mail.copy", ["folder": "INBOX", "uids": [.string(second)], "to": "Ablage/Büro"])
    #expect(copied["copied"] == 1)
    #expect(try await account.subjects("Ablage/Büro") == ["eins", "zwei"])
    #expect(try await account.subjects("INBOX") == ["zwei"])
    let folders = try await account.call("mail.folders")["folders"]?.array ?? []
    let made = try #require(folders.first { $0["name"] == "Ablage/Büro" })
    #expect(made["total"] == 2)
    #expect(folders.first { $0["name"] == "Trash" }?["special_use"] == "\\Trash")
  }

  @Test func deletedMessagesGoToTheTrashAndFromThereForGood() async throws {
    let account = try account()
    let uid = try await account.store(TestAccount.message("eins"))
    try await account.store(TestAccount.message("zwei"))
    let deleted = try await account.call("mail.delete", ["folder": "INBOX", "uids": [.string(uid)]])
    #expect(try await account.subjects("INBOX") == ["zwei"])
    let trashed = try await account.uids(["folder": "Trash"])
    #expect(trashed.count == 1)
    #expect(
      deleted == [
        "deleted": 1, "uids": .array(trashed.map(JSONValue.string)), "missing": [], "to": "Trash",
      ])
    _ = try await account.call("mail.delete", ["folder": "Trash", "uids": .array(trashed.map(JSONValue.string))])
    #expect(try await account.subjects("Trash") == [])
  }

  @Test func deletingForGoodRemovesNothingThatOthersHaveMarked() async throws {
    let account = try account()
    let uid = try await account.store(TestAccount.message("eins"))
    let marked = try await account.store(TestAccount.message("zwei"), flags: ["\\Deleted"])
    _ = try await account.call(
      "mail.delete", ["folder": "INBOX", "uids": [.string(uid)], "permanently": true])
    #expect(try await account.uids([:]) == [marked])
  }

  @Test func archiveAndSpamHaveTheirFolders() async throws {
    let account = try account(["folders": ["spam": "Müll"]])
    let first = try await account.store(TestAccount.message("eins"))
    let second = try await account.store(TestAccount.message("zwei"))
    let archived = try await account.call("mail.archive", ["folder": "INBOX", "uids": [.string(first)]])
    #expect(archived["to"] == "Archive")
    let spam = try await account.call("mail.spam", ["folder": "INBOX", "uids": [.string(second)]])
    #expect(spam["to"] == "Müll")
    #expect(try await account.subjects("Archive") == ["eins"])
    #expect(try await account.subjects("Müll") == ["zwei"])
  }

  @Test func foldersAreCreatedRenamedSubscribedAndDeletedOnce() async throws {
    let account = try account()
    func folder(_ input: JSONObject) async throws -> JSONValue? {
      try await account.call("mail.folder", .object(input))["changed"]
    }
    #expect(try await folder(["operation": "create", "folder": "A/B"]) == true)
    #expect(try await folder(["operation": "create", "folder": "A/B"]) == false)
    #expect(try await folder(["operation": "unsubscribe", "folder": "A/B"]) == true)
    #expect(try await folder(["operation": "unsubscribe", "folder": "A/B"]) == false)
    #expect(try await folder(["operation": "subscribe", "folder": "A/B"]) == true)
    #expect(try await folder(["operation": "rename", "folder": "A/B", "to": "C"]) == true)
    #expect(try await folder(["operation": "rename", "folder": "A/B", "to": "C"]) == false)
    #expect(try await folder(["operation": "delete", "folder": "C"]) == true)
    #expect(try await folder(["operation": "delete", "folder": "C"]) == false)
    await #expect(throws: ActionError(.invalidInput, "")) {
      try await folder(["operation": "delete", "folder": "inbox"])
    }
  }

  @Test func filesComeDecodedAndMessagesAsTheyAre() async throws {
    let account = try account()
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) }
    let encoded = Data(content).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    let message = """
      From: a@example.org
      To: b@example.org
      Subject: Anhang
      Message-ID: <file@example.org>
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary=x

      --x
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: quoted-printable

      Sch=C3=B6ne Gr=
      =C3=BC=C3=9Fe
      --x
      Content-Type: application/pdf; name*=utf-8''Rechnung%20M%C3%A4rz.pdf
      Content-Disposition: attachment
      Content-Transfer-Encoding: base64

      \(encoded)
      --x--

      """
    let uid = try await account.store(message)
    let found = try await account.call("mail.search", ["fields": ["attachments", "text"]])
    let entry = try #require(found["messages"]?.array?.first)
    #expect(entry["text"]?.string?.contains("Schöne Grüße") == true)
    let listed = try await account.call("mail.search", ["fields": ["attachments"]])["messages"]?.array?.first
    let attachment = try #require(listed?["attachments"]?.array?.first)
    #expect(attachment["name"] == "Rechnung März.pdf")
    #expect(attachment["part"] == "2")
    #expect(abs((attachment["size"]?.integer ?? 0) - 100_000) < 3)
    let output = try await account.call(
      "mail.attachment", ["folder": "INBOX", "uid": .string(uid), "part": "2"])
    #expect(output["name"] == "Rechnung März.pdf")
    #expect(output["size"] == 100_000)
    let context = account.plugin.callContext()
    let blob = try await context.blobs.read(Blob(name: try #require(output["blob"]?.string)), upTo: 1 << 20)
    #expect(blob == content)
    let raw = try await account.call("mail.raw", ["folder": "INBOX", "uid": .string(uid)])
    let bytes = try await context.blobs.read(Blob(name: try #require(raw["blob"]?.string)), upTo: 1 << 20)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == message.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n"))
  }

  /// Files are the same whether the server takes their encoding off (BINARY) or the plugin does, broken ones as well.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"])
  func filesAreTheSameWhoeverDecodesThem(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server)
    let large = (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
    let encoded = Data(large).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    let parts: [(encoding: String, text: String, content: [UInt8])] = [
      ("base64", encoded, large), ("base64", "SGFs*bG8=", Array("Hallo".utf8)),
      ("BASE64", "SGFsbG8", Array("Hallo".utf8)),
      ("quoted-printable", "a=20b", Array("a b".utf8)), ("base64", "", []),
    ]
    let body = parts.map {
      "--x\nContent-Type: application/octet-stream; name=f\nContent-Transfer-Encoding: \($0.encoding)\n\n\($0.text)\n"
    }
    let uid = try await account.store(
      "Subject: f\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\(body.joined())--x--\n")
    for (index, part) in parts.enumerated() {
      let output = try await account.call(
        "mail.attachment", ["folder": "INBOX", "uid": .string(uid), "part": .string("\(index + 1)")])
      let blob = Blob(name: try #require(output["blob"]?.string))
      #expect(account.host.bytes(of: blob) == part.content, "part \(index + 1)")
      #expect(output["size"]?.integer == Int64(part.content.count))
    }
  }

  @Test func textOfLargeMessagesIsReadWithoutTheirFiles() async throws {
    let account = try account()
    let filler = String(repeating: String(repeating: "QUJD", count: 19) + "\n", count: 20_000)
    try await account.store(
      """
      From: a@example.org
      Subject: gross
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary=x

      --x
      Content-Type: text/plain; charset=iso-8859-1
      Content-Transfer-Encoding: quoted-printable

      F=FCr Sie
      --x
      Content-Type: image/png; name="bild.png"
      Content-Transfer-Encoding: base64

      \(filler)
      --x--

      """)
    let page = try await account.call("mail.search", ["fields": ["text", "attachments", "size", "truncated"]])
    let message = try #require(page["messages"]?.array?.first)
    #expect(message["text"]?.string?.contains("Für Sie") == true)
    #expect(message["truncated"] == false)
    #expect(message["attachments"]?.array?.first?["size"] == 1_140_000)
    let received = await account.plugin.plugin.account.connections.bytesReceived
    #expect(received < 100_000)
  }

  @Test func threadsHoldAnswersFromOtherFolders() async throws {
    let account = try account()
    let uid = try await account.store(TestAccount.message("Frage", id: "root", date: "Tue, 1 Jul 2025 10:00:00 +0200"))
    let answer = TestAccount.message("Re: Frage", id: "answer", date: "Tue, 1 Jul 2025 11:00:00 +0200")
    try await account.store("References: <root@example.org>\n" + answer, in: "Sent")
    try await account.store(TestAccount.message("Anderes"))
    let thread = try await account.call(
      "mail.thread", ["folder": "INBOX", "uid": .string(uid), "fields": ["subject"]])
    #expect(thread["messages"]?.array?.compactMap { $0["subject"]?.string } == ["Frage", "Re: Frage"])
  }

  /// Asked for what was sent, it finds the question that came in, and the one that was put away.
  @Test func threadsOfSentMessagesHoldWhatCameIn() async throws {
    let account = try account()
    try await account.store(TestAccount.message("Frage", id: "root", date: "Tue, 1 Jul 2025 10:00:00 +0200"))
    let uid = try await account.store(
      "References: <root@example.org>\n"
        + TestAccount.message("Re: Frage", id: "answer", date: "Tue, 1 Jul 2025 11:00:00 +0200"), in: "Sent")
    try await account.store(
      "References: <root@example.org>\n"
        + TestAccount.message("Danke", id: "thanks", date: "Tue, 1 Jul 2025 12:00:00 +0200"), in: "Archive")
    let thread = try await account.call(
      "mail.thread", ["folder": "Sent", "uid": .string(uid), "fields": ["subject"]])
    #expect(thread["messages"]?.array?.compactMap { $0["subject"]?.string } == ["Frage", "Re: Frage", "Danke"])
  }

  @Test func composedMessagesAreStoredOnceForEachKey() async throws {
    let account = try account()
    let input: JSONValue = ["folder": "Entwürfe", "to": ["x@example.org"], "subject": "Hallo", "text": "Text"]
    let first = try await account.call("mail.append", input, key: "k1")
    let again = try await account.call("mail.append", input, key: "k1", attempt: 2)
    #expect(first == again)
    #expect(try await account.plugin.verify("mail.append", input, key: "k1")["verdict"] == "done")
    #expect(try await account.plugin.verify("mail.append", input, key: "k2")["verdict"] == "not_done")
    #expect(try await account.subjects("Entwürfe") == ["Hallo"])
  }

  /// A large message is written while it goes out, whether the server takes literals unasked or asks for them.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS"])
  func largeFilesAreStoredAsTheyAre(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server)
    let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let blob = try await account.plugin.callContext().blobs.write(file)
    let input: JSONValue = [
      "folder": "INBOX", "to": ["x@example.org"], "subject": "Groß", "text": "Text", "flags": ["\\Seen"],
      "received": "2020-01-02T03:04:05Z",
      "attachments": [["blob": .string(blob.name), "name": "a.bin"], ["content": "aGFsbG8=", "name": "b.txt"]],
    ]
    let first = try await account.call("mail.append", input, key: "k")
    #expect(try await account.call("mail.append", input, key: "k", attempt: 2) == first)
    let uid = try #require(first["uid"])
    let fields: JSONValue = ["subject", "flags", "received", "attachments"]
    let message = try await account.call("mail.fetch", ["folder": "INBOX", "uid": uid, "fields": fields])["message"]
    #expect(message?["subject"] == "Groß" && message?["flags"] == ["\\Seen"])
    #expect(message?["received"] == "2020-01-02T03:04:05Z")
    let part = try #require(message?["attachments"]?.array?.first?["part"])
    let output = try await account.call("mail.attachment", ["folder": "INBOX", "uid": uid, "part": part])
    let stored = account.host.bytes(of: Blob(name: try #require(output["blob"]?.string)))
    #expect(stored.map { Array($0) } == file)
    if !options.isEmpty { server.stop() }
  }

  @Test func wrongPasswordIsSaidInTheServersWords() async throws {
    let account = try account(["password": "falsch"])
    do {
      _ = try await account.call("imap.test")
      Issue.record("signed in with a wrong password")
    } catch let error as ActionError {
      #expect(error.kind == .auth)
      #expect(error.message.contains("Authentication failed"))
      #expect(!error.message.contains("falsch"))
    }
  }

  @Test(arguments: ["plain", "login", "scram-sha-256"])
  func everyWayToSignInWorks(_ mechanism: String) async throws {
    let output = try await account(["auth": .string(mechanism)]).call("imap.test")
    #expect(output["special"]?["\\Trash"] == "Trash")
  }

  @Test func unknownFoldersAndMessagesAreNotFound() async throws {
    let account = try account()
    await #expect(throws: ActionError(.notFound, "")) {
      _ = try await account.call("mail.search", ["folder": "Gibt es nicht"])
    }
    let uid = try await account.store(TestAccount.message("eins"))
    let parts = uid.split(separator: ".")
    for wrong in ["\(parts[0]).999", "1.\(parts[1])"] {
      await #expect(throws: ActionError(.notFound, "")) {
        _ = try await account.call("mail.fetch", ["folder": "INBOX", "uid": .string(wrong)])
      }
    }
    // A folder that was numbered anew is another folder.
    await #expect(throws: ActionError(.notFound, "")) {
      let stale = "1.\(parts[1])"
      _ = try await account.call(
        "mail.move", ["folder": "INBOX", "uids": [.string(uid), .string(stale)], "to": "Trash"])
    }
    #expect(try await account.uids([:]) == [uid])
  }

  /// Another program has moved or removed messages meanwhile: the others are dealt with.
  @Test(
    arguments: [
      ("mail.flag", ["add": ["\\Flagged"]], "changed"), ("mail.move", ["to": "B"], "moved"),
      ("mail.copy", ["to": "B"], "copied"), ("mail.archive", [:], "moved"), ("mail.spam", [:], "moved"),
      ("mail.delete", [:], "deleted"), ("mail.delete", ["permanently": true], "deleted"),
    ] as [(String, JSONObject, String)], [false, true])
  func missingMessagesAreNamedAndTheOthersDealtWith(
    _ action: (name: String, input: JSONObject, count: String), _ isBasic: Bool
  ) async throws {
    let basic = isBasic ? try DovecotServer("imap_capability = IMAP4rev1 UIDPLUS LITERAL+ NAMESPACE") : server
    let account = try TestAccount(basic, ["auth": "plain"])
    let uid = try await account.store(TestAccount.message("eins"))
    let gone = try await account.store(TestAccount.message("zwei"))
    _ = try await account.call("mail.delete", ["folder": "INBOX", "uids": [.string(gone)], "permanently": true])
    var input = action.input
    input["folder"] = "INBOX"
    input["uids"] = [.string(gone), .string(uid)]
    let output = try await account.call(action.name, .object(input), key: "k")
    #expect(output[action.count] == 1)
    #expect(output["missing"] == [.string(gone)])
    if action.count == "moved" || action.count == "copied" { #expect(output["uids"]?.array?.count == 1) }
    if action.name == "mail.copy" {
      #expect(try await account.plugin.verify(action.name, .object(input), key: "k")["output"] == output)
    }
    if ["moved", "copied"].contains(action.count) {
      // A repetition answers the same.
      #expect(try await account.call(action.name, .object(input), key: "k", attempt: 2) == output)
    }
    input["uids"] = [.string(gone)]
    let nothing = try await account.call(action.name, .object(input))
    #expect(nothing[action.count] == 0)
    #expect(nothing["missing"] == [.string(gone)])
    let left = try await account.uids([:])
    #expect(left == (["mail.flag", "mail.copy"].contains(action.name) ? [uid] : []))
    if isBasic { basic.stop() }
  }
}
