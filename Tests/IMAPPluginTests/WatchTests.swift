import Foundation
import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import IMAPPlugin

@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .timeLimit(.minutes(10)))
struct WatchTests {
  private static func subjects(_ events: [InMemoryHost.Event]) -> [String] {
    events.compactMap { $0.event["message"]?["subject"]?.string }
  }

  /// Stores messages one after the other while somebody watches, each once the one before was told of.
  private func store(_ subjects: [String], _ account: TestAccount, in folder: String = "INBOX") async throws {
    for subject in subjects { try await account.store(TestAccount.message(subject), in: folder) }
  }

  /// Waits until somebody watches: the position at the beginning is noted then.
  private func waitForWatch(_ account: TestAccount, count: Int = 1) async throws {
    let context = account.plugin.callContext()
    try await eventually { try await context.state.keys(prefix: "watch.").count >= count }
  }

  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"])
  func newMailIsToldOnceAndInOrder(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server, ["poll_interval": 1])
    try await store(["alt"], account)
    async let events = account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: 3)
    try await waitForWatch(account)
    let other = try TestAccount(server, user: account.user)
    try await store(["eins", "zwei", "drei"], other)
    let told = try await events
    #expect(Self.subjects(told) == ["eins", "zwei", "drei"])
    #expect(told.allSatisfy { $0.event["folder"] == "INBOX" })
    #expect(Set(told.map(\.id)).count == 3)
    // Goes on where it ended, also for what came meanwhile.
    try await store(["vier"], other)
    let next = try await account.plugin.events(
      of: "mail.new", ["fields": ["subject"]], cursor: told[1].cursor, count: 2)
    #expect(Self.subjects(next) == ["drei", "vier"])
    if !options.isEmpty { server.stop() }
  }

  @Test func whatCameBeforeTheFirstEventIsNotForgotten() async throws {
    let server = try #require(DovecotServer.shared)
    let account = try TestAccount(server)
    let watching = Task { try await account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: 1) }
    try await waitForWatch(account)
    watching.cancel()
    _ = try? await watching.value
    try await store(["dazwischen"], account)
    let events = try await account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: 1)
    #expect(Self.subjects(events) == ["dazwischen"])
  }

  @Test func everythingInAFolderThatIsMadeLaterIsNew() async throws {
    let server = try #require(DovecotServer.shared)
    let account = try TestAccount(server)
    let settings: JSONValue = ["folder": "Later", "fields": ["subject"]]
    await #expect(throws: ActionError.self) {
      _ = try await account.plugin.events(of: "mail.new", settings, count: 1)
    }
    _ = try await account.call("mail.folder", ["operation": "create", "folder": "Later"])
    try await store(["eins", "zwei"], account, in: "Later")
    let events = try await account.plugin.events(of: "mail.new", settings, count: 2)
    #expect(Self.subjects(events) == ["eins", "zwei"])
  }

  @Test func cutsLoseAndRepeatNothing() async throws {
    let server = try #require(DovecotServer.shared)
    let proxy = try CuttingProxy(target: server.port)
    defer { proxy.close() }
    let account = try TestAccount(server, via: proxy.port)
    let count = 30
    async let events = account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: count)
    try await waitForWatch(account)
    let other = try TestAccount(server, user: account.user)
    for number in 0..<count {
      try await store(["m\(number)"], other)
      if number.isMultiple(of: 2) { proxy.cut() }
    }
    #expect(Self.subjects(try await events) == (0..<count).map { "m\($0)" })
  }

  @Test func restartOfTheServerIsSatOut() async throws {
    let server = try DovecotServer()
    let account = try TestAccount(server)
    async let events = account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: 2)
    try await waitForWatch(account)
    let first = try TestAccount(server, user: account.user)
    try await store(["vorher"], first)
    server.stop()
    try server.launch()
    let second = try TestAccount(server, user: account.user)
    try await store(["nachher"], second)
    #expect(Self.subjects(try await events) == ["vorher", "nachher"])
    server.stop()
  }

  @Test func foldersThatAreNumberedAnewTellOfNewMessagesOnly() async throws {
    let server = try #require(DovecotServer.shared)
    let account = try TestAccount(server)
    try await store(["alt"], account, in: "Liste")
    let settings: JSONValue = ["folder": "Liste", "fields": ["subject"]]
    async let first = account.plugin.events(of: "mail.new", settings, count: 1)
    try await waitForWatch(account)
    try await store(["eins"], account, in: "Liste")
    let told = try await first
    // The folder is made anew, with what was in it.
    _ = try await account.call("mail.folder", ["operation": "rename", "folder": "Liste", "to": "Früher"])
    // Dovecot takes UIDVALIDITY from its clock, in seconds: a folder made in the same one would have the same.
    try await Task.sleep(for: .milliseconds(1100))
    _ = try await account.call("mail.folder", ["operation": "create", "folder": "Liste"])
    let old = try await account.uids(["folder": "Früher", "order": "oldest"])
    _ = try await account.call(
      "mail.copy", ["folder": "Früher", "uids": .array(old.map(JSONValue.string)), "to": "Liste"])
    try await store(["zwei"], account, in: "Liste")
    let next = try await account.plugin.events(of: "mail.new", settings, cursor: told[0].cursor, count: 1)
    #expect(Self.subjects(next) == ["zwei"])
    #expect(next[0].id != told[0].id)
    try await store(["drei"], account, in: "Liste")
    let last = try await account.plugin.events(of: "mail.new", settings, cursor: next[0].cursor, count: 1)
    #expect(Self.subjects(last) == ["drei"])
  }
}
