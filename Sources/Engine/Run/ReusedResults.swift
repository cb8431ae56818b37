import Expressions
import Localization
import Recipes

/// What a run that repeats another one takes over from it.
///
/// Whatever succeeded stays as it is. A step is done anew, from the beginning, where somebody asks for it, where its effect
/// was undone, or where it rests on such a step; it is then another effect, with an idempotency key of its own. What did
/// not succeed is tried again: with the items it has finished, and with its idempotency key, since nobody can say whether
/// the attempt that failed has left something behind. The key stays in use also where the step is done anew without being
/// asked for. Where that cannot be, as nobody knows what its items will be, or where not all of it was undone, somebody has
/// to ask: see ``obstacle``.
///
/// A step that was skipped, or that failed with `on_error: continue`, stays as it is where a step that stays rests on it: to
/// do it once more would change what the later step has built on.
struct ReusedResults {
  /// What becomes of a step of the earlier run.
  enum Fate: Hashable {
    /// Its result stays, or that it was skipped or failed.
    case kept
    /// It continues where it stood, with its finished items and its idempotency keys.
    case goesOn
    /// It begins from the beginning.
    case anew
  }

  /// What nobody but a person can decide: whether a step is to be done anew.
  enum Obstacle: Hashable {
    /// Its undo has undone only a part of what it has done, or nothing, and it is to be done anew.
    case notTakenBack(step: Int)
    /// It rests on something that is done anew, and some of it, that did not succeed, may have left something behind.
    case mayHaveActed(step: Int)
    /// It must not be done twice, and nobody knows whether it took effect.
    case inDoubt(step: Int)
    /// It must not be done twice and has done its work; only its output could not be used.
    case hasActed(step: Int)
  }

  let plan: [PlanStep]
  var steps: [StepSnapshot]
  /// What becomes of each step, by its position.
  let fates: [Fate]
  /// Steps that are done anew because somebody has asked for it.
  private let asked: Set<Int>
  /// Steps of which all that they have done was undone.
  private let undone: Set<Int>

  /// Decides what becomes of each step.
  ///
  /// - Parameters:
  ///   - earlier: How far the steps of the earlier run came.
  ///   - plan: The steps, of both runs.
  ///   - first: The step to do anew although it may have succeeded; `nil` for none.
  ///   - isWhole: Whether all steps are done anew.
  init(_ earlier: [StepSnapshot], _ plan: [PlanStep], from first: Int?, isWhole: Bool = false) {
    var steps = Array(earlier.prefix(plan.count))
    while steps.count < plan.count { steps.append(StepSnapshot()) }
    self.plan = plan
    self.steps = steps
    asked = isWhole ? Set(plan.indices) : Self.withDependents(first.map { [$0] } ?? [], plan)
    undone = Set(plan.indices.filter { Self.undoing(of: $0, steps, plan) == .whole })
    let anew = asked.union(Self.withDependents(undone, plan))
    let candidates = Self.candidates(steps, plan, anew)
    // Of what was undone, items that had not succeeded keep their keys.
    fates = Self.fates(
      steps, plan, candidates, goingOn: Set(plan.indices).subtracting(anew).union(undone.subtracting(asked)))
  }

  /// Positions of steps and of all that rests on them.
  private static func withDependents(_ first: Set<Int>, _ plan: [PlanStep]) -> Set<Int> {
    var set = first
    closed(&set, plan) { set, index in plan[index].needs.contains { set.contains($0) } }
    return set
  }

  private enum Undoing { case nothing, part, whole }

  /// How much of what a step has done was undone; `nil` where there is nothing of the sort.
  private static func undoing(of target: Int, _ steps: [StepSnapshot], _ plan: [PlanStep]) -> Undoing? {
    let done = steps[target].units.filter { $0.output != nil }.count
    guard done > 0, let undo = plan.firstIndex(where: { $0.phase == .undo(of: target) }) else { return nil }
    let count = steps[undo].units.filter { $0.output != nil }.count
    guard count > 0 else { return .nothing }
    // One that goes through the items may have left some of them out.
    return steps[undo].status == .succeeded && (steps[undo].itemCount == nil || count >= done) ? .whole : .part
  }

