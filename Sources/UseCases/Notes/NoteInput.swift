package import Engine
package import Expressions
import Hashing
import Localization
package import Notes
import Synchronization

/// Notes as steps and requests describe them.
package enum NoteInput {
  private static let prefix = "blob:sha256:"

  /// The note that `note.save` is to keep.
  ///
  /// - Parameter key: The key of the step, which makes the note's id.
  package static func draft(
    _ input: Value, key: String, _ blobs: any BlobStore, now: Timestamp
  ) throws -> NoteDraft {
    var files: [NoteDraft.File] = []
    if let audio = input["audio"], !audio.isNull { files.append(try file(.audio, audio, blobs)) }
    for attachment in input["attachments"]?.listValue ?? [] {
      files.append(try file(.attachment, attachment, blobs))
    }
    var note = Note(
      id: id(of: key), kind: files.first?.file.role == .audio ? .audio : .text, text: input["text"]?.stringValue ?? "",
      created: now)
    if let created = try time(input["created"]) { (note.created, note.updated) = (created, now) }
    if let kind = input["kind"]?.stringValue.flatMap(Note.Kind.init) { note.kind = kind }
    note.corrected = input["corrected"]?.stringValue
    note.summary = input["summary"]?.stringValue
    note.title = input["title"]?.stringValue
    note.category = input["category"]?.stringValue
    note.tags = words(input["tags"])
    note.source = input["source"]?.stringValue
    note.reminder = try time(input["reminder"])
    return NoteDraft(note, files: files, call: key)
  }

  /// Carries a change of `note.update` out.
  package static func change(_ note: inout Note, _ input: Value) throws {
    guard case .map(let fields) = input else { return }
    if let text = fields["text"]?.stringValue { note.text = text }
    if let value = fields["corrected"] { note.corrected = value.stringValue }
    if let value = fields["summary"] { note.summary = value.stringValue }
    if let value = fields["title"] { note.title = value.stringValue }
    if let value = fields["category"] { note.category = value.stringValue }
    if let value = fields["tags"] { note.tags = words(value) }
    if let value = fields["source"] { note.source = value.stringValue }
    if let value = fields["reminder"] { note.reminder = try time(value) }
  }

  package static func filter(_ input: Value) throws -> NoteFilter {
    var filter = NoteFilter()
    filter.category = input["category"]?.stringValue
    filter.tags = words(input["tags"])
    filter.kind = input["kind"]?.stringValue.flatMap(Note.Kind.init)
    filter.since = try time(input["since"])
    filter.before = try time(input["before"])
    return filter
  }

  private static func words(_ value: Value?) -> [String] { (value?.listValue ?? []).compactMap(\.stringValue) }

  private static func time(_ value: Value?) throws(ActionFailure) -> Timestamp? {
    switch value {
    case nil, .null?: return nil
    case .timestamp(let time)?: return time
    case .string(let text)?:
      if let time = Timestamp(rfc3339: text) { return time }
      throw ActionFailure(
        .invalidInput, LocalizedText("'\(text)' is no date and time", de: "'\(text)' ist kein Zeitpunkt"))
    default:
      throw ActionFailure(.invalidInput, LocalizedText("this is no date and time", de: "das ist kein Zeitpunkt"))
    }
  }

  private static func file(_ role: NoteFile.Role, _ value: Value, _ blobs: any BlobStore) throws -> NoteDraft.File {
    let blob = value["blob"]?.stringValue ?? ""
    guard blob.hasPrefix(prefix) else {
      throw ActionFailure(.invalidInput, LocalizedText("'\(blob)' is no blob", de: "'\(blob)' ist kein Blob"))
    }
    let hash = String(blob.dropFirst(prefix.count))
    // A missing blob is reported at once.
    _ = try blobs.readBlob(hash: hash, offset: 0, length: 1)
    let name = value["name"]?.stringValue ?? (role == .audio ? "audio" : "file")
    let position = Mutex(UInt64(0))
    return NoteDraft.File(
      NoteFile(role, name: NoteFileNames.safe(name), type: value["type"]?.stringValue ?? NoteFileNames.type(of: name))
    ) {
      try position.withLock { offset in
        let piece = try blobs.readBlob(hash: hash, offset: offset, length: NoteStore.pieceSize)
        offset += UInt64(piece.count)
        return piece
      }
    }
  }

  /// A UUID made of the key of a step.
  private static func id(of key: String) -> String { ContentHash.uuid(of: Array("note\n\(key)".utf8)) }
}
