extension RecipeDefinitions {
  package static let configuration = MappingDefinition(
    .configuration, "The configuration, `sous.yaml`.", de: "Die Konfiguration, `sous.yaml`.",
    [
      KeyDefinition(
        "providers", .any([.map(.mapping(.provider)), .null]), "The providers, by the names that recipes use.",
        de: "Die Provider, nach den Namen, die Rezepte verwenden."),
      KeyDefinition(
        "defaults", .any([.map(.routes), .null]),
        "Who answers for a contract when a step names nobody; a list is a fallback order.",
        de: "Wer für einen Vertrag antwortet, wenn ein Schritt niemanden nennt; eine Liste ist eine "
          + "Ausweichreihenfolge."),
      KeyDefinition(
        "secrets", .any([.list(.any([.words(of: Configuration.SourceWord.self), .mapping(.secretSource)])), .null]),
        "Where secrets are looked up by name, first choice first; without it the environment, systemd's credentials "
          + "and the vault.",
        de:
          "Wo Geheimnisse nach ihrem Namen gesucht werden, die erste Wahl zuerst; ohne Angabe in der Umgebung, in den "
          + "Credentials von systemd und im Tresor."),
      KeyDefinition(
        "plugins", .any([.mapping(.plugins), .null]), "Where plugins are found, and where new ones come from.",
        de: "Wo Plugins gefunden werden, und woher neue kommen."),
      KeyDefinition(
        "recipes", .any([.texts, .mapping(.servedRecipes), .null]),
        "The folders whose recipes 'sous serve' starts by their triggers; without it `recipes` and `workflows` beside "
          + "`sous.yaml`. A map also says where they come from.",
        de: "Die Ordner, deren Rezepte 'sous serve' durch ihre Auslöser startet; ohne Angabe `recipes` und `workflows` "
          + "neben `sous.yaml`. Eine Zuordnung sagt auch, woher sie kommen."),
      KeyDefinition(
        "listen", .any([.text, .integer(1...65_535), .null]),
        "Where 'sous serve' listens for webhooks; without it `127.0.0.1:8768`, which only this machine can reach.",
        de: "Wo 'sous serve' auf Webhooks wartet; ohne Angabe `127.0.0.1:8768`, das nur diese Maschine erreicht."),
      KeyDefinition(
        "server", .any([.mapping(.server), .null]), "The HTTP server of 'sous serve': API, page and sign-in.",
        de: "Der HTTP-Server von 'sous serve': API, Seite und Anmeldung."),
      KeyDefinition(
        "engine", .any([.mapping(.engine), .null]), "How runs are carried out and how long they are kept.",
        de: "Wie Läufe ausgeführt und wie lange sie aufbewahrt werden."),
      KeyDefinition(
        "files", .any([.mapping(.files), .null]), "The folders that actions on files may reach.",
        de: "Was die Aktionen auf Dateien erreichen dürfen."),
      KeyDefinition(
        "http", .any([.mapping(.http), .null]), "The hosts that actions of HTTP may reach, and their credentials.",
        de: "Was die HTTP-Aktionen erreichen dürfen, und mit welchen Zugangsdaten."),
      KeyDefinition(
        "bookmarks", .any([.boolean, .mapping(.bookmarks), .null]), "Which bookmarks are kept for reading offline.",
        de: "Welche Lesezeichen zum Lesen ohne Netz aufgehoben werden."),
      KeyDefinition(
        "summaries", .any([.mapping(.summaries), .null]), "How summaries of messages are made in advance.",
        de: "Wie Zusammenfassungen von Nachrichten im Voraus entstehen."),
      KeyDefinition(
        "neutralise", .any([.mapping(.neutralise), .null]),
        "Personal data that is taken out of texts before they leave the machine.",
        de: "Was aus Texten genommen wird, bevor sie die Maschine verlassen."),
      KeyDefinition(
        "reminders", .any([.mapping(.reminders), .null]), "How 'sous remind' delivers.",
        de: "Wie 'sous remind' zustellt."),
      KeyDefinition(
        "auth", .any([.map(.mapping(.account)), .null]), "The accounts that 'sous auth login' signs in to, by name.",
        de: "Die Konten, bei denen 'sous auth login' anmeldet, nach Namen."),
      KeyDefinition(
        "outbox", .any([.mapping(.outbox), .null]), "How messages wait and go out: 'sous send', 'sous outbox'.",
        de: "Wie Nachrichten warten und hinausgehen: 'sous send', 'sous outbox'."),
    ])

