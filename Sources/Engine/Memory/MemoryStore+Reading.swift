public import Expressions
import Recipes
import Synchronization

extension MemoryStore: RunLogReader {
  /// The run that a person means; see `RunLogReader`.
  public func resolve(_ reference: String) async throws -> RunID {
    try log.state.withLock { try $0.resolve(reference) }
  }

  /// The runs that fit a filter, newest first; see `RunLogReader`.
  ///
  /// - Throws: ``MemoryStoreError`` with code `unsupported` where the filter has words: there is no index.
  public func runs(_ filter: RunFilter) async throws -> [RunSummary] {
    guard filter.words == nil else { throw MemoryStoreError.unsupported }
    return log.state.withLock { state in
      let all = state.runs.values.filter { run in
        !filter.isMail || run.start.steps.contains { $0.action == ActionSignature.outboxTurn.name }
      }
      let found = all.map { state.summary($0) }.filter { run in
        (filter.statuses.isEmpty || filter.statuses.contains(run.status))
          && filter.recipe.map { $0 == run.recipe } ?? true && filter.since.map { $0 <= run.startedAt } ?? true
          && filter.until.map { run.startedAt < $0 } ?? true
      }
      return Array(found.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }.prefix(max(1, filter.limit)))
    }
  }

  /// The runs that fit a filter, newest first, all at once.
  public func forEachPage(of filter: RunFilter, _ body: ([RunSummary]) throws -> Void) async throws {
    try body(try await runs(filter))
  }

  /// Everything about one run; see `RunLogReader`.
  public func run(_ reference: String, limit: Int) async throws -> RunRecord {
    let now = time.now
    return try log.state.withLock { state in
      let id = try state.resolve(reference)
      guard let run = state.runs[id] else { throw MemoryStoreError.notRecorded(id) }
      return RunRecord(
        summary: state.summary(run), inputs: run.start.inputs, outputs: run.end?.outputs ?? .null,
        steps: run.steps.indices.map { run.record(ofStep: $0, limit: max(0, limit)) },
        waits: run.openWaits(at: now), children: state.children(of: id))
    }
  }

  /// Makes sure that a run has a step of this name; see `RunLogReader`.
  public func requireStep(_ step: String, of run: RunID) async throws {
    try log.state.withLock { state in
      guard let found = state.runs[run] else { throw MemoryStoreError.notRecorded(run) }
      guard found.start.steps.contains(where: { $0.id == step }) else { throw MemoryStoreError.noStep(step, of: run) }
    }
  }

  /// The final output of a step, or of one item of it; see `RunLogReader`.
  public func output(of run: RunID, step: String, item: Int?) async throws -> Value {
    try log.state.withLock { state in
      guard let found = state.runs[run] else { throw MemoryStoreError.notRecorded(run) }
      guard let position = found.start.steps.firstIndex(where: { $0.id == step }) else {
        throw MemoryStoreError.noStep(step, of: run)
      }
      let units = found.steps[position].units
      if let output = units[item ?? -1]?.output { return output }
      guard item == nil, found.steps[position].snapshot.itemCount != nil, found.steps[position].end != nil else {
        throw MemoryStoreError.noOutput(of: step, of: run)
      }
      return .list(units.sorted { $0.key < $1.key }.compactMap(\.value.output))
    }
  }

  /// Lines of the log that fit a filter; see `RunLogReader`.
  public func logs(_ filter: LogFilter, after id: Int64, limit: Int) async throws -> [LogRecord] {
    Array(try lines(filter).filter { $0.id > id }.prefix(max(0, limit)))
  }

  /// The line after which only so many lines follow; see `RunLogReader`.
  public func lastLines(_ count: Int, of filter: LogFilter) async throws -> Int64 {
    let lines = try lines(filter)
    return lines.count > max(1, count) ? lines[lines.count - max(1, count) - 1].id : 0
  }

  private func lines(_ filter: LogFilter) throws -> [LogRecord] {
    guard filter.words == nil, filter.runs.words == nil else { throw MemoryStoreError.unsupported }
    return log.state.withLock { state in
      var found: [LogRecord] = []
      for run in state.runs.values where filter.run.map({ $0 == run.start.run }) ?? true {
        let statuses = filter.runs.statuses
        guard statuses.isEmpty || statuses.contains(state.status(of: run)),
          filter.runs.recipe.map({ $0 == run.start.recipe }) ?? true
        else { continue }
        found += run.lines.map { run.record(of: $0.line, id: $0.id) }
      }
      return found.filter { line in
        line.level >= filter.minimumLevel && filter.step.map { $0 == line.step } ?? true
          && filter.since.map { $0 <= line.at } ?? true && filter.until.map { line.at < $0 } ?? true
      }.sorted { $0.id < $1.id }
    }
  }

  /// The waits for events that have begun and not ended, oldest first.
  public func eventWaits() async throws -> [OpenWait] {
    let now = time.now
    return log.state.withLock { state in
      state.sorted.flatMap { $0.openWaits(at: now) }.filter { $0.wait.kind == .event && !$0.isAnswered }
        .sorted { $0.wait.at < $1.wait.at }
    }
  }

  /// The attempts over which runs need attention; see `RunLogReader`.
  public func doubts(of run: RunID?) async throws -> [Doubt] {
    log.state.withLock { state in
      state.sorted.filter { found in
        run.map { $0 == found.start.run || state.isPart(found, of: $0) } ?? (found.status == .needsAttention)
      }.flatMap(\.doubts)
    }
  }

  /// How many runs are queued, and a run that the first of them waits for; see `RunLogReader`.
  public func queuedRuns() async throws -> (count: Int, behind: RunID?) {
    log.state.withLock { state in
      let queued = state.sorted.filter { $0.status == .queued && $0.start.parent == nil }
      return (queued.count, queued.compactMap { state.holder(of: $0) }.first)
    }
  }

  /// Whether there is a run that has not ended.
  public func hasOpenRuns() async throws -> Bool {
    log.state.withLock { $0.runs.values.contains { !$0.status.isFinal } }
  }

  /// The circuit breakers as they were last recorded.
  public func breakers() async throws -> [BreakerRecord] {
    log.state.withLock { $0.breakers.values.sorted { $0.provider < $1.provider } }
  }

  /// Refused: a log in memory keeps no statistics.
  public func statistics(_ filter: RunFilter, prices: RecipeStatistics.Prices) async throws -> [RecipeStatistics] {
    throw MemoryStoreError.unsupported
  }

  /// Refused: a log in memory cannot be searched.
  public func searchWithoutIndex(_ words: SearchWords) async throws { throw MemoryStoreError.unsupported }

  /// Refused: a log in memory is not exported.
  @discardableResult
  public func export(
    _ format: ExportFormat, _ filter: RunFilter, version: String, to sink: ([UInt8]) throws -> Void
  ) async throws -> Int {
    throw MemoryStoreError.unsupported
  }
}

