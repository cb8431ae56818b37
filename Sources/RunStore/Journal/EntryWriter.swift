internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB
internal import Localization
import Plans

/// Turns journal entries into rows.
struct EntryWriter {
  let database: Database
  /// The row of `processes` that runs belong to.
  let owner: Int64
  /// The database file, for errors.
  let path: String
  /// The rows that stay prepared.
  let rows: JournalRows

  /// Writes entries in order, inside a transaction; where a step or an attempt begins and ends in them, its row is
  /// written once, also that of a step whose run begins in them.
  ///
  /// - Throws: ``RunStoreError`` with code `journal_entry_refused` for an entry about something that is not recorded;
  ///   `DatabaseError` for what SQLite reports.
  ///
  /// - Parameter isFenced: Whether only entries about runs of this process are taken.
  func write(_ entries: [PreparedEntry], isFenced: Bool = true) throws {
    var beginnings = PendingStarts()
    var fence = isFenced ? OwnershipGuard(database: database, owner: owner, path: path, rows: rows) : nil
    try write(entries, &beginnings, &fence)
    try write(&beginnings)
    try giveBack(beginnings.endedWaits)
  }

  /// Writes the entries of several requests, as ``write(_:isFenced:)`` does.
  func write<Waiter>(requests: [WriteQueue<Waiter>.Request], isFenced: Bool = true) throws {
    var beginnings = PendingStarts()
    var fence = isFenced ? OwnershipGuard(database: database, owner: owner, path: path, rows: rows) : nil
    for request in requests { try write(request.entries, &beginnings, &fence) }
    try write(&beginnings)
    try giveBack(beginnings.endedWaits)
  }

  private func write(
    _ entries: [PreparedEntry], _ beginnings: inout PendingStarts, _ fence: inout OwnershipGuard?
  ) throws {
    // Ends that were written with what came before them.
    var written: [Int] = []
    for (index, entry) in entries.enumerated() {
      try fence?.require(entry)
      if !written.isEmpty, let place = written.firstIndex(of: index) {
        written.remove(at: place)
        continue
      }
      if beginnings.hasPlannedSteps, let (run, step) = entry.place,
        let planned = beginnings.takePlannedStep(step, of: run)
      {
        if let (start, end, place) = entries.wholeStep(at: index) {
          try rows.insert(planned, at: step, of: run, start, end, database)
          try keepOutput(of: end.failure, run: run, step: step, item: nil)
          written.append(place)
          continue
        }
        try rows.insert(planned, at: step, of: run, database)
      }
      try write(entry, &beginnings)
    }
  }

  private func write(_ entry: PreparedEntry, _ beginnings: inout PendingStarts) throws {
    switch entry {
    case .output(let run, let step, let item, let value):
      if value.hash != nil { try insertBlob(value) }
      try rows.insert(value, run: run, step: step, item: item, database)
    case .other(let entry): try write(entry, &beginnings)
    case .runStarted(let start, let values):
      try write(start, values)
      beginnings.plan(start.steps, of: start.run)
    case .runFinished(let end, let outputs): try write(end, outputs: outputs)
    case .runTurned(let turn, let outputs): try write(turn, outputs: outputs)
    }
  }

  private func write(_ entry: JournalEntry, _ beginnings: inout PendingStarts) throws {
    switch entry {
    case .stepStarted(let run, let step, let itemCount, let at):
      let start = StepStart(run: run, step: step, itemCount: itemCount, at: at)
      if let earlier = beginnings.begin(start) { try write(earlier) }
    case .stepFinished(let end):
      if let start = beginnings.start(of: end) {
        try require(rows.update(start, end, database))
      } else {
        try require(rows.update(end, database))
      }
      try keepOutput(of: end.failure, run: end.run, step: end.step, item: nil)
    case .attemptStarted(let start):
      if let earlier = beginnings.begin(start) { try rows.insert(earlier, database) }
    case .attemptFinished(let end):
      if let start = beginnings.start(of: end) {
        try rows.insert(start, end, database)
      } else {
        try require(rows.update(end, database))
      }
      try keepOutput(of: end.failure, run: end.run, step: end.step, item: end.item)
      for usage in end.usage { try UsageWriter(database: database).settle(usage) }
    case .log(let line): try rows.insert(line, database)
    case .runStarted, .output, .runFinished, .runTurned:
      // Always prepared, as they hold values.
      try write(PreparedEntry(entry), &beginnings)
    case .waitEnded(let run, let step, let item, let at):
      try execute(
        "UPDATE waits SET ended_at = ? WHERE run = ? AND step = ? AND item = ?",
        [at.rfc3339Milliseconds, run.rawValue, step, item ?? -1])
      beginnings.endedWaits.append(WaitEnd(run: run, step: step, item: item, at: at))
    case .runParked, .waitStarted, .breaker:
      // They look at what came before.
      try write(&beginnings)
      try write(entry)
    }
  }

