import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import IMAPPlugin

/// Servers that take fewer connections than the settings allow.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionLimitTests {
  @Test(arguments: [
    "* BYE [UNAVAILABLE] Maximum number of connections from user+IP exceeded\r\n",
    "* BYE Too many simultaneous connections\r\n",
  ])
  func callsShareTheConnectionsThatTheServerTakes(_ refusal: String) async throws {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let server = MemoryMailServer()
    server.deliver("a")
    let open = Mutex((now: 0, refused: 0))
    host.accept { peer in
      let isTaken = open.withLock { open in
        if open.now == 2 { open.refused += 1 } else { open.now += 1 }
        return open.now == 2 && open.refused > 0
      }
      if isTaken { try await peer.send(refusal) } else { try await server.serve(peer) }
    }
    try await withThrowingTaskGroup(of: JSONValue.self) { group in
      for _ in 0..<12 {
        group.addTask { try await plugin.call("mail.search", ["fields": ["subject"], "order": "oldest"]) }
      }
      for try await page in group { #expect(page["messages"]?.array?.count == 1) }
    }
    // It is not asked again and again.
    #expect(open.withLock { $0.refused } <= 2)
  }

  @Test func theFirstConnectionHasNoOtherToWaitFor() async throws {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    host.accept { peer in try await peer.send("* BYE Too many simultaneous connections\r\n") }
    let error = await #expect(throws: ActionError.self) { _ = try await plugin.call("mail.search") }
    #expect(error?.kind == .rateLimited)
  }
}
