import Engine
import Expressions
import Foundation
import Localization
import Plans
import RecipeModel
import RunStore
import Schemas

/// One simulation: some recipes, some runs, one or two processes that work on them, people and the world outside, and what
/// goes wrong, all as the seed says.
struct Scenario {
  /// What came of it.
  struct Report: Sendable {
    var violations: [String]
    var runs = 0
    var deaths = 0
    /// How often the power has failed.
    var failures = 0
    /// Seconds of simulated time.
    var span = 0.0
  }

  struct Run: Sendable {
    var id: RunID
    var name: String
    var plan: Plan
    var isCalledOff: Bool
    var begins: Double
    /// The run that it runs again, or replays.
    var origin: String?
    var isReplay = false
  }

  let seed: UInt64
  let world: World
  let clocks = Clocks()
  let timers: Timers
  let bell = Bell()
  private let path: String
  private let folder: String
  private let isService: Bool
  /// Whether the processes run on machines of their own, which cannot look at one another.
  let hasMachines: Bool
  /// Whether runs have deadlines and steps have budgets.
  private let hasDeadlines: Bool
  /// Whether a person looks what became of effects in doubt.
  private let isLookedAfter: Bool
  let scale: Double
  private let parallel: Int
  private let deaths: Int

  init(seed: UInt64, plant: Plant?, tells: Bool) throws {
    self.seed = seed
    var chance = Chance(seed, "weather")
    var weather = Weather()
    weather.trouble = chance.one(of: [0, 0.1, 0.3, 0.5])
    weather.death = chance.one(of: [0, 0.005, 0.02, 0.05, 0.1])
    weather.slowDisk = chance.one(of: [0, 0, 0.02, 0.1])
    weather.brokenDisk = chance.one(of: [0, 0, 0.002, 0.01])
    weather.doubt = chance.one(of: [0, 0, 0.05])
    weather.noPlan = chance.one(of: [0, 0, 0.03])
    weather.plant = plant
    var power = Chance(seed, "power")
    weather.powerFailure = power.one(of: [0, 0, 0.2, 0.5, 1])
    deaths = chance.within(1...12)
    scale = chance.one(of: [5, 60, 3600, 86_400, 30 * 86_400.0])
    isService = scale <= 60 && chance.happens(0.5)
    hasMachines = isService && chance.happens(0.5)
    if isService { weather.standstill = chance.one(of: [0, 0.2, 0.5]) }
    hasDeadlines = chance.happens(0.15)
    isLookedAfter = chance.happens(0.7)
    world = World(seed: seed, weather: weather, deaths: deaths, tells: tells)
    parallel = chance.one(of: [1, 2, 64, 64])
    // Where few runs are worked on at once, others wait for their turn.
    timers = Timers(
      world, clocks,
      slack: parallel < 64 || hasMachines || weather.standstill > 0 ? .infinity : weather.noPlan > 0 ? 320 : 20)
    let memory = "/dev/shm"
    let base = FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    folder = "\(base)/simulation-\(UUID().uuidString)"
    path = "\(folder)/sous.db"
  }

  /// Runs the simulation; to be called once.
  func play() async -> Report {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var runs: [Run] = []
    do {
      runs = try makeRuns()
      var answers: [String: Oracle.Answer] = [:]
      for run in runs { answers[run.name] = try await Oracle.ask(run.plan, run.id, name: run.name, seed: seed) }
      let began = Scheduler.shared.clock
      let log = try RunLog(path: path, world: world, timers: timers, clocks: clocks)
      let all = Runs(runs)
      await play(all, log)
      guard Disk.syncs > 0 else { throw SimulationError("it does not see what SQLite has synced") }
      await world.archive.compare(with: log.driver, process: "somebody")
      try await Invariants(world: world, store: log.driver).check(all.all, answers)
      try await Scheduler.shared.call { try await log.driver.close() }
      var report = report(all.all, Scheduler.shared.clock - began)
      report.failures = log.failures
      return report
    } catch {
      world.violate("the simulation cannot go on: \(error)")
      return report(runs, 0)
    }
  }

  private func report(_ runs: [Run], _ span: Double) -> Report {
    Report(
      violations: world.violations, runs: runs.count, deaths: world.deathCount(of: deaths),
      span: span)
  }

  private func makeRuns() throws -> [Run] {
    var chance = Chance(seed, "runs")
    var plans: [Plan] = []
    for index in 0..<chance.within(1...3) {
      var maker = RecipeMaker(seed: seed, name: "q\(index)", scale: scale, hasDeadlines: hasDeadlines)
      plans.append(try maker.plan("q\(index)"))
    }
    return (0..<chance.within(1...6)).map { index in
      let id = RunID(at: clocks.now.adding(seconds: Double(index)), using: &chance)
      let name = "r\(index)"
      let plan = chance.one(of: plans)
      world.name(id, name)
      world.plan(plan, of: name)
      return Run(
        id: id, name: name, plan: plan, isCalledOff: chance.happens(0.15),
        begins: chance.happens(0.5) ? 0 : chance.fraction() * scale)
    }
  }

