import Plans

extension RecipeDefinitions {
  package static let note = MappingDefinition(
    .note, "A note that keeps the result.", de: "Eine Notiz, die das Ergebnis aufhebt.",
    [
      KeyDefinition(
        "note", .text, "The note's text, usually `{{ result }}`.", de: "Der Text der Notiz, meist `{{ result }}`.",
        isRequired: true),
      KeyDefinition("title", .text, "The note's title.", de: "Der Titel der Notiz."),
      KeyDefinition("category", .text, "Where it belongs.", de: "Wohin sie gehört."),
      KeyDefinition(
        "tags", .any([.list(.text), .expression]), "Words to find it by.", de: "Wörter, unter denen sie zu finden ist."),
      KeyDefinition(
        "corrected", .text, "The text as it was corrected; `note` is the original then.",
        de: "Der korrigierte Text; `note` ist dann das Original."),
      KeyDefinition(
        "summary", .text, "Its purpose, in one or two sentences.", de: "Worum es geht, in ein, zwei Sätzen."),
      KeyDefinition("source", .text, "Where it comes from.", de: "Woher sie kommt."),
      KeyDefinition(
        "audio", .any([.map(.anything), .expression]), "The recording: `{ blob, name, type }`.",
        de: "Die Aufnahme: `{ blob, name, type }`."),
      KeyDefinition(
        "reminder", .text, "When to be reminded of it: a date and time of RFC 3339.",
        de: "Wann daran erinnert wird: Datum und Uhrzeit nach RFC 3339."),
      providerKey,
    ])

  // MARK: mail-filter

  static let filterOrderBounds = -1000...1000

  package static let mailFilter = MappingDefinition(
    .mailFilter, "Rules for the messages of a folder.", de: "Regeln für die Nachrichten eines Ordners.",
    common(.mailFilter) + [
      inputsKey,
      KeyDefinition(
        "provider", .name(.provider), "Whose mailbox it is; default: that of `mail.store`.",
        de: "Wessen Postfach es ist; Vorgabe: der Standard für `mail.store`."),
      KeyDefinition(
        "accounts", .any([.name(.provider), .list(.name(.provider))]),
        "Several mailboxes, one after the other, instead of `provider`.",
        de: "Mehrere Postfächer nacheinander, statt `provider`."),
      KeyDefinition("folder", .text, "The folder; default: `INBOX`.", de: "Der Ordner; Vorgabe: `INBOX`."),
      KeyDefinition(
        "order", .integer(filterOrderBounds),
        "The position of the filter among those of its folder: smaller numbers first, equal ones by name; default: 0.",
        de:
          "Die Stelle des Filters unter denen seines Ordners: kleinere Zahlen zuerst, gleiche nach dem Namen; Vorgabe: 0."
      ),
      KeyDefinition(
        "search", .mapping(.search), "Which messages the rules see; default: all.",
        de: "Welche Nachrichten die Regeln sehen; Vorgabe: alle."),
      KeyDefinition(
        "rules", .list(.mapping(.rule)), "The rules, from first to last.",
        de: "Die Regeln, von der ersten zur letzten.",
        isRequired: true),
    ])

  package static let search = MappingDefinition(
    .search, "Which messages the rules see, as `mail.search` takes it.",
    de: "Welche Nachrichten die Regeln sehen, wie `mail.search` es nimmt.",
    [
      KeyDefinition("unseen", .any([.boolean, .expression]), "Only unread ones.", de: "Nur ungelesene."),
      KeyDefinition("flagged", .any([.boolean, .expression]), "Only flagged ones.", de: "Nur markierte."),
      KeyDefinition("answered", .any([.boolean, .expression]), "Only answered ones.", de: "Nur beantwortete."),
      KeyDefinition("from", .text, "Part of the sender.", de: "Teil des Absenders."),
      KeyDefinition("to", .text, "Part of a recipient.", de: "Teil eines Empfängers."),
      KeyDefinition("subject", .text, "Part of the subject.", de: "Teil des Betreffs."),
      KeyDefinition("text", .text, "Part of the text.", de: "Teil des Textes."),
      KeyDefinition("since", .text, "Only of this date or later.", de: "Nur von diesem Datum an."),
      KeyDefinition("before", .text, "Only before this date.", de: "Nur vor diesem Datum."),
      KeyDefinition(
        "larger", .any([.integer(0...Int.max), .expression]), "Only of more bytes.", de: "Nur mit mehr Bytes."),
      KeyDefinition(
        "smaller", .any([.integer(0...Int.max), .expression]), "Only of fewer bytes.", de: "Nur mit weniger Bytes."),
      KeyDefinition(
        "limit", .any([.integer(1...1_000_000), .expression]), "How many at most.", de: "Wie viele höchstens."),
      KeyDefinition("order", .any([.word(["newest", "oldest"]), .expression]), "Which first.", de: "Welche zuerst."),
    ])

