public import Expressions
import Synchronization

extension MemoryStore {
  /// Takes runs that can be worked on; see `RunQueue`.
  public func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      var taken: [RunID] = []
      for run in state.candidates(at: now) where taken.count < limit {
        // One taken a moment ago may be of the same group.
        if run.status == .interrupted, state.colleague(of: run) != nil { continue }
        if run.status == .queued, let other = state.holder(of: run), !run.isCancelRequested, other != run.start.run {
          continue
        }
        state.countLateness(of: run.start.run, at: now)
        state.runs[run.start.run]?.begin(by: process, at: now)
        taken.append(run.start.run)
      }
      return taken
    }
  }

  /// Takes one run; see `RunQueue`.
  public func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try claim(run, at: now, isAgain: false)
  }

  /// Takes one run, also one of this process that nothing works on any more; see `RunQueue`.
  public func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try claim(run, at: now, isAgain: true)
  }

  private func claim(_ run: RunID, at now: Timestamp, isAgain: Bool) throws -> ClaimOutcome {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      let outcome = state.outlook(for: run, process, isAgain: isAgain, at: now)
      switch outcome {
      case .claimed:
        if state.runs[run]?.owner != process || state.runs[run]?.status != .running {
          state.countLateness(of: run, at: now)
          state.runs[run]?.begin(by: process, at: now)
        }
      case .groupTaken, .groupLeft:
        // Whoever asks is seen to wait for his turn.
        if state.runs[run]?.status == .queued { state.runs[run]?.owner = process }
      case .taken, .ended, .waiting, .absent: break
      }
      return outcome
    }
  }

  /// All that is recorded of a run; see `RunQueue`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `run_not_found`.
  public func snapshot(of run: RunID) async throws -> RunSnapshot {
    guard let found = log.state.withLock({ $0.runs[run] }) else { throw MemoryStoreError.notRecorded(run) }
    return found.snapshot
  }

  /// How a run has ended; see `RunQueue`.
  public func result(of run: RunID) async throws -> RunResult? {
    guard let end = log.state.withLock({ $0.runs[run]?.end }), end.status.isFinal else { return nil }
    return RunResult(id: run, status: end.status, outputs: end.outputs, failure: end.failure)
  }

  /// Where a run stands; `interrupted` also where the process that worked on it is gone.
  ///
  /// - Throws: ``MemoryStoreError`` with code `run_not_found`.
  public func status(of run: RunID) async throws -> RunStatus {
    try log.state.withLock { state in
      guard let found = state.runs[run] else { throw MemoryStoreError.notRecorded(run) }
      return state.status(of: found)
    }
  }

  /// Whether a run that this one repeats or belongs to is gone; see `RunQueue`.
  public func hasLostOrigin(_ run: RunID) async throws -> Bool {
    log.state.withLock { state in
      var rest = [run]
      var seen: Set<RunID> = []
      while let next = rest.popLast() {
        guard seen.insert(next).inserted else { continue }
        guard let start = state.runs[next]?.start else { return true }
        rest += [start.parent, start.origin].compactMap(\.self)
      }
      return false
    }
  }

  /// When the next waiting run is due; see `RunQueue`.
  public func nextDue() async throws -> Timestamp? {
    log.state.withLock { state in
      state.runs.values.filter { $0.status == .waiting && $0.start.parent == nil }.compactMap(\.due).min()
    }
  }

  /// The runs of this process that somebody has asked to cancel; see `RunQueue`.
  public func cancelRequests() async throws -> [RunID] {
    log.state.withLock { state in
      state.sorted.filter { $0.isCancelRequested && $0.status == .running && $0.owner == process }.map(\.start.run)
    }
  }

  /// The runs that repeat a run; see `RunQueue`.
  public func repetitions(of run: RunID) async throws -> [RunID] {
    log.state.withLock { state in
      state.sorted.map(\.start).filter { $0.origin == run && $0.parent == nil && !$0.isReplay }.map(\.run)
    }
  }

  /// Asks to cancel a run; see `RunQueue`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `run_not_found`.
  public func requestCancel(of run: RunID) async throws {
    let now = time.now
    try log.state.withLock { state in
      guard let found = state.runs[run] else { throw MemoryStoreError.notRecorded(run) }
      if !found.status.isFinal { state.cancel(run, at: now) }
    }
  }

  /// Makes runs due that are held; see `RunQueue`.
  public func releaseHeld(_ run: RunID?, at now: Timestamp) async throws {
    log.state.withLock { state in
      for held in state.sorted where held.isHeldUp && held.status == .waiting {
        guard run == nil || held.start.run == run || state.isPart(held, of: run) else { continue }
        state.wake(held.start.run, at: now)
      }
    }
  }

  /// Does nothing: whether a process is there needs no sign of life here.
  public func beat() async throws {
    guard log.state.withLock({ $0.processes.contains(process) }) else { throw MemoryStoreError.processLeft }
  }
}

