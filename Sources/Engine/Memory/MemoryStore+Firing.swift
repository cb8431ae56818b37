public import Expressions
import Synchronization

extension MemoryStore: FiringLog {
  /// All schedules that are known; see `FiringLog`.
  public func schedules() async throws -> [ScheduleRecord] {
    log.state.withLock { $0.schedules.values.sorted { $0.source < $1.source } }
  }

  /// Makes schedules known; see `FiringLog`.
  public func begin(_ schedules: [ScheduleRecord]) async throws -> [ScheduleRecord] {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      return schedules.map { schedule in
        let kept = state.schedules[schedule.source].begun(as: schedule)
        state.schedules[schedule.source] = kept
        return kept
      }
    }
  }

  /// Writes down what becomes of points of a schedule; see `FiringLog`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `journal_entry_refused`.
  public func fire(_ firings: [ScheduleFiring]) async throws -> [FiringResult] {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      var changed = state
      let results = try firings.map { try changed.fire($0, by: process, at: time.now) }
      state = changed
      return results
    }
  }

  /// Begins the run of an event once; see `FiringLog`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `journal_entry_refused`.
  public func fire(event: String, of subscription: String, _ start: RunStart?) async throws -> Bool {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      guard !state.settledEvents.contains([subscription, event]) else { return false }
      var changed = state
      if let start = start?.inLine(.begin, of: subscription), state.runs[start.run] == nil {
        try changed.begin(start, by: process, at: time.now)
      }
      changed.settledEvents.insert([subscription, event])
      state = changed
      return true
    }
  }

  /// Pauses a schedule, or lets it go on; see `FiringLog`.
  public func pause(_ source: String, _ isPaused: Bool) async throws -> ScheduleRecord? {
    log.state.withLock { state in
      state.schedules[source]?.pause(isPaused)
      return state.schedules[source]
    }
  }

  /// What has become of points, the latest first; see `FiringLog`.
  public func occurrences(of source: String?, limit: Int) async throws -> [OccurrenceRecord] {
    log.state.withLock { state in
      let kept = source.map { state.occurrences[$0] ?? [] } ?? state.occurrences.values.flatMap(\.self)
      let found = kept.map(\.record)
      return Array(found.sorted { ($0.at, $0.source) > ($1.at, $1.source) }.prefix(max(0, limit)))
    }
  }

  /// Forgets points whose runs have ended; see `FiringLog`.
  public func forgetOccurrences(before moment: Timestamp) async throws {
    log.state.withLock { state in
      for (source, kept) in state.occurrences {
        state.occurrences[source] = kept.filter { occurrence in
          let isOpen = occurrence.record.run.map { state.runs[$0]?.status.isFinal == false } ?? false
          return isOpen || occurrence.record.until >= moment
        }
      }
    }
  }
}

/// A point of a schedule in a log in memory.
struct MemoryOccurrence {
  var record: OccurrenceRecord
  /// Whether its run has not been seen to have ended.
  var isOpen: Bool
}

extension ScheduleRecord? {
  /// The schedule as it is kept once a schedule is made known.
  func begun(as schedule: ScheduleRecord) -> ScheduleRecord {
    guard var kept = self else { return schedule }
    guard kept.digest != schedule.digest else { return kept }
    (kept.recipe, kept.digest) = (schedule.recipe, schedule.digest)
    (kept.cursor, kept.nextDue, kept.failures) = (schedule.cursor, schedule.nextDue, 0)
    kept.revision += 1
    return kept
  }
}

extension MemoryState {
  mutating func begin(_ start: RunStart, by process: Int, at now: Timestamp) throws {
    var begun: Set<RunID> = []
    try take(.runStarted(start), by: process, &begun, at: now)
  }

