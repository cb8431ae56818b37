import Expressions
import Localization
public import Recipes

extension Runner {
  /// Runs a recipe again with what an earlier run has done already.
  ///
  /// Steps that succeeded keep their results, single items of loops too; what did not succeed is tried again with its
  /// idempotency keys, a recipe that a step runs likewise. Whatever rests on a step that is done anew is done anew itself.
  /// Where the recipe has a concurrency group, the run waits for its turn in it.
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
    try await retry(plan, earlier, from: step, request, after: [], observer: observer, control: control)
  }

  /// As ``retry(_:_:from:_:observer:control:)``, after entries of another run that are written together with the new
  /// run's beginning.
  ///
  /// - Parameter original: The plan of the earlier run; `nil` where it is this one, or is yet to be made.
  func retry(
    _ plan: Plan, _ earlier: RunSnapshot, from step: Int?, _ request: RunRequest, original: Plan? = nil,
    after before: [JournalEntry], observer: any RunObserver, control: RunControl
  ) async throws(EngineError) -> RunResult {
    guard plan.steps.map(\.id) == earlier.start.steps.map(\.id) else { throw .planDiffers(earlier.start) }
    guard !earlier.start.isReplay else { throw .isReplay(earlier.start) }
    let request = request.repeating(earlier)
    var start = plan.start(request, group: try group(of: plan, request), at: time.now)
    start.isQueued = start.group != nil && options.queue != nil
    var carried = CarriedSteps(earlier.steps, plan.steps, from: step)
    switch carried.obstacle {
    case .notTakenBack(let step): throw .isNotTakenBack(earlier.start, plan.steps[step].id)
    case .mayHaveActed(let step): throw .mayHaveActed(earlier.start, plan.steps[step].id)
    case nil: break
    }
    if start.parent == nil { try await requireNewest(earlier, carried, plan) }
    if !carried.loops.isEmpty { try await fit(&carried, plan, start, earlier, original) }
    let (snapshot, entries) = carried.begin(start, origin: earlier.start.run)
    do {
      try await recorder.record(before + entries, durability: .synced)
    } catch {
      throw .journal(start.run, error)
    }
    if start.isQueued {
      // Whoever waits for a child sees to its turn.
      guard start.parent == nil else {
        return RunResult(id: start.run, status: .queued, outputs: .map([:]), failure: nil)
      }
      return try await takeTurn(plan, start.run, observer: observer, control: control)
    }
    observer.observe(.journal(.runStarted(start)))
    return try await work(plan, start, snapshot, observer: observer, control: control, replayed: nil)
  }

  /// Gives the items of loops what belongs to them, where the lists may be others than those of the earlier run.
  private func fit(
    _ carried: inout CarriedSteps, _ plan: Plan, _ start: RunStart, _ earlier: RunSnapshot, _ original: Plan?
  ) async throws(EngineError) {
    let run = earlier.start.run
    var step = carried.loops.first
    do {
      var original = original
      if original == nil, plan.fingerprint != earlier.start.fingerprint, let plans = options.plans {
        original = try await plans.plan(of: earlier.start)
      }
      let before = try LoopLists(original ?? plan, earlier)
      let lists = try LoopLists(plan, carried.begin(start, origin: run).0)
      step = carried.fit(lists, before: before)
    } catch let error as ActionFailure {
      throw .listUnknown(run, plan, step, error.message)
    } catch let error as ExpressionError {
      throw .listUnknown(run, plan, step, error.message)
    } catch {
      throw .journal(run, error)
    }
    if let step { throw .listDiffers(run, plan.steps[step].id) }
  }

  /// Makes sure that no other run has repeated the earlier one already and gone on from there: it knows more.
  private func requireNewest(
    _ earlier: RunSnapshot, _ carried: CarriedSteps, _ plan: Plan
  ) async throws(EngineError) {
    guard let queue = options.queue else { return }
    let run = earlier.start.run
    do {
      var runs = try await queue.repetitions(of: run)
      var blocking: (RunID, Int)?
      while let other = runs.popLast() {
        guard try await queue.result(of: other) != nil else { throw EngineError.isRepeated(run, by: other) }
        let step = carried.firstToRepeat(what: try await queue.snapshot(of: other).steps)
        if let step, blocking.map({ $0.0 < other }) ?? true { blocking = (other, step) }
        runs += try await queue.repetitions(of: other)
      }
      if let (other, step) = blocking { throw EngineError.isRepeated(run, by: other, step: plan.steps[step].id) }
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(run, error)
    }
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
    var request = request.repeating(earlier)
    request.trigger = RunStart.replayTrigger
    let start = plan.start(request, group: nil, at: time.now)
    return try await work(plan, start, nil, observer: observer, control: control, replayed: earlier)
  }

  /// Goes on with a replay; where the run that it replays is gone, it fails.
  func resumeReplay(
    _ plan: Plan, _ snapshot: RunSnapshot, observer: any RunObserver, control: RunControl
  ) async throws(EngineError) -> RunResult {
    let start = snapshot.start
    do {
      guard let queue = options.queue, let origin = start.origin, try await queue.result(of: origin) != nil else {
        return try await close(start.run, .failed, .originIsGone(start.origin))
      }
      let replayed = try await queue.snapshot(of: origin)
      return try await work(plan, start, snapshot, observer: observer, control: control, replayed: replayed)
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(start.run, error)
    }
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

extension RunStart {
  /// What starts a replay.
  public static let replayTrigger = "replay"

  /// Whether recorded results stand in it for everything that reaches outside.
  public var isReplay: Bool { trigger == Self.replayTrigger }
}

extension EngineError {
  fileprivate static func isNotTakenBack(_ start: RunStart, _ step: String) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(start.run) has not taken back all that step '\(step)' has done: see to the rest, then do it anew with "
          + "'sous retry \(start.run) --from \(step)'",
        de:
          "Lauf \(start.run) hat nicht alles zurückgenommen, was Schritt '\(step)' getan hat: den Rest in Ordnung "
          + "bringen, dann alles neu tun mit 'sous retry \(start.run) --from \(step)'"))
  }

  fileprivate static func mayHaveActed(_ start: RunStart, _ step: String) -> EngineError {
    EngineError(
      .runState,
      .init(
        "step '\(step)' of run \(start.run) did not succeed as a whole and may have left something behind, and what it "
          + "rests on is done anew: see to it, then do it anew with 'sous retry \(start.run) --from \(step)'",
        de:
          "Schritt '\(step)' von Lauf \(start.run) ist nicht ganz gelungen und hat vielleicht etwas hinterlassen, und "
          + "worauf er beruht, wird neu getan: das in Ordnung bringen, dann alles neu tun mit "
          + "'sous retry \(start.run) --from \(step)'"))
  }

  fileprivate static func isRepeated(_ run: RunID, by other: RunID) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(other) repeats run \(run) already and has not ended: 'sous resume \(other)' goes on with it, "
          + "'sous cancel \(other)' calls it off; 'sous show \(other)' tells where it stands",
        de:
          "Lauf \(other) wiederholt Lauf \(run) schon und ist nicht zu Ende: 'sous resume \(other)' macht damit weiter, "
          + "'sous cancel \(other)' bricht ihn ab; 'sous show \(other)' sagt, wo er steht"))
  }

  fileprivate static func isRepeated(_ run: RunID, by other: RunID, step: String) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(other) has repeated run \(run) and begun step '\(step)', which this would do once more: "
          + "'sous retry \(other)' goes on from there; 'sous retry \(run) --from \(step)' does it all the same",
        de:
          "Lauf \(other) hat Lauf \(run) wiederholt und Schritt '\(step)' begonnen, der so noch einmal getan würde: "
          + "'sous retry \(other)' macht dort weiter; 'sous retry \(run) --from \(step)' tut ihn trotzdem"))
  }

  fileprivate static func listDiffers(_ run: RunID, _ step: String) -> EngineError {
    EngineError(
      .planDiffers,
      .init(
        "the list of step '\(step)' is not the one that run \(run) went through, and nobody can say what was done of it: "
          + "'sous retry \(run) --from \(step)' does it anew as a whole",
        de:
          "die Liste von Schritt '\(step)' ist nicht die, die Lauf \(run) durchging, und niemand kann sagen, was davon "
          + "getan ist: 'sous retry \(run) --from \(step)' tut sie im Ganzen neu"))
  }

  fileprivate static func listUnknown(
    _ run: RunID, _ plan: Plan, _ step: Int?, _ cause: LocalizedText
  ) -> EngineError {
    let id = step.map { plan.steps[$0].id } ?? ""
    return EngineError(
      .planDiffers,
      LocalizedText(
        "what is done of the list of step '\(id)' in run \(run) cannot be found out; "
          + "'sous retry \(run) --from \(id)' does it anew as a whole: ",
        de: "was von der Liste von Schritt '\(id)' in Lauf \(run) getan ist, lässt sich nicht feststellen; "
          + "'sous retry \(run) --from \(id)' tut sie im Ganzen neu: ")
        + cause)
  }

  fileprivate static func isReplay(_ start: RunStart) -> EngineError {
    let origin = start.origin?.rawValue ?? ""
    return EngineError(
      .runState,
      .init(
        "run \(start.run) is a replay, which did nothing by itself: 'sous retry \(origin)' repeats the run that it replays",
        de: "Lauf \(start.run) ist eine Wiedergabe und hat selbst nichts getan: 'sous retry \(origin)' wiederholt den "
          + "Lauf, den er wiedergibt"))
  }
}

extension ActionFailure {
  fileprivate static func originIsGone(_ run: RunID?) -> ActionFailure {
    let name = run?.rawValue ?? "?"
    return ActionFailure(
      .notFound,
      .init(
        "nothing is recorded any more of run \(name), which was to be replayed",
        de: "von Lauf \(name), der wiedergegeben werden sollte, ist nichts mehr aufgezeichnet"))
  }
}