extension MemoryState {
  /// The runs that can be worked on, the most urgent first.
  fileprivate func candidates(at now: Timestamp) -> [MemoryRun] {
    let found = runs.values.filter { run in
      guard run.start.parent == nil else { return false }
      switch run.status {
      case .running: return !isThere(run.owner)
      case .interrupted: return run.isCancelRequested || colleague(of: run) == nil
      case .waiting: return run.due.map { $0 <= now } ?? false
      case .queued:
        guard run.start.group != nil, !run.isCancelRequested else { return true }
        return holder(of: run) == nil
      case .succeeded, .failed, .skipped, .cancelled, .needsAttention: return false
      }
    }
    return found.sorted(by: Self.isBefore)
  }

  private static func isBefore(_ left: MemoryRun, _ right: MemoryRun) -> Bool {
    left.start.priority != right.start.priority
      ? left.start.priority > right.start.priority : left.start.run < right.start.run
  }

  /// What the wish to work on a run comes to.
  fileprivate func outlook(for id: RunID, _ process: Int, isAgain: Bool, at now: Timestamp) -> ClaimOutcome {
    guard let run = runs[id] else { return .absent }
    switch run.status {
    case .succeeded, .failed, .skipped, .cancelled: return .ended(run.status)
    case .running:
      guard let owner = run.owner, isThere(owner), !(isAgain && owner == process) else { return .claimed }
      return .taken(by: "process \(owner)")
    case .waiting:
      guard let due = run.due, due <= now else { return .waiting(until: run.due) }
      return .claimed
    case .queued:
      guard !run.isCancelRequested, let other = holder(of: run) ?? next(inGroupOf: run), other != id else {
        return .claimed
      }
      return outcome(behind: other, at: now)
    case .interrupted, .needsAttention:
      guard !run.isCancelRequested, let other = colleague(of: run) else { return .claimed }
      return outcome(behind: other, at: now)
    }
  }

  /// Where a run stands; `interrupted` also where its process is gone.
  func status(of run: MemoryRun) -> RunStatus {
    run.status == .running && !isThere(run.owner) ? .interrupted : run.status
  }

  private func isThere(_ process: Int?) -> Bool { process.map(processes.contains) ?? false }

  private func outcome(behind other: RunID, at now: Timestamp) -> ClaimOutcome {
    guard let run = runs[other] else { return .groupTaken(by: other) }
    switch run.status {
    case .interrupted: return .groupLeft(by: other)
    case .waiting:
      let isDue = run.isCancelRequested || run.due.map { $0 <= now } ?? false
      return isDue ? .groupLeft(by: other) : .groupTaken(by: other)
    case .running: return isThere(run.owner) ? .groupTaken(by: other) : .groupLeft(by: other)
    default: return .groupTaken(by: other)
    }
  }

  /// The other run that works, or waits half-way, in the group of a run that was left.
  func colleague(of run: MemoryRun) -> RunID? {
    member(ofGroupOf: run) { $0.status == .running || $0.status == .waiting }
  }

  /// The run that works, or stands still half-way, in a group.
  func holder(of run: MemoryRun) -> RunID? {
    member(ofGroupOf: run) { $0.status == .running || $0.status == .waiting || $0.status == .interrupted }
  }

  private func member(ofGroupOf run: MemoryRun, where isMeant: (MemoryRun) -> Bool) -> RunID? {
    guard let group = run.start.group else { return nil }
    return runs.values.first { other in
      other.start.group == group && other.start.run != run.start.run && isMeant(other)
    }?.start.run
  }

  /// The next run of a group among those that somebody waits for. Nobody is kept waiting for the others, which nobody may
  /// ever work on.
  private func next(inGroupOf run: MemoryRun) -> RunID? {
    guard let group = run.start.group else { return nil }
    let waiting = runs.values.filter {
      $0.status == .queued && $0.start.parent == nil && $0.start.group == group && isThere($0.owner)
    }
    return waiting.sorted(by: Self.isBefore).first?.start.run
  }
}
