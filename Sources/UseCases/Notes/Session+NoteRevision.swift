import Engine
import Expressions
import Localization
public import Notes
import Plans
import RecipeModel
import RecipeSyntax

/// A revision of a note's text, before anybody has decided about it.
public struct NoteRevision: Sendable {
  /// The note as it was.
  public let note: Note
  /// What the model was given.
  public let original: String
  /// What it made of it.
  public let revised: String

  /// What differs, word by word.
  public var difference: WordDifference { WordDifference(original, revised) }
}

extension Session {
  /// Lets a language model revise the text of a note by a prompt of the catalog. Nothing is changed; see
  /// ``NoteKeeper/accept(_:)``.
  ///
  /// - Parameters:
  ///   - reference: The note.
  ///   - prompt: The prompt's name: `notes/correction`.
  ///   - provider: Who is asked; `nil` for the default of `chat`.
  /// - Throws: ``UseCaseError`` where the run fails or gives no text.
  public func revise(
    _ reference: String, prompt: String, provider: String?
  ) async throws(UseCaseError) -> NoteRevision {
    let note = try await withNotes { try $0.notes.note(reference) }
    let original = note.readableText
    guard original.contains(where: { !$0.isWhitespace }) else {
      throw .wrongInput(
        LocalizedText("note \(note.number) has no text", de: "Notiz \(note.number) hat keinen Text"))
    }
    let plan = try project.plan(
      of: SourceText(
        path: project.configuration.resolve("revise.yaml"), text: NoteRecipes.revision(prompt, provider: provider)),
      from: .note)
    try project.openSecrets(for: plan)
    let inputs = try mapErrors { try plan.inputs(from: ["text": .string(original)]) }
    let outcome = try await run(CheckedOrder(plan: plan, requests: [RunRequest(id: .new(), inputs: inputs)]))
    guard outcome.result.status == .succeeded else {
      throw outcome.result.failure.map { UseCaseError($0) }
        ?? .runState(LocalizedText("the run did not succeed", de: "der Lauf ist nicht gelungen"))
    }
    let revised = outcome.result.outputs["text"]?.stringValue ?? ""
    guard revised.contains(where: { !$0.isWhitespace }) else {
      throw .runState(LocalizedText("the model gave an empty text", de: "das Modell gab einen leeren Text"))
    }
    return NoteRevision(note: note, original: original, revised: revised)
  }
}

extension NoteKeeper {
  /// Takes a revision over, as the note's corrected text; the original stays.
  ///
  /// - Throws: `invalid_input` where the note was changed meanwhile.
  public func accept(_ revision: NoteRevision) async throws -> Note {
    try await change(revision.note.id) { note in
      guard note.readableText == revision.original else {
        throw UseCaseError(
          .wrongInput,
          LocalizedText(
            "note \(note.number) was changed meanwhile; nothing was taken over",
            de: "Notiz \(note.number) wurde inzwischen geändert; nichts wurde übernommen"))
      }
      note.corrected = revision.revised
    }
  }
}
