import Access
import Expressions
import Localization
import Schedules

/// The frame of all pages: head, navigation, title, footer.
package struct PageLayout {
  /// The policy of all pages: nothing from other servers, no inline code, no frames.
  package static let securityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  private let context: PageContext

  /// Creates the frame for a request.
  package init(_ context: PageContext) { self.context = context }

  /// The whole document.
  package func document(_ view: some PageView) -> String {
    let title = view.title(context)
    let body = tag(.body, .class(view.isPlain ? "plain" : "framed")) {
      tag(.a, .class("skip"), .href("#main"), text: say("Skip to content", de: "Zum Inhalt"))
      if view.isPlain { plainHeader } else { navigation }
      tag(.main, .id("main"), .with(.tabindex, "-1")) {
        tag(.div, .class("title")) {
          tag(.h1, text: title)
          tag(.div, .class("actions")) { view.actions(context) }
        }
        if view.needsScripts {
          tag(.noscript) {
            tag(.p, .class("note"), text: say("Changes need JavaScript.", de: "Änderungen brauchen JavaScript."))
          }
        }
        tag(.div, .id("notice"), .class("notice"), .role("status"), .aria("live", "polite"))
        view.contents(context)
        if !view.isPlain { zone }
      }
    }
    let head = tag(.head) {
      tag(.meta, .with(.charset, "utf-8"))
      tag(.meta, .with(.name, "viewport"), .with(.content, "width=device-width, initial-scale=1"))
      tag(.title, text: title + " · Sous")
      tag(.link, .with(.rel, "icon"), .href(PageAsset.folder + "icon.svg"), .with(.type, "image/svg+xml"))
      tag(.link, .with(.rel, "stylesheet"), .href(PageAsset.folder + "page.css"))
      if let token = context.csrfToken { tag(.meta, .with(.name, "csrf-token"), .with(.content, token)) }
      tag(.script, .src(PageAsset.folder + "theme.js"))
      for name in ["page.js"] + view.scripts {
        tag(.script, .with(.type, "module"), .src(PageAsset.folder + name))
      }
    }
    let html = tag(
      .html, .with(.lang, context.language.rawValue), .data("zone", context.zone.identifier),
      .data("offset", context.offset), .data("texts", texts)
    ) {
      head
      body
    }
    return "<!doctype html>\n" + html.markup + "\n"
  }

  private func say(_ english: String, de german: String) -> String { context.say(english, de: german) }

  /// The texts of the scripts.
  private var texts: String {
    let map: Value = [
      "failed": .string(say("That did not work.", de: "Das hat nicht geklappt.")),
      "offline": .string(say("The server does not answer.", de: "Der Server antwortet nicht.")),
      "done": .string(say("Done.", de: "Erledigt.")),
      "saved": .string(say("Saved.", de: "Gespeichert.")),
      "unsaved": .string(say("Not saved yet", de: "Noch nicht gespeichert")),
      "noProblems": .string(say("No problems found.", de: "Keine Fehler gefunden.")),
      "line": .string(say("Line", de: "Zeile")),
      "error": .string(say("Error", de: "Fehler")),
      "warning": .string(say("Warning", de: "Warnung")),
      "copied": .string(say("Copied.", de: "Kopiert.")),
      "following": .string(say("Live", de: "Live")),
      "ended": .string(say("Ended", de: "Beendet")),
      "lost": .string(say("Connecting again …", de: "Verbindung wird wiederhergestellt …")),
      "choose": .string(say("Choose the meaning.", de: "Die Bedeutung wählen.")),
      "upload": .string(say("Uploading …", de: "Wird hochgeladen …")),
      "signedOut": .string(say("The session has ended: sign in again.", de: "Die Sitzung ist beendet: neu anmelden.")),
      "changed": .string(
        say(
          "Another change was saved meanwhile: copy your text and load the page again.",
          de: "Inzwischen wurde anderes gespeichert: den eigenen Text kopieren und die Seite neu laden.")),
    ]
    return map.jsonString
  }

  /// The zone of all times of the page.
  private var zone: HTML {
    let (name, offset) = (context.zone.identifier, context.offset)
    return tag(
      .p, .class("zone"), .id("zone"),
      text: say("All times are in \(name) (UTC\(offset)).", de: "Alle Zeiten gelten in \(name) (UTC\(offset))."))
  }

  // MARK: - Navigation

  private var plainHeader: HTML {
    tag(.header, .class("plain-header")) {
      brand
      themeChoice
    }
  }

  private var brand: HTML {
    tag(.a, .class("brand"), .href("/")) {
      tag(.span, .class("mark"), .aria("hidden", "true"), text: "S")
      "Sous"
    }
  }

  private var themeChoice: HTML {
    tag(.label, .class("theme")) {
      tag(.span, .class("hidden"), text: say("Colours", de: "Farben"))
      tag(.select, .id("theme")) {
        tag(.option, .with(.value, "auto"), text: say("Colours: system", de: "Farben: System"))
        tag(.option, .with(.value, "light"), text: say("Colours: light", de: "Farben: hell"))
        tag(.option, .with(.value, "dark"), text: say("Colours: dark", de: "Farben: dunkel"))
      }
    }
  }

  private struct Entry {
    let path: String
    let title: String
    let object: AccessObject?
    var count = 0
  }

  private var entries: [Entry] {
    [
      Entry(path: "/", title: say("Overview", de: "Übersicht"), object: nil),
      Entry(
        path: "/decisions", title: say("Decisions", de: "Entscheidungen"), object: .decisions, count: context.questions),
      Entry(path: "/runs", title: say("Runs", de: "Läufe"), object: .runs),
      Entry(path: "/recipes", title: say("Recipes", de: "Rezepte"), object: .recipes),
      Entry(path: "/schedules", title: say("Schedules", de: "Zeitpläne"), object: .schedules),
      Entry(path: "/triggers", title: say("Triggers", de: "Auslöser"), object: .triggers),
      Entry(path: "/filters", title: say("Mail filters", de: "Mail-Filter"), object: .recipes),
      Entry(
        path: "/notifications", title: say("Notifications", de: "Benachrichtigungen"), object: .notifications,
        count: context.unread),
    ].filter { $0.object.map { context.may(.read, $0) } ?? true }
  }

  private var content: [Entry] {
    [
      Entry(path: "/chat", title: "Chat", object: .conversations),
      Entry(path: "/notes", title: say("Notes", de: "Notizen"), object: .notes),
      Entry(path: "/reminders", title: say("Reminders", de: "Erinnerungen"), object: .reminders),
      Entry(path: "/outbox", title: say("Outbox", de: "Postausgang"), object: .outbox),
      Entry(path: "/catalog", title: say("Prompt catalog", de: "Prompt-Katalog"), object: .catalog),
    ].filter { $0.object.map { context.may(.read, $0) } ?? true }
  }

  private var administration: [Entry] {
    [
      Entry(path: "/users", title: say("Users", de: "Benutzer"), object: .users),
      Entry(path: "/tokens", title: say("Tokens", de: "Tokens"), object: nil),
      Entry(path: "/audit", title: say("Audit log", de: "Audit-Protokoll"), object: .audit),
    ].filter { $0.object.map { context.may(.read, $0) } ?? true }
  }

  private var operation: [Entry] {
    [
      Entry(path: "/usage", title: say("Usage", de: "Nutzung"), object: .usage),
      Entry(path: "/providers", title: say("Providers", de: "Provider"), object: .providers),
      Entry(path: "/plugins", title: say("Plugins", de: "Plugins"), object: .plugins),
      Entry(path: "/settings", title: say("Settings", de: "Einstellungen"), object: .settings),
    ].filter { $0.object.map { context.may(.read, $0) } ?? true }
  }

  private func isCurrent(_ entry: Entry) -> Bool {
    entry.path == "/" ? context.path == "/" : context.path == entry.path || context.path.hasPrefix(entry.path + "/")
  }

  private func list(_ entries: [Entry]) -> HTML {
    tag(.ul) {
      for entry in entries {
        tag(.li) {
          link(entry)
        }
      }
    }
  }

  private func link(_ entry: Entry) -> HTML {
    var attributes = [Attribute.href(entry.path)]
    if isCurrent(entry) { attributes.append(.aria("current", "page")) }
    var contents = [HTML.text(entry.title)]
    if entry.count > 0 { contents.append(tag(.span, .class("count"), text: "\(entry.count)")) }
    return .element(.a, attributes, contents)
  }

  private var navigation: HTML {
    tag(.header, .class("side")) {
      tag(.div, .class("bar")) {
        brand
        tag(
          .button, .class("menu"), .with(.type, "button"), .aria("expanded", "false"), .aria("controls", "navigation"),
          text: say("Menu", de: "Menü"))
      }
      tag(.div, .id("navigation"), .class("navigation")) {
        tag(.nav, .aria("label", say("Main", de: "Hauptmenü"))) {
          list(entries)
          if !content.isEmpty {
            tag(.div, .class("group"), text: say("Contents", de: "Inhalte"))
            list(content)
          }
          if !operation.isEmpty {
            tag(.div, .class("group"), text: say("Operation", de: "Betrieb"))
            list(operation)
          }
          tag(.div, .class("group"), text: say("Access", de: "Zugang"))
          list(administration)
        }
        tag(.div, .class("account")) {
          if let actor = context.actor {
            tag(.a, .class("person"), .href("/account")) {
              actor.fullName.isEmpty ? actor.user : actor.fullName
              tag(.span, .class("faint"), text: say("Your account", de: "Ihr Konto"))
            }
          }
          themeChoice
          if let token = context.csrfToken {
            tag(.form, .with(.method, "post"), .action("/sign-out")) {
              tag(.input, .with(.type, "hidden"), .with(.name, "csrf_token"), .with(.value, token))
              tag(.button, .class("quiet"), .with(.type, "submit"), text: say("Sign out", de: "Abmelden"))
            }
          }
          tag(.small, text: "Sous " + context.version)
        }
      }
    }
  }
}