  /// Positions of the steps that stay as they are, as far as what they rest on stays too.
  private static func candidates(_ steps: [StepSnapshot], _ plan: [PlanStep], _ anew: Set<Int>) -> Set<Int> {
    let main = plan.indices.filter { plan[$0].phase == .main && !anew.contains($0) }
    var kept = Set(main.filter { steps[$0].status == .succeeded })
    // What a step that stays rests on, and one of which some items stay.
    let built = main.filter { kept.contains($0) || steps[$0].hasFinishedItems }
    var ground = Set(built.flatMap { plan[$0].needs })
    closed(&ground, plan) { ground, index in
      plan.indices.contains { ground.contains($0) && plan[$0].needs.contains(index) }
    }
    kept.formUnion(main.filter { ground.contains($0) && steps[$0].wasPassedOver(plan[$0].onError) })
    return kept
  }

  private static func fates(
    _ steps: [StepSnapshot], _ plan: [PlanStep], _ candidates: Set<Int>, goingOn: Set<Int>
  ) -> [Fate] {
    var kept: Set<Int> = []
    closed(&kept, plan) { kept, index in candidates.contains(index) && plan[index].needs.allSatisfy(kept.contains) }
    return plan.indices.map { index in
      if kept.contains(index) { return .kept }
      let hasBegun = steps[index].status != .pending && steps[index].status != .skipped
      let goesOn = plan[index].phase == .main && goingOn.contains(index) && hasBegun
      return goesOn && plan[index].needs.allSatisfy(kept.contains) ? .goesOn : .anew
    }
  }

  /// The first step that stands in the way of the repetition.
  var obstacle: Obstacle? {
    for index in plan.indices where plan[index].phase == .main && !asked.contains(index) {
      if isInDoubt(index) { return .inDoubt(step: index) }
      if hasActed(index) { return .hasActed(step: index) }
      switch Self.undoing(of: index, steps, plan) {
      case .part: return .notTakenBack(step: index)
      case .nothing where fates[index] == .anew: return .notTakenBack(step: index)
      default: break
      }
      // What its items are, or what another recipe is given, is known only once it begins.
      let isKnown = plan[index].loop == nil && steps[index].itemCount == nil && plan[index].child == nil
      if fates[index] == .anew, !isKnown, steps[index].units.contains(where: { keepsKey($0, of: index) }) {
        return .mayHaveActed(step: index)
      }
    }
    return nil
  }

  /// Whether an attempt of a step that must not be done twice was left without an end, and without a person's word on it.
  private func isInDoubt(_ index: Int) -> Bool {
    guard fates[index] != .kept, plan[index].child == nil, plan[index].action.effect == .once else { return false }
    return steps[index].units.contains { if case .outcomeUnknown = $0.progress { true } else { false } }
  }

  /// Whether a step that must not be done twice has failed only because its output could not be used.
  private func hasActed(_ index: Int) -> Bool {
    guard fates[index] != .kept, plan[index].child == nil, plan[index].action.effect == .once else { return false }
    return steps[index].units.contains { $0.output == nil && $0.lastAttempt?.failure?.kind == .badOutput }
  }

  /// The first step that would be done once more without being asked for, although another run that has repeated the
  /// earlier one has begun it itself; `nil` where there is none whose effect matters.
  ///
  /// - Parameter later: How far the steps of that run came.
  func firstToRepeat(what later: [StepSnapshot]) -> Int? {
    plan.indices.first { index in
      guard plan[index].phase == .main, fates[index] != .kept, !asked.contains(index), later.indices.contains(index),
        plan[index].child != nil || plan[index].action.effect >= .idempotent
      else { return false }
      return later[index].units.contains { $0.lastAttempt.map { $0.kind != .carried } ?? false }
    }
  }

  /// Whether a unit has begun without success, and may have left something behind that is known by its key.
  private func keepsKey(_ unit: UnitSnapshot, of index: Int) -> Bool {
    guard unit.output == nil, let last = unit.lastAttempt, !last.key.isEmpty else { return false }
    return plan[index].child != nil || plan[index].action.effect >= .idempotent
  }

