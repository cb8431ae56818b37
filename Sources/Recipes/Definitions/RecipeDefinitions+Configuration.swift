extension RecipeDefinitions {
  static let configuration = MappingDefinition(
    .configuration, "The configuration, `sous.yaml`.", de: "Die Konfiguration, `sous.yaml`.",
    [
      KeyDefinition(
        "providers", .any([.map(.mapping(.provider)), .null]), "The providers, by the names that recipes use.",
        de: "Die Provider, nach den Namen, die Rezepte verwenden."),
      KeyDefinition(
        "defaults", .any([.map(.names(.provider)), .null]),
        "Who answers for a contract when a step names nobody; a list is a fallback order.",
        de: "Wer für einen Vertrag antwortet, wenn ein Schritt niemanden nennt; eine Liste ist eine "
          + "Ausweichreihenfolge."),
      KeyDefinition(
        "plugins", .any([.mapping(.plugins), .null]), "Where plugins are found.", de: "Wo Plugins gefunden werden."),
    ])

  static let provider = MappingDefinition(
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
        "hosts", .texts,
        "Hosts it may reach beside those its plugin declares: names, `*.example.com`, addresses, networks, URLs.",
        de: "Hosts, die er ausser denen erreichen darf, die sein Plugin angibt: Namen, `*.example.com`, Adressen, "
          + "Netze, URLs."),
      KeyDefinition(
        "trust", .mapping(.trust), "Whom its connections trust; absent: the system's authorities.",
        de: "Wem seine Verbindungen trauen; fehlt es: den Zertifizierungsstellen des Systems."),
      KeyDefinition(
        "concurrency", .integer(1...10_000), "The most calls at a time; further ones wait their turn.",
        de: "Wie viele Aufrufe höchstens zugleich laufen; weitere warten, bis sie an der Reihe sind."),
      KeyDefinition(
        "rate", .mapping(.rate), "How often calls may begin; further ones wait their turn.",
        de: "Wie oft Aufrufe beginnen dürfen; weitere warten, bis sie an der Reihe sind."),
    ])

  static let rate = MappingDefinition(
    .rate, "How often calls may begin.", de: "Wie oft Aufrufe beginnen dürfen.",
    [
      KeyDefinition(
        "requests", .integer(1...1_000_000), "The calls in every `per`, evenly spread.",
        de: "Die Aufrufe in jedem `per`, gleichmässig verteilt.", isRequired: true),
      KeyDefinition("per", .duration, "The time; absent: 1m.", de: "Die Zeit; fehlt es: 1m."),
      KeyDefinition(
        "burst", .integer(1...1_000_000), "How many may begin at once after a pause; absent: 1.",
        de: "Wie viele nach einer Pause auf einmal beginnen dürfen; fehlt es: 1."),
    ])

  static let trust = MappingDefinition(
    .trust, "Whom connections trust.", de: "Wem Verbindungen trauen.",
    [
      KeyDefinition(
        "authorities", .text, "A PEM file with the authorities to trust instead of the system's.",
        de: "Eine PEM-Datei mit den Zertifizierungsstellen statt denen des Systems."),
      KeyDefinition(
        "certificate", .text, "A PEM file with the one certificate that a server must present.",
        de: "Eine PEM-Datei mit dem einen Zertifikat, das ein Server vorweisen muss."),
    ])

  static let secret = MappingDefinition(
    .secret, "A secret that stands elsewhere.", de: "Ein Geheimnis, das anderswo steht.",
    [KeyDefinition("secret", .text, "The secret's name.", de: "Der Name des Geheimnisses.", isRequired: true)])

  static let plugins = MappingDefinition(
    .plugins, "Where plugins are found.", de: "Wo Plugins gefunden werden.",
    [
      KeyDefinition(
        "paths", .any([.texts, .null]), "Folders to look for plugins in, before the standard ones.",
        de: "Ordner, in denen zuerst nach Plugins gesucht wird.")
    ])

  static let preset = MappingDefinition(
    .preset, "A prompt of the catalog.", de: "Ein Prompt des Katalogs.",
    [
      descriptionKey, keywordsKey,
      KeyDefinition(
        "system", .text, "What the model is told about its role.", de: "Was dem Modell über seine Rolle gesagt wird."),
      KeyDefinition("prompt", .text, "What the model is to do.", de: "Was das Modell tun soll.", isRequired: true),
    ])

  static let folder = MappingDefinition(
    .folder, "What all presets of a folder share.", de: "Was alle Presets eines Ordners gemeinsam haben.",
    [descriptionKey, keywordsKey])
}
