extension BundledContract {
  /// `notify`: telling somebody something short.
  static let notify = BundledContract(name: "notify", document: notifyDocument, decoded: { notifyDecoded })

  private static let notifyDecoded = decode("notify", notifyDocument)

  private static let notifyDocument = #"""
    {
      "contract": "notify",
      "version": 1,
      "summary": { "en": "Notifications", "de": "Benachrichtigungen" },
      "actions": {
        "notify.send": {
          "summary": { "en": "Sends a notification", "de": "Schickt eine Benachrichtigung" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": false,
            "properties": {
              "title": { "type": "string", "description": "Absent: none" },
              "text": { "type": "string" },
              "priority": {
                "type": "string",
                "enum": ["min", "low", "normal", "high", "urgent"],
                "description": "Absent: normal"
              },
              "tags": {
                "type": "array",
                "items": { "type": "string", "minLength": 1 },
                "description": "Words that services show or sort by"
              },
              "link": { "type": "string", "minLength": 1, "description": "The URL that opens with the notification" },
              "key": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "description": "A recipe sends nothing with the same key twice within 7 days"
              }
            }
          },
          "output": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "id": { "type": "string", "description": "What the service calls it, where it says so" },
              "duplicate": { "type": "boolean", "description": "Whether it was left out, as its key was sent before" }
            }
          }
        }
      }
    }
    """#
}
