internal import GRDB
internal import Glibc

extension RunStore {
  /// The -wal file is folded into the database beyond this size, where readers have kept it from shrinking by itself.
  private static let longestWAL = 24 << 20

  /// Gives free pages back to the file system, in small steps between which others write.
  ///
  /// - Returns: By how many bytes the database file has become smaller.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  @discardableResult
  public func vacuum() async throws -> Int {
    let before = try await pages().bytes
    while try await vacuumStep(pages: 256) {}
    try await foldWAL(beyond: 0)
    return max(0, before - (try await pages().bytes))
  }

  /// Gives some free pages back.
  ///
  /// - Returns: Whether there are more.
  func vacuumStep(pages count: Int) async throws -> Bool {
    let before = try await pages().free
    guard before > 0 else { return false }
    try await change { try $0.database.execute(sql: "PRAGMA incremental_vacuum(\(count))") }
    let after = try await pages().free
    // A file that was made without incremental vacuum keeps its free pages.
    return after > 0 && after < before
  }

  /// How large the file is.
  func pages() async throws -> DatabasePages { try await look { try DatabasePages($0) } }

  /// Bytes of the database file and of its -wal file.
  public func fileSizes() -> (database: Int, wal: Int) { (Self.size(of: path), Self.size(of: path + "-wal")) }

  /// Bytes of a file; 0 where there is none.
  static func size(of path: String) -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
  }

  /// Shortens the -wal file where readers have kept it from shrinking by itself.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func limitWAL() async throws(RunStoreError) { try await foldWAL(beyond: RunStore.longestWAL) }

  /// Brings what stands in the -wal file into the database and shortens it, where it has grown beyond a size.
  ///
  /// SQLite does so by itself with the commits, as far as readers let it; see
  /// <https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files>.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be written. Readers in the way are no error.
  func foldWAL(beyond limit: Int) async throws(RunStoreError) {
    guard fileSizes().wal > limit, let writer else { return }
    try await writer.foldWAL()
  }
}
