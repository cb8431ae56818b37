import Access
import Engine
import Expressions
import HTTPTypes
import Hashing
import Localization
import Notes
import PluginHost
import RecordJSON
import RunStore
import Schedules
import UseCases

/// Operations on notes and their categories.
enum NoteRoutes {
  private typealias S = APISchema

  static let all: [Route] = [
    list, search, tags, export, create, show, file, change, delete, listCategories, addCategory, changeCategory,
    deleteCategory,
  ]

  private static let number = RouteParameter.number("note")

  // MARK: - Reading

  private static let filters: [RouteParameter] = [
    .query("category", S.name, "Only notes of this category.", de: "Nur Notizen dieser Kategorie."),
    .query(
      "tag", S.name, "Only notes with this tag; may be repeated.",
      de: "Nur Notizen mit diesem Schlagwort; mehrfach möglich.",
      isList: true),
    .query(
      "kind", S.words(Note.Kind.allCases.map(\.rawValue)), "Only notes of this kind.", de: "Nur Notizen dieser Art."),
    .query("since", S.time, "Only notes made then or later.", de: "Nur Notizen, die dann oder später entstanden."),
    .query("before", S.time, "Only notes made before.", de: "Nur Notizen, die davor entstanden."),
  ]

  private static func filter(_ request: APIRequest) -> NoteFilter {
    var filter = NoteFilter()
    filter.category = request.query["category"]?.stringValue
    filter.tags = request.texts("tag")
    filter.kind = request.query["kind"]?.stringValue.flatMap(Note.Kind.init(rawValue:))
    filter.since = request.time("since")
    filter.before = request.time("before")
    return filter
  }

  /// Reads the notes on a thread that may block.
  private static func reading<Answer: Sendable>(
    _ request: APIRequest, ifMissing: Answer, _ body: @escaping @Sendable (NoteStore) throws -> Answer
  ) async throws -> Answer {
    let workspace = request.services.workspace
    return try await request.blocking { try workspace.readingNotes(body, ifMissing: { ifMissing }) }
  }

  /// The categories of notes that do not exist yet.
  private static func firstCategories(_ request: APIRequest) -> [NoteCategory] {
    NoteCategory.first(in: request.services.workspace.surroundings.language)
  }

  private static let list = Route(
    .get, "/notes", "listNotes", "List notes, newest first.", de: "Notizen auflisten, neueste zuerst.",
    .may(.read, .notes), parameters: filters + [.limit, .cursor], answers: [.json(S.page(S.named("Note")))]
  ) { request in
    try request.require(.read, .notes)
    let (wanted, limit, cursor) = (filter(request), request.limit, request.query["cursor"]?.stringValue)
    let (items, next) = try await reading(request, ifMissing: ([], nil)) { store -> ([Value], String?) in
      let category = try store.defaultCategory()
      let page = try store.notes(wanted, limit: limit, cursor: cursor)
      return (page.notes.map { $0.record(defaultCategory: category) }, page.cursor)
    }
    return .page(items, next: next)
  }

  private static let search = Route(
    .get, "/note-search", "searchNotes", "Find notes by words or their beginnings, the best first.",
    de: "Notizen nach Wörtern oder Wortanfängen finden, die besten zuerst.", .may(.read, .notes),
    parameters: [.words("The words; all of them count.", de: "Die Wörter; alle zählen.")] + filters + [.limit],
    answers: [.json(S.page(S.named("FoundNote")))]
  ) { request in
    try request.require(.read, .notes)
    let (wanted, limit) = (filter(request), request.limit)
    let words = request.query["search"]?.stringValue ?? ""
    return .page(
      try await reading(request, ifMissing: []) { store in
        let category = try store.defaultCategory()
        return try store.search(words, wanted, limit: limit).map { $0.record(defaultCategory: category) }
      })
  }

  private static let tags = Route(
    .get, "/note-tags", "listNoteTags", "List the tags of notes, the most used first.",
    de: "Die Schlagwörter der Notizen auflisten, die häufigsten zuerst.", .may(.read, .notes),
    answers: [.json(S.page(S.object([("tag", S.text), ("count", S.count)])))]
  ) { request in
    try request.require(.read, .notes)
    return .page(
      try await reading(request, ifMissing: []) { store in
        try store.tags().map { ["tag": .string($0.tag), "count": .int(Int64($0.count))] }
      })
  }

