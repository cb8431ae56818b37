import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// Servers that answer oddly without intent: an unreadable message does not stop the others, and an OK alone proves no change.
@Suite(.timeLimit(.minutes(5))) struct OddServerTests {
  private static func text(_ name: String) -> String {
    "From: a@example.org\r\nSubject: \(name)\r\nMessage-ID: <\(name)@example.org>\r\n\r\nText of \(name)\r\n"
  }

  /// A message with a PDF.
  private static func invoice(_ name: String) -> String {
    "Subject: \(name)\r\nMessage-ID: <\(name)@example.org>\r\nMIME-Version: 1.0\r\n"
      + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\n"
      + "Content-Type: application/pdf; name=\"a.pdf\"\r\nContent-Transfer-Encoding: base64\r\n"
      + "Content-Disposition: attachment; filename=\"a.pdf\"\r\n\r\nJVBERi0xLjQ=\r\n--b--\r\n"
  }

  private static let wellDescribed =
    #"(("text" "plain" NIL NIL NIL "7bit" 2 1 NIL NIL NIL)("application" "pdf" ("name" "a.pdf") NIL NIL "base64" 12 NIL "#
    + #"("attachment" ("filename" "a.pdf")) NIL NIL) "mixed" ("boundary" "b") NIL NIL NIL)"#

  private func open(_ server: OddServer) throws -> (InMemoryHost, InMemoryHost.OpenPlugin<IMAPPlugin>) {
    let host = InMemoryHost()
    host.accept { peer in try await server.serve(peer) }
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    return (host, plugin)
  }

  private func names(_ output: JSONValue, _ list: String, _ field: String) -> [String] {
    (output[list]?.array ?? []).compactMap { $0[field]?.string }
  }

  @Test(
    arguments: ["0", nil, "-1", "NIL", "1", "999999999999999999", "99999999999999999999"] as [String?])
  func messagesAreReadWhateverSizeTheServerStates(_ size: String?) async throws {
    var messages = (1...3).map { OddServer.Message(UInt32($0), Self.text("m\($0)")) }
    messages[0].size = size
    messages[1].size = size
    let (_, plugin) = try open(OddServer(messages))
    let page = try await plugin.call(
      "mail.search", ["fields": ["subject", "text", "size"], "order": "oldest"])
    #expect(names(page, "messages", "subject") == ["m1", "m2", "m3"])
    #expect(names(page, "messages", "text").map { $0.prefix(10) } == ["Text of m1", "Text of m2", "Text of m3"])
    let exported = try await plugin.call(
      "mail.export", ["folder": "INBOX", "uids": ["7.1", "7.2", "7.3"], "bytes": 9_000_000])
    #expect(exported["missing"] == [] && !names(exported, "messages", "uid").isEmpty)
  }

  /// Malformed BODYSTRUCTURE, as Exchange, Gmail, SmarterMail and Netease send it: the plugin fetches the whole message.
  @Test(arguments: [
    #"("multipart" "signed" ("boundary" "x") NIL NIL "7BIT" -1 NIL NIL NIL NIL)"#,
    #"("multipart" "mixed" ("boundary" "x") NIL NIL "7BIT" 0 NIL NIL NIL NIL)"#,
    #"(("TEXT" "PLAIN" ("CHARSET" "UTF-8") NIL NIL "BASE64" 4 1 NIL NIL NIL)("RELATED" NIL ("ATTACHMENT" NIL) NIL) "MIXED")"#,
    #"(("text" "plain" NIL NIL NIL "7bit" -2 -1 NIL NIL NIL NIL)("application" "pdf" NIL NIL NIL "base64" -2) "mixed")"#,
    #"(("text" "plain" NIL NIL NIL "7bit" 4 1)("application" "pdf" ("name" "a.pdf") NIL """" "base64" 12) "MIXED")"#,
    #"("text" "plain" ("name" "a"b" UID 1 FLAGS (\Seen)") NIL NIL "7bit" 4 1)"#,
    "NIL", "()", "(\"text\"", String(repeating: "(", count: 100) + #""x""# + String(repeating: ")", count: 100),
  ])
  func aMessageWithABrokenStructureIsFetchedWhole(_ structure: String) async throws {
    let server = OddServer([
      .init(1, Self.invoice("p1"), structure: Self.wellDescribed), .init(2, Self.invoice("p2"), structure: structure),
      .init(3, Self.invoice("p3"), structure: Self.wellDescribed),
    ])
    let (host, plugin) = try open(server)
    let page = try await plugin.call(
      "mail.search", ["fields": ["subject", "attachments", "flags"], "order": "oldest"])
    #expect(names(page, "messages", "subject") == ["p1", "p2", "p3"])
    #expect(page["unreadable"] == nil)
    for message in page["messages"]?.array ?? [] {
      #expect(message["attachments"]?.array?.first?["name"] == "a.pdf" && message["flags"] == [])
    }
    let file = try await plugin.call("mail.attachment", ["folder": "INBOX", "uid": "7.2", "part": "2"])
    let blob = Blob(name: try #require(file["blob"]?.string))
    #expect(host.bytes(of: blob) == Array("%PDF-1.4".utf8) && file["name"] == "a.pdf")
  }

  /// The plugin fetches at most 32 MiB of such a message; the rest of its file is missing.
  @Test func aFileOfAMessageThatIsTooLargeToFetchIsRefused() async throws {
    let text = Self.invoice("p1").replacing("JVBERi0xLjQ=", with: String(repeating: "A", count: 33 << 20))
    let (_, plugin) = try open(OddServer([.init(1, text, structure: "NIL")]))
    await #expect(throws: ActionError(.unsupported, "")) {
      _ = try await plugin.call("mail.attachment", ["folder": "INBOX", "uid": "7.1", "part": "2"])
    }
  }

  /// Nine messages, of which `odd` changes the fifth.
  private static func nine(_ odd: (inout OddServer.Message) -> Void) -> [OddServer.Message] {
    var messages = (1...9).map { OddServer.Message(UInt32($0), text("m\($0)")) }
    odd(&messages[4])
    return messages
  }

  @Test(arguments: [true, false])
  func aMessageThatTheServerDoesNotSendIsNamedAndTheOthersAreRead(_ isRefused: Bool) async throws {
    let server = OddServer(Self.nine { ($0.isRefused, $0.isLeftOut) = (isRefused, !isRefused) })
    let (_, plugin) = try open(server)
    let others = [1, 2, 3, 4, 6, 7, 8, 9].map { "m\($0)" }
    for fields in [["subject"], ["subject", "text"], ["subject", "attachments"]] as [JSONValue] {
      let page = try await plugin.call("mail.search", ["fields": fields, "order": "oldest"])
      #expect(names(page, "messages", "subject") == others)
      #expect(names(page, "unreadable", "uid") == ["7.5"])
      #expect(names(page, "unreadable", "error").first?.contains("7.5") == true)
    }
    // The search cannot decide about a message that it cannot read, so it names the message.
    let found = try await plugin.call("mail.search", ["text": "Text of", "fields": ["subject"], "order": "oldest"])
    #expect(names(found, "messages", "subject") == others && names(found, "unreadable", "uid") == ["7.5"])
    let listed = try await plugin.call("mail.list", ["folder": "INBOX"])
    #expect(names(listed, "messages", "uid") == (1...9).map { "7.\($0)" })
    let exported = try await plugin.call(
      "mail.export", ["folder": "INBOX", "uids": .array((1...10).map { .string("7.\($0)") })])
    #expect(names(exported, "messages", "uid").count == 8)
    #expect(names(exported, "unreadable", "uid") == ["7.5"] && exported["missing"] == ["7.10"])
    await #expect(throws: ActionError.self) {
      _ = try await plugin.call("mail.fetch", ["folder": "INBOX", "uid": "7.5"])
    }
  }

  /// The plugin does not ask for each message if the server refuses all.
  @Test func aRefusalOfAllIsOneError() async throws {
    let server = OddServer(
      (1...300 as ClosedRange<UInt32>).map { number in
        var message = OddServer.Message(number, Self.text("m\(number)"))
        message.isRefused = true
        return message
      })
    let (_, plugin) = try open(server)
    let error = await #expect(throws: ActionError.self) { _ = try await plugin.call("mail.search", ["limit": 300]) }
    #expect(error?.message.contains("it cannot be read") == true)
    #expect(server.commands.count < 60)
  }

  // MARK: Changes

  private let flags: JSONValue = ["folder": "INBOX", "uids": ["7.1", "7.2"], "add": ["\\Seen", "later"]]

  private func pair() -> OddServer { OddServer((1...2).map { OddServer.Message($0, Self.text("m\($0)")) }) }

  @Test(arguments: [true, false]) func flagsAreChangedIfTheServerShowsThem(_ tells: Bool) async throws {
    let server = pair()
    server.change { $1.tellsFlags = tells }
    let (_, plugin) = try open(server)
    #expect(try await plugin.call("mail.flag", flags) == ["changed": 2, "missing": []])
    #expect(server.messages.allSatisfy { $0.flags == ["\\Seen", "later"] })
  }

  @Test(arguments: [true, false]) func aFlagThatTheServerForgetsIsAnError(_ tells: Bool) async throws {
    let server = pair()
    server.change {
      $1.tellsFlags = tells
      $1.forgets = ["later"]
    }
    let (_, plugin) = try open(server)
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.flag", flags) }
  }

  @Test func aFlagThatTheFolderDoesNotKeepIsRefusedBeforeTheChange() async throws {
    let server = pair()
    server.change { $1.permanentFlags = #"\Seen \Deleted"# }
    let (_, plugin) = try open(server)
    await #expect(throws: ActionError(.unsupported, "")) { _ = try await plugin.call("mail.flag", flags) }
    #expect(server.messages.allSatisfy { $0.flags.isEmpty })
    let seen: JSONValue = ["folder": "INBOX", "uids": ["7.1"], "add": ["\\Seen"]]
    #expect(try await plugin.call("mail.flag", seen)["changed"] == 1)
  }

  @Test(arguments: ["UIDPLUS MOVE", "MOVE", "UIDPLUS"])
  func aChangeThatTheServerDoesNotMakeIsAnError(_ capabilities: String) async throws {
    let server = OddServer((1...2).map { OddServer.Message($0, Self.text("m\($0)")) }, capabilities: capabilities)
    server.change { $1.obeys = false }
    let (_, plugin) = try open(server)
    let input: JSONObject = ["folder": "INBOX", "uids": ["7.1"]]
    for (action, more) in [("mail.move", ["to": "B"]), ("mail.copy", ["to": "B"])] as [(String, JSONObject)] {
      await #expect(throws: ActionError(.protocol, ""), "\(action)") {
        _ = try await plugin.call(action, .object(input.merging(more) { $1 }), key: action)
      }
    }
    if capabilities.contains("UIDPLUS") {
      await #expect(throws: ActionError(.protocol, "")) {
        _ = try await plugin.call("mail.delete", .object(input.merging(["permanently": true]) { $1 }), key: "d")
      }
    }
    #expect(server.messages.count == 2)
  }

  /// What the server does not name and still has is neither gone nor done.
  @Test(arguments: ["mail.copy", "mail.move"])
  func aPartOfAChangeIsAnErrorAndTheRestCanBeDone(_ action: String) async throws {
    let server = OddServer((1...3).map { OddServer.Message($0, Self.text("m\($0)")) })
    server.change { $1.mostAtOnce = 2 }
    let (_, plugin) = try open(server)
    let input: JSONValue = ["folder": "INBOX", "uids": ["7.1", "7.2", "7.3"], "to": "B"]
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call(action, input, key: "k") }
    #expect(server.copied.count == 2 && server.messages.count == (action == "mail.copy" ? 3 : 1))
    let rest: JSONValue = ["folder": "INBOX", "uids": ["7.3"], "to": "B"]
    let output = try await plugin.call(action, rest, key: "l")
    #expect(output["uids"]?.array?.count == 1, "\(output)")
    #expect(server.copied.count == 3 && server.messages.count == (action == "mail.copy" ? 3 : 0))
  }

  /// The answer to the second of four messages is lost: what was sent and not answered may be there, what was not sent is not.
  @Test(arguments: [
    ("LITERAL+", ["stored", "unknown", "unknown", "unknown"]), ("ENABLE", ["stored", "unknown", "unsent", "unsent"]),
  ])
  func messagesWithoutAnswerAreUnknownAndTheRestIsUnsent(_ capability: String, _ outcomes: [String]) async throws {
    let host = InMemoryHost()
    host.accept { peer in
      let capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR UIDPLUS \(capability)"
      try await peer.send("* OK [\(capabilities)] ready\r\n")
      var count = 0
      var first = ""
      while let line = try await peer.readLine() {
        let tag = line.prefix { $0 != " " }
        guard line.contains("APPEND") else {
          try await peer.send("* LIST () \"/\" INBOX\r\n\(tag) OK [\(capabilities)] done\r\n")
          continue
        }
        let size = Int(line.split(separator: "{").last?.prefix { $0.isNumber } ?? "") ?? 0
        if !line.hasSuffix("+}") { try await peer.send("+ go on\r\n") }
        _ = try await peer.read(exactly: size + 2)
        count += 1
        if count == 1 { first = String(tag) }
        let isPipelined = capability == "LITERAL+"
        if count == (isPipelined ? 4 : 1) { try await peer.send("\(first) OK [APPENDUID 7 1] done\r\n") }
        if count == (isPipelined ? 4 : 2) { return }
      }
    }
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let bytes = Array(Self.text("m").utf8)
    let blob = try await plugin.callContext().blobs.write(bytes)
    let message: JSONValue = ["blob": .string(blob.name), "offset": 0, "size": .integer(Int64(bytes.count))]
    let output = try await plugin.call(
      "mail.import", ["folder": "INBOX", "messages": [message, message, message, message]])
    #expect(names(output, "messages", "outcome") == outcomes)
    #expect(output["messages"]?.array?.first?["uid"] == "7.1")
    #expect((output["messages"]?.array ?? []).dropFirst().allSatisfy { $0["error"]?.string?.isEmpty == false })
  }

  // MARK: Unsolicited responses

  /// Impossible responses before the end of every command are ignored or end in an error; none of them ends the process.
  @Test(arguments: [
    ("* 0 EXISTS\r\n", false), ("* 4294967295 EXISTS\r\n", true), ("* 9 EXISTS\r\n* 1 EXISTS\r\n", true),
    ("* 0 EXPUNGE\r\n", false), ("* 4294967295 EXPUNGE\r\n", false), ("* VANISHED 1:4294967295\r\n", false),
    ("* VANISHED 4294967295:1,0,7:3\r\n", false), ("* 99 FETCH (FLAGS (\\Seen))\r\n", true),
    ("* 0 FETCH (UID 0 FLAGS ())\r\n", true), ("* 1 FETCH (UID 4294967296 FLAGS ())\r\n", true),
    ("* 1 FETCH (UID 99999999999999999999 FLAGS ())\r\n", true), ("* 1 FETCH (UID -1)\r\n", true),
    ("* 4294967295 FETCH (UID 4294967295 FLAGS (\\Deleted))\r\n", true), ("* 1 FETCH NIL\r\n", true),
    ("* 1 FETCH ()\r\n", true), ("* 1 FETCH (MODSEQ (99999999999999999999))\r\n", true),
    ("* 1 FETCH (UID 1 BODY[] {3}\r\nabcdef)\r\n", false),
    ("* 1 FETCH (UID 1 BODY[]<99999999999999999> {0}\r\n)\r\n", false),
    ("* 1 FETCH (UID 1 RFC822.SIZE 999999999999999999)\r\n", true),
    ("* 1 FETCH (UID 1 INTERNALDATE \"99-Xyz-9999 99:99:99 +9999\")\r\n", true),
    ("* STATUS B (MESSAGES 4294967295 UIDNEXT 0 UIDVALIDITY 4294967295)\r\n", false),
    ("* OK [UIDNEXT 0] x\r\n", false), ("* OK [UIDVALIDITY 4294967295] x\r\n", false),
    ("* OK [COPYUID 9 1:4294967295 1:4294967295] x\r\n", false), ("* OK [APPENDUID 9 1:4294967295] x\r\n", true),
    ("* OK [HIGHESTMODSEQ 9999999999999999999] x\r\n", false), ("* SEARCH 0 3 2 1 1 0\r\n", false),
    ("* SEARCH 4294967296\r\n", false), ("* ESEARCH UID ALL 3:1,0 COUNT 4294967295\r\n", false),
    ("* LIST () NIL \"\"\r\n", false), ("* LIST () \"/\" \"../../up\"\r\n", false), ("* LIST () \"\" B\r\n", false),
    ("* NAMESPACE ((\"INBOX.\" \".\")) NIL NIL\r\n", true), ("* FLAGS ()\r\n", true), ("* 1 RECENT\r\n", true),
  ])
  func anImpossibleResponseIsIgnoredOrAnError(_ news: String, _ isHarmless: Bool) async throws {
    let server = OddServer(
      (1...3).map { OddServer.Message($0, Self.text("m\($0)")) }, capabilities: "UIDPLUS MOVE NAMESPACE")
    server.change { $1.news = news }
    let (_, plugin) = try open(server)
    func call(_ action: String, _ input: JSONObject) async throws -> JSONValue? {
      do {
        return try await plugin.call(action, .object(input), key: action)
      } catch {
        return nil
      }
    }
    let page = try await call("mail.search", ["fields": ["subject"], "order": "oldest"])
    if isHarmless { #expect(page.map { names($0, "messages", "subject") } == ["m1", "m2", "m3"]) }
    let folder: JSONObject = ["folder": "INBOX"]
    let some = folder.merging(["uids": ["7.1", "7.2"]]) { $1 }
    let one = folder.merging(["uid": "7.3"]) { $1 }
    for (action, input) in [
      ("mail.search", ["text": "Text"]), ("mail.search", ["fields": ["text", "attachments", "modseq"]]),
      ("mail.list", folder), ("mail.list", folder), ("mail.export", some), ("mail.folders", [:]), ("imap.test", [:]),
      ("mail.fetch", one), ("mail.thread", one), ("mail.raw", one),
      ("mail.attachment", one.merging(["part": "1"]) { $1 }),
      ("mail.flag", some.merging(["add": ["\\Seen"]]) { $1 }),
      ("mail.flag", some.merging(["add": ["\\Seen"], "modseq": 5]) { $1 }),
      ("mail.copy", some.merging(["to": "B"]) { $1 }), ("mail.move", some.merging(["to": "B"]) { $1 }),
      ("mail.delete", folder.merging(["uids": ["7.3"], "permanently": true]) { $1 }),
      ("mail.folder", ["operation": "create", "folder": "New"]), ("mail.search", [:]),
    ] as [(String, JSONObject)] {
      _ = try await call(action, input)
    }
    // Each message that was not deleted is still in one of the folders.
    let left = (server.messages + server.copied).map(\.text)
    #expect(Set(left).isSuperset(of: [Self.text("m1"), Self.text("m2")]))
  }

  @Test(arguments: ["0", "1", "4294967295"]) func aListHasAllMessagesWhateverNumberTheServerStates(_ exists: String)
    async throws
  {
    let server = OddServer((1...3).map { OddServer.Message($0, Self.text("m\($0)")) })
    server.change { $1.exists = exists }
    let (_, plugin) = try open(server)
    let listed = try await plugin.call("mail.list", ["folder": "INBOX"])
    #expect(names(listed, "messages", "uid") == (exists == "0" ? [] : ["7.1", "7.2", "7.3"]))
  }

  @Test(arguments: [#"() "/" "a"b""#, #"() "/" a b"#, #"(\Noselect "/" x"#, #"() "/" "#, "nonsense", #"() "/" "a"#])
  func aFolderWhoseNameCannotBeReadHidesNoOther(_ line: String) async throws {
    let server = pair()
    server.change { $1.news = "* LIST \(line)\r\n" }
    let (_, plugin) = try open(server)
    let output = try await plugin.call("mail.folders")
    #expect(names(output, "folders", "name") == ["INBOX", "B"])
    #expect(output["unreadable"]?.array?.isEmpty == false)
  }

  /// The sender of a message chooses the names of its files and the number of its parts.
  @Test(arguments: [
    #"("application" "pdf" ("name" "a\u{0}b.pdf") NIL NIL "base64" 12)"#.replacing("\\u{0}", with: "\u{0}"),
    "(" + String(repeating: #"("text" "plain" NIL NIL NIL "7bit" 4 1)"#, count: 40_000) + #""mixed")"#,
  ])
  func anOddStructureOfOneMessageDoesNotStopTheOthers(_ structure: String) async throws {
    let server = OddServer([
      .init(1, Self.text("m1")), .init(2, Self.text("m2"), structure: structure), .init(3, Self.text("m3")),
    ])
    let (_, plugin) = try open(server)
    let page = try await plugin.call("mail.search", ["fields": ["subject", "attachments"], "order": "oldest"])
    #expect(names(page, "messages", "subject") == ["m1", "m2", "m3"])
  }

  @Test(arguments: ["../../up", "a/../b", "..", ".", "/etc"])
  func namesThatLeaveTheMailboxAreRefused(_ name: String) async throws {
    let server = pair()
    let (_, plugin) = try open(server)
    let to: JSONValue = ["folder": "INBOX", "uids": ["7.1"], "to": .string(name)]
    let calls: [(String, JSONValue)] = [
      ("mail.search", ["folder": .string(name)]), ("mail.move", to), ("mail.copy", to),
      ("mail.folder", ["operation": "create", "folder": .string(name)]),
      ("mail.folder", ["operation": "rename", "folder": "B", "to": .string(name)]),
    ]
    for (action, input) in calls {
      await #expect(throws: ActionError(.invalidInput, ""), "\(action)") { _ = try await plugin.call(action, input) }
    }
    #expect(!server.commands.contains { $0.hasPrefix("CREATE") || $0.hasPrefix("RENAME") })
  }
}
