import Engine
import Expressions
import Localization
import Plans
import RunStore
import Synchronization

/// The run log as one process sees it: the real one, on a disk that may be slow or broken and in a process that may die at
/// any entry. What was only accepted is lost with the process.
final class FaultyStore: RunQueue, ResultCache {
  private let store: RunStore
  private let log: RunLog
  private let world: World
  let life: Life
  private let isOpen = Mutex(true)
  private let timers: Timers
  let ledger: Ledger

  init(_ store: RunStore, _ log: RunLog, world: World, life: Life, timers: Timers) {
    self.store = store
    self.log = log
    self.world = world
    self.life = life
    self.timers = timers
    ledger = Ledger(world)
    log.add(self)
  }

  // MARK: - Recording

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    await life.check()
    var entries = entries
    let words = entries.map { world.words($0) }.joined(separator: ", ")
    var chance = world.chance("record \(words)")
    spoil(&entries, durability, &chance)
    learn(entries)
    checkDurability(entries, durability)
    let isEarly = world.weather.plant == .earlyAcknowledgement && durability == .synced && chance.happens(0.5)
    if durability <= .soon || isEarly {
      world.note("accept    \(life.name): \(words)")
      try await Scheduler.shared.call(of: life) {
        try await store.record(entries, durability: min(durability, .soon))
      }
      ledger.accept(entries)
      if isEarly { confirm(.synced) }
      return
    }
    if chance.happens(world.weather.slowDisk) {
      let seconds = chance.within(0.01...5)
      _ = await Scheduler.shared.sleep(seconds)
      await life.check()
    }
    if chance.happens(world.weather.standstill / 10) {
      let seconds = chance.one(of: [5.0, 100, 300])
      world.note("stop      \(life.name) for \(seconds) s")
      life.standStill(seconds)
      await life.check()
    }
    if world.mayDie(&chance, world.weather.death) {
      // Nothing that waited has reached the disk, or what was accepted before, or this too.
      let reached = chance.below(3)
      if reached > 0 {
        let last = reached == 2 ? entries : []
        try await Scheduler.shared.call(of: life) {
          if last.isEmpty { try await store.flush() } else { try await store.record(last, durability: durability) }
        }
        ledger.accept(last)
        confirm(last.isEmpty ? .committed : durability)
      }
      await log.kill(life, "writing \(words), \(["nothing", "the rest", "all"][reached]) on the disk")
      await life.check()
    }
    let isLax = world.weather.plant == .laxDisk && durability == .synced && chance.happens(0.2)
    let isBroken = chance.happens(world.weather.brokenDisk) && !entries.isEmpty
    do {
      try await Scheduler.shared.call(of: life) {
        defer { Disk.mend() }
        if isBroken { Disk.fail() }
        do {
          try await store.record(entries, durability: isLax ? .committed : durability)
        } catch let error as RunStoreError where error.code == .processLost && world.weather.plant == .noFence {
          try await log.driver.record(entries, durability: durability)
        }
      }
    } catch {
      world.note("BROKEN    \(life.name): \(words)")
      let code = (error as? RunStoreError)?.code
      if !isBroken, code != .processLost, !(code == .entryRefused && mayBeTooLate(entries)) {
        world.violate("the journal refuses what \(life.name) writes: \(error)")
      }
      throw error
    }
    if isBroken { world.violate("the journal says that \(words) is written, on a disk that refuses everything") }
    world.note("write     \(life.name): \(words)")
    for entry in entries { world.checkOwner(of: entry, life.name) }
    ledger.accept(entries)
    confirm(durability)
  }

  /// Whether others may have been faster: another run repeats the same one by now, or a run that waits for its turn, and
  /// is not wanted any more, has begun.
  private func mayBeTooLate(_ entries: [JournalEntry]) -> Bool {
    switch entries.first {
    case .runStarted(let start): start.origin != nil
    case .runFinished(let end): end.status == .cancelled && !world.owns(end.run, life)
    default: false
    }
  }

  /// Takes in that everything up to now is written, in the database or, as the journal says, on the disk.
  private func confirm(_ durability: Durability) {
    let commit = durability == .synced ? 0 : Disk.position
    for entry in ledger.confirm(commit) {
      switch entry {
      case .waitStarted(let wait): timers.confirm(wait, after: commit)
      case .attemptStarted(let start) where start.kind != .carried:
        world.attempts.confirm(start, after: commit, of: world)
      case .attemptFinished(let end): world.attempts.confirm(end, after: commit, of: world)
      case .output(let run, let step, let item, _):
        world.attempts.confirmOutput(run, step, item, after: commit, of: world)
      case .runParked(let run, _, _, _, _): world.disown(run)
      case .runFinished(let end):
        world.hasEnded(end.run, end.status, after: commit)
        world.disown(end.run)
      default: break
      }
    }
  }

  /// Ends the process in good order, or leaves everything as it is.
  func close(isDead: Bool) async {
    if isDead {
      abandon()
    } else {
      do {
        try await Scheduler.shared.call { try await store.close() }
        if !life.isDead { confirm(.committed) }
      } catch {
        if (error as? RunStoreError)?.code != .processLost {
          world.violate("\(life.name) cannot write what is left: \(error)")
        }
      }
    }
    log.remove(self)
    // Apart from this task, which may have been cancelled.
    await Task.detached { await self.ledger.compare(with: self.log.driver, process: self.life.name) }.value
    world.archive.add(ledger)
  }

  /// Closes the run log as the end of the process does.
  func abandon() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { store.abandon() }
  }

  /// Remembers names, timers and what became of attempts.
  private func learn(_ entries: [JournalEntry]) {
    let hasOutput = entries.contains { if case .output = $0 { true } else { false } }
    for entry in entries {
      switch entry {
      case .runStarted(let start) where !start.isQueued: world.own(start.run, by: life, isWritten: false)
      case .attemptStarted(let start) where start.kind == .recipe:
        let unit = World.unit(world.name(of: start.run), "s\(start.step)", start.item)
        // What repeats another run may name a run that belongs to that one.
        let child = RunID(rawValue: start.key)
        if world.names[child] == nil { world.name(child, unit.replacing(":", with: "/")) }
      case .attemptFinished(let end): world.attempts.end(end, in: life.name, of: world)
      case .waitStarted(let wait) where wait.kind == .time: timers.begin(wait)
      // One that is given up with its step ends without an output.
      case .waitEnded(let run, let step, let item, _) where world.owns(run, life):
        timers.end(run, step, item, isOver: hasOutput)
      default: break
      }
    }
  }

  /// What a run has done is on the disk before the run ends or is parked.
  private func checkDurability(_ entries: [JournalEntry], _ durability: Durability) {
    guard durability < .synced else { return }
    for entry in entries {
      switch entry {
      case .runParked(let run, _, _, false, _): world.checkDurability(run, isLight: false)
      case .runFinished(let end): world.checkDurability(end.run, isLight: end.status == .succeeded)
      default: break
      }
    }
  }

  /// Plants a defect.
  private func spoil(_ entries: inout [JournalEntry], _ durability: Durability, _ chance: inout Chance) {
    switch world.weather.plant {
    case .dropEnd:
      let hasOutput = entries.contains { if case .output = $0 { true } else { false } }
      guard hasOutput, chance.happens(0.05) else { return }
      entries.removeAll {
        switch $0 {
        case .attemptFinished, .output: true
        default: false
        }
      }
    case .forgetAccepted:
      if durability == .soon, chance.happens(0.05) { entries = [] }
    default: break
    }
  }

  // MARK: - The queue

  /// Uses the run log after everything that was recorded before.
  private func use<Result>(_ body: () async throws -> Result) async throws -> Result {
    await life.check()
    let result = try await Scheduler.shared.call(of: life, body)
    await life.check()
    return result
  }

  func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    var runs = try await use {
      let runs = try await store.claim(limit: limit, at: now)
      for run in runs { world.own(run, by: life) }
      return runs
    }
    // However fast the disk is, time goes by.
    _ = await Scheduler.shared.sleep(0.001)
    await life.check()
    for run in runs { world.note("claim     \(life.name): \(world.name(of: run))") }
    if world.weather.plant == .twoOwners {
      var chance = world.chance("two owners")
      let others = timers.working.filter { $0.value != life.name && !runs.contains($0.key) }.keys.sorted {
        world.name(of: $0) < world.name(of: $1)
      }
      if !others.isEmpty, chance.happens(0.02) { runs.append(chance.one(of: others)) }
    }
    timers.work(runs, by: life.name)
    return runs
  }

  func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try await use {
      let outcome = try await store.claim(run, at: now)
      if outcome == .claimed { world.own(run, by: life) }
      return outcome
    }
  }

  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    world.note("reclaim   \(life.name): \(world.name(of: run))")
    return try await use {
      let outcome = try await store.reclaim(run, at: now)
      if outcome == .claimed { world.own(run, by: life) }
      return outcome
    }
  }

  func repetitions(of run: RunID) async throws -> [RunID] {
    try await use { try await store.repetitions(of: run) }
  }

  func snapshot(of run: RunID) async throws -> RunSnapshot {
    var snapshot = try await use { try await store.snapshot(of: run) }
    guard let plant = world.weather.plant else { return snapshot }
    if world.ended[run]?.isFinal == true { spoil(&snapshot, plant) }
    for step in snapshot.steps.indices {
      for index in snapshot.steps[step].units.indices {
        switch plant {
        case .repeatOnce:
          guard snapshot.start.steps[step].effect == .once, snapshot.steps[step].units[index].output == nil,
            snapshot.steps[step].units[index].lastAttempt?.endedAt == nil
          else { continue }
          snapshot.steps[step].units[index].lastAttempt?.endedAt = snapshot.start.at
          snapshot.steps[step].units[index].lastAttempt?.failure = ActionFailure(.server, .init(verbatim: "planted"))
          snapshot.steps[step].units[index].lastAttempt?.retryDelay = 0
        case .forgetWait: snapshot.steps[step].units[index].wait = nil
        case .earlyTimer:
          guard let wait = snapshot.steps[step].units[index].wait, let until = wait.until else { continue }
          snapshot.steps[step].units[index].wait?.until = wait.at.adding(seconds: until.seconds(since: wait.at) * 0.9)
        default: break
        }
      }
    }
    return snapshot
  }

  /// Plants a defect in what is known of a run that has ended.
  private func spoil(_ snapshot: inout RunSnapshot, _ plant: Plant) {
    for step in snapshot.steps.indices where snapshot.start.steps[step].effect >= .idempotent {
      for unit in snapshot.steps[step].units.indices {
        switch plant {
        case .repeatDone:
          guard snapshot.start.steps[step].action.hasPrefix("sim."), snapshot.steps[step].status == .succeeded else {
            continue
          }
          snapshot.steps[step].status = .failed
          snapshot.steps[step].units[unit].output = nil
        case .freshKey: snapshot.steps[step].units[unit].lastAttempt?.key = ""
        default: break
        }
      }
    }
  }

  func result(of run: RunID) async throws -> RunResult? { try await use { try await store.result(of: run) } }
  func hasLostOrigin(_ run: RunID) async throws -> Bool { try await use { try await store.hasLostOrigin(run) } }
  func nextDue() async throws -> Timestamp? { try await use { try await store.nextDue() } }
  func cancelRequests() async throws -> [RunID] { try await use { try await store.cancelRequests() } }
  func requestCancel(of run: RunID) async throws { try await use { try await store.requestCancel(of: run) } }
  func releaseHeld(_ run: RunID?, at now: Timestamp) async throws {
    try await use { try await store.releaseHeld(run, at: now) }
  }
  func beat() async throws { try await use { try await store.beat() } }

  func cachedResult(_ key: String, at now: Timestamp) async throws -> Value? {
    // With the defect planted, everything is taken for fresh.
    let time = world.weather.plant == .staleCache ? now.adding(seconds: -1e9) : now
    return try await use {
      let value = try await store.cachedResult(key, at: time)
      world.checkKept(value, key, at: now)
      return value
    }
  }

  func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws {
    try await use {
      try await store.keepResult(value, key: key, until: expiry)
      world.keep(value, key, until: expiry)
    }
  }

  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    try await use { try await store.answer(run: run, step: step, item: item) }
  }
}

