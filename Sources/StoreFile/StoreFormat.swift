public import GRDB

/// The format of a ``StoreFile``: its mark, its schema and its settings.
public struct StoreFormat: Sendable {
  /// A word for the log of the database.
  public let label: String
  /// The mark of the format, as `PRAGMA application_id`: four letters in ASCII.
  public let applicationID: Int
  /// Every step of the schema, as SQL; a published one is never edited.
  public let steps: [String]
  /// Settings that count only before the first table is made, such as `auto_vacuum = INCREMENTAL`.
  public let firstPragmas: [String]
  /// Settings of each connection, such as `secure_delete = ON`.
  public let pragmas: [String]
  /// Fills a new file, in the transaction that makes its tables.
  public let fill: @Sendable (Database) throws -> Void

  /// Describes a format.
  public init(
    label: String, applicationID: Int, steps: [String], firstPragmas: [String] = [], pragmas: [String] = [],
    fill: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) {
    (self.label, self.applicationID, self.steps) = (label, applicationID, steps)
    (self.firstPragmas, self.pragmas, self.fill) = (firstPragmas, pragmas, fill)
  }
}

/// Why a ``StoreFile`` cannot be opened or used.
public enum StoreFileError: Error, Equatable {
  /// A file or its folder cannot be made; `code` is `errno`.
  case unusable(path: String, code: Int32)
  /// The file belongs to another program, or has another format.
  case foreign
  /// A newer version of Sous wrote the file.
  case newer
  /// The file was closed, because the process ends.
  case closed
}
