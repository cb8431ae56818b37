import Engine
import Expressions
import Synchronization

/// A queue in memory: the journal, and what can be read out of it. What stands in it at first is what another process
/// has left behind.
final class MemoryQueue: RunQueue {
  private struct State {
    var entries: [JournalEntry]
    var owned: Set<RunID> = []
    var cancelRequested: Set<RunID> = []
    var answers: [String: WaitAnswer] = [:]
    var beats = 0
    /// What ``RunQueue`` functions throw, by their names, from now on.
    var faultsLeft: [String: Int] = [:]
    var faults: [String: any Error & Sendable] = [:]
    /// How often each function has thrown.
    var thrown: [String: Int] = [:]
    /// How many entries there were after each call of `record`.
    var boundaries: [Int] = []
  }

  private let state: Mutex<State>

  init(_ entries: [JournalEntry] = []) { state = Mutex(State(entries: entries)) }

  var entries: [JournalEntry] { state.withLock { $0.entries } }
  /// Where the journal can end when the process dies: what is recorded together is written together.
  var boundaries: [Int] { state.withLock { $0.boundaries } }
  var beats: Int { state.withLock { $0.beats } }
  var runs: [RunID] { entries.compactMap { if case .runStarted(let start) = $0 { start.run } else { nil } } }

  func answer(_ step: Int, _ answer: WaitAnswer) { state.withLock { $0.answers["\(step)"] = answer } }

  func status(of run: RunID) -> RunStatus { RunFold(run, entries).status }
  func fold(_ run: RunID) -> RunFold { RunFold(run, entries) }

  /// Lets a function fail, or work again.
  ///
  /// - Parameter times: How often, where it heals by itself.
  func fail(_ function: String, with error: (any Error & Sendable)?, times: Int = .max) {
    state.withLock { state in
      state.faults[function] = error
      state.faultsLeft[function] = times
    }
  }

  /// How often a function has failed.
  func failures(of function: String) -> Int { state.withLock { $0.thrown[function, default: 0] } }

  /// Forgets everything, as if another run log had come in the place of this one.
  func forget() { state.withLock { $0.entries = [] } }

  /// Forgets runs, as if they had been removed.
  func forget(_ runs: Set<RunID>) {
    state.withLock { state in
      state.entries.removeAll { entry in
        switch entry {
        case .runStarted(let start): runs.contains(start.run)
        case .stepStarted(let run, _, _, _), .output(let run, _, _, _), .waitEnded(let run, _, _, _),
          .runParked(let run, _, _, _, _):
          runs.contains(run)
        case .stepFinished(let end): runs.contains(end.run)
        case .attemptStarted(let start): runs.contains(start.run)
        case .attemptFinished(let end): runs.contains(end.run)
        case .waitStarted(let wait): runs.contains(wait.run)
        case .log(let line): runs.contains(line.run)
        case .runFinished(let end): runs.contains(end.run)
        case .breaker: false
        }
      }
    }
  }

  private static func check(_ function: String, _ state: inout State) throws {
    guard let fault = state.faults[function] else { return }
    state.thrown[function, default: 0] += 1
    state.faultsLeft[function, default: .max] -= 1
    if state.faultsLeft[function] == 0 { state.faults[function] = nil }
    throw fault
  }

