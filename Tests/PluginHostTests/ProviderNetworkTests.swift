import Engine
import Expressions
import FixturePlugins
import Synchronization
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// What plugins do on the network, through the C tables and the host's network.
@Suite(.timeLimit(.minutes(5)))
struct ProviderNetworkTests {
  let log = HostLog()

  private func host(_ settings: ValueMap, hosts: [String] = []) throws -> PluginHost {
    PluginHost.forTests(.path(try FixtureLibrary.services()), settings: .map(settings), log: log) { $0.hosts = hosts }
  }

  private func outcome(
    _ action: String, _ input: ValueMap, on host: PluginHost
  ) async -> Result<ValueMap, ActionFailure> {
    do throws(ActionFailure) {
      let output = try await host.provider(named: "home")
        .perform(.forTests("services." + action, input), reporter: RecordingReporter())
      guard case .map(let map) = output else { return .success([:]) }
      return .success(map)
    } catch {
      return .failure(error)
    }
  }

  private static func hello() throws -> LoopbackServer {
    try LoopbackServer { connection in
      let request = connection.read()
      let body =
        request.contains("X-Test: from the plugin") || request.contains("x-test: from the plugin") ? "hello" : "?"
      connection.write(
        "HTTP/1.1 200 OK\r\nX-Test: from the server\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      connection.waitForClose()
    }
  }

  @Test(
    arguments: [
      (["base_url": "http://127.0.0.1:PORT/v1"], []), (["more": .list(["127.0.0.1"])], []), ([:], ["127.0.0.1:PORT"]),
      ([:], ["127.0.0.0/8"]),
    ] as [(ValueMap, [String])])
  func configuredHostsAreReached(settings: ValueMap, hosts: [String]) async throws {
    let server = try Self.hello()
    var filled: ValueMap = [:]
    for (key, value) in settings.entries {
      guard case .string(let name) = key else { continue }
      filled[name] = value.stringValue.map { .string($0.replacing("PORT", with: "\(server.port)")) } ?? value
    }
    let host = try host(filled, hosts: hosts.map { $0.replacing("PORT", with: "\(server.port)") })
    let answer = try await outcome("fetch", ["url": .string("http://127.0.0.1:\(server.port)/x")], on: host).get()
    #expect(answer["status"] == .int(200))
    #expect(answer["test"] == .string("from the server"))
    #expect(answer["body"] == .string("hello"))
    await host.shutdown()
  }

  @Test func otherHostsAreRefusedBeforeAConnectionIsMade() async throws {
    let server = try Self.hello()
    let host = try host(["base_url": "http://localhost:1/"])
    for action in ["fetch", "talk"] {
      let input: ValueMap = [
        "url": .string("http://127.0.0.1:\(server.port)/x"), "host": "127.0.0.1", "port": .int(Int64(server.port)),
      ]
      guard case .failure(let failure) = await outcome(action, input, on: host) else {
        Issue.record("\(action) was let through")
        continue
      }
      #expect(failure.kind == .auth)
    }
    #expect(server.accepted.count == 0)
    await host.shutdown()
  }

  @Test func failureOnTheWayKeepsItsKind() async throws {
    let host = try host(["base_url": "http://127.0.0.1:1/"])
    guard case .failure(let failure) = await outcome("fetch", ["url": "http://127.0.0.1:1/x"], on: host) else {
      Issue.record("port 1 answered")
      return
    }
    #expect(failure.kind == .refused)
    await host.shutdown()
  }

  @Test func requestEndsWithItsCall() async throws {
    let received = Arrivals()
    let server = try LoopbackServer { connection in
      _ = connection.read()
      received.add()
      connection.waitForClose()
    }
    let host = try host(["base_url": .string("http://127.0.0.1:\(server.port)")])
    let call = Task { await outcome("fetch", ["url": .string("http://127.0.0.1:\(server.port)/")], on: host) }
    await received.wait(for: 1)
    call.cancel()
    guard case .failure(let failure) = await call.value else {
      Issue.record("nothing was cancelled")
      return
    }
    #expect(failure.kind == .cancelled)
    await server.finished.wait(for: 1)
    // The plugin was told, and answered by itself.
    #expect(await host.shutdown() == [])
    #expect(!log.lines.contains { $0.contains("stopped waiting") })
  }

  @Test func shutdownEndsWhatIsUnderWay() async throws {
    let received = Arrivals()
    let server = try LoopbackServer { connection in
      _ = connection.read()
      received.add()
      connection.waitForClose()
    }
    let host = try host(["base_url": .string("http://127.0.0.1:\(server.port)")])
    let call = Task { await outcome("fetch", ["url": .string("http://127.0.0.1:\(server.port)/")], on: host) }
    await received.wait(for: 1)
    await host.shutdown(grace: 0)
    guard case .failure(let failure) = await call.value else {
      Issue.record("nothing was ended")
      return
    }
    #expect(failure.kind == .cancelled)
  }

  @Test func streamsCarryBytesBothWays() async throws {
    let server = try LoopbackServer { connection in
      let words = connection.read()
      connection.write("you said \(words)")
    }
    let host = try host([:], hosts: ["127.0.0.1"])
    let answer = try await outcome(
      "talk", ["host": "127.0.0.1", "port": .int(Int64(server.port)), "words": "good morning"], on: host
    ).get()
    #expect(answer["value"] == .string("you said good morning"))
    #expect(answer["status"] == .int(1))
    await host.shutdown()
  }

  @Test func hostThatCannotBeReadIsAnErrorOfTheConfiguration() async throws {
    let host = try host([:], hosts: ["http://"])
    await #expect(throws: PluginError(.configInvalid)) { try await host.pluginProvider(named: "home") }
    await host.shutdown()
  }
}

struct TrafficTests {
  @Test func whatACallHasOpenEndsWithIt() throws {
    let exchanges = OpenExchanges()
    let ended = Mutex<[String]>([])
    let first = try #require(exchanges.begin(of: 1))
    exchanges.set(first, of: 1) { ended.withLock { $0.append("first") } }
    let second = try #require(exchanges.begin(of: 2))
    exchanges.set(second, of: 2) { ended.withLock { $0.append("second") } }
    let over = try #require(exchanges.begin(of: 1))
    exchanges.finish(over, of: 1)
    exchanges.end(1)
    #expect(ended.withLock { $0 } == ["first"])
    exchanges.end(1)
    exchanges.close()
    #expect(ended.withLock { $0 } == ["first", "second"])
    #expect(exchanges.begin(of: 3) == nil)
  }

  @Test func whatBeginsWhileItsCallEndsIsEnded() throws {
    let exchanges = OpenExchanges()
    let number = try #require(exchanges.begin(of: 1))
    exchanges.end(1)
    let ended = Mutex(0)
    exchanges.set(number, of: 1) { ended.withLock { $0 += 1 } }
    #expect(ended.withLock { $0 } == 1)
  }
}
