import Engine
public import Expressions
import Localization
import Notes
import Plans
import RecipeModel
import RecipeSyntax
import Schedules

extension Session {
  /// A note as a message: its heading as the subject, its text, its recording and attachments.
  ///
  /// - Parameters:
  ///   - reference: The note.
  ///   - fields: What was given of `mail.send`: recipients, sender; a subject or a text counts instead of the note's.
  /// - Throws: ``UseCaseError`` where the note is not there, or a content cannot be kept for the outbox.
  public func message(
    ofNote reference: String, _ fields: ValueMap
  ) async throws(UseCaseError) -> Value {
    let store = store
    return try await withNotes { keeper in
      let note = try keeper.notes.note(reference)
      var message = fields
      if message["subject"] == nil { message["subject"] = .string(note.heading.replacing("\n", with: " ")) }
      if message["text"] == nil {
        let isSpoken = note.kind == .audio || note.summary?.isEmpty == false
        message["text"] = .string(isSpoken ? NoteText.text(of: note, zone: .current) : note.readableText + "\n")
      }
      var attachments = fields["attachments"]?.listValue ?? []
      for file in note.files {
        guard let hash = file.hash else { continue }
        attachments.append([
          "blob": .string(try store.keepNoteFile(hash, from: keeper.notes)), "name": .string(file.name),
          "type": .string(file.type),
        ])
      }
      if !attachments.isEmpty { message["attachments"] = .list(attachments) }
      return .map(message)
    }
  }

  /// Keeps a message as a note: its subject as the title, its text, its attachments.
  ///
  /// - Parameters:
  ///   - uid: The message's name in its folder.
  ///   - folder: The folder.
  ///   - provider: Whose mailbox it is; `nil` for the default of `mail.store`.
  /// - Returns: The note's id.
  /// - Throws: ``UseCaseError`` where the run fails.
  public func noteFromMail(
    uid: String, folder: String, provider: String?, category: String?, tags: [String]
  ) async throws(UseCaseError) -> String {
    let text = NoteRecipes.fromMail(provider: provider, hasCategory: category != nil)
    let plan = try project.plan(
      of: SourceText(path: project.configuration.resolve("note-from-mail.yaml"), text: text), from: .note)
    try project.openSecrets(for: plan)
    var given: [String: Value] = [
      "uid": .string(uid), "folder": .string(folder), "tags": .list(tags.map { .string($0) }),
    ]
    if let category { given["category"] = .string(category) }
    let inputs = try mapErrors { [given] in try plan.inputs(from: given) }
    let outcome = try await run(CheckedOrder(plan: plan, requests: [RunRequest(id: .new(), inputs: inputs)]))
    guard outcome.result.status == .succeeded, let id = outcome.result.outputs["id"]?.stringValue else {
      throw outcome.result.failure.map { UseCaseError($0) }
        ?? .runState(LocalizedText("the run did not succeed", de: "der Lauf ist nicht gelungen"))
    }
    return id
  }
}
