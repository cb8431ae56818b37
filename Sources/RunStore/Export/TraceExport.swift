internal import Engine
internal import Expressions
internal import GRDB
internal import Localization
internal import OpenTelemetry
import Plans
import RecipeModel

/// One run as a trace: a span for the run, for each step that began, and for each attempt.
///
/// A run that a step runs belongs to the trace of the outermost run, below the attempt that started it. A run that repeats
/// another one links to it.
struct TraceExport {
  /// Spans in one line.
  static let spansOfLine = 200

  let parts: RunParts
  /// The texts and names of the spans.
  var style = TraceStyle()

  private var run: RunID { parts.run }

  /// Writes requests to a collector, one on each line.
  func write(version: String, to sink: ([UInt8]) throws -> Void) throws {
    var spans: [Value] = []
    func flush() throws {
      try sink(TraceRequest.bytes(spans, version: version) + [UInt8(ascii: "\n")])
      spans = []
    }
    try forEachSpan { span in
      if spans.count >= Self.spansOfLine { try flush() }
      spans.append(span)
    }
    if !spans.isEmpty { try flush() }
  }

  /// Goes through the spans: the run, each step with its attempts.
  func forEachSpan(_ body: (Value) throws -> Void) throws {
    let record = try parts.outline()
    let place = try TracePlace(of: record.summary, parts.database)
    try body(try runSpan(record, place))
    let calls = Dictionary(grouping: record.calls) { CallPlace(step: $0.step, item: $0.item, attempt: $0.attempt) }
    for step in record.steps {
      guard let began = step.startedAt else { continue }
      try body(stepSpan(step, place.trace, began, end: step.endedAt ?? record.summary.endedAt ?? began))
      try parts.forEachAttempt(of: step.position) { attempt in
        let calls = calls[CallPlace(step: step.id, item: attempt.item, attempt: attempt.number)] ?? []
        try body(attemptSpan(attempt, step, place.trace, calls))
      }
    }
  }

  private struct CallPlace: Hashable {
    let step: String?
    let item: Int?
    let attempt: Int?
  }

  // MARK: - Spans

  private func runSpan(_ record: RunRecord, _ place: TracePlace) throws -> Value {
    let summary = record.summary
    var span = Span(
      trace: place.trace, id: TraceID.span(of: run), parent: place.parentSpan, name: summary.recipe,
      kind: place.isContinued ? .server : .internal, start: summary.startedAt, end: summary.endedAt ?? summary.startedAt
    )
    span.attributes = [
      ("sous.run.id", .string(run.rawValue)), ("sous.recipe.name", .string(summary.recipe)),
      ("sous.recipe.path", .string(summary.path)), ("sous.recipe.fingerprint", .string(summary.fingerprint)),
      ("sous.run.trigger", .string(summary.trigger)), ("sous.run.status", .string(summary.status.rawValue)),
      ("sous.run.retries", .number(summary.retryCount)),
    ]
    span.setStatus(isSuccess: summary.status == .succeeded, isError: summary.status == .failed, summary.failure)
    if let origin = summary.origin {
      let trace = try TracePlace.trace(of: origin, parts.database)
      span.links = [(trace: trace, span: TraceID.span(of: origin))]
    }
    return span.json(style)
  }

  private func stepSpan(_ step: StepRecord, _ trace: String, _ began: Timestamp, end: Timestamp) -> Value {
    var span = Span(
      trace: trace, id: TraceID.span(of: run, step: step.position), parent: TraceID.span(of: run), name: step.id,
      kind: .internal, start: began, end: end)
    span.attributes = [
      ("sous.step.id", .string(step.id)), ("sous.step.action", .string(step.action)),
      ("sous.step.effect", .string(step.effect.rawValue)), ("sous.step.phase", .string(step.phase)),
      ("sous.step.status", .string(step.status.rawValue)),
    ]
    if let count = step.itemCount { span.attributes.append(("sous.step.items", .number(count))) }
    if let origin = step.carriedFrom { span.attributes.append(("sous.step.carried_from", .string(origin.rawValue))) }
    span.setStatus(isSuccess: step.status == .succeeded, isError: step.status == .failed, step.failure)
    return span.json(style)
  }

