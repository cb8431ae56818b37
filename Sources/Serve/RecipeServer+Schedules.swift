import Engine
import Expressions
import RunStore
import UseCases

extension RecipeServer {
  /// Schedules that are decided in one transaction: so few that others come to write in between.
  private static let batch = 250
  /// Seconds before a schedule is due for which its recipe is planned.
  private static let ahead = 5.0
  /// Recipes that are planned at once before they are due: so few that nothing waits for it.
  private static let aheadBatch = 32

  // MARK: - Which there are

  /// Takes over which schedules some recipes have now.
  func adoptSchedules(of paths: Set<String>, at now: Timestamp) async throws {
    // What cannot be seen or used for now goes on when it is back: its points since then are made up for, or missed.
    let known = paths.filter { servedRecipes.contains($0) ? servedRecipes.recipe($0) != nil : servedRecipes.isComplete }
      .sorted()
    var adoptions: [ScheduleAdoption] = []
    for path in known {
      let former = formers[path] ?? servedRecipes.takeFormer(of: path)
      // Kept until it is written: a transaction may fail.
      formers[path] = former
      if let former { await stopListening(to: former) }
      adoptions.append(
        ScheduleAdoption(
          path: path, schedules: (servedRecipes.recipe(path)?.schedules ?? []).map { record($0, path, at: now) },
          former: former
        )
      )
    }
    let records = try await store.adopt(adoptions)
    for path in known {
      if let former = formers.removeValue(forKey: path) { tell(.renamed(from: former, to: path)) }
    }
    guard isReady else { return }
    dueQueue.replace(of: paths, with: records.map { ($0.source, wake(of: $0, at: now)) })
  }

  /// A schedule as it begins.
  private func record(_ schedule: ServedRecipe.ServedSchedule, _ path: String, at now: Timestamp) -> ScheduleRecord {
    var record = ScheduleRecord(
      source: schedule.source, recipe: servedRecipes.name(of: path) ?? path, digest: "", cursor: now)
    record.nextDue = schedule.machine.point(after: now)
    return record
  }

  /// When a schedule is decided next that was just taken over: at once, unless the run log knows that its next point is to come.
  private func wake(of record: ScheduleRecord, at now: Timestamp) -> Timestamp? {
    guard record.cursor <= now, let served = servedRecipes.recipe(record.path)?.schedule(record.source), served.isSteady
    else {
      return now
    }
    guard let next = record.nextDue else { return nil }
    return next > now ? next.adding(seconds: served.machine.delay(of: record.source)) : now
  }

  /// Takes over all schedules that the run log knows, when the process begins.
  func fillDueQueue(at now: Timestamp) async throws {
    let wakes = try await store.scheduleWakes(at: now)
    var gone: Set<String> = []
    var known: [(source: String, wake: Timestamp?)] = []
    known.reserveCapacity(wakes.count)
    for wake in wakes {
      let path = DueQueue.path(of: wake.source)
      guard servedRecipes.isAsleep(path) || servedRecipes.recipe(path) != nil else {
        if !servedRecipes.contains(path) { gone.insert(path) }
        continue
      }
      // Where its points depend on other files, another one may be next.
      let isSteady = servedRecipes.recipe(path).map { $0.schedule(wake.source)?.isSteady ?? false } ?? true
      known.append((wake.source, isSteady ? wake.at.map { max($0, now) } : now))
    }
    dueQueue = DueQueue(known)
    // Another folder may come back whose recipes cannot be seen for now.
    guard servedRecipes.isComplete else { return }
    _ = try await store.adopt(gone.sorted().map { ScheduleAdoption(path: $0, schedules: []) })
  }

  // MARK: - What is due

  /// Plans recipes that are due soon.
  ///
  /// - Returns: Whether all of them are planned.
  func wakeAhead() -> Bool {
    let now = time.now
    let due = dueQueue.sources(before: now.adding(seconds: Self.ahead), limit: 8 * Self.batch)
    let paths = Set(due.map(DueQueue.path)).filter(servedRecipes.isAsleep)
    guard !paths.isEmpty else { return true }
    let changed = servedRecipes.wakeUp(
      Set(paths.prefix(Self.aheadBatch)), session.project, at: now, monotonic: time.monotonic)
    if !changed.isEmpty { readAgain(changed) }
    return paths.count <= Self.aheadBatch
  }

