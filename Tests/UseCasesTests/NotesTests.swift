import Engine
import Expressions
import Foundation
import Localization
import Notes
import RunStore
import Schedules
import TestWorkspace
import Testing

@testable import Providers
@testable import UseCases

/// `note.*` without a provider, and what commands do to notes.
@Suite(.timeLimit(.minutes(5))) struct NotesTests {
  private static let recipe = """
    inputs: { reminder: { type: string, default: "" } }
    steps:
      - id: kept
        uses: note.save
        with: { text: "Die Glasfaser\\nist da", category: Netz, tags: [a, A, b], summary: Kurz, source: test }
      - id: found
        uses: note.search
        with: { query: glasf }
      - id: changed
        uses: note.update
        with: { id: "{{ steps.kept.output.id }}", corrected: "Glasfaser da.", tags: [c], summary: null }
      - id: listed
        uses: note.list
        with: { category: netz }
      - id: got
        uses: note.get
        with: { id: "{{ steps.kept.output.id }}" }
    outputs:
      found: "{{ steps.found.output.found }}"
      listed: "{{ steps.listed.output }}"
      note: "{{ steps.got.output.note }}"

    """

  @Test func stepsKeepFindAndChangeNotesWithoutAPlugin() async throws {
    let place = try TestWorkspace.Place()
    try place.write("n.yaml", Self.recipe)
    try await place.withSession { session in
      let outputs = try await session.run("n.yaml").result.outputs
      let pieces = outputs["found"]?.listValue?.first?["highlights"]?.listValue ?? []
      #expect(pieces.filter { $0["hit"] == true }.map { $0["text"] } == ["Glasfaser"])
      #expect(outputs["listed"]?["total"] == 1)
      let note = try #require(outputs["note"])
      #expect(note["heading"] == "Glasfaser da.")
      #expect(note["text"] == "Die Glasfaser\nist da")
      #expect(note["corrected"] == "Glasfaser da.")
      #expect(note["summary"] == .null && note["category"] == "Netz" && note["tags"] == ["c"])
      #expect(note["source"] == "test" && note["kind"] == "text")
    }
    // The notes stand apart from the run log, whose deletion leaves them.
    for part in RunStore.parts(of: try place.workspace.database) { try? FileManager.default.removeItem(atPath: part) }
    #expect(try place.workspace.readingNotes({ try $0.notes(limit: 9).total }, ifMissing: { 0 }) == 1)
  }

  /// How many notes there are.
  private func total(_ session: Session) async throws -> Int {
    try await session.withNotes { try $0.notes.notes(limit: 9).total }
  }

  private func provider(_ session: Session) -> NotesProvider {
    NotesProvider(
      path: session.project.workspace.notes, blobs: session.store,
      reminders: NoteReminders(project: session.project, store: session.store))
  }

  private func request(_ action: String, _ input: Value, key: String = "k") -> ActionRequest {
    ActionRequest(run: .new(), step: "s", attempt: 1, action: action, input: input, key: key)
  }

  @Test func anAttemptThatIsRepeatedMakesNoSecondNoteAndNoSecondReminder() async throws {
    let place = try TestWorkspace.Place()
    try await place.withSession { session in
      let time = Timestamp(seconds: SystemTime().now.seconds + 3600).rfc3339
      let save = request("note.save", ["text": "x", "reminder": .string(time)])
      #expect(try await provider(session).verify(save, reporter: SilentReporter()) == .notDone)
      let first = try await provider(session).perform(save, reporter: SilentReporter())
      let second = try await provider(session).perform(save, reporter: SilentReporter())
      #expect(first == second)
      #expect(
        try await provider(session).verify(save, reporter: SilentReporter())
          == .done(output: ["id": first["id"] ?? .null]))
      #expect(try await total(session) == 1)
      let reminders = try await session.project.reminders()
      #expect(reminders.map(\.title) == ["x"])
      #expect(reminders.first?.at?.rfc3339 == time)
    }
  }

  @Test func theReminderFollowsItsNote() async throws {
    let place = try TestWorkspace.Place()
    try await place.withSession { session in
      let now = SystemTime().now
      func times() async throws -> [Timestamp?] { try await session.project.reminders().map(\.next) }
      let (soon, later) = (
        Timestamp(seconds: now.seconds + 3600), Timestamp(seconds: now.seconds + 7200)
      )
      var note = Note(id: NoteStore.newID(), text: "Zahnarzt", created: now)
      note.reminder = soon
      let kept = try await session.withNotes { [note] in try await $0.save(NoteDraft(note)).note }
      #expect(try await times() == [soon])
      let run = try await session.project.reminders().first?.id
      #expect(kept.reminderRun == run)
      let changed = try await session.withNotes { try await $0.change(kept.id) { $0.reminder = later } }
      #expect(try await times() == [later])
      #expect(changed.reminderRun != kept.reminderRun)
      _ = try await session.withNotes { try await $0.change(kept.id) { $0.text = "Zahnarzt!" } }
      #expect(try await times() == [later])
      _ = try await session.withNotes { try await $0.delete([kept.id]) }
      #expect(try await times().isEmpty)
    }
  }

  @Test func aReminderInThePastIsRefused() async throws {
    let place = try TestWorkspace.Place()
    try await place.withSession { session in
      let past = SystemTime().now.adding(seconds: -1).rfc3339
      let save = request("note.save", ["text": "x", "reminder": .string(past)])
      await #expect(throws: ActionFailure(.invalidInput, .init(verbatim: ""))) {
        _ = try await provider(session).perform(save, reporter: SilentReporter())
      }
      let left = try await total(session)
      #expect(left == 0)
    }
  }

  @Test func recordingsCrossAsBlobsAndOutliveTheRunLog() async throws {
    let place = try TestWorkspace.Place()
    try await place.withSession { session in
      let number = try session.store.createBlob()
      let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
      try session.store.append(bytes, toBlob: number)
      let blob = "blob:sha256:" + (try session.store.finishBlob(number))
      let saved = try await provider(session).perform(
        request("note.save", ["text": "", "audio": ["blob": .string(blob), "name": "../a.m4a"]]),
        reporter: SilentReporter())
      let id = try #require(saved["id"]?.stringValue)
      let note = try await session.withNotes { try $0.notes.note(id) }
      #expect(note.kind == .audio && note.audio?.name == "a.m4a" && note.audio?.type == "audio/mp4")
      let hash = try #require(note.audio?.hash)
      var kept: [UInt8] = []
      try await session.withNotes { keeper in try keeper.notes.readContent(hash) { kept += $0 } }
      #expect(kept == bytes)
      let got = try await provider(session).perform(
        request("note.get", ["id": .string(id)]), reporter: SilentReporter())
      #expect(got["note"]?["audio"]?["blob"]?.stringValue == blob)
      // A blob that is gone is told, and nothing is kept.
      let gone = "blob:sha256:" + String(repeating: "0", count: 64)
      await #expect(throws: ActionFailure(.notFound, .init(verbatim: ""))) {
        _ = try await provider(session).perform(
          request("note.save", ["text": "", "audio": ["blob": .string(gone)]], key: "other"), reporter: SilentReporter()
        )
      }
      #expect(try await total(session) == 1)
    }
  }

  @Test func aMissingFileIsToldAndTheNoteKept() async throws {
    let place = try TestWorkspace.Place()
    try place.write("a.m4a", "sound")
    let json = """
      [{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","date":1,"type":"audio","text":"da","audioFileName":"a.m4a"},
       {"id":"6F9619FF-8B86-D011-B42D-00C04FC96400","date":2,"type":"audio","text":"weg","audioFileName":"b.m4a"},
       {"id":"6F9619FF-8B86-D011-B42D-00C04FC96401","date":3,"type":"audio","text":"fort","audioFileName":"../sous.yaml"}]
      """
    try await place.withSession { session in
      let now = SystemTime().now
      let preview = try await session.importNotes(try Value(json: json), from: place.folder, now: now, isPreview: true)
      #expect(preview.added.count == 3)
      let report = try await session.importNotes(try Value(json: json), from: place.folder, now: now)
      // '../sous.yaml' stands for 'sous.yaml' beside the file, and nothing outside.
      #expect(report.added.map { $0.audio?.size } == [5, nil, 14])
      #expect(report.remarks.map(\.position) == [2])
      let again = try await session.importNotes(try Value(json: json), from: place.folder, now: now)
      #expect(again.added.isEmpty && again.known == 3)
    }
  }
}
