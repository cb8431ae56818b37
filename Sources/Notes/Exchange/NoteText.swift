public import Expressions
public import Schedules

/// Notes as text and Markdown, in the layout of VoiceNotes. Its words are German whatever language Sous speaks.
public enum NoteText {
  /// One note: `Sprachnotiz vom …`, its summary, its text.
  public static func text(of note: Note, zone: Zone) -> String {
    var text = "Sprachnotiz vom \(NoteDates.german(note.created, zone))\n\n"
    if let summary = note.summary, !summary.isEmpty { text += "Zusammenfassung:\n\(summary)\n\n" }
    return text + note.readableText + "\n"
  }

  /// Notes as a Markdown document.
  ///
  /// - Parameter now: The date of the export.
  public static func markdown(_ notes: [Note], zone: Zone, now: Timestamp) -> String {
    var text = "# Sprachnotizen Export\nExportiert am \(NoteDates.german(now, zone))\n\n---\n"
    for note in notes {
      text += "\n## \(NoteDates.german(note.created, zone))\n\n"
      if let summary = note.summary, !summary.isEmpty { text += "**Zusammenfassung:** \(summary)\n\n" }
      text += "\(note.readableText)\n\n---\n"
    }
    return text
  }

  /// Notes as the Markdown that a PDF is made of: date, summary, text.
  public static func pages(_ notes: [Note], zone: Zone) -> String {
    notes.map { note in
      var text = "## \(NoteDates.german(note.created, zone))\n\n"
      if let summary = note.summary, !summary.isEmpty { text += "**Zusammenfassung:** \(summary)\n\n" }
      return text + note.readableText
    }.joined(separator: "\n\n") + "\n"
  }

  /// The name of a file that notes are exported to: `sprachnotizen_2025-01-15.md`.
  public static func fileName(_ now: Timestamp, zone: Zone, ending: String) -> String {
    "sprachnotizen_\(NoteDates.day(now, zone)).\(ending)"
  }
}
