import Plans
import Schemas

extension RecipeDefinitions {
  // MARK: Keys that several kinds share

  static func kindKey(_ kind: RecipeKind) -> KeyDefinition {
    KeyDefinition(
      "kind", .word([kind.rawValue]), "The kind of recipe; default: `general`.",
      de: "Was für ein Rezept das ist; `general`, wo es fehlt.", isRequired: kind != .general)
  }

  static let nameKey = KeyDefinition(
    "name", .text, "Its name for people and in the run log, one line; default: the file's name.",
    de: "Wie Menschen und das Laufprotokoll es nennen, eine Zeile; Vorgabe: der Name der Datei.")
  static let descriptionKey = KeyDefinition(
    "description", .text, "Its purpose.", de: "Wofür es da ist.")
  static let keywordsKey = KeyDefinition(
    "keywords", .any([.map(.any([.text, .number(-1e300...1e300), .boolean])), .text]),
    "Words for prompts and texts: a map, or `\"Anrede: Du; Stil: knapp\"`.",
    de: "Wörter für Prompts und Texte: eine Map, oder `\"Anrede: Du; Stil: knapp\"`.")
  static let inputsKey = KeyDefinition(
    "inputs", .any([.map(.any([.mapping(.input), .word(SchemaType.allCases.map(\.rawValue)), .null])), .null]),
    "The values a run takes, by name; each a type or a JSON Schema.",
    de: "Die Werte, die ein Lauf nimmt, nach Namen; je ein Typ oder ein JSON-Schema.")
  static let onKey = KeyDefinition(
    "on", .any([.mapping(.trigger), .word(["manual"]), .list(.any([.mapping(.trigger), .word(["manual"])])), .null]),
    "Its triggers, such as schedules and mail.", de: "Was es von selbst startet: Zeitpläne und Mail.")
  package static let retryKey = KeyDefinition(
    "retry", .any([.mapping(.retry), .integer(1...1000)]),
    "How failures are repeated: a map, or the number of attempts.",
    de: "Wie Fehlschläge wiederholt werden: eine Map, oder die Anzahl Versuche.")
  package static let timeoutKey = KeyDefinition(
    "timeout", .duration, "The longest a whole run may take.", de: "Wie lange ein ganzer Lauf höchstens dauern darf.")
  static let priorityBounds = -100...100
  static let priorityKey = KeyDefinition(
    "priority", .integer(priorityBounds),
    "Which runs are taken first where several wait: higher before lower; default: 0.",
    de: "Welche Läufe zuerst drankommen, wo mehrere warten: höhere vor niedrigeren; Vorgabe: 0.")
  static let concurrencyKey = KeyDefinition(
    "concurrency", .any([.mapping(.concurrency), .text]),
    "Which runs exclude each other: the name of a group, or a map of `group` and `policy`.",
    de: "Welche Läufe einander ausschließen: der Name einer Gruppe, oder eine Map aus `group` und `policy`.")
  static let permissionsKey = KeyDefinition(
    "permissions", .any([.words(of: Permission.self), .list(.words(of: Permission.self))]),
    "Permissions of its steps besides reading and computing; default: everything; an empty list: nothing.",
    de: "Was seine Schritte außer Lesen und Rechnen dürfen; Vorgabe: alles; eine leere Liste: nichts.")
  static let defaultsKey = KeyDefinition(
    "defaults", .any([.map(.routes), .null]),
    "Providers by contract; a list is a fallback order.",
    de: "Provider nach Vertrag; eine Liste ist eine Ausweichreihenfolge.")
  static let stepDefaultsKey = KeyDefinition(
    "defaults", .any([.mapping(.stepDefaults), .null]),
    "Defaults of all steps: `retry`, `timeout`, `on_error`, `provider`, and providers by contract.",
    de:
      "Was für alle Schritte gilt, die nichts anderes sagen: `retry`, `timeout`, `on_error`, `provider` und Provider nach "
      + "Vertrag.")
  static let providerKey = KeyDefinition(
    "provider", .routes, "Who carries it out; a list is a fallback order.",
    de: "Wer es ausführt; eine Liste ist eine Ausweichreihenfolge.")

  /// The keys that recipes of every kind have.
  static func common(_ kind: RecipeKind) -> [KeyDefinition] {
    [
      kindKey(kind), nameKey, descriptionKey, keywordsKey, onKey, retryKey, timeoutKey, priorityKey, concurrencyKey,
      permissionsKey,
      notifyKey, pingKey, recipeToolKey, defaultsKey, budgetKey, localKey, preferKey,
    ]
  }

