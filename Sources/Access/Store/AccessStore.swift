internal import Expressions
internal import GRDB
internal import Localization
internal import StoreFile

/// Users, roles, sessions, tokens and the audit log, in a file of their own beside the run log.
///
/// The functions block until they are done. Changes are one transaction and on disk when they return. Several processes may
/// work with the file at once.
public struct AccessStore: Sendable {
  /// The name of the file in the state folder.
  public static let fileName = "access.db"

  /// The file.
  public let path: String
  /// The times and costs of sign-in.
  public let limits: AccessLimits
  private let file: StoreFile

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - creates: Whether it is made, with its folder, if it does not exist.
  ///   - limits: The times and costs of sign-in.
  /// - Returns: `nil` if it does not exist and is not to be made.
  /// - Throws: ``AccessError``: `foreign_file` for a file of another program or a newer Sous, `damaged_file`, `io`.
  public init?(path: String, creates: Bool, limits: AccessLimits = .standard) throws(AccessError) {
    (self.path, self.limits) = (path, limits)
    do {
      guard let file = try StoreFile(path: path, format: Self.format, creates: creates) else { return nil }
      self.file = file
    } catch {
      throw AccessError(error, path: path)
    }
  }

  /// Opens the file, which is made if it does not exist.
  ///
  /// - Throws: ``AccessError``: `foreign_file`, `damaged_file`, `io`.
  public static func opened(_ path: String, limits: AccessLimits = .standard) throws(AccessError) -> AccessStore {
    guard let store = try AccessStore(path: path, creates: true, limits: limits) else {
      throw AccessError(.failed, "\(path) cannot be opened", de: "\(path) lässt sich nicht öffnen")
    }
    return store
  }

  /// A store without a file and without users, for a process that has one caller: the user of the project.
  ///
  /// - Throws: ``AccessError`` with the code `io`.
  public static func inMemory() throws(AccessError) -> AccessStore { try AccessStore() }

  private init() throws(AccessError) {
    (path, limits) = (":memory:", .standard)
    do {
      file = try StoreFile(inMemory: Self.format)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  /// Closes the file.
  public func close() { file.close() }

  func read<Answer>(_ body: (Database) throws -> Answer) throws(AccessError) -> Answer {
    do {
      return try file.read(body)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  func write<Answer>(_ body: (Database) throws -> Answer) throws(AccessError) -> Answer {
    do {
      return try file.write(body)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  func withoutTransaction(_ body: (Database) throws -> Void) throws(AccessError) {
    do {
      try file.withoutTransaction(body)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  /// The mark is the letters `SOAC`. Deleted names must not be readable in free pages of the file.
  private static let format = StoreFormat(
    label: "access", applicationID: 0x534F_4143,
    steps: [AccessTables.first, AccessTables.settings, AccessTables.savedFilters], pragmas: ["secure_delete = ON"])
}

extension AccessError {
  init(_ error: any Error, path: String) {
    if let error = error as? AccessError {
      self = error
      return
    }
    if let error = error as? StoreFileError {
      self.init(error, path: path)
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(.failed, "\(path): \(error)", de: "\(path): \(error)")
      return
    }
    // The message of SQLite alone: a description of the error would contain the values of the statement.
    let cause = error.message ?? "SQLite \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB:
      self.init(
        .foreignFile, "\(path) is not a file with users of Sous; restore it from a backup, or move it away",
        de: "\(path) ist keine Datei mit Benutzern von Sous; aus einer Sicherung holen oder wegräumen")
    case .SQLITE_CORRUPT:
      self.init(
        .damagedFile, "\(path) is damaged: \(cause); restore it from a backup",
        de: "\(path) ist beschädigt: \(cause); aus einer Sicherung holen")
    case .SQLITE_BUSY:
      self.init(
        .failed, "\(path) is in use by another process; try again", de: "\(path) ist belegt; noch einmal versuchen")
    default:
      self.init(.failed, "\(path): \(cause)", de: "\(path): \(cause)")
    }
  }

  private init(_ error: StoreFileError, path: String) {
    switch error {
    case .unusable(let place, let code):
      self.init(
        .failed,
        LocalizedText("users cannot be stored in \(place): ", de: "Benutzer lassen sich nicht in \(place) speichern: ")
          + .systemError(code))
    case .foreign:
      self.init(
        .foreignFile, "\(path) is not a file with users of Sous", de: "\(path) ist keine Datei mit Benutzern von Sous")
    case .newer:
      self.init(
        .foreignFile, "\(path) was written by a newer Sous; update Sous",
        de: "\(path) stammt von einem neueren Sous; Sous aktualisieren")
    case .closed:
      self.init(
        .failed, "\(path) is closed, because the server is stopping; try again",
        de: "\(path) ist geschlossen, weil der Server anhält; noch einmal versuchen")
    }
  }
}

extension Timestamp {
  /// Nanoseconds since 1970, as the database stores times; the nearest of the years 1678 to 2261.
  var stored: Int64 {
    let bounded = min(max(seconds, -9_223_372_036), 9_223_372_035)
    return bounded * 1_000_000_000 + Int64(bounded == seconds ? nanoseconds : 0)
  }

  init(stored: Int64) {
    let part = (stored % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    self.init(seconds: (stored - part) / 1_000_000_000, nanoseconds: Int32(part))
  }
}
