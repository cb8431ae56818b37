import Access
package import Expressions
import Localization

/// The prompt catalog as the menu has it.
package struct CatalogPage: PageView {
  private let entries: [Value]
  private let search: String

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - page: The entries in the order of the menu, as the API answers them.
  ///   - search: The words that they have.
  package init(_ page: Value, search: String) { (entries, self.search) = (page.items, search) }

  package func title(_ context: PageContext) -> String { context.say("Prompt catalog", de: "Prompt-Katalog") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.create, .catalog) else { return .empty }
    return tag(.a, .class("button primary"), .href("/new-prompt"), text: context.say("New prompt", de: "Neuer Prompt"))
  }

  static func address(_ name: String) -> String { "/catalog/" + PageAddress.escaped(name) }

  /// The word for a kind of entry.
  static func kind(_ entry: Value, _ context: PageContext) -> String {
    switch entry.text("kind") {
    case "folder": context.say("folder", de: "Ordner")
    case "preset": context.say("preset", de: "Preset")
    case "item": context.say("reference", de: "Verweis")
    case "composition": context.say("composition", de: "Komposition")
    case "cookbook": context.say("cookbook", de: "Kochbuch")
    default: entry.text("kind")
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.form, .class("filter"), .with(.method, "get"), .action("/catalog"), .role("search")) {
        tag(.div, .class("field grow")) {
          tag(.label, .with(.forID, "search"), text: context.say("Words", de: "Wörter"))
          tag(
            .input, .id("search"), .with(.type, "search"), .with(.name, "search"), .with(.value, search),
            .with(.maxlength, "500"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Search", de: "Suchen"))
        if !search.isEmpty {
          tag(.a, .class("button quiet"), .href("/catalog"), text: context.say("Clear", de: "Zurücksetzen"))
        }
      },
      entries.isEmpty
        ? context.empty(context.say("No prompt has these words.", de: "Kein Prompt hat diese Wörter."))
        : tag(.ul, .class("list tree")) { for entry in entries { row(entry, context) } },
    ])
  }

  private func row(_ entry: Value, _ context: PageContext) -> HTML {
    let (name, isFolder) = (entry.text("name"), entry.text("kind") == "folder")
    let depth = name.split(separator: "/").count - 1
    var words = [name]
    if !isFolder { words.append(Self.kind(entry, context)) }
    if entry["bundled"]?.boolValue ?? false { words.append(context.say("comes with Sous", de: "gehört zu Sous")) }
    return tag(.li, .class("level-\(min(max(depth, 0), 4))" + (isFolder ? " folder" : ""))) {
      tag(.div, .class("entry")) {
        if !entry.text("icon").isEmpty { tag(.span, .aria("hidden", "true"), text: entry.text("icon") + " ") }
        tag(.a, .class("strong"), .href(Self.address(name)), text: entry.text("title"))
        if entry["default"]?.boolValue ?? false {
          tag(.span, .class("badge"), text: context.say("default of the chat", de: "Vorgabe des Chats"))
        }
        tag(.div, .class("faint"), text: words.joined(separator: " · "))
      }
    }
  }
}