  // MARK: The general kind

  static let general = MappingDefinition(
    .general, "A recipe: what to do, step by step.", de: "Ein Rezept: was zu tun ist, Schritt für Schritt.",
    common(.general).map { $0.name == defaultsKey.name ? stepDefaultsKey : $0 } + [
      inputsKey,
      KeyDefinition(
        "env", .map(.any([.text, .number(-1e300...1e300), .boolean, .mapping(.secret)])),
        "Variables of all programs that its steps run (`exec`); `environment` of a step overrides them.",
        de:
          "Variablen aller Programme, die seine Schritte ausführen (`exec`); `environment` eines Schritts hat Vorrang."),
      KeyDefinition(
        "steps", .list(.mapping(.step)), "The steps, from top to bottom.", de: "Was zu tun ist, von oben nach unten.",
        isRequired: true),
      KeyDefinition(
        "on_failure", .any([.list(.mapping(.step)), .null]),
        "Steps that run after a failure, one after the other; they know `failure`.",
        de: "Schritte, die nach einem Fehlschlag laufen, einer nach dem anderen; sie kennen `failure`."),
      KeyDefinition(
        "outputs", .any([.map(.anything), .null]), "Values that the run gives back, by name.",
        de: "Werte, die der Lauf zurückgibt, nach Namen."),
    ])

  package static let step = MappingDefinition(
    .step, "One step: an action and its input.", de: "Ein Schritt: eine Aktion und ihre Eingabe.",
    [
      KeyDefinition(
        "id", .text, "Its name in expressions, as in `steps.ID.output`; unique.",
        de: "Wie Ausdrücke ihn nennen, wie in `steps.ID.output`; einmalig."),
      KeyDefinition("name", .text, "Its name for people.", de: "Wie Menschen ihn nennen."),
      KeyDefinition(
        "uses", .name(.action), "The action: `CONTRACT.ACTION`, `PLUGIN.ACTION`, a built-in one, or `recipe`.",
        de: "Die Aktion: `VERTRAG.AKTION`, `PLUGIN.AKTION`, eine eingebaute, oder `recipe`."),
      KeyDefinition(
        "steps", .list(.mapping(.step)),
        "A block, in place of an action: steps that run one after the other, with `for_each` once for each item.",
        de: "Ein Block statt einer Aktion: Schritte, die nacheinander laufen, mit `for_each` einmal für jedes Element."),
      KeyDefinition(
        "if", .expression,
        "In place of an action: if this is true, the steps of `then` run, otherwise those of `else`.",
        de: "Statt einer Aktion: Wenn das wahr ist, laufen die Schritte von `then`, sonst die von `else`."),
      KeyDefinition(
        "then", .list(.mapping(.step)), "The steps for a true `if`.", de: "Die Schritte für ein wahres `if`."),
      KeyDefinition(
        "else", .list(.mapping(.step)), "The steps for a false `if`.", de: "Die Schritte für ein falsches `if`."),
      KeyDefinition(
        "switch", .expression, "In place of an action: the steps of the case run that has this value.",
        de: "Statt einer Aktion: Es laufen die Schritte des Falls mit diesem Wert."),
      KeyDefinition(
        "cases", .map(.list(.mapping(.step))), "The steps by the value of `switch`.",
        de: "Die Schritte nach dem Wert von `switch`."),
      KeyDefinition(
        "default", .list(.mapping(.step)), "The steps for a value of `switch` that is not a case.",
        de: "Die Schritte für einen Wert von `switch`, der kein Fall ist."),
      KeyDefinition(
        "with", .any([.map(.anything), .null]), "The action's input; may hold `{{ … }}` at every level.",
        de: "Die Eingabe der Aktion; darf auf jeder Stufe `{{ … }}` enthalten."),
      providerKey, localKey, preferKey,
      KeyDefinition(
        "when", .expression, "It runs only when this is true.", de: "Er läuft nur, wenn das wahr ist."),
      KeyDefinition(
        "for_each", .any([.list(.anything), .map(.anything), .expression]),
        "It runs once for each item of a list or a map.", de: "Er läuft einmal für jedes Element einer Liste oder Map."),
      KeyDefinition(
        "matrix", .mapping(.matrix),
        "It runs once for each combination of the values of some lists, which it knows as `matrix.NAME`.",
        de: "Er läuft einmal für jede Kombination der Werte einiger Listen, die er als `matrix.NAME` kennt."),
      KeyDefinition(
        "as", .text, "The name of an item; default: `item`.", de: "Wie ein Element heißt; Vorgabe: `item`."),
      KeyDefinition(
        "parallel", .integer(1...1000), "How many items are worked on at once.",
        de: "Wie viele Elemente zugleich bearbeitet werden."),
      KeyDefinition(
        "needs", .names(.step), "The steps it waits for; default: the step before it.",
        de: "Die Schritte, auf die er wartet; Vorgabe: der Schritt davor."),
      KeyDefinition(
        "keywords", keywordsKey.shape, "Keywords of this step alone.", de: "Schlüsselwörter dieses Schritts allein."),
      KeyDefinition(
        "retry", retryKey.shape, "How failures are repeated; what is absent is the recipe's.",
        de: "Wie Fehlschläge wiederholt werden; was fehlt, gilt vom Rezept."),
      KeyDefinition(
        "timeout", .duration, "The longest one attempt may take.", de: "Wie lange ein Versuch höchstens dauern darf."),
      KeyDefinition(
        "on_error", .words(of: PlanStep.ErrorPolicy.self), "The effect of a final failure on the run.",
        de: "Was ein endgültiger Fehlschlag mit dem Lauf macht."),
      KeyDefinition(
        "repeat", .mapping(.stepRepetition), "Repeats it, also a whole block, until a condition is true.",
        de: "Wiederholt ihn, auch einen ganzen Block, bis eine Bedingung gilt."),
      KeyDefinition(
        "cache", .mapping(.cache), "Uses its result again for a while.",
        de: "Verwendet sein Ergebnis eine Weile wieder."),
      KeyDefinition(
        "undo", .mapping(.undo), "Takes back what it has done, when the run fails or is cancelled later.",
        de: "Nimmt zurück, was er getan hat, wenn der Lauf später scheitert oder abgebrochen wird."),
      KeyDefinition(
        "finally", .boolean, "It runs at the end, whether the run succeeded or failed.",
        de: "Er läuft am Ende, ob der Lauf gelungen oder gescheitert ist."),
    ])