  package static let rule = MappingDefinition(
    .rule, "Actions for the messages that a condition holds for.",
    de: "Was mit den Nachrichten zu tun ist, für die eine Bedingung gilt.",
    [
      KeyDefinition("name", .text, "Its name for people.", de: "Wie Menschen sie nennen."),
      KeyDefinition(
        "when", .expression, "The condition, over `message`; default: every message.",
        de: "Die Bedingung, über `message`; Vorgabe: jede Nachricht."),
      KeyDefinition(
        "then",
        .any([
          .word(MailFilterReader.words), .mapping(.ruleAction),
          .list(.any([.word(MailFilterReader.words), .mapping(.ruleAction)])),
        ]),
        "The actions; a move or a deletion comes last, whatever the order. `stop` keeps later rules off the message.",
        de: "Was zu tun ist; Verschieben und Löschen kommen zuletzt, wie auch die Reihenfolge ist. `stop` hält spätere "
          + "Regeln von der Nachricht fern.", isRequired: true),
    ])

  static let ruleAction = MappingDefinition(
    .ruleAction, "Something to do with a message.", de: "Etwas, das mit einer Nachricht zu tun ist.",
    [
      KeyDefinition("move", .text, "Moves it to a folder.", de: "Verschiebt sie in einen Ordner."),
      KeyDefinition("copy", .text, "Copies it to a folder.", de: "Kopiert sie in einen Ordner."),
      KeyDefinition("label", .texts, "Gives it labels.", de: "Gibt ihr Labels."),
      KeyDefinition("unlabel", .texts, "Takes labels off it.", de: "Nimmt ihr Labels."),
      KeyDefinition(
        "delete", .any([.mapping(.deletion), .boolean, .null]), "Deletes it; into the trash unless `permanently`.",
        de: "Löscht sie; in den Papierkorb, außer mit `permanently`."),
      KeyDefinition(
        "notify", .any([.mapping(.notification), .text, .boolean, .null]),
        "Shows a notification; a text is its text.", de: "Zeigt eine Benachrichtigung; ein Text ist ihr Text."),
      KeyDefinition(
        "forward", .any([.text, .list(.text), .mapping(.forwarding)]), "Sends it on, as an attachment.",
        de: "Sendet sie weiter, als Anhang."),
      KeyDefinition(
        "redirect", .any([.text, .list(.text), .mapping(.redirection)]), "Sends the message itself on, as it came.",
        de: "Leitet die Nachricht selbst weiter, wie sie kam."),
      KeyDefinition(
        "save", .any([.text, .mapping(.saving)]), "Saves its attachments in a folder, each content once.",
        de: "Speichert ihre Anhänge in einem Ordner, jeden Inhalt einmal."),
      KeyDefinition(
        "reply", .mapping(.automaticReply), "Answers it by itself, once to each sender in a while.",
        de: "Beantwortet sie von selbst, jedem Absender einmal in einer Zeit."),
      KeyDefinition(
        "unsubscribe", .mapping(.unsubscription), "Leaves its list, by one request too (RFC 8058).",
        de: "Verlässt ihre Liste, auch mit einer einzigen Anfrage (RFC 8058)."),
      KeyDefinition("run", .name(.recipe), "Runs a recipe with it.", de: "Führt ein Rezept mit ihr aus."),
      KeyDefinition(
        "with", .map(.anything), "The inputs of `run`; `message` is the message.",
        de: "Die Eingaben von `run`; `message` ist die Nachricht."),
    ])

