import Plans

extension RecipeDefinitions {
  // MARK: The catalog

  package static let preset = MappingDefinition(
    .preset,
    "A file of the catalog: a preset (`prompt`), an item that points to one (`preset`), a composition (`elements`) or a "
      + "cookbook (`contents`).",
    de:
      "Eine Datei des Katalogs: ein Preset (`prompt`), ein Verweis auf eines (`preset`), eine Komposition (`elements`) "
      + "oder ein Kochbuch (`contents`).",
    [
      titleKey, iconKey, descriptionKey, taskKey, catalogKeywordsKey, orderKey,
      KeyDefinition(
        "system", byLanguage, "The role of the model.",
        de: "Was dem Modell über seine Rolle gesagt wird."),
      KeyDefinition(
        "prompt", byLanguage, "The task for the model; a text, or texts by language (`de`, `en`).",
        de: "Was das Modell tun soll; ein Text, oder Texte nach Sprache (`de`, `en`)."),
      KeyDefinition(
        "default", .boolean, "Whether it is used where no other one is chosen; at most one preset.",
        de: "Ob es gilt, wo kein anderes gewählt ist; höchstens ein Preset."),
      KeyDefinition(
        "literal", .boolean, "Whether `{{` is text and begins no expression.",
        de: "Ob `{{` Text ist und keinen Ausdruck beginnt."),
      KeyDefinition(
        "item", .map(.anything), "What its menu entry has of its own: `name`, `icon`, `keywords`, `id`.",
        de: "Was sein Menüeintrag Eigenes hat: `name`, `icon`, `keywords`, `id`."),
      KeyDefinition(
        "listed", .boolean, "Whether the menu shows it; default: yes.", de: "Ob es im Menü steht; Vorgabe: ja."),
      KeyDefinition(
        "preset", .name(.prompt), "The preset that this item points to.",
        de: "Das Preset, auf das dieser Eintrag verweist."),
      KeyDefinition(
        "elements", .list(.text), "The presets and folders of a composition in their order; folders end in `/`.",
        de: "Die Presets und Ordner einer Komposition in ihrer Reihenfolge; Ordner enden mit `/`."),
      KeyDefinition(
        "separator", .text, "The text between the elements; default: an empty line.",
        de: "Was zwischen den Elementen steht; Vorgabe: eine leere Zeile."),
      KeyDefinition(
        "contents", .list(.anything),
        "The contents of a cookbook: `recipe` with a composition, or `chapter` with `contents` of its own.",
        de: "Was ein Kochbuch enthält: `recipe` mit einer Komposition, oder `chapter` mit eigenem `contents`."),
      idKey, createdKey, updatedKey,
    ])

  package static let folder = MappingDefinition(
    .folder, "Settings that all presets of a folder share.", de: "Was alle Presets eines Ordners gemeinsam haben.",
    [
      titleKey, iconKey, descriptionKey, catalogKeywordsKey, orderKey,
      KeyDefinition(
        "literal", .boolean, "Whether `{{` is text and begins no expression.",
        de: "Ob `{{` Text ist und keinen Ausdruck beginnt."),
      idKey,
    ])

  static let taskKey = KeyDefinition(
    "task", .word(StepTask.names),
    "What kind of work it is; without a language model only some kinds can be carried out.",
    de: "Um welche Art Arbeit es geht; ohne Sprachmodell sind nur manche Arten möglich.")

  private static let byLanguage = ValueShape.any([.text, .map(.text)])

  private static let catalogKeywordsKey = KeyDefinition(
    "keywords", .any([.map(.any([.text, .number(-1e300...1e300), .boolean, .map(.text)])), .text]),
    "Words for the prompt: a map, or `\"Anrede: Du; Stil: knapp\"`; values may be given by language.",
    de: "Wörter für den Prompt: eine Map, oder `\"Anrede: Du; Stil: knapp\"`; Werte auch nach Sprache.")
  private static let titleKey = KeyDefinition(
    "name", byLanguage, "Its name for people; default: the file's name.",
    de: "Wie Menschen es nennen; Vorgabe: der Name der Datei.")
  private static let iconKey = KeyDefinition(
    "icon", .text, "An emoji; at most three characters, the rest is cut.",
    de: "Ein Emoji; höchstens drei Zeichen, der Rest wird abgeschnitten.")
  private static let orderKey = KeyDefinition(
    "order", .integer(-1_000_000_000...1_000_000_000), "Its place among its neighbours; those without come last.",
    de: "Seine Stelle unter seinen Nachbarn; die ohne kommen zuletzt.")
  private static let idKey = KeyDefinition(
    "id", .text, "The UUID that other programs know it by.", de: "Die UUID, unter der andere Programme es kennen.")
  private static let createdKey = KeyDefinition(
    "created", .text, "When it was made (ISO 8601).", de: "Wann es angelegt wurde (ISO 8601).")
  private static let updatedKey = KeyDefinition(
    "updated", .text, "When it was last changed (ISO 8601).", de: "Wann es zuletzt geändert wurde (ISO 8601).")
}
