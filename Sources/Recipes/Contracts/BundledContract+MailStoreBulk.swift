extension BundledContract {
  /// The actions of `mail.store` for many whole messages at a time. A plugin may do without them: whoever copies mailboxes
  /// then lists with `mail.search` and copies one by one with `mail.raw` and `mail.append`.
  static let mailStoreBulk = #"""
    "mail.list": {
      "summary": { "en": "Lists all messages of a folder", "de": "Listet alle Nachrichten eines Ordners auf" },
      "effect": "read",
      "costly": false,
      "optional": true,
      "input": {
        "type": "object",
        "required": ["folder"],
        "additionalProperties": false,
        "properties": { "folder": { "type": "string", "format": "mail-folder", "minLength": 1 } }
      },
      "output": {
        "type": "object",
        "required": ["messages"],
        "additionalProperties": false,
        "properties": {
          "messages": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["uid", "flags"],
              "additionalProperties": false,
              "properties": {
                "uid": { "type": "string", "minLength": 1 },
                "flags": { "type": "array", "items": { "type": "string" }, "description": "Flags and labels" }
              }
            }
          }
        }
      }
    },
    "mail.export": {
      "summary": { "en": "Keeps many whole messages as blobs", "de": "Legt viele ganze Nachrichten als Blobs ab" },
      "effect": "read",
      "costly": false,
      "optional": true,
      "input": {
        "type": "object",
        "required": ["folder", "uids"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "uids": { "type": "array", "maxItems": 2000, "items": { "type": "string", "minLength": 1 } },
          "bytes": {
            "type": "integer",
            "minimum": 1,
            "default": 16777216,
            "description": "Ends before the message that would go beyond; at least one is kept"
          }
        }
      },
      "output": {
        "type": "object",
        "required": ["messages", "missing"],
        "additionalProperties": false,
        "properties": {
          "messages": {
            "type": "array",
            "description": "The first of those that were asked for; the rest is to be asked for again",
            "items": {
              "type": "object",
              "required": ["uid", "blob", "offset", "size", "flags", "received"],
              "additionalProperties": false,
              "properties": {
                "uid": { "type": "string", "minLength": 1 },
                "blob": { "$ref": "#/$defs/blob", "description": "Several messages may share one" },
                "offset": { "type": "integer", "minimum": 0, "description": "Where in the blob it begins, in bytes" },
                "size": { "type": "integer", "minimum": 0, "description": "Bytes; every line ends with CRLF" },
                "flags": { "type": "array", "items": { "type": "string" }, "description": "Flags and labels" },
                "received": { "type": ["string", "null"], "format": "date-time" }
              }
            }
          },
          "missing": { "$ref": "#/$defs/uids", "description": "Those that are not there" },
          "unreadable": { "$ref": "#/$defs/unreadable" }
        }
      }
    },
    "mail.import": {
      "summary": {
        "en": "Stores many whole messages in a folder",
        "de": "Legt viele ganze Nachrichten in einem Ordner ab"
      },
      "effect": "once",
      "costly": false,
      "optional": true,
      "input": {
        "type": "object",
        "required": ["folder", "messages"],
        "additionalProperties": false,
        "properties": {
          "folder": { "type": "string", "format": "mail-folder", "minLength": 1 },
          "messages": {
            "type": "array",
            "maxItems": 2000,
            "items": {
              "type": "object",
              "required": ["blob", "offset", "size"],
              "additionalProperties": false,
              "properties": {
                "blob": { "$ref": "#/$defs/blob" },
                "offset": { "type": "integer", "minimum": 0 },
                "size": { "type": "integer", "minimum": 0 },
                "flags": {
                  "type": "array",
                  "items": { "type": "string", "minLength": 1 },
                  "default": [],
                  "description": "Those that the folder cannot keep are left out"
                },
                "received": { "type": ["string", "null"], "format": "date-time" }
              }
            }
          }
        }
      },
      "output": {
        "type": "object",
        "required": ["messages"],
        "additionalProperties": false,
        "properties": {
          "messages": {
            "type": "array",
            "description": "What came of each, in the order given; all that were stored are on disk",
            "items": {
              "type": "object",
              "required": ["uid", "error"],
              "additionalProperties": false,
              "properties": {
                "uid": { "type": ["string", "null"], "description": "Null where nobody says it, or with an error" },
                "error": { "type": ["string", "null"], "description": "Why this message is not stored, or why that is unknown" },
                "outcome": {
                  "type": "string",
                  "enum": ["stored", "refused", "unknown", "unsent"],
                  "description": "unknown: the message was sent and the answer was lost; look for it before sending it again"
                }
              }
            }
          }
        }
      }
    }
    """#
}
