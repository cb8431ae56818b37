import Access
package import Expressions

/// The mail filters.
package struct FiltersPage: PageView {
  private let filters: [Value]
  private let last: [String: Value]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - page: The filters, as the API answers them.
  ///   - last: The last run of each by the name of its recipe, for those that have run.
  package init(_ page: Value, last: [String: Value]) { (filters, self.last) = (page.items, last) }

  package func title(_ context: PageContext) -> String { context.say("Mail filters", de: "Mail-Filter") }

  package func contents(_ context: PageContext) -> HTML {
    if filters.isEmpty {
      return context.empty(
        context.say(
          "No mail filter yet. A recipe with 'kind: mail-filter' is one.",
          de: "Noch kein Mail-Filter. Ein Rezept mit 'kind: mail-filter' ist einer."))
    }
    return context.table(
      context.say("Mail filters", de: "Mail-Filter"),
      [
        context.say("Filter", de: "Filter"), context.say("Triggers", de: "Auslöser"),
        context.say("Last run", de: "Letzter Lauf"), context.say("Status", de: "Zustand"),
      ],
      filters.map { filter in
        let name = filter.text("recipe")
        let run = last[name]
        return [
          tag(.a, .class("strong"), .href("/filters/" + PageAddress.escaped(name)), text: name),
          .text(
            filter["disabled"]?.boolValue ?? false ? context.say("off", de: "aus") : context.say("on", de: "an")),
          context.time(run?["started_at"], otherwise: context.say("not yet", de: "noch nie"), isRelative: true),
          run.map { context.status($0.text("status")) } ?? .text("–"),
        ]
      })
  }
}

