import Access
package import Expressions

/// One note: text, summary, recording, files.
package struct NotePage: PageView {
  private let note: Value
  private let version: String

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - note: The note, as the API answers it.
  ///   - version: Its ETag.
  package init(_ note: Value, version: String) { (self.note, self.version) = (note, version) }

  private var path: String { "/notes/\(note.number("number"))" }

  package func title(_ context: PageContext) -> String {
    note.text("heading").isEmpty
      ? context.say("Note", de: "Notiz") + " \(note.number("number"))" : note.text("heading")
  }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .class("buttons")) {
      if context.may(.update, .notes) {
        tag(.a, .class("button"), .href(path + "/edit"), text: context.say("Edit", de: "Bearbeiten"))
      }
      if context.may(.delete, .notes) {
        context.button(
          context.say("Delete", de: "Löschen"), "DELETE " + path, then: "go /notes",
          confirm: context.say(
            "Delete this note and its reminder?", de: "Diese Notiz und ihre Erinnerung löschen?"),
          style: "danger")
      }
      tag(.a, .class("button quiet"), .href("/notes"), text: context.say("All notes", de: "Alle Notizen"))
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.div, .class("facts")) {
        context.fact(context.say("Kind", de: "Art"), .text(NotesPage.kind(note, context)))
        context.fact(
          context.say("Category", de: "Kategorie"),
          tag(
            .a, .href("/notes?category=" + PageAddress.escaped(note.text("category"))), text: note.text("category")))
        context.fact(context.say("Created", de: "Angelegt"), context.time(note["created"]))
        if note.text("updated") != note.text("created") {
          context.fact(context.say("Changed", de: "Geändert"), context.time(note["updated"]))
        }
        if note["reminder"]?.stringValue != nil {
          context.fact(context.say("Reminder", de: "Erinnerung"), context.time(note["reminder"]))
        }
        if let source = note["source"]?.stringValue, !source.isEmpty {
          context.fact(context.say("Source", de: "Quelle"), .text(source))
        }
      },
      context.chips(
        (note["tags"]?.listValue ?? []).compactMap(\.stringValue).map {
          ($0, "/notes?tag=" + PageAddress.escaped($0))
        }), summary(context), files(context), text(context),
    ])
  }

  private func summary(_ context: PageContext) -> HTML {
    guard let summary = note["summary"]?.stringValue, !summary.isEmpty else { return .empty }
    return context.section(context.say("Summary", de: "Zusammenfassung")) {
      tag(.p, .class("prose lead"), text: summary)
    }
  }

  private func text(_ context: PageContext) -> HTML {
    let (original, corrected) = (note.text("text"), note["corrected"]?.stringValue)
    return .group([
      context.section(context.say("Contents", de: "Inhalt")) {
        if (corrected ?? original).isEmpty {
          context.empty(context.say("This note has no text yet.", de: "Diese Notiz hat noch keinen Text."))
        } else {
          tag(.div, .class("prose card"), text: corrected ?? original)
        }
      },
      corrected == nil || corrected == original
        ? .empty
        : tag(.details, .class("block")) {
          tag(.summary, text: context.say("The original text", de: "Der ursprüngliche Text"))
          tag(.div, .class("prose card"), text: original)
        },
    ])
  }

  private func files(_ context: PageContext) -> HTML {
    var files: [(name: String, size: Value?, isAudio: Bool)] = []
    if let audio = note["audio"], audio != .null { files.append((audio.text("name"), audio["size"], true)) }
    for file in note["attachments"]?.listValue ?? [] { files.append((file.text("name"), file["size"], false)) }
    guard !files.isEmpty else { return .empty }
    return context.section(context.say("Files", de: "Dateien")) {
      if files[0].isAudio, files[0].size?.intValue != nil {
        tag(
          .audio, .flag(.controls), .with(.preload, "none"), .src("/api/v1\(path)/files/1"),
          .aria("label", context.say("The recording", de: "Die Aufnahme")))
      }
      tag(.ul, .class("list small")) {
        for (place, file) in files.enumerated() {
          tag(.li) {
            if let size = file.size?.intValue {
              tag(.a, .href("/api/v1\(path)/files/\(place + 1)"), .with(.download, file.name), text: file.name)
              tag(.span, .class("faint"), text: context.size(size))
            } else {
              tag(.span, text: file.name)
              tag(.span, .class("reason"), text: context.say("missing", de: "fehlt"))
            }
          }
        }
      }
    }
  }
}

