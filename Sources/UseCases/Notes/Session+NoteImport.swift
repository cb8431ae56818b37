import Engine
public import Expressions
import Foundation
import Localization
public import Notes

/// What an import of notes has done.
public struct NoteImportReport: Sendable {
  /// The notes that are new.
  public var added: [Note] = []
  /// How many of the file were there already, by their ids; they were left alone.
  public var known = 0
  /// What is told about entries.
  public var remarks: [NoteImport.Remark] = []
}

extension Session {
  /// Keeps the notes of a file, all or none; notes that are there already are left alone. Their files lie beside it.
  ///
  /// - Parameters:
  ///   - json: The content of the file.
  ///   - folder: Its folder.
  ///   - now: Entries without a date get this one.
  ///   - isPreview: Whether nothing is to be kept.
  /// - Throws: ``UseCaseError`` where it is none of the known forms, or the notes cannot be kept.
  public func importNotes(
    _ json: Value, from folder: String, now: Timestamp, isPreview: Bool = false
  ) async throws(UseCaseError) -> NoteImportReport {
    let read = try mapErrors { try NoteImport(json, now: now) }
    return try await withNotes { keeper in
      let (drafts, begun) = try Self.drafts(of: read, from: folder, in: keeper.notes)
      var report = begun
      if isPreview {
        report.added = drafts.map(\.note)
        return report
      }
      report.added = try keeper.notes.add(drafts, categories: read.categories)
      for note in report.added where note.reminder != nil { _ = try await keeper.settle(note, now) }
      return report
    }
  }

  /// What is new in an import, in the order of its dates, and a report that still lacks the notes.
  private static func drafts(
    of read: NoteImport, from folder: String, in notes: NoteStore
  ) throws -> ([NoteDraft], NoteImportReport) {
    var report = NoteImportReport()
    report.remarks = read.remarks
    var drafts: [NoteDraft] = []
    for (index, entry) in read.entries.enumerated() {
      if try notes.note(id: entry.note.id) != nil {
        report.known += 1
        continue
      }
      var draft = NoteDraft(entry.note)
      draft.note.files = []
      for (file, path) in zip(entry.note.files, entry.paths) {
        let content = content(path, in: folder)
        if content == nil {
          report.remarks.append(
            .init(
              position: index + 1, title: entry.note.heading,
              message: LocalizedText(
                "its file '\(path)' is not there; the note is kept without it",
                de: "die Datei '\(path)' fehlt; die Notiz bleibt ohne sie"), isLeftOut: false))
        }
        draft.files.append(NoteDraft.File(file, content: content))
      }
      drafts.append(draft)
    }
    report.remarks.sort { $0.position < $1.position }
    // Numbers grow with the time of notes.
    drafts.sort { ($0.note.created, $0.note.id) < ($1.note.created, $1.note.id) }
    return (drafts, report)
  }

  /// The content of a file below a folder; `nil` where there is none, or where its path leads elsewhere.
  private static func content(_ path: String, in folder: String) -> (@Sendable () throws -> [UInt8])? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    let whole = folder + "/" + path
    // A link may lead anywhere.
    guard
      let type = try? FileManager.default.attributesOfItem(atPath: whole)[.type] as? FileAttributeType,
      type == .typeRegular, let handle = FileHandle(forReadingAtPath: whole)
    else { return nil }
    return { Array(try handle.read(upToCount: NoteStore.pieceSize) ?? Data()) }
  }
}
