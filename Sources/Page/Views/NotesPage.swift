import Access
package import Expressions

/// The list of notes, with search, categories and tags.
package struct NotesPage: PageView {
  private let notes: [Value]
  private let next: String?
  private let categories: [Value]
  private let tags: [Value]
  private let query: [(name: String, value: String)]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - page: Notes, or notes that were found with their passages, as the API answers them.
  ///   - categories: The categories.
  ///   - tags: The tags, the most used first.
  ///   - query: The parameters of the request.
  package init(_ page: Value, categories: Value, tags: Value, query: [(name: String, value: String)]) {
    (notes, next) = (page.items, page["next"]?.stringValue)
    (self.categories, self.tags, self.query) = (categories.items, tags.items, query)
  }

  /// The filters that a person chooses.
  package static let filters = ["search", "category", "tag", "kind"]

  package func title(_ context: PageContext) -> String { context.say("Notes", de: "Notizen") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.create, .notes) else { return .empty }
    return tag(.a, .class("button primary"), .href("/new-note"), text: context.say("New note", de: "Neue Notiz"))
  }

  private func chosen(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
  private var isFiltered: Bool { query.contains { Self.filters.contains($0.name) && !$0.value.isEmpty } }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .class("columns")) {
      tag(.div) {
        filter(context)
        if notes.isEmpty {
          context.empty(
            isFiltered
              ? context.say("No note fits this filter.", de: "Keine Notiz passt zu diesem Filter.")
              : context.say(
                "No notes yet. 'New note' keeps a text or a recording.",
                de: "Noch keine Notizen. 'Neue Notiz' nimmt einen Text oder eine Aufnahme auf."))
        } else {
          tag(.ul, .class("list")) { for note in notes { row(note, context) } }
        }
        pages(context)
      }
      tag(.div) {
        tagBlock(context)
        categoryBlock(context)
      }
    }
  }

  // MARK: - The list

  private func row(_ item: Value, _ context: PageContext) -> HTML {
    let note = item["note"] ?? item
    let passage = item["highlights"]?.listValue ?? []
    return tag(.li) {
      tag(.div, .class("entry")) {
        tag(
          .a, .class("strong"), .href("/notes/\(note.number("number"))"),
          text: note.text("heading").isEmpty ? context.say("Without text", de: "Ohne Text") : note.text("heading"))
        if passage.isEmpty {
          if let summary = note["summary"]?.stringValue, !summary.isEmpty {
            tag(.div, .class("clipped"), text: String(summary.prefix(300)))
          }
        } else {
          tag(.div, .class("clipped")) {
            for part in passage {
              if part["hit"]?.boolValue ?? false {
                tag(.mark, text: part.text("text"))
              } else {
                part.text("text")
              }
            }
          }
        }
        tag(.div, .class("faint")) {
          Self.kind(note, context) + " · " + note.text("category") + " · "
          context.time(note["created"], isRelative: true)
          for word in (note["tags"]?.listValue ?? []).compactMap(\.stringValue).prefix(8) { " · " + word }
        }
      }
      if note["reminder"]?.stringValue != nil {
        tag(.span, .class("faint")) {
          context.say("Reminder ", de: "Erinnerung ")
          context.time(note["reminder"])
        }
      }
    }
  }

  static func kind(_ note: Value, _ context: PageContext) -> String {
    note.text("kind") == "audio" ? context.say("recording", de: "Aufnahme") : context.say("text", de: "Text")
  }

  private func filter(_ context: PageContext) -> HTML {
    tag(.form, .class("filter"), .with(.method, "get"), .action("/notes"), .role("search")) {
      tag(.div, .class("field grow")) {
        tag(.label, .with(.forID, "search"), text: context.say("Words", de: "Wörter"))
        tag(
          .input, .id("search"), .with(.type, "search"), .with(.name, "search"), .with(.value, chosen("search")),
          .with(.maxlength, "500"))
      }
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "category"), text: context.say("Category", de: "Kategorie"))
        tag(.select, .id("category"), .with(.name, "category")) {
          context.option("", context.say("all", de: "alle"), chosen: chosen("category"))
          for category in categories {
            context.option(category.text("name"), category.text("name"), chosen: chosen("category"))
          }
        }
      }
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "kind"), text: context.say("Kind", de: "Art"))
        tag(.select, .id("kind"), .with(.name, "kind")) {
          context.option("", context.say("all", de: "alle"), chosen: chosen("kind"))
          context.option("text", context.say("texts", de: "Texte"), chosen: chosen("kind"))
          context.option("audio", context.say("recordings", de: "Aufnahmen"), chosen: chosen("kind"))
        }
      }
      if !chosen("tag").isEmpty {
        tag(.input, .with(.type, "hidden"), .with(.name, "tag"), .with(.value, chosen("tag")))
      }
      tag(.button, .with(.type, "submit"), text: context.say("Search", de: "Suchen"))
      if isFiltered {
        tag(.a, .class("button quiet"), .href("/notes"), text: context.say("Clear", de: "Zurücksetzen"))
      }
    }
  }

  private func address(_ changes: [(String, String)]) -> String {
    var fields = query.filter { field in
      Self.filters.contains(field.name) && !field.value.isEmpty && !changes.contains { $0.0 == field.name }
    }
    fields += changes.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
    return "/notes?" + fields.map { $0.name + "=" + PageAddress.escaped($0.value) }.joined(separator: "&")
  }

  private func pages(_ context: PageContext) -> HTML {
    let isFirst = chosen("cursor").isEmpty
    if isFirst, next == nil { return .empty }
    return tag(.nav, .class("pages"), .aria("label", context.say("Pages", de: "Seiten"))) {
      if !isFirst {
        tag(.a, .class("button"), .href(address([])), text: context.say("Newest", de: "Neueste"))
      }
      if let next {
        tag(
          .a, .class("button"), .with(.rel, "next"), .href(address([("cursor", next)])),
          text: context.say("Older", de: "Ältere"))
      }
    }
  }

  // MARK: - Tags and categories

  private func tagBlock(_ context: PageContext) -> HTML {
    guard !tags.isEmpty else { return .empty }
    return context.section(context.say("Labels", de: "Schlagwörter")) {
      tag(.ul, .class("chips")) {
        for entry in tags.prefix(30) {
          let isChosen = entry.text("tag") == chosen("tag")
          tag(.li) {
            HTML.element(
              .a,
              [
                .class(isChosen ? "chip chosen" : "chip"),
                .href(address([("tag", isChosen ? "" : entry.text("tag")), ("cursor", "")])),
              ] + (isChosen ? [.aria("current", "true")] : []),
              [.text(entry.text("tag") + " \(entry.number("count"))")])
          }
        }
      }
    }
  }

  private func categoryBlock(_ context: PageContext) -> HTML {
    context.section(context.say("Categories", de: "Kategorien")) {
      tag(.ul, .class("list small")) {
        for (number, category) in categories.enumerated() { categoryRow(category, number, context) }
      }
      if context.may(.create, .notes) {
        tag(.details, .class("add")) {
          tag(.summary, text: context.say("New category …", de: "Neue Kategorie …"))
          context.form("POST /note-categories", class: "card") {
            context.input(
              .init("name", context.say("Name of the category", de: "Name der Kategorie"), isRequired: true),
              prefix: "category",
              .with(.maxlength, "100"))
            context.buttons(context.say("Add", de: "Anlegen"))
          }
        }
      }
    }
  }

  private func categoryRow(_ category: Value, _ number: Int, _ context: PageContext) -> HTML {
    let name = category.text("name")
    let path = "/note-categories/" + PageAddress.escaped(name)
    let isDefault = category["default"]?.boolValue ?? false
    return tag(.li) {
      tag(.div, .class("entry")) {
        tag(.a, .href(address([("category", name), ("cursor", "")])), text: name)
      }
      tag(.span, .class("faint")) {
        "\(category.number("count"))"
        if isDefault { " · " + context.say("default", de: "Vorgabe") }
      }
      if context.may(.update, .notes) || context.may(.delete, .notes) {
        tag(.details, .class("inline")) {
          tag(.summary) {
            context.say("Change …", de: "Ändern …")
            tag(.span, .class("hidden"), text: " " + name)
          }
          if context.may(.update, .notes) {
            context.form("PATCH " + path, class: "plain-form") {
              context.input(
                .init("name", context.say("New name", de: "Neuer Name"), value: name, isRequired: true),
                prefix: "category-\(number)", .with(.maxlength, "100"))
              context.buttons(context.say("Rename", de: "Umbenennen"))
            }
          }
          if !isDefault {
            tag(.div, .class("buttons")) {
              if context.may(.update, .notes) {
                context.button(
                  context.say("Make it the default", de: "Zur Vorgabe machen"), "PATCH " + path,
                  body: ["default": true], style: "small")
              }
              if context.may(.delete, .notes) {
                context.button(
                  context.say("Delete", de: "Löschen"), "DELETE " + path,
                  confirm: context.say(
                    "Delete the category \(name)? Its notes get the default one.",
                    de: "Die Kategorie \(name) löschen? Ihre Notizen bekommen die Vorgabe."),
                  style: "small danger")
              }
            }
          }
        }
      }
    }
  }
}
