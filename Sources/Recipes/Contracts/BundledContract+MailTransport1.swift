extension BundledContract {
  /// `mail.transport` in version 1, as plugins of old carry it out.
  static let mailTransport1 = BundledContract(
    name: "mail.transport", document: mailTransport1Document, decoded: { mailTransport1Decoded })

  private static let mailTransport1Decoded = decode("mail.transport", mailTransport1Document)

  private static let mailTransport1Document = #"""
    {
      "contract": "mail.transport",
      "version": 1,
      "summary": { "en": "Sending messages", "de": "Nachrichten senden" },
      "actions": {
        "mail.send": {
          "summary": { "en": "Sends a message", "de": "Sendet eine Nachricht" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["to", "subject", "text"],
            "additionalProperties": false,
            "properties": {
              "from": { "type": "string", "format": "address", "description": "Absent: the provider's own address" },
              "to": { "type": "array", "minItems": 1, "items": { "type": "string", "format": "address" } },
              "cc": { "type": "array", "items": { "type": "string", "format": "address" } },
              "bcc": { "type": "array", "items": { "type": "string", "format": "address" } },
              "reply_to": { "type": "string", "format": "address" },
              "subject": { "type": "string" },
              "text": { "type": "string" },
              "html": { "type": "string" },
              "attachments": {
                "type": "array",
                "items": {
                  "type": "object",
                  "anyOf": [{ "required": ["path"] }, { "required": ["content"] }],
                  "additionalProperties": false,
                  "properties": {
                    "path": { "type": "string", "minLength": 1, "format": "path" },
                    "content": { "type": "string", "contentEncoding": "base64" },
                    "name": { "type": "string" },
                    "type": { "type": "string", "description": "Media type; absent: by the name" }
                  }
                }
              },
              "in_reply_to": { "type": ["string", "null"] },
              "references": { "type": "array", "items": { "type": "string" } },
              "headers": { "type": "object", "additionalProperties": { "type": "string" } }
            }
          },
          "output": {
            "type": "object",
            "required": ["message_id", "accepted", "refused"],
            "additionalProperties": false,
            "properties": {
              "message_id": { "type": "string", "description": "With its angle brackets" },
              "accepted": { "type": "array", "items": { "type": "string" } },
              "refused": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["address", "reason"],
                  "additionalProperties": false,
                  "properties": { "address": { "type": "string" }, "reason": { "type": "string" } }
                }
              }
            }
          }
        }
      }
    }
    """#
}
