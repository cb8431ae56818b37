import ArgumentParser
import Engine
import Expressions
import Foundation
import Glibc
import Localization
import Notes
import OperatingSystem
import UseCases

/// `sous notes edit`
struct NotesEditCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "edit",
      abstract: say(
        "Change a note; without options its text, in $EDITOR.",
        de: "Eine Notiz ändern; ohne Optionen ihren Text, in $EDITOR."))
  }

  @OptionGroup var named: NamedNote

  @Option(
    help: ArgumentHelp(
      say("The new text; '-' reads standard input.", de: "Der neue Text; '-' liest die Standardeingabe."),
      valueName: "text"))
  var text: String?

  @Option(
    help: ArgumentHelp(
      say("The corrected text; empty: none.", de: "Der korrigierte Text; leer: keiner."), valueName: "text"))
  var corrected: String?

  @Option(
    help: ArgumentHelp(say("The summary; empty: none.", de: "Die Zusammenfassung; leer: keine."), valueName: "text"))
  var summary: String?

  @Option(help: ArgumentHelp(say("The title; empty: none.", de: "Der Titel; leer: keiner."), valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      say("The category; empty: the default.", de: "Die Kategorie; leer: die Vorgabe."), valueName: "name"))
  var category: String?

  @Option(
    help: ArgumentHelp(
      say("One more tag; may be repeated.", de: "Noch ein Schlagwort; mehrfach möglich."), valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      say("A tag to take away; may be repeated.", de: "Ein Schlagwort weniger; mehrfach möglich."), valueName: "tag"))
  var untag: [String] = []

  @Option(
    help: ArgumentHelp(
      say("Remind of it; empty: not any more.", de: "Daran erinnern; leer: nicht mehr."), valueName: "time"))
  var reminder: String?

  @Option(
    help: ArgumentHelp(
      say("A file that goes with it; may be repeated.", de: "Eine Datei, die dazugehört; mehrfach möglich."),
      valueName: "file"))
  var attach: [String] = []

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private var isGiven: Bool {
    [text, corrected, summary, title, category, reminder].contains { $0 != nil } || !(tag + untag + attach).isEmpty
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let reference = named.note
    let note: Note
    if isGiven {
      let newText = try text.map { $0 == "-" ? try NoteText.given(["-"], file: nil, isOptional: true) : $0 }
      let time = try reminder.flatMap { $0.isEmpty ? nil : try NoteTime.read($0) }
      let files = try attach.map { try NoteFiles.file(.attachment, $0) }
      note = try await workspace.withSession { session in
        try await session.withNotes { keeper in
          try await keeper.change(reference, adding: files) { note in
            apply(to: &note, text: newText, reminder: time)
          }
        }
      }
    } else {
      let before = try workspace.readingNotes(
        { try $0.note(reference) }, ifMissing: { throw NamedNote.missing(reference) })
      let edited = try TextEditor.edit(before.readableText)
      guard edited != before.readableText else {
        return format.json
          ? writeJSON(try workspace.report().json(before))
          : write(say("nothing was changed\n", de: "nichts geändert\n"))
      }
      note = try workspace.changingNotes { store in
        try store.change(before.id, at: SystemTime().now) { note in
          guard note.readableText == before.readableText else {
            throw NoteError(
              .invalid,
              .init(
                "the note was changed meanwhile; nothing was kept",
                de: "die Notiz wurde inzwischen geändert; nichts behalten"))
          }
          if note.corrected == nil { note.text = edited } else { note.corrected = edited }
        }.after
      }
    }
    if format.json { return writeJSON(try workspace.report().json(note)) }
    write(say("note \(note.number) is changed\n", de: "Notiz \(note.number) ist geändert\n"))
  }

  private func apply(to note: inout Note, text newText: String?, reminder time: Timestamp?) {
    func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
    if let newText { note.text = newText }
    if let corrected { note.corrected = optional(corrected) }
    if let summary { note.summary = optional(summary) }
    if let title { note.title = optional(title) }
    if let category { note.category = optional(category) }
    if reminder != nil { note.reminder = time }
    let gone = Set(untag.map { $0.lowercased() })
    note.tags = note.tags.filter { !gone.contains($0.lowercased()) } + tag
  }
}

