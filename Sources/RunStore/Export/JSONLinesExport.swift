internal import Engine
internal import Expressions
internal import GRDB

/// Runs as lines of JSON with the shape of ``RunRecord/json``, written from the columns, one pass through each table.
///
/// Values are taken as they are stored, which is JSON. To be used within one snapshot of the database.
final class JSONLinesExport {
  private let database: Database
  private let path: String
  private let runs: RowScan
  private let stepCounts: RowScan
  private let providers: RowScan
  private let waits: RowScan
  private let children: RowScan
  private let calls: RowScan
  private let steps: RowScan
  private let attempts: RowScan
  private let outputs: RowScan
  private var text = JSONText()
  /// What attempts of the run have logged last, once one of them has failed.
  private var lastLines: [RunReading.AttemptPlace: [String]]?

  private static let failure =
    "failure_kind, failure_message, failure_message_de, failure_advice, failure_advice_de"

  /// Bytes that are gathered before they are given away.
  private static let room = 64 << 10

  /// Looks for runs.
  ///
  /// - Parameter condition: Which, in the order of their beginnings, with its arguments.
  init(_ condition: QueryCondition, _ database: Database, path: String) throws {
    self.database = database
    self.path = path
    func scan(_ sql: String) throws -> RowScan { try RowScan(sql, database, path: path) }
    runs = try RowScan(
      """
      SELECT id, started_at, status, owner, recipe, path, fingerprint, trigger, ended_at, duration_ms, parent, origin,
        due_at, priority, concurrency_group, cancel_requested, owner_host, owner_pid, inputs,
        (SELECT content FROM blobs WHERE hash = inputs_blob), outputs,
        (SELECT content FROM blobs WHERE hash = outputs_blob), \(RunReading.behind), \(Self.failure), started_by
      FROM runs WHERE \(condition.sql) ORDER BY started_at, id
      """, arguments: condition.arguments, database, path: path)
    stepCounts = try scan("SELECT status FROM steps WHERE run = ?")
    providers = try scan("SELECT step, provider, number, started_at FROM attempts WHERE run = ?")
    waits = try scan("SELECT 1 FROM waits WHERE run = ? AND ended_at IS NULL LIMIT 1")
    children = try scan("SELECT 1 FROM runs WHERE parent = ? LIMIT 1")
    calls = try scan("SELECT 1 FROM usage WHERE run = ? LIMIT 1")
    steps = try scan(
      """
      SELECT position, id, phase,
        CASE WHEN undo_of IS NOT NULL THEN (
          SELECT id FROM steps AS s WHERE s.run = steps.run AND s.position = steps.undo_of) END,
        action, effect, status, started_at, ended_at, duration_ms, item_count, items_succeeded, items_failed,
        carried_from, \(Self.failure)
      FROM steps WHERE run = ? ORDER BY position
      """)
    attempts = try scan(
      """
      SELECT step, item, number, provider, idempotency_key, status, started_at, ended_at, duration_ms, input_bytes,
        output_bytes, retry_delay_ms, uncertain, \(Self.failure), retry_after_ms, kind
      FROM attempts WHERE run = ? ORDER BY step, item, number
      """)
    outputs = try scan(
      """
      SELECT step, item, value, (SELECT content FROM blobs WHERE hash = blob) FROM outputs WHERE run = ?
      ORDER BY step, item
      """)
  }

  /// A run that was found.
  struct Found {
    let id: String
    let startedAt: String
    let status: RunStatus
  }

  /// Goes to the next run; `nil` after the last one.
  func next() throws -> Found? {
    guard try runs.next() else { return nil }
    guard var status = RunStatus(rawValue: try runs.text(2)) else { throw runs.damage(2) }
    if status == .running, try RunReading.isOwnerGone(runs.optionalInteger(3), database, path: path) {
      status = .interrupted
    }
    return Found(id: try runs.text(0), startedAt: try runs.text(1), status: status)
  }

  /// Writes the run that was found last.
  func write(_ run: Found, to sink: ([UInt8]) throws -> Void) throws {
    text.open("{")
    lastLines = nil
    let used = try providersBySteps(of: run.id)
    try writeSummary(run, used)
    try writeValues(of: run)
    text.name("steps")
    text.open("[")
    for scan in [steps, attempts, outputs] { scan.begin(run.id) }
    var hasAttempt = try attempts.next()
    var hasOutput = try outputs.next()
    while try steps.next() {
      let position = try steps.integer(0)
      text.open("{")
      try writeStep(position, used[position] ?? [])
      text.name("attempts")
      text.open("[")
      while hasAttempt, try attempts.integer(0) <= position {
        if try attempts.integer(0) == position { try writeAttempt(of: run.id) }
        hasAttempt = try attempts.next()
        try give(sink)
      }
      text.close("]")
      try writeOutputs(of: position, &hasOutput, sink)
      text.close("}")
    }
    text.close("]")
    text.close("}")
    text.endLine()
    try sink(text.take())
  }

