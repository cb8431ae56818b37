import Expressions
import Foundation
import Localization
import Notes
import TestSupport

/// A folder with a file of notes, removed at the end.
final class TemporaryNotes: Sendable {
  private let temporary: TemporaryFolder
  let store: NoteStore

  var folder: String { temporary.path }
  var path: String { temporary("notes.db") }

  init() throws {
    temporary = try TemporaryFolder()
    store = try NoteStore.opened(temporary("notes.db"), language: .german)
  }

  deinit { store.close() }

  /// Keeps a note.
  @discardableResult
  func add(_ text: String, at seconds: Int64 = 0, _ change: (inout Note) -> Void = { _ in }) throws -> Note {
    var note = Note(id: NoteStore.newID(), text: text, created: .start.adding(seconds: Double(seconds)))
    change(&note)
    return try store.save(NoteDraft(note)).note
  }

  /// All of a content.
  func content(_ hash: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try store.readContent(hash) { bytes += $0 }
    return bytes
  }
}

extension Timestamp {
  /// 2026-11-24 09:00 UTC.
  static let start = Timestamp(seconds: 1_795_510_800)
}
