import Plans

extension RecipeDefinitions {
  package static let trigger = MappingDefinition(
    .trigger, "The trigger of a recipe; a key with a point is a trigger of a plugin.",
    de: "Was ein Rezept von selbst startet; ein Schlüssel mit Punkt ist ein Auslöser eines Plugins.", isOpen: true,
    [
      KeyDefinition(
        "schedule", .any([.text, .mapping(.schedule), .list(.any([.text, .mapping(.schedule)]))]),
        "Points in time, also in words: `every monday at 8`; or a list of them.",
        de: "Zeitpunkte, auch in Worten: `jeden Montag um 8`; oder eine Liste davon."),
      KeyDefinition(
        "mail", .any([.mapping(.mailEvent), .words(of: MailEvent.Kind.self)]), "Something that happens in a mailbox.",
        de: "Etwas, das in einem Postfach geschieht."),
      KeyDefinition(
        "file", .any([.text, .mapping(.fileEvent)]),
        "When a file has come or changed: `inbox/*.pdf`, from the recipe's folder on.",
        de: "Wenn eine Datei gekommen ist oder sich geändert hat: `inbox/*.pdf`, vom Ordner des Rezepts an."),
      KeyDefinition(
        "webhook", .mapping(.webhook), "When another program sends a request to `sous serve`.",
        de: "Wenn ein anderes Programm eine Anfrage an `sous serve` schickt."),
      KeyDefinition(
        "recipe", .any([.name(.recipe), .mapping(.recipeEnd)]),
        "When a run of another recipe has ended: its name, or a pattern such as `*`.",
        de: "Wenn ein Lauf eines anderen Rezepts zu Ende ist: sein Name oder ein Muster wie `*`."),
      ended, failed,
      KeyDefinition("manual", .anything, "Only by hand.", de: "Nur von Hand."),
    ])

  private static let ended = KeyDefinition(
    "ended", .any([.words(of: RecipeEnd.Ending.self), .list(.words(of: RecipeEnd.Ending.self))]),
    "How the run of `recipe` has to end: one word or a list; default: `succeeded`.",
    de: "Wie der Lauf von `recipe` enden muss: ein Wort oder eine Liste; Vorgabe: `succeeded`.")

  private static let failed = KeyDefinition(
    "failed", .boolean, "`true`: the run of `recipe` has failed or needs attention.",
    de: "`true`: Der Lauf von `recipe` ist gescheitert oder braucht Aufmerksamkeit.")

  private static let filter = KeyDefinition(
    "filter", .expression, "Says of an `event` whether it begins a run; default: all do.",
    de: "Sagt von einem `event`, ob es einen Lauf auslöst; Vorgabe: jedes.")

  private static let inputs = KeyDefinition(
    "inputs", .map(.anything), "Inputs of the recipe from the `event`: `{ name: \"{{ event.name }}\" }`.",
    de: "Was das `event` den Eingaben des Rezepts gibt: `{ name: \"{{ event.name }}\" }`.")

