import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RunStore
import Synchronization

/// One life of a process that works through the queue.
struct SimulatedProcess {
  /// How it ended.
  enum Ending: Sendable, Equatable {
    case idle
    case dead
    case interrupted
    /// It could not go on: the journal could not be written.
    case broken
    /// What it was asked for cannot be.
    case refused(String)
  }

  let world: World
  let clocks: Clocks
  let timers: Timers
  let log: RunLog
  let plans: Plans
  let name: String
  /// The machine it runs on.
  let host: String?
  var options = QueueWorker.Options()
  /// What it does; `nil` where it works through the queue.
  var command: Command?

  /// Works until nothing is left to do, or until the process ends otherwise.
  func live() async throws -> Ending {
    let life = Life(name)
    var chance = world.chance("life of \(name)")
    let storeTime = StoreTime(clocks: clocks, life: life, world: world)
    var configuration = RunStore.Configuration()
    configuration.host = host
    let store = try RunStore(path: log.path, time: storeTime, configuration: configuration)
    storeTime.serve(store)
    let faulty = FaultyStore(store, log, world: world, life: life, timers: timers)
    let seeds = Mutex(world.chance("random of \(name)"))
    var settings = RunEngine.Options()
    settings.random = { seeds.withLock { $0.fraction() } }
    let names = Mutex(world.chance("names of \(name)"))
    settings.newRun = { time in names.withLock { RunID(at: time, using: &$0) } }
    settings.plans = plans
    settings.cache = faulty
    do {
      settings.breakers = BreakerBoard(try await Scheduler.shared.call { try await store.breakers() })
    } catch {
      // It has ended before it could begin.
      guard life.isDead else { throw error }
      storeTime.serve(nil)
      await faulty.close(isDead: true)
      return .dead
    }
    let engine = RunEngine(
      queue: faulty, providers: Providers(world: world, life: life, clocks: clocks, log: log),
      time: SimulatedTime(clocks: clocks, life: life), options: settings)
    let worker = QueueWorker(engine: engine, plans: plans, observer: Observer(), options: options)
    world.note("start     \(name)")
    if command == nil { timers.change(1) }
    let (endings, ends) = AsyncStream<Ending>.makeStream()
    life.whenDead { ends.yield(.dead) }
    let task = Task.detached {
      do {
        if let command {
          try await command.carryOut(engine, faulty, SimulatedTime(clocks: clocks, life: life))
        } else {
          try await worker.work()
        }
        ends.yield(Task.isCancelled ? .interrupted : .idle)
      } catch let error as EngineError where error.isRefusal && command != nil {
        world.note("refused   \(name): \(error.message.english)")
        ends.yield(.refused(error.message.english))
      } catch let error as EngineError {
        switch (error.cause as? RunStoreError)?.code {
        case .io?, .diskFull?: break
        case .processLost? where life.silence >= World.patience: break
        default: world.violate("\(name) ends with \(error.message.english)")
        }
        ends.yield(.broken)
      } catch {
        world.violate("\(name) ends with \(error)")
        ends.yield(.broken)
      }
    }
    // Somebody stops it, or its machine loses power, at some moment.
    // Whoever types a command does not wait for months.
    let isStopped = chance.happens(0.15) || command != nil
    let isKilled = chance.happens(world.weather.death > 0 ? 0.3 : 0)
    let standstill = chance.happens(world.weather.standstill) ? chance.one(of: [5, 30, 100, 300]) : 0.0
    let moment = chance.one(of: [0.01, 1, 30]) * chance.fraction()
    let fate = Task.detached { [log] in
      guard await Scheduler.shared.sleep(moment), !life.isDead else { return }
      var chance = world.chance("end of \(name)")
      if isKilled, world.mayDie(&chance, 1) {
        await log.kill(life, "at some moment")
      } else if isStopped {
        world.note("interrupt \(name)")
        task.cancel()
      } else if standstill > 0 {
        world.note("stop      \(name) for \(standstill) s")
        life.standStill(standstill)
      }
    }
    var ending = Ending.idle
    for await end in endings {
      ending = end
      break
    }
    fate.cancel()
    if command == nil { timers.change(-1) }
    world.bury(name)
    storeTime.serve(nil)
    await faulty.close(isDead: ending == .dead)
    world.note("end       \(name): \(ending)")
    life.die()
    return ending
  }

  private struct Observer: WorkObserver {
    func begins(_ start: RunStart, isResumed: Bool) -> any RunObserver { SilentObserver() }
    func ends(_ result: RunResult, of start: RunStart) {}
    func isHeldUp(_ start: RunStart, by failure: ActionFailure) {}
  }
}

/// The recipes of a simulation. Now and then one cannot be read.
struct Plans: PlanSource {
  let world: World
  let known: [String: Plan]

  func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
    var chance = world.chance("plan of \(world.name(of: start.run))")
    guard !chance.happens(world.weather.noPlan), let plan = known[start.recipe] else {
      throw ActionFailure(.notFound, LocalizedText(verbatim: "not just now"))
    }
    return plan.with(world.weather.plant)
  }
}

extension EngineError {
  /// Whether something is asked for that cannot be.
  fileprivate var isRefusal: Bool {
    if code == .runState || code == .planDiffers { return true }
    // Another one repeats the same run.
    return code == .journal && (cause as? RunStoreError)?.code == .entryRefused
  }
}

extension Plan {
  /// The plan with a defect planted.
  fileprivate func with(_ plant: Plant?) -> Plan {
    var plan = self
    switch plant {
    case .noDeadline: plan.timeout = nil
    case .noBudget:
      for index in plan.steps.indices { plan.steps[index].retry.within = nil }
    case .undoForwards:
      let undo = plan.steps.indices.filter { if case .undo = plan.steps[$0].phase { true } else { false } }
      for (position, step) in undo.enumerated() {
        plan.steps[step].needs.removeAll { undo.contains($0) }
        plan.steps[step].needs += undo[(position + 1)...]
      }
    default: break
    }
    return plan
  }
}
