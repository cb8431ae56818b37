import Foundation
import Mail
import MailWire
import PluginKit
import PluginKitTesting
import Testing

@testable import MaildirPlugin

struct SearchTests {
  /// Five messages, one per condition.
  private func mailbox() throws -> TemporaryMaildir {
    let temporary = try TemporaryMaildir()
    try temporary.write(
      "cur/1.a:2,S",
      TemporaryMaildir.message(subject: "Budget", id: "1@x", date: "Mon, 16 Nov 2026 10:00:00 +0100"))
    try temporary.write(
      "cur/2.a:2,FRS",
      TemporaryMaildir.message(
        subject: "Rechnung März", from: "Bea Zoll <bea@example.net>", id: "2@x",
        date: "Tue, 17 Nov 2026 00:30:00 +0100", text: "Der Betrag ist fällig."))
    try temporary.write(
      "new/3.a", TemporaryMaildir.message(subject: "Third", id: "3@x", date: "Wed, 18 Nov 2026 10:00:00 +0000"))
    try temporary.write(
      "new/4.a",
      TemporaryMaildir.message(
        subject: "Long", id: "4@x", date: "Thu, 19 Nov 2026 10:00:00 +0000",
        text: String(repeating: "word ", count: 500)))
    try temporary.write("cur/5.a:2,F", "Subject: no date\n\nNothing.\n")
    temporary.touch("cur/5.a:2,F", at: 1_700_000_000)
    return temporary
  }

  private func uids(_ temporary: TemporaryMaildir, _ input: JSONValue) async throws -> [String] {
    let output = try await temporary.open().call("mail.search", input)
    return (output["messages"]?.array ?? []).compactMap { $0["uid"]?.string }
  }

  @Test(
    arguments: [
      ([:], ["4.a", "3.a", "2.a", "1.a", "5.a"]),
      (["order": "oldest"], ["5.a", "1.a", "2.a", "3.a", "4.a"]),
      (["limit": 2], ["4.a", "3.a"]),
      (["unseen": true], ["4.a", "3.a", "5.a"]), (["unseen": false], ["2.a", "1.a"]),
      (["flagged": true], ["2.a", "5.a"]), (["answered": true], ["2.a"]),
      (["answered": false, "unseen": false], ["1.a"]),
      (["from": "BEA"], ["2.a"]), (["from": "example.net"], ["2.a"]), (["from": "zoll <bea@"], ["2.a"]),
      (["to": "jana"], ["4.a", "3.a", "2.a", "1.a"]), (["subject": "märz"], ["2.a"]), (["text": "FÄLLIG"], ["2.a"]),
      (["text": "absent"], []), (["subject": "budget", "flagged": true], []),
      // The day that the message itself states: half past midnight in Zurich is the 17th, in London still the 16th.
      (["since": "2026-11-17", "before": "2026-11-18"], ["2.a"]),
      (["since": "2026-11-17T00:00:00Z"], ["4.a", "3.a"]), (["before": "2026-11-16T10:00:00+01:00"], ["5.a"]),
      (["larger": 1000], ["4.a"]), (["smaller": 100], ["5.a"]),
    ] as [(JSONValue, [String])])
  func findsWhatMatches(_ input: JSONValue, _ expected: [String]) async throws {
    #expect(try await uids(try mailbox(), input) == expected)
  }

  @Test(
    arguments: [
      ["limit": 0], ["limit": 1001], ["order": "random"], ["since": "yesterday"], ["before": "2026-02-30"],
      ["since": "2026-11-17T25:00:00Z"], ["since": "2026-11-17T00:00:00"], ["folder": "../x"], ["limit": "ten"],
      ["fields": ["colour"]],
      ["query": ["colour": "red"]], ["cursor": "x"], ["headers": ["A B"]],
    ] as [JSONValue])
  func refusesBadConditions(_ input: JSONValue) async throws {
    let temporary = try mailbox()
    #expect(await kind { try await temporary.open().call("mail.search", input) } == .invalidInput)
  }

  @Test func changesNothing() async throws {
    let temporary = try mailbox()
    let before = (temporary.names("new"), temporary.names("cur"))
    _ = try await uids(temporary, ["text": "a"])
    #expect(temporary.names("new") == before.0)
    #expect(temporary.names("cur") == before.1)
  }

  @Test func countsAllMatchesBeforeTheLimit() async throws {
    let output = try await mailbox().open().call("mail.search", ["limit": 1])
    #expect(output["total"] == 5)
    #expect(output["messages"]?.array?.count == 1)
  }