  private static let show = Route(
    .get, "/notes/{note}", "showNote", "Show a note; its ETag is for If-Match.",
    de: "Eine Notiz zeigen; ihr ETag ist für If-Match.", .may(.read, .notes), parameters: [number],
    answers: [.json(S.named("Note"))]
  ) { request in
    let note = try await note(.read, request)
    return try await answer(note, request)
  }

  private static let file = Route(
    .get, "/notes/{note}/files/{file}", "downloadNoteFile",
    "The recording or an attachment of a note, by its place from 1, a recording first; a Range gives a part.",
    de: "Die Aufnahme oder ein Anhang einer Notiz, nach der Stelle ab 1, die Aufnahme zuerst; Range gibt einen Teil.",
    .may(.read, .notes), parameters: [number, .number("file")], answers: [.file]
  ) { request in
    let note = try await note(.read, request)
    let (files, place) = ([note.audio].compactMap(\.self) + note.attachments, request.number("file") - 1)
    guard files.indices.contains(place), let hash = files[place].hash else {
      throw Problem.notFound(LocalizedText("file", de: "Datei"), request.name("file"))
    }
    let store = request.services.store
    var copy = request
    copy.path["blob"] = try await reading(request, ifMissing: "") { notes in
      // The run log knows parts of a content; the file of notes does not.
      String(try store.keepNoteFile(hash, from: notes).dropFirst("blob:sha256:".count))
    }
    return try FileDownload(copy, type: files[place].type).answer()
  }

  /// The note that the path names, if the caller may do something with it.
  private static func note(_ verb: AccessVerb, _ request: APIRequest) async throws -> Note {
    try request.require(verb, .notes)
    let number = request.name("note")
    let found: Note? = try await reading(request, ifMissing: nil) { store in
      do throws(NoteError) {
        return try store.note("#" + number)
      } catch {
        guard error.code == .notFound || error.code == .ambiguous else { throw error }
        return nil
      }
    }
    // Digits can also be a part of a heading.
    guard let found, found.number == Int(number) else {
      throw Problem.notFound(LocalizedText("note", de: "Notiz"), number)
    }
    return found
  }

  /// A note with its version.
  private static func answer(_ note: Note, _ request: APIRequest, isNew: Bool = false) async throws -> APIAnswer {
    let category = try await reading(request, ifMissing: "") { try $0.defaultCategory() }
    let json = note.record(defaultCategory: category)
    return (isNew ? APIAnswer.created(json, at: "/notes/\(note.number)") : .json(json)).tagged(version(of: note))
  }

  /// Differs whenever a note has changed.
  private static func version(of note: Note) -> String {
    ContentHash.hexadecimal(of: note.record(defaultCategory: "").json())
  }

  // MARK: - Writing

  private static let time = S.orNull(S.time)
  private static let orText = S.orNull(S.text)
  private static let words = S.list(S.name, upTo: 100)

  private static let create = Route(
    .post, "/notes", "createNote", "Keep a note.", de: "Eine Notiz anlegen.", .may(.create, .notes),
    body: .json(
      S.input([
        ("text", S.text), ("title", orText), ("category", S.orNull(S.name)), ("tags", words), ("source", orText),
        ("reminder", time),
        ("audio", S.input([("blob", S.blob), ("name", S.name), ("type", S.name)], required: ["blob"])),
        (
          "attachments",
          S.list(S.input([("blob", S.blob), ("name", S.name), ("type", S.name)], required: ["blob"]), upTo: 100)
        ),
      ])), answers: [.json(S.named("Note"), status: 201)], repetition: .found
  ) { request in
    try request.require(.create, .notes)
    var fields = request.body.mapValue ?? [:]
    if let audio = fields["audio"] { fields["audio"] = try file(audio, request) }
    if let files = fields["attachments"]?.listValue {
      fields["attachments"] = .list(try files.map { try file($0, request) })
    }
    let isBlank = (fields["text"]?.stringValue ?? "").allSatisfy(\.isWhitespace)
    guard !isBlank || fields["audio"] != nil || fields["attachments"]?.listValue?.isEmpty == false else {
      throw Problem.wrongInput(LocalizedText("the note has no text", de: "die Notiz hat keinen Text"))
    }
    let (session, input, key) = (request.services.session, Value.map(fields), "api\n\(request.run)")
    let note = try await PluginThreads.run {
      try await session.withNotes { keeper in
        try await keeper.save(try NoteInput.draft(input, key: key, session.store, now: SystemTime().now)).note
      }
    }
    return try await answer(note, request, isNew: true)
  }