  private func give(_ sink: ([UInt8]) throws -> Void) throws {
    if text.size >= Self.room { try sink(text.take()) }
  }

  // MARK: - The run

  private struct Provider {
    let name: String
    var attempts = 0
    var retries = 0
    var first: String
  }

  private func providersBySteps(of run: String) throws -> [Int: [Provider]] {
    var found: [Int: [Provider]] = [:]
    providers.begin(run)
    while try providers.next() {
      let (name, startedAt) = (try providers.text(1), try providers.text(3))
      var list = found.removeValue(forKey: try providers.integer(0)) ?? []
      let known = list.firstIndex { $0.name == name }
      let place = known ?? list.count
      if known == nil { list.append(Provider(name: name, first: startedAt)) }
      list[place].attempts += 1
      if try providers.integer(2) > 1 { list[place].retries += 1 }
      list[place].first = min(list[place].first, startedAt)
      found[try providers.integer(0)] = list
    }
    return found
  }

  private func writeSummary(_ run: Found, _ used: [Int: [Provider]]) throws {
    let isGone = run.status == .interrupted && runs.withBytes(2) { $0.elementsEqual("running".utf8) } == true
    var counts = (all: 0, succeeded: 0, failed: 0, skipped: 0)
    stepCounts.begin(run.id)
    while try stepCounts.next() {
      counts.all += 1
      switch try stepCounts.text(0) {
      case "succeeded": counts.succeeded += 1
      case "failed": counts.failed += 1
      case "skipped": counts.skipped += 1
      default: break
      }
    }
    let all = used.values.joined()
    text.name("id"); text.string(run.id)
    text.name("recipe"); text.string(runs, 4)
    text.name("path"); text.string(runs, 5)
    text.name("fingerprint"); text.string(runs, 6)
    text.name("trigger"); text.string(runs, 7)
    text.name("status"); text.string(run.status.rawValue)
    text.name("process_gone"); text.bool(isGone)
    text.name("started_at"); text.string(run.startedAt)
    text.name("ended_at"); text.string(runs, 8)
    text.name("duration_ms"); text.milliseconds(runs.number(9))
    text.name("step_count"); text.integer(counts.all)
    text.name("steps_succeeded"); text.integer(counts.succeeded)
    text.name("steps_failed"); text.integer(counts.failed)
    text.name("steps_skipped"); text.integer(counts.skipped)
    text.name("attempt_count"); text.integer(all.reduce(0) { $0 + $1.attempts })
    text.name("retry_count"); text.integer(all.reduce(0) { $0 + $1.retries })
    text.name("failure"); writeFailure(runs, 23, retryAfter: nil)
    text.name("parent"); text.string(runs, 10)
    text.name("origin"); text.string(runs, 11)
    text.name("due_at"); text.string(runs, 12)
    text.name("priority"); text.integer(runs.optionalInteger(13) ?? 0)
    text.name("group"); text.string(runs, 14)
    text.name("behind"); text.string(runs, 22)
    text.name("cancel_requested"); text.bool(runs.optionalInteger(15) == 1)
    text.name("started_by"); text.string(runs, 28)
  }

  private func writeValues(of run: Found) throws {
    text.name("inputs")
    if !text.value(runs, 18, blob: 19) { text.null() }
    text.name("outputs")
    if !text.value(runs, 20, blob: 21) { text.null() }
    text.name("owner")
    text.open("{")
    text.name("host"); text.string(runs, 16)
    text.name("pid"); text.integer(runs.optionalInteger(17))
    text.close("}")
    // Few runs have any; those are read as they are shown.
    text.name("waits")
    waits.begin(run.id)
    let id = RunID(rawValue: run.id)
    write(try waits.next() ? RunReading.waits(.run(id, includesParts: false), database, path: path).map(\.json) : [])
    text.name("children")
    children.begin(run.id)
    write(try children.next() ? RunReading.children(of: id, database, path: path).map(\.json) : [])
    text.name("calls")
    calls.begin(run.id)
    let usage = UsageReading(database: database, path: path)
    write(try calls.next() ? usage.calls(of: id, limit: 1000).map(\.json) : [])
  }

  private func write(_ list: [Value]) {
    Value.list(list).json().withUnsafeBytes { text.raw($0) }
  }