  /// Decides about the points that have come: the schedules that are due go into few transactions.
  func fireDue() async throws {
    while !session.drain.isSet {
      giveSign()
      let now = time.now
      let due = dueQueue.takeDue(at: now, limit: Self.batch)
      guard !due.isEmpty else { return }
      let paths = Set(due.map { DueQueue.path(of: $0.source) })
      let changed = servedRecipes.wakeUp(paths, session.project, at: now, monotonic: time.monotonic)
      if !changed.isEmpty { readAgain(changed) }
      do {
        let proposals = try await proposals(for: due, at: now)
        do {
          let results = proposals.isEmpty ? [] : try await store.fire(proposals.map(\.proposal.firing))
          for (proposed, result) in zip(proposals, results) { take(result, of: proposed, at: now) }
        } catch let error as any QueueError where error.fault == .ofRun {
          try await fireOneByOne(proposals, at: now)
        }
      } catch {
        // One that has been decided is due at its next point, which is found out again.
        for schedule in due { dueQueue.put(schedule, wake: now) }
        throw error
      }
    }
  }

  /// The firings to record for schedules that are due. Schedules without one return to the queue of due schedules.
  private func proposals(for due: [DueQueue.Due], at now: Timestamp) async throws -> [Proposed] {
    let records = try await store.schedules(named: due.map(\.source))
    var proposals: [Proposed] = []
    for schedule in due {
      let path = DueQueue.path(of: schedule.source)
      guard let record = records[schedule.source] else {
        dueQueue.remove(schedule)
        readAgain([path])
        continue
      }
      guard let recipe = recipe(path), let served = recipe.schedule(record.source) else {
        // Its file has changed, or has been found to be wrong: it is taken over anew before.
        dueQueue.put(schedule, wake: now.adding(seconds: 1))
        continue
      }
      let driver = ScheduleDriver(record, served.machine, served.overlap, pauseAfter: served.pauseAfter)
      let (proposal, wake) = driver.propose(isHeld: disabled.contains(path), at: now) {
        (point) throws(EngineError) in
        try session.start(of: recipe, served, at: point.at, isCaughtUp: point.isCaughtUp, now: now)
      }
      if let proposal {
        proposals.append(Proposed(schedule: schedule, driver: driver, proposal: proposal))
      } else {
        dueQueue.put(schedule, wake: wake)
      }
    }
    return proposals
  }

  /// Finds out which of some decisions the run log refuses; the others go on.
  private func fireOneByOne(_ proposals: [Proposed], at now: Timestamp) async throws {
    for proposed in proposals {
      do {
        guard let result = try await store.fire([proposed.proposal.firing]).first else { continue }
        take(result, of: proposed, at: now)
      } catch let error as any QueueError where error.fault == .ofRun {
        tell(.problem(path: DueQueue.path(of: proposed.schedule.source), UseCaseError(error).message))
        dueQueue.put(proposed.schedule, wake: now.adding(seconds: 60))
      }
    }
  }

  /// A decision about one of the schedules that are due.
  private struct Proposed {
    let schedule: DueQueue.Due
    var driver: ScheduleDriver
    let proposal: ScheduleDriver.Proposal
  }

  /// Takes over what the run log has made of a decision.
  private func take(_ result: FiringResult, of proposed: Proposed, at now: Timestamp) {
    var driver = proposed.driver
    let step = driver.take(result, of: proposed.proposal, at: now)
    let (path, name) = (DueQueue.path(of: proposed.schedule.source), driver.record.recipe)
    if step.isGone {
      dueQueue.remove(proposed.schedule)
      readAgain([path])
    } else {
      dueQueue.put(proposed.schedule, wake: step.wake)
    }
    for problem in step.problems { tell(.problem(path: path, problem)) }
    for passed in step.passed { tell(.passed(passed, recipe: name)) }
    for occurrence in step.occurrences { tell(.occurred(occurrence, recipe: name)) }
    if step.hasPaused { tell(.paused(driver.record)) }
  }
}
