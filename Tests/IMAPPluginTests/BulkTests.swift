import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// `mail.list`, `mail.export` and `mail.import` on a real server.
@Suite(.enabled(if: DovecotServer.shared != nil, "needs Dovecot"), .timeLimit(.minutes(5))) struct BulkTests {
  private func account(_ options: String? = nil) throws -> TestAccount {
    let server = try options.map { try DovecotServer($0) } ?? #require(DovecotServer.shared)
    return try TestAccount(server)
  }

  private struct Exported {
    var uid: String
    var text: String
    var flags: [String]
    var received: String?
  }

  /// The messages of an answer of `mail.export`, read from their blobs.
  private func messages(_ output: JSONValue, _ account: TestAccount) throws -> [Exported] {
    try (output["messages"]?.array ?? []).map { message in
      let name = try #require(message["blob"]?.string)
      let bytes = try #require(account.host.bytes(of: Blob(name: name)))
      let start = Int(try #require(message["offset"]?.integer))
      let end = start + Int(try #require(message["size"]?.integer))
      try #require(end <= bytes.count)
      return Exported(
        uid: try #require(message["uid"]?.string), text: String(decoding: bytes[start..<end], as: UTF8.self),
        flags: (message["flags"]?.array ?? []).compactMap(\.string), received: message["received"]?.string)
    }
  }

  /// Stores messages at once; their texts as the server must give them back.
  private func fill(_ account: TestAccount, _ texts: [String], folder: String = "INBOX") async throws -> JSONValue {
    var offset = 0
    let bytes = texts.flatMap { Array($0.utf8) }
    let blob = try await account.plugin.callContext().blobs.write(bytes)
    let list = texts.map { text -> JSONValue in
      defer { offset += text.utf8.count }
      return [
        "blob": .string(blob.name), "offset": .integer(Int64(offset)), "size": .integer(Int64(text.utf8.count)),
        "flags": ["\\Seen", "urgent"], "received": "2020-01-02T03:04:05Z",
      ]
    }
    return try await account.call("mail.import", ["folder": .string(folder), "messages": .array(list)])
  }

  private static func text(_ number: Int, lines: Int = 3) -> String {
    let body = (0..<lines).map { "Line \($0) of \(number)\r\n" }.joined()
    return "Message-ID: <\(number)@example.org>\r\nSubject: \(number)\r\n\r\n" + body
  }

  @Test func whatIsImportedComesBackTheSame() async throws {
    let account = try account()
    let texts = (0..<450).map { Self.text($0, lines: $0 % 7 == 0 ? 4000 : 3) }
    let stored = try await fill(account, texts)["messages"]?.array ?? []
    #expect(stored.count == texts.count && stored.allSatisfy { $0["error"] == .null })
    let uids = stored.compactMap { $0["uid"]?.string }
    #expect(Set(uids).count == texts.count)

    let listed = try await account.call("mail.list", ["folder": "INBOX"])["messages"]?.array ?? []
    #expect(listed.compactMap { $0["uid"]?.string } == uids)
    #expect(listed.allSatisfy { $0["flags"] == ["\\Seen", "urgent"] })

    // Asked for until all have come, each time within the budget.
    var rest = uids
    var found: [String: Exported] = [:]
    var calls = 0
    while !rest.isEmpty {
      let output = try await account.call(
        "mail.export", ["folder": "INBOX", "uids": .array(rest.map(JSONValue.string)), "bytes": 1_000_000])
      let messages = try messages(output, account)
      #expect(messages.reduce(0) { $0 + $1.text.utf8.count } <= 1_000_000)
      try #require(!messages.isEmpty && output["missing"] == [])
      for message in messages { found[message.uid] = message }
      rest = rest.filter { found[$0] == nil }
      calls += 1
    }
    #expect(calls > 2)
    for (uid, text) in zip(uids, texts) {
      #expect(found[uid]?.text == text)
      #expect(found[uid]?.flags == ["\\Seen", "urgent"])
      #expect(found[uid]?.received?.hasPrefix("2020-01-02T03:04:05") == true)
    }
  }

  @Test func messagesThatHaveGoneAreNamed() async throws {
    let account = try account()
    let stored = try await fill(account, (0..<3).map { Self.text($0) })["messages"]?.array ?? []
    let uids = stored.compactMap { $0["uid"]?.string }
    try #require(uids.count == 3)
    _ = try await account.call(
      "mail.delete", ["folder": "INBOX", "uids": [.string(uids[1])], "permanently": true])
    let output = try await account.call(
      "mail.export", ["folder": "INBOX", "uids": .array(uids.map(JSONValue.string))])
    #expect(try messages(output, account).map(\.uid).sorted() == [uids[0], uids[2]].sorted())
    #expect(output["missing"] == [.string(uids[1])])
  }

  @Test func aLargeMessageComesInPieces() async throws {
    let account = try account()
    let texts = [Self.text(1), Self.text(2, lines: 700_000), Self.text(3)]
    try #require(texts[1].utf8.count > 9 << 20)
    let stored = try await fill(account, texts)["messages"]?.array ?? []
    let uids = stored.compactMap { $0["uid"]?.string }
    let output = try await account.call(
      "mail.export", ["folder": "INBOX", "uids": .array(uids.map(JSONValue.string))])
    #expect(try messages(output, account).map(\.text) == texts)
  }

  @Test func aRefusedMessageStopsNoOther() async throws {
    let account = try account("plugin {\n quota = maildir:User quota\n quota_max_mail_size = 20k\n}")
    let texts = [Self.text(1), Self.text(2, lines: 5000), Self.text(3)]
    let results = try await fill(account, texts)["messages"]?.array ?? []
    #expect(results.map { $0["error"] == .null } == [true, false, true])
    #expect(results.map { $0["uid"] == .null } == [false, true, false])
    #expect(try await account.subjects("INBOX") == ["1", "3"])
  }

  /// Messages that one command stores together (MULTIAPPEND) get uids of their own, in their order, as without it.
  @Test(arguments: [
    "", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+", "imap_capability = IMAP4rev1 UIDPLUS MULTIAPPEND",
  ])
  func severalMessagesAreStoredTogetherOrOneByOne(_ options: String) async throws {
    let account = try account(options)
    let texts = (0..<110).map { Self.text($0, lines: $0 == 100 ? 15_000 : 3) }
    let stored = try await fill(account, texts)["messages"]?.array ?? []
    let uids = stored.compactMap { $0["uid"]?.string }
    #expect(stored.allSatisfy { $0["error"] == .null } && Set(uids).count == texts.count)
    let first = try await account.call(
      "mail.fetch", ["folder": "INBOX", "uid": .string(uids[101]), "fields": ["subject", "received"]])
    #expect(first["message"]?["subject"]?.string == "101")
    #expect(try await account.subjects("INBOX") == texts.indices.map(String.init).sorted())
  }

  @Test func aFullMailboxStopsTheRest() async throws {
    let account = try account("plugin {\n quota = maildir:User quota\n quota_rule = *:storage=20k\n}")
    let texts = (0..<10).map { Self.text($0, lines: 500) }
    let results = try await fill(account, texts)["messages"]?.array ?? []
    // What is stored is told, so that nobody stores it again.
    let stored = results.filter { $0["error"] == .null }
    #expect(results.count == texts.count && !stored.isEmpty && stored.count < texts.count)
    #expect(try await account.subjects("INBOX").count == stored.count)
    await #expect(throws: ActionError.self) { _ = try await fill(account, texts) }
    // Nothing of a broken conversation is left for the next call.
    _ = try await account.call("mail.list", ["folder": "INBOX"])
  }
}