  /// The failure in five columns; null where there is none.
  private func writeFailure(_ scan: RowScan, _ column: Int32, retryAfter: Double?) {
    guard let name = scan.optionalText(column) else { return text.null() }
    let kind = ActionFailure.Kind(rawValue: name)
    func german(_ column: Int32) {
      if scan.withBytes(column + 1, { text.string($0) }) == nil { text.string(scan, column) }
    }
    text.open("{")
    text.name("kind"); text.string(name)
    text.name("transient"); text.bool(kind.isTransient)
    text.name("message"); text.string(scan.optionalText(column + 1) ?? "")
    text.name("message_de"); text.string(scan.optionalText(column + 2) ?? scan.optionalText(column + 1) ?? "")
    text.name("advice"); text.string(scan, column + 3)
    text.name("advice_de"); german(column + 3)
    text.name("retry_after_ms"); text.milliseconds(retryAfter)
    text.close("}")
  }

  // MARK: - Steps

  private func writeStep(_ position: Int, _ used: [Provider]) throws {
    text.name("id"); text.string(steps, 1)
    text.name("position"); text.integer(position)
    text.name("phase"); text.string(steps, 2)
    text.name("undo_of"); text.string(steps, 3)
    text.name("action"); text.string(steps, 4)
    text.name("effect"); text.string(steps, 5)
    text.name("status"); text.string(steps, 6)
    text.name("providers")
    text.open("[")
    for provider in used.sorted(by: { ($0.first, $0.name) < ($1.first, $1.name) }) { text.string(provider.name) }
    text.close("]")
    text.name("started_at"); text.string(steps, 7)
    text.name("ended_at"); text.string(steps, 8)
    text.name("duration_ms"); text.milliseconds(steps.number(9))
    text.name("item_count"); text.integer(steps.optionalInteger(10))
    text.name("items_succeeded"); text.integer(steps.optionalInteger(11))
    text.name("items_failed"); text.integer(steps.optionalInteger(12))
    text.name("failure"); writeFailure(steps, 14, retryAfter: nil)
    text.name("carried_from"); text.string(steps, 13)
    text.name("attempt_count"); text.integer(used.reduce(0) { $0 + $1.attempts })
  }

  private func writeAttempt(of run: String) throws {
    let item = try attempts.integer(1)
    text.open("{")
    text.name("number"); text.integer(try attempts.integer(2))
    text.name("item"); text.integer(item < 0 ? nil : item)
    text.name("kind"); text.string(attempts, 19)
    text.name("provider"); text.string(attempts, 3)
    text.name("key"); text.string(attempts, 4)
    text.name("status"); text.string(attempts, 5)
    text.name("started_at"); text.string(attempts, 6)
    text.name("ended_at"); text.string(attempts, 7)
    text.name("duration_ms"); text.milliseconds(attempts.number(8))
    text.name("input_bytes"); text.integer(try attempts.integer(9))
    text.name("output_bytes"); text.integer(attempts.optionalInteger(10))
    text.name("failure"); writeFailure(attempts, 13, retryAfter: attempts.number(18))
    text.name("retry_delay_ms"); text.milliseconds(attempts.number(11))
    text.name("uncertain"); text.bool(attempts.optionalInteger(12) == 1)
    text.name("log")
    text.open("[")
    if attempts.optionalText(13) != nil {
      let lines = try lastLines ?? RunReading.lastLines(of: run, database)
      lastLines = lines
      let place = RunReading.AttemptPlace(
        step: try attempts.integer(0), item: item < 0 ? nil : item, number: try attempts.integer(2))
      for line in lines[place] ?? [] { text.string(line) }
    }
    text.close("]")
    text.close("}")
  }

  /// The step's own output, then those of its items; null for a step without any.
  private func writeOutputs(of position: Int, _ hasOutput: inout Bool, _ sink: ([UInt8]) throws -> Void) throws {
    while hasOutput, try outputs.integer(0) < position { hasOutput = try outputs.next() }
    func isHere() throws -> Bool { try hasOutput && outputs.integer(0) == position }
    text.name("output")
    if try isHere(), try outputs.integer(1) < 0 {
      if !text.value(outputs, 2, blob: 3) { text.null() }
      hasOutput = try outputs.next()
    } else {
      text.null()
    }
    text.name("items")
    guard try steps.optionalInteger(10) != nil || isHere() else { return text.null() }
    text.open("[")
    while try isHere() {
      text.open("{")
      text.name("item"); text.integer(try outputs.integer(1))
      text.name("output")
      if !text.value(outputs, 2, blob: 3) { text.null() }
      text.close("}")
      hasOutput = try outputs.next()
      try give(sink)
    }
    text.close("]")
  }
}