  // MARK: - Actors

  private func play(_ all: Runs, _ log: RunLog) async {
    let runs = all.all
    await withTaskGroup(of: Void.self) { group in
      for run in runs { group.addTask { await begin(run, log) } }
      for run in runs where run.isCalledOff { group.addTask { await callOff(run, log) } }
      group.addTask { await decide(runs, log) }
      if isLookedAfter { group.addTask { await lookAfter(all, log) } }
      group.addTask { await intrude(log) }
      group.addTask { await setClocks() }
      var chance = Chance(seed, "workers")
      let plans = Plans(
        world: world, known: Dictionary(runs.map { ($0.plan.name, $0.plan) }, uniquingKeysWith: { first, _ in first }))
      for slot in 0..<chance.within(1...2) { group.addTask { await supervise(slot, plans, log) } }
      var people = Chance(seed, "people")
      for person in 0..<people.one(of: [0, 0, 1, 2]) {
        let count = people.within(1...3)
        all.beBusy(1)
        group.addTask { await runAgain(person, count, all, plans, log) }
      }
      await waitForEnd(of: all, log)
      group.cancelAll()
      bell.ring()
    }
  }

  /// Waits until all runs have ended, or something is wrong.
  private func waitForEnd(of all: Runs, _ log: RunLog) async {
    let limit = Scheduler.shared.clock + scale * 400 + 10 * 86_400
    while true {
      let ended = world.ended
      let runs = all.all
      let isOver = runs.allSatisfy {
        ended[$0.id].map { $0.isFinal || $0 == .needsAttention && !isLookedAfter } ?? false
      }
      if isOver, all.busy == 0 { return }
      for run in runs where run.isReplay && ended[run.id] == nil && world.hasLostPower {
        // It has nothing that would have to be on the disk.
        if await !isOnRecord(run, log) { all.remove(run.id) }
      }
      guard world.violations.isEmpty else { return }
      guard Scheduler.shared.clock < limit, Scheduler.shared.jobs < 1_000_000 else {
        let open = runs.filter { ended[$0.id]?.isFinal != true }.map(\.name).joined(separator: ", ")
        return world.violate("these runs do not end: \(open)")
      }
      guard await Scheduler.shared.sleep(max(1, scale / 50)) else { return }
    }
  }

  private func begin(_ run: Run, _ log: RunLog) async {
    guard await Scheduler.shared.sleep(run.begins) else { return }
    let engine = RunEngine(
      queue: log.driver, providers: Providers(world: world, life: Life("driver"), clocks: clocks),
      time: SimulatedTime(clocks: clocks, life: Life("driver")))
    var plan = run.plan
    if world.weather.plant == .noGroup { plan.concurrency = nil }
    do {
      try await Scheduler.shared.call { try await engine.enqueue(plan, RunRequest(id: run.id)) }
    } catch {
      return world.violate("\(run.name) cannot be queued: \(error)")
    }
    world.archive.add(.begun(run.id))
    world.note("enqueue   \(run.name) (\(run.plan.name))")
    bell.ring()
    await deliver(to: run, log)
  }

  /// Delivers the events that a run waits for, before or after it does.
  func deliver(to run: Run, _ log: RunLog) async {
    var chance = Chance(seed, "events \(run.name)")
    for (index, step) in run.plan.steps.enumerated() where step.action.name == "wait_for" {
      guard await Scheduler.shared.sleep(chance.fraction() * scale) else { return }
      let unit = World.unit(run.name, "s\(index)", nil)
      do {
        try await Scheduler.shared.call {
          _ = try await log.driver.deliver(event: step.id, key: run.id.rawValue, payload: Person.payload(unit))
        }
      } catch {
        return world.violate("an event cannot be delivered: \(error)")
      }
      world.note("event     \(unit)")
      bell.ring()
    }
  }

  func callOff(_ run: Run, _ log: RunLog, after begin: Double = 0) async {
    var chance = Chance(seed, "cancel \(run.name)")
    guard
      await Scheduler.shared.sleep(
        (begin > 0 ? 0 : run.begins) + 0.01 + chance.fraction() * chance.one(of: [5, scale]))
    else {
      return
    }
    world.note("cancel    \(run.name)")
    world.callOff(run.name)
    do {
      try await Scheduler.shared.call { try await log.driver.requestCancel(of: run.id) }
    } catch let error as RunStoreError where error.code == .runNotFound && run.origin != nil {
    } catch {
      world.violate("\(run.name) cannot be cancelled: \(error)")
    }
    bell.ring()
  }

