internal import Engine
internal import Expressions
internal import GRDB
internal import Synchronization

/// This store as one that runs can belong to: a row of `processes`, made with the first write.
final class Owner: Sendable {
  /// Seconds without a sign of life after which a process that cannot be looked at counts as lost.
  static let patience = 60.0

  /// Who asks for ownership in this process just now, so that a store that was dropped is told from one at work.
  private static let tokens = Mutex<Set<String>>([])

  private struct State {
    var id: Int64?
    /// The beats last seen of processes that cannot be looked at, and when they last moved.
    var beats: [Int64: (beat: Int64, at: Double)] = [:]
  }

  let identity = ProcessIdentity.current
  private let token: String
  private let time: any TimeSource
  private let state = Mutex(State())

  init(time: any TimeSource) {
    self.time = time
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
  /// - Returns: The row's number; to be kept with ``keep(_:)`` once the transaction is committed.
  /// - Throws: ``RunStoreError`` with code `process_lost`.
  func require(_ database: Database, path: String) throws -> Int64 {
    if let id {
      let isLost = try database.cachedStatement(sql: "SELECT lost FROM processes WHERE id = ?")
      guard try Int.fetchOne(isLost, arguments: [id]) == 0 else { throw RunStoreError.processLost(path: path) }
      return id
    }
    try database.execute(
      sql: """
        DELETE FROM processes WHERE NOT EXISTS (SELECT 1 FROM runs WHERE owner = processes.id)
          AND (lost = 1 OR boot <> ? AND host = ?)
        """, arguments: [identity.boot, identity.host])
    try database.execute(
      sql: """
        INSERT INTO processes (host, boot, pid, start_ticks, namespace, token, began_at) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        identity.host, identity.boot, identity.pid, identity.startTicks, ProcessIdentity.namespace, token,
        time.now.rfc3339Milliseconds,
      ])
    return database.lastInsertedRowID
  }

  /// Takes in that the row is there.
  func keep(_ id: Int64) { state.withLock { $0.id = id } }

  /// Whether the process of a row has certainly ended, as far as one look can tell.
  static func isGone(_ row: Row) -> Bool {
    if row["lost"] == 1 { return true }
    let identity = ProcessIdentity(
      host: row["host"] ?? "", boot: row["boot"] ?? "", pid: row["pid"] ?? 0, startTicks: row["start_ticks"] ?? 0)
    guard isVisible(row, identity) else { return false }
    if identity.isGone() { return true }
    let token: String = row["token"] ?? ""
    return identity == .current && !token.isEmpty && !tokens.withLock { $0.contains(token) }
  }

  /// Whether the process of a row has ended, or has given no sign of life for so long that it is to be shut out.
  func isGone(_ row: Row) -> Bool {
    if Owner.isGone(row) { return true }
    let identity = ProcessIdentity(
      host: row["host"] ?? "", boot: row["boot"] ?? "", pid: row["pid"] ?? 0, startTicks: row["start_ticks"] ?? 0)
    guard !Owner.isVisible(row, identity) else { return false }
    let id: Int64 = row["id"] ?? 0
    let beat: Int64 = row["beat"] ?? 0
    let now = time.monotonic
    return state.withLock { state in
      guard let seen = state.beats[id], seen.beat == beat else {
        state.beats[id] = (beat, now)
        return false
      }
      return now - seen.at >= Owner.patience
    }
  }

  /// Whether one can look whether the process is there.
  private static func isVisible(_ row: Row, _ identity: ProcessIdentity) -> Bool {
    let namespace: String = row["namespace"] ?? ""
    return identity.host == ProcessIdentity.current.host && identity.boot != ProcessIdentity.current.boot
      || identity.host == ProcessIdentity.current.host && (namespace.isEmpty || namespace == ProcessIdentity.namespace)
  }
}
