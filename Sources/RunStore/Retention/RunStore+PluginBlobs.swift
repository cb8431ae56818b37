internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB
internal import Synchronization

extension RunStore {
  /// Blobs of plugins that are younger stay, as a call that is still going on may be about to name them: seconds.
  private static let ageOfBlobs: Int64 = 86_400
  /// Seconds of work before a process looks for blobs that nobody names, and between two looks: it reads the whole log.
  private static let (firstBlobLook, blobLookInterval): (Int64, Int64) = (3600, 86_400)

  /// Whether a look for blobs of plugins is due in this process.
  func isBlobLookDue(at now: Timestamp) -> Bool {
    nextBlobLook.withLock { next in
      guard let due = next else {
        next = Timestamp(seconds: now.seconds + Self.firstBlobLook)
        return false
      }
      guard due <= now else { return false }
      next = Timestamp(seconds: now.seconds + Self.blobLookInterval)
      return true
    }
  }

  /// Removes the blobs of plugins that no row of the log names as `blob:sha256:HASH`, each in a transaction of its own.
  ///
  /// - Returns: How many were removed.
  /// - Throws: ``RunStoreError`` where the file cannot be read or written.
  func removeUnnamedBlobs(at now: Timestamp, pause: Double) async throws -> Int {
    let oldest = Timestamp(seconds: now.seconds - Self.ageOfBlobs).rfc3339Milliseconds
    await writer?.settle()
    let unnamed = try await look { database in
      var left = Set(
        try String.fetchAll(
          database, sql: "SELECT hash FROM plugin_blobs WHERE hash IS NOT NULL AND created_at < ?", arguments: [oldest])
      )
      if !left.isEmpty { try BlobNames(database).remove(from: &left) }
      return left
    }
    for hash in unnamed.sorted() {
      try Task.checkCancellation()
      if pause > 0 { try await time.sleep(seconds: pause) }
      try await change { writing in
        // One that was made again meanwhile has a new date.
        try writing.database.execute(
          sql: "DELETE FROM plugin_blobs WHERE hash = ? AND created_at < ?", arguments: [hash, oldest])
      }
    }
    return unnamed.count
  }
}

/// Finds the names of blobs in all rows of the log, whatever table they are in, so that a new table cannot be forgotten.
private struct BlobNames {
  /// What precedes the 64 hexadecimal digits.
  private static let prefix = Array("blob:sha256:".utf8)
  /// What stands in a value that is sealed.
  private static let sealed = Data(#""sealed":"sealed"#.utf8)
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// Takes out what is named anywhere.
  func remove(from hashes: inout Set<String>) throws {
    let tables = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT IN ('plugin_blobs', 'plugin_blob_pieces')
        """)
    for table in tables {
      let columns = try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND type NOT IN ('INTEGER', 'REAL')",
        arguments: [table])
      for column in columns where !hashes.isEmpty {
        try remove(from: &hashes, table: table.quotedDatabaseIdentifier, column: column.quotedDatabaseIdentifier)
      }
    }
  }

  private func remove(from hashes: inout Set<String>, table: String, column: String) throws {
    let contents = try Row.fetchCursor(
      database,
      sql: """
        SELECT CAST(\(column) AS BLOB) FROM \(table)
        WHERE instr(CAST(\(column) AS BLOB), CAST('blob:sha256:' AS BLOB)) > 0
          OR instr(CAST(\(column) AS BLOB), CAST('"sealed":"sealed' AS BLOB)) > 0
        """)
    while let row = try contents.next() {
      try row.withUnsafeData(atIndex: 0) { data in
        guard let data else { return }
        // What is sealed may name any of them.
        if data.range(of: Self.sealed) != nil { hashes.removeAll() }
        data.withUnsafeBytes { Self.remove(from: &hashes, namedIn: $0) }
      }
    }
  }

  private static func remove(from hashes: inout Set<String>, namedIn bytes: UnsafeRawBufferPointer) {
    var position = bytes.startIndex
    while position + prefix.count + 64 <= bytes.endIndex {
      guard bytes[position] == prefix[0], bytes[position...].starts(with: prefix) else {
        position += 1
        continue
      }
      position += prefix.count
      hashes.remove(String(decoding: bytes[position..<(position + 64)], as: UTF8.self))
    }
  }
}
