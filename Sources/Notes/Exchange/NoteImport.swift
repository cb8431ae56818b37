public import Expressions
internal import Foundation
internal import Hashing
public import Localization

/// Notes that were read from JSON: `entries.json` in all its forms, VoiceNotes, and what ``NoteExport`` writes.
public struct NoteImport: Sendable {
  /// A remark about an import.
  public struct Remark: Sendable {
    /// The position in the array, from 1.
    public var position: Int
    /// The subject.
    public var title: String
    /// The text.
    public var message: LocalizedText
    /// Whether the entry is left out.
    public var isLeftOut: Bool

    /// Creates a remark.
    public init(position: Int, title: String, message: LocalizedText, isLeftOut: Bool) {
      (self.position, self.title, self.message, self.isLeftOut) = (position, title, message, isLeftOut)
    }
  }

  /// A note, and the names of its files in the order of ``Notes/Note/files``, below the JSON's folder.
  public struct Entry: Sendable {
    /// The note; its files have no contents yet.
    public var note: Note
    /// Where the contents are.
    public var paths: [String]
  }

  /// The notes, in the order of the file.
  public var entries: [Entry] = []
  /// The categories that the file names, in its order.
  public var categories: [NoteCategory] = []
  /// The text.
  public var remarks: [Remark] = []

  /// The most entries of one file.
  private static let mostEntries = 200_000

  /// Reads a file.
  ///
  /// - Throws: ``NoteError`` with code `invalid_input` if it is none of the known forms.
  public init(_ json: Value, now: Timestamp) throws(NoteError) {
    let list: [Value]
    if case .list(let entries) = json {
      list = entries
    } else if json["format"]?.stringValue == NoteExport.format, let notes = json["notes"]?.listValue {
      guard json["version"]?.intValue == 1 else {
        throw NoteError(
          .foreign, "the export was written by a newer Sous; update Sous",
          de: "der Export stammt von einem neueren Sous; Sous aktualisieren")
      }
      list = notes
      categories = (json["categories"]?.listValue ?? []).compactMap { category in
        category["name"]?.stringValue.map {
          NoteCategory($0, color: category["color"]?.stringValue, isDefault: category["default"]?.boolValue ?? false)
        }
      }
    } else {
      throw NoteError(
        .invalid, "this is neither an array of entries nor an export of notes",
        de: "das ist weder ein Array von Einträgen noch ein Export von Notizen")
    }
    guard list.count <= Self.mostEntries else {
      throw NoteError(
        .invalid, "the file has more than \(Self.mostEntries) entries",
        de: "die Datei hat mehr als \(Self.mostEntries) Einträge")
    }
    var seen: Set<String> = []
    for (index, value) in list.enumerated() {
      switch Self.entry(value, now: now) {
      case .success(let (read, hasID, told)):
        var entry = read
        // Two entries without ids may say the same.
        while !hasID, seen.contains(entry.note.id) {
          entry.note.id = ContentHash.uuid(of: Array("again\n\(entry.note.id)".utf8))
        }
        remarks += told.map { Remark(position: index + 1, title: entry.note.heading, message: $0, isLeftOut: false) }
        guard seen.insert(entry.note.id).inserted else {
          let message = LocalizedText("another entry has the same id", de: "ein anderer Eintrag hat dieselbe ID")
          remarks.append(Remark(position: index + 1, title: entry.note.heading, message: message, isLeftOut: true))
          continue
        }
        entries.append(entry)
      case .failure(let problem):
        remarks.append(Remark(position: index + 1, title: "", message: problem.message, isLeftOut: true))
      }
    }
  }

  /// The fields that hold texts.
  private static let textNames = [
    "text", "content", "originalTranscription", "corrected", "aiText", "correctedText", "summary", "title",
  ]