  static let engine = MappingDefinition(
    .engine, "How runs are carried out and how long they are kept.",
    de: "Wie Läufe ausgeführt und wie lange sie aufbewahrt werden.",
    [
      KeyDefinition(
        "parallel", .integer(EngineSettings.parallelBounds), "How many runs are worked on at once.",
        de: "An wie vielen Läufen zugleich gearbeitet wird."),
      KeyDefinition(
        "retention", .mapping(.retention), "How long ended runs are kept; what exceeds a bound goes, oldest first.",
        de: "Wie lange beendete Läufe bleiben; was eine Grenze überschreitet, geht, die ältesten zuerst."),
      KeyDefinition(
        "breaker", .mapping(.breaker), "When the circuit breaker of a provider that keeps failing opens.",
        de: "Wann der Schutzschalter eines Providers, der immer wieder scheitert, öffnet."),
      KeyDefinition(
        "on_failure", .any([.boolean, .mapping(.failurePolicy), .null]),
        "Who is told that runs of the daemon fail and work again; `false` for nobody.",
        de: "Wem gesagt wird, dass Läufe des Dienstes fehlschlagen und wieder gelingen; `false` für niemanden."),
      KeyDefinition(
        "ping", .any([.text, .mapping(.daemonPing), .map(.anything)]),
        "A URL of a monitoring service that gets a request each minute while the daemon is alive, or `url` and `every`.",
        de: "Eine URL eines Überwachungsdienstes, die jede Minute eine Anfrage bekommt, solange der Dienst läuft, oder "
          + "`url` und `every`."),
      KeyDefinition(
        "traces", .any([.text, .mapping(.traces), .map(.anything)]),
        "The URL at which a collector of OpenTelemetry takes the traces of runs (OTLP/HTTP), or `url` and `headers`.",
        de:
          "Die URL, unter der ein Collector von OpenTelemetry die Traces von Läufen annimmt (OTLP/HTTP), oder `url` und "
          + "`headers`."),
      KeyDefinition(
        "prices", .map(.mapping(.price)),
        "The prices of language models, by name or a beginning of it, also `PROVIDER/MODEL`; it stands above the table that "
          + "comes with Sous.",
        de: "Was Sprachmodelle kosten, nach Namen oder deren Anfang, auch `PROVIDER/MODELL`; es gilt vor der Tabelle, "
          + "die Sous mitbringt."),
      KeyDefinition(
        "budget", .mapping(.budget),
        "The limit for all calls of language models: `cost` and `tokens` of a day, of a `month`, of each `run`.",
        de: "Was alle Aufrufe von Sprachmodellen brauchen dürfen: `cost` und `tokens` eines Tages, eines Monats "
          + "(`month`), jedes Laufs (`run`)."),
      KeyDefinition(
        "limits", .mapping(.textLimits), "How large the texts are that steps read.",
        de: "Wie groß Texte sind, die Schritte lesen."),
    ])

  static let textLimits = MappingDefinition(
    .textLimits, "How large the texts are that steps read.", de: "Wie groß Texte sind, die Schritte lesen.",
    [
      KeyDefinition(
        "text", .any([.text, .integer(EngineSettings.textBounds)]),
        "The output of a program, the body of a response and a file, if the step does not say: `4MB`, at most `64MiB`.",
        de:
          "Die Ausgabe eines Programms, der Inhalt einer Antwort und eine Datei, wenn der Schritt nichts angibt: `4MB`, "
          + "höchstens `64MiB`.")
    ])

  package static let price = MappingDefinition(
    .price, "The price of a language model, for a million tokens.",
    de: "Was ein Sprachmodell kostet, für eine Million Tokens.",
    [
      KeyDefinition(
        "input", .number(EngineSettings.priceBounds), "Of what it is asked.", de: "Von dem, was es gefragt wird."),
      KeyDefinition(
        "output", .number(EngineSettings.priceBounds), "Of what it answers.", de: "Von dem, was es antwortet."),
      KeyDefinition(
        "cached", .number(EngineSettings.priceBounds),
        "Of what it is asked and has read before; default: as `input`.",
        de: "Von dem, was es gefragt wird und schon gelesen hat; Vorgabe: wie `input`."),
    ])

  static let recipeRetention = MappingDefinition(
    .recipeRetention, "How long the ended runs of a recipe are kept.",
    de: "Wie lange die beendeten Läufe eines Rezepts bleiben.",
    [
      KeyDefinition(
        "age", .duration, "How long after their end, instead of what holds for all.",
        de: "Wie lange nach ihrem Ende, statt dessen, was für alle gilt."),
      KeyDefinition("runs", .integer(1...Int.max), "How many at most.", de: "Wie viele höchstens."),
    ])

