public import Expressions

/// Notes as JSON for other programs, with the files that lie beside it.
public struct NoteExport: Sendable {
  /// The JSON text.
  public var json: Value
  /// The contents that lie beside it: the file's path below the JSON's folder, and the hash of its content.
  public var files: [(path: String, hash: String)] = []
  /// Files whose contents are missing.
  public var missing: [String] = []

  /// The form of `entries.json`: an array of `LogEntry`.
  ///
  /// It has no place for summaries, sources, colours and attachments; ``full(_:categories:)`` has.
  public static func entries(_ notes: [Note]) -> NoteExport {
    var export = NoteExport(json: .null)
    var names: [String: String] = [:]
    export.json = .list(
      notes.map { note in
        var entry: ValueMap = [
          "id": .string(note.id), "date": NoteDates.written(note.created), "type": .string(note.kind.rawValue),
        ]
        if let title = note.title { entry["title"] = .string(title) }
        if !note.text.isEmpty { entry["text"] = .string(note.text) }
        if let audio = note.audio { entry["audioFileName"] = .string(export.place(audio, note, "", &names)) }
        if let category = note.category { entry["category"] = .string(category) }
        entry["tags"] = .list(note.tags.map { .string($0) })
        if let reminder = note.reminder { entry["reminderDate"] = NoteDates.written(reminder) }
        if let usesModel = note.usesModel { entry["useAI"] = .bool(usesModel) }
        if let corrected = note.corrected { entry["aiText"] = .string(corrected) }
        return .map(entry)
      })
    return export
  }

  /// The form of VoiceNotes: an array of `VoiceNote`.
  public static func voiceNotes(_ notes: [Note]) -> NoteExport {
    NoteExport(
      json: .list(
        notes.map { note in
          [
            "id": .string(note.id), "timestamp": NoteDates.written(note.created),
            "originalTranscription": .string(note.text), "correctedText": .string(note.corrected ?? ""),
            "summary": .string(note.summary ?? ""),
          ]
        }))
  }

  /// Everything about notes: `{format, version, categories, notes}`. The same notes give the same bytes.
  public static func full(_ notes: [Note], categories: [NoteCategory]) -> NoteExport {
    var export = NoteExport(json: .null)
    var names: [String: String] = [:]
    func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    let list: [Value] = notes.map { note in
      let files: [Value] = note.files.map { file in
        [
          "role": .string(file.role.rawValue), "name": .string(file.name), "type": .string(file.type),
          "size": file.size.map { .int(Int64($0)) } ?? .null, "sha256": text(file.hash),
          "file": .string(export.place(file, note, "files/", &names)),
        ]
      }
      return [
        "id": .string(note.id), "kind": .string(note.kind.rawValue), "title": text(note.title),
        "text": .string(note.text), "corrected": text(note.corrected), "summary": text(note.summary),
        "category": text(note.category), "tags": .list(note.tags.map { .string($0) }), "source": text(note.source),
        "use_model": note.usesModel.map { .bool($0) } ?? .null, "reminder": text(note.reminder?.rfc3339),
        "files": .list(files), "created": .string(note.created.rfc3339), "updated": .string(note.updated.rfc3339),
      ]
    }
    export.json = [
      "format": .string(format), "version": 1,
      "categories": .list(
        categories.map {
          ["name": .string($0.name), "color": text($0.color), "default": .bool($0.isDefault)]
        }), "notes": .list(list),
    ]
    return export
  }

  /// The mark of a full export.
  static let format = "sous-notes"

  /// Finds a free name for a file beside the JSON.
  private mutating func place(
    _ file: NoteFile, _ note: Note, _ folder: String, _ names: inout [String: String]
  ) -> String {
    let safe = NoteFileNames.safe(file.name)
    guard let hash = file.hash else {
      missing.append(safe)
      return folder + safe
    }
    var name = safe
    for attempt in 0... {
      // Of equal names those with another content get the note's id in front.
      if attempt > 0 { name = "\(note.id)\(attempt > 1 ? "-\(attempt)" : "")-\(safe)" }
      let key = name.lowercased()
      if names[key] == nil { files.append((folder + name, hash)) }
      if names[key] == nil || names[key] == hash { break }
    }
    names[name.lowercased()] = hash
    return folder + name
  }
}
