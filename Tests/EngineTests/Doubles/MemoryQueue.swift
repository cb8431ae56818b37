import Expressions
import GRDB
import Plans
import Synchronization
import TestSupport

@testable import Engine
@testable import RunStore

/// A run log in memory that keeps what was written, in order, and that can be told to fail.
final class MemoryQueue: ForwardingRunQueue {
  private struct State {
    var store: RunStore
    var entries: [JournalEntry] = []
    var durabilities: [Durability] = []
    var answers: [Int: WaitAnswer] = [:]
    var beats = 0
    /// How often a run was claimed.
    var claims = 0
    /// What functions throw, by their names, from now on, and how often.
    var faults: [String: (error: any Error & Sendable, times: Int)] = [:]
    /// How often each function has thrown.
    var thrown: [String: Int] = [:]
    /// How many entries there were after each call of `record`.
    var boundaries: [Int] = []
    /// How many entries it takes.
    var limit = Int.max
  }

  /// What it throws where it takes no more entries.
  struct Refused: Error {}

  private let state: Mutex<State>

  /// Creates an empty log.
  ///
  /// - Parameter limit: How many entries it takes.
  init(refusingFrom limit: Int = .max) throws {
    state = Mutex(State(store: try RunStore(inMemory: SetTime(Timestamp(seconds: 0))), limit: limit))
  }

  /// Creates a log in which stands what a process has left behind that has ended.
  init(_ left: [JournalEntry]) async throws {
    state = Mutex(State(store: try RunStore(inMemory: SetTime(Timestamp(seconds: 0)))))
    let former = try RunStore(sharing: base)
    for entry in left.withoutQueue {
      try await former.own(entry)
      // Entries that contradict others are left out.
      try? await former.record([entry], durability: .committed)
    }
    former.abandon()
    state.withLock { $0.entries = left }
  }

  var base: RunStore { state.withLock { $0.store } }
  var entries: [JournalEntry] { state.withLock { $0.entries } }
  /// Where the journal can end when the process dies: what is recorded together is written together.
  var boundaries: [Int] { state.withLock { $0.boundaries } }
  var beats: Int { state.withLock { $0.beats } }
  /// How often a run was claimed, once more or for the first time.
  var claims: Int { state.withLock { $0.claims } }
  var runs: [RunID] { entries.compactMap { if case .runStarted(let start) = $0 { start.run } else { nil } } }

  /// What comes for all waits of a step.
  func answer(_ step: Int, _ answer: WaitAnswer) { state.withLock { $0.answers[step] = answer } }

  /// The status that is written, also of a run whose process is gone.
  func status(of run: RunID) -> RunStatus {
    let text = try? base.readNow {
      try String.fetchOne($0, sql: "SELECT status FROM runs WHERE id = ?", arguments: [run.rawValue])
    }
    return text.flatMap(RunStatus.init(rawValue:)) ?? .queued
  }

  /// Asks to cancel a run.
  func askToCancel(_ run: RunID) {
    try? base.writeNow(isDurable: false) {
      try RunTransitions(database: $0).requestCancel(of: run, at: Timestamp(seconds: 0))
    }
  }

  /// Lets a function fail, or work again.
  ///
  /// - Parameter times: How often, where it heals by itself.
  func fail(_ function: String, with error: (any Error & Sendable)?, times: Int = .max) {
    state.withLock { $0.faults[function] = error.map { ($0, times) } }
  }

  /// How often a function has failed.
  func failures(of function: String) -> Int { state.withLock { $0.thrown[function, default: 0] } }

  /// Forgets everything, as if another run log had come in the place of this one.
  func forget() throws {
    let store = try RunStore(inMemory: SetTime(Timestamp(seconds: 0)))
    state.withLock { state in
      state.entries = []
      state.store = store
    }
  }

  /// Forgets runs, as if they had been removed.
  func forget(_ runs: Set<RunID>) async throws {
    _ = try await base.remove(Array(runs))
    state.withLock { state in state.entries.removeAll { $0.run.map(runs.contains) ?? false } }
  }

  private func check(_ function: String) throws {
    try state.withLock { state in
      guard let (error, times) = state.faults[function] else { return }
      state.thrown[function, default: 0] += 1
      state.faults[function] = times > 1 ? (error, times - 1) : nil
      throw error
    }
  }

