import Expressions

extension PageContext {
  /// A table of runs, newest first.
  func runs(_ runs: [Value], caption: String) -> HTML {
    table(
      caption,
      [
        say("Recipe", de: "Rezept"), say("Status", de: "Zustand"), say("Started", de: "Begonnen"),
        say("Duration", de: "Dauer"), say("Steps", de: "Schritte"), say("Started by", de: "Auslöser"),
      ],
      runs.map { run in
        let done = run.number("steps_succeeded") + run.number("steps_skipped")
        return [
          tag(.div) {
            tag(
              .a, .class("strong"), .id("run-" + run.text("id")), .href(Self.run(run.text("id"))),
              text: run.text("recipe"))
            reason(of: run, limit: 160)
          },
          status(of: run), time(run["started_at"], isRelative: true), .text(duration(run["duration_ms"])),
          .text("\(done)/\(run.number("step_count"))"), .text(trigger(run.text("trigger"))),
        ]
      })
  }

  /// Whether a run delivers a reminder that needs no delivery any more, because a user has acknowledged or deleted it. The run log
  /// has it as cancelled.
  private func isDoneReminder(_ run: Value) -> Bool {
    run.text("status") == "cancelled" && ["remind", "reminder"].contains(run.text("trigger"))
  }

  /// The status of a run with its colour. A reminder that a user has acknowledged is done.
  func status(of run: Value) -> HTML { status(isDoneReminder(run) ? "done" : run.text("status")) }

  /// The message of a run's failure, nothing without one. Of a reminder that is done it says who has acknowledged it.
  func reason(of run: Value, limit: Int) -> HTML {
    guard let message = message(run["failure"]) else { return .empty }
    return tag(.div, .class(isDoneReminder(run) ? "faint" : "reason"), text: String(message.prefix(limit)))
  }

  /// The block with the failure of a run, and what helps.
  func failure(of run: Value) -> HTML {
    guard let message = message(run["failure"]) else { return .empty }
    return tag(.div, .class(isDoneReminder(run) ? "faint" : "failure")) {
      tag(.p, text: message)
      if let advice = advice(run["failure"]) { tag(.p, .class("help"), text: advice) }
    }
  }

  /// The words for the cause of a run.
  func trigger(_ word: String) -> String {
    switch word {
    case "api": say("page or API", de: "Seite oder API")
    case "assistant": say("assistant", de: "Assistent")
    case "manual", "command": say("command", de: "Befehl")
    case "schedule": say("schedule", de: "Zeitplan")
    case "remind", "reminder": say("reminder", de: "Erinnerung")
    case "send": say("outbox", de: "Postausgang")
    case "retry": say("retry", de: "Wiederholung")
    case "replay": say("replay", de: "Nachspielen")
    case "undo": say("taking back mail changes", de: "Zurücknehmen von Mail-Änderungen")
    case "notice": say("failure alert", de: "Meldung über Fehler")
    case "mail": say("mail", de: "Mail")
    case "file": say("file", de: "Datei")
    case "webhook": say("webhook", de: "Webhook")
    case "recipe": say("another recipe", de: "anderes Rezept")
    default: part(word).map { say("step \($0) of another run", de: "Schritt \($0) eines anderen Laufs") } ?? word
    }
  }

  /// The step that has started a part of a run; its trigger is `RUN.STEP`, with a ULID.
  private func part(_ trigger: String) -> String? {
    guard let dot = trigger.firstIndex(of: "."), trigger[..<dot].utf8.count == 26 else { return nil }
    return String(trigger[trigger.index(after: dot)...])
  }
}
