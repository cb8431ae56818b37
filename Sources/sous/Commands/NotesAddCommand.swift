import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Notes
import UseCases

/// `sous notes add`
struct NotesAddCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "add",
      abstract: say(
        "Keep a note: sous notes add \"Call the plumber\".",
        de: "Eine Notiz anlegen: sous notes add \"Klempner anrufen\"."),
      discussion: say(
        "The text is the words of the command line, what '-' reads from standard input, or a file.",
        de: "Der Text sind die Wörter der Befehlszeile, was '-' von der Standardeingabe liest, oder eine Datei."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The text; '-' reads standard input.", de: "Der Text; '-' liest die Standardeingabe."), valueName: "text"))
  var words: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("A file with the text.", de: "Eine Datei mit dem Text."), valueName: "file"))
  var file: String?

  @Option(
    help: ArgumentHelp(
      say("Its title; default: the first line.", de: "Ihr Titel; Vorgabe: die erste Zeile."), valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      say("Its category; made if it is new.", de: "Ihre Kategorie; angelegt, wo sie neu ist."), valueName: "name"))
  var category: String?

  @Option(help: ArgumentHelp(say("A tag; may be repeated.", de: "Ein Schlagwort; mehrfach möglich."), valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      say("Remind of it: 'tomorrow at 9', 2026-11-24T09:00.", de: "Daran erinnern: 'morgen um 9', 2026-11-24T09:00."),
      valueName: "time"))
  var reminder: String?

  @Option(
    help: ArgumentHelp(
      say("A recording that belongs to it.", de: "Eine Aufnahme, die dazugehört."), valueName: "file"))
  var audio: String?

  @Option(
    help: ArgumentHelp(
      say("A file that goes with it; may be repeated.", de: "Eine Datei, die dazugehört; mehrfach möglich."),
      valueName: "file"))
  var attach: [String] = []

  @Option(help: ArgumentHelp(say("Where it comes from.", de: "Woher sie kommt."), valueName: "text"))
  var source: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let now = SystemTime().now
    let text = try NoteText.given(words, file: file, isOptional: audio != nil || !attach.isEmpty)
    var note = Note(id: NoteStore.newID(), kind: audio == nil ? .text : .audio, text: text, created: now)
    (note.title, note.category, note.tags, note.source) = (title, category, tag, source)
    note.reminder = try reminder.map { try NoteTime.read($0) }
    let files =
      try [audio].compactMap { try $0.map { try NoteFiles.file(.audio, $0) } }
      + attach.map { try NoteFiles.file(.attachment, $0) }
    let draft = NoteDraft(note, files: files)
    let workspace = try Workspace(global)
    let kept: Note
    if note.reminder == nil {
      kept = try workspace.changingNotes { try $0.save(draft).note }
    } else {
      kept = try await workspace.withSession { session in
        try await session.withNotes { try await $0.save(draft, now: now).note }
      }
    }
    if format.json { return writeJSON(try workspace.report().json(kept)) }
    write(
      say("kept as note \(kept.number)", de: "angelegt als Notiz \(kept.number)")
        + (kept.heading.isEmpty ? "\n" : ": \(kept.heading.singleLine)\n"))
    try await tellReminder(kept, workspace)
  }

  private func tellReminder(_ note: Note, _ workspace: Workspace) async throws {
    guard let time = note.reminder else { return }
    let spoken = NoteReport.time(time)
    write(say("  reminder: \(spoken)\n", de: "  Erinnerung: \(spoken)\n"))
    if try await workspace.servingStatus().servers.isEmpty {
      write(
        say(
          "  no daemon runs: start 'sous serve', which delivers it\n",
          de: "  kein Dienst läuft: 'sous serve' stellt zu\n"))
    }
  }
}

/// `sous notes append`
struct NotesAppendCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "append", abstract: say("Add text at the end of a note.", de: "Text ans Ende einer Notiz anfügen."))
  }

  @OptionGroup var named: NamedNote

  @Argument(
    help: ArgumentHelp(
      say("The text; '-' reads standard input.", de: "Der Text; '-' liest die Standardeingabe."), valueName: "text"))
  var words: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("A file with the text.", de: "Eine Datei mit dem Text."), valueName: "file"))
  var file: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let text = try NoteText.given(words, file: file, isOptional: false)
    let workspace = try Workspace(global)
    let reference = named.note
    let note = try workspace.changingNotes { store in
      try store.change(reference, at: SystemTime().now) { note in
        func appended(_ before: String) -> String { before.isEmpty ? text : before + "\n" + text }
        note.text = appended(note.text)
        // The displayed text is the corrected one.
        note.corrected = note.corrected.map(appended)
      }.after
    }
    if format.json { return writeJSON(try workspace.report().json(note)) }
    write(say("added to note \(note.number)\n", de: "an Notiz \(note.number) angefügt\n"))
  }
}

extension NoteText {
  private static let limit = 16 << 20

  /// The text of the words, of standard input for `-`, or of a file.
  ///
  /// - Parameter isOptional: Whether a note without a text makes sense.
  static func given(_ words: [String], file: String?, isOptional: Bool) throws(CommandError) -> String {
    let isPiped = words == ["-"]
    guard file == nil || words.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput, .init("a text or --file, not both", de: "ein Text oder --file, nicht beides"))
    }
    let text: String
    if let file, file != "-" {
      text = try TextFile.text(file, limit: limit)
    } else if isPiped || file == "-" || words.isEmpty {
      text = try StandardInput.text(isAskedFor: isPiped || file == "-", limit: limit)
    } else {
      text = words.joined(separator: " ")
    }
    guard isOptional || !text.allSatisfy(\.isWhitespace) else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "the note has no text: give words, a file with --file, or - for standard input",
          de: "die Notiz hat keinen Text: Wörter angeben, eine Datei mit --file, oder - für die Standardeingabe"))
    }
    return text
  }
}

/// Times of notes on the command line.
enum NoteTime {
  /// The time of a reminder in words or as a date; it is to come.
  static func read(_ text: String) throws -> Timestamp {
    let moments = try ReminderWish.moments(text, now: Date())
    let moment = moments[try ReminderQuestion(asks: false).choose(moments.map(\.understood))]
    return Timestamp(seconds: Int64(moment.date.timeIntervalSince1970.rounded()))
  }
}

/// Files of notes on the disk.
enum NoteFiles {
  /// A file that is to go with a note.
  static func file(_ role: NoteFile.Role, _ path: String) throws(CommandError) -> NoteDraft.File {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      let handle = FileHandle(forReadingAtPath: path)
    else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("the file '\(path)' cannot be read", de: "die Datei '\(path)' lässt sich nicht lesen"))
    }
    let name = NoteFileNames.safe(path)
    return NoteDraft.File(NoteFile(role, name: name, type: NoteFileNames.type(of: name))) {
      Array(try handle.read(upToCount: NoteStore.pieceSize) ?? Data())
    }
  }

  /// Writes a content to a file that takes no other's place in the workspace.
  static func write(_ hash: String, of store: NoteStore, to path: String, in workspace: Workspace) throws {
    let file = try OutputFile(path, in: workspace)
    try store.readContent(hash) { try file.write($0) }
    try file.finish()
  }
}

extension Workspace {
  /// The report of notes of this workspace.
  func report() throws(UseCaseError) -> NoteReport {
    try readingNotes({ try NoteReport($0) }, ifMissing: { NoteReport() })
  }
}
