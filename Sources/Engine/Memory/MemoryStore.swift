public import Expressions
import Synchronization

/// A run log in memory, for processes without a file and for tests. It keeps to the same rules as the one in SQLite.
///
/// One object is one process to the others that share its log: runs belong to it until they end, wait or are left.
public final class MemoryStore: RunQueue, ResultCache, WaitDelivery {
  let log: MemoryLog
  let process: Int
  let time: any TimeSource

  /// Creates an empty log.
  ///
  /// - Parameter time: Where the time of day comes from.
  public init(time: any TimeSource = SystemTime()) {
    log = MemoryLog()
    process = log.join()
    self.time = time
  }

  /// Joins the log of another object, as another process.
  public init(sharing other: MemoryStore) {
    log = other.log
    process = log.join()
    time = other.time
  }

  /// Leaves the log in good order: its runs are interrupted, and others can go on with them.
  public func close() {
    log.state.withLock { state in
      state.processes.remove(process)
      for (id, run) in state.runs where run.owner == process {
        if run.status == .running { state.runs[id]?.status = .interrupted }
        state.runs[id]?.owner = nil
      }
    }
  }

  /// Leaves the log as the end of a process does: its runs stay `running` until somebody else claims them.
  public func abandon() { log.state.withLock { _ = $0.processes.remove(process) } }

  /// Removes runs and all that is recorded of them.
  public func remove(_ runs: Set<RunID>) {
    log.state.withLock { state in
      for run in runs { state.runs[run] = nil }
    }
  }

  // MARK: - RunRecorder

  /// Writes entries in order and all or none; see `RunRecorder`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `journal_entry_refused`.
  public func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try log.state.withLock { state in
      guard state.processes.contains(process) else { throw MemoryStoreError.processLeft }
      var changed = state
      // Runs that begin in these entries may bring along what they carry over from another run.
      var begun: Set<RunID> = []
      for entry in entries { try changed.take(entry, by: process, &begun, at: time.now) }
      // Whether what came for a wait was of use shows once all entries are taken in.
      for case .waitEnded(let run, let step, let item, let at) in entries {
        changed.giveBack(WaitPlace(run: run, step: step, item: item), at: at)
      }
      state = changed
    }
  }

  // MARK: - ResultCache

  /// A result that has not expired; see `ResultCache`.
  public func cachedResult(_ key: String, at now: Timestamp) async throws -> Value? {
    log.state.withLock { state in state.results[key].flatMap { $0.expiry > now ? $0.value : nil } }
  }

  /// Keeps a result; see `ResultCache`.
  public func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws {
    log.state.withLock { $0.results[key] = (value, expiry) }
  }
}

/// What the processes of one log in memory share.
final class MemoryLog: Sendable {
  let state = Mutex(MemoryState())

  /// Takes in a process.
  func join() -> Int {
    state.withLock { state in
      state.lastProcess += 1
      state.processes.insert(state.lastProcess)
      return state.lastProcess
    }
  }
}

/// What stands in a log in memory.
struct MemoryState {
  /// An event that was delivered.
  struct Event {
    let name: String
    let key: String
    let payload: Value
    let receivedAt: Timestamp
    /// The wait that it was given to.
    var taker: WaitPlace?
  }

  var runs: [RunID: MemoryRun] = [:]
  var breakers: [String: BreakerRecord] = [:]
  var events: [Event] = []
  var results: [String: (value: Value, expiry: Timestamp)] = [:]
  var processes: Set<Int> = []
  var lastProcess = 0
  var lastLine: Int64 = 0
  var schedules: [String: ScheduleRecord] = [:]
  /// By schedule, in the order in which they were decided.
  var occurrences: [String: [MemoryOccurrence]] = [:]
  var settledEvents: Set<[String]> = []

  /// The runs in the order of their names, which is that of their beginnings.
  var sorted: [MemoryRun] { runs.values.sorted { $0.start.run < $1.start.run } }

  // MARK: - The journal

  mutating func take(_ entry: JournalEntry, by process: Int, _ begun: inout Set<RunID>, at now: Timestamp) throws {
    switch entry {
    case .runStarted(let start):
      try requireNewest(start)
      guard runs[start.run] == nil else { throw MemoryStoreError.refused("the run is recorded already") }
      runs[start.run] = MemoryRun(start, owner: start.isQueued ? nil : process)
      begun.insert(start.run)
      decide(start, at: now)
    case .runFinished(let end):
      guard let run = runs[end.run], run.owner == process && run.status == .running || run.status == .queued else {
        throw MemoryStoreError.refused("the run belongs to somebody else")
      }
      runs[end.run]?.finish(end)
      begun.remove(end.run)
    case .runParked(let run, let until, let isCalledOff, let isHeldUp, let at):
      guard runs[run]?.owner == process, runs[run]?.status == .running else {
        throw MemoryStoreError.refused("the run belongs to somebody else")
      }
      park(run, until: until, isCalledOff: isCalledOff, isHeldUp: isHeldUp, at: at)
      begun.remove(run)
    case .breaker(let record): take(record)
    case .log(let line):
      lastLine += 1
      runs[line.run]?.lines.append((lastLine, line))
    case .stepStarted(let id, _, _, _), .output(let id, _, _, _), .waitEnded(let id, _, _, _):
      try take(entry, of: id, by: process, begun)
    case .stepFinished(let end): try take(entry, of: end.run, by: process, begun)
    case .attemptStarted(let start): try take(entry, of: start.run, by: process, begun)
    case .attemptFinished(let end): try take(entry, of: end.run, by: process, begun)
    case .waitStarted(let wait): try take(entry, of: wait.run, by: process, begun)
    case .runTurned(let turn): try take(entry, of: turn.run, by: process, begun)
    }
  }