/// The form of a note, new or changed.
package struct NoteFormPage: PageView {
  private let note: Value
  private let version: String?
  private let categories: [Value]
  private let tags: [Value]

  /// Creates the form.
  ///
  /// - Parameters:
  ///   - note: The note; `nil` for a new one.
  ///   - version: Its ETag.
  ///   - categories: The categories.
  ///   - tags: The known tags.
  package init(_ note: Value? = nil, version: String? = nil, categories: Value, tags: Value) {
    (self.note, self.version) = (note ?? .null, note == nil ? nil : version ?? "")
    (self.categories, self.tags) = (categories.items, tags.items)
  }

  private var isNew: Bool { version == nil }
  private var path: String { "/notes/\(note.number("number"))" }

  package func title(_ context: PageContext) -> String {
    isNew ? context.say("New note", de: "Neue Notiz") : context.say("Edit the note", de: "Notiz bearbeiten")
  }

  package func contents(_ context: PageContext) -> HTML {
    context.form(
      isNew ? "POST /notes" : "PATCH " + path, then: isNew ? "go /notes/{number}" : "go " + path, match: version,
      class: "card"
    ) {
      let empty: String? = isNew ? nil : "null"
      context.input(
        .init(
          "title", context.say("Title", de: "Titel"), value: note.text("title"),
          help: context.say(
            "Without a title, the first line of the text is shown.",
            de: "Ohne Titel wird die erste Zeile des Textes gezeigt."), empty: empty),
        prefix: "note", .with(.maxlength, "300"))
      context.area(
        .init(
          "text", context.say("Contents", de: "Inhalt"), kind: "long", value: note.text("text"),
          empty: isNew ? nil : "\"\""),
        prefix: "note", rows: 10)
      if isNew {
        context.input(
          .init(
            "audio", context.say("Recording", de: "Aufnahme"), kind: "upload",
            help: context.say("A voice file: m4a, mp3, ogg, wav …", de: "Eine Sprachdatei: m4a, mp3, ogg, wav …")),
          prefix: "note", type: "file", .with(.accept, "audio/*"))
        context.input(
          .init("attachments", context.say("Other files", de: "Weitere Dateien"), kind: "upload"), prefix: "note",
          type: "file", .flag(.multiple))
      } else {
        context.area(
          .init(
            "corrected", context.say("Corrected text", de: "Korrigierter Text"), kind: "long",
            value: note.text("corrected"), empty: empty), prefix: "note", rows: 6)
        context.area(
          .init(
            "summary", context.say("Summary", de: "Zusammenfassung"), kind: "long", value: note.text("summary"),
            empty: empty), prefix: "note", rows: 3)
      }
      context.choice(
        .init(
          "category", context.say("Category", de: "Kategorie"),
          value: isNew ? defaultCategory : note.text("category"), empty: empty),
        prefix: "note", categories.map { ($0.text("name"), $0.text("name")) })
      context.input(
        .init(
          "tags", context.say("Labels", de: "Schlagwörter"), kind: "words",
          value: (note["tags"]?.listValue ?? []).compactMap(\.stringValue).joined(separator: ", "),
          help: tagHelp(context), empty: "[]"), prefix: "note")
      context.input(
        .init(
          "reminder", context.say("Remind me at", de: "Erinnern am"), kind: "time", value: note.text("reminder"),
          empty: empty), prefix: "note", type: "datetime-local")
      context.buttons(
        isNew ? context.say("Keep", de: "Anlegen") : context.say("Save", de: "Speichern"),
        back: isNew ? "/notes" : path)
    }
  }

  private var defaultCategory: String { categories.first { $0["default"]?.boolValue ?? false }?.text("name") ?? "" }

  private func tagHelp(_ context: PageContext) -> String {
    let known = tags.prefix(8).map { $0.text("tag") }
    let help = context.say("Separated by commas.", de: "Durch Kommas getrennt.")
    return known.isEmpty
      ? help : help + " " + context.say("Known ones: ", de: "Bekannte: ") + known.joined(separator: ", ")
  }
}
