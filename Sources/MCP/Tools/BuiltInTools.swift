import Expressions
import Localization

/// The tools that each server has, in a fixed order.
enum BuiltInTools {
  /// The tools, with texts in a language.
  static func all(in language: Language) -> [AssistantTool] {
    let texts = Texts(language: language)
    return [
      texts.listRecipes, texts.showRecipe, texts.runRecipe, texts.listRuns, texts.showRun, texts.listDecisions,
      texts.answerDecision, texts.cancelRun,
    ]
  }

  /// The statuses of runs.
  static let statuses: [Value] = [
    "queued", "running", "waiting", "succeeded", "failed", "skipped", "cancelled", "interrupted", "needs_attention",
  ]

  /// A schema of an object whose members are all known.
  static func object(_ properties: ValueMap, required: [String] = []) -> Value {
    var map: ValueMap = ["type": "object", "properties": .map(properties)]
    if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
    map["additionalProperties"] = false
    return .map(map)
  }
}

private struct Texts {
  let language: Language

  private func say(_ english: String, de german: String) -> String {
    LocalizedText(english, de: german).string(in: language)
  }

  private func text(_ english: String, de german: String) -> Value {
    ["type": "string", "minLength": 1, "maxLength": 1000, "description": .string(say(english, de: german))]
  }

  private var recipe: Value { text("The name of the recipe.", de: "Der Name des Rezepts.") }

  private var run: Value {
    text(
      "The id of the run, a unique beginning of it, or 'last'.",
      de: "Die Kennung des Laufs, ein eindeutiger Anfang davon oder 'last'.")
  }

  var listRecipes: AssistantTool {
    AssistantTool(
      name: "list_recipes", title: say("List recipes", de: "Rezepte auflisten"),
      summary: say(
        "Lists the recipes with their problems and triggers.", de: "Listet die Rezepte mit Problemen und Auslösern auf."
      ),
      input: BuiltInTools.object([:]), operation: "listRecipes", work: .listRecipes)
  }

  var showRecipe: AssistantTool {
    AssistantTool(
      name: "show_recipe", title: say("Explain a recipe", de: "Ein Rezept erklären"),
      summary: say(
        "Shows the inputs, the steps with their effects, the outputs and the text of a recipe.",
        de: "Zeigt Eingaben, Schritte mit ihren Wirkungen, Ausgaben und den Text eines Rezepts."),
      input: BuiltInTools.object(["recipe": recipe], required: ["recipe"]), operation: "showRecipe", work: .showRecipe)
  }

  var runRecipe: AssistantTool {
    AssistantTool(
      name: "run_recipe", title: say("Run a recipe", de: "Ein Rezept ausführen"),
      summary: say(
        "Runs a recipe and waits for its end. A person is asked first if a step changes or sends something.",
        de:
          "Führt ein Rezept aus und wartet auf sein Ende. Ändert oder sendet ein Schritt etwas, wird zuerst ein Mensch gefragt."
      ),
      input: BuiltInTools.object(
        [
          "recipe": recipe,
          "inputs": [
            "type": "object",
            "description": .string(
              say(
                "Its inputs, in the types that show_recipe says.", de: "Seine Eingaben, in den Typen aus show_recipe.")),
          ],
          "wait": [
            "type": "boolean", "default": true,
            "description": .string(
              say(
                "false: answer once the run is begun; show_run shows how it goes.",
                de: "false: antworten, sobald der Lauf begonnen hat; show_run zeigt, wie es steht.")),
          ],
        ], required: ["recipe"]), operation: "runRecipe", work: .runRecipe)
  }

  var listRuns: AssistantTool {
    AssistantTool(
      name: "list_runs", title: say("List runs", de: "Läufe auflisten"),
      summary: say(
        "Lists runs, newest first: by recipe, status, time, or words in inputs, outputs, failures and log.",
        de:
          "Listet Läufe auf, neueste zuerst: nach Rezept, Zustand, Zeit oder Wörtern in Eingaben, Ausgaben, Fehlern und "
          + "Protokoll."),
      input: BuiltInTools.object([
        "recipe": recipe,
        "status": ["type": "array", "items": ["type": "string", "enum": .list(BuiltInTools.statuses)]],
        "search": text("Words that occur in the run.", de: "Wörter, die im Lauf vorkommen."),
        "since": [
          "type": "string", "format": "date-time",
          "description": .string(
            say("Only runs that began then or later.", de: "Nur Läufe, die dann oder später begannen.")),
        ],
        "limit": ["type": "integer", "minimum": 1, "maximum": 100, "default": 20],
        "cursor": text("The 'next' of the page before.", de: "Das 'next' der Seite davor."),
      ]), operation: "listRuns", work: .listRuns)
  }

  var showRun: AssistantTool {
    AssistantTool(
      name: "show_run", title: say("Show a run", de: "Einen Lauf zeigen"),
      summary: say(
        "Shows a run: status, outputs, why it failed and what to do, its steps, open questions, and the end of its log.",
        de:
          "Zeigt einen Lauf: Zustand, Ausgaben, warum er gescheitert ist und was zu tun ist, Schritte, offene Fragen und "
          + "das Ende des Protokolls."),
      input: BuiltInTools.object(["run": run], required: ["run"]), operation: "showRun", work: .showRun)
  }

  var listDecisions: AssistantTool {
    AssistantTool(
      name: "list_decisions", title: say("List open questions", de: "Offene Fragen auflisten"),
      summary: say(
        "Lists the questions that runs ask and that a person has to answer.",
        de: "Listet die Fragen auf, die Läufe stellen und die ein Mensch beantworten muss."),
      input: BuiltInTools.object([:]), operation: "listDecisions", work: .listDecisions)
  }

  var answerDecision: AssistantTool {
    AssistantTool(
      name: "answer_decision", title: say("Answer a question", de: "Eine Frage beantworten"),
      summary: say(
        "Shows the question of a run to the person, with its form, and gives the person's answer to the run.",
        de: "Zeigt dem Menschen die Frage eines Laufs mit ihrem Formular und gibt dem Lauf dessen Antwort."),
      input: BuiltInTools.object(
        [
          "run": run,
          "step": text("The step that asks, if several do.", de: "Der Schritt, der fragt, wenn es mehrere tun."),
          "item": [
            "type": "integer", "minimum": 0,
            "description": .string(
              say("The item of a loop, from 0.", de: "Der Durchgang einer Schleife, ab 0.")),
          ],
        ], required: ["run"]), operation: "answerDecision", work: .answerDecision)
  }

  var cancelRun: AssistantTool {
    AssistantTool(
      name: "cancel_run", title: say("Cancel a run", de: "Einen Lauf abbrechen"),
      summary: say(
        "Cancels a run, after a person has approved; its effects are undone if the recipe says how.",
        de:
          "Bricht einen Lauf ab, nachdem ein Mensch zugestimmt hat; was er getan hat, wird zurückgenommen, wenn sein Rezept "
          + "sagt, wie."),
      input: BuiltInTools.object(["run": run], required: ["run"]), operation: "cancelRun", work: .cancelRun)
  }
}