  static let stepRepetition = MappingDefinition(
    .stepRepetition, "Repeats a step or a block until a condition is true.",
    de: "Wiederholt einen Schritt oder einen Block, bis eine Bedingung gilt.",
    [
      KeyDefinition(
        "until", .expression, "The step is done when this is true; `output` is what it gave, of a block by step.",
        de: "Der Schritt ist fertig, wenn das wahr ist; `output` ist, was er gab, bei einem Block nach Schritten.",
        isRequired: true),
      KeyDefinition(
        "every", .duration, "The pause between two repetitions; it continues after a restart.",
        de: "Die Pause zwischen zwei Wiederholungen; sie geht nach einem Neustart weiter.", isRequired: true),
      KeyDefinition(
        "limit", .any([.integer(1...1_000_000), .duration]),
        "How often at most, the first time included, or for how long; then the step fails. Default: no limit.",
        de: "Wie oft höchstens, das erste Mal mitgezählt, oder wie lange; dann scheitert der Schritt. Vorgabe: keine "
          + "Grenze."),
    ])

  static let stepDefaults = MappingDefinition(
    .stepDefaults, "Defaults of all steps.",
    de: "Was für alle Schritte gilt, die nichts anderes sagen.", isOpen: true,
    [
      KeyDefinition(
        "retry", retryKey.shape, "How failures are repeated, also those of programs.",
        de: "Wie Fehlschläge wiederholt werden, auch die von Programmen."),
      KeyDefinition(
        "timeout", .duration, "The longest one attempt of a step may take.",
        de: "Wie lange ein Versuch eines Schritts höchstens dauern darf."),
      KeyDefinition(
        "on_error", .words(of: PlanStep.ErrorPolicy.self), "The effect of a step's final failure on the run.",
        de: "Was ein endgültiger Fehlschlag eines Schritts mit dem Lauf macht."),
      KeyDefinition(
        "provider", .routes, "Who carries out all actions that it offers.",
        de: "Wer alle Aktionen ausführt, die er anbietet."),
    ])