  /// A file of a note as steps name it.
  private static func file(_ file: Value, _ request: APIRequest) throws -> Value {
    var map = file.mapValue ?? [:]
    map["blob"] = .string(try request.blob(file["blob"]?.stringValue ?? ""))
    return .map(map)
  }

  /// The code of an error by which a change ends that began from another version of the note.
  private static let changed = NoteError.Code(rawValue: Problem.changed.code)

  private static let change = Route(
    .patch, "/notes/{note}", "changeNote", "Change a note; missing fields stay, null removes one.",
    de: "Eine Notiz ändern; was fehlt, bleibt, null entfernt ein Feld.", .may(.update, .notes), parameters: [number],
    body: .json(
      S.input([
        ("text", S.text), ("corrected", orText), ("summary", orText), ("title", orText),
        ("category", S.orNull(S.name)), ("tags", words), ("source", orText), ("reminder", time),
      ])), answers: [.json(S.named("Note"))], takesIfMatch: true
  ) { request in
    let seen = try await note(.update, request)
    try request.requireMatch(version(of: seen))
    let session = request.services.session
    do {
      let note = try await PluginThreads.run {
        try await session.withNotes { keeper in
          try await keeper.change(seen.id) { note in
            // Another request may have changed it since it was read.
            guard version(of: note) == version(of: seen) else { throw NoteError(changed, Problem.changed.detail) }
            try NoteInput.change(&note, request.body)
          }
        }
      }
      return try await answer(note, request)
    } catch let error as UseCaseError {
      throw (error.cause as? NoteError)?.code == changed ? Problem.changed : error
    }
  }

  private static let delete = Route(
    .delete, "/notes/{note}", "deleteNote", "Delete a note and its reminder.",
    de: "Eine Notiz und ihre Erinnerung löschen.", .may(.delete, .notes), parameters: [number], answers: [.empty],
    takesIfMatch: true
  ) { request in
    let note = try await note(.delete, request)
    try request.requireMatch(version(of: note), isRequired: false)
    let session = request.services.session
    _ = try await PluginThreads.run { try await session.withNotes { try await $0.delete([note.id]) } }
    return .empty
  }

  // MARK: - Export

  private static let export = Route(
    .get, "/note-export", "exportNotes", "Notes as Markdown, text, JSON or PDF.",
    de: "Notizen als Markdown, Text, JSON oder PDF.", .may(.read, .notes),
    parameters: [
      .query(
        "format", ["type": "string", "enum": ["markdown", "text", "json", "pdf"], "default": "markdown"],
        "The form of the file.", de: "Die Form der Datei."),
      .query(
        "note", ["type": "integer", "minimum": 1], "Only the note of this number; may be repeated.",
        de: "Nur die Notiz dieser Nummer; mehrfach möglich.", isList: true),
    ] + filters,
    answers: [.text("text/markdown"), .text("text/plain"), .json(S.map), .text("application/pdf")]
  ) { request in
    try request.require(.read, .notes)
    let wanted = filter(request)
    let numbers = (request.query["note"]?.listValue ?? []).compactMap { $0.intValue.map { Int(clamping: $0) } }
    let (notes, categories) = try await reading(request, ifMissing: ([], firstCategories(request))) {
      store -> ([Note], [NoteCategory]) in
      let all = try store.notes(wanted, limit: .max - 1).notes
      return (numbers.isEmpty ? all : all.filter { numbers.contains($0.number) }, try store.categories())
    }
    let format = request.query["format"]?.stringValue ?? "markdown"
    guard format != "json" else { return .json(NoteExport.full(notes, categories: categories).json) }
    guard !notes.isEmpty else {
      throw Problem(404, "not_found", "there are no notes to export", de: "es gibt keine Notizen zum Exportieren")
    }
    let now = SystemTime().now
    let (bytes, type, ending): ([UInt8], String, String)
    switch format {
    case "pdf":
      let session = request.services.session
      let pdf = try await PluginThreads.run { try await session.pdf(ofNotes: notes) }
      (bytes, type, ending) = (pdf.bytes, "application/pdf", "pdf")
    case "text":
      let texts = notes.map { NoteText.text(of: $0, zone: .current) }
      (bytes, type, ending) = (Array(texts.joined(separator: "\n").utf8), "text/plain; charset=utf-8", "txt")
    default:
      let text = NoteText.markdown(notes, zone: .current, now: now)
      (bytes, type, ending) = (Array(text.utf8), "text/markdown; charset=utf-8", "md")
    }
    var answer = APIAnswer(content: .bytes(bytes, type: type))
    let name = NoteText.fileName(now, zone: .current, ending: ending)
    answer.fields = [HTTPField(name: .contentDisposition, value: "attachment; filename=\"\(name)\"")]
    return answer
  }

