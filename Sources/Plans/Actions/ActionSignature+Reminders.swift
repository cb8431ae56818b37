import Expressions
import Localization
import Schemas

/// What only reminders lower to; no recipe names these actions.
extension ActionSignature {
  /// `reminder.plan`: finds out what a run of a reminder is to deliver, and when.
  public static let reminderPlan = ActionSignature(
    name: "reminder.plan",
    summary: LocalizedText("Finds out when a reminder is due", de: "Stellt fest, wann eine Erinnerung fällig ist"),
    // That it ends the repetitions of earlier points changes other runs only: this one can still be withdrawn.
    effect: .pure,
    input: object(
      [
        "event": [:], "run": ["type": "string"], "now": ["type": "string"], "at": ["type": "string"], "leads": leads,
      ], required: ["run", "now"]),
    output: object(
      [
        "reminder": ["type": "string"], "wait": ["type": "string"], "due": ["type": "string"],
        "at": ["type": "string"], "round": ["type": "integer"], "seconds": ["type": "number"],
        "scheduled": ["type": "boolean"],
      ], required: ["reminder", "wait", "due", "at", "round", "seconds", "scheduled"]), isBuiltin: true)

  /// `reminder.text`: the text that is delivered, with what has to be said about its time.
  public static let reminderText = ActionSignature(
    name: "reminder.text",
    summary: LocalizedText("Makes the text of a reminder", de: "Macht den Text einer Erinnerung"), effect: .pure,
    input: object(
      [
        "text": ["type": "string"], "plan": ["type": "object"], "now": ["type": "string"],
        "until": ["type": "string"],
      ], required: ["text", "plan", "now"]),
    output: object(
      ["text": ["type": "string"], "round": ["type": "integer"], "late_seconds": ["type": "number"]],
      required: ["text", "round", "late_seconds"]), isBuiltin: true)

  /// `reminder.next`: queues the run of the next delivery, once however often it is asked.
  public static let reminderNext = ActionSignature(
    name: "reminder.next",
    summary: LocalizedText("Queues the next delivery of a reminder", de: "Reiht die nächste Zustellung ein"),
    effect: .idempotent,
    input: object(
      [
        "plan": ["type": "object"], "round": ["type": "integer"], "now": ["type": "string"], "at": ["type": "string"],
        "leads": leads, "every": ["type": "number"], "limit": ["type": "integer"],
      ], required: ["plan", "round", "now"]),
    output: object(
      [
        "run": ["type": ["string", "null"], "description": "The run; null where nothing more is to be delivered"],
        "due": ["type": ["string", "null"]],
      ], required: []), isBuiltin: true)

  /// `reminder.result`: fails where a delivery got through on none of its ways.
  public static let reminderResult = ActionSignature(
    name: "reminder.result",
    summary: LocalizedText(
      "Fails where a reminder was not delivered", de: "Scheitert, wo eine Erinnerung nicht zugestellt wurde"),
    effect: .pure, input: object(["deliveries": ["type": "array"]], required: ["deliveries"]),
    output: object([:], required: []), isBuiltin: true)

  /// The actions that only reminders lower to.
  public static let ofReminders = [reminderPlan, reminderText, reminderNext, reminderResult]

  private static let leads: Value = ["type": "array", "items": ["type": "number"]]

  private static func object(_ properties: ValueMap, required: [Value]) -> Schema {
    Schema(
      document: [
        "type": "object", "properties": .map(properties), "required": .list(required), "additionalProperties": false,
      ])
  }
}