  // MARK: - RunQueue

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try check("record")
    if state.withLock({ $0.entries.count + entries.count > $0.limit }) { throw Refused() }
    // Tests go on with runs that they have not claimed.
    for entry in entries { try await base.own(entry) }
    try await base.record(entries, durability: durability)
    state.withLock { state in
      state.entries += entries
      state.durabilities += entries.map { _ in durability }
      state.boundaries.append(state.entries.count)
    }
  }

  func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    try check("claim")
    let runs = try await base.claim(limit: limit, at: now)
    state.withLock { $0.claims += runs.count }
    return runs
  }

  func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try check("claimRun")
    return try await base.claim(run, at: now)
  }

  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    let outcome = try await base.reclaim(run, at: now)
    if outcome == .claimed { state.withLock { $0.claims += 1 } }
    return outcome
  }

  func cancelRequests() async throws -> [RunID] {
    try check("cancelRequests")
    return try await base.cancelRequests()
  }

  func beat() async throws {
    try check("beat")
    state.withLock { $0.beats += 1 }
  }

  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    if let answer = state.withLock({ $0.answers[step] }) { return answer }
    return try await base.answer(run: run, step: step, item: item)
  }

  // MARK: - What was written

  var attempts: [AttemptEnd] {
    entries.compactMap { if case .attemptFinished(let end) = $0 { end } else { nil } }
  }
  var intents: [(AttemptStart, Durability)] {
    durable.compactMap { if case .attemptStarted(let start) = $0 { (start, $1) } else { nil } }
  }
  /// The ends of runs.
  var ends: [(RunEnd, Durability)] {
    durable.compactMap { if case .runFinished(let end) = $0 { (end, $1) } else { nil } }
  }
  var lines: [LogLine] {
    entries.compactMap { if case .log(let line) = $0 { line } else { nil } }
  }
  var runEnd: RunEnd? { ends.last?.0 }
  func stepEnds() -> [StepEnd] {
    entries.compactMap { if case .stepFinished(let end) = $0 { end } else { nil } }
  }

  private var durable: [(JournalEntry, Durability)] { state.withLock { Array(zip($0.entries, $0.durabilities)) } }
}

extension [JournalEntry] {
  /// The entries with runs that begin at once where they were worked on: who claims a run leaves no entry.
  fileprivate var withoutQueue: [JournalEntry] {
    map { entry in
      guard case .runStarted(var start) = entry, start.isQueued else { return entry }
      start.isQueued = !contains { other in
        guard other.run == start.run else { return false }
        switch other {
        // Not what it carries over from the run that it repeats.
        case .stepStarted(_, _, _, let at): return start.origin == nil || at > start.at
        case .attemptStarted(let attempt): return start.origin == nil || attempt.at > start.at
        default: return false
        }
      }
      return .runStarted(start)
    }
  }
}

extension RunStore {
  /// Gives the run that an entry is about to this process, unless it has it or the run has ended.
  fileprivate func own(_ entry: JournalEntry) async throws {
    guard let id = entry.run else { return }
    switch entry {
    case .runStarted, .log: return
    default: break
    }
    try await change { writing in
      let row = try Row.fetchOne(
        writing.database, sql: "SELECT status, owner, started_at FROM runs WHERE id = ?", arguments: [id.rawValue])
      guard let row, let status = RunStatus(rawValue: row["status"]), !status.isFinal else { return }
      if case .runFinished = entry, status == .queued { return }
      if status == .running, row["owner"] == writing.owner { return }
      try RunTransitions(database: writing.database).claim(
        id.rawValue, by: writing.owner, at: Timestamp(rfc3339: row["started_at"]) ?? Timestamp(seconds: 0))
    }
  }
}

extension JournalEntry {
  /// The run that it is about.
  var run: RunID? {
    switch self {
    case .runStarted(let start): start.run
    case .stepStarted(let run, _, _, _), .output(let run, _, _, _), .waitEnded(let run, _, _, _),
      .runParked(let run, _, _, _, _):
      run
    case .stepFinished(let end): end.run
    case .attemptStarted(let start): start.run
    case .attemptFinished(let end): end.run
    case .waitStarted(let wait): wait.run
    case .runTurned(let turn): turn.run
    case .log(let line): line.run
    case .runFinished(let end): end.run
    case .breaker: nil
    }
  }
}

extension RunEngine {
  /// A engine that waits in place.
  init(
    queue: MemoryQueue, providers: any ProviderDirectory, time: any TimeSource,
    random: @escaping @Sendable () -> Double, defaultTimeout: Double = 300
  ) {
    var options = Options.inPlace
    options.random = random
    options.defaultTimeout = defaultTimeout
    self.init(queue: queue, providers: providers, time: time, options: options)
  }

  /// Runs a plan to its end, through its waits.
  func runToEnd(
    _ plan: Plan, _ request: RunRequest, observer: any RunObserver = SilentObserver(),
    control: CancelToken = CancelToken()
  ) async throws(EngineError) -> RunResult {
    try await RunClaimLoop(self, observer: observer, control: control).begin(plan, request)
  }

  /// Goes on with a run that waits.
  func follow(_ plan: Plan, _ result: RunResult) async throws(EngineError) -> RunResult {
    try await RunClaimLoop(self).follow(plan, result)
  }
}

extension RunEngine.Options {
  /// Options by which runs wait in place.
  static var inPlace: Self {
    var options = Self()
    options.parksWaits = false
    return options
  }
}
