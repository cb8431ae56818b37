import Expressions

/// A wait of a run: its step, and the item of a loop.
struct WaitPlace: Hashable, Sendable {
  let run: RunID
  let step: Int
  let item: Int?
}

/// A run in memory: what its journal says of it, and whose it is.
struct MemoryRun: Sendable {
  /// An attempt and, once it is recorded, its end.
  struct Attempt: Sendable {
    let start: AttemptStart
    var end: AttemptEnd?
  }

  /// A step without a loop, or one item of a loop.
  struct Unit: Sendable {
    var attempts: [Attempt] = []
    var output: Value?
    var wait: WaitStart?
    /// What came for the wait, and when.
    var answer: (value: WaitAnswer, at: Timestamp)?
  }

  /// A step.
  struct Step: Sendable {
    var snapshot = StepSnapshot()
    var end: StepEnd?
    /// By the item's position; -1 for a step without a loop.
    var units: [Int: Unit] = [:]
  }

  var start: RunStart
  var status: RunStatus
  /// The process that works on it; for a queued run, the one that waits for its turn.
  var owner: Int?
  var due: Timestamp?
  /// Whether it waits because nobody can go on with it just now.
  var isHeldUp = false
  var end: RunEnd?
  var isCancelRequested = false
  /// Why its main line is over.
  var turn: RunTurn?
  var steps: [Step]
  /// The lines of its log with their numbers.
  var lines: [(id: Int64, line: LogLine)] = []
  /// When it joined the queue or began.
  let joinedAt: Timestamp

  init(_ start: RunStart, owner: Int?) {
    joinedAt = start.at
    status = start.isQueued ? .queued : .running
    steps = start.steps.map { _ in Step() }
    self.owner = owner
    self.start = start
    // What only matters while it is written down.
    self.start.isQueued = false
    self.start.givesWay = false
    self.start.displacesOthers = false
    self.start.knownRepetitions = nil
  }

  /// The waits that have begun and not ended.
  var waits: [WaitStart] { steps.flatMap { $0.units.values.compactMap(\.wait) } }

  /// All that is recorded, so that somebody can go on with it.
  var snapshot: RunSnapshot {
    let steps = steps.map { step in
      var snapshot = step.snapshot
      snapshot.units = step.units.sorted { $0.key < $1.key }.map { $0.value.snapshot(item: $0.key) }
      return snapshot
    }
    return RunSnapshot(start: start, steps: steps, isCancelRequested: isCancelRequested, turn: turn)
  }

  // MARK: - Changes

  /// Gives the run to a process.
  mutating func begin(by process: Int, at now: Timestamp) {
    if status == .queued { start.at = now }
    status = .running
    owner = process
    due = nil
    isHeldUp = false
    end = nil
  }

  mutating func finish(_ end: RunEnd) {
    self.end = end
    status = end.status
    owner = nil
    due = nil
    isHeldUp = false
  }

  mutating func park(until: Timestamp?, isHeldUp: Bool) {
    status = .waiting
    owner = nil
    due = until
    self.isHeldUp = isHeldUp
  }

  /// Takes in an entry about a step.
  mutating func take(_ entry: JournalEntry) throws {
    switch entry {
    case .stepStarted(_, let step, let count, let at):
      try change(step) { step in
        step.snapshot.startedAt = at
        step.snapshot.status = .running
        step.snapshot.itemCount = count
      }
    case .stepFinished(let end):
      try change(end.step) { step in
        step.end = end
        step.snapshot.status = end.status
        step.snapshot.failure = end.failure
      }
    case .attemptStarted(let start): try change(start.step, start.item) { $0.begin(start) }
    case .attemptFinished(let end):
      try change(end.step, end.item) { unit in
        guard let index = unit.attempts.lastIndex(where: { $0.start.number == end.number }) else {
          throw MemoryStoreError.refused("the attempt is not recorded")
        }
        unit.attempts[index].end = end
      }
    case .output(_, let step, let item, let value): try change(step, item) { $0.output = value }
    case .waitStarted(let wait):
      try change(wait.step, wait.item) { unit in
        unit.wait = wait
        unit.answer = nil
      }
    case .waitEnded(_, let step, let item, _): try change(step, item) { $0.wait = nil }
    case .runTurned(let turn): self.turn = turn
    case .runStarted, .runFinished, .runParked, .breaker, .log: break
    }
  }

  private mutating func change(_ step: Int, _ body: (inout Step) throws -> Void) throws {
    guard steps.indices.contains(step) else { throw MemoryStoreError.refused("the run has no step \(step)") }
    try body(&steps[step])
  }

  mutating func change(_ step: Int, _ item: Int?, _ body: (inout Unit) throws -> Void) throws {
    try change(step) { try body(&$0.units[item ?? -1, default: Unit()]) }
  }
}

extension MemoryRun.Unit {
  fileprivate mutating func begin(_ start: AttemptStart) {
    attempts.removeAll { $0.start.number == start.number }
    attempts.append(MemoryRun.Attempt(start: start))
  }

  fileprivate func snapshot(item: Int) -> UnitSnapshot {
    var unit = UnitSnapshot(item: item < 0 ? nil : item, output: output, wait: wait)
    for attempt in attempts {
      unit.begin(attempt.start)
      if let end = attempt.end { unit.end(end) }
    }
    return unit
  }
}
