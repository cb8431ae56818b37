import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import IMAPPlugin

/// `mail.new` after the settings of its provider have changed, with a server that numbers as the one before, and after a mailbox
/// was put back from a backup.
@Suite(.timeLimit(.minutes(5)))
struct WatchOriginTests {
  private let host = InMemoryHost()
  private let old = MemoryMailServer()

  private func plugin(
    host name: String = "mail.example.com", user: String = "anna", _ server: MemoryMailServer
  ) throws -> InMemoryHost.OpenPlugin<IMAPPlugin> {
    host.accept { peer in try await server.serve(peer) }
    return try host.open(
      IMAPPlugin.self, configuration: ["host": .string(name), "user": .string(user), "password": "geheim-17"])
  }

  private static func subjects(_ events: [InMemoryHost.Event]) -> [String] {
    events.compactMap { $0.event["message"]?["subject"]?.string }
  }

  private func events(
    _ plugin: InMemoryHost.OpenPlugin<IMAPPlugin>, after cursor: String? = nil, count: Int
  ) async throws -> [InMemoryHost.Event] {
    try await plugin.events(of: "mail.new", ["fields": ["subject"]], cursor: cursor, count: count)
  }

  /// Two messages of the old server, told.
  private func beginning() async throws -> [InMemoryHost.Event] {
    let plugin = try plugin(old)
    async let told = events(plugin, count: 2)
    try await eventually { old.isIdling }
    old.deliver("a1")
    old.deliver("a2")
    return try await told
  }

  @Test func mailOfTheNextServerIsNotTakenForKnown() async throws {
    let told = try await beginning()
    let new = MemoryMailServer(domain: "example.net")
    for subject in ["b1", "b2", "b3"] { new.deliver(subject) }
    let next = try await events(try plugin(host: "mail.example.net", new), after: told.last?.cursor, count: 3)
    #expect(Self.subjects(next) == ["b1", "b2", "b3"])
    // The run log drops events whose names it knows.
    #expect(Set(told.map(\.id)).isDisjoint(with: next.map(\.id)))
    // From then on by number, as ever.
    new.deliver("b4")
    let last = try await events(try plugin(host: "mail.example.net", new), after: next.last?.cursor, count: 1)
    #expect(Self.subjects(last) == ["b4"])
  }

  @Test func oneMailboxUnderTwoNamesIsToldOnce() async throws {
    let told = try await beginning()
    old.deliver("a3")
    let next = try await events(try plugin(host: "imap.example.com", old), after: told.last?.cursor, count: 1)
    #expect(Self.subjects(next) == ["a3"])
  }

  @Test func anotherUserBeginsAnewAndStaysThere() async throws {
    let told = try await beginning()
    let other = MemoryMailServer(domain: "example.net")
    for subject in ["b1", "b2", "b3"] { other.deliver(subject) }
    let plugin = try plugin(user: "berta", other)
    let watching = Task { try await events(plugin, after: told.last?.cursor, count: 1) }
    try await eventually { other.isIdling }
    watching.cancel()
    _ = try? await watching.value
    // What comes before the first event of this user is told after a restart, for which the cursor is the old one.
    other.deliver("b4")
    let next = try await events(try self.plugin(user: "berta", other), after: told.last?.cursor, count: 1)
    #expect(Self.subjects(next) == ["b4"])
    #expect(Set(told.map(\.id)).isDisjoint(with: next.map(\.id)))
  }

  @Test func cursorsFromBeforeGoOn() async throws {
    let told = try await beginning()
    let text = try #require(told.last?.cursor)
    let before = text.split(separator: "|", omittingEmptySubsequences: false).prefix(3).joined(separator: "|")
    #expect(WatchPosition(before)?.origin == nil && WatchPosition(text)?.origin != nil)
    #expect(WatchPosition(text)?.text == text)
    old.deliver("a3")
    let next = try await events(try plugin(old), after: before, count: 1)
    #expect(Self.subjects(next) == ["a3"])
    #expect(WatchPosition(next[0].cursor)?.origin != nil)
  }

  /// The numbers that the mailbox has lost are given again, to other messages.
  @Test func aMailboxFromABackupTellsOfWhatComes() async throws {
    let told = try await beginning()
    let restored = MemoryMailServer(domain: "example.net")
    restored.deliver("b1")
    let next = try await events(try plugin(restored), after: told.last?.cursor, count: 1)
    #expect(Self.subjects(next) == ["b1"])
    restored.deliver("b2")
    restored.deliver("b3")
    let last = try await events(try plugin(restored), after: next.last?.cursor, count: 2)
    #expect(Self.subjects(last) == ["b2", "b3"])
    #expect(Set((told + next + last).map(\.id)).count == 5)
  }

  @Test func aCursorKnowsHowFarChangesHaveCome() throws {
    var position = WatchPosition(validity: 7, uid: 2, modSeq: 40, received: 5, known: ["a"])
    #expect(WatchPosition(position.text) == position && position.text.hasPrefix("7.2.40|5|a"))
    #expect(WatchPosition("7.2|5|a")?.modSeq == nil && WatchPosition("7.2.3.4|5|a") == nil)
    position.reach(nil)
    position.reach(50)
    position.reach(45)
    #expect(position.modSeq == 50)
    var mailbox = ConnectionMachine.Mailbox(name: [], isReadOnly: true, uidValidity: 7)
    #expect(!position.isAhead(of: mailbox))
    (mailbox.uidNext, mailbox.highestModSeq) = (3, 50)
    #expect(!position.isAhead(of: mailbox))
    mailbox.highestModSeq = 49
    #expect(position.isAhead(of: mailbox))
    (mailbox.uidNext, mailbox.highestModSeq) = (2, nil)
    #expect(position.isAhead(of: mailbox))
  }
}
