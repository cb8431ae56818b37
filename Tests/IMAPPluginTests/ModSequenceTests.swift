import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import IMAPPlugin

/// Changes of flags that the server numbers (CONDSTORE, RFC 7162).
@Suite(.enabled(if: DovecotServer.shared != nil, "needs Dovecot"), .timeLimit(.minutes(5)))
struct ModSequenceTests {
  private static let options = ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"]

  private func flag(_ account: TestAccount, _ uids: [String], _ change: JSONObject) async throws -> JSONValue {
    let input: JSONObject = ["folder": "INBOX", "uids": .array(uids.map(JSONValue.string))]
    return try await account.call("mail.flag", .object(input.merging(change) { own, _ in own }))
  }

  private func modSeq(_ account: TestAccount, _ uid: String) async throws -> JSONValue? {
    try await account.call("mail.fetch", ["folder": "INBOX", "uid": .string(uid), "fields": ["modseq", "flags"]])[
      "message"]?["modseq"]
  }

  /// A later list asks for changes alone, and says the same as one that asks for everything.
  @Test(arguments: options) func aListKnowsWhatOthersHaveChanged(_ options: String) async throws {
    let server = try DovecotServer(options)
    let account = try TestAccount(server)
    let other = try TestAccount(server, user: account.user)
    var uids: [String] = []
    for number in 0..<6 { uids.append(try await account.store(TestAccount.message("\(number)"), flags: ["\\Seen"])) }
    let input: JSONValue = ["folder": "INBOX"]
    let first = try await account.call("mail.list", input)["messages"]?.array ?? []
    #expect(first.count == 6 && first.allSatisfy { $0["flags"] == ["\\Seen"] })

    _ = try await flag(other, [uids[1]], ["add": ["\\Flagged", "urgent"]])
    _ = try await flag(other, [uids[2]], ["remove": ["\\Seen"]])
    _ = try await other.call("mail.delete", ["folder": "INBOX", "uids": [.string(uids[3])], "permanently": true])
    let new = try await other.store(TestAccount.message("new"))
    let expected: [JSONValue] = [
      ["uid": .string(uids[0]), "flags": ["\\Seen"]],
      ["uid": .string(uids[1]), "flags": ["\\Flagged", "\\Seen", "urgent"]],
      ["uid": .string(uids[2]), "flags": []], ["uid": .string(uids[4]), "flags": ["\\Seen"]],
      ["uid": .string(uids[5]), "flags": ["\\Seen"]], ["uid": .string(new), "flags": []],
    ]
    // The second time nothing has changed; another process has the state and no connection.
    for user in [account, account, try TestAccount(server, user: account.user, host: account.host)] {
      #expect(try await user.call("mail.list", input)["messages"]?.array == expected)
    }
  }

  /// The state is the provider's, whose settings may name another user tomorrow.
  @Test func whatIsKnownOfAListIsKeptForEachUserAndServer() async throws {
    let server = try #require(DovecotServer.shared)
    let account = try TestAccount(server)
    let other = try TestAccount(server, host: account.host)
    let moved = try TestAccount(server, user: account.user, host: account.host, ["host": "imap.example.com"])
    for (number, user) in [account, other, moved].enumerated() {
      try await user.store(TestAccount.message("\(number)"))
      _ = try await user.call("mail.list", ["folder": "INBOX"])
      #expect(try await account.plugin.callContext().state.keys(prefix: "list.").count == number + 1)
    }
  }

