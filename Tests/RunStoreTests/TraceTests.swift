import Engine
import Expressions
import Localization
import OpenTelemetry
import TestSupport
import Testing

@testable import RunStore

/// Traces of runs that are pushed.
@Suite(.timeLimit(.minutes(2)))
struct TraceTests {
  let time = ManualTime()
  let store: RunStore
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  private func end(_ ids: [String]) async throws {
    for id in ids {
      try await store.record([SampleRun.started(id), SampleRun.finished(id)], durability: .committed)
    }
  }

  private func lease(_ limit: Int = 10) async throws -> [String] {
    try await store.leaseTraces(limit: limit, until: time.now.adding(seconds: 60)).map(\.rawValue)
  }

  @Test func runsWaitOnlyIfACollectorIsNamed() async throws {
    try await end(["01A"])
    #expect(try await store.pendingTraces() == 0)
    try await store.setTracing(true)
    try await store.setTracing(true)
    try await end(["01B"])
    #expect(try await lease() == ["01B"])
    try await store.setTracing(false)
    #expect(try await store.pendingTraces() == 0)
    try await end(["01C"])
    #expect(try await store.pendingTraces() == 0)
    try await store.close()
  }

  @Test func partsOfRunsAndRunsThatGoOnDoNotWait() async throws {
    try await store.setTracing(true)
    guard case .runStarted(var part) = SampleRun.started("01B") else { return }
    part.parent = RunID(rawValue: "01A")
    try await store.record(
      [
        SampleRun.started("01A"), .runStarted(part), SampleRun.finished("01B"), SampleRun.started("01C"),
        SampleRun.finished("01C", .interrupted),
      ], durability: .committed)
    #expect(try await store.pendingTraces() == 0)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await lease() == ["01A"])
    try await store.close()
  }

  @Test func oneProcessTakesATraceUntilItsLeaseEnds() async throws {
    try await store.setTracing(true)
    try await end(["01A", "01B", "01C"])
    #expect(try await lease(2) == ["01A", "01B"])
    #expect(try await lease() == ["01C"])
    #expect(try await lease() == [])
    try await store.finishTraces([RunID(rawValue: "01A")])
    try await store.releaseTraces([RunID(rawValue: "01C")])
    #expect(try await lease() == ["01C"])
    // A process that was killed gives nothing back.
    time.advance(by: 61)
    #expect(try await lease() == ["01B", "01C"])
    try await store.close()
  }

  @Test func aDeadCollectorKeepsTheNewestAlone() async throws {
    try await store.setTracing(true)
    try await end(["01A"])
    try await DatabaseProbe(folder("sous.db")).execute("UPDATE pending_traces SET number = 1")
    try await DatabaseProbe(folder("sous.db")).execute(
      "UPDATE sqlite_sequence SET seq = 10000 WHERE name = 'pending_traces'")
    try await end(["01B"])
    #expect(try await lease() == ["01B"])
    try await store.close()
  }

  @Test func aTraceThatBeganElsewhereIsContinued() async throws {
    let parent = try #require(
      TraceParent(field: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
    guard case .runStarted(var start) = SampleRun.started("01A") else { return }
    start.traceParent = parent
    guard case .runStarted(var part) = SampleRun.started("01B") else { return }
    part.parent = start.run
    guard case .runStarted(var repetition) = SampleRun.started("01C") else { return }
    repetition.origin = start.run
    try await store.record(
      [.runStarted(start), .runStarted(part), SampleRun.finished("01B"), .runStarted(repetition)],
      durability: .committed)
    #expect(try await store.snapshot(of: start.run).start.traceParent == parent)
    let spans = try await store.spans(of: start.run, TraceStyle())
    #expect(spans.count == 2 && spans.allSatisfy { $0["traceId"]?.stringValue == parent.trace })
    #expect(spans[0]["parentSpanId"]?.stringValue == parent.span && spans[0]["kind"] == 2)
    let link = try await store.spans(of: repetition.run, TraceStyle())[0]["links"]?[0]
    #expect(link?["traceId"]?.stringValue == parent.trace && link?["spanId"] == spans[0]["spanId"])
    try await store.close()
  }

  @Test func pushedSpansQuoteNoMessages() async throws {
    let failure = ActionFailure(.failed, LocalizedText(verbatim: "dear Ada"))
    try await store.record(
      [SampleRun.started("01A"), SampleRun.finished("01A", .failed, failure: failure)], durability: .committed)
    var style = TraceStyle()
    #expect(Value.list(try await store.spans(of: RunID(rawValue: "01A"), style)).jsonString.contains("dear Ada"))
    style.hasMessages = false
    let spans = try await store.spans(of: RunID(rawValue: "01A"), style)
    #expect(!Value.list(spans).jsonString.contains("dear Ada"))
    #expect(spans[0]["attributes"]?.listValue?.contains { $0["key"] == "error.type" } == true)
    try await store.close()
  }

  @Test func callsOfModelsHaveTheAttributesOfTheConventions() {
    func call(_ prompt: Int, _ completion: Int) -> CallRecord {
      CallRecord(
        at: SampleRun.start, step: "a", item: nil, attempt: 1, action: "chat.complete", provider: "home",
        model: "small", state: .answered, failure: nil,
        tokens: TokenCount(prompt: prompt, completion: completion), cost: nil, duration: nil, firstPiece: nil)
    }
    var style = TraceStyle()
    style.services = ["home": "mistral_ai"]
    let model = ModelAttributes([call(10, 2), call(5, 0)], style)
    #expect(model.spanName == "chat small")
    #expect(
      Dictionary(uniqueKeysWithValues: model.attributes) == [
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "mistral_ai", "gen_ai.request.model": "small",
        "gen_ai.usage.input_tokens": 15, "gen_ai.usage.output_tokens": 2,
      ])
    #expect(ModelAttributes([], style).attributes.isEmpty)
  }

  @Test(arguments: [
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
    ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-more", true),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
    ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
    ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false), ("", false), ("x", false),
    ("00-0af7651916cd43dd8448eb211c80319c", false),
  ]) func aFieldOfARequestIsReadOrIgnored(_ field: String, _ isValid: Bool) {
    let parent = TraceParent(field: field)
    #expect((parent != nil) == isValid)
    #expect(parent.flatMap { TraceParent(stored: $0.stored) } == parent)
  }
}
