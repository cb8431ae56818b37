import Dispatch
import Engine
import Expressions
import Localization
import LoopbackPorts
import RecipePlanning
import RecipeSyntax
import Synchronization
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

  /// A pusher, and as many runs as names, which wait for their push before it starts.
  private func push(
    _ names: [String], to collector: TraceCollector, time: any TimeSource = SystemTime(),
    before: (Session) async throws -> Void = { _ in }, until isDone: (Session) async throws -> Bool
  ) async throws -> Place {
    let place = try Place(configuration: configuration(collector.port))
    for name in Set(names) {
      try place.write(name + ".yaml", Self.recipe.replacing("name: say", with: "name: " + name))
    }
    try await place.withSession { session in
      try await session.store.setTracing(true)
      for name in names {
        _ = try await session.run(try session.project.check(RunOrder(place.folder + "/\(name).yaml")))
      }
      try await before(session)
      let pusher = Task { await TracePusher(session, version: "1", time: time).keep() }
      try await eventually { try await isDone(session) }
      pusher.cancel()
      await pusher.value
    }
    return place
  }

  @Test func aRequestThatIsTooLargeIsSplitAndNoRunIsLost() async throws {
    let collector = try TraceCollector(.takesTraces(2))
    defer { collector.end() }
    let place = try await push(
      Array(repeating: "say", count: 9), to: collector, until: { try await $0.store.pendingTraces() == 0 })
    let accepted = collector.traces.filter { $0.count <= 2 }
    #expect(accepted.reduce(0) { $0 + $1.count } == 9 && Set(accepted.joined()).count == 9)
    #expect(collector.traces.first?.count == 9)
    #expect(await place.refused(until: 9) == [])
  }

  @Test func onlyTheRunThatIsRefusedAloneIsGivenUp() async throws {
    let collector = try TraceCollector(.refusesName("bad"))
    defer { collector.end() }
    let place = try await push(
      ["one", "two", "bad", "three"], to: collector, until: { try await $0.store.pendingTraces() == 0 })
    let pushed = collector.requests.filter { !$0.body.jsonString.contains("\"bad\"") }.map(\.body.jsonString).joined()
    for name in ["one", "two", "three"] { #expect(pushed.contains("\"\(name)\"")) }
    #expect(await place.refused(until: 3) == [1])
  }

  /// A wrong path or token concerns all runs: none is given up.
  @Test(arguments: [401, 404, 405, 415]) func aRefusalThatConcernsAllRunsGivesUpNone(status: Int) async throws {
    let collector = try TraceCollector(.answers(status))
    defer { collector.end() }
    _ = try await push(
      ["say", "say"], to: collector,
      until: { session in
        guard collector.requests.count > 1 else { return false }
        let pending = try await session.store.pendingTraces()
        #expect(pending == 2)
        return true
      })
  }

  /// The clock of both daemons moves on with each request, so that the time of the first lease ends before the last request.
  @Test func aDaemonThatWorksLongKeepsItsRuns() async throws {
    let time = ManualTime()
    let other = OtherDaemon()
    let collector = try TraceCollector(.takesTraces(1)) { _ in
      time.advance(by: 50)
      let done = DispatchSemaphore(value: 0)
      Task {
        await other.lease(until: time.now.adding(seconds: 60))
        done.signal()
      }
      done.wait()
    }
    defer { collector.end() }
    _ = try await push(
      Array(repeating: "say", count: 4), to: collector, time: time,
      before: { session in
        let store = try RunStore(path: session.store.path, time: time)
        other.store.withLock { $0 = store }
      }, until: { try await $0.store.pendingTraces() == 3 })
    try await other.store.withLock { $0 }?.close()
    #expect(other.taken.withLock { $0 } == [])
  }

  /// Another daemon, which takes runs to push.
  private final class OtherDaemon: Sendable {
    let store = Mutex<RunStore?>(nil)
    let taken = Mutex<[RunID]>([])

    func lease(until end: Timestamp) async {
      guard let store = store.withLock({ $0 }) else { return }
      let runs = (try? await store.leaseTraces(limit: 50, until: end)) ?? []
      taken.withLock { $0 += runs }
    }
  }

  @Test func anotherCollectorGetsOnlyWhatTheFormerHasNot() async throws {
    let (former, later) = (try TraceCollector(), try TraceCollector())
    defer {
      former.end()
      later.end()
    }
    let place = try await push(["say", "say"], to: former, until: { try await $0.store.pendingTraces() == 0 })
    try place.write("sous.yaml", configuration(later.port))
    try await place.withSession { session in
      // Ends while no daemon runs.
      _ = try await session.run(try session.project.check(RunOrder(place.folder + "/say.yaml")))
      #expect(try await session.store.pendingTraces() == 1)
      let pusher = Task { await TracePusher(session, version: "1").keep() }
      try await eventually { try await session.store.pendingTraces() == 0 }
      pusher.cancel()
      await pusher.value
    }
    let (first, second) = (Set(former.traces.joined()), Set(later.traces.joined()))
    #expect(first.count == 2 && second.count == 1 && first.isDisjoint(with: second))
  }

  @Test(arguments: [
    ("traces: 127.0.0.1:4318", 2), ("traces: \"http://:4318/v1/traces\"", 2),
    ("traces: \"http://a.example:99999/\"", 2),
    ("traces: \"http://a b/\"", 2), ("traces:\n    url: http://127.0.0.1/\n    headers: { \"X Y\": a }", 4),
    ("traces:\n    url: http://127.0.0.1/\n    headers: { Content-Type: text/plain }", 4),
    ("traces:\n    url: http://127.0.0.1/\n    headers: { X-A: a, x-a: b }", 4),
    ("traces:\n    url: http://example.com/\n    headers: { X-A: { secret: A } }", 3),
  ]) func aWrongCollectorIsAnErrorOfItsLine(text: String, line: Int) throws {
    let place = try Place(configuration: "engine:\n  \(text)\n")
    let error = #expect(throws: UseCaseError.self) { try Project(place.workspace) }
    let found = error?.planning?.diagnostics.first { $0.severity == .error }
    #expect(found?.range?.start.line == line, "\(String(describing: found))")
  }

  @Test func theCheckAsksTheCollector() async throws {
    let collector = try TraceCollector()
    defer { collector.end() }
    let place = try Place(configuration: configuration(collector.port))
    guard case .accepts(status: 200)? = await TraceCheck.ask(try Project(place.workspace), version: "1") else {
      Issue.record("the collector accepts")
      return
    }
    #expect(collector.requests.count == 1 && collector.spans.isEmpty)
    collector.set(.answers(404))
    guard case .fails(let reason)? = await TraceCheck.ask(try Project(place.workspace), version: "1") else {
      Issue.record("the collector refuses")
      return
    }
    #expect(reason.english.contains("404"))
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

  /// How many runs each report of the pusher gives up, up to the moment when so many are pushed.
  fileprivate func refused(until count: Int) async -> [Int] {
    var (pushed, refused): (Int, [Int]) = (0, [])
    for await event in events {
      if case .serve(.tracesFail(_, let number)) = event { refused.append(number) }
      if case .serve(.pushedTraces(let number)) = event { pushed += number }
      if pushed >= count { break }
    }
    return refused
  }
}
