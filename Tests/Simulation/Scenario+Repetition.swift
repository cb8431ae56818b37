import Engine
import Plans
import RunStore

extension Scenario {
  /// A person who now and then runs again what has ended, or replays it.
  ///
  /// - Parameter count: How often.
  func runAgain(_ person: Int, _ count: Int, _ runs: Runs, _ plans: Plans, _ log: RunLog) async {
    defer { runs.beBusy(-1) }
    await withTaskGroup(of: Void.self) { group in
      var chance = Chance(seed, "again \(person)")
      for number in 0..<count {
        guard await Scheduler.shared.sleep(chance.fraction() * chance.one(of: [5, scale])) else { break }
        guard let origin = await waitForEnded(runs, &chance) else { break }
        let isReplay = chance.happens(0.25)
        var from: Int?
        if !isReplay, chance.happens(0.3) {
          from = chance.one(of: origin.plan.steps.indices.filter { origin.plan.steps[$0].phase == .main })
        }
        // Somebody else may type the same at the same moment.
        var commands: [(Command, Run)] = []
        for _ in 0..<chance.one(of: [1, 1, 1, 2]) {
          let run = add(origin, isReplay: isReplay, &chance)
          world.ask(from, of: run.name)
          commands.append(
            (Command(plan: origin.plan, origin: origin.id, run: run.id, from: from, isReplay: isReplay), run))
          if chance.happens(0.1) { group.addTask { await callOff(run, log, after: Scheduler.shared.clock) } }
          group.addTask { await deliverEvents(run, log) }
        }
        await withTaskGroup(of: Void.self) { group in
          for (index, (command, run)) in commands.enumerated() {
            group.addTask {
              guard await carryOut(command, run, "H\(person).\(number)\(index > 0 ? "b" : "")", plans, log) else {
                return
              }
              if await isOnRecord(run, log) { runs.add(run) }
            }
          }
        }
        bell.ring()
      }
      if Task.isCancelled { group.cancelAll() }
      // Events are still awaited.
      runs.beBusy(-1)
      await group.waitForAll()
      runs.beBusy(1)
    }
  }

  /// Waits until a run has ended, mostly for one that has not succeeded, and chooses one.
  private func waitForEnded(_ runs: Runs, _ chance: inout Chance) async -> Run? {
    let wantsFailure = chance.happens(0.8)
    for _ in 0..<200 {
      let ended = world.ended
      let all = runs.all
      let candidates = all.filter { ended[$0.id]?.isFinal == true }
      let failures = candidates.filter { ended[$0.id] != .succeeded && !$0.isReplay }
      if wantsFailure, !failures.isEmpty { return chance.one(of: failures) }
      if !candidates.isEmpty, !wantsFailure || candidates.count == all.count { return chance.one(of: candidates) }
      guard await Scheduler.shared.sleep(max(1, scale / 50)) else { return nil }
    }
    return nil
  }

  /// Gives a new run its names: `r0+1` for one that runs `r0` again, `r0~1` for one that replays it.
  private func add(_ origin: Run, isReplay: Bool, _ chance: inout Chance) -> Run {
    let id = RunID(at: clocks.now, using: &chance)
    let name = world.newName(of: origin.name, isReplay ? "~" : "+")
    world.name(id, name)
    world.plan(origin.plan, of: name)
    var run = Run(
      id: id, name: name, plan: origin.plan, isCalledOff: false, begins: Scheduler.shared.clock)
    run.origin = origin.name
    run.isReplay = isReplay
    return run
  }

  /// Has a process carry a command out; `false` where it was refused.
  private func carryOut(
    _ command: Command, _ run: Run, _ name: String, _ plans: Plans, _ log: RunLog
  ) async -> Bool {
    let words = command.isReplay ? "replay" : "retry"
    world.note(
      "command   \(name): \(words) \(run.origin ?? "")\(command.from.map { " --from s\($0)" } ?? "") as \(run.name)")
    let process = SimulatedProcess(
      world: world, clocks: clocks, timers: timers, log: log, plans: plans, name: name,
      host: hasMachines ? "machine0" : nil, command: command)
    do {
      switch try await process.live() {
      case .refused(let reason):
        let isOnRecord = await isOnRecord(run, log)
        if isOnRecord || !mayBeRefused(command, run) {
          world.violate("\(run.name) cannot \(words) \(run.origin ?? ""): \(reason)")
        }
        return isOnRecord
      case .dead, .interrupted, .broken: bell.ringForLoss()
      case .idle: break
      }
    } catch {
      world.violate("a process cannot begin: \(error)")
    }
    return true
  }

  /// Whether there may be something in the way of a repetition.
  private func mayBeRefused(_ command: Command, _ run: Run) -> Bool {
    guard let origin = run.origin, !command.isReplay, command.from == nil else { return !command.isReplay }
    let hasUndo = command.plan.steps.contains { if case .undo = $0.phase { true } else { false } }
    let first = World.original(origin)
    let hasOthers = world.names.values.contains { name in
      name.hasPrefix("\(first)+") && !name.contains("/") && name != run.name && !origin.hasPrefix(name)
    }
    // A loop or a recipe of a step that did a part is not done anew, although a step that it rests on is: a person decides.
    let restsOnOthers = command.plan.steps.contains { ($0.loop != nil || $0.child != nil) && !$0.needs.isEmpty }
    return hasUndo || origin.contains("~") || hasOthers || restsOnOthers
  }

  func isOnRecord(_ run: Run, _ log: RunLog) async -> Bool {
    // Apart from this task, which may have been cancelled.
    await Task.detached {
      await Scheduler.shared.call { (try? await log.driver.status(of: run.id)) != nil }
    }.value
  }

  /// Delivers the events that a run may wait for, once it has begun.
  private func deliverEvents(_ run: Run, _ log: RunLog) async {
    guard run.plan.steps.contains(where: { $0.action.name == "wait_for" }) else { return }
    for _ in 0..<100 {
      guard await Scheduler.shared.sleep(max(1, scale / 50)) else { return }
      if await isOnRecord(run, log) { return await deliver(to: run, log) }
    }
  }
}
