extension BundledContract {
  /// The actions of `mail.store` that change nothing.
  static let mailStoreReading = #"""
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
          "unreadable": {
            "type": "array",
            "items": { "type": "string" },
            "description": "The server's text for each folder whose name cannot be read; absent if all can be read"
          },
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
          "order": { "type": "string", "enum": ["newest", "oldest"], "default": "newest" },
          "query": { "$ref": "#/$defs/query" },
          "fields": { "$ref": "#/$defs/fields" },
          "headers": { "$ref": "#/$defs/headerNames" },
          "cursor": {
            "type": "string",
            "minLength": 1,
            "description": "The cursor of the page before, with the same conditions"
          }
        }
      },
      "output": {
        "type": "object",
        "required": ["messages", "total", "cursor"],
        "additionalProperties": false,
        "properties": {
          "messages": { "type": "array", "items": { "$ref": "#/$defs/message" } },
          "total": { "type": "integer", "minimum": 0, "description": "How many match, before limit" },
          "cursor": { "type": ["string", "null"], "default": null, "description": "Gives the next page; null at the end" },
          "unreadable": { "$ref": "#/$defs/unreadable" }
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
          "uid": { "type": "string", "minLength": 1 },
          "fields": { "$ref": "#/$defs/fields" },
          "headers": { "$ref": "#/$defs/headerNames" }
        }
      },
      "output": {
        "type": "object",
        "required": ["message", "html", "headers"],
        "additionalProperties": false,
        "properties": {
          "message": { "$ref": "#/$defs/message" },
          "html": { "type": ["string", "null"], "description": "Null where fields are asked for" },
          "headers": { "$ref": "#/$defs/headers" }
        }
      }
    },
    "mail.thread": {
      "summary": { "en": "Finds the conversation of a message", "de": "Sucht die Unterhaltung zu einer Nachricht" },
      "effect": "read",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["folder", "uid"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "uid": { "type": "string", "minLength": 1 },
          "fields": { "$ref": "#/$defs/fields" },
          "headers": { "$ref": "#/$defs/headerNames" }
        }
      },
      "output": {
        "type": "object",
        "required": ["messages"],
        "additionalProperties": false,
        "properties": {
          "messages": {
            "type": "array",
            "items": { "$ref": "#/$defs/message" },
            "description": "The oldest first; of all folders, or of this one and that of sent messages"
          }
        }
      }
    },
    "mail.raw": {
      "summary": { "en": "Keeps a whole message as a blob", "de": "Legt eine ganze Nachricht als Blob ab" },
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
        "required": ["blob", "size"],
        "additionalProperties": false,
        "properties": {
          "blob": { "$ref": "#/$defs/blob" },
          "size": { "type": "integer", "minimum": 0, "description": "Bytes; every line ends with CRLF" }
        }
      }
    },
    "mail.attachment": {
      "summary": { "en": "Keeps an attachment as a blob", "de": "Legt einen Anhang als Blob ab" },
      "effect": "read",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["folder", "uid", "part"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "uid": { "type": "string", "minLength": 1 },
          "part": { "type": "string", "minLength": 1, "description": "The part of an attachment of the message" }
        }
      },
      "output": {
        "type": "object",
        "required": ["blob", "name", "type", "size"],
        "additionalProperties": false,
        "properties": {
          "blob": { "$ref": "#/$defs/blob" },
          "name": { "type": "string" },
          "type": { "type": "string", "description": "Media type, lower case" },
          "size": { "type": "integer", "minimum": 0 }
        }
      }
    }
    """#
}
