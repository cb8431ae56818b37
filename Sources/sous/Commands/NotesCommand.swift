import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Notes
import RecordJSON
import UseCases

/// `sous notes`: keep, find and revise notes.
struct NotesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "notes",
      abstract: say(
        "Keep, find, revise and share notes; import and export them.",
        de: "Notizen anlegen, finden, überarbeiten und weitergeben; Import und Export."),
      subcommands: [
        NotesListCommand.self, NotesAddCommand.self, NotesAppendCommand.self, NotesShowCommand.self,
        NotesSearchCommand.self, NotesEditCommand.self, NotesReviseCommand.self, NotesDeleteCommand.self,
        NotesFilesCommand.self, NotesExportCommand.self, NotesImportCommand.self, NotesMailCommand.self,
        NotesFromMailCommand.self, NotesCategoriesCommand.self, NotesTagsCommand.self, NotesOverviewCommand.self,
      ],
      defaultSubcommand: NotesListCommand.self)
  }
}

/// `sous notes list`
struct NotesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list", abstract: say("List notes, the newest first.", de: "Notizen zeigen, die neuesten zuerst."))
  }

  @OptionGroup var filter: NoteFilterOptions

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 50

  @Option(
    help: ArgumentHelp(
      say("Where the page before ended.", de: "Wo die Seite davor endete."), valueName: "cursor"))
  var cursor: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let (wanted, limit, cursor) = (filter.filter(), limit, cursor)
    let (page, report) = try Workspace(global).readingNotes(
      { (try $0.notes(wanted, limit: limit, cursor: cursor), try NoteReport($0)) },
      ifMissing: { (NoteStore.Page(), NoteReport()) })
    if format.json {
      return writeJSON([
        "notes": .list(page.notes.map(report.json)), "total": .int(Int64(page.total)),
        "cursor": page.cursor.map { .string($0) } ?? .null,
      ])
    }
    guard !page.notes.isEmpty else { return write(NoteReport.empty(isFiltered: filter.isGiven)) }
    write(report.table(page.notes))
    if page.cursor != nil {
      let rest = page.total - page.notes.count
      write(say("\(rest) more: --limit\n", de: "\(rest) weitere: --limit\n"))
    }
  }
}

/// `sous notes search`
struct NotesSearchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "search",
      abstract: say(
        "Find notes by words, or their beginnings, in title, texts and tags.",
        de: "Notizen nach Wörtern oder Wortanfängen in Titel, Texten und Schlagwörtern finden."))
  }

  @Argument(
    help: ArgumentHelp(say("The words; all of them count.", de: "Die Wörter; alle zählen."), valueName: "words"))
  var words: [String]

  @OptionGroup var filter: NoteFilterOptions

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 20

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let (text, wanted, limit) = (words.joined(separator: " "), filter.filter(), limit)
    let (all, report) = try Workspace(global).readingNotes(
      { (try $0.search(text, wanted, limit: limit < .max ? limit + 1 : limit), try NoteReport($0)) },
      ifMissing: { ([], NoteReport()) })
    let hasMore = all.count > limit
    let found = all.prefix(limit)
    if hasMore, format.json { writeError(Self.more) }
    if format.json {
      return writeJSON(.list(found.map { report.json($0) }))
    }
    guard !found.isEmpty else { return write(say("nothing found\n", de: "nichts gefunden\n")) }
    for found in found { write(report.line(found.note) + "\n    " + report.passage(found) + "\n") }
    if hasMore { write(Self.more) }
  }

  private static let more = say("there are more: --limit\n", de: "es gibt weitere: --limit\n")
}

/// `sous notes show`
struct NotesShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "show", abstract: say("Show a note.", de: "Eine Notiz zeigen."))
  }

  @OptionGroup var named: NamedNote

  @Flag(help: ArgumentHelp(say("Its text alone, for a pipe.", de: "Nur ihr Text, für eine Pipe.")))
  var text = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let reference = named.note
    let (note, report) = try Workspace(global).readingNotes(
      { (try $0.note(reference), try NoteReport($0)) }, ifMissing: { throw NamedNote.missing(reference) })
    if format.json { return writeJSON(report.json(note)) }
    if text { return writeOutput(note.readableText + "\n") }
    write(report.whole(note))
  }
}