  package static let undo = MappingDefinition(
    .undo, "The action that takes a step back, and its input.",
    de: "Was einen Schritt zurücknimmt: eine Aktion und ihre Eingabe.",
    ["uses", "with", "provider", "when", "for_each", "as", "parallel", "keywords", "retry", "timeout"]
      .compactMap { step.key($0) })

  static let matrix = MappingDefinition(
    .matrix, "Lists of values by name; each combination is an item.",
    de: "Listen von Werten nach Namen; jede Kombination ist ein Element.", isOpen: true,
    [
      KeyDefinition(
        "include", .any([.list(.map(.anything)), .expression]),
        "Values to add to the combinations that fit, or further combinations.",
        de: "Werte, die zu den passenden Kombinationen kommen, oder weitere Kombinationen."),
      KeyDefinition(
        "exclude", .any([.list(.map(.anything)), .expression]),
        "Combinations to leave out; a part of the names is enough.",
        de: "Kombinationen, die wegfallen; ein Teil der Namen genügt."),
    ])

  package static let cache = MappingDefinition(
    .cache, "How long a result may be used again.", de: "Wie lange ein Ergebnis wieder verwendet werden darf.",
    [
      KeyDefinition(
        "key", .anything, "The name of the result, with `{{ … }}`; default: the whole input.",
        de: "Was das Ergebnis benennt, mit `{{ … }}`; Vorgabe: die ganze Eingabe."),
      KeyDefinition("for", .duration, "How long.", de: "Wie lange.", isRequired: true),
    ])

  static let recipeCall = MappingDefinition(
    .recipeCall, "What `uses: recipe` takes.", de: "Was `uses: recipe` nimmt.",
    [
      KeyDefinition(
        "recipe", .name(.recipe), "The recipe: a file beside this one, with or without its extension.",
        de: "Das Rezept: eine Datei neben dieser, mit oder ohne Endung.", isRequired: true),
      KeyDefinition(
        "inputs", .map(.anything), "Its inputs, by the names it declares.",
        de: "Was es nimmt, nach den Namen, die es festlegt."),
    ])

  package static let input = MappingDefinition(
    .input, "A declared input: a JSON Schema with a default.",
    de: "Eine festgelegte Eingabe: ein JSON-Schema mit einem Standardwert.",
    [
      KeyDefinition(
        "type", .any([.word(SchemaType.allCases.map(\.rawValue)), .list(.word(SchemaType.allCases.map(\.rawValue)))]),
        "The type of the value.", de: "Welchen Typ der Wert hat."),
      KeyDefinition("description", .text, "Its purpose.", de: "Wofür sie da ist."),
      KeyDefinition(
        "default", .anything, "The value where a run gives none.", de: "Der Wert, wo ein Lauf keinen gibt."),
      KeyDefinition(
        "required", .any([.boolean, .list(.text)]),
        "Whether a run must give it; default: yes, if it has no default value. A list names required properties.",
        de: "Ob ein Lauf sie geben muss; Vorgabe: ja, wenn es keinen Standardwert gibt. Eine Liste nennt verlangte "
          + "Eigenschaften."),
      KeyDefinition("enum", .list(.anything), "The values it may have.", de: "Die Werte, die sie haben darf."),
      KeyDefinition("const", .anything, "The only value.", de: "Der einzige Wert."),
      KeyDefinition("minimum", .number(-1e300...1e300), "The least number.", de: "Die kleinste Zahl."),
      KeyDefinition("maximum", .number(-1e300...1e300), "The greatest number.", de: "Die grösste Zahl."),
      KeyDefinition(
        "exclusiveMinimum", .number(-1e300...1e300), "A number it must exceed.", de: "Eine Zahl, über der sie liegt."),
      KeyDefinition(
        "exclusiveMaximum", .number(-1e300...1e300), "A number it must stay below.",
        de: "Eine Zahl, unter der sie liegt."),
      KeyDefinition("minLength", .integer(0...Int.max), "The fewest characters.", de: "Wie viele Zeichen mindestens."),
      KeyDefinition("maxLength", .integer(0...Int.max), "The most characters.", de: "Wie viele Zeichen höchstens."),
      KeyDefinition(
        "pattern", .text, "A regular expression (RE2) that must be found in it.",
        de: "Ein regulärer Ausdruck (RE2), der darin vorkommen muss."),
      KeyDefinition(
        "format", .any([.word(["date-time", "date", "email", "uri", "duration"]), .text]), "How a text is written.",
        de: "Wie ein Text geschrieben ist."),
      KeyDefinition("items", .mapping(.input), "The schema of the elements.", de: "Das Schema der Elemente."),
      KeyDefinition("minItems", .integer(0...Int.max), "The fewest elements.", de: "Wie viele Elemente mindestens."),
      KeyDefinition("maxItems", .integer(0...Int.max), "The most elements.", de: "Wie viele Elemente höchstens."),
      KeyDefinition(
        "uniqueItems", .boolean, "Whether no element stands twice.", de: "Ob kein Element doppelt vorkommt."),
      KeyDefinition(
        "properties", .map(.mapping(.input)), "The schemas of an object's properties.",
        de: "Die Schemas der Eigenschaften eines Objekts."),
      KeyDefinition(
        "additionalProperties", .any([.boolean, .mapping(.input)]), "Whether, and which, further properties may stand.",
        de: "Ob, und welche, weiteren Eigenschaften vorkommen dürfen."),
      KeyDefinition(
        "anyOf", .list(.mapping(.input)), "At least one of these holds.", de: "Mindestens eines davon gilt."),
      KeyDefinition("oneOf", .list(.mapping(.input)), "Exactly one of these holds.", de: "Genau eines davon gilt."),
      KeyDefinition("allOf", .list(.mapping(.input)), "All of these hold.", de: "Alle davon gelten."),
    ])