  // MARK: - Categories

  private static let color: Value = ["type": "string", "pattern": "^#[0-9a-fA-F]{6}$"]
  private static let categories = S.page(S.named("NoteCategory"))

  private static let listCategories = Route(
    .get, "/note-categories", "listNoteCategories", "List the categories of notes.",
    de: "Die Kategorien von Notizen auflisten.", .may(.read, .notes), answers: [.json(categories)]
  ) { request in
    try request.require(.read, .notes)
    return .page(try await reading(request, ifMissing: firstCategories(request)) { try $0.categories() }.map(\.json))
  }

  private static let addCategory = Route(
    .post, "/note-categories", "addNoteCategory", "Add a category of notes.",
    de: "Eine Kategorie von Notizen anlegen.",
    .may(.create, .notes), body: .json(S.input([("name", S.name), ("color", color)], required: ["name"])),
    answers: [.json(categories, status: 201)]
  ) { request in
    try request.require(.create, .notes)
    let (name, color) = (request.text("name") ?? "", request.text("color"))
    let page = try await changing(request) { try $0.addCategory(name, color: color) }
    return APIAnswer(status: 201, content: page.content)
  }

  private static let changeCategory = Route(
    .patch, "/note-categories/{category}", "changeNoteCategory",
    "Change the name, colour or place of a category, or make it the default.",
    de: "Name, Farbe oder Platz einer Kategorie ändern, oder sie zur Vorgabe machen.", .may(.update, .notes),
    body: .json(
      S.input([
        ("name", S.name), ("color", S.orNull(color)),
        ("position", ["type": "integer", "minimum": 1, "maximum": 10_000]),
        ("default", ["type": "boolean", "enum": [true]]),
      ])), answers: [.json(categories)]
  ) { request in
    try request.require(.update, .notes)
    let name = request.name("category")
    let (newName, position) = (request.text("name"), request.integer("position"))
    let color = request.body["color"].map { $0.stringValue ?? "" }
    let isDefault = request.isSet("default")
    return try await changing(request) { store in
      try store.changeCategory(name, to: newName, color: color, position: position, isDefault: isDefault)
    }
  }

  private static let deleteCategory = Route(
    .delete, "/note-categories/{category}", "deleteNoteCategory",
    "Delete a category; its notes go to the default one.",
    de: "Eine Kategorie löschen; ihre Notizen kommen zur Vorgabe.", .may(.delete, .notes), answers: [.empty]
  ) { request in
    try request.require(.delete, .notes)
    let name = request.name("category")
    _ = try await changing(request) { try $0.deleteCategory(name) }
    return .empty
  }

  /// Changes categories.
  ///
  /// - Returns: All of them as they are then.
  private static func changing(
    _ request: APIRequest, _ body: @escaping @Sendable (NoteStore) throws -> Void
  ) async throws -> APIAnswer {
    let workspace = request.services.workspace
    let found = try await request.blocking {
      try workspace.changingNotes { store in
        try body(store)
        return try store.categories()
      }
    }
    return .page(found.map(\.json))
  }
}
