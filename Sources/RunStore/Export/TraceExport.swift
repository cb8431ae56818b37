internal import Engine
internal import Expressions
internal import GRDB
internal import Localization
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
  let version: String

  private var run: RunID { parts.run }

  func write(to sink: ([UInt8]) throws -> Void) throws {
    let record = try parts.outline()
    let place = try place(of: record.summary)
    let trace = TraceID.trace(of: place.root)
    var spans = [runSpan(record, trace, parent: place.parentSpan)]
    for step in record.steps {
      guard let began = step.startedAt else { continue }
      spans.append(stepSpan(step, trace, began, end: step.endedAt ?? record.summary.endedAt ?? began))
      try parts.forEachAttempt(of: step.position) { attempt in
        if spans.count >= Self.spansOfLine {
          try sink(line(spans))
          spans = []
        }
        spans.append(attemptSpan(attempt, step, trace))
      }
    }
    if !spans.isEmpty { try sink(line(spans)) }
  }

  // MARK: - Where the run belongs

  private struct Place: Sendable {
    var root: RunID
    var parentSpan: String?
  }

  private func place(of summary: RunSummary) throws -> Place {
    guard let parent = summary.parent else { return Place(root: run, parentSpan: nil) }
    let root = try String.fetchOne(
      parts.database,
      sql: """
        WITH RECURSIVE chain (id, depth) AS (
          SELECT ?, 0 UNION SELECT parent, depth + 1 FROM runs JOIN chain USING (id)
          WHERE parent IS NOT NULL AND depth < 64)
        SELECT id FROM chain ORDER BY depth DESC LIMIT 1
        """, arguments: [run.rawValue])
    // The key of an attempt that runs a recipe is the name of that run.
    let attempt = try Row.fetchOne(
      parts.database,
      sql: "SELECT step, item, number FROM attempts WHERE run = ? AND idempotency_key = ? ORDER BY number LIMIT 1",
      arguments: [parent.rawValue, run.rawValue])
    let span = attempt.map { row -> String in
      let item: Int = row[1]
      return TraceID.span(of: parent, step: row[0], item: item < 0 ? nil : item, number: row[2])
    }
    return Place(root: RunID(rawValue: root ?? run.rawValue), parentSpan: span ?? TraceID.span(of: parent))
  }

  // MARK: - Spans

  private func runSpan(_ record: RunRecord, _ trace: String, parent: String?) -> Value {
    let summary = record.summary
    var span = Span(
      trace: trace, id: TraceID.span(of: run), parent: parent, name: summary.recipe, kind: .internal,
      start: summary.startedAt, end: summary.endedAt ?? summary.startedAt)
    span.attributes = [
      ("sous.run.id", .string(run.rawValue)), ("sous.recipe.name", .string(summary.recipe)),
      ("sous.recipe.path", .string(summary.path)), ("sous.recipe.fingerprint", .string(summary.fingerprint)),
      ("sous.run.trigger", .string(summary.trigger)), ("sous.run.status", .string(summary.status.rawValue)),
      ("sous.run.retries", .number(summary.retryCount)),
    ]
    span.setStatus(isSuccess: summary.status == .succeeded, isError: summary.status == .failed, summary.failure)
    if let origin = summary.origin {
      span.links = [(trace: TraceID.trace(of: origin), span: TraceID.span(of: origin))]
    }
    return span.json
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
    return span.json
  }

  private func attemptSpan(_ attempt: AttemptRecord, _ step: StepRecord, _ trace: String) -> Value {
    var span = Span(
      trace: trace, id: TraceID.span(of: run, step: step.position, item: attempt.item, number: attempt.number),
      parent: TraceID.span(of: run, step: step.position), name: "\(step.action) \(attempt.kind.label)",
      kind: attempt.kind.provider == nil ? .internal : .client, start: attempt.startedAt,
      end: attempt.endedAt ?? attempt.startedAt)
    span.attributes = [
      ("sous.attempt.number", .number(attempt.number)), ("sous.attempt.provider", .string(attempt.kind.label)),
      ("sous.attempt.input_bytes", .number(attempt.inputBytes)),
    ]
    if let item = attempt.item { span.attributes.append(("sous.attempt.item", .number(item))) }
    if let bytes = attempt.outputBytes { span.attributes.append(("sous.attempt.output_bytes", .number(bytes))) }
    if attempt.isUncertain { span.attributes.append(("sous.attempt.uncertain", .bool(true))) }
    span.setStatus(isSuccess: attempt.status == .succeeded, isError: attempt.failure != nil, attempt.failure)
    return span.json
  }

  /// A request to a collector, on one line.
  private func line(_ spans: [Value]) -> [UInt8] {
    let service: [(String, Value)] = [("service.name", .string("sous")), ("service.version", .string(version))]
    let scope: Value = .object([("name", .string("sous")), ("version", .string(version))])
    let request: Value = .object([
      (
        "resourceSpans",
        .list([
          .object([
            ("resource", .object([("attributes", Span.attributes(service))])),
            ("scopeSpans", .list([.object([("scope", scope), ("spans", .list(spans))])])),
          ])
        ])
      )
    ])
    return request.json() + [UInt8(ascii: "\n")]
  }
}
