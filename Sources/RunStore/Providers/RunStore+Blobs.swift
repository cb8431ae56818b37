public import Engine
internal import Expressions
internal import Foundation
internal import GRDB
internal import Hashing
internal import Localization
internal import Synchronization

extension RunStore: BlobStore {
  /// The bytes of every piece of a blob but the last.
  static let blobPiece = 256 << 10

  /// Begins a blob, which exists once it is finished.
  ///
  /// - Throws: `StorageFailure` with the code `failed`.
  public func createBlob() throws(StorageFailure) -> Int64 {
    let now = time.now
    let yesterday = Timestamp(seconds: now.seconds - 86_400).rfc3339Milliseconds
    let number = try storageTransaction(isDurable: false) { database in
      // What a process left that ended in the middle of writing.
      try database.execute(
        sql: "DELETE FROM plugin_blobs WHERE hash IS NULL AND created_at < ?", arguments: [yesterday])
      try database.execute(
        sql: "INSERT INTO plugin_blobs (hash, bytes, created_at) VALUES (NULL, 0, ?)",
        arguments: [now.rfc3339Milliseconds])
      return database.lastInsertedRowID
    }
    hashes.withLock { $0[number] = RunningHash() }
    return number
  }

  /// Adds bytes to an unfinished blob.
  ///
  /// - Throws: `StorageFailure`: `absent` where there is no unfinished blob of that number, `failed`.
  public func append(_ bytes: [UInt8], toBlob number: Int64) throws(StorageFailure) {
    guard !bytes.isEmpty else { return }
    try storageTransaction(isDurable: false) { database in
      let size = try Int.fetchOne(
        database, sql: "SELECT bytes FROM plugin_blobs WHERE number = ? AND hash IS NULL", arguments: [number])
      guard let size else { throw StorageFailure.noBlob }
      var rest = bytes[...]
      var position = size / RunStore.blobPiece
      if size % RunStore.blobPiece > 0 {
        let part = rest.prefix(RunStore.blobPiece - size % RunStore.blobPiece)
        rest = rest.dropFirst(part.count)
        // `||` makes a text of it.
        try database.execute(
          sql: "UPDATE plugin_blob_pieces SET content = CAST(content || ? AS BLOB) WHERE blob = ? AND position = ?",
          arguments: [Data(part), number, position])
        position += 1
      }
      while !rest.isEmpty {
        let part = rest.prefix(RunStore.blobPiece)
        rest = rest.dropFirst(part.count)
        try database.execute(
          sql: "INSERT INTO plugin_blob_pieces (blob, position, content) VALUES (?, ?, ?)",
          arguments: [number, position, Data(part)])
        position += 1
      }
      try database.execute(
        sql: "UPDATE plugin_blobs SET bytes = ? WHERE number = ?", arguments: [size + bytes.count, number])
    }
    hashes.withLock { $0[number]?.update(bytes) }
  }

  /// Completes a blob; on disk when it returns. One with the same bytes that is there already is kept instead.
  ///
  /// - Throws: `StorageFailure`: `absent` where there is no unfinished blob of that number, `failed`.
  public func finishBlob(_ number: Int64) throws(StorageFailure) -> String {
    guard let hash = hashes.withLock({ $0.removeValue(forKey: number)?.finish() }) else { throw .noBlob }
    try storageTransaction { database in
      let known = try Int64.fetchOne(
        database, sql: "SELECT number FROM plugin_blobs WHERE hash = ?", arguments: [hash])
      if known != nil {
        try database.execute(
          sql: "DELETE FROM plugin_blobs WHERE number = ? AND hash IS NULL", arguments: [number])
        guard database.changesCount == 1 else { throw StorageFailure.noBlob }
        // As young as one just made: upkeep leaves it alone until somebody has named it.
        try database.execute(
          sql: "UPDATE plugin_blobs SET created_at = ? WHERE hash = ?",
          arguments: [time.now.rfc3339Milliseconds, hash])
      } else {
        try database.execute(
          sql: "UPDATE plugin_blobs SET hash = ? WHERE number = ? AND hash IS NULL", arguments: [hash, number])
      }
      guard database.changesCount == 1 else { throw StorageFailure.noBlob }
    }
    return hash
  }

  /// Drops an unfinished blob.
  public func discardBlob(_ number: Int64) {
    hashes.withLock { _ = $0.removeValue(forKey: number) }
    // What stays goes with a later blob.
    try? storageTransaction(isDurable: false) { database in
      try database.execute(sql: "DELETE FROM plugin_blobs WHERE number = ? AND hash IS NULL", arguments: [number])
    }
  }

  /// The bytes of a blob; `nil` if it does not exist.
  ///
  /// - Throws: `StorageFailure`: `failed`.
  public func blobSize(hash: String) throws(StorageFailure) -> Int? {
    try storage { database in
      try Int.fetchOne(database, sql: "SELECT bytes FROM plugin_blobs WHERE hash = ?", arguments: [hash])
    }
  }

  /// Reads up to `length` bytes from an offset; fewer come only at the end.
  ///
  /// - Throws: `StorageFailure`: `absent`, `failed`.
  public func readBlob(hash: String, offset: UInt64, length: Int) throws(StorageFailure) -> [UInt8] {
    try storage { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT number, bytes FROM plugin_blobs WHERE hash = ?", arguments: [hash])
      guard let row else { throw StorageFailure.noBlob }
      let columns = RowReader(row: row, path: path)
      let number = try columns.integer("number")
      let size = try columns.integer("bytes")
      guard let start = Int(exactly: offset), start < size, length > 0 else { return [] }
      let end = start + min(length, size - start)
      let pieces = try Data.fetchCursor(
        database,
        sql: "SELECT content FROM plugin_blob_pieces WHERE blob = ? AND position BETWEEN ? AND ? ORDER BY position",
        arguments: [number, start / RunStore.blobPiece, (end - 1) / RunStore.blobPiece])
      var result: [UInt8] = []
      result.reserveCapacity(end - start)
      var skipped = start % RunStore.blobPiece
      while let piece = try pieces.next() {
        result += piece.dropFirst(skipped).prefix(end - start - result.count)
        skipped = 0
      }
      return result
    }
  }
}

extension StorageFailure {
  fileprivate static var noBlob: StorageFailure {
    StorageFailure(.absent, LocalizedText("There is no such blob.", de: "Diesen Blob gibt es nicht."))
  }
}
