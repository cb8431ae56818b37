internal import Engine
internal import GRDB

/// Refuses entries of runs that do not belong to this process; checks once for each run in a transaction.
struct OwnershipGuard {
  let database: Database
  /// The row of `processes` of this process.
  let owner: Int64
  /// The database file, for errors.
  let path: String
  /// The prepared statements.
  let rows: JournalRows

  private var passed: Set<RunID> = []
  private var last: RunID?

  init(database: Database, owner: Int64, path: String, rows: JournalRows) {
    self.database = database
    self.owner = owner
    self.path = path
    self.rows = rows
  }

  /// Checks that an entry is about a run of this process.
  ///
  /// - Throws: ``RunStoreError`` with code `journal_entry_refused`.
  mutating func require(_ entry: PreparedEntry) throws {
    switch entry {
    // A run that joins the queue may take over entries from another run.
    case .runStarted(let start, _): passed.insert(start.run)
    case .runFinished(let end, _): leave(end.run)
    case .other(.runParked(let run, _, _, _, _)): leave(run)
    default:
      // Most entries follow others of the same run.
      guard let run = entry.workedRun, run != last else { return }
      if !passed.contains(run) {
        guard try rows.owner(of: run, database) == owner else {
          throw RunStoreError.entryRefused(path: path, cause: "the run belongs to somebody else")
        }
        passed.insert(run)
      }
      last = run
    }
  }

  private mutating func leave(_ run: RunID) {
    passed.remove(run)
    if last == run { last = nil }
  }
}

extension PreparedEntry {
  /// The run of a step's entry; `nil` for entries with a check of their own, and for log lines, which may come late.
  fileprivate var workedRun: RunID? {
    switch self {
    case .output(let run, _, _, _): run
    case .runTurned(let turn, _): turn.run
    case .runStarted, .runFinished: nil
    case .other(let entry):
      switch entry {
      case .stepStarted(let run, _, _, _), .output(let run, _, _, _), .waitEnded(let run, _, _, _): run
      case .stepFinished(let end): end.run
      case .attemptStarted(let start): start.run
      case .attemptFinished(let end): end.run
      case .waitStarted(let wait): wait.run
      case .runTurned(let turn): turn.run
      case .runStarted, .runFinished, .runParked, .breaker, .log: nil
      }
    }
  }
}
