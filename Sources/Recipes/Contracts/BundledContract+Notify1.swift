extension BundledContract {
  /// `notify` in version 1, as plugins of old carry it out.
  static let notify1 = BundledContract(name: "notify", document: notify1Document, decoded: { notify1Decoded })

  private static let notify1Decoded = decode("notify", notify1Document)

  private static let notify1Document = #"""
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