  static let retention = MappingDefinition(
    .retention, "How long ended runs are kept.", de: "Wie lange beendete Läufe bleiben.",
    [
      KeyDefinition("age", .duration, "How long after their end.", de: "Wie lange nach ihrem Ende."),
      KeyDefinition("runs", .integer(1...Int.max), "How many at most.", de: "Wie viele höchstens."),
      KeyDefinition(
        "size", .any([.text, .integer(EngineSettings.sizeBounds)]), "How large the database may grow: `500M`, `1GB`.",
        de: "Wie groß die Datenbank werden darf: `500M`, `1GB`."),
      KeyDefinition(
        "versions", .integer(EngineSettings.versionBounds),
        "How many versions of each recipe are kept, the newest ones; absent: 100.",
        de: "Wie viele Fassungen jedes Rezepts bleiben, die neuesten; fehlt es: 100."),
      KeyDefinition(
        "recipes", .map(.mapping(.recipeRetention)), "Settings of single recipes, by name.",
        de: "Was für einzelne Rezepte gilt, nach Namen."),
    ])

  package static let breaker = MappingDefinition(
    .breaker, "When the circuit breaker of a provider that keeps failing opens.",
    de: "Wann der Schutzschalter eines Providers, der immer wieder scheitert, öffnet.",
    [
      KeyDefinition(
        "failures", .integer(1...1000), "Failures in a row that open it; default: 3.",
        de: "Fehlschläge hintereinander, die ihn öffnen; Vorgabe: 3."),
      KeyDefinition(
        "open", .duration, "How long it stays open at first; default: 10s.",
        de: "Wie lange er zuerst offen bleibt; Vorgabe: 10s."),
    ])

  package static let provider = MappingDefinition(
    .provider, "A plugin with its settings.", de: "Ein Plugin mit seinen Einstellungen.", isOpen: true,
    [
      KeyDefinition(
        "plugin", .text, "The plugin's id, or a path to its file.",
        de: "Die ID des Plugins, oder ein Pfad zu seiner Datei.",
        isRequired: true),
      KeyDefinition(
        "isolation", .words(of: ConfiguredProvider.Isolation.self), "Whether it runs in a worker process of its own.",
        de: "Ob es in einem eigenen Prozess läuft."),
      KeyDefinition(
        "limits", .mapping(.limits), "The limits of its worker process.", de: "Was sein eigener Prozess brauchen darf."),
      KeyDefinition(
        "hosts", .texts,
        "Hosts it may reach beside those its plugin declares: names, `*.example.com`, addresses, networks, URLs.",
        de: "Hosts, die er außer denen erreichen darf, die sein Plugin angibt: Namen, `*.example.com`, Adressen, "
          + "Netze, URLs."),
      KeyDefinition(
        "trust", .mapping(.trust), "The certificates that its connections trust; default: those of the system.",
        de: "Die Zertifikate, denen seine Verbindungen trauen; Vorgabe: die des Systems."),
      KeyDefinition(
        "credentials_of", .text,
        "Another provider, whose `user`, `password` and `token` it signs in with where it has none of its own.",
        de: "Ein anderer Provider, mit dessen `user`, `password` und `token` er sich anmeldet, wo er keine eigenen hat."
      ),
      KeyDefinition(
        "concurrency", .integer(1...10_000), "The most calls at a time; further ones wait their turn.",
        de: "Wie viele Aufrufe höchstens zugleich laufen; weitere warten, bis sie an der Reihe sind."),
      KeyDefinition(
        "rate", .mapping(.rate), "How often calls may begin; further ones wait their turn.",
        de: "Wie oft Aufrufe beginnen dürfen; weitere warten, bis sie an der Reihe sind."),
      KeyDefinition(
        "neutralise", .any([.word([ConfiguredNeutralisation.required]), .mapping(.neutralise)]),
        "`required`: personal data is replaced in all that goes to it, and put back in its answers.",
        de: "`required`: In allem, was an ihn geht, werden Personendaten ersetzt, und in seinen Antworten eingesetzt."),
    ] + ModelSettings.keys)

