public import Engine
internal import Expressions
internal import Foundation
internal import GRDB

extension RunStore: TriggerStore {
  /// Where a subscription goes on; `nil` where nothing has come yet.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func cursor(of subscription: String) throws(StorageFailure) -> String? {
    try storage { database in
      try String.fetchOne(
        database, sql: "SELECT cursor FROM trigger_cursors WHERE subscription = ?", arguments: [subscription])
    }
  }

  /// Keeps an event and its cursor, in one transaction; on disk when it returns.
  ///
  /// - Returns: Whether the event is new.
  /// - Throws: `StorageFailure` with the code `failed`.
  public func accept(_ event: TriggerEvent, of subscription: String) throws(StorageFailure) -> Bool {
    let now = time.now.rfc3339Milliseconds
    return try storageTransaction { database in
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO trigger_events (subscription, id, event, cursor, received_at) VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [subscription, event.id, String(decoding: event.event, as: UTF8.self), event.cursor, now])
      let isNew = database.changesCount == 1
      try database.execute(
        sql: "INSERT OR REPLACE INTO trigger_cursors (subscription, cursor, updated_at) VALUES (?, ?, ?)",
        arguments: [subscription, event.cursor, now])
      return isNew
    }
  }

  /// Events that nobody has settled yet, oldest first.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func pendingEvents(of subscription: String, limit: Int) throws(StorageFailure) -> [TriggerEvent] {
    try storage { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, event, cursor FROM trigger_events
          WHERE subscription = ? AND settled_at IS NULL ORDER BY number LIMIT ?
          """, arguments: [subscription, max(0, limit)])
      return try rows.map { row in
        let columns = RowReader(row: row, path: path)
        return TriggerEvent(
          id: try columns.text("id"), event: Array((columns.optionalText("event") ?? "{}").utf8),
          cursor: columns.optionalText("cursor") ?? "")
      }
    }
  }

  /// Notes that an event has been dealt with; its id stays known, its contents go.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func settleEvent(_ id: String, of subscription: String) throws(StorageFailure) {
    let now = time.now.rfc3339Milliseconds
    try storageTransaction { database in
      try database.execute(
        sql: """
          UPDATE trigger_events SET settled_at = ?, event = NULL, cursor = NULL
          WHERE subscription = ? AND id = ? AND settled_at IS NULL
          """, arguments: [now, subscription, id])
    }
  }
}