/// One entry of the catalog.
package struct PromptPage: PageView {
  private let entry: Value
  private let text: Value
  private let version: String
  private let problem: String?

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - entry: The entry with its fields, as the API answers it.
  ///   - text: The text with its keywords put in; null for kinds without a text.
  ///   - version: The ETag of the entry.
  ///   - problem: Why the text cannot be made.
  package init(_ entry: Value, text: Value, version: String, problem: String? = nil) {
    (self.entry, self.text, self.version, self.problem) = (entry, text, version, problem)
  }

  private var name: String { entry.text("name") }
  private var kind: String { entry.text("kind") }
  private var path: String { "/catalog/" + PageAddress.escaped(name) }

  package func title(_ context: PageContext) -> String { entry.text("title") }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .class("buttons")) {
      if ["preset", "composition"].contains(kind), context.may(.create, .conversations) {
        tag(
          .a, .class("button"), .href("/chat?preset=" + PageAddress.escaped(name)),
          text: context.say("Use it in a chat", de: "Im Chat verwenden"))
      }
      if context.may(.delete, .catalog), entry["bundled"]?.boolValue != true {
        context.button(
          context.say("Delete", de: "Löschen"), "DELETE \(path)", then: "go /catalog",
          confirm: context.say("Delete '\(name)'?", de: "'\(name)' löschen?"), style: "danger")
      }
      tag(.a, .class("button quiet"), .href("/catalog"), text: context.say("Catalog", de: "Katalog"))
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.div, .class("facts")) {
        context.fact(context.say("Name", de: "Name"), tag(.code, text: name))
        context.fact(context.say("Kind", de: "Art"), .text(CatalogPage.kind(entry, context)))
        if entry["bundled"]?.boolValue ?? false {
          context.fact(
            context.say("Origin", de: "Herkunft"), .text(context.say("comes with Sous", de: "gehört zu Sous")))
        } else if let file = entry["path"]?.stringValue {
          context.fact(context.say("File", de: "Datei"), tag(.code, text: file))
        }
        if let preset = entry["preset"]?.stringValue {
          context.fact("Preset", tag(.a, .href(CatalogPage.address(preset)), text: preset))
        }
      }, description(context), resolved(context), context.may(.update, .catalog) ? edit(context) : .empty,
    ])
  }

  /// A text of the file, in the language of the page if it has several.
  private func field(_ key: String, _ context: PageContext) -> String {
    let value = entry["fields"]?[key]
    if let text = value?.stringValue { return text }
    guard let texts = value?.mapValue else { return "" }
    return (value?[context.language.rawValue] ?? value?["en"] ?? texts.values.first)?.stringValue ?? ""
  }

  private func description(_ context: PageContext) -> HTML {
    let text = field("description", context)
    return text.isEmpty ? .empty : tag(.p, .class("lead prose"), text: text)
  }

  private func resolved(_ context: PageContext) -> HTML {
    if let problem { return tag(.div, .class("failure")) { tag(.p, text: problem) } }
    guard text != .null else { return list(context) }
    let keywords = text["keywords"]?.listValue ?? []
    return .group([
      text.text("system").isEmpty
        ? .empty
        : context.section(context.say("Role of the model", de: "Rolle des Modells")) {
          tag(.div, .class("prose card"), text: text.text("system"))
        },
      context.section(context.say("Instructions", de: "Anweisung")) {
        tag(.div, .class("prose card"), text: text.text("text"))
      },
      keywords.isEmpty
        ? .empty
        : context.section(context.say("Keywords", de: "Schlüsselwörter")) {
          context.table(
            context.say("Keywords", de: "Schlüsselwörter"),
            [
              context.say("Keyword", de: "Schlüsselwort"), context.say("Value", de: "Wert"),
              context.say("From", de: "Aus"),
            ],
            keywords.map {
              [tag(.code, text: $0.text("name")), .text($0.text("value")), tag(.code, text: $0.text("from"))]
            })
        },
    ])
  }

  /// The parts of a composition or a cookbook.
  private func list(_ context: PageContext) -> HTML {
    let parts = entry["fields"]?["elements"]?.listValue ?? entry["fields"]?["contents"]?.listValue ?? []
    guard !parts.isEmpty else { return .empty }
    return context.section(context.say("Parts", de: "Teile")) { context.value(.list(parts)) }
  }

  private func edit(_ context: PageContext) -> HTML {
    tag(.details, .class("block")) {
      tag(.summary, text: context.say("Edit …", de: "Bearbeiten …"))
      if entry["bundled"]?.boolValue ?? false {
        tag(
          .p, .class("help"),
          text: context.say(
            "The changed prompt becomes a file of this workspace and is used instead of the one of Sous.",
            de: "Der geänderte Prompt wird eine Datei dieses Arbeitsbereichs und ersetzt den von Sous."))
      }
      context.form("PATCH \(path)", match: version, class: "card") {
        PromptFields(context, kind: kind) { $0 == "keywords" ? entry.text($0) : field($0, context) }.html
        context.buttons(context.say("Save", de: "Speichern"))
      }
      if context.may(.update, .recipes), entry["bundled"]?.boolValue != true {
        context.form("POST \(path)/move", then: "go /catalog/{name}", class: "card") {
          context.input(
            .init(
              "to", context.say("Other name", de: "Anderer Name"), value: name,
              help: context.say(
                "Recipes that name it are changed too.", de: "Rezepte, die ihn nennen, ändern sich mit."),
              isRequired: true), prefix: "move", .with(.maxlength, "300"))
          context.buttons(context.say("Rename", de: "Umbenennen"))
        }
      }
    }
  }
}