  /// Writes what has not begun, and what has begun and not ended.
  private func write(_ beginnings: inout PendingStarts) throws {
    for (run, steps) in beginnings.takePlannedSteps() {
      for (position, step) in steps.enumerated() {
        if let step { try rows.insert(step, at: position, of: run, database) }
      }
    }
    let (steps, attempts) = beginnings.takeAll()
    for start in steps { try write(start) }
    for start in attempts { try rows.insert(start, database) }
  }

  private func write(_ start: StepStart) throws {
    try require(rows.update(start, database))
  }

  /// Entries that are neither about steps nor about attempts.
  private func write(_ entry: JournalEntry) throws {
    switch entry {
    case .runParked(let run, let until, _, true, _):
      try require(RunTransitions(database: database).postpone(run, until: until, by: owner))
    case .runParked(let run, let until, let isCalledOff, false, let at):
      try park(run, until: until, isCalledOff: isCalledOff, at: at)
    case .waitStarted(let wait): try write(wait)
    case .breaker(let record): try write(record)
    default: break
    }
  }

  // MARK: - Runs

  private func write(_ start: RunStart, _ values: PreparedEntry.StartValues) throws {
    try requireNewest(start)
    let process: ProcessIdentity? = start.isQueued ? nil : .current
    for value in [values.inputs, values.keywords, values.event, values.source] { try value.map(insertBlob) }
    try values.recipes.map(insert)
    // A part belongs to the user of its whole as the run log has it: the user may have been removed since it began.
    let starter = start.parent == nil ? "?" : "(SELECT started_by FROM runs WHERE id = ?)"
    try execute(
      """
      INSERT INTO runs (id, recipe, path, fingerprint, trigger, status, started_at, inputs, inputs_blob,
        owner_host, owner_pid, owner, priority, concurrency_group, parent, origin,
        source_blob, keywords, keywords_blob, event, event_blob, recipe_set, queued_at, recipe_origin, group_max,
        recorded_at, started_by, trace_parent, home)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(starter), ?,
        (SELECT home FROM processes WHERE id = ?))
      """,
      [
        start.run.rawValue, start.recipe, start.path, start.fingerprint, start.trigger,
        start.isQueued ? "queued" : "running", start.at.rfc3339Milliseconds, values.inputs.inlineText,
        values.inputs.hash, process?.host, process?.pid,
        start.isQueued ? nil : owner, start.priority, start.group, start.parent?.rawValue, start.origin?.rawValue,
        values.source?.hash, values.keywords?.inlineText, values.keywords?.hash, values.event?.inlineText,
        values.event?.hash, values.recipes?.name,
        start.isQueued && !start.isAttended ? start.at.rfc3339Milliseconds : nil, start.recipeOrigin.rawValue,
        start.groupMax, start.at.rfc3339Milliseconds, start.parent?.rawValue ?? start.startedBy,
        start.traceParent?.stored, owner,
      ])
    if start.isQueued { try decide(start) }
  }

