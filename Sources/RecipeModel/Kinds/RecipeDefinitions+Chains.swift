import Plans
import Schemas

extension RecipeDefinitions {
  // MARK: chain

  package static let chain = MappingDefinition(
    .chain, "A chain of prompts: each works on the text of the one before.",
    de: "Eine Kette von Prompts: jeder arbeitet am Text des vorigen.",
    common(.chain) + [
      KeyDefinition(
        "input", .any([.mapping(.chainInput), .word(["string"])]),
        "The text that the chain begins with; `{{ previous }}` for the first prompt.",
        de: "Der Text, mit dem die Kette beginnt; `{{ previous }}` für den ersten Prompt."),
      inputsKey,
      KeyDefinition(
        "prompts", prompts, "The prompts, from first to last.", de: "Die Prompts, vom ersten zum letzten.",
        isRequired: true),
      KeyDefinition(
        "outputs", .any([.map(.anything), .null]), "Values that the run gives back beside `result`, by name.",
        de: "Werte, die der Lauf neben `result` zurückgibt, nach Namen."),
      KeyDefinition(
        "save", .mapping(.note), "Keeps the result as a note.", de: "Hebt das Ergebnis als Notiz auf."),
    ])

  private static let prompts = ValueShape.list(.any([.mapping(.prompt), .mapping(.promptSwitch)]))

  static let chainInput = MappingDefinition(
    .chainInput, "The text that a chain begins with.", de: "Der Text, mit dem eine Kette beginnt.",
    ["type", "description", "default", "required", "enum", "minLength", "maxLength", "pattern"].compactMap {
      $0 == "type"
        ? KeyDefinition(
          "type", .word(["string"]), "A chain begins with a text.", de: "Eine Kette beginnt mit einem Text.")
        : input.key($0)
    })

  package static let prompt = MappingDefinition(
    .prompt, "One prompt of a chain.", de: "Ein Prompt einer Kette.",
    [
      KeyDefinition(
        "id", .text, "Its name in expressions; default: `prompt_1` and so on.",
        de: "Wie Ausdrücke ihn nennen; Vorgabe: `prompt_1` und so weiter."),
      KeyDefinition("name", .text, "Its name for people.", de: "Wie Menschen ihn nennen."),
      KeyDefinition(
        "use", .name(.prompt), "A prompt of the catalog; the text before is its input.",
        de: "Ein Prompt des Katalogs; der vorige Text ist seine Eingabe."),
      KeyDefinition(
        "prompt", .text, "A prompt of its own; where it does not speak of `previous`, the text before is its input.",
        de: "Ein eigener Prompt; wo er nicht von `previous` spricht, ist der vorige Text seine Eingabe."),
      KeyDefinition(
        "inputs", .any([.text, .map(.text)]),
        "Its input instead of the text before: a text, or several by name; its texts know the names.",
        de: "Woran er statt am vorigen Text arbeitet: ein Text oder mehrere mit Namen; seine Texte kennen die Namen."),
      taskKey, providerKey, localKey, preferKey,
      KeyDefinition(
        "keywords", keywordsKey.shape, "Keywords of this prompt alone.", de: "Schlüsselwörter dieses Prompts allein."),
      KeyDefinition(
        "system", .text, "The role of the model.", de: "Was dem Modell über seine Rolle gesagt wird."),
      KeyDefinition(
        "schema", .any([.map(.anything), .expression]),
        "A JSON Schema that the answer has to suit; its properties become outputs.",
        de: "Ein JSON-Schema, dem die Antwort entsprechen muss; seine Eigenschaften werden Ausgaben."),
      KeyDefinition(
        "images", .any([.list(.text), .expression]), "Pictures that the model sees.",
        de: "Bilder, die das Modell sieht."
      ),
      KeyDefinition(
        "tools", .list(.mapping(.tool)), "Actions and recipes that the model may call.",
        de: "Aktionen und Rezepte, die das Modell rufen darf."),
      KeyDefinition(
        "tool_rounds", .integer(1...20), "How often it may call tools before it has to answer; default: 5.",
        de: "Wie oft es Werkzeuge rufen darf, bevor es antworten muss; Vorgabe: 5."),
      KeyDefinition(
        "model", .text, "The model, by the provider's name for it.", de: "Das Modell, wie der Provider es nennt."),
      KeyDefinition(
        "temperature", .any([.number(0...2), .expression]), "How freely it answers, 0 to 2.",
        de: "Wie frei es antwortet, 0 bis 2."),
      KeyDefinition(
        "max_tokens", .any([.integer(1...Int.max), .expression]), "The longest answer, in tokens.",
        de: "Die längste Antwort, in Tokens."),
      KeyDefinition(
        "allow_truncated", .any([.boolean, .expression]),
        "Whether a truncated answer is accepted; default: no, it is a failure.",
        de: "Ob eine abgeschnittene Antwort gilt; Vorgabe: nein, sie ist ein Fehlschlag."),
      KeyDefinition(
        "parts", .mapping(.parts), "Works on a long text part by part.",
        de: "Arbeitet Teil für Teil an einem langen Text."),
      KeyDefinition(
        "for_each", .any([.list(.anything), .map(.anything), .expression]),
        "It is asked once for each item of a list or a map; the text after is all answers.",
        de: "Er wird für jedes Element einer Liste oder Map gefragt; der Text danach sind alle Antworten."),
      KeyDefinition(
        "as", .text, "The name of an item; default: `item`.", de: "Wie ein Element heißt; Vorgabe: `item`."),
      KeyDefinition(
        "parallel", .integer(1...1000), "How many items are worked on at once.",
        de: "Wie viele Elemente zugleich bearbeitet werden."),
      KeyDefinition(
        "when", .expression, "It is asked only when this is true; otherwise the text before goes on.",
        de: "Er wird nur gefragt, wenn das wahr ist; sonst geht der vorige Text weiter."),
      KeyDefinition(
        "outputs", .map(.text), "Values that the run gives back, by name; `answer` is what this prompt gives.",
        de: "Werte, die der Lauf zurückgibt, nach Namen; `answer` ist, was dieser Prompt gibt."),
      retryKey,
      KeyDefinition(
        "timeout", .duration, "The longest one attempt may take.", de: "Wie lange ein Versuch höchstens dauern darf."),
    ])

