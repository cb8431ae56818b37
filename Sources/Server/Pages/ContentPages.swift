import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import Page
import UseCases

/// Notes, the outbox, reminders, and the prompt catalog.
enum ContentPages {
  static let all: [PageRoute] =
    [
      notes, newNote, note, editNote, outbox, newMessage, message, reminders, catalog, newPrompt, prompt,
    ] + ChatPages.all

  /// The ETag of an answer.
  private static func version(_ answer: APIAnswer) -> String {
    answer.fields.first { $0.name == .eTag }?.value ?? ""
  }

  private static func json(_ answer: APIAnswer) -> Value {
    if case .json(let value) = answer.content { value } else { .null }
  }

  // MARK: - Notes

  private static let notes = PageRoute("/notes", .may(.read, .notes)) { request in
    var query: ValueMap = ["limit": 50]
    for name in ["category", "kind"] {
      if let text = request.query[name], !text.isEmpty { query[name] = .string(String(text.prefix(300))) }
    }
    if let tag = request.query["tag"], !tag.isEmpty { query["tag"] = [.string(String(tag.prefix(300)))] }
    let page: Value
    if let words = request.query["search"], !words.allSatisfy(\.isWhitespace) {
      query["search"] = .string(String(words.prefix(500)))
      page = try await request.json("searchNotes", query: query)
    } else {
      if let cursor = request.query["cursor"], !cursor.isEmpty { query["cursor"] = .string(String(cursor.prefix(200))) }
      page = try await request.json("listNotes", query: query)
    }
    return NotesPage(
      page, categories: try await request.json("listNoteCategories"), tags: try await request.json("listNoteTags"),
      query: request.query.all)
  }

  private static let newNote = PageRoute("/new-note", .may(.create, .notes)) { request in
    NoteFormPage(
      categories: try await request.permitted("listNoteCategories"), tags: try await request.permitted("listNoteTags"))
  }

  private static let note = PageRoute("/notes/{note}", .may(.read, .notes)) { request in
    let answer = try await request.answer("showNote", path: ["note": request.name("note")])
    return NotePage(json(answer), version: version(answer))
  }

  private static let editNote = PageRoute("/notes/{note}/edit", .may(.update, .notes)) { request in
    let answer = try await request.answer("showNote", path: ["note": request.name("note")])
    return NoteFormPage(
      json(answer), version: version(answer), categories: try await request.json("listNoteCategories"),
      tags: try await request.json("listNoteTags"))
  }

  // MARK: - The outbox

  private static let outbox = PageRoute("/outbox", .may(.read, .outbox)) { request in
    let isWhole = request.query["all"] == "yes"
    var query: ValueMap = ["limit": 100]
    if !isWhole { query["state"] = ["pending", "held", "sending", "failed", "unknown"] }
    let page = try await request.json("listMessages", query: query)
    let runs = (page["items"]?.listValue ?? []).compactMap { $0["id"] }
    return OutboxPage(page, doubts: try await doubts(request) { runs.contains($0) }, isWhole: isWhole)
  }

  private static let message = PageRoute("/outbox/{message}", .may(.read, .outbox)) { request in
    let message = try await request.json("showMessage", path: ["message": request.name("message")])
    return MessagePage(message, doubts: try await doubts(request) { $0 == message["id"] })
  }

  /// The attempts to send whose outcome is unknown.
  private static func doubts(_ request: PageRequest, of runs: (Value) -> Bool) async throws -> [Value] {
    let all = try await request.permitted("listOpenDoubts")["items"]?.listValue ?? []
    return all.filter { $0["run"].map(runs) ?? false }
  }

  private static let newMessage = PageRoute("/new-message", .may(.create, .outbox)) { request in
    let entries = try await request.permitted("listProviders")["items"]?.listValue ?? []
    return NewMessagePage(
      providers: entries.filter { $0["contracts"]?.listValue?.contains("mail.transport") ?? false }
        .compactMap { $0["name"]?.stringValue })
  }

  // MARK: - Reminders

  private static let reminders = PageRoute("/reminders", .may(.read, .reminders)) { request in
    let isWhole = request.query["all"] == "yes"
    return RemindersPage(
      try await request.json("listReminders", query: ["all": .bool(isWhole)]), isWhole: isWhole)
  }

  // MARK: - The catalog

  private static let catalog = PageRoute("/catalog", .may(.read, .catalog)) { request in
    let words = String((request.query["search"] ?? "").prefix(500))
    return CatalogPage(
      try await request.json("listPrompts", query: words.isEmpty ? [:] : ["search": .string(words)]), search: words)
  }

  private static let newPrompt = PageRoute("/new-prompt", .may(.create, .catalog)) { request in
    NewPromptPage(try await request.permitted("listPrompts"))
  }

  private static let prompt = PageRoute("/catalog/{entry}", .may(.read, .catalog)) { request in
    let path = ["entry": request.name("entry")]
    let answer = try await request.answer("showPrompt", path: path)
    let entry = json(answer)
    guard ["preset", "composition"].contains(entry["kind"]?.stringValue) else {
      return PromptPage(entry, text: .null, version: version(answer))
    }
    do {
      return PromptPage(entry, text: try await request.json("readPrompt", path: path), version: version(answer))
    } catch {
      let problem = Problem(error, in: request.base.language)
      guard problem.status < 500 else { throw error }
      return PromptPage(
        entry, text: .null, version: version(answer), problem: problem.detail.string(in: request.base.language))
    }
  }
}
