package import Expressions

/// The installed plugins with their health.
package struct PluginsPage: PageView {
  private let plugins: [Value]

  /// Creates the page from the answer of the API.
  package init(_ page: Value) { plugins = page.items }

  package func title(_ context: PageContext) -> String { context.say("Plugins", de: "Plugins") }

  package func contents(_ context: PageContext) -> HTML {
    if plugins.isEmpty {
      return context.empty(
        context.say(
          "No plugin is installed. 'sous plugins install' gets one.",
          de: "Kein Plugin ist installiert. 'sous plugins install' holt eines."))
    }
    return context.table(
      context.say("Plugins", de: "Plugins"),
      [
        context.say("Plugin", de: "Plugin"), context.say("Version", de: "Version"),
        context.say("State", de: "Zustand"), context.say("File", de: "Datei"), context.say("Offers", de: "Bietet"),
      ],
      plugins.map { plugin in
        let names = (plugin["contracts"]?.listValue ?? []).compactMap(\.stringValue)
        let actions = (plugin["actions"]?.listValue ?? []).compactMap(\.stringValue)
        let offers = names.isEmpty ? actions : names
        return [
          plugin.text("status") == "active"
            ? tag(
              .a, .class("strong"), .href("/plugins/" + PageAddress.escaped(plugin.text("id"))), text: plugin.text("id")
            )
            : tag(.span, .class("strong"), text: plugin.text("id")),
          .text(plugin.text("version").isEmpty ? "–" : plugin.text("version")), state(plugin, context),
          .text(PluginWords(context).file(plugin)),
          .text(offers.isEmpty ? "–" : offers.joined(separator: ", ")),
        ]
      })
  }

  private func state(_ plugin: Value, _ context: PageContext) -> HTML {
    func mark(_ status: String, _ word: String) -> HTML {
      tag(.span, .class("status " + status)) {
        tag(.span, .class("dot"), .aria("hidden", "true"))
        word
      }
    }
    switch plugin.text("status") {
    case "active":
      return PluginWords.isSuspicious(plugin)
        ? mark("waiting", context.say("usable, file differs", de: "brauchbar, Datei weicht ab"))
        : mark("succeeded", context.say("usable", de: "brauchbar"))
    case "shadowed", "duplicate":
      return tag(.div) {
        mark("waiting", context.say("not used", de: "nicht verwendet"))
        tag(
          .div, .class("faint"),
          text: context.say(
            "another file counts: \(plugin.text("other"))", de: "eine andere Datei gilt: \(plugin.text("other"))"))
      }
    default:
      return tag(.div) {
        mark("failed", context.say("broken", de: "defekt"))
        tag(.div, .class("reason"), text: plugin["error"]?.text("message") ?? "")
      }
    }
  }
}

/// Words about the file of a plugin.
struct PluginWords {
  private let context: PageContext

  init(_ context: PageContext) { self.context = context }

  /// Whether the file is not the one that the lock names.
  static func isSuspicious(_ plugin: Value) -> Bool {
    ["changed", "missing", "interrupted"].contains(plugin.text("lock"))
  }

  /// Where the file comes from, and how it compares with the lock.
  func file(_ plugin: Value) -> String {
    let origin: String? =
      switch plugin.text("origin") {
      case "bundled": context.say("part of Sous", de: "Teil von Sous")
      case "": nil
      default: context.say("installed", de: "installiert")
      }
    let lock: String? =
      switch plugin.text("lock") {
      case "locked": context.say("as sous.lock says", de: "wie in sous.lock")
      case "changed": context.say("changed since it was installed", de: "seit der Installation geändert")
      case "missing": context.say("the file of sous.lock is missing", de: "die Datei aus sous.lock fehlt")
      case "interrupted": context.say("an update was interrupted", de: "eine Aktualisierung wurde abgebrochen")
      case "unlocked" where plugin.text("origin") != "bundled":
        context.say("not in sous.lock", de: "nicht in sous.lock")
      default: nil
      }
    let source = plugin["source"]?.stringValue.map { context.say("from \($0)", de: "von \($0)") }
    let words = [origin, lock, source].compactMap(\.self)
    return words.isEmpty ? "–" : words.joined(separator: " · ")
  }