  /// Adds positions until none is left that belongs to them.
  private static func closed(_ set: inout Set<Int>, _ plan: [PlanStep], _ belongs: (Set<Int>, Int) -> Bool) {
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for index in plan.indices where !set.contains(index) && belongs(set, index) {
        set.insert(index)
        hasGrown = true
      }
    }
  }

  // MARK: - Entries

  /// The beginning of the new run.
  ///
  /// - Parameters:
  ///   - start: The new run.
  ///   - origin: The earlier run.
  /// - Returns: The new run as it then stands, and the entries that say so.
  func begin(_ start: RunStart, origin: RunID) -> (RunSnapshot, [JournalEntry]) {
    var entries: [JournalEntry] = [.runStarted(start)]
    var snapshot = RunSnapshot(start: start, steps: plan.map { _ in StepSnapshot() })
    for (index, fate) in fates.enumerated() {
      var step = steps[index]
      step.units = step.units.compactMap { unit in carried(unit, of: index, fate, start) }
      if fate == .anew {
        // It has not begun.
        snapshot.steps[index].units = step.units
        for unit in step.units { entries += self.entries(of: unit, step: index, start) }
        continue
      }
      if fate == .goesOn {
        guard !step.units.isEmpty else { continue }
        step.status = .running
        step.failure = nil
      }
      // A loop has its list from when it began, as it has where a run is resumed.
      let began = step.itemCount == nil ? start.at : step.startedAt ?? start.at
      step.startedAt = began
      snapshot.steps[index] = step
      entries.append(.stepStarted(run: start.run, step: index, itemCount: step.itemCount, at: began))
      for unit in step.units { entries += self.entries(of: unit, step: index, start) }
      guard fate == .kept else { continue }
      entries.append(.stepFinished(end(of: step, at: index, start, origin)))
    }
    return (snapshot, entries)
  }

  /// What stays of a unit; `nil` for nothing.
  private func carried(_ unit: UnitSnapshot, of index: Int, _ fate: Fate, _ start: RunStart) -> UnitSnapshot? {
    guard isCarried(unit, of: index) else { return nil }
    if unit.output != nil { return UnitSnapshot(item: unit.item, output: unit.output) }
    guard var last = unit.lastAttempt else { return nil }
    var carried = UnitSnapshot(item: unit.item, attempts: 1, lastAttempt: last)
    last.number = 1
    last.firstStart = start.at
    last.endedAt = start.at
    last.retryDelay = nil
    if fate != .kept {
      last.kind = .carried
      last.failure = .inEarlierRun(start.origin)
      last.retryDelay = 0
    } else {
      carried.failures = last.failure.map { [.init(asked: last.kind, kind: $0.kind)] } ?? []
    }
    carried.lastAttempt = last
    return carried
  }

  /// Whether the new run takes something of a unit over: its result, or its key.
  func isCarried(_ unit: UnitSnapshot, of index: Int) -> Bool {
    let fate = fates[index]
    if fate == .anew, asked.contains(index) || plan[index].phase != .main { return false }
    if unit.output != nil { return fate != .anew && !undone.contains(index) }
    return unit.lastAttempt != nil && (fate == .kept || keepsKey(unit, of: index))
  }

  private func entries(of unit: UnitSnapshot, step: Int, _ start: RunStart) -> [JournalEntry] {
    if let output = unit.output { return [.output(run: start.run, step: step, item: unit.item, value: output)] }
    guard let last = unit.lastAttempt else { return [] }
    return [
      .attemptStarted(
        AttemptStart(
          run: start.run, step: step, item: unit.item, number: last.number, kind: last.kind, key: last.key,
          inputBytes: 0, at: start.at)),
      .attemptFinished(
        AttemptEnd(
          run: start.run, step: step, item: unit.item, number: last.number, failure: last.failure, outputBytes: 0,
          duration: 0, retryDelay: last.retryDelay, at: start.at)),
    ]
  }

  private func end(of step: StepSnapshot, at index: Int, _ start: RunStart, _ origin: RunID) -> StepEnd {
    let succeeded = step.units.filter { $0.output != nil }.count
    var end = StepEnd(
      run: start.run, step: index, status: step.status,
      itemsSucceeded: step.itemCount.map { _ in succeeded }, itemsFailed: step.itemCount.map { $0 - succeeded },
      failure: step.failure, at: step.startedAt ?? start.at)
    end.carriedFrom = origin
    return end
  }
}

extension StepSnapshot {
  /// Whether it is a loop of which some items have a result although it did not succeed as a whole.
  fileprivate var hasFinishedItems: Bool {
    itemCount != nil && status != .succeeded && units.contains { $0.output != nil }
  }

  /// Whether later steps may have begun although it did not succeed.
  fileprivate func wasPassedOver(_ policy: PlanStep.ErrorPolicy) -> Bool {
    status == .skipped || (status == .failed && policy == .continue)
  }
}

extension ActionFailure {
  /// What ended the attempts of the run that is repeated, as far as this one is concerned.
  fileprivate static func inEarlierRun(_ run: RunID?) -> ActionFailure {
    let name = run?.rawValue ?? ""
    return ActionFailure(
      .cancelled,
      .init(
        "tried in run \(name), whose idempotency key goes on",
        de: "versucht in Lauf \(name), dessen Idempotenzschlüssel weiter gilt"))
  }
}