  private mutating func take(
    _ entry: JournalEntry, of id: RunID, by process: Int, _ begun: Set<RunID>
  ) throws {
    guard let run = runs[id] else { throw MemoryStoreError.refused("the run is not recorded") }
    guard run.owner == process && run.status == .running || begun.contains(id) else {
      throw MemoryStoreError.refused("the run belongs to somebody else")
    }
    try runs[id]?.take(entry)
  }

  /// Refuses a run that repeats another one where somebody else has begun to do so since it was planned.
  private func requireNewest(_ start: RunStart) throws {
    guard let origin = start.origin, let known = start.knownRepetitions else { return }
    var above: Set<RunID> = []
    var next: RunID? = origin
    while let id = next, let run = runs[id], above.insert(id).inserted { next = run.start.origin }
    var line = above
    var rest = Array(above)
    while let id = rest.popLast() {
      for other in runs.values where other.start.origin == id && other.start.parent == nil && !other.start.isReplay {
        if line.insert(other.start.run).inserted { rest.append(other.start.run) }
      }
    }
    guard line.subtracting(above).isSubset(of: known) else {
      throw MemoryStoreError.refused("another run repeats \(origin) by now")
    }
  }

  /// What becomes of a run that joins the queue, and of the others of its concurrency group.
  private mutating func decide(_ start: RunStart, at now: Timestamp) {
    guard start.isQueued, let group = start.group else { return }
    let others = unfinished(in: group).filter { $0 != start.run }
    if start.displacesOthers {
      for other in others { cancel(other, at: start.at) }
    }
    guard start.givesWay, let other = others.first else { return }
    runs[start.run]?.finish(
      RunEnd(run: start.run, status: .skipped, outputs: .map([:]), failure: .groupTaken(by: other), at: start.at))
  }

  private mutating func park(
    _ id: RunID, until: Timestamp?, isCalledOff: Bool, isHeldUp: Bool, at: Timestamp
  ) {
    guard let run = runs[id] else { return }
    var due = until
    if !isHeldUp {
      let isAnswered = run.waits.contains { wait in
        wait.kind != .time && answer(WaitPlace(run: id, step: wait.step, item: wait.item), at: at) != nil
      }
      if isAnswered || run.isCancelRequested && !isCalledOff {
        due = at
      } else {
        let children = runs.values.filter { $0.start.parent == id && $0.status == .waiting }.compactMap(\.due)
        due = ([until].compactMap(\.self) + children).min()
      }
    }
    runs[id]?.park(until: due, isHeldUp: isHeldUp)
  }

  private mutating func take(_ record: BreakerRecord) {
    let old = breakers[record.provider]
    breakers[record.provider] = record
    guard record.openUntil.map({ $0 <= record.at }) ?? true, let end = old?.openUntil, end > record.at else { return }
    // Whoever waits for the provider waits at most until then, rounded up.
    let latest = end.adding(seconds: 1)
    let name = WaitStart.key(of: [record.provider])
    for run in runs.values where run.status == .waiting && run.due.map({ $0 <= latest }) ?? false {
      guard run.waits.contains(where: { $0.kind == .retry && $0.key.contains(name) }) else { continue }
      wake(run.start.run, at: record.at)
    }
  }

  // MARK: - Runs

  /// The runs of a group that have not ended, oldest first; those that need attention do not count.
  func unfinished(in group: String) -> [RunID] {
    sorted.filter { run in
      guard run.start.group == group else { return false }
      switch run.status {
      case .running, .waiting, .interrupted: return true
      case .queued: return run.start.parent == nil
      default: return false
      }
    }.map(\.start.run)
  }

  /// Asks to cancel a run; what it waits for is over.
  mutating func cancel(_ run: RunID, at now: Timestamp) {
    runs[run]?.isCancelRequested = true
    wake(run, at: now)
  }

  /// Makes a waiting run due, and those that wait for it.
  mutating func wake(_ run: RunID, at now: Timestamp) {
    var next: RunID? = run
    while let id = next, let found = runs[id] {
      if found.status == .waiting, found.due.map({ $0 > now }) ?? true { runs[id]?.due = now }
      next = found.start.parent
    }
  }
}