/// `sous notes delete`
struct NotesDeleteCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: say("Delete notes, their files and reminders.", de: "Notizen löschen, samt Dateien und Erinnerungen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("Their numbers, ids or titles.", de: "Ihre Nummern, IDs oder Titel."), valueName: "note"))
  var notes: [String]

  @Flag(name: [.customShort("y"), .long], help: ArgumentHelp(say("Do not ask.", de: "Nicht fragen.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let references = notes
    let meant = try workspace.readingNotes(
      { store in try references.map { try store.note($0) } },
      ifMissing: { throw NamedNote.missing(references.first ?? "") })
    if !yes {
      guard isatty(STDIN_FILENO) == 1, !format.json else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init(
            "there is no terminal to ask: --yes deletes without asking; nothing was deleted",
            de: "hier kann niemand gefragt werden: --yes löscht ohne Frage; nichts wurde gelöscht"))
      }
      for note in meant { write("  \(note.number)  \(note.heading.cut(to: 70))\n") }
      write(
        meant.count == 1
          ? say("Delete note? [y/N] ", de: "Notiz löschen? [j/N] ")
          : say("Delete \(meant.count) notes? [y/N] ", de: "\(meant.count) Notizen löschen? [j/N] "))
      let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
      guard ["y", "yes", "j", "ja"].contains(answer) else {
        return write(say("nothing was deleted\n", de: "nichts gelöscht\n"))
      }
    }
    let ids = meant.map(\.id)
    let deleted = try await workspace.withSession { session in
      try await session.withNotes { try await $0.delete(ids) }
    }
    if format.json { return writeJSON(.list(deleted.map { .string($0.id) })) }
    for note in deleted {
      write(say("note \(note.number) is deleted\n", de: "Notiz \(note.number) ist gelöscht\n"))
    }
  }
}

/// `sous notes files`
struct NotesFilesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "files",
      abstract: say(
        "Write the recording and the attachments of a note to a folder.",
        de: "Die Aufnahme und die Anhänge einer Notiz in einen Ordner schreiben."))
  }

  @OptionGroup var named: NamedNote

  @Option(name: .shortAndLong, help: ArgumentHelp(say("The folder.", de: "Der Ordner."), valueName: "folder"))
  var output = "."

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (reference, folder) = (named.note, output)
    let workspace = try Workspace(global)
    let written = try workspace.readingNotes(
      { store -> [String] in
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let export = NoteExport.full([try store.note(reference)], categories: [])
        var written: [String] = []
        for file in export.files {
          let path = folder + "/" + NoteFileNames.safe(file.path)
          guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandError(
              ExitStatus.wrongInput,
              .init(
                "'\(path)' is there already; nothing takes its place",
                de: "'\(path)' gibt es schon; nichts wird ersetzt"))
          }
          try NoteFiles.write(file.hash, of: store, to: path, in: workspace)
          written.append(path)
        }
        return written
      }, ifMissing: { throw NamedNote.missing(reference) })
    if format.json { return writeJSON(.list(written.map { .string($0) })) }
    for path in written { write(path + "\n") }
  }
}

/// The editor of the person at this machine.
enum TextEditor {
  /// Lets a person edit a text in `$VISUAL` or `$EDITOR`, else `vi`.
  ///
  /// - Returns: The text as it was saved, without the line break at its end.
  /// - Throws: ``CommandError`` where the editor cannot be started or has failed.
  static func edit(_ text: String) throws(CommandError) -> String {
    let environment = ProcessInfo.processInfo.environment
    let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
    var path = Array((NSTemporaryDirectory() + "/sous-note-XXXXXX.md").utf8CString)
    // Others of the machine shall not read it: 0600.
    let descriptor = mkstemps(&path, 3)
    guard descriptor >= 0 else { throw failure(editor) }
    let name = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    defer { unlink(name) }
    let isWritten = writeAll(text + "\n", to: descriptor) == 0
    close(descriptor)
    guard isWritten, run(editor, name) == 0, let data = FileManager.default.contents(atPath: name),
      var edited = String(utf8Text: Array(data))
    else { throw failure(editor) }
    if edited.last?.isNewline == true { edited.removeLast() }
    return edited
  }

  /// Runs the editor on this terminal; `$EDITOR` may have arguments.
  private static func run(_ editor: String, _ file: String) -> Int32 {
    let arguments = ["/bin/sh", "-c", editor + " \"$1\"", "sh", file]
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process = pid_t(0)
    guard posix_spawn(&process, "/bin/sh", nil, nil, &pointers, environ) == 0 else { return -1 }
    var status: Int32 = 0
    let ended = try? uninterrupted { waitpid(process, &status, 0) }
    return ended == nil ? -1 : status
  }

  private static func failure(_ editor: String) -> CommandError {
    CommandError(
      ExitStatus.environment,
      .init(
        "the editor '\(editor)' did not save a text; nothing was changed. Set $EDITOR, or use --text",
        de: "der Editor '\(editor)' hat keinen Text gespeichert; nichts geändert. $EDITOR setzen, oder --text nehmen"))
  }
}
