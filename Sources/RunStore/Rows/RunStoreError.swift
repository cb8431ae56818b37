public import Engine
public import Localization

/// What is wrong with the run log, or with a question put to it.
public struct RunStoreError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file is there but is no SQLite database, or one that is damaged at its very beginning.
    public static let notADatabase = Code(rawValue: "not_a_database")
    /// The file is an SQLite database of another program.
    public static let foreignDatabase = Code(rawValue: "foreign_database")
    /// A newer Sous wrote the file.
    public static let newerSchema = Code(rawValue: "schema_newer")
    /// An older Sous wrote the file, and it cannot be brought up to date: it may not be written, or it is too old.
    public static let outdatedSchema = Code(rawValue: "schema_outdated")
    /// The file has an older schema, and a process of an older Sous still works with it.
    public static let schemaInUse = Code(rawValue: "schema_in_use")
    /// The disk is too full for the copy that is made before the schema changes.
    public static let noRoomForCopy = Code(rawValue: "no_room_for_copy")
    /// The file or its folder may not be written.
    public static let readOnly = Code(rawValue: "database_read_only")
    /// There is no room for what had to be written.
    public static let diskFull = Code(rawValue: "disk_full")
    /// Another process kept the database locked for longer than the timeout.
    public static let locked = Code(rawValue: "database_locked")
    /// The folder that is to hold the database cannot be made.
    public static let folderNotCreatable = Code(rawValue: "folder_not_creatable")
    /// There is no database yet.
    public static let missing = Code(rawValue: "database_missing")
    /// The file may not be read.
    public static let notReadable = Code(rawValue: "database_not_readable")
    /// The file is damaged.
    public static let damaged = Code(rawValue: "database_damaged")
    /// The operating system could not read or write the file.
    public static let io = Code(rawValue: "database_io")
    /// A journal entry does not fit what is recorded: it speaks of a run or step that is not there, or repeats one.
    public static let entryRefused = Code(rawValue: "journal_entry_refused")
    /// The file is a copy of a run log whose unfinished runs may go on elsewhere.
    public static let copied = Code(rawValue: "database_copied")
    /// The store has been closed.
    public static let closed = Code(rawValue: "store_closed")
    /// Others took this process for lost and have taken its runs over; it may write no more.
    public static let processLost = Code(rawValue: "process_lost")
    /// Nobody is asked for a decision there, or it has been made.
    public static let waitNotFound = Code(rawValue: "wait_not_found")
    /// Several decisions of a run are open; the step has to be named.
    public static let waitAmbiguous = Code(rawValue: "wait_ambiguous")
    /// Nothing is in doubt there, or it has been settled.
    public static let doubtNotFound = Code(rawValue: "doubt_not_found")
    /// No run has that name.
    public static let runNotFound = Code(rawValue: "run_not_found")
    /// The beginning of a name fits several runs.
    public static let ambiguousRun = Code(rawValue: "run_ambiguous")
    /// The run has no such step.
    public static let stepNotFound = Code(rawValue: "step_not_found")
    /// The step, or the item, has no output.
    public static let outputNotFound = Code(rawValue: "output_not_found")
    /// A backup would overwrite a file.
    public static let destinationExists = Code(rawValue: "destination_exists")
    /// A copy would take the place of the run log, or of another database that somebody works with.
    public static let destinationInUse = Code(rawValue: "destination_in_use")
    /// The file was deleted or replaced while it was open.
    public static let replaced = Code(rawValue: "database_replaced")
    /// The file is gone, but a process that works with it is still there, so that no new one may be made.
    public static let predecessor = Code(rawValue: "database_predecessor")
    /// The file is empty or gone, but its last entries are still beside it.
    public static let emptied = Code(rawValue: "database_emptied")
    /// The surrounding task was cancelled while it waited.
    public static let cancelled = Code(rawValue: "query_cancelled")
    /// SQLite reported something that has no code of its own here.
    public static let other = Code(rawValue: "database_error")
  }

  /// The kind of error.
  public var code: Code
  /// What happened, to which file, and what to do about it.
  public var message: LocalizedText
  /// The database file, or the file or folder that is in the way; `nil` where the error is about a run.
  public var path: String?
  /// The runs that a beginning could mean, newest first; for ``Code/ambiguousRun``, at most ten.
  public var candidates: [RunID]
  /// What SQLite or the operating system said, in English, for a bug report; holds no stored value.
  public var cause: String?

  /// Creates an error.
  public init(
    _ code: Code, _ message: LocalizedText, path: String? = nil, candidates: [RunID] = [], cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.candidates = candidates
    self.cause = cause
  }
}

extension RunStoreError: QueueError {
  /// Whether trying again helps.
  public var fault: QueueFault {
    switch code {
    case .locked, .diskFull, .io, .notReadable, .cancelled: .passing
    case .entryRefused, .runNotFound, .copied: .ofRun
    default: .lasting
    }
  }
}
