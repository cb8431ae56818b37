extension RecipeDefinitions {
  /// The kinds of failures that a test can answer with and expect: those that plugins name.
  public static let failureKinds = [
    "dns", "timeout", "refused", "unreachable", "io", "rate_limited", "server", "unsuitable", "crashed", "auth",
    "quota",
    "protocol", "parse", "invalid_input", "not_found", "unsupported", "cancelled", "failed",
    "bad_output", "rejected", "not_yet", "repeat_limit",
  ]

  static let testFile = MappingDefinition(
    .testFile, "A test file: tests of one recipe.", de: "Eine Testdatei: Tests eines Rezepts.",
    [
      KeyDefinition(
        "recipe", .name(.recipe), "The recipe's file, relative to this one.",
        de: "Die Datei des Rezepts, von dieser aus gesehen.", isRequired: true),
      KeyDefinition("tests", .list(.mapping(.testCase)), "The tests.", de: "Die Tests.", isRequired: true),
    ])

  static let testCase = MappingDefinition(
    .testCase, "One test: what a run starts from, how its steps are answered, what is expected.",
    de: "Ein Test: womit ein Lauf beginnt, was seine Schritte zur Antwort bekommen, was erwartet wird.",
    [
      KeyDefinition(
        "name", .text, "The name of the test; unique.", de: "Was der Test zeigt; einmalig.", isRequired: true),
      KeyDefinition(
        "inputs", .map(.anything), "The run's inputs, as `-i` gives them; defaults are filled in.",
        de: "Die Eingaben des Laufs, wie mit `-i`; Standardwerte gelten."),
      KeyDefinition(
        "keywords", .map(.any([.text, .number(-1e300...1e300), .boolean])), "The run's keywords, as `-k` gives them.",
        de: "Die Schlüsselwörter des Laufs, wie mit `-k`."),
      KeyDefinition(
        "event", .anything, "The event that started the run: `event` in expressions.",
        de: "Was den Lauf gestartet hat: `event` in Ausdrücken."),
      KeyDefinition(
        "clock", .text, "The time at the start: `2026-11-21T07:00:00Z`; default: the beginning of 2026.",
        de: "Was die Uhr zu Beginn zeigt: `2026-11-21T07:00:00Z`; Vorgabe: der Anfang von 2026."),
      KeyDefinition(
        "steps", .map(answers), "The answers to calls of steps, by step.",
        de: "Womit die Aufrufe der Schritte beantwortet werden, nach Schritt."),
      KeyDefinition(
        "expect", .mapping(.expectation), "The expected result of the run.", de: "Was nach dem Lauf verglichen wird.",
        isRequired: true),
    ])

  // MARK: Answers

  /// One answer, or one for each attempt.
  private static let attempts = ValueShape.any([.mapping(.answer), .list(.mapping(.answer))])

  /// What a step is answered with.
  private static let answers = ValueShape.any([
    .mapping(.answer), .list(.mapping(.answer)), .mapping(.answersByItem), .mapping(.answersOfRecipe),
    .list(.mapping(.answersOfRecipe)),
  ])

  package static let answer = MappingDefinition(
    .answer, "The answer of a call: one of `output`, `error` and `hang`.",
    de: "Die Antwort eines Aufrufs: eines von `output`, `error` und `hang`.",
    [
      KeyDefinition(
        "output", .anything,
        "The call succeeds and gives this; it must fit the action's output schema. Beside `verify: done`: what the "
          + "call had given.",
        de: "Der Aufruf gelingt und gibt das; es muss zum Ausgabeschema der Aktion passen. Neben `verify: done`: was "
          + "der Aufruf gegeben hatte."),
      KeyDefinition(
        "error", .any([.word(failureKinds), .mapping(.answerError)]), "The call fails, with a kind of failure.",
        de: "Der Aufruf scheitert, mit einer Art von Fehlschlag."),
      KeyDefinition(
        "hang", .boolean, "The call never ends; the step's `timeout` does.",
        de: "Der Aufruf endet nie; das tut der `timeout` des Schritts."),
      KeyDefinition("after", .duration, "How long the call takes.", de: "Wie lange der Aufruf dauert."),
      KeyDefinition(
        "verify", .word(["done", "not_done", "unknown"]),
        "The answer of the provider if it is asked whether an attempt without answer took effect; default: "
          + "`unknown`.",
        de: "Was der Provider sagt, wenn er gefragt wird, ob ein Versuch ohne Antwort gewirkt hat; Vorgabe: "
          + "`unknown`."),
    ])

  static let answerError = MappingDefinition(
    .answerError, "A failure.", de: "Ein Fehlschlag.",
    [
      KeyDefinition(
        "kind", .word(failureKinds), "What sort it is; decides whether the call is repeated.",
        de: "Welcher Art er ist; entscheidet, ob der Aufruf wiederholt wird.", isRequired: true),
      KeyDefinition("message", .text, "What happened.", de: "Was geschah."),
      KeyDefinition(
        "retry_after", .duration, "How long the service asks to wait.", de: "Wie lange der Dienst zu warten bittet."),
      KeyDefinition(
        "output", .anything,
        "The output of the failed call, as expressions read it from `error.output`.",
        de: "Die Ausgabe des gescheiterten Aufrufs, wie Ausdrücke sie aus `error.output` lesen."),
    ])

  static let answersByItem = MappingDefinition(
    .answersByItem, "The answers of a `for_each`, item by item.",
    de: "Die Antworten eines `for_each`, Element für Element.",
    [
      KeyDefinition(
        "items", .list(.any([attempts, .mapping(.answersOfRecipe), .list(.mapping(.answersOfRecipe))])),
        "By item, one answer or a list by attempt; of a block the answers for its steps, or a list by repetition; the last one "
          + "repeats.",
        de:
          "Je Element eine Antwort oder eine Liste nach Versuchen; eines Blocks die Antworten für seine Schritte oder eine Liste "
          + "nach Wiederholungen; die letzte wiederholt sich.", isRequired: true)
    ])

  static let answersOfRecipe = MappingDefinition(
    .answersOfRecipe, "The answers for the steps of a block, or of the recipe that a step runs.",
    de: "Die Antworten für die Schritte eines Blocks oder des Rezepts, das ein Schritt ausführt.",
    [
      KeyDefinition(
        "steps", .map(answers), "The answers, by step of that block or recipe.",
        de: "Die Antworten, nach Schritt jenes Blocks oder Rezepts.", isRequired: true)
    ])

  // MARK: Expectations

  static let expectation = MappingDefinition(
    .expectation, "The expected result of the run.", de: "Was nach dem Lauf verglichen wird.",
    [
      KeyDefinition(
        "status",
        .any([.word(["succeeded", "failed", "needs_attention", "waiting", "cancelled"]), .mapping(.matchers)]),
        "How the run ends; default: it must succeed, unless `error` is given.",
        de: "Wie der Lauf endet; Vorgabe: er muss gelingen, wenn `error` fehlt."),
      KeyDefinition(
        "error", .any([.word(failureKinds), .mapping(.expectedError), .null]), "The failure that ended the run.",
        de: "Der Fehlschlag, der den Lauf beendet hat."),
      KeyDefinition(
        "outputs", .map(.anything), "The recipe's outputs; those that are not named are not compared.",
        de: "Die Ausgaben des Rezepts; was nicht genannt ist, wird nicht verglichen."),
      KeyDefinition(
        "steps", .map(.mapping(.stepExpectation)), "The expected work of steps, by step.", de: "Was Schritte taten."),
      KeyDefinition(
        "calls", .any([.list(.name(.step)), .mapping(.matchers)]),
        "The steps in the order in which they were first called.",
        de: "Die Schritte in der Reihenfolge, in der sie zuerst aufgerufen wurden."),
    ])

  static let stepExpectation = MappingDefinition(
    .stepExpectation, "The expected work of a step.", de: "Was ein Schritt tat.",
    [
      KeyDefinition(
        "status",
        .any([.word(stepStatuses), .list(.word(stepStatuses)), .mapping(.matchers)]),
        "How it ended; `pending` where it had not begun.", de: "Wie er endete; `pending`, wo er nicht begonnen hat."),
      KeyDefinition(
        "output", .anything, "What it gave; for a loop the list of the items' outputs.",
        de: "Was er gab; für eine Schleife die Liste der Ausgaben ihrer Elemente."),
      KeyDefinition(
        "error", .any([.word(failureKinds), .mapping(.expectedError), .null]), "Its failure.", de: "Sein Fehlschlag."),
      KeyDefinition("input", .anything, "The input of the last call.", de: "Die Eingabe des letzten Aufrufs."),
      KeyDefinition(
        "inputs", .any([.list(.anything), .mapping(.matchers)]), "The inputs of all items.",
        de: "Die Eingaben aller Elemente."),
      KeyDefinition("calls", counts, "How many calls there were.", de: "Wie viele Aufrufe es gab."),
      KeyDefinition(
        "attempts", .any([.integer(0...Int.max), .list(counts), .mapping(.matchers)]),
        "How many attempts there were; a list: for each item.",
        de: "Wie viele Versuche es gab; eine Liste: für jedes Element."),
      KeyDefinition(
        "delays", .any([.list(.duration), .duration]), "The pauses before repetitions: `[1s, 2s]`.",
        de: "Die Pausen vor Wiederholungen: `[1s, 2s]`."),
      KeyDefinition(
        "items", .any([counts, .list(counts), .null]), "How many items its loop had.",
        de: "Wie viele Elemente seine Schleife hatte."),
      KeyDefinition(
        "steps", .map(.mapping(.stepExpectation)),
        "The work of the steps of its block or recipe, by step; of a loop or a repetition the lists of all runs.",
        de: "Was die Schritte seines Blocks oder Rezepts taten; bei Schleife oder Wiederholung die Listen aller Läufe."),
    ])

  private static let stepStatuses = ["succeeded", "failed", "skipped", "cancelled", "pending"]

  /// A number, or what a number must be like.
  private static let counts = ValueShape.any([.integer(0...Int.max), .mapping(.matchers)])

  static let expectedError = MappingDefinition(
    .expectedError, "An expected failure.", de: "Ein erwarteter Fehlschlag.",
    [
      KeyDefinition("kind", .word(failureKinds), "What sort it is.", de: "Welcher Art er ist."),
      KeyDefinition(
        "message", .any([.text, .mapping(.matchers)]), "What it says, in English.", de: "Was er sagt, auf Englisch."),
    ])

  static let matchers = MappingDefinition(
    .matchers, "What a value must be like, in place of the value itself; may stand at any depth.",
    de: "Wie ein Wert sein muss, anstelle des Werts selbst; darf auf jeder Stufe stehen.",
    [
      KeyDefinition(
        "equals", .anything, "It is that value; for values that look like matchers.",
        de: "Er ist dieser Wert; für Werte, die wie Vergleiche aussehen."),
      KeyDefinition(
        "contains", .anything,
        "A text contains the text (or each of a list), a list has such an element, a map has such entries.",
        de: "Ein Text enthält den Text (oder jeden einer Liste), eine Liste hat ein solches Element, eine Map solche "
          + "Einträge."),
      KeyDefinition(
        "matches", .text, "A text matches the regular expression (RE2).",
        de: "Ein Text passt zum regulären Ausdruck (RE2)."),
      KeyDefinition(
        "cel", .text, "The CEL expression is true of `value`: `value.size() > 3`.",
        de: "Der CEL-Ausdruck ist wahr für `value`: `value.size() > 3`."),
      KeyDefinition(
        "size", .integer(0...Int.max), "A text, list or map has that size.",
        de: "Ein Text, eine Liste oder eine Map hat diese Grösse."),
    ])
}