  static let promptSwitch = MappingDefinition(
    .promptSwitch, "A choice between prompts.", de: "Eine Wahl zwischen Prompts.",
    [
      KeyDefinition(
        "switch", .expression, "The deciding value.", de: "Was entscheidet.", isRequired: true),
      KeyDefinition(
        "cases", .map(.any([prompts, .mapping(.prompt)])), "The prompts of each value.",
        de: "Die Prompts zu jedem Wert.",
        isRequired: true),
      KeyDefinition(
        "else", .any([prompts, .mapping(.prompt)]),
        "The prompts of every other value; default: none, the text before goes on.",
        de: "Die Prompts zu jedem anderen Wert; Vorgabe: keine, der vorige Text geht weiter."),
    ])

  static let parts = MappingDefinition(
    .parts, "How a long text is worked on part by part.", de: "Wie an einem langen Text Teil für Teil gearbeitet wird.",
    [
      KeyDefinition(
        "by", .words(of: TextPartition.Unit.self), "The end of a part; default: `paragraphs`.",
        de: "Womit ein Teil endet; Vorgabe: `paragraphs`."),
      KeyDefinition(
        "size", .integer(TextPartition.sizes), "The largest part, in tokens; default: 2000.",
        de: "Der größte Teil, in Tokens; Vorgabe: 2000."),
      KeyDefinition(
        "overlap", .integer(0...TextPartition.sizes.upperBound / 2),
        "So much of a part is repeated before the next one, in tokens; default: 0.",
        de: "So viel eines Teils steht noch einmal vor dem nächsten, in Tokens; Vorgabe: 0."),
      KeyDefinition(
        "combine", .words(of: PartCombination.self),
        "`join` puts the answers together, `reduce` asks once more for one answer; default: `join`.",
        de: "`join` hängt die Antworten aneinander, `reduce` fragt noch einmal nach einer Antwort; Vorgabe: `join`."),
      KeyDefinition(
        "prompt", .text, "What `reduce` asks for; the answers are its input.",
        de: "Was `reduce` verlangt; die Antworten sind seine Eingabe."),
      KeyDefinition(
        "separator", .text, "The text between the answers; default: an empty line.",
        de: "Was zwischen den Antworten steht; Vorgabe: eine leere Zeile."),
      KeyDefinition(
        "parallel", .integer(1...1000), "How many parts are worked on at once; default: 1.",
        de: "An wie vielen Teilen zugleich gearbeitet wird; Vorgabe: 1."),
    ])

  package static let tool = MappingDefinition(
    .tool, "An action or a recipe that a model may call.",
    de: "Eine Aktion oder ein Rezept, das ein Modell rufen darf.",
    [
      KeyDefinition(
        "uses", .name(.action), "The action; the model gives the inputs that are open to it.",
        de: "Die Aktion; das Modell gibt die Eingaben, die ihm offenstehen."),
      KeyDefinition(
        "run", .name(.recipe), "The recipe; the model gives the inputs that are open to it.",
        de: "Das Rezept; das Modell gibt die Eingaben, die ihm offenstehen."),
      KeyDefinition(
        "name", .text, "Its name for the model; default: the action's or the recipe's name.",
        de: "Wie das Modell es nennt; Vorgabe: der Name der Aktion oder des Rezepts."),
      KeyDefinition(
        "description", .text, "Its purpose, for the model.", de: "Was es tut, für das Modell."),
      KeyDefinition(
        "with", .map(.anything), "Inputs that are fixed; the model neither sees nor changes them.",
        de: "Feste Eingaben; das Modell sieht und ändert sie nicht."),
      KeyDefinition(
        "inputs", .texts,
        "The inputs that the model may set, all others are closed; default: those that are required and not in `with`.",
        de:
          "Die Eingaben, die das Modell setzen darf, alle anderen sind geschlossen; Vorgabe: die nötigen, die nicht in "
          + "`with` stehen."),
      KeyDefinition(
        "approve", .any([.boolean, .words(of: ToolApproval.self)]),
        "Whether a person has to approve each call; default: yes for a tool that changes or sends something, once the model has "
          + "read text from outside the recipe.",
        de:
          "Ob ein Mensch jedem Aufruf zustimmen muss; Vorgabe: ja bei einem Werkzeug, das etwas ändert oder sendet, sobald das "
          + "Modell Text von außerhalb des Rezepts gelesen hat."),
      providerKey,
      KeyDefinition(
        "timeout", .duration, "The longest one attempt may take.", de: "Wie lange ein Versuch höchstens dauern darf."),
    ])
}