/// The last decisions of one mail filter, message by message.
package struct FilterPage: PageView {
  private let recipe: String
  private let runs: [Value]
  private let next: String?
  private let undoes: Bool
  private let preview: Preview

  /// The decisions about the messages that are there now; nothing is done.
  package enum Preview: Sendable {
    /// The user may not ask for it.
    case forbidden
    /// The user has not asked for it.
    case offered
    /// The decisions, as the API answers them.
    case shown(Value)
    /// The reason why there are none.
    case failed(String)
  }

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - recipe: The name of its recipe.
  ///   - page: Its last runs with their decisions, as the API answers them.
  ///   - undoes: Whether the user may take a run back.
  ///   - preview: The decisions about the messages that are there now.
  package init(_ recipe: String, _ page: Value, undoes: Bool, preview: Preview) {
    (self.recipe, runs, next, self.undoes) = (recipe, page.items, page["next"]?.stringValue, undoes)
    self.preview = preview
  }

  private var path: String { "/filters/" + PageAddress.escaped(recipe) }

  package func title(_ context: PageContext) -> String { recipe }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .class("buttons")) {
      if case .offered = preview {
        tag(.a, .class("button"), .href(path + "?preview=yes"), text: context.say("Preview now", de: "Vorschau"))
      }
      if context.may(.read, .recipes) {
        tag(.a, .class("button"), .href(PageContext.recipe(recipe)), text: context.say("Recipe", de: "Rezept"))
      }
      tag(.a, .class("button quiet"), .href("/filters"), text: context.say("All filters", de: "Alle Filter"))
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      previewBlock(context),
      runs.isEmpty
        ? context.empty(
          context.say("This filter has not decided anything yet.", de: "Dieser Filter hat noch nichts entschieden."))
        : .group([
          tag(
            .p, .class("lead"),
            text: context.say(
              "The run log keeps ids and decisions of messages, not their texts.",
              de: "Das Run-Log behält Kennungen und Entscheidungen von Nachrichten, nicht ihre Texte.")),
          .group(runs.map { block($0, context) }), older(context),
        ]),
    ])
  }

  // MARK: - The preview

  private func previewBlock(_ context: PageContext) -> HTML {
    let title = context.say("Preview: nothing is changed", de: "Vorschau: nichts wird geändert")
    switch preview {
    case .forbidden, .offered: return .empty
    case .failed(let problem):
      return context.section(title) { tag(.div, .class("failure")) { tag(.p, text: problem) } }
    case .shown(let answer):
      let accounts = answer["accounts"]?.listValue ?? []
      let rows = FilterRows(answer, context).all
      let failures = accounts.compactMap { $0["failure"]?.stringValue }
      return context.section(title) {
        for failure in failures { tag(.div, .class("failure")) { tag(.p, text: failure) } }
        counts(accounts, context)
        if rows.isEmpty {
          context.empty(
            context.say("No message fits a rule at the moment.", de: "Zurzeit passt keine Nachricht zu einer Regel."))
        } else {
          table(rows, context, done: context.say("Would be done", de: "Würde getan"))
        }
      }
    }
  }

  private func counts(_ accounts: [Value], _ context: PageContext) -> HTML {
    let examined = accounts.reduce(0) { $0 + $1.number("examined") }
    let kept = accounts.reduce(0) { $0 + $1.number("kept") }
    return tag(
      .p, .class("help"),
      text: context.say(
        "Messages looked at: \(examined); left as they are: \(kept).",
        de: "Angesehene Nachrichten: \(examined); unverändert: \(kept)."))
  }

  private func table(_ rows: [[HTML]], _ context: PageContext, done: String) -> HTML {
    .group([
      context.table(
        context.say("Decisions", de: "Entscheidungen"),
        [
          context.say("Message", de: "Nachricht"), context.say("Rule", de: "Regel"), done,
          context.say("Reason", de: "Grund"),
        ], Array(rows.prefix(Self.most))),
      rows.count > Self.most
        ? tag(
          .p, .class("help"),
          text: context.say("\(rows.count - Self.most) more", de: "\(rows.count - Self.most) weitere"))
        : .empty,
    ])
  }

  private func older(_ context: PageContext) -> HTML {
    guard let next else { return .empty }
    return tag(.nav, .class("pages"), .aria("label", context.say("Pages", de: "Seiten"))) {
      tag(
        .a, .class("button"), .with(.rel, "next"),
        .href(path + "?cursor=" + PageAddress.escaped(next)),
        text: context.say("Older", de: "Ältere"))
    }
  }

  // MARK: - One run

  private func block(_ run: Value, _ context: PageContext) -> HTML {
    let id = run.text("run")
    let rows = FilterRows(run, context).all
    let accounts = run["accounts"]?.listValue ?? []
    let isOver = run["ended_at"]?.stringValue != nil
    let undoneBy = run.text("undone_by")
    let isUndone = !undoneBy.isEmpty
    let touches = accounts.contains { !($0["decisions"]?.listValue ?? []).isEmpty }
    return tag(.section, .class("block"), .aria("labelledby", "run-" + id)) {
      tag(.div, .class("heading")) {
        tag(.h2, .id("run-" + id)) {
          tag(.a, .href(PageContext.run(id))) { context.time(run["started_at"]) }
          " "
          context.status(run.text("status"))
        }
        if isUndone {
          tag(.a, .class("button small"), .href(PageContext.run(id) + "/mail-undo?by=" + PageAddress.escaped(undoneBy)))
          {
            context.say("What came back", de: "Was zurückkam")
          }
        } else if undoes, touches, isOver {
          tag(.a, .class("button small"), .href(PageContext.run(id) + "/mail-undo")) {
            context.say("Take back …", de: "Zurücknehmen …")
          }
        }
      }
      if isUndone {
        tag(.p, .class("note")) {
          context.say("Taken back ", de: "Zurückgenommen ")
          context.time(run["undone_at"])
          context.say(
            ": moves, flags and labels below are no longer in force.",
            de: ": Verschieben, Markierungen und Labels unten gelten nicht mehr.")
        }
      }
      counts(accounts, context)
      if !rows.isEmpty {
        table(
          rows, context,
          done: isUndone
            ? context.say("Was done, taken back", de: "War getan, zurückgenommen") : context.say("Done", de: "Getan"))
      }
    }
  }

  /// Rows of one run that are shown.
  private static let most = 200
}

