package import Expressions
import Localization
import Schemas

extension ActionSignature {
  /// `sleep`: waits for a while.
  public static let sleep = ActionSignature(
    name: "sleep", summary: LocalizedText("Waits for a while", de: "Wartet eine Weile"), effect: .pure,
    input: Schema(
      document: closed(["for": duration("How long: 90s, 2h, 30d, or a number of seconds")], required: ["for"])),
    output: Schema(document: timeOutput), isBuiltin: true)

  /// `until`: waits for a point in time; one that has passed is waited for no longer.
  public static let until = ActionSignature(
    name: "until", summary: LocalizedText("Waits for a point in time", de: "Wartet auf einen Zeitpunkt"),
    effect: .pure,
    input: Schema(
      document: closed(
        [
          "time": [
            "type": "string", "format": "date-time", "description": "RFC 3339, or a timestamp of an expression",
          ]
        ], required: ["time"])),
    output: Schema(document: timeOutput), isBuiltin: true)

  /// `wait_for`: waits for an event from outside.
  public static let waitFor = ActionSignature(
    name: "wait_for", summary: LocalizedText("Waits for an event", de: "Wartet auf ein Ereignis"), effect: .pure,
    input: Schema(
      document: closed(
        [
          "event": ["type": "string", "minLength": 1, "description": "The event's name"],
          "key": [
            "type": ["string", "integer"],
            "description": "What tells events of one name apart, such as an order's number",
          ],
          "timeout": duration("How long to wait; the step fails then with the kind timeout"),
        ], required: ["event"])),
    output: Schema(
      document: closed(
        ["payload": ["description": "What the event brought"], "key": ["type": "string"]],
        required: ["payload"])),
    isBuiltin: true)

  /// `approve`: waits for a person's decision. The planner gives a step with a literal form its own output schema.
  public static let approve = ActionSignature(
    name: "approve",
    summary: LocalizedText("Waits for a person's decision", de: "Wartet auf die Entscheidung eines Menschen"),
    effect: .pure,
    input: Schema(
      document: closed(
        [
          "message": ["type": "string", "minLength": 1, "description": "What the person is asked"],
          "form": ["type": "object", "description": "A JSON Schema of an object: what the person fills in"],
          "timeout": duration("How long to wait; the step fails then with the kind timeout"),
        ], required: ["message"])),
    output: approval(fields: ["type": "object"]), isBuiltin: true)

  /// The actions with which a step waits.
  public static let waitSignatures: [ActionSignature] = [.sleep, .until, .waitFor, .approve]

  /// This action with the output of a form: `fields` has what the form asks for, and nothing else unless it says so.
  package func answering(form: Value) -> ActionSignature {
    guard case .map(var fields) = form else { return self }
    if fields["additionalProperties"] == nil { fields["additionalProperties"] = false }
    var action = self
    action.output = Self.approval(fields: .map(fields))
    return action
  }

  private static func approval(fields: Value) -> Schema {
    Schema(
      document: closed(
        [
          "approved": ["type": "boolean"], "by": ["type": "string", "description": "Who decided"], "fields": fields,
        ], required: ["fields"]))
  }

  private static let timeOutput = closed(
    [
      "waited": ["type": "number", "description": "Seconds"],
      "until": ["description": "The point in time at which the wait ended"],
    ], required: ["waited", "until"])

  private static func duration(_ description: String) -> Value {
    ["type": ["string", "number"], "format": "duration", "minimum": 0, "description": .string(description)]
  }

  private static func closed(_ properties: ValueMap, required: [Value]) -> Value {
    [
      "type": "object", "properties": .map(properties), "required": .list(required), "additionalProperties": false,
    ]
  }
}
