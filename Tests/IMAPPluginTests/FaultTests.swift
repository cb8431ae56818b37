import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

#if canImport(Glibc)
  import Glibc
#endif

/// What goes wrong on a server ends in an error that says what it is: nothing is lost, nothing doubled.
@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .timeLimit(.minutes(5)))
struct FaultTests {
  private static let settings: JSONObject = ["auth": "plain"]

  @Test func fullMailboxesTakeNothingAndLoseNothing() async throws {
    let server = try DovecotServer(
      """
      plugin {
        quota = maildir:User quota
        quota_rule = *:storage=20K
      }
      """)
    let account = try TestAccount(server, Self.settings)
    let text = String(repeating: String(repeating: "x", count: 70) + "\n", count: 180)
    let uid = try await account.store(TestAccount.message("da", text: text))
    let raw = Data(TestAccount.message("zu viel", text: text).utf8).base64EncodedString()
    let append: JSONValue = ["folder": "B", "raw": .string(raw)]
    let copy: JSONValue = ["folder": "INBOX", "uids": [.string(uid)], "to": "B"]
    for (action, input) in [("mail.append", append), ("mail.copy", copy)] {
      await #expect(throws: ActionError(.quota, "")) { _ = try await account.call(action, input, key: action) }
      #expect(try await account.plugin.verify(action, input, key: action)["verdict"] == "not_done")
    }
    #expect(try await account.subjects("INBOX") == ["da"])
    #expect(try await account.subjects("B") == [])
    // Whether moving counts is the server's affair.
    _ = try? await account.call("mail.move", copy)
    #expect(try await account.subjects("INBOX") + account.subjects("B") == ["da"])
    server.stop()
  }

