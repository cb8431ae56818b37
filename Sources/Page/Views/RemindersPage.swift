import Access
package import Expressions

/// The reminders: those that are due, those to come, and a form for a new one.
package struct RemindersPage: PageView {
  private let reminders: [Value]
  private let isWhole: Bool

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - page: The reminders, as the API answers them.
  ///   - isWhole: Whether those that are past are among them.
  package init(_ page: Value, isWhole: Bool) { (reminders, self.isWhole) = (page.items, isWhole) }

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Reminders", de: "Erinnerungen") }

  package func actions(_ context: PageContext) -> HTML {
    tag(
      .a, .class("button quiet"), .href("/api/v1/calendar"), .with(.download, "reminders.ics"),
      text: context.say("Calendar file", de: "Kalenderdatei"))
  }

  package func contents(_ context: PageContext) -> HTML {
    let open = reminders.filter { ["failed", "due"].contains($0.text("state")) }
    let coming = reminders.filter { ["coming", "off"].contains($0.text("state")) }
    let past = reminders.filter { ["delivered", "done"].contains($0.text("state")) }
    return tag(.div, .class("columns")) {
      tag(.div) {
        context.live("reminders", seconds: 10) {
          if !open.isEmpty { list(context.say("Due", de: "Fällig"), open, context) }
          if coming.isEmpty {
            context.section(context.say("To come", de: "Kommend")) {
              context.empty(context.say("No reminder is set.", de: "Keine Erinnerung steht an."))
            }
          } else {
            list(context.say("To come", de: "Kommend"), coming, context)
          }
          if isWhole, !past.isEmpty { list(context.say("Past", de: "Vorbei"), past, context) }
        }
        if !isWhole {
          tag(.p) {
            tag(.a, .href("/reminders?all=yes"), text: context.say("Show past ones", de: "Vergangene zeigen"))
          }
        }
      }
      if context.may(.create, .reminders) { add(context) }
    }
  }

  private func list(_ title: String, _ reminders: [Value], _ context: PageContext) -> HTML {
    context.section(title) {
      tag(.ul, .class("list")) {
        for (number, reminder) in reminders.enumerated() { row(reminder, "\(title)-\(number)", context) }
      }
    }
  }

  private func row(_ reminder: Value, _ id: String, _ context: PageContext) -> HTML {
    let state = reminder.text("state")
    let isOver = ["delivered", "done"].contains(state)
    return tag(.li, .class("wrapped")) {
      tag(.div, .class("entry")) {
        tag(.strong, text: reminder.text("title"))
        tag(.div, .class("faint")) {
          context.time(reminder[reminder["next"]?.stringValue == nil || state == "due" ? "at" : "next"])
          if let rhythm = reminder["rhythm"]?.stringValue {
            " · "
            let words = context.own(reminder, "words")
            tag(.span, .with(.title, rhythm), text: words.isEmpty ? rhythm : words)
          }
          if let run = reminder["run"]?.stringValue, state == "failed", context.may(.read, .runs) {
            " · "
            tag(.a, .href(PageContext.run(run)), text: context.say("why it failed", de: "warum sie scheiterte"))
          }
        }
      }
      context.status(state)
      if !isOver { buttons(reminder, id, context) }
    }
  }

  private func buttons(_ reminder: Value, _ id: String, _ context: PageContext) -> HTML {
    let (title, path) = (reminder.text("title"), "/reminders/" + PageAddress.escaped(reminder.text("id")))
    return tag(.div, .class("buttons")) {
      if context.may(.update, .reminders), reminder.text("state") != "off" {
        let done = context.say("Done", de: "Erledigt")
        context.button(done, "POST \(path)/done", style: "small", label: "\(done): \(title)")
      }
      if context.may(.delete, .reminders) {
        let delete = context.say("Delete", de: "Löschen")
        context.button(
          delete, "DELETE \(path)",
          confirm: context.say("Delete the reminder '\(title)'?", de: "Die Erinnerung '\(title)' löschen?"),
          style: "small quiet", label: "\(delete): \(title)")
      }
      if context.may(.update, .reminders), reminder.text("state") != "off" {
        tag(.details, .class("inline")) {
          tag(.summary) {
            context.say("Put off …", de: "Verschieben …")
            tag(.span, .class("hidden"), text: " " + title)
          }
          tag(.div, .class("card")) {
            tag(.div, .class("buttons")) {
              for (words, label) in [
                ("in 1 hour", context.say("1 hour", de: "1 Stunde")),
                ("in 3 hours", context.say("3 hours", de: "3 Stunden")),
                ("tomorrow at 9", context.say("tomorrow at 9", de: "morgen um 9")),
              ] {
                context.button(
                  label, "POST \(path)/snooze", body: ["until": .string(words)], style: "small",
                  label: "\(title): \(label)")
              }
            }
            context.form("POST \(path)/snooze") {
              context.input(
                .init(
                  "until", context.say("Until", de: "Bis"),
                  help: context.say("For example: Friday at 14:00.", de: "Zum Beispiel: Freitag um 14:00.") + " "
                    + context.zoneHelp,
                  isRequired: true),
                prefix: "snooze-" + PageContext.safeClass(reminder.text("id")) + id.filter { $0.isNumber },
                .with(.maxlength, "300"))
              context.buttons(context.say("Put off", de: "Verschieben"))
            }
          }
        }
      }
    }
  }

  private func add(_ context: PageContext) -> HTML {
    context.section(context.say("New reminder", de: "Neue Erinnerung"), id: "new") {
      context.form("POST /reminders", class: "card") {
        context.input(
          .init(
            "text", context.say("Reminder and time", de: "Erinnerung und Zeit"),
            help: context.say(
              "For example: Call Jane tomorrow at 8. Pay the rent every month on the 1st.",
              de: "Zum Beispiel: Jana morgen um 8 anrufen. Jeden Monat am 1. Miete zahlen.") + " " + context.zoneHelp,
            isRequired: true),
          prefix: "reminder", .with(.maxlength, "4000"))
        tag(.details, .class("field")) {
          tag(.summary, text: context.say("More …", de: "Mehr …"))
          context.input(
            .init(
              "at", context.say("Time", de: "Zeit"),
              help: context.say(
                "If the text above does not say it: Friday at 14:00.",
                de: "Wenn der Text oben sie nicht sagt: Freitag um 14:00.")), prefix: "reminder",
            .with(.maxlength, "300"))
          context.input(
            .init(
              "repeat", context.say("Again every", de: "Wieder alle"),
              help: context.say("Until it is done: 10m, 1h.", de: "Bis sie erledigt ist: 10m, 1h.")),
            prefix: "reminder", .with(.maxlength, "300"))
          context.area(
            .init("note", context.say("Note", de: "Notiz"), kind: "long"), prefix: "reminder", rows: 3)
        }
        context.buttons(context.say("Remind me", de: "Erinnern"))
      }
    }
  }
}