  @Test func whatAnotherProgramHasChangedIsLeftAlone() async throws {
    let server = try #require(DovecotServer.shared)
    let account = try TestAccount(server)
    let other = try TestAccount(server, user: account.user)
    let first = try await account.store(TestAccount.message("1"), flags: ["label"])
    let second = try await account.store(TestAccount.message("2"))
    let seen = [try await modSeq(account, first)?.integer, try await modSeq(account, second)?.integer].compactMap { $0 }
    let highest = try #require(seen.count == 2 ? seen.max() : nil)
    _ = try await flag(other, [second], ["add": ["\\Flagged"]])
    let output = try await flag(
      account, [first, second], ["add": ["\\Seen", "later"], "remove": ["label"], "modseq": .integer(highest)])
    #expect(output == ["changed": 1, "missing": [], "modified": [.string(second)]])
    let flags = try await account.call("mail.list", ["folder": "INBOX"])["messages"]?.array?.map { $0["flags"] }
    #expect(flags == [["\\Seen", "later"], ["\\Flagged"]])
    // What it has changed itself counts as changed, too.
    #expect(
      try await flag(account, [first], ["add": ["x"], "modseq": .integer(highest)])["modified"] == [.string(first)])
  }

  @Test func serversThatCountNothingSaySo() async throws {
    let account = try TestAccount(try DovecotServer(Self.options[1]))
    let uid = try await account.store(TestAccount.message("1"))
    #expect(try await modSeq(account, uid) == .null)
    await #expect(throws: ActionError(.unsupported, "")) {
      _ = try await flag(account, [uid], ["add": ["\\Seen"], "modseq": 5])
    }
    #expect(try await account.uids(["unseen": true]) == [uid])
  }

  /// The server is asked for 20 000 messages once.
  @Test func aLaterListAsksForChangesOnly() async throws {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let seen = Mutex<[String]>([])
    let capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR ESEARCH CONDSTORE"
    host.accept { peer in
      try await peer.send("* OK [\(capabilities)] ready\r\n")
      while let line = try await peer.readLine() {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let (tag, command) = (parts[0], parts.count > 1 ? parts[1] : "")
        var answer = ""
        if command == "CAPABILITY" || command.hasPrefix("AUTHENTICATE") { answer = "* \(capabilities)\r\n" }
        if command == #"LIST "" """# { answer = "* LIST () \"/\" \"\"\r\n" }
        if command.hasPrefix("EXAMINE") {
          #expect(command.hasSuffix(" (CONDSTORE)"))
          answer = "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [HIGHESTMODSEQ 90060115205545359] x\r\n"
        }
        if command.hasPrefix("UID") { seen.withLock { $0.append(command) } }
        if command.hasPrefix("UID SEARCH") { answer = "* ESEARCH (TAG \"\(tag)\") UID ALL 1,3\r\n" }
        if command.hasSuffix("FLAGS)") {
          for uid in 1...3 { answer += "* \(uid) FETCH (UID \(uid) FLAGS (\\Seen))\r\n" }
        }
        if command.contains("CHANGEDSINCE") {
          answer = "* 2 FETCH (UID 3 FLAGS (\\Flagged) MODSEQ (90060115205545360))\r\n"
        }
        try await peer.send(answer + "\(tag) OK done\r\n")
      }
    }
    let first = try await plugin.call("mail.list", ["folder": "INBOX"])
    #expect(first["messages"]?.array?.count == 3)
    let second = try await plugin.call("mail.list", ["folder": "INBOX"])
    #expect(
      second["messages"] == [["uid": "7.1", "flags": ["\\Seen"]], ["uid": "7.3", "flags": ["\\Flagged"]]])
    #expect(
      seen.withLock { $0 } == [
        "UID FETCH 1:* (UID FLAGS)", "UID SEARCH RETURN (ALL) ALL",
        "UID FETCH 1:* (UID FLAGS) (CHANGEDSINCE 90060115205545359)",
      ])
  }

  /// What has gone is told with what has changed (QRESYNC); where the number of messages does not fit, all are asked for.
  @Test func whatHasGoneIsToldWithoutASearch() async throws {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let seen = Mutex<[String]>([])
    let capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR ESEARCH ENABLE CONDSTORE QRESYNC"
    host.accept { peer in
      try await peer.send("* OK [\(capabilities)] ready\r\n")
      var news = ["* 3 EXISTS\r\n", "* VANISHED 2\r\n"]
      while let line = try await peer.readLine() {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let (tag, command) = (parts[0], parts.count > 1 ? parts[1] : "")
        var answer = ""
        if command == "CAPABILITY" || command.hasPrefix("AUTHENTICATE") { answer = "* \(capabilities)\r\n" }
        if command == "ENABLE QRESYNC" { answer = "* ENABLED QRESYNC\r\n" }
        if command == #"LIST "" """# { answer = "* LIST () \"/\" \"\"\r\n" }
        if command == "NOOP" { answer = news.popLast() ?? "" }
        if command.hasPrefix("EXAMINE") {
          answer = "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [HIGHESTMODSEQ 50] x\r\n"
        }
        if command.hasPrefix("UID") { seen.withLock { $0.append(command) } }
        if command.hasSuffix("FLAGS)") {
          for uid in 1...3 { answer += "* \(uid) FETCH (UID \(uid) FLAGS (\\Seen))\r\n" }
        }
        if command.contains("CHANGEDSINCE"), news.count == 1 {
          answer = "* VANISHED (EARLIER) 2,5:4294967295\r\n* 2 FETCH (UID 3 FLAGS (\\Flagged) MODSEQ (51))\r\n"
        }
        try await peer.send(answer + "\(tag) OK done\r\n")
      }
    }
    let input: JSONValue = ["folder": "INBOX"]
    #expect(try await plugin.call("mail.list", input)["messages"]?.array?.count == 3)
    let second = try await plugin.call("mail.list", input)
    #expect(second["messages"] == [["uid": "7.1", "flags": ["\\Seen"]], ["uid": "7.3", "flags": ["\\Flagged"]]])
    #expect(try await plugin.call("mail.list", input)["messages"]?.array?.count == 3)
    let all = "UID FETCH 1:* (UID FLAGS)"
    let changes = all + " (CHANGEDSINCE 50 VANISHED)"
    #expect(seen.withLock { $0 } == [all, changes, changes, all])
  }
}