  package static let schedule = MappingDefinition(
    .schedule, "Points in time; exactly one of `cron`, `rrule`, `every`, `once` and `sun`.",
    de: "Zeitpunkte; genau eines von `cron`, `rrule`, `every`, `once` und `sun`.",
    [
      KeyDefinition(
        "cron", .text, "Five cron fields, six with seconds first, seven with years last, or `@daily` and the like.",
        de: "Fünf Cron-Felder, sechs mit Sekunden zuerst, sieben mit Jahren zuletzt, oder `@daily` und Ähnliches."),
      KeyDefinition("rrule", .text, "A recurrence rule of RFC 5545.", de: "Eine Wiederholungsregel nach RFC 5545."),
      KeyDefinition("every", .duration, "A fixed interval.", de: "Ein fester Abstand."),
      KeyDefinition(
        "once", .texts, "Single times: `2026-12-24T18:00`, one or a list.",
        de: "Einzelne Zeitpunkte: `2026-12-24T18:00`, einer oder eine Liste."),
      KeyDefinition(
        "sun", .text, "`sunrise` or `sunset`, with a distance: `sunset-30m`; needs `place`.",
        de: "`sunrise` oder `sunset`, mit einem Abstand: `sunset-30m`; braucht `place`."),
      KeyDefinition(
        "place", .text, "Degrees north and east for `sun`: `47.37,8.54`.",
        de: "Grad Nord und Ost für `sun`: `47.37,8.54`."),
      KeyDefinition(
        "at", .text, "The time of day for `rrule`, and for days of `once`: `09:00`.",
        de: "Die Uhrzeit für `rrule` und für Tage von `once`: `09:00`."),
      KeyDefinition(
        "timezone", .text, "An IANA name, `Europe/Zurich`; default: the system's zone.",
        de: "Ein IANA-Name, `Europe/Zurich`; Vorgabe: die Zone des Systems."),
      KeyDefinition(
        "start", .text, "Nothing comes before it; `rrule` and `every` count from it.",
        de: "Davor kommt nichts; `rrule` und `every` zählen von da an."),
      KeyDefinition(
        "end", .text, "Nothing comes after it; of a day, all of it counts.",
        de: "Danach kommt nichts; von einem Tag zählt er ganz."),
      KeyDefinition(
        "anchor", .text, "What `every` counts from; default: `start`, or midnight of 2001-01-01, a Monday.",
        de: "Wovon `every` zählt; Vorgabe: `start`, oder Mitternacht des 2001-01-01, eines Montags."),
      KeyDefinition(
        "exceptions", .texts, "Days on which nothing is due, and .ics files whose events are such times.",
        de: "Tage, an denen nichts fällig ist, und .ics-Dateien, deren Ereignisse solche Zeiten sind."),
      KeyDefinition(
        "jitter", .duration, "By how much runs are put off at most; each schedule has its own part of it.",
        de: "Um wie viel Läufe höchstens verschoben werden; jeder Zeitplan hat seinen Teil davon."),
      KeyDefinition(
        "overlap", .any([.words(of: Schedule.Overlap.Word.self), .mapping(.overlap)]),
        "The rule if the run before still works; default: `skip`.",
        de: "Was geschieht, wenn der Lauf davor noch arbeitet; Vorgabe: `skip`."),
      KeyDefinition(
        "catch_up", .any([.words(of: Schedule.CatchUp.self), .mapping(.catchUp)]),
        "Which points run that were missed while Sous was not running; default: `last`.",
        de: "Welche Zeitpunkte nachgeholt werden, die verpasst wurden; Vorgabe: `last`."),
      KeyDefinition(
        "pause_after", .integer(1...1000), "After so many failed runs in a row the schedule pauses.",
        de: "Nach so vielen gescheiterten Läufen in Folge hält der Zeitplan an."),
      KeyDefinition(
        "missing", .words(of: Schedule.Missing.self), "The rule for a point that a clock change leaves out.",
        de: "Was mit einem Zeitpunkt geschieht, den eine Zeitumstellung auslässt."),
      KeyDefinition(
        "repeated", .words(of: Schedule.Repeated.self), "Which of the points count that a clock change makes twice.",
        de: "Welche der Zeitpunkte zählen, die eine Zeitumstellung doppelt bringt."),
      inputs,
    ])

  package static let overlap = MappingDefinition(
    .overlap, "How many runs of a schedule wait or run at once.",
    de: "Wie viele Läufe eines Zeitplans warten oder zugleich laufen.",
    [
      KeyDefinition(
        "queue", .any([.integer(1...Schedule.Overlap.most), .word(["all"])]),
        "They run one after another; so many wait, `all` for up to \(Schedule.Overlap.most).",
        de: "Sie laufen nacheinander; so viele warten, `all` für bis zu \(Schedule.Overlap.most)."),
      KeyDefinition(
        "allow", .any([.integer(1...Schedule.Overlap.most), .word(["all"])]), "So many run at once.",
        de: "So viele laufen zugleich."),
    ])