  // MARK: - RunQueue

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try state.withLock { state in
      try Self.check("record", &state)
      try Self.requireNewest(entries, state)
      state.entries += entries
      state.boundaries.append(state.entries.count)
      for entry in entries {
        switch entry {
        case .runStarted(let start):
          if !start.isQueued { state.owned.insert(start.run) }
          if start.displacesOthers { state.cancelRequested.formUnion(Self.others(of: start, state)) }
          if start.givesWay, let other = Self.others(of: start, state).first {
            let end = RunEnd(
              run: start.run, status: .skipped, outputs: .map([:]), failure: .groupTaken(by: other), at: start.at)
            state.entries.append(.runFinished(end))
          }
        case .runFinished(let end): state.owned.remove(end.run)
        case .runParked(let run, _, _, _, _): state.owned.remove(run)
        default: break
        }
      }
    }
  }

  /// An entry that contradicts what is recorded.
  private struct Contradiction: QueueError {
    let fault = QueueFault.ofRun
  }

  /// Refuses runs that repeat what others have begun to repeat since they were planned.
  private static func requireNewest(_ entries: [JournalEntry], _ state: State) throws {
    for case .runStarted(let start) in entries {
      guard let known = start.knownRepetitions else { continue }
      var line = [start.origin]
      // Those that it repeats, whose other repetitions count too.
      var above: Set<RunID> = []
      while let run = line.last ?? nil, above.insert(run).inserted {
        for case .runStarted(let other) in state.entries where other.run == run && other.origin != nil {
          line.append(other.origin)
        }
      }
      while let origin = line.popLast() {
        for case .runStarted(let other) in state.entries
        where other.origin == origin && other.parent == nil && !other.isReplay {
          if above.contains(other.run) { continue }
          guard known.contains(other.run) else { throw Contradiction() }
          line.append(other.run)
        }
      }
    }
  }

  func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    try state.withLock { state in
      try Self.check("claim", &state)
      var taken: [RunID] = []
      for case .runStarted(let start) in state.entries where taken.count < limit && start.parent == nil {
        guard Self.canClaim(start.run, state, at: now), !taken.contains(start.run) else { continue }
        taken.append(start.run)
      }
      state.owned.formUnion(taken)
      return taken
    }
  }

  func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try state.withLock { state in
      try Self.check("claimRun", &state)
      let fold = RunFold(run, state.entries)
      guard fold.start != nil else { return .absent }
      if fold.status.isFinal { return .ended(fold.status) }
      if state.owned.contains(run) { return .taken(by: "somebody") }
      if let other = Self.holder(ofGroupOf: run, fold, state, at: now), !state.cancelRequested.contains(run) {
        return other
      }
      guard fold.status == .needsAttention || Self.canClaim(run, state, at: now) else {
        return .waiting(until: fold.due)
      }
      state.owned.insert(run)
      return .claimed
    }
  }

  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    if state.withLock({ $0.owned.contains(run) }) { return .claimed }
    return try await claim(run, at: now)
  }

  /// The runs of its group that began before a run and have not ended.
  private static func others(of start: RunStart, _ state: State) -> [RunID] {
    let runs = state.entries.compactMap { entry -> RunID? in
      if case .runStarted(let other) = entry, other.group == start.group { other.run } else { nil }
    }
    return runs.prefix { $0 != start.run }.filter {
      let status = RunFold($0, state.entries).status
      return !status.isFinal && status != .needsAttention
    }
  }

  /// Who has the group of a run that stands in the queue.
  private static func holder(
    ofGroupOf run: RunID, _ fold: RunFold, _ state: State, at now: Timestamp
  ) -> ClaimOutcome? {
    guard fold.status == .queued, let group = fold.start?.group else { return nil }
    for case .runStarted(let start) in state.entries where start.run != run && start.group == group {
      let other = RunFold(start.run, state.entries)
      switch other.status {
      case .running: return state.owned.contains(start.run) ? .groupTaken(by: start.run) : .groupLeft(by: start.run)
      case .interrupted: return .groupLeft(by: start.run)
      case .waiting:
        let isDue = other.due.map { $0 <= now } ?? false || state.cancelRequested.contains(start.run)
        return isDue ? .groupLeft(by: start.run) : .groupTaken(by: start.run)
      default: continue
      }
    }
    return nil
  }

  private static func canClaim(_ run: RunID, _ state: State, at now: Timestamp) -> Bool {
    guard !state.owned.contains(run) else { return false }
    let fold = RunFold(run, state.entries)
    switch fold.status {
    case .queued, .interrupted, .running: return true
    case .waiting: return fold.due.map { $0 <= now } ?? false || state.cancelRequested.contains(run)
    default: return false
    }
  }

  func snapshot(of run: RunID) async throws -> RunSnapshot {
    try state.withLock { state in
      guard var snapshot = RunFold(run, state.entries).snapshot else { throw MemoryRecorder.Refused() }
      snapshot.isCancelRequested = state.cancelRequested.contains(run)
      return snapshot
    }
  }

  func result(of run: RunID) async throws -> RunResult? {
    let fold = RunFold(run, entries)
    guard let end = fold.end, end.status.isFinal else { return nil }
    return RunResult(id: run, status: end.status, outputs: end.outputs, failure: end.failure)
  }

  func hasLostOrigin(_ run: RunID) async throws -> Bool {
    var rest = [run]
    while let next = rest.popLast() {
      guard let start = RunFold(next, entries).start else { return true }
      rest += [start.parent, start.origin].compactMap(\.self)
    }
    return false
  }

  func repetitions(of run: RunID) async throws -> [RunID] {
    entries.compactMap { entry in
      guard case .runStarted(let start) = entry, start.origin == run, start.parent == nil, !start.isReplay else {
        return nil
      }
      return start.run
    }
  }

  func nextDue() async throws -> Timestamp? {
    runs.compactMap { RunFold($0, entries) }.filter { $0.status == .waiting }.compactMap(\.due).min()
  }

  func cancelRequests() async throws -> [RunID] {
    try state.withLock { state in
      try Self.check("cancelRequests", &state)
      return state.cancelRequested.filter { state.owned.contains($0) }.sorted()
    }
  }

  func requestCancel(of run: RunID) async throws { askToCancel(run) }
  func askToCancel(_ run: RunID) { state.withLock { _ = $0.cancelRequested.insert(run) } }
  func beat() async throws {
    try state.withLock { state in
      try Self.check("beat", &state)
      state.beats += 1
    }
  }

  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    state.withLock { $0.answers["\(step)"] }
  }
}

