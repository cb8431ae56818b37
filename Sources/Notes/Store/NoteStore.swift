internal import Expressions
internal import GRDB
public import Localization
internal import StoreFile

/// The notes of a workspace, in a file of their own beside the run log: no retention and no deletion of runs touches them.
///
/// The functions block until they are done. Changes are one transaction and on disk when they return. Several processes may
/// work with the file at once.
public struct NoteStore: Sendable {
  /// The bytes of every piece of a file's content but the last.
  public static let pieceSize = 256 << 10
  /// The most bytes of one text of a note.
  public static let textLimit = 16 << 20
  /// The most bytes of one file of a note.
  public static let fileLimit = 1 << 30

  /// The file.
  public let path: String
  private let file: StoreFile

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - creates: Whether it is made, with its folder, if it does not exist.
  ///   - language: The language of the categories of a new file.
  /// - Returns: `nil` if it does not exist and is not to be made.
  /// - Throws: ``NoteError``: `foreign_file` for a file of another program or a newer Sous, `io`.
  public init?(path: String, creates: Bool, language: Language = .english) throws(NoteError) {
    self.path = path
    do {
      guard let file = try StoreFile(path: path, format: Self.format(language), creates: creates) else { return nil }
      self.file = file
    } catch {
      throw NoteError(error, path: path)
    }
  }

  /// Opens the file, which is made if it does not exist.
  ///
  /// - Parameter language: The language of the categories of a new file.
  /// - Throws: ``NoteError``: `foreign_file`, `io`.
  public static func opened(_ path: String, language: Language) throws(NoteError) -> NoteStore {
    guard let store = try NoteStore(path: path, creates: true, language: language) else {
      throw NoteError(.failed, "\(path) cannot be opened", de: "\(path) lässt sich nicht öffnen")
    }
    return store
  }

  /// Closes the file.
  public func close() { file.close() }

  func read<Answer>(_ body: (Database) throws -> Answer) throws(NoteError) -> Answer {
    do {
      return try file.read(body)
    } catch {
      throw NoteError(error, path: path)
    }
  }

  func write<Answer>(_ body: (Database) throws -> Answer) throws(NoteError) -> Answer {
    do {
      return try file.write(body)
    } catch {
      throw NoteError(error, path: path)
    }
  }

  /// The mark is the letters `SONO`.
  private static func format(_ language: Language) -> StoreFormat {
    StoreFormat(
      label: "notes", applicationID: 0x534F_4E4F, steps: [NoteTables.first],
      firstPragmas: ["auto_vacuum = INCREMENTAL"],
      fill: { try NoteTables.add(NoteCategory.first(in: language), to: $0) })
  }
}

extension NoteError {
  init(_ error: any Error, path: String) {
    switch error {
    case let error as NoteError: self = error
    case StoreFileError.unusable(let place, let code):
      self.init(
        .failed,
        LocalizedText("notes cannot be stored in \(place): ", de: "Notizen lassen sich nicht in \(place) speichern: ")
          + .systemError(code))
    case StoreFileError.foreign:
      self.init(.foreign, "\(path) is not a file with notes", de: "\(path) ist keine Datei mit Notizen")
    case StoreFileError.newer:
      self.init(
        .foreign, "\(path) was written by a newer Sous; update Sous",
        de: "\(path) stammt von einem neueren Sous; Sous aktualisieren")
    case StoreFileError.closed:
      self.init(
        .failed, "\(path) is closed, because the process is ending; try again",
        de: "\(path) ist geschlossen, weil der Prozess endet; noch einmal versuchen")
    default:
      let cause = (error as? DatabaseError)?.message ?? "\(error)"
      self.init(.failed, "\(path): \(cause)", de: "\(path): \(cause)")
    }
  }
}

extension Timestamp {
  /// Nanoseconds since 1970, as the database keeps points in time; `nil` outside the years 1678 to 2261.
  var stored: Int64? {
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLarge) = whole.addingReportingOverflow(Int64(nanoseconds))
    return overflows || isTooLarge ? nil : sum
  }

  init(stored: Int64) {
    let part = (stored % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    self.init(seconds: (stored - part) / 1_000_000_000, nanoseconds: Int32(part))
  }
}
