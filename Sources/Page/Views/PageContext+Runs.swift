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
            if let message = message(run["failure"]) { tag(.div, .class("reason"), text: String(message.prefix(160))) }
          },
          status(run.text("status")), time(run["started_at"], isRelative: true), .text(duration(run["duration_ms"])),
          .text("\(done)/\(run.number("step_count"))"), .text(trigger(run.text("trigger"))),
        ]
      })
  }

  /// The word for the cause of a run.
  func trigger(_ word: String) -> String {
    switch word {
    case "api": say("page or API", de: "Seite oder API")
    case "assistant": say("assistant", de: "Assistent")
    case "manual", "command": say("command", de: "Befehl")
    case "schedule": say("schedule", de: "Zeitplan")
    default: word
    }
  }
}