  /// Refuses a run that repeats another one where somebody else has begun to do so since it was planned.
  private func requireNewest(_ start: RunStart) throws {
    guard let origin = start.origin, let known = start.knownRepetitions else { return }
    let repetitions = try String.fetchAll(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE above (id, origin) AS (
            SELECT id, origin FROM runs WHERE id = ?1 UNION SELECT runs.id, runs.origin
              FROM above JOIN runs ON runs.id = above.origin WHERE status <> \(RunReading.removed)
          ), line (id) AS (
            SELECT id FROM above UNION SELECT runs.id FROM runs JOIN line ON runs.origin = line.id
              WHERE parent IS NULL AND trigger <> '\(RunStart.replayTrigger)' AND status <> \(RunReading.removed))
          SELECT id FROM line WHERE id NOT IN (SELECT id FROM above)
          """), arguments: [origin.rawValue])
    guard repetitions.allSatisfy({ known.contains(RunID(rawValue: $0)) }) else {
      throw RunStoreError.entryRefused(path: path, cause: "another run repeats \(origin) by now")
    }
  }

  /// What becomes of a run that joins the queue, and of the others of its concurrency group.
  private func decide(_ start: RunStart) throws {
    guard let group = start.group else { return }
    guard start.displacesOthers || start.givesWay else { return }
    let surplus = try GroupMembers(database: database).surplus(
      in: group, before: start.run, places: start.groupMax)
    if start.displacesOthers {
      for other in surplus { try RunTransitions(database: database).requestCancel(of: other, at: start.at) }
    }
    guard start.givesWay, let other = surplus.first else { return }
    let end = RunEnd(
      run: start.run, status: .skipped, outputs: .map([:]), failure: .groupTaken(by: other), at: start.at)
    try write(end, outputs: StoredValue(end.outputs))
  }

  /// Parks a run; where what it waits for has come meanwhile, it is due at once.
  private func park(_ run: RunID, until: Timestamp?, isCalledOff: Bool, at: Timestamp) throws {
    let waits = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT step, item FROM waits
          WHERE run = ? AND kind IN ('event', 'approval') AND ended_at IS NULL
          """), arguments: [run.rawValue])
    var isAnswered = false
    for wait in waits where !isAnswered {
      let answers = WaitMatching(database: database, path: path)
      let place = RowReader(row: wait, path: path)
      isAnswered =
        try answers.answer(run: run, step: place.integer("step"), item: place.integer("item"), at: at) != nil
    }
    try require(
      RunTransitions(database: database).park(
        run, until: until, isAnswered: isAnswered, isCancelled: isCalledOff, by: owner, at: at))
  }

  /// Gives events back that came for waits which ended without them, as their runs were cancelled.
  private func giveBack(_ waits: [WaitEnd]) throws {
    for wait in waits { try WaitMatching(database: database, path: path).giveBack(wait) }
  }

  private func write(_ wait: WaitStart) throws {
    try execute(
      """
      INSERT OR REPLACE INTO waits (run, step, item, kind, until, event, key, message, form, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        wait.run.rawValue, wait.step, wait.item ?? -1, wait.kind.rawValue, wait.until?.rfc3339Milliseconds, wait.event,
        wait.key, wait.message, wait.form.map { String(decoding: $0.json(), as: UTF8.self) },
        wait.at.rfc3339Milliseconds,
      ])
  }

  private func write(_ breaker: BreakerRecord) throws {
    let now = breaker.at.rfc3339Milliseconds
    let until = breaker.openUntil?.rfc3339Milliseconds
    if until.map({ $0 <= now }) ?? true { try wakeRuns(waitingFor: breaker.provider, at: breaker.at) }
    try execute(
      """
      INSERT OR REPLACE INTO breakers (provider, failures, probes, open_until, open_seconds, last_failure, at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        breaker.provider, breaker.failures, breaker.probes, until, breaker.openSeconds, breaker.lastFailure?.rawValue,
        now,
      ])
  }

  /// Makes runs due that were parked until a provider's circuit breaker would let something through, which it does
  /// sooner.
  private func wakeRuns(waitingFor provider: String, at time: Timestamp) throws {
    let now = time.rfc3339Milliseconds
    let end = try String.fetchOne(
      database.cachedStatement(sql: "SELECT open_until FROM breakers WHERE provider = ? AND open_until > ?"),
      arguments: [provider, now])
    // They were parked at most until then, rounded up.
    guard let end = end.flatMap(Timestamp.init(rfc3339:))?.adding(seconds: 1).rfc3339Milliseconds else { return }
    let runs = try String.fetchAll(
      database,
      sql: """
        WITH RECURSIVE family (id) AS (
          SELECT id FROM runs INDEXED BY runs_due
            WHERE status = 'waiting' AND parent IS NULL AND due_at > ? AND due_at <= ?
          UNION SELECT runs.id FROM runs JOIN family ON runs.parent = family.id WHERE runs.status = 'waiting')
        SELECT DISTINCT waits.run FROM family JOIN waits ON waits.run = family.id
        WHERE waits.kind = 'retry' AND waits.ended_at IS NULL AND instr(waits.key, ?) > 0
        """, arguments: [now, end, WaitStart.key(of: [provider])])
    for run in runs { try RunTransitions(database: database).wake(RunID(rawValue: run), at: time) }
  }

  private func write(_ end: RunEnd, outputs: StoredValue) throws {
    try insertBlob(outputs)
    try require(RunTransitions(database: database).end(end, outputs: outputs, by: owner))
    try keepOutput(of: end.failure, run: end.run, step: Self.wholeRun, item: nil)
  }

  private func write(_ turn: RunTurn, outputs: [UInt8]) throws {
    let (step, failure): (Int?, ActionFailure?) =
      if case .failed(let failure, let step) = turn.reason { (step, failure) } else { (nil, nil) }
    try execute(
      """
      INSERT OR REPLACE INTO turns (run, reason, step, outputs, at, failure_kind, failure_message, failure_message_de,
        failure_advice, failure_advice_de)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        turn.run.rawValue, turn.reason.recordedName, step, String(decoding: outputs, as: UTF8.self),
        turn.at.rfc3339Milliseconds,
      ] + RunTransitions.columns(of: failure))
  }

  // MARK: - Rows

  /// The position in `failure_outputs` of the failure of the run as a whole.
  static let wholeRun = -1

  /// Keeps the output of the newest failure of a step, an item or the run; a failure without one removes that of an earlier one.
  private func keepOutput(of failure: ActionFailure?, run: RunID, step: Int, item: Int?) throws {
    guard let failure else { return }
    guard let output = failure.output else {
      return try execute(
        "DELETE FROM failure_outputs WHERE run = ? AND step = ? AND item = ?", [run.rawValue, step, item ?? -1])
    }
    try execute(
      "INSERT OR REPLACE INTO failure_outputs (run, step, item, value) VALUES (?, ?, ?, ?)",
      [run.rawValue, step, item ?? -1, output.jsonString])
  }

  func insertBlob(_ value: StoredValue) throws {
    guard let hash = value.hash else { return }
    try execute(
      "INSERT INTO blobs (hash, bytes, content) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
      [hash, value.bytes.count, Data(value.bytes)])
  }

  /// Keeps a set of recipes, once for all runs that have it.
  private func insert(_ recipes: StoredRecipes) throws {
    let known = try database.cachedStatement(sql: "SELECT 1 FROM recipe_sets WHERE name = ? LIMIT 1")
    guard try Int.fetchOne(known, arguments: [recipes.name]) == nil else { return }
    for (recipePath, text) in recipes.texts {
      try insertBlob(text)
      try execute(
        "INSERT INTO recipe_sets (name, path, blob) VALUES (?, ?, ?)", [recipes.name, recipePath, text.hash])
    }
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  private func require(_ hasMetRow: Bool) throws {
    guard hasMetRow else { throw RunStoreError.entryRefused(path: path, cause: "no row to update") }
  }
}

extension PreparedEntry {
  /// The step that an entry is about, whose row has to be there first.
  fileprivate var place: (run: RunID, step: Int)? {
    switch self {
    case .output(let run, let step, _, _): (run, step)
    case .runStarted, .runFinished, .runTurned: nil
    case .other(let entry):
      switch entry {
      case .stepStarted(let run, let step, _, _), .output(let run, let step, _, _), .waitEnded(let run, let step, _, _):
        (run, step)
      case .stepFinished(let end): (end.run, end.step)
      case .attemptStarted(let start): (start.run, start.step)
      case .attemptFinished(let end): (end.run, end.step)
      case .waitStarted(let wait): (wait.run, wait.step)
      // A line keeps its step's number only.
      case .runStarted, .runFinished, .runTurned, .runParked, .breaker, .log: nil
      }
    }
  }
}

extension RunTurn.Reason {
  /// The reason as the run log spells it.
  fileprivate var recordedName: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

extension [PreparedEntry] {
  /// Entries in which a step ends that nothing but itself happens in; one is soon over.
  private static var window: Int { 8 }

  /// The beginning of a step at a position, and its end and where that is, if it comes soon.
  fileprivate func wholeStep(at index: Int) -> (start: StepStart, end: StepEnd, place: Int)? {
    guard case .other(.stepStarted(let run, let step, let itemCount, let at)) = self[index] else { return nil }
    for place in self[index...].dropFirst().prefix(Self.window).indices {
      guard case .other(.stepFinished(let end)) = self[place], end.step == step, end.run == run else { continue }
      return (StepStart(run: run, step: step, itemCount: itemCount, at: at), end, place)
    }
    return nil
  }
}

extension LocalizedText {
  /// The German text; `nil` where it is the English one.
  var germanWhereItDiffers: String? { german == english ? nil : german }
}

extension Double {
  /// Seconds as milliseconds, to the microsecond; `nil` for what is no finite number.
  var milliseconds: Double? { isFinite ? (self * 1_000_000).rounded() / 1000 : nil }
}
