public import Expressions
internal import GRDB

extension AccessStore {
  /// Adds an entry to the audit log if the settings differ from those that were noted last: the members that differ, before and
  /// after.
  ///
  /// - Parameters:
  ///   - settings: The settings without secrets.
  ///   - object: The file that has them.
  ///   - source: Who has changed them, if that is known.
  /// - Returns: Whether an entry was added. The first settings that are noted do not count as a change.
  @discardableResult
  public func note(
    settings: Value, of object: String, by source: AuditSource, now: Timestamp
  ) throws(AccessError) -> Bool {
    try write { database in
      let text = try String.fetchOne(
        database, sql: "SELECT settings FROM noted_settings WHERE object = ?", arguments: [object])
      let known = text.flatMap { try? Value(json: $0) }
      guard known != settings else { return false }
      try database.execute(
        sql: "INSERT OR REPLACE INTO noted_settings (object, settings, at) VALUES (?, ?, ?)",
        arguments: [object, settings.jsonString, now.stored])
      guard let known else { return false }
      let (before, after) = AuditChange.differing(known, settings)
      try record(
        AuditEntry(at: now, source, action: "settings.change", object: object, before: before, after: after), database)
      return true
    }
  }
}