  @Test func opensNoFileThatItsNameExcludes() throws {
    let temporary = try mailbox()
    let reader = try MessageReader(try temporary.maildir().folder(.inbox))
    func filesRead(_ change: (inout SearchRequest) -> Void, _ dates: DateCache = DateCache()) throws -> Int {
      var request = SearchRequest()
      change(&request)
      return try Search(request).run(reader: reader, dates: dates).filesRead
    }
    // The header and the body of the one that remains.
    #expect(try filesRead { $0.answered = true } == 2)
    #expect(try filesRead { $0.limit = 1 } == 6)
    // Sizes come from the file system: without a body's field the header is all that is read, once for its date and
    // once for the answer.
    #expect(
      try filesRead {
        $0.flagged = true
        $0.fields = ["subject"]
      } == 4)
    let dates = DateCache()
    #expect(try filesRead({ $0.fields = ["uid", "flags", "size"] }, dates) == 5)
    #expect(try filesRead({ $0.fields = ["uid", "flags", "size"] }, dates) == 0)
  }

  @Test func headersOfAFolderReadNoBodies() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,", TemporaryMaildir.message(text: String(repeating: "x\n", count: 50_000)))
    let reader = try MessageReader(try temporary.maildir().folder(.inbox))
    var request = SearchRequest()
    request.fields = ["subject", "from", "date", "list_id", "human"]
    let content = try #require(try Search(request).run(reader: reader, dates: DateCache()).messages.first)
    #expect(content.isHeaderOnly)
    #expect(content.message.size < 5000)
  }

  @Test func pagesThroughAFolderThatChangesMeanwhile() async throws {
    let temporary = try TemporaryMaildir()
    for number in 10..<60 {
      // Pairs of equal dates.
      let day = String(number / 2)
      try temporary.write(
        "cur/\(number).a:2,",
        TemporaryMaildir.message(id: "\(number)@x", date: "Mon, \(day) Nov 2026 10:00:00 +0000"))
    }
    let plugin = try temporary.open()
    var uids: [String] = []
    var cursor: JSONValue = nil
    var pages = 0
    repeat {
      var input: JSONObject = ["limit": 7, "fields": ["uid"]]
      if cursor != nil { input["cursor"] = cursor }
      let output = try await plugin.call("mail.search", .object(input))
      #expect(output["total"] == 50)
      uids += (output["messages"]?.array ?? []).compactMap { $0["uid"]?.string }
      cursor = output["cursor"] ?? nil
      pages += 1
      if pages == 2 {
        // One that is on a page already, and a new one before it: neither shifts what is to come.
        try FileManager.default.removeItem(atPath: temporary.path + "/cur/59.a:2,")
        try temporary.write(
          "cur/99.a:2,", TemporaryMaildir.message(id: "99@x", date: "Mon, 30 Nov 2026 10:00:00 +0000"))
      }
    } while cursor != nil && pages < 20
    #expect(uids == (10..<60).reversed().map { "\($0).a" })
    #expect(pages == 8)
  }

  @Test func searchesByATree() async throws {
    let temporary = try mailbox()
    let tree: JSONValue = [
      "query": ["or": [["header": ["name": "Message-ID", "contains": "3@X"]], ["not": ["larger": 60]]]]
    ]
    #expect(try await uids(temporary, tree) == ["3.a", "5.a"])
    #expect(try await uids(temporary, ["query": ["uid": ["4.a", "1.a"]], "order": "oldest"]) == ["1.a", "4.a"])
    #expect(try await uids(temporary, ["query": ["received_before": "2024-01-01"]]) == ["5.a"])
    #expect(try await uids(temporary, ["flagged": true, "query": ["not": ["flag": "\\Seen"]]]) == ["5.a"])
    #expect(try await uids(temporary, ["query": ["text": "fällig"]]) == ["2.a"])
  }

  @Test func suggestsTheFoldersThereAre() async throws {
    let temporary = try mailbox()
    try temporary.write(".Archive/cur/9.a:2,S")
    await #expect {
      _ = try await uids(temporary, ["folder": "Archiv"])
    } throws: { error in
      let error = error as? ActionError
      return error?.kind == .notFound && error?.advice?.contains("Archive") == true && error?.messageGerman != nil
    }
  }

  @Test func showsAMessageInTheShapeOfTheContract() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(
      "cur/1.a,S=9:2,FRS",
      """
      From: =?utf-8?q?J=C3=BCrgen_Wei=C3=9F?= <j.weiss@gmx.de>
      To: Jana <jana@example.org>, team@example.org
      Cc: Tom <tom@example.org>
      Reply-To: <list@example.org>
      Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
      Date: Mon, 16 Nov 2026 10:00:00 +0100
      Message-ID: <b@x>
      In-Reply-To: <a@x>
      References: <root@x> <a@x>
      Content-Type: text/plain; charset=utf-8

      Schöne Grüße!

      """)
    temporary.touch("cur/1.a,S=9:2,FRS", at: 1_700_000_000)
    let output = try await temporary.open().call("mail.search")
    let message = try #require(output["messages"]?.array?.first)
    let size = try temporary.content("cur/1.a,S=9:2,FRS").utf8.count
    let expected: JSONValue = [
      "uid": "1.a", "folder": "INBOX", "message_id": "<b@x>", "date": "2026-11-16T10:00:00+01:00",
      "from": ["name": "Jürgen Weiß", "address": "j.weiss@gmx.de"],
      "to": [["name": "Jana", "address": "jana@example.org"], ["name": "", "address": "team@example.org"]],
      "cc": [["name": "Tom", "address": "tom@example.org"]],
      "reply_to": [["name": "", "address": "list@example.org"]],
      "subject": "Grüße", "size": .integer(Int64(size)), "flags": ["\\Flagged", "\\Answered", "\\Seen"],
      "seen": true, "flagged": true, "answered": true, "text": "Schöne Grüße!\n", "truncated": false,
      "snippet": "Schöne Grüße!", "attachments": [], "bulk": false, "human": true, "category": "people",
      "list_id": nil, "in_reply_to": "<a@x>", "references": ["<root@x>", "<a@x>"], "thread": "<root@x>",
      "received": "2023-11-14T22:13:20Z", "bcc": [], "labels": [], "list_unsubscribe": nil,
    ]
    #expect(message == expected)
  }

  @Test func cutsLongTextsBetweenCharacters() async throws {
    let temporary = try TemporaryMaildir()
    // 3 bytes each, so that 64 KiB falls inside one.
    try temporary.write(
      "cur/1.a:2,",
      "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        + String(repeating: String(repeating: "漢", count: 200) + "\n", count: 200))
    let output = try await temporary.open().call("mail.search")
    let message = try #require(output["messages"]?.array?.first)
    let text = try #require(message["text"]?.string)
    #expect(message["truncated"] == true)
    #expect(text.utf8.count <= 65_536)
    #expect(text.utf8.count > 65_530)
    #expect(!text.contains("\u{fffd}"))
  }

  @Test func readsOnlyTheHeaderOfHugeMessages() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,", TemporaryMaildir.message(text: String(repeating: "x\n", count: 1000)))
    try temporary.write("cur/2.a,S=5000:2,", TemporaryMaildir.message())
    let folder = try temporary.maildir().folder(.inbox)
    let reader = try MessageReader(folder, sizeLimit: 1000)
    for file in try folder.messages() {
      let found = try #require(try reader.message(file))
      #expect(found.content.isHeaderOnly)
      let json = MessageJSON().json(found.content)
      #expect(json["truncated"] == true)
      #expect(json["text"] == "")
      #expect(json["subject"] == "Hello")
    }
  }

  @Test func fetchesAMessageWhole() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(
      "new/1.a", "Subject: x\nX-One: 1\nX-One: 2\nContent-Type: text/html\n\n<p>Hello <b>you</b></p>\n")
    let output = try await temporary.open().call("mail.fetch", ["folder": "INBOX", "uid": "1.a"])
    #expect(output["html"]?.string?.contains("<b>you</b>") == true)
    #expect(output["message"]?["text"]?.string?.contains("Hello you") == true)
    #expect(
      output["headers"]?.array?.prefix(3).map { $0 } == [
        ["name": "Subject", "value": "x"], ["name": "X-One", "value": "1"], ["name": "X-One", "value": "2"],
      ])
    #expect(temporary.names("new") == ["1.a"])
    #expect(
      await kind { try await temporary.open().call("mail.fetch", ["folder": "INBOX", "uid": "nope"]) } == .notFound)
  }

  @Test func readsEveryMessageOfTheExampleMailbox() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.path + "/examples/mailbox"
    try #require(FileManager.default.fileExists(atPath: path), "the example mailbox belongs to the repository")
    let plugin = try InMemoryHost().open(MaildirPlugin.self, configuration: ["path": .string(path)])
    let folders = try #require(try await plugin.call("mail.folders")["folders"]?.array)
    #expect(folders.first?["name"] == "INBOX")
    var total = 0
    for folder in folders {
      let output = try await plugin.call("mail.search", ["folder": folder["name"] ?? "", "limit": 1000])
      let messages = try #require(output["messages"]?.array)
      #expect(output["total"] == folder["total"])
      #expect(messages.count { $0["seen"] == false } == folder["unseen"]?.integer.map(Int.init))
      for message in messages where message["subject"] == "" {
        Issue.record("no subject: \(message["uid"] ?? "")")
      }
      let dates = messages.compactMap { $0["date"]?.string }
      #expect(dates.count == messages.count)
      total += messages.count
    }
    #expect(total >= 40)
    let people = try #require(
      try await plugin.call("mail.search", ["unseen": true, "limit": 1000])["messages"]?.array)
    #expect(people.contains { $0["category"] == "people" })
  }
}