  static let rate = MappingDefinition(
    .rate, "How often calls may begin.", de: "Wie oft Aufrufe beginnen dürfen.",
    [
      KeyDefinition(
        "requests", .integer(1...1_000_000), "The calls in every `per`, evenly spread.",
        de: "Die Aufrufe in jedem `per`, gleichmässig verteilt.", isRequired: true),
      KeyDefinition("per", .duration, "The time; default: 1m.", de: "Die Zeit; Vorgabe: 1m."),
      KeyDefinition(
        "burst", .integer(1...1_000_000), "How many may begin at once after a pause; default: 1.",
        de: "Wie viele nach einer Pause auf einmal beginnen dürfen; Vorgabe: 1."),
    ])

  static let trust = MappingDefinition(
    .trust, "Whom connections trust.", de: "Welchen Zertifizierungsstellen Verbindungen vertrauen.",
    [
      KeyDefinition(
        "authorities", .text, "A PEM file with the authorities to trust instead of the system's.",
        de: "Eine PEM-Datei mit den Zertifizierungsstellen statt denen des Systems."),
      KeyDefinition(
        "certificate", .text, "A PEM file with the one certificate that a server must present.",
        de: "Eine PEM-Datei mit dem einen Zertifikat, das ein Server vorweisen muss."),
    ])

  static let limits = MappingDefinition(
    .limits, "The limits of a plugin's worker process.", de: "Was der eigene Prozess eines Plugins brauchen darf.",
    [
      KeyDefinition(
        "memory", .any([.text, .integer(byteBounds)]), "Memory: `512M`, `2G`, or bytes.",
        de: "Speicher: `512M`, `2G`, oder Byte."),
      KeyDefinition(
        "cpu", .duration, "Processor time that may pass while a call goes on.",
        de: "Rechenzeit, die während eines Aufrufs vergehen darf."),
      KeyDefinition("threads", .integer(threadBounds), "Threads.", de: "Threads."),
      KeyDefinition("files", .integer(fileBounds), "Open files.", de: "Offene Dateien."),
    ])

  /// Below 64 MiB no worker starts.
  static let byteBounds = (64 << 20)...(1 << 40)
  static let threadBounds = 8...10_000
  static let fileBounds = 16...1_000_000

  static let secret = MappingDefinition(
    .secret, "A secret that stands elsewhere.", de: "Ein Geheimnis, das anderswo steht.",
    [
      KeyDefinition(
        "secret", .any([.text, .mapping(.secretPlace)]), "The secret's name, or the place it is in.",
        de: "Der Name des Geheimnisses, oder der Ort, an dem es steht.", isRequired: true)
    ])

  static let secretPlace = MappingDefinition(
    .secretPlace, "The place of a secret; one of `env`, `file`, `command` and `oauth`.",
    de: "Der Ort eines Geheimnisses; eines von `env`, `file`, `command` und `oauth`.",
    [
      KeyDefinition("env", .text, "A variable of the environment.", de: "Eine Umgebungsvariable."),
      KeyDefinition(
        "file", .text, "A file that only its owner may read; its contents are the secret.",
        de: "Eine Datei, die nur ihr Besitzer lesen darf; ihr Inhalt ist das Geheimnis."),
      KeyDefinition(
        "name", .text, "The line `NAME=VALUE` of the file that has the secret.",
        de: "Die Zeile `NAME=WERT` der Datei, in der das Geheimnis steht."),
      KeyDefinition(
        "command", .list(.text), "A program that prints the secret, with its arguments; no shell reads them.",
        de: "Ein Programm, das das Geheimnis ausgibt, mit seinen Argumenten; keine Shell liest sie."),
      KeyDefinition(
        "oauth", .text, "An account under `auth`; its access token is the secret.",
        de: "Ein Konto unter `auth`; dessen Zugriffstoken ist das Geheimnis."),
    ])

  static let secretSource = MappingDefinition(
    .secretSource, "A place where secrets are looked up by name; one of these.",
    de: "Ein Ort, an dem Geheimnisse nach ihrem Namen gesucht werden; eines davon.",
    [
      KeyDefinition(
        "file", .text, "A file of `NAME=VALUE` lines, or with `{name}` in its path one for each secret.",
        de: "Eine Datei mit Zeilen `NAME=WERT`, oder mit `{name}` im Pfad eine für jedes Geheimnis."),
      KeyDefinition(
        "command", .list(.text),
        "A program that prints a secret, with its arguments; `{name}` stands for the secret's name.",
        de: "Ein Programm, das ein Geheimnis ausgibt, mit seinen Argumenten; `{name}` steht für den Namen."),
      KeyDefinition(
        "vault", .mapping(.vault), "The vault beside the run log.", de: "Der Tresor neben dem Laufprotokoll."),
    ])

