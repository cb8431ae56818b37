import Expressions
public import Localization
public import Schemas

/// What a recipe can know about an action before anything runs: its effect and the shapes of its input and output.
public struct ActionSignature: Sendable {
  /// The action's name: `mail.search`, `template`.
  public var name: String
  /// The contract it belongs to: `mail.store` for `mail.search`; `nil` for a built-in action and for one that only one
  /// plugin has.
  public var contract: String?
  /// What it does, in one sentence.
  public var summary: LocalizedText
  /// What repeating it would do.
  public var effect: Effect
  /// Whether a result is worth money or much time, so that it is kept at once.
  public var isCostly: Bool
  /// Whether a plugin may claim its contract without having it.
  public var isOptional: Bool
  /// The shape of `with:`.
  public var input: Schema
  /// The shape of `steps.ID.output`.
  public var output: Schema
  /// Whether Sous itself carries it out, without a provider.
  public var isBuiltin: Bool

  /// Creates a signature.
  public init(
    name: String, contract: String? = nil, summary: LocalizedText, effect: Effect, isCostly: Bool = false,
    isOptional: Bool = false, input: Schema, output: Schema, isBuiltin: Bool = false
  ) {
    self.name = name
    self.contract = contract
    self.summary = summary
    self.effect = effect
    self.isCostly = isCostly
    self.isOptional = isOptional
    self.input = input
    self.output = output
    self.isBuiltin = isBuiltin
  }
}

extension ActionSignature {
  /// `recipe`: runs another recipe and gives its outputs. The planner gives each step its own input and output schemas.
  public static let recipe = ActionSignature(
    name: "recipe", summary: LocalizedText("Runs another recipe", de: "Führt ein anderes Rezept aus"), effect: .once,
    input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]), isBuiltin: true)

  /// `block`: runs the steps of a block and gives back their outputs by their ids. No recipe names it: a step with `steps` lowers
  /// to it.
  public static let block = ActionSignature(
    name: "block", summary: LocalizedText("Runs the steps of a block", de: "Führt die Schritte eines Blocks aus"),
    effect: .once, input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]),
    isBuiltin: true)

  /// `values`: gives back what it is given, so that several steps can use what one expression has made.
  public static let values = ActionSignature(
    name: "values", summary: LocalizedText("Gives back its input", de: "Gibt seine Eingabe zurück"), effect: .pure,
    input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]), isBuiltin: true)

  /// `mail.select`: sorts the messages of a folder by the rules of a mail filter, each by itself. It asks a provider of
  /// `mail.store`. The planner gives each step its own output schema.
  public static let select = ActionSignature(
    name: "mail.select",
    summary: LocalizedText(
      "Sorts messages by rules, each by itself", de: "Sortiert Nachrichten nach Regeln, jede für sich"),
    effect: .read, input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]),
    isBuiltin: true)

  /// `mail.outcome`: tells for which messages of a rule everything that is done one by one came to a good end. Only mail
  /// filters lower to it.
  public static let outcome = ActionSignature(
    name: "mail.outcome",
    summary: LocalizedText("Tells what failed for which message", de: "Sagt, was bei welcher Nachricht scheiterte"),
    effect: .pure, input: Schema(document: ["type": "object"]),
    output: Schema(
      document: [
        "type": "object", "required": ["uids", "held", "failed"], "additionalProperties": false,
        "properties": [
          "uids": texts, "held": texts,
          "failed": [
            "type": "array",
            "items": [
              "type": "object", "required": ["uid", "rule", "action", "error"], "additionalProperties": false,
              "properties": [
                "uid": ["type": "string"], "rule": ["type": "string"], "action": ["type": "string"],
                "error": ["type": "string"], "error_de": ["type": "string"],
              ],
            ],
          ],
        ],
      ]), isBuiltin: true)

  /// `mail.result`: ends a mail filter; it fails where something could not be done. Only mail filters lower to it.
  public static let filterResult = ActionSignature(
    name: "mail.result",
    summary: LocalizedText(
      "Fails where a filter could not do all", de: "Scheitert, wo ein Filter nicht alles tun konnte"),
    effect: .pure, input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]),
    isBuiltin: true)

  /// `mail.note`: notes that a message is about to be sent; it fails where another run has noted the same. Only mail filters
  /// lower to it.
  public static let note = ActionSignature(
    name: "mail.note",
    summary: LocalizedText("Notes what is about to be sent", de: "Notiert, was gleich gesendet wird"),
    effect: .idempotent,
    input: Schema(
      document: [
        "type": "object", "required": ["key"], "additionalProperties": false,
        "properties": ["key": ["type": "string"], "within": ["type": "number"]],
      ]), output: Schema(document: ["type": "object"]), isBuiltin: true)

  /// `mail.noted`: puts what became of a message in the place of its note, or takes the note away. Only mail filters lower
  /// to it.
  public static let noted = ActionSignature(
    name: "mail.noted",
    summary: LocalizedText("Notes what became of a message", de: "Notiert, was aus einer Nachricht wurde"),
    effect: .idempotent,
    input: Schema(
      document: [
        "type": "object", "required": ["value"], "additionalProperties": false,
        "properties": [
          "key": ["type": "string"], "keys": ["type": "array", "items": ["type": "string"]],
          "value": ["type": ["string", "null"]],
        ],
      ]), output: Schema(document: ["type": "object"]), isBuiltin: true)

  /// `mail.claim`: notes of several messages at once that something is about to be done with them, and tells with which: not
  /// with those that another run has noted. `rest` is all of `uids` but those. Only mail filters lower to it.
  public static let claim = ActionSignature(
    name: "mail.claim",
    summary: LocalizedText("Notes what is about to be copied", de: "Notiert, was gleich kopiert wird"),
    effect: .idempotent,
    input: Schema(
      document: [
        "type": "object", "required": ["uids", "of", "keys"], "additionalProperties": false,
        "properties": ["uids": texts, "of": texts, "keys": texts],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["uids", "keys", "rest"], "additionalProperties": false,
        "properties": ["uids": texts, "keys": texts, "rest": texts],
      ]), isBuiltin: true)

  /// The actions by which mail filters and reminders only record what the run did.
  package static let recording: Set<String> = [
    note.name, noted.name, departed.name, "state.set", reminderNext.name,
  ]

  /// `mail.departed`: records where a filter has moved messages, and deletes the notes that were kept until then. Only mail
  /// filters lower to it.
  public static let departed = ActionSignature(
    name: "mail.departed",
    summary: LocalizedText("Records where messages were moved", de: "Hält fest, wohin Nachrichten verschoben wurden"),
    effect: .idempotent, input: Schema(document: ["type": "object"]), output: Schema(document: ["type": "object"]),
    isBuiltin: true)

  private static let texts: Value = ["type": "array", "items": ["type": "string"]]

  /// The actions that only mail filters lower to; no recipe names them.
  public static let ofMailFilters: Set<String> = [
    select.name, note.name, noted.name, claim.name, outcome.name, departed.name, filterResult.name,
  ]

  /// The names of the actions with which a step waits; the engine carries them out.
  public static let waits: Set<String> = ["sleep", "until", "wait_for", "approve"]

  /// Whether a step with the action waits.
  public var isWait: Bool { isBuiltin && Self.waits.contains(name) }

  /// Whether a step with the action runs a program: `exec` and those that say more about its effect.
  public var isProgram: Bool { isBuiltin && (name == "exec" || name.hasPrefix("exec.")) }

  /// Seconds that an attempt of a program may take if its step sets no `timeout`: backups and builds take longer than calls of
  /// services.
  public static let programTimeout: Double = 3600
}