extension World {
  /// An entry of the journal in short words.
  func words(_ entry: JournalEntry) -> String {
    switch entry {
    case .runStarted(let start): "begin \(name(of: start.run))"
    case .stepStarted(let run, let step, _, _): "step \(name(of: run)):\(step)"
    case .attemptStarted(let start):
      "intent \(Self.unit(name(of: start.run), "\(start.step)", start.item)) \(start.number)"
    case .attemptFinished(let end):
      "end \(Self.unit(name(of: end.run), "\(end.step)", end.item)) \(end.number) \(end.failure?.kind.rawValue ?? "ok")"
    case .output(let run, let step, let item, _): "output \(Self.unit(name(of: run), "\(step)", item))"
    case .stepFinished(let end): "step \(name(of: end.run)):\(end.step) \(end.status.rawValue)"
    case .runFinished(let end): "\(name(of: end.run)) \(end.status.rawValue)"
    case .runTurned(let turn): "turn \(name(of: turn.run)) \(turn.reason.word)"
    case .runParked(let run, _, _, _, _): "park \(name(of: run))"
    case .waitStarted(let wait):
      "wait \(Self.unit(name(of: wait.run), "\(wait.step)", wait.item)) \(wait.kind.rawValue)"
    case .waitEnded(let run, let step, let item, _): "waited \(Self.unit(name(of: run), "\(step)", item))"
    case .breaker(let record): "breaker \(record.provider) \(record.failures)"
    case .log: "log"
    }
  }
}

extension RunTurn.Reason {
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed(let failure, _): "failed \(failure.kind.rawValue)"
    case .cancelled: "cancelled"
    }
  }
}
