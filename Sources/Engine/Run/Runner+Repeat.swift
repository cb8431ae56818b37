import Expressions
import Localization
public import Recipes

extension Runner {
  /// Runs a recipe again with what an earlier run has done already.
  ///
  /// Steps that succeeded keep their results, single items of loops too; whatever rests on a step that is done anew is
  /// done anew itself.
  ///
  /// - Parameters:
  ///   - plan: What to run; its steps are those of the earlier run.
  ///   - earlier: The earlier run, which has ended.
  ///   - step: The step to begin with again, whether it succeeded or not; `nil` for those that did not succeed.
  ///   - request: The new run; inputs, keywords and event are the earlier run's.
  ///   - observer: Watches it.
  ///   - control: Calls it off from outside.
  /// - Throws: ``EngineError`` as ``run(_:_:observer:control:)``, or `plan_differs`, or `run_state` where it is not known
  ///   whether an effect of the earlier run took place.
  public func retry(
    _ plan: Plan, _ earlier: RunSnapshot, from step: Int?, _ request: RunRequest,
    observer: any RunObserver = SilentObserver(), control: RunControl = RunControl()
  ) async throws(EngineError) -> RunResult {
    guard plan.steps.map(\.id) == earlier.start.steps.map(\.id) else { throw .planDiffers(earlier.start) }
    let start = plan.start(request.repeating(earlier), group: earlier.start.group, at: time.now)
    let (snapshot, entries) = earlier.carried(into: start, plan, from: step)
    do {
      try await recorder.record(entries, durability: .synced)
    } catch {
      throw .journal(start.run, error)
    }
    observer.observe(.journal(.runStarted(start)))
    return try await work(plan, start, snapshot, observer: observer, control: control, replayed: nil)
  }

  /// Runs a recipe again with the recorded results of an earlier run in the place of everything that has effects or reads
  /// from outside; only what is pure is computed anew.
  ///
  /// - Throws: ``EngineError`` as ``retry(_:_:from:_:observer:control:)``.
  public func replay(
    _ plan: Plan, _ earlier: RunSnapshot, _ request: RunRequest, observer: any RunObserver = SilentObserver(),
    control: RunControl = RunControl()
  ) async throws(EngineError) -> RunResult {
    guard plan.steps.map(\.id) == earlier.start.steps.map(\.id) else { throw .planDiffers(earlier.start) }
    let start = plan.start(request.repeating(earlier), group: nil, at: time.now)
    return try await work(plan, start, nil, observer: observer, control: control, replayed: earlier)
  }
}

extension RunRequest {
  /// The request with everything that the earlier run was given.
  fileprivate func repeating(_ earlier: RunSnapshot) -> RunRequest {
    var request = self
    request.inputs = earlier.start.inputs
    request.keywords = earlier.start.keywords
    request.event = earlier.start.event
    request.origin = earlier.start.run
    return request
  }
}

extension RunSnapshot {
  /// The beginning of a new run that keeps what this one has done.
  ///
  /// - Parameters:
  ///   - start: The new run.
  ///   - plan: What both run.
  ///   - first: The step to begin with again; `nil` for those that did not succeed.
  /// - Returns: The new run as it then stands, and the entries that say so.
  func carried(into start: RunStart, _ plan: Plan, from first: Int?) -> (RunSnapshot, [JournalEntry]) {
    var kept = [Bool](repeating: false, count: plan.steps.count)
    var isOpen = true
    while isOpen {
      isOpen = false
      for (index, step) in plan.steps.enumerated() where !kept[index] && steps.indices.contains(index) {
        guard index != first, step.phase == .main, steps[index].status == .succeeded,
          step.needs.allSatisfy({ !kept.indices.contains($0) || kept[$0] })
        else { continue }
        kept[index] = true
        isOpen = true
      }
    }
    var entries: [JournalEntry] = [.runStarted(start)]
    var carried = RunSnapshot(start: start, steps: plan.steps.map { _ in StepSnapshot() })
    for (index, step) in plan.steps.enumerated() where steps.indices.contains(index) && index != first {
      let isPartOfLoop =
        steps[index].itemCount != nil && step.phase == .main && step.needs.allSatisfy { kept[$0] }
        && steps[index].status != .pending && steps[index].status != .skipped
      guard kept[index] || isPartOfLoop else { continue }
      let units = steps[index].units.filter { $0.output != nil }
        .map { UnitSnapshot(item: $0.item, output: $0.output) }
      carried.steps[index] = StepSnapshot(
        status: kept[index] ? .succeeded : .running, itemCount: steps[index].itemCount, units: units)
      entries.append(.stepStarted(run: start.run, step: index, itemCount: steps[index].itemCount, at: start.at))
      for unit in units {
        entries.append(.output(run: start.run, step: index, item: unit.item, value: unit.output ?? .null))
      }
      guard kept[index] else { continue }
      var end = StepEnd(
        run: start.run, step: index, status: .succeeded,
        itemsSucceeded: steps[index].itemCount.map { _ in units.count },
        itemsFailed: steps[index].itemCount.map { $0 - units.count }, at: start.at)
      end.carriedFrom = self.start.run
      entries.append(.stepFinished(end))
    }
    return (carried, entries)
  }
}
