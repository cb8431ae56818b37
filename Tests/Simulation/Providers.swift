import Engine
import Expressions
import Localization
import Plans

/// The providers as one process sees them: they do what the seed says, and the world remembers it.
struct Providers: ProviderDirectory, StepProvider {
  let world: World
  let life: Life
  let clocks: Clocks
  /// `nil` where nobody dies.
  var log: RunLog?

  var builtins: any StepProvider { self }
  func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    await life.check()
    return self
  }

  /// What is read, or computed, may be kept, and then answers whoever asks the same.
  private func isKept(_ request: ActionRequest) -> Bool { request.action == "sim.pure" || request.action == "sim.read" }

  /// What a unit answers in the end: the same whatever happens on the way.
  private func output(_ request: ActionRequest) -> Value {
    let place = isKept(request) ? request.action : "\(request.recipe) \(request.step) \(request.item ?? -1)"
    var chance = Chance(0, "\(place) \(request.input.jsonString)")
    return ["n": .int(Int64(chance.below(1000)))]
  }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let run = world.name(of: request.run)
    let unit = World.unit(run, request.step, request.item)
    let key = world.weather.plant == .newKey && request.attempt > 1 ? "\(request.key)-\(request.attempt)" : request.key
    let call = World.Call(
      root: String(run.prefix { $0 != "/" }), plan: request.recipe, step: request.step, item: request.item, unit: unit,
      key: key, action: request.action, number: request.attempt, began: Scheduler.shared.clock)
    world.note("call      \(unit) attempt \(request.attempt) in \(life.name)")
    world.begin(call, in: life.name, hasStopped: life.stops > 0, hasClockJumped: clocks.hasJumped)
    defer { if !life.isDead { world.end(call, in: life.name) } }
    let step = world.plan(of: run)?.steps.first { $0.id == request.step }
    func finish(_ retryAfter: Double?, _ hasAnswered: Bool) {
      world.attempts.finish(
        unit, request.attempt, process: life.name, retryAfter: retryAfter, hasAnswered: hasAnswered, step: step,
        hasStopped: life.stops > 0, hasClockJumped: clocks.hasJumped, in: world)
    }
    do throws(ActionFailure) {
      let output = try await answer(request, call)
      finish(nil, true)
      return output
    } catch {
      finish(error.retryAfter, false)
      throw error
    }
  }

  private func answer(_ request: ActionRequest, _ call: World.Call) async throws(ActionFailure) -> Value {
    let unit = call.unit
    let stops = life.stops
    var fate = world.fate("attempt \(unit) \(request.attempt)")
    let deed = World.Deed(
      unit: unit, key: call.key, input: request.input.jsonString, isOnce: request.action == "sim.once",
      output: output(request))
    try await pause(fate.within(0.001...2))
    // Whoever stands still loses the connection.
    if life.stops > stops {
      world.cutOff(call.root)
      throw failure(.unreachable)
    }
    if world.mayDie(&fate, world.weather.death) { await die("before the effect of \(unit)") }
    var script = world.fate("script \(unit)")
    // Once a person has looked after it, it works.
    let failures = script.happens(world.isSettled(unit) ? 0 : world.weather.trouble) ? script.within(1...2) : 0
    // Whatever the weather: the run would fail without any fault, too.
    var nature = world.fate("nature \(isKept(request) ? "\(request.action) \(request.input.jsonString)" : unit)")
    // What is kept is kept for runs in which nothing was mended, too.
    let plan = world.plan(of: world.name(of: request.run))
    let isMended = world.isMended(call.root) && plan?.steps.first { $0.id == request.step }?.cache == nil
    let kind = request.step == "z" || isMended ? 1 : nature.fraction()
    let failsForGood = kind < 0.06
    if kind >= 0.06, kind < 0.1 {
      let isLimited = fate.happens(0.3)
      throw failure(isLimited ? .rateLimited : .server, retryAfter: isLimited ? fate.one(of: [0.5, 5, 30]) : nil)
    }
    if request.attempt <= failures, !failsForGood || fate.happens(0.5) {
      try await fail(&fate, failsForGood ? nil : deed)
      return output(request)
    }
    if failsForGood { throw failure(.auth) }
    if life.stops > stops {
      world.cutOff(call.root)
      throw failure(.unreachable)
    }
    world.happen(deed)
    if world.mayDie(&fate, world.weather.death) { await die("after the effect of \(unit)") }
    // Called off after the effect: the answer may still come.
    do throws(ActionFailure) {
      try await pause(fate.within(0.001...2))
    } catch {
      if fate.happens(0.5) { throw error }
    }
    return output(request)
  }

  /// One of the ways in which an attempt goes wrong; returns where it answers late all the same.
  private func fail(_ fate: inout Chance, _ deed: World.Deed?) async throws(ActionFailure) {
    guard let deed else { throw failure(fate.one(of: [.server, .unreachable, .timeout])) }
    switch fate.below(8) {
    case 0: throw failure(.server)
    case 1: throw failure(.rateLimited, retryAfter: fate.one(of: [0.5, 5, 30, 120]))
    case 2: throw failure(.unreachable)
    case 3:
      world.happen(deed)
      throw failure(fate.one(of: [.io, .timeout, .crashed]))
    case 4: throw failure(.timeout)
    case 5: try await pause(1e9)
    case 6:
      world.happen(deed)
      try await pause(1e9)
    default:
      world.happen(deed)
      do throws(ActionFailure) { try await pause(1e9) } catch {}
    }
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    await life.check()
    let unit = World.unit(world.name(of: request.run), request.step, request.item)
    var chance = world.chance("verify \(unit)")
    try await pause(chance.within(0.001...1))
    if chance.happens(world.weather.trouble / 4) {
      // Where this goes on, nobody can say.
      world.doubt(unit)
      throw failure(.io)
    }
    var fate = world.fate("doubt \(unit)")
    guard !fate.happens(world.weather.doubt) else {
      world.doubt(unit)
      world.note("verify    \(unit): unknown")
      return .unknown
    }
    let isDone = world.hasHappened(request.key)
    world.note("verify    \(unit): \(isDone ? "done" : "not done")")
    return isDone ? .done(output: output(request)) : .notDone
  }

  private func die(_ place: String) async {
    await log?.kill(life, place)
    await life.check()
  }

  private func pause(_ seconds: Double) async throws(ActionFailure) {
    let isOver = await Scheduler.shared.sleep(seconds)
    await life.check()
    if !isOver { throw failure(.cancelled) }
  }

  private func failure(_ kind: ActionFailure.Kind, retryAfter: Double? = nil) -> ActionFailure {
    ActionFailure(kind, LocalizedText(verbatim: "as the seed says"), retryAfter: retryAfter)
  }
}