  /// The effect of an action.
  func effect(_ word: String) -> String {
    switch word {
    case "pure": context.say("computes only", de: "rechnet nur")
    case "read": context.say("reads, changes nothing", de: "liest, ändert nichts")
    case "idempotent": context.say("changes; twice is as once", de: "ändert; zweimal wirkt wie einmal")
    case "once": context.say("changes; must happen once", de: "ändert; darf nur einmal geschehen")
    default: word
    }
  }
}

/// One plugin: what it may do, how it runs, its actions.
package struct PluginPage: PageView {
  private let plugin: Value

  /// Creates the page from the answer of the API.
  package init(_ plugin: Value) { self.plugin = plugin }

  package func title(_ context: PageContext) -> String { plugin.text("id") }

  package func actions(_ context: PageContext) -> HTML {
    tag(.a, .class("button quiet"), .href("/plugins"), text: context.say("All plugins", de: "Alle Plugins"))
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.p, .class("lead"), text: plugin.text("summary")),
      tag(.p, .class("facts")) {
        tag(.span) {
          tag(.span, .class("faint"), text: context.say("Version ", de: "Version "))
          plugin.text("version")
        }
        tag(.span) {
          tag(.span, .class("faint"), text: context.say("File ", de: "Datei "))
          PluginWords(context).file(plugin)
        }
      },
      context.section(context.say("Rights", de: "Rechte")) {
        tag(.ul, .class("list small sentences")) {
          for sentence in (plugin["access"]?.listValue ?? []).compactMap(\.stringValue) { tag(.li, text: sentence) }
        }
        tag(.p, .class("help"), text: isolation(context))
      }, actionBlock(context), triggerBlock(context),
    ])
  }

  private func isolation(_ context: PageContext) -> String {
    let isolation = plugin["isolation"] ?? .null
    guard isolation.text("mode") == "process" else {
      return context.say(
        "It runs in the process of Sous; 'isolation: process' gives it a process of its own.",
        de: "Es läuft im Prozess von Sous; 'isolation: process' gibt ihm einen eigenen Prozess.")
    }
    let missing = (isolation["missing_fences"]?.listValue ?? []).compactMap(\.stringValue)
    if missing.isEmpty {
      return context.say(
        "It runs in a process of its own, which has given up all other rights.",
        de: "Es läuft in einem eigenen Prozess, der alle anderen Rechte abgegeben hat.")
    }
    return context.say(
      "It runs in a process of its own. This machine cannot take away: \(missing.joined(separator: ", ")).",
      de: "Es läuft in einem eigenen Prozess. Auf diesem Rechner nicht wegzunehmen: \(missing.joined(separator: ", "))."
    )
  }

  private func actionBlock(_ context: PageContext) -> HTML {
    let actions = plugin["actions"]?.listValue ?? []
    guard !actions.isEmpty else { return .empty }
    return context.section(context.say("Actions", de: "Aktionen")) {
      context.table(
        context.say("Actions", de: "Aktionen"),
        [
          context.say("Action", de: "Aktion"), context.say("Purpose", de: "Zweck"),
          context.say("Effect", de: "Wirkung"),
        ],
        actions.map { action in
          [
            tag(.code, .class("strong"), text: action.text("name")), .text(action.text("summary")),
            .text(
              PluginWords(context).effect(action.text("effect"))
                + (action["costly"]?.boolValue ?? false
                  ? context.say(", costs money or time", de: ", kostet Geld oder Zeit") : "")),
          ]
        })
    }
  }

  private func triggerBlock(_ context: PageContext) -> HTML {
    let triggers = plugin["triggers"]?.listValue ?? []
    guard !triggers.isEmpty else { return .empty }
    return context.section(context.say("Triggers", de: "Auslöser")) {
      tag(.ul, .class("list small")) {
        for trigger in triggers {
          tag(.li) {
            tag(.code, text: trigger.text("name"))
            tag(.span, text: trigger.text("summary"))
          }
        }
      }
    }
  }
}
