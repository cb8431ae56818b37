import Expressions
import Localization
import Notes
import RecordJSON
import Schedules
import UseCases

/// Notes for people and programs.
struct NoteReport: Sendable {
  private let defaultCategory: String
  private let colors: [String: String]
  private let terminal = Terminal()

  /// Reads what it takes to show notes.
  init(_ store: NoteStore) throws(NoteError) {
    let categories = try store.categories()
    defaultCategory = categories.first(where: \.isDefault)?.name ?? ""
    colors = Dictionary(categories.compactMap { category in category.color.map { (category.name, $0) } }) { $1 }
  }

  /// For notes of a store that is not there yet.
  init() {
    defaultCategory = NoteCategory.first(in: Speech.language).first?.name ?? ""
    colors = [:]
  }

  /// The text if there are no notes.
  static func empty(isFiltered: Bool) -> String {
    isFiltered ? say("No such notes\n", de: "Keine Notizen\n") : say("No entries yet\n", de: "Noch keine Einträge\n")
  }

  /// A time in the form of the language: `2026-11-24 09:00`, `24.11.2026, 09:00`.
  static func time(_ time: Timestamp) -> String {
    Speech.language == .german ? NoteDates.german(time, .current) : String(time.spokenLocalTime.dropLast(3))
  }

  /// The note for programs.
  func json(_ note: Note) -> Value { note.record(defaultCategory: defaultCategory) }

  /// A note that a search has found, for programs.
  func json(_ found: FoundNote) -> Value { found.record(defaultCategory: defaultCategory) }

  /// Notes as lines.
  func table(_ notes: [Note], indentation: String = "") -> String {
    var table = TextTable([
      .number(say("no.", de: "Nr.")), .time(say("time", de: "Zeit")),
      .init(say("category", de: "Kategorie"), .cut(to: 8)),
      .init(""), .init(say("note", de: "Notiz"), .cut(to: 20)), .init(say("tags", de: "Schlagwörter"), .below),
      .init(say("reminder", de: "Erinnerung"), .below),
    ])
    for note in notes { table.append(cells(note)) }
    return table.lines(terminal.narrowed(by: indentation.count)).map { indentation + $0 + "\n" }.joined()
  }

  /// A note as one line.
  func line(_ note: Note) -> String { cells(note).filter { !$0.isEmpty }.joined(separator: "  ").singleLine }

  private func cells(_ note: Note) -> [String] {
    let heading = note.heading.isEmpty ? say("(without text)", de: "(ohne Text)") : note.heading
    return [
      String(note.number), Self.time(note.created), category(note),
      note.kind == .audio ? "♪" : "", terminal.styled(heading.cut(to: 60), .bold),
      note.tags.map { "#\($0)" }.joined(separator: " ").cut(to: 30),
      note.reminder.map { "⏰ " + Self.time($0) } ?? "",
    ]
  }

  private func category(_ note: Note) -> String { category(named: note.category ?? defaultCategory) }

  /// A category with a dot of its colour, or of the one a terminal has that comes closest.
  func category(named name: String) -> String {
    guard terminal.hasColor, let color = colors[name], let style = Self.style(color) else { return name }
    return terminal.styled("●", style) + " " + name
  }

  private static func style(_ color: String) -> Terminal.Style? {
    guard let wanted = Int(color.dropFirst(), radix: 16) else { return nil }
    func parts(_ number: Int) -> [Int] { [number >> 16 & 255, number >> 8 & 255, number & 255] }
    let known: [(Terminal.Style, Int)] = [
      (.red, 0xE0_3030), (.green, 0x30_C050), (.yellow, 0xE0_C030), (.blue, 0x30_70F0), (.cyan, 0x30_C0D0),
      (.dim, 0x90_9090),
    ]
    return known.min { left, right in
      func distance(_ color: Int) -> Int {
        zip(parts(color), parts(wanted)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      }
      return distance(left.1) < distance(right.1)
    }?.0
  }

  /// The passage of a note that fits best, the hits in bold on a terminal, else between `**`.
  func passage(_ found: FoundNote) -> String {
    found.passage.map { piece in
      let text = piece.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      guard piece.isHit else { return text }
      return terminal.hasColor ? terminal.styled(text, .yellow) : "**\(text)**"
    }.joined()
  }

  /// All about a note.
  func whole(_ note: Note) -> String {
    var text = terminal.styled(note.heading.isEmpty ? say("(without text)", de: "(ohne Text)") : note.heading, .bold)
    text += "\n"
    var facts = [
      "\(note.number)", Self.time(note.created), category(note),
      note.kind == .audio ? say("audio", de: "Audio") : say("text", de: "Text"),
    ]
    facts += note.tags.map { "#\($0)" }
    text += facts.joined(separator: " · ").singleLine + "\n"
    if let reminder = note.reminder { text += "⏰ \(Self.time(reminder))\n" }
    if let source = note.source, !source.isEmpty { text += say("from ", de: "aus ") + source.singleLine + "\n" }
    for file in note.files {
      let size = file.size?.spokenSize ?? say("content missing", de: "Inhalt fehlt")
      text += "\(file.role == .audio ? "♪" : "+") \(file.name.singleLine)  \(file.type)  \(size)\n"
    }
    if let summary = note.summary, !summary.isEmpty {
      text += "\n" + terminal.styled(say("Summary", de: "Zusammenfassung"), .dim) + "\n\(summary)\n"
    }
    if let corrected = note.corrected {
      text += "\n" + terminal.styled(say("Corrected text", de: "Korrigierter Text"), .dim) + "\n\(corrected)\n"
      text += "\n" + terminal.styled(say("Original", de: "Original"), .dim) + "\n\(note.text)\n"
    } else if !note.text.isEmpty {
      text += "\n\(note.text)\n"
    }
    return text
  }
}
