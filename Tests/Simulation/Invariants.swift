import Engine
import Expressions
import Plans
import RunStore

/// What must hold at the end of every simulation.
struct Invariants {
  let world: World
  let store: RunStore

  func check(_ runs: [Scenario.Run], _ answers: [String: Oracle.Answer]) async throws {
    guard world.violations.isEmpty else { return }
    checkDeeds()
    checkOrder()
    var snapshots: [String: RunSnapshot] = [:]
    var statuses: [String: RunStatus] = [:]
    for (id, name) in world.names.sorted(by: { $0.value < $1.value }) {
      let snapshot: RunSnapshot
      do {
        snapshot = try await Scheduler.shared.call { try await store.snapshot(of: id) }
      } catch let error as RunStoreError where error.code == .runNotFound {
        // The process died before a child was written down.
        continue
      }
      let status = try await Scheduler.shared.call { try await store.status(of: id) }
      snapshots[name] = snapshot
      statuses[name] = status
    }
    let repetitions = Repetitions(world: world, snapshots: snapshots, statuses: statuses)
    for (name, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
      guard let status = statuses[name] else { continue }
      check(name, status, snapshot, world.plan(of: name), repetitions)
    }
    repetitions.check()
    for run in runs {
      guard let expected = answers[run.name] else { continue }
      let result = try await Scheduler.shared.call { try await store.result(of: run.id) }
      check(run, result, expected)
    }
    for run in runs where run.origin != nil {
      let result = try await Scheduler.shared.call { try await store.result(of: run.id) }
      var earlier: RunResult?
      if let origin = runs.first(where: { $0.name == run.origin }) {
        earlier = try await Scheduler.shared.call { try await store.result(of: origin.id) }
      }
      try await repetitions.check(run, result, earlier)
    }
  }

  /// Nothing that may happen once happens twice; what is repeated has the same key and says the same.
  private func checkDeeds() {
    var once: Set<String> = []
    for deed in world.deeds where deed.isOnce {
      if !once.insert(deed.unit).inserted { world.violate("\(deed.unit), which may happen once, has happened twice") }
    }
    var keys: [String: String] = [:]
    for call in world.calls {
      // What only looks is begun without waiting for the disk, with the run of a recipe that does nothing else.
      if call.action == "sim.pure" || call.action == "sim.read" { continue }
      if let key = keys[call.unit], key != call.key {
        world.violate("\(call.unit) was called with the key \(key), then with \(call.key)")
      }
      keys[call.unit] = call.key
    }
    var inputs: [String: String] = [:]
    for deed in world.deeds {
      // What a unit is given may be something else in a run that repeats another one, as more has succeeded by then.
      let key = "\(deed.unit.prefix { $0 != ":" }) \(deed.key)"
      if let input = inputs[key], input != deed.input {
        world.violate("\(deed.unit) has happened with the input \(input), then with \(deed.input)")
      }
      inputs[key] = deed.input
    }
  }

  /// What a step needs is done before the step has an effect, and never after.
  private func checkOrder() {
    var calls: [String: [String: [(at: Int, item: Int?)]]] = [:]
    var effects: [String: Set<String>] = [:]
    for (index, call) in world.calls.enumerated() {
      let run = String(call.unit.prefix { $0 != ":" })
      calls[run, default: [:]][call.step, default: []].append((index, call.item))
      if call.action == "sim.once" || call.action == "sim.idempotent" { effects[run, default: []].insert(call.step) }
    }
    for (run, steps) in calls.sorted(by: { $0.key < $1.key }) {
      guard let plan = world.plan(of: run) else { continue }
      checkUndo(run, plan, steps.compactMapValues { $0.first?.at })
      for step in plan.steps where step.phase == .main && effects[run]?.contains(step.id) == true {
        guard let first = steps[step.id]?.first else { continue }
        for need in step.needs {
          if let last = steps[plan.steps[need].id]?.last, last.at > first.at {
            world.violate("\(run): \(plan.steps[need].id) was called after \(step.id), which needs it")
          }
        }
        guard step.loop?.parallel == 1 else { continue }
        let items = (steps[step.id] ?? []).map { $0.item ?? 0 }
        if items != items.sorted() {
          world.violate("\(run): the items of \(step.id) were called in the order \(items)")
        }
      }
    }
  }

  /// What was done last is undone first.
  private func checkUndo(_ run: String, _ plan: Plan, _ first: [String: Int]) {
    var last = -1
    for step in plan.steps.filter({ $0.undoes != nil }).sorted(by: { ($0.undoes ?? 0) > ($1.undoes ?? 0) }) {
      guard let at = first[step.id] else { continue }
      if at < last { world.violate("\(run): \(step.id) is undone before what was done after it") }
      last = at
    }
  }

