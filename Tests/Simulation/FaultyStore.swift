import Engine
import Expressions
import Localization
import Recipes
import RunStore
import Synchronization

/// The run log as one process sees it: the real one, behind a disk that may be slow or broken and a process that may die at
/// any entry. What was only accepted is lost with the process.
final class FaultyStore: RunQueue {
  /// Mostly one that passes; now and then one after which the process gives up.
  struct DiskFailure: QueueError {
    var fault: QueueFault
  }

  private struct Batch {
    var number: Int
    var entries: [JournalEntry]
  }

  private struct State {
    var number = 0
    var unwritten: [Batch] = []
  }

  private let store: RunStore
  private let world: World
  private let life: Life
  private let timers: Timers
  private let state = Mutex(State())

  init(_ store: RunStore, world: World, life: Life, timers: Timers) {
    self.store = store
    self.world = world
    self.life = life
    self.timers = timers
  }

  // MARK: - Recording

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    await life.check()
    var entries = entries
    let words = entries.map { world.words($0) }.joined(separator: ", ")
    var chance = world.chance("record \(words)")
    spoil(&entries, &chance)
    learn(entries)
    let batch = state.withLock { state in
      state.number += 1
      state.unwritten.append(Batch(number: state.number, entries: entries))
      return state.number
    }
    let isEarly = world.weather.plant == .earlyAcknowledgement && durability == .synced && chance.happens(0.5)
    if durability <= .soon || isEarly {
      world.note("accept    \(life.name): \(words)")
      if chance.happens(0.3) { try await write(upTo: batch) }
      return
    }
    if chance.happens(world.weather.slowDisk) {
      let seconds = chance.within(0.01...5)
      _ = await Scheduler.shared.sleep(seconds)
      await life.check()
    }
    if chance.happens(world.weather.brokenDisk) {
      let isOurs = state.withLock { state in
        let index = state.unwritten.firstIndex { $0.number == batch }
        if let index { state.unwritten.remove(at: index) }
        return index != nil
      }
      if isOurs {
        world.note("BROKEN    \(life.name): \(words)")
        throw DiskFailure(fault: chance.happens(0.2) ? .lasting : .passing)
      }
    }
    if world.mayDie(&chance, world.weather.death) {
      // Some of what was accepted before may have reached the disk, all of it, or this too.
      let numbers = state.withLock { $0.unwritten.map(\.number) }
      let last = chance.below(numbers.count + 1)
      if last > 0 { try await write(upTo: numbers[last - 1]) }
      world.note("DEATH     \(life.name) writing \(words), \(last) of \(numbers.count) on the disk")
      life.die()
      await life.check()
    }
    world.note("write     \(life.name): \(words)")
    try await write(upTo: batch)
  }

  /// Brings what was handed in to the disk, in order.
  private func write(upTo number: Int) async throws {
    let batches = state.withLock { state in
      let batches = state.unwritten.filter { $0.number <= number }
      state.unwritten.removeAll { $0.number <= number }
      return batches
    }
    guard !batches.isEmpty else { return }
    do {
      try await Scheduler.shared.call {
        try await store.record(batches.flatMap(\.entries), durability: .committed)
      }
    } catch {
      world.violate("the journal refuses what \(life.name) writes: \(error)")
      throw error
    }
    for entry in batches.flatMap(\.entries) {
      if case .waitStarted(let wait) = entry { timers.confirm(wait) }
      if case .runFinished(let end) = entry { world.hasEnded(end.run, end.status) }
    }
  }

  /// Writes what is left when the process ends in good order.
  func flush() async {
    try? await write(upTo: .max)
  }

  /// Remembers names and timers.
  private func learn(_ entries: [JournalEntry]) {
    let hasOutput = entries.contains { if case .output = $0 { true } else { false } }
    for entry in entries {
      switch entry {
      case .attemptStarted(let start) where start.provider == "recipe":
        let unit = World.unit(world.name(of: start.run), "s\(start.step)", start.item)
        world.name(RunID(rawValue: start.key), unit.replacing(":", with: "/"))
      case .waitStarted(let wait) where wait.kind == .time: timers.begin(wait)
      // One that is given up with its step ends without an output.
      case .waitEnded(let run, let step, let item, _): timers.end(run, step, item, isOver: hasOutput)
      default: break
      }
    }
  }

  /// Plants a defect.
  private func spoil(_ entries: inout [JournalEntry], _ chance: inout Chance) {
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
      guard chance.happens(0.02) else { return }
      state.withLock { $0.unwritten.removeAll() }
    default: break
    }
  }

  // MARK: - The queue

  /// Uses the run log after everything that was recorded before.
  private func use<Result>(_ body: () async throws -> Result) async throws -> Result {
    await life.check()
    try await write(upTo: .max)
    return try await Scheduler.shared.call(body)
  }

  func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    var runs = try await use { try await store.claim(limit: limit, at: now) }
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
    try await use { try await store.claim(run, at: now) }
  }

  func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    world.note("reclaim   \(life.name): \(world.name(of: run))")
    return try await use { try await store.reclaim(run, at: now) }
  }

  func snapshot(of run: RunID) async throws -> RunSnapshot {
    var snapshot = try await use { try await store.snapshot(of: run) }
    guard let plant = world.weather.plant else { return snapshot }
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

  func result(of run: RunID) async throws -> RunResult? { try await use { try await store.result(of: run) } }
  func nextDue() async throws -> Timestamp? { try await use { try await store.nextDue() } }
  func cancelRequests() async throws -> [RunID] { try await use { try await store.cancelRequests() } }
  func requestCancel(of run: RunID) async throws { try await use { try await store.requestCancel(of: run) } }
  func beat() async throws { try await use { try await store.beat() } }

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
    case .runParked(let run, _, _, _, _): "park \(name(of: run))"
    case .waitStarted(let wait):
      "wait \(Self.unit(name(of: wait.run), "\(wait.step)", wait.item)) \(wait.kind.rawValue)"
    case .waitEnded(let run, let step, let item, _): "waited \(Self.unit(name(of: run), "\(step)", item))"
    case .breaker(let record): "breaker \(record.provider) \(record.failures)"
    case .log: "log"
    }
  }
}
