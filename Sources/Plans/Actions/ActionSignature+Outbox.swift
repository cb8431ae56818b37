import Expressions
import Localization
import Schemas

extension ActionSignature {
  /// `outbox.due`: when a message is to go out; recipes of kind `send` alone lower to it.
  public static let outboxDue = ActionSignature(
    name: "outbox.due",
    summary: LocalizedText("Says when a message is to go out", de: "Sagt, wann eine Nachricht hinaus soll"),
    effect: .read,
    input: Schema(
      document: [
        "type": "object", "additionalProperties": false,
        "properties": ["at": ["type": "string"], "undo_for": ["type": "number", "minimum": 0]],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["time", "urgent"], "additionalProperties": false,
        "properties": ["time": ["type": "string"], "urgent": ["type": "boolean"]],
      ]), isBuiltin: true)

  /// `outbox.turn`: the turn of a message whose time has come, by the rate and the quiet hours of its transport; recipes of
  /// kind `send` alone lower to it. It has no effect: a turn that is not used only leaves a gap. With `has_slot`, `time` is
  /// the turn that the message has had, and it takes no other.
  public static let outboxTurn = ActionSignature(
    name: "outbox.turn",
    summary: LocalizedText("Gives a message its turn", de: "Gibt einer Nachricht ihren Platz in der Reihe"),
    effect: .read,
    input: Schema(
      document: [
        "type": "object", "required": ["time", "urgent", "account"], "additionalProperties": false,
        "properties": [
          "time": ["type": "string"], "urgent": ["type": "boolean"], "account": ["type": "string"],
          "has_slot": ["type": "boolean"],
        ],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["time", "question"], "additionalProperties": false,
        "properties": ["time": ["type": "string"], "question": ["type": "string"]],
      ]), isBuiltin: true)

  /// The actions that only recipes of kind `send` lower to.
  public static let ofSends: Set<String> = [outboxDue.name, outboxTurn.name]
}