  /// The journal of a run says what has happened.
  private func check(
    _ name: String, _ status: RunStatus, _ snapshot: RunSnapshot, _ plan: Plan?, _ repetitions: Repetitions
  ) {
    guard status.isFinal || status == .needsAttention else {
      // A child of a run about which a person decides may wait.
      let root = String(name.prefix { $0 != "/" })
      let isHeldUp = world.names.contains { $0.value == root && world.ended[$0.key] == .needsAttention }
      if !isHeldUp || name == root { world.violate("\(name) is left \(status.rawValue)") }
      return
    }
    if status == .needsAttention, !world.isInDoubt(name) {
      world.violate("\(name) asks for attention, but nothing is in doubt")
    }
    // It was cancelled before it began, as it waited for its turn, or its recipe could not be read.
    if status == .cancelled, !world.hasBegun(name) { return }
    if status == .cancelled, snapshot.steps.allSatisfy({ $0.status == .pending && $0.units.isEmpty }) { return }
    let deeds = Set(world.deeds.map(\.unit))
    for (index, step) in snapshot.steps.enumerated() {
      let id = snapshot.start.steps[index].id
      let effect = snapshot.start.steps[index].effect
      for unit in step.units {
        let place = World.unit(name, id, unit.item)
        let isCall = snapshot.start.steps[index].action.hasPrefix("sim.")
        let key = unit.lastAttempt?.key ?? ""
        if unit.output != nil, isCall, effect > .read, !world.hasHappened(key),
          !repetitions.places(of: place).contains(where: deeds.contains)
        {
          world.violate("\(place) has a result, but never happened")
        }
        if status.isFinal, unit.output == nil, let last = unit.lastAttempt, last.endedAt == nil {
          world.violate("\(place) has an attempt without an end in a run that is \(status.rawValue)")
        }
        if status.isFinal, effect == .once, deeds.contains(place), unit.output == nil {
          world.violate("\(place) has happened, but the run that is \(status.rawValue) does not know it")
        }
      }
      if status.isFinal, step.status == .pending || step.status == .running {
        world.violate("\(name):\(id) is left \(step.status.rawValue) in a run that is \(status.rawValue)")
      }
      if step.status == .succeeded {
        let outputs = step.units.count { $0.output != nil }
        if outputs != step.itemCount ?? 1 { world.violate("\(name):\(id) has succeeded with \(outputs) results") }
      }
      guard let plan, status.isFinal else { continue }
      check(name, status, plan.steps[index], step, snapshot)
    }
  }

  /// Steps of the later phases have had their turn.
  private func check(
    _ name: String, _ status: RunStatus, _ step: PlanStep, _ recorded: StepSnapshot, _ snapshot: RunSnapshot
  ) {
    let hasRun = recorded.status == .succeeded || recorded.status == .failed
    switch step.phase {
    case .main: break
    case .finally:
      if !hasRun { world.violate("\(name):\(step.id), which runs at the end, is \(recorded.status.rawValue)") }
    // A replay may fail after that, where it finds no result of what runs at the end.
    case .onFailure where snapshot.start.isReplay, .undo where snapshot.start.isReplay: break
    case .onFailure:
      if hasRun != (status == .failed) {
        world.violate("\(name):\(step.id) is \(recorded.status.rawValue) in a run that is \(status.rawValue)")
      }
    case .undo(let target):
      let isDone = snapshot.steps[target].units.contains { $0.output != nil }
      let isToRun = isDone && (status == .failed || status == .cancelled)
      if hasRun != isToRun {
        world.violate("\(name):\(step.id) is \(recorded.status.rawValue) in a run that is \(status.rawValue)")
      }
    }
  }

  /// Whether a unit is part of a run that has failed: what had begun by then depends on the order of things.
  private func isInFailure(_ unit: String) -> Bool {
    let run = unit.prefix { $0 != ":" }
    return world.names.contains { id, name in
      (run == name || run.hasPrefix(name + "/")) && world.ended[id].map { $0 != .succeeded } == true
    }
  }

  /// Whether the result of a unit may be one that was kept.
  private func isCached(_ unit: String) -> Bool {
    let parts = unit.split(separator: ":")
    let step = parts.last?.prefix { $0 != "#" }
    return world.plan(of: String(parts.first ?? ""))?.steps.first { $0.id == step ?? "" }?.cache != nil
  }

  /// A run comes to what it would come to if nothing went wrong.
  private func check(_ run: Scenario.Run, _ result: RunResult?, _ expected: Oracle.Answer) {
    guard let result else { return }
    if result.status == .cancelled, run.isCalledOff { return }
    // Whether a deadline is kept depends on what goes wrong.
    guard !run.plan.hasDeadline, !(result.status == .failed && world.wasCutOff(run.name)) else { return }
    guard result.status == expected.status else {
      // A child that was in doubt, or a run that was cancelled while it failed.
      return world.violate("\(run.name) is \(result.status.rawValue), but would be \(expected.status.rawValue)")
    }
    guard result.status == .succeeded else { return }
    if result.outputs != expected.outputs {
      world.violate(
        "\(run.name) gives \(result.outputs.jsonString), but would give \(expected.outputs.jsonString)")
    }
    let deeds = Set(world.deeds.map(\.unit))
    for deed in expected.deeds.sorted() where !deeds.contains(deed) && !isCached(deed) && !isInFailure(deed) {
      world.violate("\(deed) never happened")
    }
  }
}

extension PlanStep {
  /// The step that it undoes.
  fileprivate var undoes: Int? { if case .undo(let target) = phase { target } else { nil } }
}

extension Plan {
  /// Whether it, or a recipe that it runs, does something outside.
  var hasEffects: Bool { steps.contains { $0.child?.hasEffects ?? ($0.action.effect > .read) } }

  /// Whether it, or a recipe that it runs, keeps results.
  var hasCache: Bool { steps.contains { $0.cache != nil || $0.child?.hasCache == true } }

  /// Whether it runs a recipe that must end by some time.
  var hasDeadline: Bool {
    timeout != nil
      || steps.contains {
        $0.retry.within != nil || $0.child != nil && ($0.timeout != nil || $0.child?.hasDeadline == true)
      }
  }
}