extension MemoryState {
  fileprivate func resolve(_ reference: String) throws -> RunID {
    if reference.lowercased() == "last" {
      let whole = runs.values.map(\.start).filter { $0.parent == nil }
      guard let newest = whole.max(by: { ($0.at, $0.run) < ($1.at, $1.run) }) else {
        throw MemoryStoreError.notRecorded(RunID(rawValue: reference))
      }
      return newest.run
    }
    let exact = RunID(rawValue: reference)
    if runs[exact] != nil { return exact }
    let prefix = reference.uppercased()
    let found = runs.keys.filter { !prefix.isEmpty && $0.rawValue.hasPrefix(prefix) }
    guard let run = found.first else { throw MemoryStoreError.notRecorded(exact) }
    guard found.count == 1 else { throw MemoryStoreError.ambiguous(reference) }
    return run
  }

  fileprivate func summary(_ run: MemoryRun) -> RunSummary {
    let attempts = run.steps.flatMap { $0.units.values.flatMap(\.attempts) }
    let statuses = run.steps.map(\.snapshot.status)
    let status = status(of: run)
    let isBehind = run.status == .queued || run.status == .interrupted
    return RunSummary(
      id: run.start.run, recipe: run.start.recipe, path: run.start.path, fingerprint: run.start.fingerprint,
      trigger: run.start.trigger, status: status, isProcessGone: status != run.status, startedAt: run.start.at,
      endedAt: run.end?.at, duration: run.end.map { max(0, $0.at.seconds(since: run.start.at)) },
      stepCount: run.steps.count, stepsSucceeded: statuses.count { $0 == .succeeded },
      stepsFailed: statuses.count { $0 == .failed }, stepsSkipped: statuses.count { $0 == .skipped },
      attemptCount: attempts.count, retryCount: attempts.count { $0.start.number > 1 },
      failure: run.end?.failure, parent: run.start.parent, origin: run.start.origin,
      dueAt: run.due, priority: run.start.priority, group: run.start.group,
      behind: isBehind ? (run.status == .queued ? holder(of: run) : colleague(of: run)) : nil,
      isCancelRequested: run.isCancelRequested)
  }