  private static func entry(
    _ value: Value, now: Timestamp
  ) -> Result<(Entry, hasID: Bool, [LocalizedText]), NoteError> {
    guard case .map(let fields) = value else {
      return .failure(NoteError(.invalid, "it is not an object", de: "es ist kein Objekt"))
    }
    let texts = ["text", "content", "originalTranscription", "aiText", "correctedText", "audioFileName", "audioURL"]
    guard texts.contains(where: { fields[$0] != nil }) || fields["id"] != nil else {
      return .failure(NoteError(.invalid, "it has none of a note's fields", de: "es hat keines der Felder einer Notiz"))
    }
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { fields[$0]?.stringValue }.first
    }
    var told: [LocalizedText] = []
    let wrong = textNames.first { name in fields[name].map { !$0.isNull && $0.stringValue == nil } ?? false }
    if let name = wrong {
      let message = LocalizedText("its '\(name)' is not a text", de: "'\(name)' ist kein Text")
      guard text("text", "content", "originalTranscription") != nil else {
        return .failure(NoteError(.invalid, message))
      }
      told.append(message)
    }
    let id = text("id").flatMap(NoteStore.id)
    if id == nil {
      told.append(
        LocalizedText(
          "it has no UUID; it gets one made of its content", de: "die UUID fehlt; sie wird aus dem Inhalt gebildet")
      )
    }
    let given = ["date", "timestamp", "createdAt", "created"].lazy.compactMap { fields[$0] }.first { !$0.isNull }
    let created = NoteDates.read(given)
    if created == nil {
      told.append(
        LocalizedText("its date is missing or none; it is now", de: "das Datum fehlt oder ist keines; es ist jetzt"))
    }
    var note = Note(
      id: id ?? "", text: text("text", "content", "originalTranscription") ?? "", created: created ?? now
    )
    note.title = text("title")
    note.corrected = text("corrected", "aiText", "correctedText")
    note.summary = text("summary")
    // VoiceNotes writes what it has not made as an empty text.
    if fields["originalTranscription"] != nil {
      if note.corrected?.isEmpty == true { note.corrected = nil }
      if note.summary?.isEmpty == true { note.summary = nil }
    }
    note.category = text("category")
    note.tags = (fields["tags"]?.listValue ?? []).compactMap(\.stringValue)
    note.source = text("source")
    note.usesModel = (fields["useAI"] ?? fields["use_model"])?.boolValue
    note.reminder = NoteDates.read(fields["reminderDate"] ?? fields["reminder"])
    if let updated = NoteDates.read(fields["updated"]) { note.updated = updated }
    var paths: [String] = []
    for file in fields["files"]?.listValue ?? [] {
      guard let name = file["name"]?.stringValue else { continue }
      let role = file["role"]?.stringValue.flatMap(NoteFile.Role.init) ?? .attachment
      note.files.append(
        NoteFile(role, name: NoteFileNames.safe(name), type: file["type"]?.stringValue ?? NoteFileNames.type(of: name)))
      paths.append(file["file"]?.stringValue ?? name)
    }
    if let audio = audioName(fields) {
      note.files.append(NoteFile(.audio, name: audio, type: NoteFileNames.type(of: audio)))
      paths.append(audio)
    }
    note.kind = kind(fields, isRecorded: note.audio != nil)
    if id == nil { note.id = self.id(of: note, dated: created, fields["id"], paths) }
    return .success((Entry(note: note, paths: paths), id != nil, told))
  }

  /// The id of an entry without one, made of what it says, so that a second import knows it again.
  private static func id(of note: Note, dated date: Timestamp?, _ given: Value?, _ paths: [String]) -> String {
    let texts = [date?.rfc3339, note.title, note.text.isEmpty ? note.corrected : note.text] + paths
    let content = Value.list([given ?? .null] + texts.map { text in text.map { .string($0) } ?? .null })
    return ContentHash.uuid(of: Array("entry\n".utf8) + content.json())
  }

  /// Without `type`, a reference to audio makes it audio; what VoiceNotes keeps was spoken.
  private static func kind(_ fields: ValueMap, isRecorded: Bool) -> Note.Kind {
    // Swift writes an enumeration without raw values as {"audio":{}}.
    let given = fields["type"] ?? fields["kind"]
    let word = given?.stringValue ?? given?.mapValue?.keys.first?.text
    if let kind = word.flatMap({ Note.Kind(rawValue: $0.lowercased()) }) { return kind }
    return isRecorded || fields["originalTranscription"] != nil ? .audio : .text
  }

  /// The name of the recording beside the file; of a URL its last part.
  private static func audioName(_ fields: ValueMap) -> String? {
    if let name = fields["audioFileName"]?.stringValue, !name.isEmpty { return NoteFileNames.safe(name) }
    let url = fields["audioURL"]?.stringValue ?? fields["audioURL"]?["relative"]?.stringValue
    guard let url, !url.isEmpty else { return nil }
    let last = url.split(separator: "/").last.map(String.init) ?? url
    return NoteFileNames.safe(last.removingPercentEncoding ?? last)
  }
}
