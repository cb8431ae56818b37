import Expressions
import Localization
public import Plans

extension RunEngine {
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
    observer: any RunObserver = SilentObserver(), control: CancelToken = CancelToken()
  ) async throws(EngineError) -> RunResult {
    var repetition = try await repetition(of: earlier, plan, from: step, request)
    do {
      try await record(repetition, after: [])
    } catch {
      guard QueueFault(error) == .ofRun else { throw error }
      // Another run has begun to repeat the earlier one meanwhile: whether this one is still to be is found out anew.
      repetition = try await self.repetition(of: earlier, plan, from: step, request)
      try await record(repetition, after: [])
    }
    return try await work(on: repetition, observer: observer, control: control)
  }

  /// A run that repeats another one, before anything of it is recorded.
  struct Repetition: Sendable {
    let plan: Plan
    let start: RunStart
    fileprivate let snapshot: RunSnapshot
    fileprivate let entries: [JournalEntry]
  }

  /// Finds out how a run is repeated, and whether it can be.
  ///
  /// - Parameters:
  ///   - original: The plan of the earlier run; `nil` where it is this one, or is yet to be made.
  ///   - whole: The run that can be repeated, and its step, where the earlier one is a part of it.
  func repetition(
    of earlier: RunSnapshot, _ plan: Plan, from step: Int?, _ request: RunRequest, original: Plan? = nil,
    within whole: (run: RunID, step: String)? = nil
  ) async throws(EngineError) -> Repetition {
    guard plan.steps.map(\.id) == earlier.start.steps.map(\.id) else { throw .planDiffers(earlier.start) }
    guard !earlier.start.isReplay else { throw .isReplay(earlier.start) }
    let request = request.repeating(earlier)
    var start = start(plan, request, group: try group(of: plan, request))
    start.isQueued = start.group != nil
    start.isAttended = start.isQueued
    var carried = ReusedResults(earlier.steps, plan.steps, from: step)
    let place = { (step: Int) in RepeatedPlace(earlier.start.run, plan.steps[step].id, whole) }
    switch carried.obstacle {
    case .notTakenBack(let step): throw .isNotTakenBack(place(step))
    case .mayHaveActed(let step): throw .mayHaveActed(place(step))
    case .inDoubt(let step): throw .isInDoubt(place(step))
    case .hasActed(let step): throw .hasActed(place(step))
    case nil: break
    }
    if step == nil, plan.findsItsWork(after: earlier.steps) {
      carried = ReusedResults(earlier.steps, plan.steps, from: nil, isWhole: true)
    }
    if start.parent == nil { start.knownRepetitions = try await requireNewest(earlier, carried, plan) }
    if let first = carried.loops.first {
      do throws(ListTrouble) {
        try await fit(&carried, plan, start, earlier, original)
      } catch {
        switch error {
        case .differs(let step): throw .listDiffers(place(step))
        case .unknown(let reason): throw .listUnknown(place(first), reason)
        case .journal(let cause): throw .journal(start.run, cause)
        }
      }
    }
    let (snapshot, entries) = carried.begin(start, origin: earlier.start.run)
    return Repetition(plan: plan, start: start, snapshot: snapshot, entries: entries)
  }

  /// Begins a run that repeats another one.
  ///
  /// - Parameter before: Entries of another run that are written together with the new run's beginning.
  func begin(
    _ repetition: Repetition, after before: [JournalEntry], observer: any RunObserver, control: CancelToken
  ) async throws(EngineError) -> RunResult {
    try await record(repetition, after: before)
    return try await work(on: repetition, observer: observer, control: control)
  }

  private func record(_ repetition: Repetition, after before: [JournalEntry]) async throws(EngineError) {
    do {
      try await queue.record(before + repetition.entries, durability: .synced)
    } catch {
      throw .journal(repetition.start.run, error)
    }
  }

  /// Works on a run that repeats another one, now that its beginning is recorded.
  private func work(
    on repetition: Repetition, observer: any RunObserver, control: CancelToken
  ) async throws(EngineError) -> RunResult {
    let (plan, start) = (repetition.plan, repetition.start)
    if start.isQueued {
      // Whoever waits for a child sees to its turn.
      guard start.parent == nil else {
        return RunResult(id: start.run, status: .queued, outputs: .map([:]), failure: nil)
      }
      return try await RunClaimLoop(self, observer: observer, control: control).takeTurn(plan, start.run)
    }
    observer.observe(.journal(.runStarted(start)))
    return try await work(
      plan, start, repetition.snapshot, observer: observer, control: control, replayed: nil)
  }

  private enum ListTrouble: Error {
    case differs(step: Int)
    case unknown(LocalizedText)
    case journal(any Error)
  }

  /// Gives the items of loops what belongs to them, where the lists may be others than those of the earlier run.
  private func fit(
    _ carried: inout ReusedResults, _ plan: Plan, _ start: RunStart, _ earlier: RunSnapshot, _ original: Plan?
  ) async throws(ListTrouble) {
    let step: Int?
    do {
      var original = original
      if original == nil, plan.fingerprint != earlier.start.fingerprint, let plans = options.plans {
        original = try await plans.plan(ofPart: earlier.start, in: queue)
      }
      let before = try LoopLists(original ?? plan, earlier)
      let lists = try LoopLists(plan, carried.begin(start, origin: earlier.start.run).0)
      step = carried.fit(lists, before: before)
    } catch let error as ActionFailure {
      throw .unknown(error.message)
    } catch let error as ExpressionError {
      throw .unknown(error.message)
    } catch {
      throw .journal(error)
    }
    if let step { throw .differs(step: step) }
  }

  /// Makes sure that no other run has repeated the earlier one already and continued from there, or from one that the earlier
  /// one repeats itself: it knows more.
  ///
  /// - Returns: The runs that have repeated it, and have all ended.
  private func requireNewest(
    _ earlier: RunSnapshot, _ carried: ReusedResults, _ plan: Plan
  ) async throws(EngineError) -> Set<RunID> {
    let run = earlier.start.run
    do {
      var runs = try await queue.repetitions(of: run)
      var seen: Set<RunID> = [run]
      var above = earlier.start.origin
      while let origin = above, try await queue.result(of: origin) != nil, seen.insert(origin).inserted {
        runs = try await queue.repetitions(of: origin) + runs
        above = try await queue.snapshot(of: origin).start.origin
      }
      var known: Set<RunID> = []
      var blocking: (RunID, Int)?
      // Also those that may have begun before the earlier run: clocks differ, so that nobody can tell for sure.
      while let other = runs.popLast() {
        guard seen.insert(other).inserted else { continue }
        known.insert(other)
        runs += try await queue.repetitions(of: other)
        guard try await queue.result(of: other) != nil else { throw EngineError.isRepeated(run, by: other) }
        let step = carried.firstToRepeat(what: try await queue.snapshot(of: other).steps)
        if let step, blocking.map({ $0.0 < other }) ?? true { blocking = (other, step) }
      }
      if let (other, step) = blocking { throw EngineError.isRepeated(run, by: other, step: plan.steps[step].id) }
      return known
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
    control: CancelToken = CancelToken()
  ) async throws(EngineError) -> RunResult {
    guard plan.steps.map(\.id) == earlier.start.steps.map(\.id) else { throw .planDiffers(earlier.start) }
    var request = request.repeating(earlier)
    request.trigger = RunStart.replayTrigger
    let start = start(plan, request, group: nil)
    return try await work(plan, start, nil, observer: observer, control: control, replayed: earlier)
  }

  /// Goes on with a replay; where the run that it replays is gone, it fails.
  func resumeReplay(
    _ plan: Plan, _ snapshot: RunSnapshot, observer: any RunObserver, control: CancelToken
  ) async throws(EngineError) -> RunResult {
    let start = snapshot.start
    do {
      guard let origin = start.origin, try await queue.result(of: origin) != nil else {
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

/// A step of a run that is to be repeated, and what does it anew.
private struct RepeatedPlace {
  let origin: RunID
  let step: String
  /// What to type.
  let command: String

  init(_ origin: RunID, _ step: String, _ whole: (run: RunID, step: String)?) {
    self.origin = origin
    self.step = step
    command = "sous retry \(whole?.run ?? origin) --from \(whole?.step ?? step)"
  }
}

extension EngineError {
  fileprivate static func isNotTakenBack(_ place: RepeatedPlace) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(place.origin) has not undone all that step '\(place.step)' has done: settle the rest by hand, then run it again "
          + "with '\(place.command)'",
        de:
          "Lauf \(place.origin) hat nicht alles zurückgenommen, was Schritt '\(place.step)' getan hat: den Rest in "
          + "Ordnung bringen, dann alles neu tun mit '\(place.command)'"))
  }

  fileprivate static func mayHaveActed(_ place: RepeatedPlace) -> EngineError {
    EngineError(
      .runState,
      .init(
        "step '\(place.step)' of run \(place.origin) did not succeed as a whole and may have left something behind, and "
          + "what it rests on is done again: settle it by hand, then run it again with '\(place.command)'",
        de:
          "Schritt '\(place.step)' von Lauf \(place.origin) ist nicht ganz gelungen und hat vielleicht etwas "
          + "hinterlassen, und worauf er beruht, wird neu getan: das in Ordnung bringen, dann alles neu tun mit "
          + "'\(place.command)'"))
  }

  fileprivate static func hasActed(_ place: RepeatedPlace) -> EngineError {
    EngineError(
      .runState,
      .init(
        "step '\(place.step)' of run \(place.origin) has done its work; only its output could not be used. A retry would do "
          + "the work twice: to retry it anyway, run '\(place.command)'",
        de: "Schritt '\(place.step)' von Lauf \(place.origin) hat seine Arbeit getan, nur seine Ausgabe war nicht "
          + "brauchbar. Eine Wiederholung täte die Arbeit zweimal; '\(place.command)' wiederholt ihn trotzdem"))
  }

  fileprivate static func isInDoubt(_ place: RepeatedPlace) -> EngineError {
    EngineError(
      .runState,
      .init(
        "it is not known whether step '\(place.step)' of run \(place.origin) took effect: settle that first, with "
          + "'sous answer settle \(place.origin)' where it lists it; '\(place.command)' does it anew",
        de:
          "ob Schritt '\(place.step)' von Lauf \(place.origin) gewirkt hat, ist ungewiss: das zuerst klären, mit "
          + "'sous answer settle \(place.origin)', wo es ihn nennt; '\(place.command)' tut ihn neu"))
  }

  fileprivate static func isRepeated(_ run: RunID, by other: RunID) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(other) repeats run \(run) already and has not ended: 'sous resume \(other)' resumes it, "
          + "'sous cancel \(other)' calls it off; 'sous show \(other)' tells where it stands",
        de:
          "Lauf \(other) wiederholt Lauf \(run) schon und ist nicht zu Ende: 'sous resume \(other)' macht damit weiter, "
          + "'sous cancel \(other)' bricht ihn ab; 'sous show \(other)' sagt, wo er steht"))
  }

  fileprivate static func isRepeated(_ run: RunID, by other: RunID, step: String) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(other) repeats run \(run), or one that it repeats, and has begun step '\(step)', which this would do once "
          + "more: 'sous retry \(other)' goes on from there; 'sous retry \(run) --from \(step)' does it all the same",
        de:
          "Lauf \(other) wiederholt Lauf \(run), oder einen, den dieser wiederholt, und hat Schritt '\(step)' begonnen, "
          + "der so noch einmal getan würde: 'sous retry \(other)' macht dort weiter; "
          + "'sous retry \(run) --from \(step)' tut ihn trotzdem"))
  }

  fileprivate static func listDiffers(_ place: RepeatedPlace) -> EngineError {
    EngineError(
      .planDiffers,
      .init(
        "the list of step '\(place.step)' is not the one that run \(place.origin) went through, and nobody can say what "
          + "was done of it: '\(place.command)' does it anew as a whole",
        de:
          "die Liste von Schritt '\(place.step)' ist nicht die, die Lauf \(place.origin) durchging, und niemand kann "
          + "sagen, was davon getan ist: '\(place.command)' tut sie im Ganzen neu"))
  }

  fileprivate static func listUnknown(_ place: RepeatedPlace, _ cause: LocalizedText) -> EngineError {
    EngineError(
      .planDiffers,
      LocalizedText(
        "what is done of the list of step '\(place.step)' in run \(place.origin) cannot be found out; "
          + "'\(place.command)' does it anew as a whole: ",
        de: "was von der Liste von Schritt '\(place.step)' in Lauf \(place.origin) getan ist, lässt sich nicht "
          + "feststellen; '\(place.command)' tut sie im Ganzen neu: ")
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

extension Plan {
  /// Whether a run looks itself for what an earlier one has left undone, so that a repetition begins from the beginning.
  ///
  /// A mail filter whose `mail.result` failed has come to its end: its other steps go on after a failure, so none of them counts as
  /// failed. It remembers per message what it has done, and other filters may have moved the messages since.
  fileprivate func findsItsWork(after earlier: [StepSnapshot]) -> Bool {
    zip(steps, earlier).contains { step, state in
      step.action.name == ActionSignature.filterResult.name && state.status == .failed
    }
  }
}
