import CPluginABI
import Foundation
import PluginKit
import Synchronization
import Testing

/// How the kit uses the host's tables: with what they are called, and what comes of their answers.
@Suite(.timeLimit(.minutes(5)))
struct NativeCapabilityTests {
  let tables = NativeTables()
  let host: NativeHost
  let table: sous_plugin
  /// An instance, as a number that any thread may have.
  let made: UInt
  let context: PluginContext

  init() throws {
    let tables = tables
    host = NativeHost(tables: tables)
    table = try #require(PluginEntry.pointer(for: Courier.self)).load(as: sous_plugin.self)
    (made, context) = try NativeCapabilityTests.make(host, table)
  }

  static func make(_ host: NativeHost, _ table: sous_plugin) throws -> (UInt, PluginContext) {
    let provider = UUID().uuidString
    let instance = try host.create(table, #"{"sender_name": "Carl"}"#, provider: provider)
    return (UInt(bitPattern: instance), try #require(Courier.contexts.withLock { $0[provider] }))
  }

  func call(
    _ action: String, _ input: String, id: UInt64 = 1, operation: UInt32 = UInt32(SOUS_OPERATION_RUN),
    meanwhile: () -> Void = {}
  ) async -> NativeHost.Answer {
    await host.call(
      table, OpaquePointer(bitPattern: made), action, input, id: id, operation: operation, meanwhile: meanwhile)
  }

  @Test func requestsReachTheHostAsTheHeaderDescribes() async throws {
    let request = HTTPRequest(
      method: .post, url: "https://a.example/now", headers: ["A": "1", "B": ""], body: Array("body".utf8),
      connectTimeout: .milliseconds(1500), idleTimeout: .microseconds(1), responseLimit: 99, keepsRedirects: true)
    let response = try await context.http.send(request)
    #expect(response.status == 201)
    #expect(response.headers == ["x-one": "1"])
    #expect(try await response.text() == "at once")
    #expect(
      tables.lines == [
        #"0 POST https://a.example/now ["A=1", "B="] body flags 6 connect 1500 idle 1 limit 99"#
      ])
  }

  @Test func streamedBodiesAreWrittenAndFinished() async throws {
    let pieces = AsyncStream { stream in
      for piece in ["one", "two"] { stream.yield(Array(piece.utf8)) }
      stream.finish()
    }
    let response = try await context.http.send(HTTPRequest(method: .put, url: "https://a.example/"), body: pieces)
    #expect(try await response.text() == "finished")
    #expect(tables.lines.dropFirst() == ["write one", "write two"])
    #expect(tables.lines.first?.contains("flags 5") == true)
  }

  @Test func failuresOfTheHostKeepEverythingTheySay() async throws {
    let error = await #expect(throws: ActionError.self) {
      try await context.http.send(HTTPRequest(url: "https://a.example/fail"))
    }
    #expect(error?.kind == .refused)
    #expect(error?.messageGerman == "nein")
    #expect(error?.advice == "a")
    #expect(error?.retryAfter == 2)
  }

  @Test func cancellingReachesTheHost() async throws {
    let http = context.http
    let task = Task { try await http.send(HTTPRequest(url: "https://a.example/never")) }
    while tables.lines.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await task.value }
    #expect(tables.lines.last == "cancel 4")
  }

  @Test func dialoguesGoThroughTheTable() async throws {
    let answer = await call("mailman.dialogue", #"{"text": "hi there"}"#, id: 31)
    #expect(answer.payload == #"{"text":"ready|hi there|true"}"#)
    #expect(tables.lines.first == "open 31 mail.example:143 tls 0")
    #expect(tables.lines.last == "close")
  }

  @Test func secretsAreReadThroughTheTable() async throws {
    #expect(try await context.secrets.read("password") == "hunter2")
    await #expect(throws: ActionError(.auth, "")) { try await context.secrets.read("other") }
  }

  @Test func stateIsCommittedWithItsVersion() async throws {
    let state = context.state
    #expect(try await state.value(Int.self, for: "n") == nil)
    for _ in 0..<2 {
      try await state.transaction { state in
        try state.set((try await state.value(Int.self, for: "n") ?? 0) + 1, for: "n")
      }
    }
    try await state.remove("n")
    #expect(tables.lines == ["set n 1 flags 2", "set n 2 flags 2", "set n  flags 1"])
    #expect(try await state.keys(prefix: "n") == ["n"])
  }

  @Test func blobsAreReadAndMadeThroughTheTable() async throws {
    let one = "blob:sha256:" + String(repeating: "0", count: 63) + "1"
    let answer = await call("mailman.shout", #"{"file": "\#(one)"}"#, id: 12)
    #expect(answer.payload == #"{"file":"\#(one.dropLast())9"}"#)
    #expect(tables.lines == ["create 12"])
    #expect(tables.state.withLock { $0.blobs[9] } == Array("QUIET".utf8))
    let refused = await call("mailman.shout", #"{"file": "\#(one.dropLast())2"}"#)
    #expect(try JSONValue(json: Array(refused.payload.utf8))["kind"] == "auth")
  }

  @Test func subscriptionsEmitUntilTheHostHasEnough() async throws {
    let answer = await call(
      "mailman.tick", #"{"settings": {"first": 1}, "cursor": "6"}"#, id: 8,
      operation: UInt32(SOUS_OPERATION_SUBSCRIBE)
    ) { [tables] in
      while tables.lines.count < 2 { usleep(1000) }
      table.cancel(OpaquePointer(bitPattern: made), 8)
    }
    #expect(try JSONValue(json: Array(answer.payload.utf8))["kind"] == "cancelled")
    #expect(tables.lines == [#"event 8 tick-7 {"number":7} 7"#, #"event 8 tick-7 {"number":-1} 7"#])
  }

  @Test func aRefusedEventEndsTheSubscription() async throws {
    tables.state.withLock { $0.isEmitRefused = true }
    let answer = await call(
      "mailman.tick", #"{"settings": {"first": 1}}"#, operation: UInt32(SOUS_OPERATION_SUBSCRIBE))
    #expect(try JSONValue(json: Array(answer.payload.utf8))["kind"] == "cancelled")
  }

  @Test func withoutTheCapabilityThingsAreUnsupported() async throws {
    let poor = NativeHost(hasCapabilities: false)
    let (_, context) = try Self.make(poor, table)
    await #expect(throws: ActionError(.unsupported, "")) {
      try await context.http.send(HTTPRequest(url: "https://a.example"))
    }
    await #expect(throws: ActionError(.unsupported, "")) { try await context.streams.open(host: "a", port: 1) }
    await #expect(throws: ActionError(.unsupported, "")) { try await context.secrets.read("password") }
    await #expect(throws: ActionError(.unsupported, "")) { try await context.state.value(Int.self, for: "n") }
    await #expect(throws: ActionError(.unsupported, "")) { try await context.state.set(1, for: "n") }
  }

  @Test func smallCallsAreAnsweredOnTheThreadThatStartsThem() async throws {
    let (inline, blocking, own) = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let own = currentThread()
        let inline = host.callNow(table, OpaquePointer(bitPattern: made), "mailman.inline", "{}")
        let blocking = host.callNow(table, OpaquePointer(bitPattern: made), "mailman.thread", "{}")
        continuation.resume(returning: (inline, blocking, own))
      }
    }
    #expect(inline == #"{"text":"\#(own)"}"#)
    #expect(blocking != inline)
  }
}
