import Engine
import Expressions
import Plans

/// What must hold of runs that repeat others: what is done is not done again, unless somebody has asked for it or it was
/// undone; what is tried again is tried with its old keys; a replay does nothing.
struct Repetitions {
  let world: World
  /// The runs on record, by name.
  let snapshots: [String: RunSnapshot]
  let statuses: [String: RunStatus]

  // MARK: - Who repeats whom

  /// The run that a run repeats or replays.
  private func origin(of run: String) -> String? { snapshots[run]?.start.origin.map(world.name(of:)) }

  /// A run and those that it repeats, newest first.
  private func line(of run: String) -> [String] {
    var line = [run]
    while let last = line.last, let origin = origin(of: last), !line.contains(origin) { line.append(origin) }
    return line
  }

  /// The units that stand for a unit in the runs that its run repeats, itself first.
  func places(of unit: String) -> [String] {
    let run = String(unit.prefix { $0 != ":" })
    let root = String(run.prefix { $0 != "/" })
    return (line(of: run) + line(of: root).map { $0 + run.dropFirst(root.count) }).map {
      $0 + unit.dropFirst(run.count)
    }
  }

  // MARK: - What may be done again

  private func withDependents(_ first: Set<Int>, _ plan: Plan) -> Set<Int> {
    var set = first
    // What a step needs stands before it.
    for index in plan.steps.indices where plan.steps[index].needs.contains(where: set.contains) { set.insert(index) }
    return set
  }

  /// The steps of a run with which somebody has asked to begin again, and what rests on them.
  private func asked(of run: String, _ plan: Plan) -> Set<Int> {
    withDependents(world.askedStep(of: run).map { [$0] } ?? [], plan)
  }

  /// The steps that the earlier run has undone, and what rests on them.
  private func undone(of run: String, _ plan: Plan) -> Set<Int> {
    guard let origin = origin(of: run), let earlier = snapshots[origin] else { return [] }
    let undone = plan.steps.indices.filter { index in
      guard case .undo(let target) = plan.steps[index].phase else { return false }
      return earlier.steps[index].status == .succeeded && earlier.steps[target].units.contains { $0.output != nil }
    }
    let targets = undone.compactMap { index -> Int? in
      if case .undo(let target) = plan.steps[index].phase { target } else { nil }
    }
    return withDependents(Set(targets), plan)
  }

  private enum Leave { case none, takenBack, asked }

  /// Why a run may do again what others have done, or run again what they have run.
  ///
  /// - Parameter place: Where that is in the run: `:s0`, or `/s2#1:s0` in the run of a step.
  private func leave(_ root: String, _ place: Substring) -> Leave {
    var run = root
    var rest = place
    while let mark = rest.first {
      let part = rest.dropFirst().prefix { $0 != "/" && $0 != ":" }
      let id = part.prefix { $0 != "#" }
      guard let plan = world.plan(of: run), let index = plan.steps.firstIndex(where: { $0.id == id }) else {
        return .none
      }
      if plan.steps[index].phase != .main || asked(of: run, plan).contains(index) { return .asked }
      if undone(of: run, plan).contains(index) { return .takenBack }
      guard mark == "/" else { return .none }
      run += "/" + part
      rest = rest.dropFirst(part.count + 1)
    }
    return .none
  }

  // MARK: - Checks

  func check() {
    checkOnce()
    for (run, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
      if snapshot.start.isReplay { checkReplay(run) }
      guard !snapshot.start.isReplay, let origin = origin(of: run), let earlier = snapshots[origin],
        let plan = world.plan(of: run)
      else { continue }
      check(run, snapshot, earlier, plan)
    }
  }

  /// What may happen once has not happened in two runs, unless that was asked for or what one did was undone.
  private func checkOnce() {
    var deeds: [String: [(root: String, place: Substring)]] = [:]
    for deed in world.deeds where deed.isOnce {
      let root = String(deed.unit.prefix { $0 != ":" && $0 != "/" })
      let place = deed.unit.dropFirst(root.count)
      for earlier in deeds[World.original(deed.unit)] ?? [] where earlier.root != root {
        let line = line(of: root)
        let earlierLine = self.line(of: earlier.root)
        let since = line.prefix { !earlierLine.contains($0) }
        let leaves = since.map { leave($0, place) }
        let isBelow = line.contains(earlier.root)
        if !leaves.contains(where: { $0 == .asked || isBelow && $0 == .takenBack }) {
          world.violate("\(deed.unit), which may happen once, had happened as \(earlier.root)\(place)")
        }
      }
      deeds[World.original(deed.unit), default: []].append((root, place))
    }
  }

