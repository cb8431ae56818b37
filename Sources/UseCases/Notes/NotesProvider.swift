import Engine
import Expressions
import Localization
package import Notes
import PluginHost
package import RunStore

/// The provider of `notes` that Sous brings: keeps notes in the workspace's file of notes.
struct NotesProvider: StepProvider {
  /// The file.
  let path: String
  /// Where the contents of recordings and attachments cross from and to other steps.
  let blobs: RunStore
  let reminders: NoteReminders

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    try await kept { keeper in try await Self.answer(request, keeper, blobs) }
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    guard request.action == "note.save" else { return .notDone }
    return try await kept { keeper in
      guard let id = try keeper.notes.savedNote(ofCall: request.key) else { return .notDone }
      return .done(output: ["id": .string(id)])
    }
  }

  private static func answer(_ request: ActionRequest, _ keeper: NoteKeeper, _ blobs: RunStore) async throws -> Value {
    let input = request.input
    let notes = keeper.notes
    func json(_ note: Note, blobs: [String: String] = [:]) throws -> Value {
      .map(note.json(defaultCategory: try notes.defaultCategory(), blobs: blobs))
    }
    switch request.action {
    case "note.save":
      let kept = try await keeper.save(try NoteInput.draft(input, key: request.key, blobs, now: SystemTime().now))
      return ["id": .string(kept.note.id), "heading": .string(kept.note.heading)]
    case "note.get":
      let note = try notes.note(id(input))
      return ["note": try json(note, blobs: try handOver(note, notes, blobs))]
    case "note.list":
      let page = try notes.notes(
        try NoteInput.filter(input), limit: limit(input), cursor: input["cursor"]?.stringValue)
      return [
        "notes": .list(try page.notes.map { try json($0) }), "total": .int(Int64(page.total)),
        "cursor": page.cursor.map { .string($0) } ?? .null,
      ]
    case "note.search":
      let found = try notes.search(
        input["query"]?.stringValue ?? "", try NoteInput.filter(input), limit: limit(input))
      return [
        "found": .list(
          try found.map { found in
            [
              "note": try json(found.note),
              "highlights": .list(found.passage.map { ["text": .string($0.text), "hit": .bool($0.isHit)] }),
            ]
          })
      ]
    case "note.update":
      let note = try await keeper.change(id(input)) { try NoteInput.change(&$0, input) }
      return ["note": try json(note)]
    case "note.delete":
      let ids = (input["ids"]?.listValue ?? []).compactMap(\.stringValue)
      let deleted = Set(try await keeper.delete(ids.map { NoteStore.id($0) ?? $0 }).map(\.id))
      let missing = ids.filter { !deleted.contains(NoteStore.id($0) ?? $0) }
      return [
        "deleted": .list(deleted.sorted().map { .string($0) }), "missing": .list(missing.map { .string($0) }),
      ]
    default:
      throw ActionFailure(
        .unsupported,
        LocalizedText("notes have no '\(request.action)'", de: "Notizen haben kein '\(request.action)'"))
    }
  }

  private static func id(_ input: Value) -> String { input["id"]?.stringValue ?? "" }

  private static func limit(_ input: Value) -> Int { Int(min(max(1, input["limit"]?.intValue ?? 50), 500)) }

  /// Makes blobs of a note's files for the steps that follow.
  private static func handOver(_ note: Note, _ notes: NoteStore, _ blobs: RunStore) throws -> [String: String] {
    var names: [String: String] = [:]
    for hash in Set(note.files.compactMap(\.hash)) { names[hash] = try blobs.keepNoteFile(hash, from: notes) }
    return names
  }

  private func kept<Answer: Sendable>(
    _ body: @escaping @Sendable (NoteKeeper) async throws -> Answer
  ) async throws(ActionFailure) -> Answer {
    let (path, reminders) = (path, reminders)
    do {
      // What blocks does so on threads that may.
      return try await PluginThreads.run {
        let notes = try NoteStore.opened(path, language: reminders.project.workspace.surroundings.language)
        defer { notes.close() }
        return try await body(NoteKeeper(notes: notes, reminders: reminders))
      }
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: any Error) -> ActionFailure {
    switch error {
    case let error as ActionFailure: error
    case let error as NoteError where error.code == .notFound: ActionFailure(.notFound, error.message)
    case let error as NoteError where error.code == .failed: ActionFailure(.io, error.message)
    case let error as NoteError: ActionFailure(.invalidInput, error.message)
    case let error as StorageFailure: ActionFailure(error.code == .absent ? .notFound : .io, error.message)
    case let error as UseCaseError where error.code == .wrongInput: ActionFailure(.invalidInput, error.message)
    case is CancellationError: ActionFailure(.cancelled, UseCaseError(error).message)
    default: ActionFailure(.io, UseCaseError(error).message)
    }
  }
}

extension RunStore {
  /// Makes a blob of a file of a note.
  ///
  /// - Returns: Its name: `blob:sha256:…`.
  package func keepNoteFile(_ hash: String, from notes: NoteStore) throws -> String {
    let number = try createBlob()
    do {
      try notes.readContent(hash) { try append($0, toBlob: number) }
      return "blob:sha256:" + (try finishBlob(number))
    } catch {
      discardBlob(number)
      throw error
    }
  }
}