/// What the journal says of one run.
struct RunFold {
  var start: RunStart?
  var status = RunStatus.queued
  var due: Timestamp?
  var end: RunEnd?
  private var steps: [StepSnapshot] = []

  var snapshot: RunSnapshot? { start.map { RunSnapshot(start: $0, steps: steps) } }

  init(_ run: RunID, _ entries: [JournalEntry]) {
    for entry in entries { take(entry, run) }
  }

  private mutating func take(_ entry: JournalEntry, _ run: RunID) {
    switch entry {
    case .runStarted(let begun) where begun.run == run:
      start = begun
      status = begun.isQueued ? .queued : .running
      steps = begun.steps.map { _ in StepSnapshot() }
    case .stepStarted(run, let step, let count, let at):
      steps[step].startedAt = at
      begin(at)
      steps[step].status = .running
      steps[step].itemCount = count
    case .attemptStarted(let begun) where begun.run == run:
      begin(begun.at)
      change(begun.step, begun.item) { unit in
        unit.attempts += 1
        unit.lastAttempt = AttemptSnapshot(
          number: begun.number, provider: begun.provider, key: begun.key,
          firstStart: unit.lastAttempt?.firstStart ?? begun.at)
      }
    case .attemptFinished(let ended) where ended.run == run:
      change(ended.step, ended.item) { unit in
        if let failure = ended.failure, failure.kind != .cancelled, !ended.isUncertain { unit.failures += 1 }
        unit.lastAttempt?.endedAt = ended.isUncertain ? nil : ended.at
        unit.lastAttempt?.failure = ended.failure
        unit.lastAttempt?.duration = ended.duration
        unit.lastAttempt?.retryDelay = ended.retryDelay
      }
    case .output(run, let step, let item, let value): change(step, item) { $0.output = value }
    case .stepFinished(let ended) where ended.run == run:
      steps[ended.step].status = ended.status
      steps[ended.step].failure = ended.failure
    case .runFinished(let ended) where ended.run == run:
      end = ended
      status = ended.status
    case .runParked(run, let until, _, _, _):
      status = .waiting
      due = until
    case .waitStarted(let wait) where wait.run == run: change(wait.step, wait.item) { $0.wait = wait }
    case .waitEnded(run, let step, let item, _): change(step, item) { $0.wait = nil }
    default: break
    }
  }

  /// Somebody works on it, unless this is only what it takes over from the run that it repeats.
  private mutating func begin(_ at: Timestamp) {
    guard status != .queued || start?.origin == nil || start.map({ at > $0.at }) ?? true else { return }
    status = .running
  }

  private mutating func change(_ step: Int, _ item: Int?, _ body: (inout UnitSnapshot) -> Void) {
    if let index = steps[step].units.firstIndex(where: { $0.item == item }) {
      body(&steps[step].units[index])
    } else {
      var unit = UnitSnapshot(item: item)
      body(&unit)
      steps[step].units.append(unit)
    }
  }
}