  /// A person who looks now and then whether somebody asks something.
  private func decide(_ runs: [Run], _ log: RunLog) async {
    guard runs.contains(where: { $0.plan.steps.contains { $0.action.name == "approve" } }) else { return }
    var chance = Chance(seed, "person")
    while await Scheduler.shared.sleep((0.2 + chance.fraction()) * max(5, scale / 5)) {
      do {
        try await Scheduler.shared.call {
          for open in try await log.driver.openWaits() where open.wait.kind == .approval {
            let unit = World.unit(world.name(of: open.wait.run), open.step, open.wait.item)
            let refuses = Person.refuses(unit, seed: seed)
            world.note("decide    \(unit) \(refuses ? "no" : "yes")")
            try await log.driver.decide(
              run: open.wait.run, step: open.step, item: open.wait.item, approved: !refuses,
              fields: Person.payload(unit), reason: refuses ? "no" : "", by: "ann")
          }
        }
      } catch {
        return world.violate("a decision cannot be made: \(error)")
      }
      bell.ring()
    }
  }

  /// A person who looks what became of effects in doubt, and says so.
  private func lookAfter(_ runs: Runs, _ log: RunLog) async {
    var chance = Chance(seed, "look after")
    while await Scheduler.shared.sleep((0.2 + chance.fraction()) * max(5, scale / 5)) {
      for run in runs.all where world.ended[run.id] == .needsAttention {
        do {
          try await Scheduler.shared.call {
            for doubt in try await log.driver.doubts(of: run.id) {
              let unit = World.unit(world.name(of: doubt.run), doubt.step, doubt.item)
              let deed = world.key(of: unit).flatMap(world.deed)
              world.note("settle    \(unit) \(deed == nil ? "not done" : "done")")
              try await log.driver.settle(doubt, output: deed?.output, by: "ann")
              world.settle(unit)
              if deed != nil { world.attempts.settle(unit) }
            }
          }
        } catch {
          return world.violate("a doubt of \(run.name) cannot be settled: \(error)")
        }
        world.reopen(run.id)
        bell.ring()
      }
    }
  }

  /// Somebody who takes himself for the owner of runs that others work on.
  private func intrude(_ log: RunLog) async {
    var chance = Chance(seed, "intruder")
    guard chance.happens(0.3) else { return }
    for _ in 0..<20 {
      guard await Scheduler.shared.sleep(chance.fraction() * min(scale, 20)) else { return }
      guard let run = world.owned.first else { continue }
      let isEnd = chance.happens(0.5)
      let now = clocks.now
      await Scheduler.shared.call {
        guard (try? await log.driver.status(of: run)) == .running else { return }
        let entry: JournalEntry =
          isEnd
          ? .runFinished(RunEnd(run: run, status: .interrupted, outputs: .map([:]), at: now))
          : .runParked(run: run, until: nil, at: now)
        do {
          try await log.driver.record([entry], durability: .synced)
          world.violate("somebody else may write \(world.words(entry)), which belongs to another process")
        } catch {}
      }
    }
  }

  /// Somebody sets the clock, or a daemon does.
  private func setClocks() async {
    var chance = Chance(seed, "clock")
    guard chance.happens(0.3) else { return }
    for _ in 0..<chance.within(1...3) {
      guard await Scheduler.shared.sleep(chance.fraction() * scale) else { return }
      let seconds = chance.one(of: [-1, 1]) * chance.fraction() * chance.one(of: [2, 600, scale])
      world.note("clock     jumps by \(seconds) s")
      clocks.jump(by: seconds)
      bell.ring()
    }
  }

  /// Starts a process, again and again.
  private func supervise(_ slot: Int, _ plans: Plans, _ log: RunLog) async {
    var chance = Chance(seed, "supervisor \(slot)")
    var number = 0
    var options = QueueWorker.Options()
    options.parallel = parallel
    options.endsWhenIdle = !isService
    options.interval = isService ? 5 : 0.25
    while !Task.isCancelled, world.violations.isEmpty {
      number += 1
      let losses = bell.losses
      let process = SimulatedProcess(
        world: world, clocks: clocks, timers: timers, log: log, plans: plans, name: "P\(slot).\(number)",
        host: hasMachines ? "machine\(slot)" : nil, options: options)
      let ending: SimulatedProcess.Ending
      do {
        ending = try await process.live()
      } catch {
        return world.violate("a process cannot begin: \(error)")
      }
      switch ending {
      // What another one has left since this process looked first, it may not have seen.
      case .idle: if bell.losses == losses { await nap(slot, log) }
      case .dead, .interrupted, .broken:
        bell.ringForLoss()
        _ = await Scheduler.shared.sleep(chance.one(of: [0.05, 1, 20]))
      case .refused: break
      }
    }
  }

  /// Sleeps until something is to do again, as whoever starts `sous serve --once` from time to time would.
  private func nap(_ slot: Int, _ log: RunLog) async {
    let ring = bell.rings
    let due = try? await Scheduler.shared.call { try await log.driver.nextDue() }
    timers.change(1)
    defer { timers.change(-1) }
    guard bell.rings == ring else { return }
    var seconds = max(60, scale / 4)
    if let due, world.weather.plant != .loseDue { seconds = min(seconds, max(0.01, due.seconds(since: clocks.now))) }
    await bell.sleep(seconds)
  }
}
