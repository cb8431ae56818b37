import Engine
import Expressions
import Foundation
import GRDB
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct ExportTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private func export(_ format: ExportFormat, _ filter: RunFilter = RunFilter()) async throws -> [Value] {
    var bytes: [UInt8] = []
    try await store.export(format, filter, version: "1.2") { bytes += $0 }
    return try bytes.split(separator: UInt8(ascii: "\n")).map { try Value(json: Array($0)) }
  }

  private static let ids = (0..<3).map { "01ARZ3NDEKTSV4RRFFQ69G5FA\($0)" }

  @Test func aLineIsTheRunAsShown() async throws {
    for id in Self.ids { try await store.record(SampleRun.complete(id), durability: .committed) }
    try await store.record([SampleRun.started("01X", recipe: "other")], durability: .committed)
    let lines = try await export(.jsonLines)
    #expect(lines.count == 4)
    #expect(lines[0] == (try await store.run(Self.ids[0]).json))
    #expect(lines[3] == (try await store.run("01X").json))
    #expect(try await export(.jsonLines, RunFilter(statuses: [.running, .interrupted])).count == 1)
    #expect(try await export(.jsonLines, RunFilter(recipe: "digest", limit: 1)).count == 3)
    try await store.close()
  }

  /// More runs than two connections read at a time, one of them larger than what stays in memory.
  @Test func manyRunsAreWrittenOnceAndInOrder() async throws {
    let ids = (100..<450).map { "01ARZ3NDEKTSV4RRFFQ69G5\($0)" }
    for (number, id) in ids.enumerated() {
      let at = SampleRun.time(Int64(number / 2))
      let text = number == 130 ? String(repeating: "x", count: 2 * Spool.room) : "a"
      let entries = [
        SampleRun.started(id, inputs: .map(["text": .string(text)]), at: at), SampleRun.finished(id, at: at),
      ]
      try await store.record(entries, durability: .accepted)
    }
    try await store.flush()
    let lines = try await export(.jsonLines)
    #expect(lines.map { $0["id"]?.stringValue } == ids)
    #expect(lines[130]["inputs"]?["text"]?.stringValue?.count == 2 * Spool.room)
    #expect(try await export(.openTelemetry).count == ids.count)
    #expect(try await export(.jsonLines, RunFilter(statuses: [.failed])).isEmpty)
    try await store.close()
  }

  @Test func manyItemsAreAllWritten() async throws {
    let run = RunID(rawValue: Self.ids[0])
    var entries = [
      SampleRun.started(run.rawValue), .stepStarted(run: run, step: 1, itemCount: 1203, at: SampleRun.start),
    ]
    for item in 0..<1203 {
      entries += [
        SampleRun.attemptStarted(run.rawValue, step: 1, item: item),
        SampleRun.attemptFinished(run.rawValue, step: 1, item: item),
        .output(run: run, step: 1, item: item, value: .int(Int64(item))),
      ]
    }
    try await store.record(entries + [SampleRun.finished(run.rawValue)], durability: .committed)
    #expect(try await export(.jsonLines) == [try await store.run(run.rawValue).json])
    let spans = try await export(.openTelemetry).flatMap(Self.spans)
    #expect(spans.count == 1 + 1 + 1203)
    #expect(Set(spans.compactMap { $0["spanId"]?.stringValue }).count == spans.count)
    try await store.close()
  }

  /// A run of one loop with outputs of some size.
  private func recordLoop(of count: Int, bytes: Int) async throws {
    let run = RunID(rawValue: Self.ids[0])
    var entries = [
      SampleRun.started(run.rawValue), .stepStarted(run: run, step: 1, itemCount: count, at: SampleRun.start),
    ]
    for item in 0..<count {
      entries += [
        SampleRun.attemptStarted(run.rawValue, step: 1, item: item),
        SampleRun.attemptFinished(run.rawValue, step: 1, item: item),
        .output(run: run, step: 1, item: item, value: .string("\(item) " + String(repeating: "x", count: bytes))),
      ]
    }
    try await store.record(entries, durability: .committed)
  }

  @Test(arguments: [(3, 10), (20, 100_000)], ExportFormat.allCases)
  func aRunIsAsItStoodAtOneMoment(_ size: (items: Int, bytes: Int), format: ExportFormat) async throws {
    try await recordLoop(of: size.items, bytes: size.bytes)
    if format == .openTelemetry { try await store.record([SampleRun.finished(Self.ids[0])], durability: .committed) }
    let before = try await export(format)
    let other = try DatabaseQueue(path: store.path)
    var bytes: [UInt8] = []
    var largest = 0
    var hasChanged = false
    try await store.export(format, version: "1.2") { part in
      bytes += part
      largest = max(largest, part.count)
      guard !hasChanged else { return }
      hasChanged = true
      // Others write while the first part is taken, which nobody waits for.
      try other.write {
        try $0.execute(sql: "DELETE FROM outputs; DELETE FROM attempts; UPDATE steps SET status = 'failed'")
      }
    }
    let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try Value(json: Array($0)) }
    #expect(lines == before)
    #expect(largest < 2 * Spool.room)
    #expect(try await export(format) != before)
    try other.close()
    try await store.close()
  }

  @Test func whatFindsNoRoomOnItsWayOutIsTold() throws {
    var spool = Spool(folder: folder("absent"))
    try spool.append([UInt8](repeating: 1, count: 1000))
    #expect(throws: RunStoreError(.io, LocalizedText(verbatim: ""))) {
      try spool.append([UInt8](repeating: 1, count: Spool.room))
    }
  }

  // MARK: - Traces

  private static func spans(_ line: Value) -> [Value] {
    guard case .list(let resources)? = line["resourceSpans"], let resource = resources.first,
      case .list(let scopes)? = resource["scopeSpans"], case .list(let spans)? = scopes.first?["spans"]
    else { return [] }
    return spans
  }

  @Test func aRunIsATrace() async throws {
    try await store.record(SampleRun.complete(Self.ids[0]), durability: .committed)
    let lines = try await export(.openTelemetry)
    #expect(lines.count == 1)
    let spans = Self.spans(lines[0])
    // The run, two steps that began, six attempts.
    #expect(spans.count == 9)
    #expect(Set(spans.compactMap { $0["traceId"]?.stringValue }) == ["01563e3ab5d3d6764c61efb99302bd40"])
    let run = spans[0]
    #expect(run["parentSpanId"] == nil)
    #expect(run["startTimeUnixNano"] == .string("1700000000250000000"))
    #expect(run["kind"] == .int(1))
    #expect(run["status"]?["code"] == .int(2))
    #expect(spans[1]["parentSpanId"] == run["spanId"])
    #expect(spans[2]["parentSpanId"] == spans[1]["spanId"])
    #expect(spans[2]["kind"] == .int(3))
    for span in spans {
      let id = span["spanId"]?.stringValue ?? ""
      #expect(id.count == 16 && id.allSatisfy(\.isHexDigit) && id != String(repeating: "0", count: 16))
    }
    // The same run gives the same trace every time.
    #expect(try await export(.openTelemetry) == lines)
    try await store.close()
  }

  @Test func aRunOfAStepBelongsToTheTraceOfTheOutermostRun() async throws {
    let (root, child, open) = (Self.ids[0], Self.ids[1], Self.ids[2])
    guard case .runStarted(var start) = SampleRun.started(child) else {
      Issue.record("something else came")
      return
    }
    start.parent = RunID(rawValue: root)
    let attempt = AttemptStart(
      run: RunID(rawValue: root), step: 0, item: nil, number: 1, kind: .recipe, key: child, inputBytes: 0,
      at: SampleRun.start)
    try await store.record(
      [
        SampleRun.started(root), .stepStarted(run: RunID(rawValue: root), step: 0, itemCount: nil, at: SampleRun.start),
        .attemptStarted(attempt), .runStarted(start), SampleRun.finished(child), SampleRun.finished(root),
        SampleRun.started(open),
      ], durability: .committed)
    let spans = try await export(.openTelemetry).flatMap(Self.spans)
    #expect(spans.count == 4)
    #expect(Set(spans.compactMap { $0["traceId"]?.stringValue }).count == 1)
    let attempts = spans.filter { $0["name"]?.stringValue == "mail.search recipe" }
    #expect(attempts.count == 1)
    #expect(spans.contains { $0["parentSpanId"] == attempts[0]["spanId"] })
    try await store.close()
  }

  @Test(arguments: [
    ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01563e3ab5d3d6764c61efb99302bd5b"),
    ("00000000000000000000000011", "00000000000000000000000000000021"),
    ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ffffffffffffffffffffffffffffffff"),
  ]) func traceNamesAreTheBitsOfTheRunsName(_ id: String, _ trace: String) {
    #expect(TraceID.trace(of: RunID(rawValue: id)) == trace)
    #expect(TraceID.trace(of: RunID(rawValue: id + "X")).count == 32)
  }
}
