import Expressions
import Localization
import Plans

/// The results that a run takes over from the run that it repeats.
///
/// Steps that succeeded keep their results. A step is done again from the beginning if a person names it, if its effect was
/// undone, or if it depends on such a step. It is then another effect, with a new idempotency key. Other steps are tried again:
/// with the items they have finished, and with their idempotency keys, because the failed attempt may have had an effect. The key
/// also stays in use if the step is done again because of a dependency. If that is not possible, because its items are not known
/// yet or not all of it was undone, a person has to decide: see ``obstacle``.
///
/// A step that was skipped, or that failed with `on_error: continue`, keeps that result if a step that keeps its result depends
/// on it: to do it again would change the input of the later step.
struct ReusedResults {
  /// The fate of a step of the earlier run.
  enum Fate: Hashable {
    /// It keeps its result, also if it was skipped or has failed.
    case kept
    /// It continues with its finished items and its idempotency keys.
    case goesOn
    /// It starts again from the beginning.
    case anew
  }

  /// Why a person must decide whether a step is done again.
  enum Obstacle: Hashable {
    /// It is to be done again, but its undo has undone only a part of its effects, or none.
    case notTakenBack(step: Int)
    /// It depends on a step that is done again, and an attempt of it without success may have had an effect.
    case mayHaveActed(step: Int)
    /// It must not be done twice, and its outcome is unknown.
    case inDoubt(step: Int)
    /// It must not be done twice and has taken effect; only its output could not be used.
    case hasActed(step: Int)
  }

  let plan: [PlanStep]
  var steps: [StepSnapshot]
  /// The fate of each step, by its position.
  let fates: [Fate]
  /// Steps that are done again because a person has named them.
  private let asked: Set<Int>
  /// Steps whose effects were all undone.
  private let undone: Set<Int>

  /// Decides what becomes of each step.
  ///
  /// - Parameters:
  ///   - earlier: How far the steps of the earlier run came.
  ///   - plan: The steps, of both runs.
  ///   - first: The step to do again although it may have succeeded; `nil` for none.
  ///   - isWhole: Whether all steps are done again.
  init(_ earlier: [StepSnapshot], _ plan: [PlanStep], from first: Int?, isWhole: Bool = false) {
    var steps = Array(earlier.prefix(plan.count))
    while steps.count < plan.count { steps.append(StepSnapshot()) }
    self.plan = plan
    self.steps = steps
    asked = isWhole ? Set(plan.indices) : Self.withDependents(first.map { [$0] } ?? [], plan)
    undone = Set(plan.indices.filter { Self.undoing(of: $0, steps, plan) == .whole })
    let anew = asked.union(Self.withDependents(undone, plan))
    let candidates = Self.candidates(steps, plan, anew)
    // Items of an undone step that had not succeeded keep their keys.
    fates = Self.fates(
      steps, plan, candidates, goingOn: Set(plan.indices).subtracting(anew).union(undone.subtracting(asked)))
  }

  /// Positions of steps and of all steps that depend on them.
  private static func withDependents(_ first: Set<Int>, _ plan: [PlanStep]) -> Set<Int> {
    var set = first
    closed(&set, plan) { set, index in plan[index].needs.contains { set.contains($0) } }
    return set
  }

  private enum Undoing { case nothing, part, whole }

  /// How much of the effects of a step was undone; `nil` if no undo is recorded.
  private static func undoing(of target: Int, _ steps: [StepSnapshot], _ plan: [PlanStep]) -> Undoing? {
    let done = steps[target].units.filter { $0.output != nil }.count
    guard done > 0, let undo = plan.firstIndex(where: { $0.phase == .undo(of: target) }) else { return nil }
    let count = steps[undo].units.filter { $0.output != nil }.count
    guard count > 0 else { return .nothing }
    // An undo that loops over the items may have skipped some.
    return steps[undo].status == .succeeded && (steps[undo].itemCount == nil || count >= done) ? .whole : .part
  }