  static let forwarding = MappingDefinition(
    .forwarding, "How messages are sent on.", de: "Wie Nachrichten weitergesendet werden.",
    [
      KeyDefinition("to", .texts, "Who gets them.", de: "Wer sie bekommt.", isRequired: true),
      KeyDefinition(
        "from", .text, "Default: the provider's own address.", de: "Vorgabe: die eigene Adresse des Providers."),
      KeyDefinition("text", .text, "The text above the attachment.", de: "Was über dem Anhang steht."),
      providerKey,
    ])

  static let redirection = MappingDefinition(
    .redirection, "How messages are redirected (RFC 5228, 4.2).",
    de: "Wie Nachrichten umgeleitet werden (RFC 5228, 4.2).",
    [
      KeyDefinition("to", .texts, "Who gets them.", de: "Wer sie bekommt.", isRequired: true),
      KeyDefinition(
        "from", .text, "Who redirects them; default: the provider's own address.",
        de: "Wer sie umleitet; Vorgabe: die eigene Adresse des Providers."),
      providerKey,
    ])

  static let saving = MappingDefinition(
    .saving, "Where attachments are saved, and which.", de: "Wo Anhänge gespeichert werden, und welche.",
    [
      KeyDefinition(
        "folder", .text, "The folder, as seen from that of sous.yaml.", de: "Der Ordner, vom Ordner von sous.yaml aus.",
        isRequired: true),
      KeyDefinition(
        "types", .any([.text, .list(.text)]), "Only these media types, such as `application/pdf` or `image/*`.",
        de: "Nur diese Medientypen, etwa `application/pdf` oder `image/*`."),
    ])

  static let automaticReply = MappingDefinition(
    .automaticReply, "How messages are answered by themselves (RFC 3834, RFC 5230).",
    de: "Wie Nachrichten von selbst beantwortet werden (RFC 3834, RFC 5230).",
    [
      KeyDefinition(
        "addresses", .list(.text), "One's own addresses; only what is sent to one of them is answered.",
        de: "Die eigenen Adressen; nur was an eine davon geht, wird beantwortet.", isRequired: true),
      KeyDefinition("text", .text, "The answer.", de: "Die Antwort.", isRequired: true),
      KeyDefinition("html", .text, "The answer as HTML, beside `text`.", de: "Die Antwort als HTML, neben `text`."),
      KeyDefinition(
        "subject", .text, "Default: `Auto:` and the message's.", de: "Vorgabe: `Auto:` und der der Nachricht."),
      KeyDefinition(
        "from", .text, "Default: the provider's own address.", de: "Vorgabe: die eigene Adresse des Providers."),
      KeyDefinition(
        "every", .duration, "How long a sender gets no second answer; default: 7 days.",
        de: "Wie lange ein Absender keine zweite Antwort bekommt; Vorgabe: 7 Tage."),
      KeyDefinition(
        "handle", .text,
        "Rules with the same handle share their memory of senders; default: those with the same `addresses`.",
        de: "Regeln mit demselben Handle teilen ihr Gedächtnis für Absender; Vorgabe: die mit denselben `addresses`."),
      providerKey,
    ])

  package static let unsubscription = MappingDefinition(
    .unsubscription, "When a list is left with one request (RFC 8058).",
    de: "Wann eine Liste mit einer einzigen Anfrage verlassen wird (RFC 8058).",
    [
      KeyDefinition(
        "authserv_id", .any([.text, .list(.text)]),
        "The name of one's own mail server in `Authentication-Results`: only what it says of DKIM counts (RFC 8601).",
        de:
          "Der Name des eigenen Mailservers in `Authentication-Results`: nur was er über DKIM sagt, zählt (RFC 8601).",
        isRequired: true)
    ])

  static let deletion = MappingDefinition(
    .deletion, "How messages are deleted.", de: "Wie Nachrichten gelöscht werden.",
    [KeyDefinition("permanently", .boolean, "Past the trash folder.", de: "Am Papierkorb vorbei.")])

  // MARK: reminder