  package static let catchUp = MappingDefinition(
    .catchUp, "Which points run that were missed while Sous was not running.",
    de: "Welche Zeitpunkte nachgeholt werden, die verpasst wurden.",
    [
      KeyDefinition(
        "points", .words(of: Schedule.CatchUp.self), "Which; default: `last`.", de: "Welche; Vorgabe: `last`."),
      KeyDefinition("window", .duration, "How far back they count.", de: "Wie weit zurück sie zählen."),
      KeyDefinition(
        "cap", .integer(1...Schedule.Overlap.most), "How many run at most, the latest ones; default: 100.",
        de: "Wie viele höchstens nachgeholt werden, die letzten; Vorgabe: 100."),
    ])

  static let mailEvent = MappingDefinition(
    .mailEvent, "Something that happens in a mailbox.", de: "Etwas, das in einem Postfach geschieht.",
    [
      KeyDefinition("event", .words(of: MailEvent.Kind.self), "What happens.", de: "Was geschieht."),
      KeyDefinition(
        "provider", .name(.provider), "Whose mailbox it is; default: that of `mail.store`.",
        de: "Wessen Postfach es ist; Vorgabe: der Standard für `mail.store`."),
      KeyDefinition("folder", .text, "The folder; default: `INBOX`.", de: "Der Ordner; Vorgabe: `INBOX`."), filter,
      inputs,
    ])

  static let fileEvent = MappingDefinition(
    .fileEvent, "A file that has come or changed.", de: "Eine Datei, die gekommen ist oder sich geändert hat.",
    [
      KeyDefinition(
        "path", .text, "The file; the last part may have `*` and `?`. With a slash at its end, all files of a folder.",
        de:
          "Die Datei; der letzte Teil darf `*` und `?` haben. Mit einem Schrägstrich am Ende alle Dateien eines Ordners.",
        isRequired: true),
      KeyDefinition(
        "settle", .duration, "For how long it has to stay as it is; default: 1s.",
        de: "Wie lange sie bleiben muss, wie sie ist; Vorgabe: 1s."), filter, inputs,
    ])

  package static let webhook = MappingDefinition(
    .webhook, "A request to `/hooks/NAME`.", de: "Eine Anfrage an `/hooks/NAME`.",
    [
      KeyDefinition("name", .text, "The name in `/hooks/NAME`.", de: "Der Name in `/hooks/NAME`.", isRequired: true),
      KeyDefinition(
        "secret", .text, "The name of the secret that the sender has too.",
        de: "Der Name des Geheimnisses, das auch der Absender hat.", isRequired: true),
      KeyDefinition(
        "signature", .words(of: Webhook.Signature.self),
        "How the sender shows it: `bearer` in the header `Authorization`, `github` and `standard` by signatures.",
        de: "Wie der Absender es zeigt: `bearer` in der Kopfzeile `Authorization`, `github` und `standard` durch "
          + "Signaturen."),
      KeyDefinition(
        "limit", .any([.text, .integer(1...16 << 20)]), "How large a body may be; default: 1M.",
        de: "Wie groß ein Inhalt sein darf; Vorgabe: 1M."), filter, inputs,
    ])

  static let recipeEnd = MappingDefinition(
    .recipeEnd, "The end of a run of another recipe.", de: "Das Ende eines Laufs eines anderen Rezepts.",
    [
      KeyDefinition(
        "name", .name(.recipe), "The other recipe's name, or a pattern with `*` and `?`.",
        de: "Der Name des anderen Rezepts oder ein Muster mit `*` und `?`.", isRequired: true),
      ended, failed, filter, inputs,
    ])

  static let pluginEvent = MappingDefinition(
    .pluginEvent, "An event of a plugin.", de: "Ein Ereignis eines Plugins.",
    [
      KeyDefinition(
        "provider", .name(.provider), "Who is listened to; default: the only one whose plugin has the trigger.",
        de: "Auf wen gehört wird; Vorgabe: der einzige, dessen Plugin den Auslöser hat."),
      KeyDefinition("with", .map(.anything), "The event to listen for.", de: "Worauf gehört wird."), filter, inputs,
    ])
}