/// `sous notes tags`
struct NotesTagsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "tags", abstract: say("List the tags of notes.", de: "Die Schlagwörter der Notizen zeigen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let tags = try Workspace(global).readingNotes({ try $0.tags() }, ifMissing: { [] })
    if format.json {
      return writeJSON(.list(tags.map { ["tag": .string($0.tag), "count": .int(Int64($0.count))] }))
    }
    guard !tags.isEmpty else { return write(NoteReport.empty(isFiltered: false)) }
    var table = TextTable([.init(say("tag", de: "Schlagwort")), .number(say("notes", de: "Notizen"))])
    for (tag, count) in tags { table.append(["#" + tag, String(count)]) }
    write(table.text())
  }
}

/// `sous notes overview`
struct NotesOverviewCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "overview",
      abstract: say(
        "Show the next reminders and the newest notes.",
        de: "Die nächsten Erinnerungen und die neuesten Notizen zeigen."))
  }

  private static let (reminders, notes) = (5, 10)

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let now = SystemTime().now
    let coming = try await Project(workspace).reminders(now: now)
      .filter { $0.state == .coming && ($0.next ?? now) > now }.prefix(Self.reminders)
    let (page, report) = try workspace.readingNotes(
      { (try $0.notes(limit: Self.notes), try NoteReport($0)) },
      ifMissing: { (NoteStore.Page(), NoteReport()) })
    if format.json {
      return writeJSON([
        "reminders": .list(coming.map(\.json)), "notes": .list(page.notes.map(report.json)),
        "total": .int(Int64(page.total)),
      ])
    }
    let terminal = Terminal()
    write(terminal.styled(say("Reminders", de: "Erinnerungen"), .bold) + "\n")
    if coming.isEmpty {
      write(say("  none to come: sous notes add --reminder …\n", de: "  keine: sous notes add --reminder …\n"))
    }
    for reminder in coming {
      write("  \(reminder.next.map(NoteReport.time) ?? "")  \(reminder.title.cut(to: 60))\n")
    }
    write("\n" + terminal.styled(say("Notes", de: "Notizen"), .bold) + "\n")
    guard !page.notes.isEmpty else { return write("  " + NoteReport.empty(isFiltered: false)) }
    write(report.table(page.notes, indentation: "  "))
  }
}

/// The note that a command is about.
struct NamedNote: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "Its number, the beginning of its id, its title or a part of it.",
        de: "Ihre Nummer, der Anfang ihrer ID, ihr Titel oder ein Teil davon."), valueName: "note"))
  var note: String

  static func missing(_ reference: String) -> CommandError {
    CommandError(
      ExitStatus.wrongInput,
      .init(
        "no note '\(reference)'; there are no notes yet",
        de: "keine Notiz '\(reference)'; es gibt noch keine Notizen"))
  }
}

/// Which notes a command is about.
struct NoteFilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp(say("Of this category.", de: "Dieser Kategorie."), valueName: "name"))
  var category: String?

  @Option(
    help: ArgumentHelp(
      say("With this tag; may be repeated.", de: "Mit diesem Schlagwort; mehrfach möglich."), valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(say("Of this kind: text or audio.", de: "Dieser Art: text oder audio."), valueName: "kind"))
  var kind: String?

  @Option(help: ArgumentHelp(say("Made on this day or later.", de: "Von diesem Tag an."), valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp(say("Made before this day.", de: "Vor diesem Tag."), valueName: "date"))
  var before: String?

  mutating func validate() throws {
    if let kind, Note.Kind(rawValue: kind) == nil {
      throw ValidationError(say("--kind is text or audio", de: "--kind ist text oder audio"))
    }
    for (option, value) in [("--since", since), ("--before", before)] {
      guard let value, PointInTime.read(value, now: SystemTime().now) == nil else { continue }
      throw ValidationError(
        say(
          "\(option) takes \(PointInTime.forms), not '\(value)'",
          de: "\(option) nimmt \(PointInTime.forms), nicht '\(value)'"))
    }
  }

  /// Whether any of them was given.
  var isGiven: Bool { category != nil || !tag.isEmpty || kind != nil || since != nil || before != nil }

  func filter() -> NoteFilter {
    var filter = NoteFilter()
    filter.category = category
    filter.tags = tag
    filter.kind = kind.flatMap { Note.Kind(rawValue: $0) }
    let now = SystemTime().now
    filter.since = since.flatMap { PointInTime.read($0, now: now) }
    filter.before = before.flatMap { PointInTime.read($0, now: now) }
    return filter
  }
}
