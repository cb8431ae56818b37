public import Engine
internal import Foundation
internal import GRDB
internal import Localization

extension RunStore: ProviderStateStore {
  /// The value of a key and its version; `nil` where the key is absent.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func state(of provider: String, key: String) throws(StorageFailure) -> ProviderState? {
    try storage { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT value, version FROM provider_state WHERE provider = ? AND key = ?",
        arguments: [provider, key])
      guard let row else { return nil }
      let columns = RowReader(row: row, path: path)
      return ProviderState(
        value: try columns.bytes("value"), version: UInt64(bitPattern: Int64(try columns.integer("version"))))
    }
  }

  /// The keys that begin with a prefix, in the order of their UTF-8 bytes.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func stateKeys(of provider: String, prefix: String) throws(StorageFailure) -> [String] {
    try storage { database in
      // SQLite compares texts by their UTF-8 bytes; a prefix ends before the first key that is larger and does not
      // begin with it.
      let keys = try String.fetchCursor(
        database, sql: "SELECT key FROM provider_state WHERE provider = ? AND key >= ? ORDER BY key",
        arguments: [provider, prefix])
      var found: [String] = []
      while let key = try keys.next(), key.utf8.starts(with: prefix.utf8) { found.append(key) }
      return found
    }
  }

  /// The providers whose names begin with a prefix and that have a key, in the order of the UTF-8 bytes of their names.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func stateSpaces(prefix: String, having key: String) throws(StorageFailure) -> [String] {
    try storage { database in
      let names = try String.fetchCursor(
        database, sql: "SELECT provider FROM provider_state WHERE provider >= ? AND key = ? ORDER BY provider",
        arguments: [prefix, key])
      var found: [String] = []
      while let name = try names.next(), name.utf8.starts(with: prefix.utf8) { found.append(name) }
      return found
    }
  }

  /// Makes all changes or none; on disk when it returns.
  ///
  /// - Throws: `StorageFailure`: `conflict`, `too_large`, `failed`.
  public func commitState(of provider: String, _ changes: [ProviderStateChange]) throws(StorageFailure) {
    guard !changes.isEmpty else { return }
    try storageTransaction { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT last, bytes FROM provider_state_versions WHERE provider = ?", arguments: [provider])
      let totals = row.map { RowReader(row: $0, path: path) }
      var last = Int64(try totals?.integer("last") ?? 0)
      var bytes = try totals?.integer("bytes") ?? 0
      for change in changes {
        let found = try Row.fetchOne(
          database, sql: "SELECT version, length(value) AS size FROM provider_state WHERE provider = ? AND key = ?",
          arguments: [provider, change.key])
        if let expected = change.expectedVersion {
          let version = try found.map { try RowReader(row: $0, path: path).integer("version") } ?? 0
          guard UInt64(bitPattern: Int64(version)) == expected else { throw StorageFailure.conflict(provider) }
        }
        if let found {
          bytes &-= try RowReader(row: found, path: path).integer("size") + change.key.utf8.count
        }
        guard let value = change.value else {
          try database.execute(
            sql: "DELETE FROM provider_state WHERE provider = ? AND key = ?", arguments: [provider, change.key])
          continue
        }
        bytes &+= value.count + change.key.utf8.count
        last &+= 1
        try database.execute(
          sql: "INSERT OR REPLACE INTO provider_state (provider, key, value, version) VALUES (?, ?, ?, ?)",
          arguments: [provider, change.key, Data(value), last])
      }
      guard bytes <= ProviderState.bytesOfProvider else { throw StorageFailure.tooMuchState(of: provider) }
      try database.execute(
        sql: "INSERT OR REPLACE INTO provider_state_versions (provider, last, bytes) VALUES (?, ?, ?)",
        arguments: [provider, last, bytes])
    }
  }
}

extension RunStore {
  /// Whether calls of a run may still be repeated: the run that it works for in the end has not ended, or one that repeats
  /// that, directly or through others, has not, or a part of these. Blocks.
  ///
  /// What repeats a run that a step has begun is known only once the step has its turn again.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func isUnfinished(_ run: RunID) throws(StorageFailure) -> Bool {
    try storage { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            WITH RECURSIVE whole (id) AS (
              SELECT ? UNION SELECT runs.parent FROM runs JOIN whole USING (id) WHERE runs.parent IS NOT NULL),
            line (id) AS (
              SELECT id FROM whole UNION SELECT runs.id FROM runs JOIN line ON runs.origin = line.id
              UNION SELECT runs.id FROM runs JOIN line ON runs.parent = line.id)
            SELECT EXISTS (SELECT 1 FROM line JOIN runs USING (id)
              WHERE status NOT IN (\(RunReading.finalStatuses), \(RunReading.removed)))
            """), arguments: [run.rawValue]) == true
    }
  }
}

extension StorageFailure {
  fileprivate static func conflict(_ provider: String) -> StorageFailure {
    StorageFailure(
      .conflict,
      LocalizedText(
        "The state of the provider '\(provider)' has changed since it was read.",
        de: "Der Zustand des Providers '\(provider)' hat sich seit dem Lesen geändert."))
  }

  fileprivate static func tooMuchState(of provider: String) -> StorageFailure {
    let limit = ProviderState.bytesOfProvider >> 20
    return StorageFailure(
      .tooLarge,
      LocalizedText(
        "The provider '\(provider)' keeps more than \(limit) MiB of state.",
        de: "Der Provider '\(provider)' hält mehr als \(limit) MiB Zustand."))
  }
}

extension RunStore {
  /// A run and those whose steps run it, the innermost first, and the recipe of the outermost.
  ///
  /// - Returns: No recipe if the run is not recorded.
  /// - Throws: `StorageFailure` with the code `failed`.
  public func outerRuns(of run: RunID) throws(StorageFailure) -> (runs: [RunID], recipe: String?) {
    try storage { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            WITH RECURSIVE whole (id, depth) AS (
              SELECT ?, 0 UNION SELECT runs.parent, depth + 1 FROM runs JOIN whole USING (id)
              WHERE runs.parent IS NOT NULL AND depth < 100)
            SELECT id, recipe FROM whole JOIN runs USING (id) ORDER BY depth
            """), arguments: [run.rawValue])
      let found = try rows.map { row in
        let columns = RowReader(row: row, path: path)
        return (run: RunID(rawValue: try columns.text("id")), recipe: try columns.text("recipe"))
      }
      return (found.map(\.run), found.last?.recipe)
    }
  }

  /// Deletes the state of all providers whose names are in a range, compared by their UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - first: The first name of the range.
  ///   - end: The first name after the range.
  public func forgetState(from first: String, before end: String) async throws {
    let isWorthwhile = try await look(isSettled: false) { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM provider_state_versions WHERE provider >= ? AND provider < ?)",
        arguments: [first, end]) == true
    }
    guard isWorthwhile else { return }
    try await change { writing in
      for table in ["provider_state", "provider_state_versions"] {
        try writing.database.execute(
          sql: "DELETE FROM \(table) WHERE provider >= ? AND provider < ?", arguments: [first, end])
      }
    }
  }
}
