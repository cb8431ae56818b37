internal import Engine
internal import Expressions
internal import GRDB
internal import Synchronization

/// This store as one that runs can belong to: a row of `processes`, made with the first write.
final class Owner: Sendable {
  /// Seconds without a sign of life after which a process that cannot be looked at counts as lost.
  static let patience = 60.0
  /// Seconds between two looks that count as silence at most.
  static let longestLook = 5.0

  /// Who asks for ownership in this process just now, so that a store that was dropped is told from one at work.
  private static let tokens = Mutex<Set<String>>([])

  private struct State {
    var id: Int64?
    /// The beats last seen of processes that cannot be looked at, when that was, and for how long they have not moved.
    var beats: [Int64: (beat: Int64, at: Double, silence: Double)] = [:]
  }

  let identity: ProcessIdentity
  private let token: String
  private let time: any TimeSource
  /// Where the kernel tells of processes.
  private let processes: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - host: What stands for the machine's name, where one process plays several.
  ///   - processes: Where the kernel tells of processes.
  init(time: any TimeSource, host: String? = nil, processes: String = ProcessIdentity.processes) {
    self.time = time
    self.processes = processes
    var identity = ProcessIdentity.current
    if let host { identity.host = host }
    self.identity = identity
    token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    Owner.tokens.withLock { _ = $0.insert(token) }
  }

  deinit { retire() }

  /// The row's number; `nil` before the first write.
  var id: Int64? { state.withLock { $0.id } }

  /// Gives up what belongs to this store: whoever comes may take it.
  func retire() { Owner.tokens.withLock { _ = $0.remove(token) } }

  /// Makes sure inside a transaction that this store is recorded and may write.
  ///
  /// - Parameter isLost: Whether the process with this row may write no more.
  /// - Returns: The row's number; to be kept with ``keep(_:)`` once the transaction is committed.
  /// - Throws: ``RunStoreError`` with code `process_lost`.
  func require(_ database: Database, path: String, isLost: (Int64) throws -> Bool?) throws -> Int64 {
    if let id {
      guard try isLost(id) == false else { throw RunStoreError.processLost(path: path) }
      return id
    }
    let home = try DatabaseHome.settle(database, path: path)
    try Owner.removeGone(database, path: path)
    try database.execute(
      sql: """
        INSERT INTO processes (host, machine, boot, pid, start_ticks, namespace, token, began_at, home)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        identity.host, identity.machine, identity.boot, identity.pid, identity.startTicks, identity.namespace, token,
        time.now.rfc3339Milliseconds, home?.file ?? "",
      ])
    return database.lastInsertedRowID
  }

  /// Removes processes that are gone and own no run.
  private static func removeGone(_ database: Database, path: String) throws {
    for id in try gone(database, path: path) {
      try database.execute(sql: "DELETE FROM processes WHERE id = ?", arguments: [id])
    }
  }

  /// Some of the processes that are gone and own no run.
  static func gone(_ database: Database, path: String) throws -> [Int64] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT * FROM processes WHERE NOT EXISTS (SELECT 1 FROM runs WHERE owner = processes.id) LIMIT 100")
    return try rows.map { try OwnerRecord(RowReader(row: $0, path: path)) }.filter(Owner.isGone).map(\.id)
  }

  /// Takes in that the row is there.
  func keep(_ id: Int64) { state.withLock { $0.id = id } }

  /// Whether a process has certainly ended, as far as one look can tell.
  static func isGone(_ process: OwnerRecord) -> Bool {
    isGone(process, seenFrom: .current, in: ProcessIdentity.processes) ?? false
  }

  /// - Returns: `nil` where it cannot be seen.
  private static func isGone(
    _ process: OwnerRecord, seenFrom observer: ProcessIdentity, in processes: String
  ) -> Bool? {
    if process.isLost { return true }
    guard process.identity == observer, !process.token.isEmpty else {
      return process.identity.isGone(seenFrom: observer, in: processes)
    }
    return !tokens.withLock { $0.contains(process.token) }
  }

  /// Whether a process has ended, or has given no sign of life for so long that it is to be shut out.
  func isGone(_ process: OwnerRecord) -> Bool {
    if let isGone = Owner.isGone(process, seenFrom: identity, in: processes) { return isGone }
    let now = time.monotonic
    return state.withLock { state in
      guard let seen = state.beats[process.id], seen.beat == process.beat else {
        state.beats[process.id] = (process.beat, now, 0)
        return false
      }
      // Of a long time between two looks little counts: whoever looks may have been asleep, and the other one with it.
      let silence = seen.silence + min(max(0, now - seen.at), Owner.longestLook)
      state.beats[process.id] = (process.beat, now, silence)
      return silence >= Owner.patience
    }
  }
}
