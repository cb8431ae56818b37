extension BundledContract {
  /// `mail.store`: folders and the messages in them.
  static let mailStore = BundledContract(
    name: "mail.store", document: mailStoreDocument, decoded: { mailStoreDecoded })

  private static let mailStoreDecoded = decode("mail.store", mailStoreDocument)

  private static let mailStoreDocument =
    mailStoreShapes + #","actions":{"# + mailStoreReading + "," + mailStoreChanging + "," + mailStoreBulk + "}}"

  /// The beginning of the document: what messages and queries look like, and the triggers.
  private static let mailStoreShapes = #"""
    {
      "contract": "mail.store",
      "version": 2,
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
          "required": ["name", "type", "size", "part", "content_id", "inline"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "type": { "type": "string", "description": "Media type, lower case" },
            "size": { "type": "integer", "minimum": 0, "description": "Decoded size in bytes, or close to it" },
            "part": { "type": "string", "default": "", "description": "What mail.attachment takes it by" },
            "content_id": { "type": ["string", "null"], "default": null, "description": "What HTML refers to it by" },
            "inline": { "type": "boolean", "default": false, "description": "Shown in the text" }
          }
        },
        "blob": { "type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$" },
        "date": { "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }] },
        "field": {
          "type": "string",
          "enum": [
              "uid", "folder", "message_id", "date", "received", "from", "to", "cc", "bcc", "reply_to",
              "subject", "size", "flags", "labels", "seen", "flagged", "answered", "text", "truncated",
              "snippet", "html", "attachments", "bulk", "human", "category", "list_id",
              "list_unsubscribe", "in_reply_to", "references", "thread", "modseq"
          ]
        },
        "fields": {
          "type": "array",
          "items": { "$ref": "#/$defs/field" },
          "description": "The fields wanted of each message, beside uid and folder; absent: all but html and modseq"
        },
        "headerNames": {
          "type": "array",
          "maxItems": 50,
          "items": { "type": "string", "minLength": 1 },
          "description": "Header fields wanted by name, as 'headers' of each message"
        },
        "headers": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name", "value"],
            "additionalProperties": false,
            "properties": { "name": { "type": "string" }, "value": { "type": "string" } }
          }
        },
        "missing": {
          "type": "array",
          "items": { "type": "string" },
          "description": "Messages that were not in the folder any more. That is no error: nothing was done about them"
        },
        "query": {
          "type": "object",
          "description": "One condition; and, or and not hold others",
          "minProperties": 1,
          "maxProperties": 1,
          "additionalProperties": false,
          "properties": {
            "and": { "type": "array", "items": { "type": "object" } },
            "or": { "type": "array", "items": { "type": "object" } },
            "not": { "type": "object" },
            "header": {
              "type": "object",
              "description": "Part of a header field's value; an empty text: the field exists",
              "required": ["name"],
              "additionalProperties": false,
              "properties": { "name": { "type": "string", "minLength": 1 }, "contains": { "type": "string" } }
            },
            "from": { "type": "string", "description": "Part of a name or address in From or Sender" },
            "to": { "type": "string", "description": "Part of a name or address in To" },
            "cc": { "type": "string", "description": "Part of a name or address in Cc" },
            "bcc": { "type": "string", "description": "Part of a name or address in Bcc" },
            "subject": { "type": "string" },
            "text": { "type": "string", "description": "Part of any header field or of the readable text" },
            "body": { "type": "string", "description": "Part of the readable text" },
            "flag": { "type": "string", "minLength": 1, "description": "\\Seen and the like, or a label" },
            "larger": { "type": "integer", "minimum": 0, "description": "More bytes" },
            "smaller": { "type": "integer", "minimum": 0, "description": "Fewer bytes" },
            "since": { "$ref": "#/$defs/date" },
            "before": { "$ref": "#/$defs/date" },
            "received_since": { "$ref": "#/$defs/date" },
            "received_before": { "$ref": "#/$defs/date" },
            "gmail": {
              "type": "string",
              "minLength": 1,
              "description": "A search in Gmail's own language; other servers refuse it"
            },
            "uid": { "type": "array", "items": { "type": "string" } },
            "all": { "const": true }
          }
        },
        "uids": { "type": "array", "items": { "type": "string", "minLength": 1 } },
        "unreadable": {
          "type": "array",
          "description": "Messages in the folder that the server does not deliver; absent if all can be read",
          "items": {
            "type": "object",
            "required": ["uid", "error"],
            "additionalProperties": false,
            "properties": { "uid": { "type": "string" }, "error": { "type": "string" } }
          }
        },
        "message": {
          "type": "object",
          "description": "Has the fields that were asked for, and always uid and folder",
          "required": ["uid", "folder"],
          "additionalProperties": false,
          "properties": {
            "uid": { "type": "string", "description": "The message's name in its folder" },
            "folder": { "type": "string" },
            "message_id": { "type": ["string", "null"], "description": "With its angle brackets" },
            "date": {
              "type": "string",
              "format": "date-time",
              "description": "When it says it was written; where it does not, when it was received"
            },
            "received": {
              "type": ["string", "null"],
              "format": "date-time",
              "description": "When the mailbox received it (INTERNALDATE)"
            },
            "from": { "$ref": "#/$defs/address" },
            "to": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "cc": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "bcc": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "reply_to": { "type": "array", "items": { "$ref": "#/$defs/address" } },
            "subject": { "type": "string" },
            "size": { "type": "integer", "minimum": 0, "description": "Size of the whole message in bytes" },
            "flags": { "type": "array", "items": { "type": "string" }, "description": "As IMAP spells them: \\Seen" },
            "labels": { "type": "array", "items": { "type": "string" }, "description": "Keywords, Gmail's labels" },
            "seen": { "type": "boolean" },
            "flagged": { "type": "boolean" },
            "answered": { "type": "boolean" },
            "text": { "type": "string", "description": "The readable text, at most 64 KiB of it" },
            "truncated": { "type": "boolean", "description": "Whether text was cut" },
            "snippet": { "type": "string", "description": "The beginning of the text in one line" },
            "html": { "type": ["string", "null"], "description": "As its writer made it: unsafe to show as it is" },
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
            "list_unsubscribe": {
              "type": ["object", "null"],
              "description": "Ways out of the list (RFC 2369); one_click: one POST is enough (RFC 8058)",
              "required": ["http", "mailto", "one_click"],
              "additionalProperties": false,
              "properties": {
                "http": { "type": "array", "items": { "type": "string" } },
                "mailto": { "type": "array", "items": { "type": "string" } },
                "one_click": { "type": "boolean" }
              }
            },
            "in_reply_to": { "type": ["string", "null"] },
            "references": { "type": "array", "items": { "type": "string" } },
            "thread": { "type": "string", "description": "The same for all messages of one conversation" },
            "modseq": {
              "type": ["integer", "null"],
              "description": "Grows with every change of its flags; null where the store counts none"
            },
            "headers": { "$ref": "#/$defs/headers" }
          }
        }
      },
      "triggers": {
        "mail.new": {
          "summary": {
            "en": "A message has arrived in a folder",
            "de": "In einem Ordner ist eine Nachricht eingegangen"
          },
          "configuration": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string", "format": "mail-folder", "minLength": 1, "default": "INBOX" },
              "fields": { "$ref": "#/$defs/fields" }
            }
          },
          "event": {
            "type": "object",
            "required": ["folder", "uid", "message"],
            "additionalProperties": false,
            "properties": {
              "folder": { "type": "string" },
              "uid": { "type": "string" },
              "message": { "$ref": "#/$defs/message" }
            }
          }
        }
      }
    """#
}
