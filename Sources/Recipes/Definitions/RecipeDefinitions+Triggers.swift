extension RecipeDefinitions {
  static let trigger = MappingDefinition(
    .trigger, "What starts a recipe by itself.", de: "Was ein Rezept von selbst startet.",
    [
      KeyDefinition("schedule", .mapping(.schedule), "Points in time.", de: "Zeitpunkte."),
      KeyDefinition(
        "mail", .any([.mapping(.mailEvent), .words(of: MailEvent.Kind.self)]), "Something that happens in a mailbox.",
        de: "Etwas, das in einem Postfach geschieht."),
      KeyDefinition("manual", .anything, "Only by hand.", de: "Nur von Hand."),
    ])

  static let schedule = MappingDefinition(
    .schedule, "Points in time; exactly one of `cron`, `rrule` and `every`.",
    de: "Zeitpunkte; genau eines von `cron`, `rrule` und `every`.",
    [
      KeyDefinition(
        "cron", .text, "Five cron fields, six with seconds first, seven with years last, or `@daily` and the like.",
        de: "Fünf Cron-Felder, sechs mit Sekunden zuerst, sieben mit Jahren zuletzt, oder `@daily` und Ähnliches."),
      KeyDefinition("rrule", .text, "A recurrence rule of RFC 5545.", de: "Eine Wiederholungsregel nach RFC 5545."),
      KeyDefinition("every", .duration, "A fixed interval.", de: "Ein fester Abstand."),
      KeyDefinition("at", .text, "The time of day for `rrule`: `09:00`.", de: "Die Uhrzeit für `rrule`: `09:00`."),
      KeyDefinition(
        "timezone", .text, "An IANA name, `Europe/Zurich`; absent: the system's zone.",
        de: "Ein IANA-Name, `Europe/Zurich`; fehlt es: die Zone des Systems."),
      KeyDefinition(
        "overlap", .words(of: Schedule.Overlap.self), "What happens when the run before still works; absent: `skip`.",
        de: "Was geschieht, wenn der Lauf davor noch arbeitet; fehlt es: `skip`."),
      KeyDefinition(
        "catch_up", .words(of: Schedule.CatchUp.self),
        "Which points run that were missed while Sous was not running; absent: `last`.",
        de: "Welche Zeitpunkte nachgeholt werden, die verpasst wurden; fehlt es: `last`."),
      KeyDefinition(
        "catch_up_window", .duration, "How far back missed points count.",
        de: "Wie weit zurück verpasste Zeitpunkte zählen."),
      KeyDefinition(
        "missing", .words(of: Schedule.Missing.self), "What happens to a point that a clock change leaves out.",
        de: "Was mit einem Zeitpunkt geschieht, den eine Zeitumstellung auslässt."),
      KeyDefinition(
        "repeated", .words(of: Schedule.Repeated.self), "Which of the points count that a clock change makes twice.",
        de: "Welche der Zeitpunkte zählen, die eine Zeitumstellung doppelt bringt."),
    ])

  static let mailEvent = MappingDefinition(
    .mailEvent, "Something that happens in a mailbox.", de: "Etwas, das in einem Postfach geschieht.",
    [
      KeyDefinition("event", .words(of: MailEvent.Kind.self), "What happens.", de: "Was geschieht."),
      KeyDefinition(
        "provider", .name(.provider), "Whose mailbox it is; absent: the default for `mail.store`.",
        de: "Wessen Postfach es ist; fehlt es: der Standard für `mail.store`."),
      KeyDefinition("folder", .text, "The folder; absent: `INBOX`.", de: "Der Ordner; fehlt es: `INBOX`."),
    ])
}
