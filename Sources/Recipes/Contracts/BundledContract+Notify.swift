extension BundledContract {
  /// `notify`: telling the person at the machine.
  static let notify = BundledContract(name: "notify", document: notifyDocument, decoded: { notifyDecoded })

  private static let notifyDecoded = decode("notify", notifyDocument)

  private static let notifyDocument = #"""
    {
      "contract": "notify",
      "version": 1,
      "summary": { "en": "Telling the person at the machine", "de": "Dem Menschen am Gerät Bescheid geben" },
      "actions": {
        "notify.send": {
          "summary": { "en": "Shows a notification", "de": "Zeigt eine Benachrichtigung" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": false,
            "properties": {
              "title": { "type": "string" },
              "text": { "type": "string" },
              "urgency": { "type": "string", "enum": ["low", "normal", "high"], "default": "normal" }
            }
          },
          "output": { "type": "object", "additionalProperties": false, "properties": {} }
        },
        "notify.command": {
          "summary": { "en": "Runs a command that tells somebody", "de": "Führt einen Befehl aus, der Bescheid gibt" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["command"],
            "additionalProperties": false,
            "properties": {
              "command": {
                "type": "array",
                "minItems": 1,
                "items": { "type": "string" },
                "description": "The program and its arguments; no shell is involved"
              }
            }
          },
          "output": {
            "type": "object",
            "required": ["status"],
            "additionalProperties": false,
            "properties": { "status": { "type": "integer", "description": "The exit status" } }
          }
        }
      }
    }
    """#
}
