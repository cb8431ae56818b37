extension BundledContract {
  /// `mail.store` in version 1, as plugins of old carry it out.
  static let mailStore1 = BundledContract(
    name: "mail.store", document: mailStore1Document, decoded: { mailStore1Decoded })

  private static let mailStore1Decoded = decode("mail.store", mailStore1Document)

  private static let mailStore1Document = #"""
    {
      "contract": "mail.store",
      "version": 1,
      "summary": {
        "en": "Folders of mail and the messages in them",
        "de": "Mail-Ordner und die Nachrichten darin"
      },
      "$defs": {
        "address": {
          "type": "object",
          "description": "A person or list; both texts are empty where the message names none",
          "required": ["name", "address"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "address": { "type": "string" }
          }
        },
        "attachment": {
          "type": "object",
          "required": ["name", "type", "size"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "type": { "type": "string", "description": "Media type, lower case" },
            "size": { "type": "integer", "minimum": 0, "description": "Decoded size in bytes" }
          }
        },
        "uids": { "type": "array", "items": { "type": "string", "minLength": 1 } },
        "message": {
          "type": "object",
          "required": [
            "uid", "folder", "message_id", "date", "from", "to", "cc", "reply_to", "subject", "size", "flags",
            "seen", "flagged", "answered", "text", "truncated", "snippet", "attachments", "bulk", "human",
            "category", "list_id", "in_reply_to", "references", "thread"
          ],
          "additionalProperties": false,
          "properties": {
            "uid": { "type": "string", "description": "The message's name in its folder" },
            "folder": { "type": "string" },
            "message_id": { "type": ["string", "null"], "description": "With its angle brackets" },
            "date": { "type": "string", "format": "date-time" },
            "from": { "$ref": "#/$defs/address" },
            "to": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "cc": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "reply_to": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "subject": { "type": "string" },
            "size": { "type": "integer", "minimum": 0, "description": "Size of the whole message in bytes" },
            "flags": { "type": "array", "items": { "type": "string" }, "description": "As IMAP spells them: \\Seen" },
            "seen": { "type": "boolean" },
            "flagged": { "type": "boolean" },
            "answered": { "type": "boolean" },
            "text": { "type": "string", "description": "The readable text, at most 64 KiB of it" },
            "truncated": { "type": "boolean", "description": "Whether text was cut" },
            "snippet": { "type": "string", "description": "The beginning of the text in one line" },
            "attachments": { "type": "array", "items": { "$ref": "#/$defs/attachment" } },
            "bulk": { "type": "boolean", "description": "Sent to many, not written to one person" },
            "human": { "type": "boolean", "description": "Written by a person" },
            "category": {
              "type": "string",
              "enum": [
                "people", "newsletter", "list", "notification", "invoice", "calendar", "bounce", "security", "other"
              ]
            },
            "list_id": { "type": ["string", "null"] },
            "in_reply_to": { "type": ["string", "null"] },
            "references": { "type": "array", "items": { "type": "string" } },
            "thread": { "type": "string", "description": "The same for all messages of one conversation" }
          }
        }
      },
      "actions": {
        "mail.folders": {
          "summary": { "en": "Lists the folders", "de": "Listet die Ordner auf" },
          "effect": "read",
          "costly": false,
          "input": { "type": "object", "additionalProperties": false, "properties": {} },
          "output": {
            "type": "object",
            "required": ["folders"],
            "additionalProperties": false,
            "properties": {
              "folders": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["name", "special_use", "total", "unseen"],
                  "additionalProperties": false,
                  "properties": {
                    "name": { "type": "string" },
                    "special_use": { "type": ["string", "null"], "description": "RFC 6154: \\Sent, \\Trash" },
                    "total": { "type": "integer", "minimum": 0 },
                    "unseen": { "type": "integer", "minimum": 0 }
                  }
                }
              }
            }
          }
        },
        "mail.search": {
          "summary": { "en": "Finds messages in a folder", "de": "Sucht Nachrichten in einem Ordner" },
          "effect": "read",
          "costly": false,
          "input": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1, "default": "INBOX" },
              "unseen": { "type": "boolean" },
              "flagged": { "type": "boolean" },
              "answered": { "type": "boolean" },
              "from": { "type": "string", "description": "Part of the sender's name or address, whatever the case" },
              "to": { "type": "string", "description": "Part of a recipient's name or address" },
              "subject": { "type": "string", "description": "Part of the subject" },
              "text": { "type": "string", "description": "Part of the readable text" },
              "since": {
                "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }],
                "description": "Only messages of this date or later"
              },
              "before": {
                "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }],
                "description": "Only messages before this date"
              },
              "larger": { "type": "integer", "minimum": 0, "description": "Only messages of more bytes" },
              "smaller": { "type": "integer", "minimum": 0, "description": "Only messages of fewer bytes" },
              "limit": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 50 },
              "order": { "type": "string", "enum": ["newest", "oldest"], "default": "newest" }
            }
          },
          "output": {
            "type": "object",
            "required": ["messages", "total"],
            "additionalProperties": false,
            "properties": {
              "messages": { "type": "array", "items": { "$ref": "#/$defs/message" } },
              "total": { "type": "integer", "minimum": 0, "description": "How many match, before limit" }
            }
          }
        },
        "mail.fetch": {
          "summary": { "en": "Fetches one message whole", "de": "Holt eine Nachricht vollständig" },
          "effect": "read",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder", "uid"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "uid": { "type": "string", "minLength": 1 }
            }
          },
          "output": {
            "type": "object",
            "required": ["message", "html", "headers"],
            "additionalProperties": false,
            "properties": {
              "message": { "$ref": "#/$defs/message" },
              "html": { "type": ["string", "null"] },
              "headers": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["name", "value"],
                  "additionalProperties": false,
                  "properties": { "name": { "type": "string" }, "value": { "type": "string" } }
                }
              }
            }
          }
        },
        "mail.flag": {
          "summary": { "en": "Adds and removes flags", "de": "Setzt und löscht Markierungen" },
          "effect": "idempotent",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder", "uids"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "uids": { "$ref": "#/$defs/uids" },
              "add": { "type": "array", "items": { "type": "string", "minLength": 1 }, "default": [] },
              "remove": { "type": "array", "items": { "type": "string", "minLength": 1 }, "default": [] }
            }
          },
          "output": {
            "type": "object",
            "required": ["changed"],
            "additionalProperties": false,
            "properties": { "changed": { "type": "integer", "minimum": 0 } }
          }
        },
        "mail.move": {
          "summary": { "en": "Moves messages to another folder", "de": "Verschiebt Nachrichten in einen Ordner" },
          "effect": "idempotent",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder", "uids", "to"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "uids": { "$ref": "#/$defs/uids" },
              "to": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "create": { "type": "boolean", "default": true, "description": "Create the folder where it is missing" }
            }
          },
          "output": {
            "type": "object",
            "required": ["moved", "uids"],
            "additionalProperties": false,
            "properties": {
              "moved": { "type": "integer", "minimum": 0 },
              "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" }
            }
          }
        },
        "mail.copy": {
          "summary": { "en": "Copies messages to another folder", "de": "Kopiert Nachrichten in einen Ordner" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder", "uids", "to"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "uids": { "$ref": "#/$defs/uids" },
              "to": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "create": { "type": "boolean", "default": true, "description": "Create the folder where it is missing" }
            }
          },
          "output": {
            "type": "object",
            "required": ["copied", "uids"],
            "additionalProperties": false,
            "properties": {
              "copied": { "type": "integer", "minimum": 0 },
              "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" }
            }
          }
        },
        "mail.delete": {
          "summary": { "en": "Deletes messages", "de": "Löscht Nachrichten" },
          "effect": "idempotent",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder", "uids"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "uids": { "$ref": "#/$defs/uids" },
              "permanently": { "type": "boolean", "default": false, "description": "Past the trash folder" }
            }
          },
          "output": {
            "type": "object",
            "required": ["deleted"],
            "additionalProperties": false,
            "properties": { "deleted": { "type": "integer", "minimum": 0 } }
          }
        },
        "mail.append": {
          "summary": { "en": "Stores a message in a folder", "de": "Legt eine Nachricht in einem Ordner ab" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["folder"],
            "anyOf": [{ "required": ["raw"] }, { "required": ["from", "to", "subject", "text"] }],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
              "raw": { "type": "string", "contentEncoding": "base64", "description": "A whole RFC 5322 message" },
              "from": { "type": "string", "minLength": 1 },
              "to": { "type": "array", "items": { "type": "string", "minLength": 1 } },
              "cc": { "type": "array", "items": { "type": "string", "minLength": 1 } },
              "bcc": { "type": "array", "items": { "type": "string", "minLength": 1 } },
              "reply_to": { "type": "string" },
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
                    "type": { "type": "string" }
                  }
                }
              },
              "in_reply_to": { "type": "string" },
              "references": { "type": "array", "items": { "type": "string" } },
              "headers": { "type": "object", "additionalProperties": { "type": "string" } },
              "flags": { "type": "array", "items": { "type": "string", "minLength": 1 }, "default": [] }
            }
          },
          "output": {
            "type": "object",
            "required": ["uid", "message_id"],
            "additionalProperties": false,
            "properties": { "uid": { "type": "string" }, "message_id": { "type": ["string", "null"] } }
          }
        }
      }
    }
    """#
}