  static let vault = MappingDefinition(
    .vault, "Where the key of the vault comes from.", de: "Woher der Schlüssel des Tresors kommt.",
    [
      KeyDefinition(
        "key_file", .text, "A file with the key, 32 bytes, outside the project.",
        de: "Eine Datei mit dem Schlüssel, 32 Byte, außerhalb des Projekts."),
      KeyDefinition(
        "passphrase_file", .text, "A file with the passphrase, outside the project.",
        de: "Eine Datei mit der Passphrase, außerhalb des Projekts."),
    ])

  static let plugins = MappingDefinition(
    .plugins, "Where plugins are found, and where new ones come from.",
    de: "Wo Plugins gefunden werden, und woher neue kommen.",
    [
      KeyDefinition(
        "paths", .any([.texts, .null]), "Folders to look for plugins in, before the standard ones.",
        de: "Ordner, in denen zuerst nach Plugins gesucht wird."),
      KeyDefinition(
        "index", .any([.text, .mapping(.pluginIndex), .list(.any([.text, .mapping(.pluginIndex)])), .null]),
        "The indexes that 'sous plugins install NAME' looks a plugin up in, in this order: URLs or files.",
        de:
          "Die Indexe, in denen 'sous plugins install NAME' ein Plugin sucht, in dieser Reihenfolge: URLs oder Dateien."
      ),
    ])

  static let pluginIndex = MappingDefinition(
    .pluginIndex, "An index of plugins, and the key that signs them.",
    de: "Ein Index von Plugins und der Schlüssel, mit dem sie signiert sind.",
    [
      KeyDefinition(
        "url", .text, "The https URL of the index, or the path of its file.",
        de: "Die https-URL des Index, oder der Pfad seiner Datei.", isRequired: true),
      KeyDefinition(
        "key", .text, "The public key of minisign that must have signed each plugin of the index.",
        de: "Der öffentliche Schlüssel von minisign, mit dem jedes Plugin des Index signiert sein muss."),
    ])

  package static let files = MappingDefinition(
    .files, "The folders that actions on files may reach.", de: "Was die Aktionen auf Dateien erreichen dürfen.",
    [
      KeyDefinition(
        "folders", .texts, "Folders, with all that is below them; default: the folder of `sous.yaml`.",
        de: "Ordner mit allem, was darunter liegt; Vorgabe: der Ordner von `sous.yaml`.", isRequired: true)
    ])

  package static let http = MappingDefinition(
    .http, "The hosts that actions of HTTP may reach.", de: "Was die HTTP-Aktionen erreichen dürfen.",
    [
      KeyDefinition(
        "hosts", .texts,
        "Hosts: names, addresses, networks and URLs; `*.example.com` and `*` stand for public hosts only.",
        de: "Hosts: Namen, Adressen, Netze und URLs; `*.example.com` und `*` stehen nur für öffentliche Hosts.",
        isRequired: true),
      KeyDefinition(
        "credentials", .list(.mapping(.credential)), "Fields of requests to a host beside what a recipe gives them.",
        de: "Was Anfragen an einen Host mitführen, außer dem, was ein Rezept ihnen gibt."),
      KeyDefinition(
        "trust", .mapping(.trust), "The certificates that connections trust; default: those of the system.",
        de: "Die Zertifikate, denen Verbindungen trauen; Vorgabe: die des Systems."),
    ])

  static let credential = MappingDefinition(
    .credential, "A secret that requests to a host carry; one of `bearer`, `password` and `value`.",
    de: "Ein Geheimnis, das Anfragen an einen Host mitführen; eines von `bearer`, `password` und `value`.",
    [
      KeyDefinition(
        "host", .text, "The host, written as under `hosts`.", de: "Der Host, geschrieben wie unter `hosts`.",
        isRequired: true),
      KeyDefinition(
        "bearer", .mapping(.secret), "A token: `Authorization: Bearer …`.", de: "Ein Token: `Authorization: Bearer …`."),
      KeyDefinition(
        "user", .text, "The user's name, beside `password`.", de: "Der Name des Benutzers, neben `password`."),
      KeyDefinition(
        "password", .mapping(.secret), "A password: `Authorization: Basic …`.",
        de: "Ein Passwort: `Authorization: Basic …`."),
      KeyDefinition(
        "header", .text, "The name of a header, beside `value`.", de: "Der Name einer Kopfzeile, neben `value`."),
      KeyDefinition("value", .mapping(.secret), "The whole value of the header.", de: "Der ganze Wert der Kopfzeile."),
    ])
}