  package static let reminder = MappingDefinition(
    .reminder, "A text that is delivered at points in time.", de: "Ein Text, der zu Zeitpunkten zugestellt wird.",
    common(.reminder) + [
      inputsKey,
      KeyDefinition("text", .text, "The text of the reminder.", de: "Woran erinnert wird.", isRequired: true),
      KeyDefinition(
        "at", .text, "When: `2027-01-01T08:00 Europe/Zurich`, or with an offset; default: the time of the run.",
        de: "Wann: `2027-01-01T08:00 Europe/Zurich`, oder mit einem Abstand zu UTC; Vorgabe: der Zeitpunkt des Laufs."),
      KeyDefinition(
        "lead", .any([.duration, .list(.duration)]), "How long before its time it is delivered as well.",
        de: "Wie lange vor seiner Zeit es auch zugestellt wird."),
      KeyDefinition(
        "deliver", .any([.mapping(.delivery), .list(.mapping(.delivery))]),
        "The ways it is delivered, each by itself; default: a notification.",
        de: "Die Wege, auf denen es zugestellt wird, jeder für sich; Vorgabe: eine Benachrichtigung."),
      KeyDefinition(
        "repeat", .mapping(.repetition), "How it is repeated until somebody reacts.",
        de: "Wie es wiederholt wird, bis jemand reagiert."),
      KeyDefinition(
        "uid", .text, "The UID of the calendar entry that it was imported from.",
        de: "Die UID des Kalendereintrags, aus dem es importiert wurde."),
    ])

  static let reminders = MappingDefinition(
    .reminders, "How 'sous remind' delivers.", de: "Wie 'sous remind' zustellt.",
    [
      KeyDefinition(
        "deliver", .any([.mapping(.delivery), .list(.mapping(.delivery))]),
        "The ways, as a reminder's `deliver` has them; default: a notification.",
        de: "Die Wege, wie `deliver` einer Erinnerung sie hat; Vorgabe: eine Benachrichtigung.")
    ])

  static let delivery = MappingDefinition(
    .delivery, "A way to deliver a text; one of these.", de: "Ein Weg, einen Text zuzustellen; eines davon.",
    [
      KeyDefinition(
        "mail", .any([.text, .list(.text), .mapping(.message)]), "By mail: an address, several, or a whole message.",
        de: "Per Mail: eine Adresse, mehrere, oder eine ganze Nachricht."),
      KeyDefinition(
        "command", .list(.text), "By a command; `{{ text }}` is the text.",
        de: "Mit einem Befehl; `{{ text }}` ist der Text."),
      KeyDefinition(
        "notify", .any([.mapping(.notification), .text, .boolean, .null]), "As a notification; a text is its title.",
        de: "Als Benachrichtigung; ein Text ist ihr Titel."),
      KeyDefinition(
        "otherwise", .any([.mapping(.delivery), .list(.mapping(.delivery))]),
        "The way if this one fails; of a list one after the other.",
        de: "Was versucht wird, wo das scheitert; aus einer Liste eines nach dem anderen."),
    ])

  static let notification = MappingDefinition(
    .notification, "A notification.", de: "Eine Benachrichtigung.",
    [
      KeyDefinition(
        "title", .text, "Its title; default: the recipe's name.", de: "Ihr Titel; Vorgabe: der Name des Rezepts."),
      KeyDefinition("text", .text, "Its text; default: the reminder's.", de: "Ihr Text; Vorgabe: der der Erinnerung."),
      KeyDefinition(
        "priority", .word(["min", "low", "normal", "high", "urgent"]), "How urgent it is; default: `normal`.",
        de: "Wie dringend sie ist; Vorgabe: `normal`."),
      KeyDefinition(
        "tags", .any([.list(.text), .expression]), "Words that services show or sort by.",
        de: "Wörter, die Dienste zeigen oder nach denen sie sortieren."),
      KeyDefinition("link", .text, "The URL that opens with it.", de: "Die URL, die sich damit öffnet."),
      KeyDefinition(
        "key", .text, "Nothing with the same key goes out twice within 7 days.",
        de: "Nichts mit demselben Schlüssel geht in 7 Tagen zweimal hinaus."),
      providerKey,
    ])

