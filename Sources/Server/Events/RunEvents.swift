import Engine
import Expressions

/// The events between what a follower knows of a run and the run as it is recorded; pure.
struct RunEvents {
  /// The events, each with the cursor behind it.
  private(set) var events: [ServerEvent] = []
  /// The cursor behind the last event.
  private(set) var cursor: RunCursor

  /// Finds the events.
  ///
  /// - Parameters:
  ///   - cursor: The position of the follower.
  ///   - record: The run.
  ///   - lines: The lines of its log behind the cursor, in their order.
  init(after cursor: RunCursor, _ record: RunRecord, lines: [LogRecord]) {
    self.cursor = cursor
    var found: [Found] = []
    for step in record.steps { addStep(step, to: &found) }
    let positions = Dictionary(record.steps.map { ($0.id, $0.position) }) { first, _ in first }
    for line in lines where line.id > Int64(clamping: cursor.line) {
      let step = line.within.first?.step ?? line.step
      found.append(Found(at: line.at, rank: 3, place: step.flatMap { positions[$0] } ?? 0, .line(line)))
    }
    // Events of one time are ordered by step: a step ends before the next one begins.
    found.sort { ($0.at, $0.place, $0.rank) < ($1.at, $1.place, $1.rank) }
    // A run begins before its steps and ends after them.
    let status = Self.number(record.summary.status)
    let isAtEnd = record.summary.status.isFinal
    // A follower that has seen a run wait for its turn, or nothing of it, sees that it runs before it sees that it has ended.
    let hasBegun = cursor.status > Self.number(.queued)
    if status != cursor.status, !isAtEnd || !hasBegun {
      addRun(record, isAtEnd ? .running : record.summary.status)
    }
    // Lines keep the order of their numbers, whatever their times are: the cursor has the last number only.
    let ordered = lines.filter { $0.id > Int64(clamping: cursor.line) }.sorted { $0.id < $1.id }
    var next = 0
    for item in found {
      switch item.content {
      case .line:
        addLine(ordered[next])
        next += 1
      case .begins(let step): addBeginning(of: step)
      case .ends(let step): addEnd(of: step)
      case .attemptBegins(let step, let attempt): addAttempt(attempt, of: step, isEnd: false)
      case .attemptEnds(let step, let attempt): addAttempt(attempt, of: step, isEnd: true)
      case .progress(let step): addProgress(of: step)
      }
    }
    if isAtEnd, status != self.cursor.status { addRun(record, record.summary.status) }
  }

  private struct Found {
    enum Content {
      case line(LogRecord)
      case begins(StepRecord)
      case ends(StepRecord)
      case attemptBegins(StepRecord, AttemptRecord)
      case attemptEnds(StepRecord, AttemptRecord)
      case progress(StepRecord)
    }

    let at: Timestamp
    /// The order of what happens in a step at one time: its beginning, its attempts, lines, its end.
    let rank: Int
    /// The position of the step.
    let place: Int
    let content: Content

    init(at: Timestamp, rank: Int, place: Int, _ content: Content) {
      (self.at, self.rank, self.place, self.content) = (at, rank, place, content)
    }
  }

  private func addStep(_ step: StepRecord, to found: inout [Found]) {
    let known = cursor[step.position]
    let begun = step.startedAt ?? step.endedAt
    if Self.stage(step.status) >= 1, known.stage < 1, let begun {
      found.append(Found(at: begun, rank: 0, place: step.position, .begins(step)))
    }
    if step.itemCount == nil {
      // One attempt after the other: their numbers are their order.
      for attempt in step.attempts.sorted(by: { $0.number < $1.number }) {
        let number = UInt64(clamping: attempt.number)
        if number > known.begun {
          found.append(Found(at: attempt.startedAt, rank: 1, place: step.position, .attemptBegins(step, attempt)))
        }
        if number > known.ended, let at = attempt.endedAt {
          found.append(Found(at: at, rank: 2, place: step.position, .attemptEnds(step, attempt)))
        }
      }
    } else if UInt64(clamping: step.attemptCount) > known.begun, let begun {
      let last = step.attempts.compactMap(\.endedAt).max() ?? begun
      found.append(Found(at: last, rank: 2, place: step.position, .progress(step)))
    }
    if Self.stage(step.status) == 2, known.stage < 2, let at = step.endedAt ?? begun {
      found.append(Found(at: at, rank: 4, place: step.position, .ends(step)))
    }
  }

  // MARK: - Events

  private mutating func addRun(_ record: RunRecord, _ status: RunStatus) {
    cursor.status = Self.number(status)
    var data = record.summary.json.mapValue ?? [:]
    data["status"] = .string(status.rawValue)
    add("run", .map(data))
  }

  private mutating func addBeginning(of step: StepRecord) {
    cursor[step.position].stage = 1
    add(
      "step",
      .object([
        ("id", .string(step.id)), ("position", .number(step.position)), ("phase", .string(step.phase)),
        ("action", .string(step.action)), ("status", .string(StepStatus.running.rawValue)),
        ("started_at", .time(step.startedAt)), ("item_count", .number(step.itemCount)),
      ]))
  }

  private mutating func addEnd(of step: StepRecord) {
    cursor[step.position].stage = 2
    add("step", .object(step.fields))
  }

  private mutating func addProgress(of step: StepRecord) {
    cursor[step.position].begun = UInt64(clamping: step.attemptCount)
    add(
      "progress",
      .object([
        ("step", .string(step.id)), ("position", .number(step.position)), ("item_count", .number(step.itemCount)),
        ("attempt_count", .number(step.attemptCount)),
      ]))
  }

  private mutating func addAttempt(_ attempt: AttemptRecord, of step: StepRecord, isEnd: Bool) {
    var data: ValueMap = ["step": .string(step.id)]
    if isEnd {
      cursor[step.position].ended = UInt64(clamping: attempt.number)
      for (key, value) in (attempt.json.mapValue ?? [:]).entries { data[key] = value }
    } else {
      cursor[step.position].begun = UInt64(clamping: attempt.number)
      data["number"] = .number(attempt.number)
      data["provider"] = .string(attempt.kind.label)
      data["status"] = .string(AttemptRecord.Status.running.rawValue)
      data["started_at"] = .time(attempt.startedAt)
    }
    add("attempt", .map(data))
  }

  private mutating func addLine(_ line: LogRecord) {
    cursor.line = UInt64(clamping: line.id)
    add("log", line.json)
  }

  private mutating func add(_ name: String, _ data: Value) {
    events.append(ServerEvent(id: cursor.text, name: name, data: data))
  }

  // MARK: - Numbers

  private static func stage(_ status: StepStatus) -> UInt64 {
    switch status {
    case .pending: 0
    case .running: 1
    case .succeeded, .failed, .skipped, .cancelled: 2
    }
  }

  /// Numbers of statuses in cursors; a published number keeps its meaning.
  static func number(_ status: RunStatus) -> UInt64 {
    switch status {
    case .queued: 1
    case .running: 2
    case .waiting: 3
    case .interrupted: 4
    case .needsAttention: 5
    case .succeeded: 6
    case .failed: 7
    case .cancelled: 8
    case .skipped: 9
    }
  }
}