  fileprivate func children(of parent: RunID) -> [RunRecord.Child] {
    sorted.filter { $0.start.parent == parent }.map { child in
      let place = runs[parent]?.place(ofAttemptWithKey: child.start.run.rawValue)
      return RunRecord.Child(
        id: child.start.run, recipe: child.start.recipe, status: child.status, step: place?.step, item: place?.item)
    }
  }
}

extension MemoryRun {
  fileprivate func openWaits(at now: Timestamp) -> [OpenWait] {
    waits.compactMap { wait in
      let isAnswered = steps[wait.step].units[wait.item ?? -1]?.answer != nil
      return OpenWait(
        recipe: start.recipe, step: start.steps[wait.step].id, wait: wait, isAnswered: isAnswered)
    }.sorted { $0.wait.at < $1.wait.at }
  }

  fileprivate var doubts: [Doubt] {
    var found: [Doubt] = []
    for (position, step) in steps.enumerated() {
      for (item, unit) in step.units.sorted(by: { $0.key < $1.key }) where unit.output == nil {
        guard let last = unit.attempts.last, last.end?.isUncertain == true else { continue }
        found.append(
          Doubt(
            run: start.run, position: position, step: start.steps[position].id, item: item < 0 ? nil : item,
            attempt: last.start.number, action: start.steps[position].action))
      }
    }
    return found
  }

  fileprivate func place(ofAttemptWithKey key: String) -> (step: String, item: Int?)? {
    for (position, step) in steps.enumerated() {
      for (item, unit) in step.units where unit.attempts.contains(where: { $0.start.key == key }) {
        return (start.steps[position].id, item < 0 ? nil : item)
      }
    }
    return nil
  }

  fileprivate func record(of line: LogLine, id: Int64) -> LogRecord {
    let step = line.step.flatMap { start.steps.indices.contains($0) ? start.steps[$0].id : nil }
    return LogRecord(
      id: id, run: line.run, recipe: start.recipe, step: step, item: line.item, attempt: line.attempt,
      level: line.level, message: line.message, at: line.at)
  }

  fileprivate func record(ofStep position: Int, limit: Int) -> StepRecord {
    let (step, planned) = (steps[position], start.steps[position])
    let units = step.units.sorted { $0.key < $1.key }
    let attempts = units.flatMap { $0.value.attempts }
    var providers: [String] = []
    for attempt in attempts.sorted(by: { $0.start.at < $1.start.at })
    where !providers.contains(attempt.start.kind.label) { providers.append(attempt.start.kind.label) }
    var undone: String?
    if case .undo(let target) = planned.phase, start.steps.indices.contains(target) { undone = start.steps[target].id }
    let items = units.compactMap { unit in
      unit.value.output.flatMap { unit.key >= 0 ? StepRecord.Item(index: unit.key, output: $0) : nil }
    }
    return StepRecord(
      position: position, id: planned.id, phase: planned.phase.recordedName, undoOf: undone, action: planned.action,
      effect: planned.effect, status: step.snapshot.status, providers: providers, startedAt: step.snapshot.startedAt,
      endedAt: step.end?.at,
      duration: step.end.flatMap { end in
        step.snapshot.startedAt.map { max(0, end.at.seconds(since: $0)) }
      }, itemCount: step.snapshot.itemCount, itemsSucceeded: step.end?.itemsSucceeded,
      itemsFailed: step.end?.itemsFailed, failure: step.snapshot.failure,
      carriedFrom: step.end?.carriedFrom, attemptCount: attempts.count,
      attemptsFailed: attempts.count { $0.end?.failure != nil },
      attempts: attempts.prefix(limit).map(\.record), output: step.units[-1]?.output,
      items: Array(items.prefix(limit)))
  }
}

extension MemoryRun.Attempt {
  fileprivate var record: AttemptRecord {
    AttemptRecord(
      number: start.number, item: start.item, kind: start.kind, key: start.key,
      status: end.map { $0.failure == nil ? AttemptRecord.Status.succeeded : .failed } ?? .running, startedAt: start.at,
      endedAt: end?.at,
      duration: end?.duration, inputBytes: start.inputBytes, outputBytes: end?.outputBytes,
      failure: end?.failure, retryDelay: end?.retryDelay,
      isUncertain: end?.isUncertain ?? false)
  }
}