  /// Positions of the steps that keep their results, if the steps they depend on do.
  private static func candidates(_ steps: [StepSnapshot], _ plan: [PlanStep], _ anew: Set<Int>) -> Set<Int> {
    let main = plan.indices.filter { plan[$0].phase == .main && !anew.contains($0) }
    var kept = Set(main.filter { steps[$0].status == .succeeded })
    // The dependencies of a step that keeps its result, and steps with items that keep theirs.
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

  /// The first step because of which a person must decide.
  var obstacle: Obstacle? {
    for index in plan.indices where plan[index].phase == .main && !asked.contains(index) {
      if isInDoubt(index) { return .inDoubt(step: index) }
      if hasActed(index) { return .hasActed(step: index) }
      switch Self.undoing(of: index, steps, plan) {
      case .part: return .notTakenBack(step: index)
      case .nothing where fates[index] == .anew: return .notTakenBack(step: index)
      default: break
      }
      // Its items, or the inputs of another recipe, are known only when it begins.
      let isKnown = plan[index].loop == nil && steps[index].itemCount == nil && plan[index].child == nil
      if fates[index] == .anew, !isKnown, steps[index].units.contains(where: { keepsKey($0, of: index) }) {
        return .mayHaveActed(step: index)
      }
    }
    return nil
  }

  /// Whether the outcome of an attempt is unknown and not settled, for a step that must not be done twice.
  private func isInDoubt(_ index: Int) -> Bool {
    guard fates[index] != .kept, plan[index].child == nil, plan[index].action.effect == .once else { return false }
    return steps[index].units.contains { if case .outcomeUnknown = $0.progress { true } else { false } }
  }

  /// Whether a step that must not be done twice has failed only because its output could not be used.
  private func hasActed(_ index: Int) -> Bool {
    guard fates[index] != .kept, plan[index].child == nil, plan[index].action.effect == .once else { return false }
    return steps[index].units.contains { $0.output == nil && $0.lastAttempt?.failure?.kind == .badOutput }
  }

  /// The first step that would be done again without a request, although another run that repeats the earlier one has begun it;
  /// `nil` if none of them has an effect.
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

  /// Whether a unit has begun without success and may have had an effect under its key.
  private func keepsKey(_ unit: UnitSnapshot, of index: Int) -> Bool {
    guard unit.output == nil, let last = unit.lastAttempt, !last.key.isEmpty else { return false }
    // A repetition that has ended has no open effect.
    if let kind = last.failure?.kind, [.notYet, .repeatLimit].contains(kind) { return false }
    return plan[index].child != nil || plan[index].action.effect >= .idempotent
  }

  /// Adds the positions that belong to them until no more do.
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
  /// - Returns: The snapshot of the new run, and the entries that record it.
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
      // A loop keeps its list from its beginning, as in a resumed run.
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

  /// The part of a unit that is kept; `nil` for none.
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

  /// Whether the new run takes over a result or a key of a unit.
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
  /// Whether it is a loop in which some items have a result although the step did not succeed.
  fileprivate var hasFinishedItems: Bool {
    itemCount != nil && status != .succeeded && units.contains { $0.output != nil }
  }

  /// Whether later steps may have begun although it did not succeed.
  fileprivate func wasPassedOver(_ policy: PlanStep.ErrorPolicy) -> Bool {
    status == .skipped || (status == .failed && policy == .continue)
  }
}

extension ActionFailure {
  /// The ends of attempts of the repeated run that count for this one.
  fileprivate static func inEarlierRun(_ run: RunID?) -> ActionFailure {
    let name = run?.rawValue ?? ""
    return ActionFailure(
      .cancelled,
      .init(
        "tried in run \(name), whose idempotency key goes on",
        de: "versucht in Lauf \(name), dessen Idempotenzschlüssel weiter gilt"))
  }
}