  package static let retry = MappingDefinition(
    .retry, "How failures are repeated.", de: "Wie Fehlschläge wiederholt werden.",
    [
      KeyDefinition(
        "attempts", .integer(1...1000), "Attempts in all, the first included; default: 4.",
        de: "Versuche insgesamt, der erste mitgezählt; Vorgabe: 4."),
      KeyDefinition(
        "backoff", .duration, "The pause after the first failure; default: 1s.",
        de: "Die Pause nach dem ersten Fehlschlag; Vorgabe: 1s."),
      KeyDefinition(
        "factor", .number(1...100), "The factor of each further pause; default: 2.",
        de: "Womit jede weitere Pause malgenommen wird; Vorgabe: 2."),
      KeyDefinition("max", .duration, "The longest pause; default: 30s.", de: "Die längste Pause; Vorgabe: 30s."),
      KeyDefinition(
        "jitter", .number(0...1), "How far a pause is spread at random, as a share of it; default: 0.2.",
        de: "Wie weit eine Pause zufällig streut, als Anteil; Vorgabe: 0.2."),
      KeyDefinition(
        "within", .duration, "The time all attempts and pauses may take together.",
        de: "Die Zeit, die alle Versuche und Pausen zusammen dauern dürfen."),
      KeyDefinition(
        "outage", .duration,
        "How long tries that reach no server do not count as attempts; default: 0s, and 1d for mail of kind `send`.",
        de: "Wie lange Versuche, die keinen Server erreichen, nicht zählen; Vorgabe: 0s, bei Mail der Art `send` 1d."),
      KeyDefinition(
        "mendable", .boolean,
        "Whether to retry also failures that a person has to fix, such as missing credentials; default: false.",
        de: "Ob auch Fehlschläge wiederholt werden, die ein Mensch beheben muss, etwa fehlende Zugangsdaten; Vorgabe: "
          + "false."),
    ])

  package static let concurrency = MappingDefinition(
    .concurrency, "Which runs exclude each other.", de: "Welche Läufe einander ausschließen.",
    [
      KeyDefinition(
        "group", .text, "Runs of all recipes with the same group exclude each other.",
        de: "Läufe aller Rezepte mit derselben Gruppe schließen einander aus.", isRequired: true),
      KeyDefinition(
        "policy", .words(of: Plan.Concurrency.Policy.self),
        "The rule for a run whose group is taken; default: `queue`.",
        de: "Was mit einem Lauf geschieht, dessen Gruppe belegt ist; Vorgabe: `queue`."),
      KeyDefinition(
        "max", .integer(1...Plan.Concurrency.most),
        "How many runs of the group work at a time; all recipes of the group give the same number; default: 1.",
        de:
          "Wie viele Läufe der Gruppe gleichzeitig arbeiten; alle Rezepte der Gruppe nennen dieselbe Zahl; Vorgabe: 1."
      ),
    ])
}