  package static let repetition = MappingDefinition(
    .repetition, "How a reminder is repeated.", de: "Wie eine Erinnerung wiederholt wird.",
    [
      KeyDefinition("every", .duration, "The interval.", de: "Der Abstand.", isRequired: true),
      KeyDefinition(
        "until", .words(of: Plan.Repetition.End.self), "The event that ends it; default: `acknowledged`.",
        de: "Was es beendet; Vorgabe: `acknowledged`."),
      KeyDefinition("limit", .integer(1...1000), "How often at most.", de: "Wie oft höchstens."),
    ])

  // MARK: send

  package static let send = MappingDefinition(
    .send, "A message that is sent at a time.", de: "Eine Nachricht, die zu einer Zeit gesendet wird.",
    common(.send) + [
      inputsKey,
      KeyDefinition(
        "send_at", .text,
        "When: `2027-01-01T08:00 Europe/Zurich`, or with an offset, or in words, which count from when it is run: "
          + "`tomorrow at 8`; default: the time of the run.",
        de: "Wann: `2027-01-01T08:00 Europe/Zurich`, oder mit einem Abstand zu UTC, oder in Worten, die ab dem Lauf "
          + "zählen: `morgen um 8`; Vorgabe: der Zeitpunkt des Laufs."),
      KeyDefinition(
        "undo_for", .duration, "How long sending can be cancelled; default: `outbox.undo_for` of `sous.yaml`.",
        de: "Wie lange sich das Senden zurücknehmen lässt; Vorgabe: `outbox.undo_for` von `sous.yaml`."),
      KeyDefinition(
        "mail", .any([.mapping(.message), .expression]), "The message, or one expression that gives it.",
        de: "Die Nachricht, oder ein Ausdruck, der sie ergibt.", isRequired: true),
    ])

  package static let message = MappingDefinition(
    .message, "A message to send.", de: "Eine Nachricht zum Senden.",
    [
      KeyDefinition(
        "from", .text, "Default: the provider's own address.", de: "Vorgabe: die eigene Adresse des Providers."),
      KeyDefinition("to", .texts, "Who gets it.", de: "Wer sie bekommt."),
      KeyDefinition("cc", .texts, "Who gets a copy.", de: "Wer eine Kopie bekommt."),
      KeyDefinition("bcc", .texts, "Who gets a copy unseen.", de: "Wer verdeckt eine Kopie bekommt."),
      KeyDefinition("reply_to", .text, "Where answers go.", de: "Wohin Antworten gehen."),
      KeyDefinition("subject", .text, "The subject.", de: "Der Betreff."),
      KeyDefinition("text", .text, "The text.", de: "Der Text."),
      KeyDefinition("html", .text, "The text as HTML, beside `text`.", de: "Der Text als HTML, neben `text`."),
      KeyDefinition(
        "attachments", .any([.list(.any([.text, .mapping(.attachment)])), .expression]),
        "Files, by paths that begin at the recipe's folder.", de: "Dateien, mit Pfaden ab dem Ordner des Rezepts."),
      KeyDefinition("in_reply_to", .text, "The Message-ID it answers.", de: "Die Message-ID, auf die sie antwortet."),
      KeyDefinition(
        "references", .any([.list(.text), .expression]), "The Message-IDs of its thread.",
        de: "Die Message-IDs ihres Fadens."),
      KeyDefinition("headers", .map(.text), "Further header fields.", de: "Weitere Kopfzeilen."),
      providerKey,
    ])

  package static let attachment = MappingDefinition(
    .attachment, "A file that goes with a message.", de: "Eine Datei, die mit einer Nachricht geht.",
    [
      KeyDefinition("path", .text, "The file, from the recipe's folder.", de: "Die Datei, ab dem Ordner des Rezepts."),
      KeyDefinition(
        "content", .text, "Its bytes in base64, instead of a file.", de: "Ihre Bytes in Base64, statt einer Datei."),
      KeyDefinition("name", .text, "Its name in the message.", de: "Wie sie in der Nachricht heißt."),
      KeyDefinition(
        "type", .text, "Its media type; default: by the name.", de: "Ihr Medientyp; Vorgabe: der, den der Name ergibt."),
    ])
}
