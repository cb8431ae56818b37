import Engine
import Expressions
import LoopbackPorts
import TestSupport
import TestWorkspace
import Testing

@testable import RunStore
@testable import Serve
@testable import UseCases

/// Traces of runs, pushed to a collector.
@Suite(.timeLimit(.minutes(3)))
struct TracePushTests {
  private static let recipe = "name: say\nsteps: [{ id: a, uses: log, with: { message: hidden-text } }]\n"
  private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  private func configuration(_ port: Int) -> String {
    """
    http: { hosts: ["127.0.0.1"] }
    secrets: [{ command: [printf, "%s", "value-of-{name}"] }]
    engine:
      traces:
        url: http://127.0.0.1:\(port)/v1/traces
        headers: { X-Token: { secret: OTLP_TOKEN }, X-Team: home }

    """
  }

  @Test func aRunIsPushedOnceWithHeadersAndContinuesTheTraceOfItsRequest() async throws {
    let collector = try TraceCollector()
    defer { collector.end() }
    let server = try await TestServer(["say": Self.recipe], configuration: configuration(collector.port))
    let token = try server.token()
    let run = try #require(
      try await server.call("POST", "/recipes/say/runs", token, [:], fields: [("traceparent", Self.parent)])
        .json["id"]?.stringValue)
    try await eventually { !collector.spans.isEmpty }
    try await eventually { try await server.session.store.pendingTraces() == 0 }
    let spans = collector.spans
    #expect(spans.compactMap { $0["name"]?.stringValue } == ["say", "a", "log builtin"])
    #expect(spans.allSatisfy { $0["traceId"] == "0af7651916cd43dd8448eb211c80319c" })
    #expect(spans[0]["parentSpanId"] == "b7ad6b7169203331")
    let request = try #require(collector.requests.first)
    let head = request.head.lowercased()
    #expect(head.hasPrefix("post /v1/traces ") && head.contains("content-type: application/json"))
    #expect(head.contains("x-token: value-of-otlp_token") && head.contains("x-team: home"))
    #expect(!request.body.jsonString.contains("hidden-text"))
    #expect(request.body.jsonString.contains(run) && request.body.jsonString.contains("0.0.1"))
    var metrics = ""
    try await eventually {
      metrics = try await HTTPCall(server.port).send("GET", "/metrics", [("Authorization", "Bearer \(token)")]).text
      return metrics.contains("sous_traces_pushed_total 1\n")
    }
    #expect(metrics.contains("sous_traces_pending 0\n"))
    try await server.stop()
    #expect(collector.requests.count == 1)
  }

  @Test func aWebhookContinuesTheTraceOfItsRequest() async throws {
    let collector = try TraceCollector()
    defer { collector.end() }
    let server = try await TestServer(
      [
        "hook":
          "name: hook\non: { webhook: { name: hook, secret: HOOK } }\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"
      ],
      configuration: configuration(collector.port))
    let fields = [("Authorization", "Bearer value-of-HOOK"), ("traceparent", Self.parent)]
    try await eventually { try await HTTPCall(server.port).send("POST", "/hooks/hook", fields, [0x78]).status == 202 }
    try await eventually { !collector.spans.isEmpty }
    #expect(collector.spans[0]["parentSpanId"] == "b7ad6b7169203331")
    try await server.stop()
  }

  /// A collector that is overloaded, hangs or is gone costs runs nothing, and gets the traces later.
  @Test(arguments: [TraceCollector.Mode.overloaded, .hangs, nil])
  func aDeadCollectorStopsNoRun(mode: TraceCollector.Mode?) async throws {
    let collector = try mode.map { try TraceCollector($0) }
    defer { collector?.end() }
    let port = try collector?.port ?? LoopbackPort.free()
    let place = try Place(configuration: configuration(port))
    try place.write("say.yaml", Self.recipe)
    let began = SystemTime().monotonic
    try await place.withSession { session in
      let pusher = Task { await TracePusher(session, version: "1").keep() }
      try await eventually { try await session.store.isTracing() }
      for _ in 0..<20 {
        let outcome = try await session.run(try session.project.check(RunOrder(place.folder + "/say.yaml")))
        #expect(outcome.result.status == .succeeded)
      }
      if let collector { try await eventually { !collector.requests.isEmpty } }
      #expect(try await session.store.pendingTraces() == 20)
      pusher.cancel()
      await pusher.value
    }
    #expect(SystemTime().monotonic - began < 60)
    // After a restart, at a collector that works.
    let later = try TraceCollector()
    defer { later.end() }
    try place.write("sous.yaml", configuration(later.port))
    try await place.withSession { session in
      let pusher = Task { await TracePusher(session, version: "1").keep() }
      try await eventually { try await session.store.pendingTraces() == 0 }
      #expect(Set(later.spans.compactMap { $0["traceId"]?.stringValue }).count == 20)
      #expect(later.spans.count == 60)
      pusher.cancel()
      await pusher.value
    }
  }

  @Test func aRefusedTraceIsGivenUp() async throws {
    let collector = try TraceCollector(.refuses)
    defer { collector.end() }
    let place = try Place(configuration: configuration(collector.port))
    try place.write("say.yaml", Self.recipe)
    try await place.withSession { session in
      let pusher = Task { await TracePusher(session, version: "1").keep() }
      try await eventually { try await session.store.isTracing() }
      _ = try await session.run(try session.project.check(RunOrder(place.folder + "/say.yaml")))
      try await eventually { try await session.store.pendingTraces() == 0 }
      pusher.cancel()
      await pusher.value
    }
    #expect(collector.requests.count == 1)
    let reports = await place.reports()
    #expect(reports == [1])
  }

  @Test func pausesGrowAndTheCollectorMayAskForMore() {
    var backoff = PushBackoff()
    #expect((0..<4).map { _ in backoff.fail(retryAfter: nil) } == [1, 2, 4, 8])
    #expect(backoff.fail(retryAfter: 60) == 60)
    for _ in 0..<10 { _ = backoff.fail(retryAfter: nil) }
    #expect(backoff.fail(retryAfter: 1e9) == 3600 && backoff.fail(retryAfter: nil) == 300)
    backoff.succeed()
    #expect(backoff.fail(retryAfter: nil) == 1)
  }
}

extension Place {
  /// How many runs each report of the pusher gives up, up to the first one.
  fileprivate func reports() async -> [Int] {
    for await event in events {
      if case .serve(.tracesFail(_, let refused)) = event { return [refused] }
    }
    return []
  }
}