  @Test func foldersThatCanOnlyBeReadStayAsTheyAre() async throws {
    let server = try DovecotServer(
      """
      mail_plugins = quota acl
      protocol imap {
        mail_plugins = quota imap_quota acl
      }
      plugin {
        acl = vfile
      }
      """)
    let account = try TestAccount(server, Self.settings)
    let uid = try await account.store(TestAccount.message("draußen"))
    let inner = try await account.store(TestAccount.message("drinnen"), in: "Fest")
    let file = server.maildir(account.user) + "/.Fest/dovecot-acl"
    try "owner lr\n".write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o644)
    // Rights are kept for the time of a connection.
    let other = try TestAccount(server, user: account.user, Self.settings)
    let inside: JSONObject = ["folder": "Fest", "uids": [.string(inner)]]
    let calls: [(String, JSONObject)] = [
      ("mail.append", ["folder": "Fest", "to": ["x@example.org"], "subject": "neu", "text": "Text"]),
      ("mail.move", ["folder": "INBOX", "uids": [.string(uid)], "to": "Fest"]),
      ("mail.copy", ["folder": "INBOX", "uids": [.string(uid)], "to": "Fest"]),
      ("mail.move", inside.merging(["to": "INBOX"]) { $1 }), ("mail.flag", inside.merging(["add": ["seen"]]) { $1 }),
      ("mail.delete", inside), ("mail.delete", inside.merging(["permanently": true]) { $1 }),
    ]
    for (action, input) in calls {
      await #expect(throws: ActionError(.auth, ""), "\(action)") { _ = try await other.call(action, .object(input)) }
    }
    #expect(try await other.subjects("Fest") == ["drinnen"])
    #expect(try await other.uids(["folder": "Fest", "unseen": true]) == [inner])
    #expect(try await other.subjects("INBOX") == ["draußen"])
    #expect(try await other.subjects("Trash") == [])
    server.stop()
  }

  /// Two programs move the same messages at the same time.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+ NAMESPACE"])
  func whatSomebodyElseMovesIsLeftToThem(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let ours = try TestAccount(server, Self.settings)
    let theirs = try TestAccount(server, user: ours.user, Self.settings)
    let count = 30
    var uids: [JSONValue] = []
    for number in 0..<count { uids.append(.string(try await ours.store(TestAccount.message("m\(number)")))) }
    _ = try await ours.call("mail.folder", ["operation": "create", "folder": "A"])
    _ = try await ours.call("mail.folder", ["operation": "create", "folder": "B"])
    @Sendable func move(_ account: TestAccount, _ uids: [JSONValue], to folder: String) async throws -> (Int, Int) {
      var (moved, missing) = (0, 0)
      for start in stride(from: 0, to: uids.count, by: 3) {
        let part = Array(uids[start..<min(uids.count, start + 3)])
        let output = try await account.call(
          "mail.move", ["folder": "INBOX", "uids": .array(part), "to": .string(folder)])
        moved += Int(output["moved"]?.integer ?? 0)
        missing += output["missing"]?.array?.count ?? 0
      }
      return (moved, missing)
    }
    let all = uids
    async let first = move(ours, all, to: "A")
    async let second = move(theirs, Array(all.reversed()), to: "B")
    let (here, there) = try await (first, second)
    #expect(here.0 + here.1 == count && there.0 + there.1 == count)
    let found = try await ours.subjects("A") + ours.subjects("B")
    #expect(Set(found) == Set((0..<count).map { "m\($0)" }))
    #expect(try await ours.subjects("INBOX") == [])
    #expect(found.count == here.0 + there.0)
    if !options.isEmpty { server.stop() }
  }

  /// The server numbers a folder anew: old names name no message any more, and nothing is done to another one.
  @Test func foldersThatAreNumberedAnewAreLeftAlone() async throws {
    let server = try DovecotServer()
    let account = try TestAccount(server, Self.settings)
    var uids: [JSONValue] = []
    for number in 0..<3 { uids.append(.string(try await account.store(TestAccount.message("m\(number)"), in: "L"))) }
    let page = try await account.call("mail.search", ["folder": "L", "limit": 1, "fields": ["uid"]])
    server.stop()
    let folder = server.maildir(account.user) + "/.L"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("dovecot.index") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    let list = folder + "/dovecot-uidlist"
    let text = try String(contentsOfFile: list, encoding: .utf8)
    let validity = try #require(text.split(separator: " ").first { $0.hasPrefix("V") }.flatMap { Int($0.dropFirst()) })
    let changed = text.split(separator: "\n").map { line in
      line.hasPrefix("3 ")
        ? line.split(separator: " ").map { $0 == "V\(validity)" ? "V\(validity + 7)" : String($0) }
          .joined(separator: " ") : String(line)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: list)
    try (changed.joined(separator: "\n") + "\n").write(toFile: list, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      attributes.filter { [.ownerAccountID, .groupOwnerAccountID, .posixPermissions].contains($0.key) },
      ofItemAtPath: list)
    try server.launch()
    let again = try TestAccount(server, user: account.user, host: account.host, Self.settings)
    let input: JSONObject = ["folder": "L", "uids": .array(uids)]
    for (action, more) in [
      ("mail.move", ["to": "Z"]), ("mail.copy", ["to": "Z"]), ("mail.flag", ["add": ["seen"]]), ("mail.delete", [:]),
    ] as [(String, JSONObject)] {
      await #expect(throws: ActionError(.notFound, ""), "\(action)") {
        _ = try await again.call(action, .object(input.merging(more) { $1 }))
      }
    }
    await #expect(throws: ActionError(.notFound, "")) {
      _ = try await again.call("mail.search", ["folder": "L", "limit": 1, "cursor": page["cursor"] ?? .null])
    }
    #expect(try await again.subjects("L") == ["m0", "m1", "m2"])
    #expect(try await again.uids(["folder": "L"]).allSatisfy { $0.hasPrefix("\(validity + 7).") })
    server.stop()
  }

  /// The answer to a message that was sent whole is lost while the server is still busy with it.
  @Test func messagesThatTheServerIsStillBusyWithAreNotStoredTwice() async throws {
    let input: JSONValue = [
      "folder": "INBOX", "from": "a@example.org", "to": ["x@example.org"], "subject": "neu", "text": "Text",
    ]
    func verify(_ server: BusyServer) async throws -> (verdict: JSONValue?, waited: Duration) {
      let host = InMemoryHost()
      let plugin = try host.open(
        IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
      host.accept { peer in try await server.serve(peer) }
      await #expect(throws: ActionError(.io, "")) { _ = try await plugin.call("mail.append", input, key: "k") }
      let clock = plugin.callContext().clock
      let start = clock.monotonic
      let verdict = try await plugin.verify("mail.append", input, key: "k")["verdict"]
      return (verdict, clock.monotonic - start)
    }
    let late = try await verify(BusyServer(isDoneAfterLooks: 3))
    #expect(late.verdict == "done" && late.waited > .zero)
    // One that never stores it has had its time: then the message may be sent again.
    let never = try await verify(BusyServer(isDoneAfterLooks: .max))
    #expect(never.verdict == "not_done")
    #expect(never.waited > .seconds(40) && never.waited < .seconds(60))
  }
}