  private func checkReplay(_ run: String) {
    for call in world.calls where call.root == run && call.action != "sim.pure" {
      world.violate("the replay \(run) calls \(call.unit)")
    }
  }

  /// What a run takes over from the one that it repeats.
  private func check(_ run: String, _ snapshot: RunSnapshot, _ earlier: RunSnapshot, _ plan: Plan) {
    let asked = asked(of: run, plan)
    let undone = undone(of: run, plan)
    for (index, step) in plan.steps.enumerated() where step.phase == .main {
      for unit in earlier.steps[index].units {
        let place = World.unit(run, step.id, unit.item)
        let calls = world.calls.filter { $0.unit == place }
        if !asked.contains(index), !undone.contains(index), let output = unit.output {
          if snapshot.steps[index].units.first(where: { $0.item == unit.item })?.output != output {
            world.violate("\(place) has not kept its result")
          }
          let child = place.replacing(":", with: "/")
          if !calls.isEmpty || snapshots[child] != nil { world.violate("\(place) is done again, though it was done") }
        }
        if undone.contains(index), !asked.contains(index), unit.output != nil, calls.isEmpty,
          step.action.effect > .read,
          step.child == nil, snapshot.steps[index].status == .succeeded
        {
          world.violate("\(place), which was undone, is not done anew")
        }
        guard let key = unit.lastAttempt?.key, !key.isEmpty else { continue }
        guard step.child == nil else {
          checkChild(place, RunID(rawValue: key), isAnew: asked.contains(index) || unit.output != nil)
          continue
        }
        guard step.action.effect > .read else { continue }
        let isNew = asked.contains(index) || undone.contains(index) && unit.output != nil
        for call in calls where isNew ? !call.key.hasPrefix(snapshot.start.run.rawValue) : call.key != key {
          world.violate("\(place) is called with the key \(call.key), and was with \(key) in the run that is repeated")
        }
      }
    }
  }

  /// A recipe that a step has run, and that did not succeed, is repeated too.
  private func checkChild(_ place: String, _ earlier: RunID, isAnew: Bool) {
    guard let child = snapshots[place.replacing(":", with: "/")], let status = statuses[world.name(of: earlier)],
      status.isFinal
    else { return }
    if child.start.origin != (isAnew ? nil : earlier) {
      world.violate("\(place) runs its recipe \(isAnew ? "again instead of anew" : "anew instead of again")")
    }
  }

  /// How a run ends that repeats another one, or replays it.
  func check(_ run: Scenario.Run, _ result: RunResult?, _ earlier: RunResult?) async throws {
    guard let result, !run.plan.hasDeadline, let snapshot = snapshots[run.name] else { return }
    if run.isReplay {
      // What was mended is not mended in a replay.
      guard earlier?.status == .succeeded, result.status != .cancelled, !run.name.contains("+") else { return }
      if result.status != .succeeded || result.outputs != earlier?.outputs {
        world.violate("\(run.name) is \(result.status.rawValue), but replays a run that has succeeded")
      }
      return
    }
    guard world.isMended(run.name), !run.plan.hasCache else { return }
    // A recipe of a step cannot be repeated where what it has done was not undone as a whole.
    if result.status == .failed, result.failure?.kind != .invalidInput, !world.wasCutOff(run.name) {
      world.violate("\(run.name) is failed, but nothing is wrong any more")
    }
    let hasFailures = snapshot.steps.contains { $0.status == .failed }
    guard result.status == .succeeded, !hasFailures,
      run.plan.steps.allSatisfy({ $0.child == nil && $0.action.name != "wait_for" })
    else { return }
    let expected = try await Oracle.ask(run.plan, run.id, name: run.name, seed: world.seed)
    if result.outputs != expected.outputs {
      world.violate("\(run.name) gives \(result.outputs.jsonString), but would give \(expected.outputs.jsonString)")
    }
  }
}
