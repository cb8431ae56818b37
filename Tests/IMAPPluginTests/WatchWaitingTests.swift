import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import IMAPPlugin

/// How `mail.new` waits for the server.
@Suite(.timeLimit(.minutes(5)))
struct WatchWaitingTests {
  private let host = InMemoryHost()

  private func plugin(_ server: MemoryMailServer) throws -> InMemoryHost.OpenPlugin<IMAPPlugin> {
    host.accept { peer in try await server.serve(peer) }
    return try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
  }

  private func events(
    _ plugin: InMemoryHost.OpenPlugin<IMAPPlugin>, after cursor: String? = nil, count: Int
  ) async throws -> [InMemoryHost.Event] {
    try await plugin.events(of: "mail.new", ["fields": ["subject"]], cursor: cursor, count: count)
  }

  private static func subjects(_ events: [InMemoryHost.Event]) -> [String] {
    events.compactMap { $0.event["message"]?["subject"]?.string }
  }

  @Test func whatIsAnnouncedDuringAFetchDoesNotWaitForTheNextNews() async throws {
    let server = MemoryMailServer()
    let plugin = try plugin(server)
    async let told = events(plugin, count: 2)
    try await eventually { server.isIdling }
    server.deliverDuringFetch("a2")
    server.deliver("a1")
    #expect(Self.subjects(try await told) == ["a1", "a2"])
  }

  /// A server that knows NOTIFY is asked to be silent about flags; one that refuses is waited for all the same.
  @Test(arguments: ["NOTIFY", "NOTIFY REFUSING", ""])
  func aServerIsToldWhatToSpeakOf(_ extensions: String) async throws {
    let server = MemoryMailServer(extensions: extensions)
    let plugin = try plugin(server)
    async let told = events(plugin, count: 2)
    try await eventually { server.isIdling }
    server.deliver("a1")
    try await eventually { server.commands.count { $0 == "IDLE" } >= 2 && server.isIdling }
    server.deliver("a2")
    #expect(Self.subjects(try await told) == ["a1", "a2"])
    let asked = server.commands.filter { $0.hasPrefix("NOTIFY") }
    #expect(asked == (extensions.isEmpty ? [] : ["NOTIFY SET (SELECTED (MessageNew MessageExpunge))"]))
  }
}