/// The decisions of a run as rows of a table: message, rule, what was done, reason.
struct FilterRows {
  private let run: Value
  private let context: PageContext

  init(_ run: Value, _ context: PageContext) { (self.run, self.context) = (run, context) }

  /// The rows: messages that a rule was for, then those that stayed because something failed, then those that were not judged.
  var all: [[HTML]] {
    (run["accounts"]?.listValue ?? []).flatMap { account in
      (account["decisions"]?.listValue ?? []).map { acted($0, account) }
        + (account["errors"]?.listValue ?? []).map { failed($0, account) }
        + (account["left"]?.listValue ?? []).map { left($0, account) }
    }
      + (run["failed"]?.listValue ?? []).map { entry in
        [
          message(entry, .null), .text(entry.text("rule")),
          .text(context.say("\(entry.text("action")) failed", de: "\(entry.text("action")) fehlgeschlagen")),
          reason(context.own(entry, "error")),
        ]
      }
  }

  private func acted(_ decision: Value, _ account: Value) -> [HTML] {
    let actions = (decision["actions"]?.listValue ?? []).compactMap(\.stringValue)
    let rules = (decision["rules"]?.listValue ?? []).compactMap(\.stringValue)
    return [
      message(decision, account), .text(rules.joined(separator: ", ")),
      tag(.ul, .class("plain-list")) {
        for action in actions { tag(.li) { self.action(action) } }
      }, .text(decision.text("reason").isEmpty ? "–" : decision.text("reason")),
    ]
  }

  /// An action of the recipe; 'no reply' is one that was left out.
  private func action(_ word: String) -> HTML {
    guard word.hasPrefix("no ") else { return tag(.code, text: word) }
    return .group([
      tag(.code, .class("left-out"), text: String(word.dropFirst(3))),
      tag(
        .span, .class("faint"),
        text: context.say(" left out: done before, or not allowed", de: " unterlassen: schon getan oder nicht erlaubt")),
    ])
  }

  private func failed(_ entry: Value, _ account: Value) -> [HTML] {
    [
      message(entry, account), .text(entry.text("rule").isEmpty ? "–" : entry.text("rule")),
      .text(context.say("stays: not decided", de: "bleibt: nicht entschieden")), reason(context.own(entry, "error")),
    ]
  }

  private func left(_ entry: Value, _ account: Value) -> [HTML] {
    let word =
      entry["gone"]?.boolValue ?? false
      ? context.say("skipped: no longer in the folder", de: "übergangen: nicht mehr im Ordner")
      : context.say("skipped", de: "übergangen")
    let reason = tag(.div) {
      context.own(entry, "reason")
      if !entry.text("recipe").isEmpty {
        " ("
        tag(.a, .href(PageContext.recipe(entry.text("recipe"))), text: entry.text("recipe"))
        ")"
      }
    }
    return [message(entry, account), .text("–"), .text(word), reason]
  }

  private func reason(_ text: String) -> HTML { tag(.span, .class("reason"), text: text) }

  /// The subject and sender if they are known, otherwise the names of the message.
  private func message(_ entry: Value, _ account: Value) -> HTML {
    let known = entry["subject"] != nil ? entry : run["message"] ?? .null
    let isKnown = entry["subject"] != nil || known.text("uid") == entry.text("uid") && !known.text("uid").isEmpty
    let place = [account.text("provider"), account.text("folder")].filter { !$0.isEmpty }.joined(separator: ": ")
    let id = entry["message_id"]?.stringValue ?? ""
    return tag(.div) {
      if isKnown, !(known.text("subject") + known.text("from")).isEmpty {
        tag(.strong, text: known.text("subject").isEmpty ? "–" : known.text("subject"))
        tag(.div, .class("faint"), text: known.text("from"))
      } else {
        tag(.span, .class("name"), text: id.isEmpty ? "UID " + entry.text("uid") : id)
      }
      tag(
        .div, .class("faint"),
        text: [place, id.isEmpty && !isKnown ? "" : "UID " + entry.text("uid")].filter { !$0.isEmpty }
          .joined(separator: " · "))
    }
  }
}
