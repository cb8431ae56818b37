internal import GRDB
internal import Localization

extension RunStoreError {
  /// Translates what GRDB threw while working on a database file.
  ///
  /// Result codes: <https://www.sqlite.org/rescode.html>. SQLite's own text goes into ``cause`` alone, without the
  /// statement's arguments: those could be secrets.
  init(_ error: any Error, path: String) {
    switch error {
    case let known as RunStoreError: self = known
    case let sqlite as DatabaseError: self = RunStoreError(sqlite: sqlite, path: path)
    case is CancellationError: self = .cancelled
    // A single column that holds another type than it should.
    case is RowDecodingError: self = .damaged(path: path, cause: "a column cannot be read")
    default: self = .unexpected(path: path, cause: String(describing: type(of: error)))
    }
  }

  /// The surrounding task was cancelled.
  static var cancelled: RunStoreError {
    RunStoreError(.cancelled, LocalizedText("The query was cancelled.", de: "Die Abfrage wurde abgebrochen."))
  }

  private init(sqlite error: DatabaseError, path: String) {
    let cause = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .notADatabase(path: path, cause: cause)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path, cause: cause)
    case .SQLITE_FULL: self = .diskFull(path: path, cause: cause)
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .locked(path: path, cause: cause)
    case .SQLITE_CORRUPT, .SQLITE_FORMAT: self = .damaged(path: path, cause: cause)
    case .SQLITE_CANTOPEN: self = .notReadable(path: path, cause: cause)
    case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH: self = .entryRefused(path: path, cause: cause)
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      self = .diskFull(path: path, cause: cause)
    case .SQLITE_IOERR: self = .io(path: path, cause: cause)
    case .SQLITE_INTERRUPT, .SQLITE_ABORT: self = .cancelled
    case .SQLITE_MISUSE: self = .closed(path: path, cause: cause)
    default: self = .unexpected(path: path, cause: cause)
    }
  }

  /// Whether the entries themselves are at fault, so that others in the same transaction need not suffer.
  var isAboutEntries: Bool { code == .entryRefused }
}
