package import Expressions

/// Taking back the changes of a run to messages: what would come back and what would not, and afterwards what did.
package struct MailUndoPage: PageView {
  /// The run that has taken the changes back, or is doing so.
  package struct Outcome: Sendable {
    /// Its id.
    package let run: String
    /// Its status.
    package let status: String
    /// Whether it has ended.
    package let isOver: Bool
    /// The moves and marks that it was to make, as the API answers them before.
    package let changes: [Value]
    /// The messages that were not where the first run had left them, by their names there.
    package let missing: [String]
    /// Its failure, as the API answers it.
    package let failure: Value

    /// Creates an outcome.
    package init(
      run: String, status: String, isOver: Bool, changes: [Value] = [], missing: [String], failure: Value
    ) {
      (self.run, self.status, self.isOver, self.missing, self.failure) = (run, status, isOver, missing, failure)
      self.changes = changes
    }
  }

  private let run: Value
  private let undo: Value
  private let outcome: Outcome?
  private let isAllowed: Bool

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - run: The run, as the API answers it.
  ///   - undo: The changes that would take it back, as the API answers them.
  ///   - outcome: The run that does it; `nil` before that.
  ///   - isAllowed: Whether the user may take it back.
  package init(_ run: Value, undo: Value, outcome: Outcome?, isAllowed: Bool) {
    (self.run, self.undo, self.outcome, self.isAllowed) = (run, undo, outcome, isAllowed)
  }

  package var scripts: [String] { ["live.js"] }

  package func title(_ context: PageContext) -> String {
    context.say(
      "Take back mail changes: \(run.text("recipe"))", de: "Änderungen an Mail zurücknehmen: \(run.text("recipe"))")
  }

  package func actions(_ context: PageContext) -> HTML {
    tag(
      .a, .class("button quiet"), .href(PageContext.run(run.text("id"))),
      text: context.say("Back to the run", de: "Zurück zum Lauf"))
  }

  private func list(_ name: String) -> [Value] { undo[name]?.listValue ?? [] }
  private var isEmpty: Bool { list("marks").isEmpty && list("moves").isEmpty }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.p, .class("lead")) {
        context.say("The run began ", de: "Der Lauf begann ")
        context.time(run["started_at"])
        context.say(
          ". Moves, flags and labels can be taken back; messages that were sent or deleted for good cannot.",
          de:
            ". Verschieben, Markierungen und Labels lassen sich zurücknehmen; Gesendetes und endgültig Gelöschtes nicht."
        )
      },
      outcome.map { outcome in
        context.live("undo", seconds: 2) {
          result(outcome, context)
          if outcome.isOver {
            plan(context)
            remains(context)
          }
        }
      } ?? .group([plan(context), remains(context)]),
    ])
  }

  // MARK: - Before

  private func plan(_ context: PageContext) -> HTML {
    if isEmpty {
      let earlier = list("earlier").last?.stringValue
      return outcome != nil
        ? .empty
        : tag(.div, .class("empty")) {
          context.say("Nothing is left to take back.", de: "Es ist nichts mehr zurückzunehmen.")
          if let earlier {
            " "
            tag(
              .a, .href(PageContext.run(earlier)),
              text: context.say("It was taken back by this run.", de: "Dieser Lauf hat es zurückgenommen."))
          }
        }
    }
    return context.section(
      outcome == nil
        ? context.say("Comes back", de: "Kommt zurück")
        : context.say("Can still be taken back", de: "Lässt sich noch zurücknehmen")
    ) {
      tag(.ul, .class("list")) {
        for move in list("moves") { moved(move, context) }
        for marks in list("marks") { marked(marks, context) }
      }
      if isAllowed {
        tag(.div, .class("buttons after")) {
          context.button(
            context.say("Take back", de: "Zurücknehmen"),
            "POST /runs/\(PageAddress.escaped(run.text("id")))/mail-undo",
            then: "go /runs/" + PageAddress.escaped(run.text("id")) + "/mail-undo?by={id}",
            confirm: question(context), style: "primary")
          tag(
            .span, .class("faint"),
            text: context.say(
              "A run of its own does it; it is in the list of runs.",
              de: "Das tut ein eigener Lauf; er ist in der Liste der Läufe."))
        }
      }
    }
  }

  private func question(_ context: PageContext) -> String {
    let count = (list("moves") + list("marks")).reduce(into: Set<String>()) { found, change in
      for uid in change["uids"]?.listValue ?? [] { found.insert(change.text("provider") + (uid.stringValue ?? "")) }
    }.count
    return context.say(
      "Take back the changes to \(messages(count, context))?",
      de: "Änderungen an \(messages(count, context)) zurücknehmen?"
    )
  }

  private func messages(_ count: Int, _ context: PageContext) -> String {
    count == 1
      ? context.say("1 message", de: "1 Nachricht") : context.say("\(count) messages", de: "\(count) Nachrichten")
  }

  private func moved(_ move: Value, _ context: PageContext) -> HTML {
    tag(.li) {
      tag(.div) {
        tag(.strong, text: move.text("from"))
        tag(.span, .aria("hidden", "true"), text: " → ")
        tag(.span, .class("hidden"), text: context.say(" back to ", de: " zurück nach "))
        tag(.strong, text: move.text("to"))
        tag(.div, .class("faint"), text: move.text("provider"))
      }
      tag(.span, text: messages(move["uids"]?.listValue?.count ?? 0, context))
    }
  }

  private func marked(_ marks: Value, _ context: PageContext) -> HTML {
    func words(_ name: String) -> [String] { (marks[name]?.listValue ?? []).compactMap(\.stringValue) }
    return tag(.li) {
      tag(.div) {
        for word in words("add") {
          context.say("set again: ", de: "wieder gesetzt: ")
          tag(.code, text: word)
          " "
        }
        for word in words("remove") {
          context.say("taken off: ", de: "entfernt: ")
          tag(.code, text: word)
          " "
        }
        tag(.div, .class("faint"), text: marks.text("provider") + ": " + marks.text("folder"))
      }
      tag(.span, text: messages(marks["uids"]?.listValue?.count ?? 0, context))
    }
  }

  private func remains(_ context: PageContext) -> HTML {
    let remains = list("remains")
    guard !remains.isEmpty else { return .empty }
    return context.section(context.say("Stays as it is", de: "Bleibt, wie es ist")) {
      tag(.ul, .class("list")) {
        for entry in remains {
          tag(.li) {
            tag(.span, text: entry.text("reason"))
            tag(.code, .class("faint"), text: entry.text("step"))
          }
        }
      }
    }
  }

  // MARK: - Afterwards

  private func result(_ outcome: Outcome, _ context: PageContext) -> HTML {
    tag(.div, .class("card"), .data("over", outcome.isOver ? "yes" : "no")) {
      tag(.h2, text: heading(outcome, context))
      tag(.p) {
        context.status(outcome.status)
        " "
        tag(.a, .href(PageContext.run(outcome.run)), text: context.say("Show this run", de: "Diesen Lauf zeigen"))
      }
      if let message = context.message(outcome.failure) { tag(.p, .class("reason"), text: message) }
      if outcome.status == "succeeded", !outcome.changes.isEmpty {
        tag(.ul, .class("list small")) {
          for change in outcome.changes { change["to"] == nil ? marked(change, context) : moved(change, context) }
        }
      }
      if !outcome.missing.isEmpty {
        tag(
          .p,
          text: context.say(
            "Not moved back, because no longer where the run had left it: \(messages(outcome.missing.count, context)).",
            de: "Nicht zurückgelegt, weil nicht mehr dort, wo der Lauf sie gelassen hat: "
              + messages(outcome.missing.count, context) + "."))
        tag(
          .p, .class("code"),
          text: outcome.missing.prefix(10).joined(separator: ", ") + (outcome.missing.count > 10 ? ", …" : ""))
      }
    }
  }

  private func heading(_ outcome: Outcome, _ context: PageContext) -> String {
    if !outcome.isOver { return context.say("It is being taken back …", de: "Es wird zurückgenommen …") }
    return outcome.status == "succeeded"
      ? context.say("It is taken back", de: "Es ist zurückgenommen")
      : context.say("It was not taken back as a whole", de: "Es ist nicht ganz zurückgenommen")
  }
}
