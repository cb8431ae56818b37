import Engine
import Expressions
import Plans
import RunStore
import Synchronization

/// What a run comes to where nothing goes wrong: no failing calls, no deaths, no lost answers.
struct Oracle {
  struct Answer {
    var status: RunStatus
    var outputs: Value
    /// Effects, by unit.
    var deeds: Set<String>
  }

  static func ask(_ plan: Plan, _ run: RunID, name: String, seed: UInt64) async throws -> Answer {
    let world = World(seed: seed, weather: Weather(), deaths: 0, tells: false)
    world.name(run, name)
    world.plan(plan, of: name)
    let clocks = Clocks()
    let life = Life("oracle")
    var options = RunEngine.Options()
    options.random = { 0.5 }
    let names = Mutex(Chance(seed, "names of \(name)"))
    options.newRun = { time in names.withLock { RunID(at: time, using: &$0) } }
    options.parksWaits = false
    let time = SimulatedTime(clocks: clocks, life: life)
    let engine = RunEngine(
      queue: Log(base: try RunStore(inMemory: time), world: world, plan: plan),
      providers: Providers(world: world, life: life, clocks: clocks),
      time: time, options: options)
    let result = try await engine.run(plan, RunRequest(id: run))
    return Answer(status: result.status, outputs: result.outputs, deeds: Set(world.deeds.map(\.unit)))
  }

  /// A run log in memory whose waits are answered at once.
  private struct Log: ForwardingRunQueue {
    let base: RunStore
    let world: World
    let plan: Plan

    func record(_ entries: [JournalEntry], durability: Durability) async throws {
      try await base.record(entries, durability: durability)
      for case .attemptStarted(let start) in entries where start.kind == .recipe {
        let unit = World.unit(world.name(of: start.run), "s\(start.step)", start.item)
        world.name(RunID(rawValue: start.key), unit.replacing(":", with: "/"))
      }
    }

    func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
      let unit = World.unit(world.name(of: run), "s\(step)", item)
      guard plan.steps[step].action.name == "approve" else { return .event(Person.payload(unit)) }
      return Person.refuses(unit, seed: world.seed)
        ? .rejected(reason: "no", by: "ann") : .approved(fields: Person.payload(unit), by: "ann")
    }
  }
}

/// What people and the world outside answer to a run that waits.
enum Person {
  /// What an event says.
  static func payload(_ unit: String) -> Value {
    var chance = Chance(7, World.original(unit))
    return ["n": .int(Int64(chance.below(1000)))]
  }

  /// Whether a person refuses.
  static func refuses(_ unit: String, seed: UInt64) -> Bool {
    var chance = Chance(seed, "refuses \(World.original(unit))")
    // Whoever asks again gets another answer.
    if unit.contains("+") { return false }
    return chance.happens(0.2)
  }
}
