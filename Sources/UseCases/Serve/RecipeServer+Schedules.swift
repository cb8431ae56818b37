import Engine
import Expressions
import Recipes
import RunStore

extension RecipeServer {
  /// Schedules that are decided in one transaction: so few that others come to write in between.
  private static let batch = 250

  /// Takes over which schedules there are.
  func adoptSchedules(at now: Timestamp) async throws {
    var wanted: [(served: ServedRecipe.ServedSchedule, recipe: ServedRecipe)] = []
    for recipe in shelf.recipes { wanted += recipe.schedules.map { ($0, recipe) } }
    // Another folder may come back whose recipes cannot be seen for now.
    if shelf.isComplete { try await store.retireSchedules(except: Set(wanted.map(\.served.source))) }
    let records = try await store.begin(
      wanted.map { served, recipe in
        ScheduleRecord(source: served.source, recipe: recipe.plan.name, digest: "", cursor: now)
      })
    let known = board
    board = ScheduleBoard(
      zip(wanted, records).map { wanted, record in
        let before = known[record.source]
        let isSame = before?.driver.record == record
        let kept = ScheduleBoard.Kept(
          driver: ScheduleDriver(
            record, wanted.served.machine, wanted.served.overlap, pauseAfter: wanted.served.pauseAfter),
          path: wanted.recipe.path, trigger: wanted.served.trigger, lead: wanted.served.lead)
        return (kept, isSame ? before?.wake : now)
      })
  }

  /// Decides about the points that have come: the schedules that are due go into few transactions.
  func fireDue() async throws {
    while !session.drain.isSet {
      giveSign()
      let now = time.now
      var due = board.takeDue(at: now, limit: Self.batch)
      guard !due.isEmpty else { return }
      var proposals: [(schedule: Int, proposal: ScheduleDriver.Proposal)] = []
      for (position, kept) in due.enumerated() {
        guard let recipe = recipe(kept.path) else { continue }
        let (proposal, wake) = kept.driver.propose(isHeld: disabled.contains(kept.path), at: now) {
          (point) throws(EngineError) in try start(of: recipe, point, kept, at: now)
        }
        if let proposal { proposals.append((position, proposal)) } else { board.put(kept, wake: wake) }
      }
      do {
        let results = try await store.fire(proposals.map(\.proposal.firing))
        for ((position, proposal), result) in zip(proposals, results) { take(result, of: proposal, &due[position], at: now) }
      } catch let error as any QueueError where error.fault == .ofRun {
        try await fireOneByOne(proposals, &due, at: now)
      } catch {
        for (position, _) in proposals { board.put(due[position], wake: now) }
        throw error
      }
    }
  }

  /// Finds out which of some decisions the run log refuses; the others go on.
  private func fireOneByOne(
    _ proposals: [(schedule: Int, proposal: ScheduleDriver.Proposal)], _ due: inout [ScheduleBoard.Kept],
    at now: Timestamp
  ) async throws {
    for (number, (position, proposal)) in proposals.enumerated() {
      do {
        guard let result = try await store.fire([proposal.firing]).first else { continue }
        take(result, of: proposal, &due[position], at: now)
      } catch let error as any QueueError where error.fault == .ofRun {
        tell(.problem(path: due[position].path, UseCaseError(error).message))
        board.put(due[position], wake: now.adding(seconds: 60))
      } catch {
        for (position, _) in proposals[number...] { board.put(due[position], wake: now) }
        throw error
      }
    }
  }

  /// Takes over what the run log has made of a decision.
  private func take(
    _ result: FiringResult, of proposal: ScheduleDriver.Proposal, _ kept: inout ScheduleBoard.Kept, at now: Timestamp
  ) {
    let step = kept.driver.take(result, of: proposal, at: now)
    let name = kept.driver.record.recipe
    if step.isGone {
      board.remove(kept.driver.record.source)
      lookSoon()
    } else {
      board.put(kept, wake: step.wake)
    }
    for problem in step.problems { tell(.problem(path: kept.path, problem)) }
    for passed in step.passed { tell(.passed(passed, recipe: name)) }
    for occurrence in step.occurrences { tell(.occurred(occurrence, recipe: name)) }
    if step.hasPaused { tell(.paused(kept.driver.record)) }
  }

  private func start(
    of recipe: ServedRecipe, _ point: ScheduleMachine.Decision.Point, _ kept: ScheduleBoard.Kept, at now: Timestamp
  ) throws(EngineError) -> RunStart {
    let source = kept.driver.record.source
    var facts: ValueMap = [
      "type": "schedule", "at": .string(point.at.adding(seconds: kept.lead).rfc3339),
      "late_seconds": .double(max(0, now.seconds(since: point.at))),
      "caught_up": .bool(point.isCaughtUp),
    ]
    if kept.lead > 0 { facts["lead_seconds"] = .double(kept.lead) }
    let event = Value.map(facts)
    var inputs = recipe.defaults
    if let position = kept.trigger, recipe.scheduleTriggers.indices.contains(position) {
      inputs = try recipe.plan.inputs(of: recipe.scheduleTriggers[position], event: event, at: now) ?? inputs
    }
    let request = RunRequest(
      id: RunID(at: point.at, of: "\(source)\n\(point.at.rfc3339Milliseconds)"), inputs: inputs, trigger: "schedule",
      event: event)
    return try session.runner.start(of: recipe.plan, request)
  }
}
