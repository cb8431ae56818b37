extension BundledContract {
  /// The actions of `mail.store` that change something.
  static let mailStoreChanging = #"""
    "mail.flag": {
      "summary": { "en": "Adds and removes flags and labels", "de": "Setzt und löscht Markierungen und Labels" },
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
          "remove": { "type": "array", "items": { "type": "string", "minLength": 1 }, "default": [] },
          "modseq": {
            "type": "integer",
            "minimum": 1,
            "description": "Leaves alone what has changed since: the 'modseq' of the message, the highest of several"
          }
        }
      },
      "output": {
        "type": "object",
        "required": ["changed"],
        "additionalProperties": false,
        "properties": {
          "changed": { "type": "integer", "minimum": 0 },
          "missing": { "$ref": "#/$defs/missing" },
          "modified": {
            "type": "array",
            "items": { "type": "string" },
            "description": "With 'modseq': messages that have changed since; nothing was done about them"
          }
        }
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
          "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" },
          "missing": { "$ref": "#/$defs/missing" }
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
          "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" },
          "missing": { "$ref": "#/$defs/missing" }
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
        "properties": {
          "deleted": { "type": "integer", "minimum": 0 },
          "missing": { "$ref": "#/$defs/missing" },
          "uids": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Their names in the trash; absent where they are gone for good"
          },
          "to": { "type": "string", "description": "The trash folder, where they went there" }
        }
      }
    },
    "mail.archive": {
      "summary": { "en": "Moves messages to the archive", "de": "Verschiebt Nachrichten ins Archiv" },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["folder", "uids"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "uids": { "$ref": "#/$defs/uids" }
        }
      },
      "output": {
        "type": "object",
        "required": ["moved", "uids", "to"],
        "additionalProperties": false,
        "properties": {
          "moved": { "type": "integer", "minimum": 0 },
          "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" },
          "missing": { "$ref": "#/$defs/missing" },
          "to": { "type": "string", "description": "The folder they are in now" }
        }
      }
    },
    "mail.spam": {
      "summary": { "en": "Moves messages to the spam folder", "de": "Verschiebt Nachrichten in den Spam-Ordner" },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["folder", "uids"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "uids": { "$ref": "#/$defs/uids" }
        }
      },
      "output": {
        "type": "object",
        "required": ["moved", "uids", "to"],
        "additionalProperties": false,
        "properties": {
          "moved": { "type": "integer", "minimum": 0 },
          "uids": { "type": "array", "items": { "type": "string" }, "description": "Their names in the new folder" },
          "missing": { "$ref": "#/$defs/missing" },
          "to": { "type": "string", "description": "The folder they are in now" }
        }
      }
    },
    "mail.folder": {
      "summary": {
        "en": "Creates, renames, deletes or subscribes a folder",
        "de": "Legt einen Ordner an, benennt, löscht oder abonniert ihn"
      },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["operation", "folder"],
        "additionalProperties": false,
        "properties": {
          "operation": {
            "type": "string",
            "enum": ["create", "rename", "delete", "subscribe", "unsubscribe"],
            "description": "A folder that holds messages is not deleted"
          },
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "to": { "type": "string", "format": "mail-folder", "minLength": 1, "description": "The new name, for rename" }
        }
      },
      "output": {
        "type": "object",
        "required": ["changed"],
        "additionalProperties": false,
        "properties": { "changed": { "type": "boolean", "description": "False where it was so already" } }
      }
    },
    "mail.append": {
      "summary": { "en": "Stores a message in a folder", "de": "Legt eine Nachricht in einem Ordner ab" },
      "effect": "once",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["folder"],
        "anyOf": [
          { "required": ["raw"] }, { "required": ["blob"] }, { "required": ["from", "to", "subject", "text"] }
        ],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "raw": { "type": "string", "contentEncoding": "base64", "description": "A whole RFC 5322 message" },
          "blob": { "$ref": "#/$defs/blob", "description": "A whole RFC 5322 message" },
          "received": { "type": "string", "format": "date-time", "description": "When it was received; absent: now" },
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
              "anyOf": [{ "required": ["path"] }, { "required": ["content"] }, { "required": ["blob"] }],
              "additionalProperties": false,
              "properties": {
                "path": { "type": "string", "minLength": 1, "format": "path" },
                "content": { "type": "string", "contentEncoding": "base64" },
                "blob": { "$ref": "#/$defs/blob" },
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
    """#
}