  /// Counts a schedule's run as late if it begins too long after its time; waiting in the queue counts as delay.
  mutating func countLateness(of run: RunID, at now: Timestamp) {
    guard let begun = runs[run], begun.status == .queued, begun.start.trigger == "schedule" else { return }
    let jitter = begun.start.event["jitter_seconds"]?.doubleValue ?? 0
    for (source, kept) in occurrences {
      let isLate = kept.contains { occurrence in
        occurrence.record.run == run && occurrence.record.outcome == .run
          && now.seconds(since: occurrence.record.at) - jitter > ScheduleFiring.lateness
      }
      if isLate { schedules[source]?.counts.late += 1 }
    }
  }

  fileprivate mutating func fire(_ firing: ScheduleFiring, by process: Int, at now: Timestamp) throws -> FiringResult {
    guard var record = schedules[firing.source], record.revision == firing.revision else {
      return .outdated(schedules[firing.source])
    }
    closeOccurrences(of: &record)
    record.rest(after: firing.pauseAfter)
    var written: [OccurrenceRecord] = []
    for point in firing.points {
      // A clock that was set back, and a definition that has changed meanwhile.
      guard runs[point.start.run] == nil, takesUp(point.at, of: &record) else { continue }
      written.append(try begin(point, firing.overlap, &record, by: process, at: now))
    }
    for passed in firing.passed {
      record.counts.add(passed.count, passed.outcome)
      let range = OccurrenceRecord(
        source: record.source, at: passed.first, until: passed.last, count: passed.count, outcome: passed.outcome)
      occurrences[record.source, default: []].append(MemoryOccurrence(record: range, isOpen: false))
    }
    (record.cursor, record.nextDue) = (firing.cursor, firing.nextDue)
    record.revision += 1
    schedules[record.source] = record
    return .written(record, written)
  }

  /// Whether a point has not been dealt with; one that counted as missed does no longer.
  private mutating func takesUp(_ point: Timestamp, of record: inout ScheduleRecord) -> Bool {
    let kept = occurrences[record.source] ?? []
    guard let index = kept.lastIndex(where: { $0.record.knowledge(of: point) != nil }) else { return true }
    guard kept[index].record.knowledge(of: point) == .missed else { return false }
    if let rest = kept[index].record.without(point) {
      occurrences[record.source]?[index].record = rest
    } else {
      occurrences[record.source]?.remove(at: index)
    }
    record.counts.add(-1, .missed)
    return true
  }

  /// Notes which runs of a schedule have ended, and how.
  private mutating func closeOccurrences(of record: inout ScheduleRecord) {
    guard var kept = occurrences[record.source] else { return }
    for (index, occurrence) in kept.enumerated() where occurrence.isOpen {
      guard let run = occurrence.record.run else { continue }
      let status = runs[run]?.status
      guard status?.isFinal ?? true else { continue }
      kept[index].isOpen = false
      record.close(status)
    }
    occurrences[record.source] = kept
  }

  private mutating func begin(
    _ point: ScheduleFiring.Point, _ overlap: ScheduleFiring.Overlap, _ record: inout ScheduleRecord, by process: Int,
    at now: Timestamp
  ) throws -> OccurrenceRecord {
    let open = (occurrences[record.source] ?? []).filter(\.isOpen).compactMap(\.record.run)
    let unfinished = open.filter { runs[$0].map { !$0.status.isFinal && $0.status != .needsAttention } ?? false }
    let decision = OverlapDecision(
      unfinished: unfinished.count, queued: unfinished.count { runs[$0]?.status == .queued })
    let answer = record.isPaused ? .skip : decision.answer(overlap)
    if answer == .displace {
      for run in unfinished { cancel(run, at: now) }
    }
    let outcome = record.take(point, answer)
    let begins = outcome != .skipped
    if begins { try begin(point.start.inLine(answer, of: record.source), by: process, at: now) }
    let written = OccurrenceRecord(
      source: record.source, at: point.at, outcome: outcome, run: begins ? point.start.run : nil)
    occurrences[record.source, default: []].append(MemoryOccurrence(record: written, isOpen: begins))
    return written
  }
}
