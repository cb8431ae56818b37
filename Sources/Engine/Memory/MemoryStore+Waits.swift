public import Expressions
import Recipes
import Synchronization

extension MemoryStore {
  /// What has come for a wait; see `WaitAnswers`.
  public func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    let now = time.now
    return log.state.withLock { $0.answer(WaitPlace(run: run, step: step, item: item), at: now) }
  }

  /// Delivers an event; see `WaitDelivery`.
  @discardableResult
  public func deliver(event name: String, key: String, payload: Value) async throws -> RunID? {
    let now = time.now
    return log.state.withLock { state in
      // It comes after every run that has begun, whatever the clock says that was set back meanwhile.
      let latest = state.runs.values.map(\.start.at).max() ?? now
      state.events.append(.init(name: name, key: key, payload: payload, receivedAt: max(now, latest)))
      return state.give(state.events.count - 1, at: now)
    }
  }

  /// Makes a decision that a run waits for; see `WaitDelivery`.
  ///
  /// - Throws: ``MemoryStoreError``: `run_not_found`, `wait_not_found`, `wait_ambiguous`.
  public func decide(
    run: RunID, step: String?, item: Int?, approved: Bool, fields: Value, reason: String, by person: String
  ) async throws {
    let now = time.now
    try log.state.withLock { state in
      guard let found = state.runs[run] else { throw MemoryStoreError.notRecorded(run) }
      var open: [WaitPlace] = []
      for (position, candidate) in found.steps.enumerated() {
        for (index, unit) in candidate.units {
          guard let wait = unit.wait, wait.kind == .approval, unit.answer == nil, wait.until.map({ $0 > now }) ?? true,
            step == nil || step == found.start.steps[position].id, item == nil || item == wait.item
          else { continue }
          open.append(WaitPlace(run: run, step: position, item: index < 0 ? nil : index))
        }
      }
      guard let place = open.first else { throw MemoryStoreError.noDecision(run) }
      guard open.count == 1 else { throw MemoryStoreError.severalDecisions(run) }
      let answer: WaitAnswer =
        approved ? .approved(fields: fields, by: person) : .rejected(reason: reason, by: person)
      try state.runs[run]?.change(place.step, place.item) { $0.answer = (answer, now) }
      state.wake(run, at: now)
    }
  }

  /// The waits that have begun and not ended, oldest first; decisions for which it is too late are left out.
  ///
  /// - Parameters:
  ///   - run: Only those of this run; `nil` for all decisions that people are asked for.
  ///   - includesParts: Whether those of runs that the run's steps run belong to them.
  public func openWaits(of run: RunID?, includesParts: Bool) async throws -> [OpenWait] {
    let now = time.now
    return log.state.withLock { state in
      var found: [OpenWait] = []
      for candidate in state.sorted {
        guard run == nil || candidate.start.run == run || includesParts && state.isPart(candidate, of: run) else {
          continue
        }
        for wait in candidate.waits where run != nil || wait.kind == .approval {
          let place = WaitPlace(run: wait.run, step: wait.step, item: wait.item)
          let isAnswered = candidate.unit(place)?.answer != nil
          if run == nil, isAnswered { continue }
          if wait.kind == .approval, !isAnswered, wait.until.map({ $0 <= now }) ?? false { continue }
          found.append(
            OpenWait(
              recipe: candidate.start.recipe, step: candidate.start.steps[wait.step].id, wait: wait,
              isAnswered: isAnswered))
        }
      }
      return found.sorted { $0.wait.at < $1.wait.at }
    }
  }

  /// The events that no run has taken, oldest first; at most `limit`.
  public func keptEvents(limit: Int) async throws -> [KeptEvent] {
    log.state.withLock { state in
      state.events.filter { $0.taker == nil }.prefix(max(0, limit)).map {
        KeptEvent(name: $0.name, key: $0.key, receivedAt: $0.receivedAt)
      }
    }
  }
}

extension MemoryState {
  /// Whether a run belongs to another one, through steps that have begun it.
  func isPart(_ run: MemoryRun, of whole: RunID?) -> Bool {
    var parent = run.start.parent
    while let id = parent {
      if id == whole { return true }
      parent = runs[id]?.start.parent
    }
    return false
  }

  /// What has come for a wait before its time was up; an event that is free and fits is taken.
  mutating func answer(_ place: WaitPlace, at now: Timestamp) -> WaitAnswer? {
    guard let run = runs[place.run], let unit = run.unit(place), let wait = unit.wait else { return nil }
    if let answer = unit.answer {
      guard wait.until.map({ answer.at < $0 }) ?? true else { return nil }
      return answer.value
    }
    guard wait.kind == .event else { return nil }
    let found = events.firstIndex { event in
      event.taker == nil && event.name == wait.event && event.key == wait.key && event.receivedAt >= run.began
        && wait.until.map { event.receivedAt < $0 } ?? true
    }
    guard let found else { return nil }
    take(found, place, at: now)
    return .event(events[found].payload)
  }

  /// Gives an event that is free to the oldest wait that it fits.
  ///
  /// - Returns: The run that takes it.
  mutating func give(_ index: Int, at now: Timestamp) -> RunID? {
    let event = events[index]
    var best: (place: WaitPlace, at: Timestamp)?
    for run in sorted {
      for wait in run.waits where wait.kind == .event && wait.event == event.name && wait.key == event.key {
        let place = WaitPlace(run: run.start.run, step: wait.step, item: wait.item)
        guard run.unit(place)?.answer == nil, event.receivedAt >= run.began,
          wait.until.map({ $0 > min(event.receivedAt, now) }) ?? true,
          // Runs that are cancelled need none for what they leave undone.
          !(run.isCancelRequested && run.start.steps[wait.step].phase == .main),
          best.map({ wait.at < $0.at }) ?? true
        else { continue }
        best = (place, wait.at)
      }
    }
    guard let place = best?.place else { return nil }
    take(index, place, at: now)
    wake(place.run, at: now)
    return place.run
  }

  /// Frees the event that a wait was given and that was of no use to it, for the next wait that it fits.
  mutating func giveBack(_ place: WaitPlace, at now: Timestamp) {
    guard let unit = runs[place.run]?.unit(place), unit.output == nil, case .event? = unit.answer?.value else { return }
    try? runs[place.run]?.change(place.step, place.item) { $0.answer = nil }
    guard let index = events.firstIndex(where: { $0.taker == place }) else { return }
    events[index].taker = nil
    _ = give(index, at: now)
  }

  private mutating func take(_ index: Int, _ place: WaitPlace, at now: Timestamp) {
    events[index].taker = place
    let answer = (WaitAnswer.event(events[index].payload), min(events[index].receivedAt, now))
    try? runs[place.run]?.change(place.step, place.item) { $0.answer = answer }
  }
}

extension MemoryRun {
  /// What is known of the unit that waits.
  fileprivate func unit(_ place: WaitPlace) -> Unit? {
    steps.indices.contains(place.step) ? steps[place.step].units[place.item ?? -1] : nil
  }

  /// When it began, or joined the queue, whatever the clock did meanwhile: it can receive what came from then on.
  fileprivate var began: Timestamp { min(joinedAt, start.at) }
}