/// The fields of a prompt, new or changed.
struct PromptFields {
  private let context: PageContext
  private let kind: String
  private let value: (String) -> String

  init(_ context: PageContext, kind: String, value: @escaping (String) -> String = { _ in "" }) {
    (self.context, self.kind, self.value) = (context, kind, value)
  }

  var html: HTML {
    .group([
      context.input(
        .init("title", context.say("Title", de: "Titel"), value: value("name"), empty: "\"\""), prefix: "prompt",
        .with(.maxlength, "300")),
      context.input(
        .init(
          "icon", context.say("Symbol", de: "Zeichen"), value: value("icon"),
          help: context.say("An emoji, for example.", de: "Zum Beispiel ein Emoji."), empty: "\"\""), prefix: "prompt",
        .with(.maxlength, "20")),
      context.area(
        .init(
          "description", context.say("Description", de: "Beschreibung"), kind: "long", value: value("description"),
          empty: "\"\""), prefix: "prompt", rows: 2),
      kind == "preset"
        ? .group([
          context.area(
            .init(
              "text", context.say("Instructions", de: "Anweisung"), kind: "long", value: value("prompt"),
              help: context.say("{{ Name }} is filled by a keyword.", de: "{{ Name }} füllt ein Schlüsselwort."),
              isRequired: true), prefix: "prompt", rows: 10),
          context.area(
            .init(
              "system", context.say("Role of the model", de: "Rolle des Modells"), kind: "long",
              value: value("system"), empty: "\"\""), prefix: "prompt", rows: 3),
        ]) : .empty,
      context.area(
        .init(
          "keywords", context.say("Keywords", de: "Schlüsselwörter"), kind: "long", value: value("keywords"),
          help: context.say("For example: Tone: friendly", de: "Zum Beispiel: Ton: freundlich"), empty: "\"\""),
        prefix: "prompt", rows: 2),
    ])
  }
}

/// A new prompt.
package struct NewPromptPage: PageView {
  private let folders: [String]

  /// Creates the form.
  ///
  /// - Parameter page: The entries of the catalog, whose folders are suggested.
  package init(_ page: Value) {
    folders = page.items.filter { $0.text("kind") == "folder" }.map { $0.text("name") }
  }

  package func title(_ context: PageContext) -> String { context.say("New prompt", de: "Neuer Prompt") }

  package func contents(_ context: PageContext) -> HTML {
    context.form("POST /catalog", then: "go /catalog/{name}", class: "card") {
      context.input(
        .init(
          "name", context.say("Name with its folder", de: "Name mit Ordner"),
          help: context.say("For example: mail/short-reply", de: "Zum Beispiel: mail/kurze-antwort"), isRequired: true),
        prefix: "prompt", .with(.list, "folders"), .with(.maxlength, "300"), .with(.autocapitalize, "none"),
        .with(.spellcheck, "false"))
      tag(.datalist, .id("folders")) {
        for folder in folders { tag(.option, .with(.value, folder.hasSuffix("/") ? folder : folder + "/")) }
      }
      PromptFields(context, kind: "preset").html
      context.buttons(context.say("Create", de: "Anlegen"), back: "/catalog")
    }
  }
}
