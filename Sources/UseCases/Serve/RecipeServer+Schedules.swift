import CMalloc
import Engine
import Expressions
import Recipes
import RunStore

extension RecipeServer {
  /// Schedules that are decided in one transaction: so few that others come to write in between.
  private static let batch = 250

  /// Takes over which schedules there are.
  func adoptSchedules(at now: Timestamp) async throws {
    var wanted: [(served: ServedRecipe.ServedSchedule, path: String, name: String, position: Int)] = []
    for recipe in shelf.recipes {
      wanted += recipe.schedules.enumerated().map { ($0.element, recipe.path, recipe.plan.name, $0.offset) }
    }
    // Another folder may come back whose recipes cannot be seen for now.
    if shelf.isComplete { try await store.retireSchedules(except: Set(wanted.map(\.served.source))) }
    let records = try await store.begin(
      wanted.map { ScheduleRecord(source: $0.served.source, recipe: $0.name, digest: "", cursor: now) })
    let known = board
    board = ScheduleBoard(
      zip(wanted, records).map { wanted, record in
        let before = known[record.source]
        let kept = ScheduleBoard.Kept(
          record.sharing(wanted.served.source, wanted.name), path: wanted.path, position: wanted.position)
        return (kept, before?.record == record ? before?.wake : wake(of: kept, at: now))
      })
    // What was read and compared is as much again as what stays.
    if wanted.count > 1000 { malloc_trim(0) }
  }

  /// When a schedule is decided next that was just taken over: at once, unless the run log knows that its next point is to come.
  private func wake(of kept: ScheduleBoard.Kept, at now: Timestamp) -> Timestamp {
    guard let next = kept.record.nextDue, next > now, kept.record.cursor <= now, let served = served(kept),
      served.isSteady
    else { return now }
    return next.adding(seconds: served.machine.delay(of: kept.record.source))
  }

  /// What a schedule is, as its recipe says.
  private func served(_ kept: ScheduleBoard.Kept) -> ServedRecipe.ServedSchedule? {
    let schedules = recipe(kept.path)?.schedules ?? []
    let position = Int(kept.position)
    return schedules.indices.contains(position) && schedules[position].source == kept.record.source
      ? schedules[position] : nil
  }

  /// Decides about the points that have come: the schedules that are due go into few transactions.
  func fireDue() async throws {
    while !session.drain.isSet {
      giveSign()
      let now = time.now
      var due = board.takeDue(at: now, limit: Self.batch)
      guard !due.isEmpty else { return }
      var proposals: [Proposed] = []
      for (position, kept) in due.enumerated() {
        guard let recipe = recipe(kept.path), let served = served(kept) else { continue }
        let driver = ScheduleDriver(kept.record, served.machine, served.overlap, pauseAfter: served.pauseAfter)
        let (proposal, wake) = driver.propose(isHeld: disabled.contains(kept.path), at: now) {
          (point) throws(EngineError) in
          try session.start(of: recipe, served, at: point.at, isCaughtUp: point.isCaughtUp, now: now)
        }
        if let proposal {
          proposals.append(Proposed(schedule: position, driver: driver, proposal: proposal))
        } else {
          board.put(kept, wake: wake)
        }
      }
      do {
        let results = proposals.isEmpty ? [] : try await store.fire(proposals.map(\.proposal.firing))
        for (proposed, result) in zip(proposals, results) {
          take(result, of: proposed, &due[proposed.schedule], at: now)
        }
      } catch let error as any QueueError where error.fault == .ofRun {
        try await fireOneByOne(proposals, &due, at: now)
      } catch {
        for proposed in proposals { board.put(due[proposed.schedule], wake: now) }
        throw error
      }
    }
  }

  /// Finds out which of some decisions the run log refuses; the others go on.
  private func fireOneByOne(
    _ proposals: [Proposed], _ due: inout [ScheduleBoard.Kept], at now: Timestamp
  ) async throws {
    for (number, proposed) in proposals.enumerated() {
      do {
        guard let result = try await store.fire([proposed.proposal.firing]).first else { continue }
        take(result, of: proposed, &due[proposed.schedule], at: now)
      } catch let error as any QueueError where error.fault == .ofRun {
        tell(.problem(path: due[proposed.schedule].path, UseCaseError(error).message))
        board.put(due[proposed.schedule], wake: now.adding(seconds: 60))
      } catch {
        for left in proposals[number...] { board.put(due[left.schedule], wake: now) }
        throw error
      }
    }
  }

  /// A decision about one of the schedules that are due.
  private struct Proposed {
    let schedule: Int
    var driver: ScheduleDriver
    let proposal: ScheduleDriver.Proposal
  }

  /// Takes over what the run log has made of a decision.
  private func take(
    _ result: FiringResult, of proposed: Proposed, _ kept: inout ScheduleBoard.Kept, at now: Timestamp
  ) {
    var driver = proposed.driver
    let step = driver.take(result, of: proposed.proposal, at: now)
    let (source, name) = (kept.record.source, kept.record.recipe)
    if step.isGone {
      board.remove(source)
      lookSoon()
    } else {
      kept.record = driver.record.sharing(source, name)
      board.put(kept, wake: step.wake)
    }
    for problem in step.problems { tell(.problem(path: kept.path, problem)) }
    for passed in step.passed { tell(.passed(passed, recipe: name)) }
    for occurrence in step.occurrences { tell(.occurred(occurrence, recipe: name)) }
    if step.hasPaused { tell(.paused(kept.record)) }
  }
}

extension Session {
  /// The run of a point of a schedule: the same one whoever begins it.
  func start(
    of recipe: ServedRecipe, _ served: ServedRecipe.ServedSchedule, at point: Timestamp, isCaughtUp: Bool,
    now: Timestamp
  ) throws(EngineError) -> RunStart {
    var facts: ValueMap = [
      "type": "schedule", "at": .string(point.adding(seconds: served.lead).rfc3339),
      "late_seconds": .double(max(0, now.seconds(since: point))), "caught_up": .bool(isCaughtUp),
    ]
    if served.lead > 0 { facts["lead_seconds"] = .double(served.lead) }
    let event = Value.map(facts)
    var inputs = recipe.defaults
    if let position = served.trigger, recipe.scheduleTriggers.indices.contains(position) {
      inputs = try recipe.plan.inputs(of: recipe.scheduleTriggers[position], event: event, at: now) ?? inputs
    }
    let request = RunRequest(
      id: RunID(at: point, of: "\(served.source)\n\(point.rfc3339Milliseconds)"), inputs: inputs, trigger: "schedule",
      event: event)
    return try runner.start(of: recipe.plan, request)
  }
}

extension ScheduleRecord {
  /// The record with texts that are there already: of a hundred thousand, each is kept once.
  fileprivate func sharing(_ source: String, _ recipe: String) -> ScheduleRecord {
    var record = self
    if record.source == source { record.source = source }
    if record.recipe == recipe { record.recipe = recipe }
    return record
  }
}
