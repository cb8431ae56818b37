extension BundledContract {
  /// `mail.transport`: sending messages.
  static let mailTransport = BundledContract(
    name: "mail.transport", document: mailTransportDocument, decoded: { mailTransportDecoded })

  private static let mailTransportDecoded = decode("mail.transport", mailTransportDocument)

  private static let mailTransportDocument = #"""
    {
      "contract": "mail.transport",
      "version": 2,
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
                  "anyOf": [{ "required": ["path"] }, { "required": ["content"] }, { "required": ["blob"] }],
                  "additionalProperties": false,
                  "properties": {
                    "path": { "type": "string", "minLength": 1, "format": "path" },
                    "content": { "type": "string", "contentEncoding": "base64" },
                    "blob": { "type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$" },
                    "name": { "type": "string" },
                    "type": { "type": "string", "description": "Media type; absent: by the name" }
                  }
                }
              },
              "blob": {
                "type": "string",
                "pattern": "^blob:sha256:[0-9a-f]{64}$",
                "description": "A whole message that goes to 'to' as it is, with Resent- fields (RFC 5322, 3.6.6) by 'from'"
              },
              "in_reply_to": { "type": ["string", "null"] },
              "references": { "type": "array", "items": { "type": "string" } },
              "headers": { "type": "object", "additionalProperties": { "type": "string" } }
            }
          },
          "output": {
            "type": "object",
            "required": ["message_id", "accepted", "refused", "queue_id"],
            "additionalProperties": false,
            "properties": {
              "message_id": { "type": "string", "description": "With its angle brackets" },
              "accepted": { "type": "array", "items": { "type": "string" } },
              "refused": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["address", "reason", "code", "status", "temporary"],
                  "additionalProperties": false,
                  "properties": {
                    "address": { "type": "string" },
                    "reason": { "type": "string", "description": "The server's words" },
                    "code": { "type": ["integer", "null"], "default": null, "description": "SMTP's reply code: 550" },
                    "status": { "type": ["string", "null"], "default": null, "description": "RFC 3463: 5.1.1" },
                    "temporary": {
                      "type": "boolean",
                      "default": false,
                      "description": "Whether a later attempt may succeed"
                    }
                  }
                }
              },
              "queue_id": {
                "type": ["string", "null"],
                "default": null,
                "description": "What the server calls the message"
              }
            }
          }
        },
        "mail.verify": {
          "summary": {
            "en": "Finds out whether a message was sent",
            "de": "Stellt fest, ob eine Nachricht gesendet wurde"
          },
          "effect": "read",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["message_id"],
            "additionalProperties": false,
            "properties": {
              "message_id": { "type": "string", "minLength": 1, "description": "With or without its angle brackets" }
            }
          },
          "output": {
            "type": "object",
            "required": ["found", "evidence"],
            "additionalProperties": false,
            "properties": {
              "found": { "type": "boolean" },
              "evidence": { "type": ["string", "null"], "description": "Where it was found" }
            }
          }
        }
      }
    }
    """#
}