  private func attemptSpan(
    _ attempt: AttemptRecord, _ step: StepRecord, _ trace: String, _ calls: [CallRecord]
  ) -> Value {
    let model = ModelAttributes(calls, style)
    var span = Span(
      trace: trace, id: TraceID.span(of: run, step: step.position, item: attempt.item, number: attempt.number),
      parent: TraceID.span(of: run, step: step.position),
      name: model.spanName ?? "\(step.action) \(attempt.kind.label)",
      kind: attempt.kind.provider == nil ? .internal : .client, start: attempt.startedAt,
      end: attempt.endedAt ?? attempt.startedAt)
    span.attributes = [
      ("sous.attempt.number", .number(attempt.number)), ("sous.attempt.provider", .string(attempt.kind.label)),
      ("sous.attempt.input_bytes", .number(attempt.inputBytes)),
    ]
    if let item = attempt.item { span.attributes.append(("sous.attempt.item", .number(item))) }
    if let bytes = attempt.outputBytes { span.attributes.append(("sous.attempt.output_bytes", .number(bytes))) }
    if attempt.isUncertain { span.attributes.append(("sous.attempt.uncertain", .bool(true))) }
    span.attributes += model.attributes
    span.setStatus(isSuccess: attempt.status == .succeeded, isError: attempt.failure != nil, attempt.failure)
    return span.json(style)
  }
}

/// The trace that a run belongs to, and the span above that of the run.
private struct TracePlace {
  let trace: String
  let parentSpan: String?
  /// Whether the trace began outside of Sous, and this run is its first one here.
  let isContinued: Bool

  init(of summary: RunSummary, _ database: Database) throws {
    let run = summary.id
    guard let parent = summary.parent else {
      let caller = try Self.caller(of: run, database)
      self.init(trace: caller?.trace ?? TraceID.trace(of: run), parentSpan: caller?.span, isContinued: caller != nil)
      return
    }
    // The key of an attempt that runs a recipe is the name of that run.
    let attempt = try Row.fetchOne(
      database,
      sql: "SELECT step, item, number FROM attempts WHERE run = ? AND idempotency_key = ? ORDER BY number LIMIT 1",
      arguments: [parent.rawValue, run.rawValue])
    let span = attempt.map { row -> String in
      let item: Int = row[1]
      return TraceID.span(of: parent, step: row[0], item: item < 0 ? nil : item, number: row[2])
    }
    self.init(
      trace: try Self.trace(of: run, database), parentSpan: span ?? TraceID.span(of: parent), isContinued: false)
  }

  private init(trace: String, parentSpan: String?, isContinued: Bool) {
    (self.trace, self.parentSpan, self.isContinued) = (trace, parentSpan, isContinued)
  }

  /// The trace of a run: that of the outermost run, or the one that this run continues.
  static func trace(of run: RunID, _ database: Database) throws -> String {
    let root = try String.fetchOne(
      database,
      sql: """
        WITH RECURSIVE chain (id, depth) AS (
          SELECT ?, 0 UNION SELECT parent, depth + 1 FROM runs JOIN chain USING (id)
          WHERE parent IS NOT NULL AND depth < 64)
        SELECT id FROM chain ORDER BY depth DESC LIMIT 1
        """, arguments: [run.rawValue])
    let outermost = RunID(rawValue: root ?? run.rawValue)
    return try caller(of: outermost, database)?.trace ?? TraceID.trace(of: outermost)
  }

  private static func caller(of run: RunID, _ database: Database) throws -> TraceParent? {
    try String.fetchOne(database, sql: "SELECT trace_parent FROM runs WHERE id = ?", arguments: [run.rawValue])
      .flatMap(TraceParent.init(stored:))
  }
}
