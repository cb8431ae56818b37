extension BundledContract {
  /// `notes`: texts and recordings that are kept.
  static let notes = BundledContract(name: "notes", document: notesDocument, decoded: { notesDecoded })

  private static let notesDecoded = decode("notes", notesDocument)

  private static let notesDocument =
    notesShapes + #","actions":{"# + noteSave + "," + notesReading + "," + notesChanging + "}}"

  /// The beginning of the document: what a note looks like.
  private static let notesShapes = #"""
    {
      "contract": "notes",
      "version": 2,
      "summary": { "en": "Texts and recordings that are kept", "de": "Texte und Aufnahmen, die aufgehoben werden" },
      "$defs": {
        "kind": { "type": "string", "enum": ["text", "audio"] },
        "time": { "type": "string", "format": "date-time" },
        "word": { "type": "string", "minLength": 1, "maxLength": 200 },
        "tags": { "type": "array", "maxItems": 200, "items": { "$ref": "#/$defs/word" } },
        "limit": { "type": "integer", "minimum": 1, "maximum": 500, "default": 50 },
        "givenFile": {
          "type": "object",
          "required": ["blob"],
          "additionalProperties": false,
          "properties": {
            "blob": { "type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$" },
            "name": { "type": "string", "minLength": 1, "maxLength": 255 },
            "type": { "type": "string", "description": "Media type" }
          }
        },
        "file": {
          "type": "object",
          "required": ["name", "type", "size", "blob"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "type": { "type": "string", "description": "Media type" },
            "size": { "type": ["integer", "null"], "description": "Bytes; null where the content is missing" },
            "blob": {
              "type": ["string", "null"],
              "description": "The content, as note.get gives it; null in lists, and where the content is missing"
            }
          }
        },
        "note": {
          "type": "object",
          "required": [
            "id", "heading", "title", "kind", "text", "corrected", "summary", "category", "tags", "source", "audio",
            "attachments", "reminder", "created", "updated"
          ],
          "additionalProperties": false,
          "properties": {
            "id": { "type": "string" },
            "heading": { "type": "string", "description": "The title, else the first line of the text" },
            "title": { "type": ["string", "null"] },
            "kind": { "$ref": "#/$defs/kind" },
            "text": { "type": "string", "description": "As it was written or transcribed" },
            "corrected": { "type": ["string", "null"], "description": "The text as a model or a person corrected it" },
            "summary": { "type": ["string", "null"] },
            "category": { "type": "string" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "source": { "type": ["string", "null"], "description": "Where it comes from" },
            "audio": { "anyOf": [{ "$ref": "#/$defs/file" }, { "type": "null" }] },
            "attachments": { "type": "array", "items": { "$ref": "#/$defs/file" } },
            "reminder": { "type": ["string", "null"], "format": "date-time" },
            "created": { "$ref": "#/$defs/time" },
            "updated": { "$ref": "#/$defs/time" }
          }
        }
      }
    """#

  private static let noteSave = #"""
    "note.save": {
      "summary": { "en": "Keeps a text as a note", "de": "Hebt einen Text als Notiz auf" },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["text"],
        "additionalProperties": false,
        "properties": {
          "text": { "type": "string", "description": "As it was written or transcribed" },
          "corrected": { "type": "string", "description": "The corrected text, where there is one" },
          "summary": { "type": "string" },
          "title": { "type": "string", "description": "Absent: the first line of the text" },
          "kind": { "$ref": "#/$defs/kind", "description": "Absent: audio where there is a recording, else text" },
          "category": { "$ref": "#/$defs/word", "description": "Absent: the default category" },
          "tags": { "$ref": "#/$defs/tags" },
          "source": { "type": "string", "description": "Where it comes from: a file, a message, a page" },
          "audio": { "$ref": "#/$defs/givenFile" },
          "attachments": { "type": "array", "maxItems": 100, "items": { "$ref": "#/$defs/givenFile" } },
          "reminder": { "$ref": "#/$defs/time", "description": "When to be reminded of it; not in the past" },
          "created": { "$ref": "#/$defs/time", "description": "Absent: now" }
        }
      },
      "output": {
        "type": "object",
        "required": ["id"],
        "additionalProperties": false,
        "properties": { "id": { "type": "string" }, "heading": { "type": "string" } }
      }
    }
    """#

  private static let notesReading = #"""
    "note.get": {
      "summary": { "en": "Reads a note", "de": "Liest eine Notiz" },
      "effect": "read",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["id"],
        "additionalProperties": false,
        "properties": { "id": { "type": "string", "minLength": 1 } }
      },
      "output": {
        "type": "object",
        "required": ["note"],
        "additionalProperties": false,
        "properties": { "note": { "$ref": "#/$defs/note" } }
      }
    },
    "note.list": {
      "summary": { "en": "Lists notes, the newest first", "de": "Listet Notizen auf, die neuesten zuerst" },
      "effect": "read",
      "costly": false,
      "input": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "category": { "$ref": "#/$defs/word" },
          "tags": { "$ref": "#/$defs/tags", "description": "Notes that have all of them" },
          "kind": { "$ref": "#/$defs/kind" },
          "since": { "$ref": "#/$defs/time", "description": "Created at this time or later" },
          "before": { "$ref": "#/$defs/time", "description": "Created earlier" },
          "limit": { "$ref": "#/$defs/limit" },
          "cursor": { "type": "string", "description": "Where the page before ended" }
        }
      },
      "output": {
        "type": "object",
        "required": ["notes", "total", "cursor"],
        "additionalProperties": false,
        "properties": {
          "notes": { "type": "array", "items": { "$ref": "#/$defs/note" } },
          "total": { "type": "integer", "minimum": 0 },
          "cursor": { "type": ["string", "null"], "description": "For the next page; null where there is none" }
        }
      }
    },
    "note.search": {
      "summary": { "en": "Finds notes by words", "de": "Findet Notizen nach Wörtern" },
      "effect": "read",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["query"],
        "additionalProperties": false,
        "properties": {
          "query": {
            "type": "string",
            "minLength": 1,
            "description": "Words or beginnings of words, all of them in title, texts or tags"
          },
          "category": { "$ref": "#/$defs/word" },
          "tags": { "$ref": "#/$defs/tags" },
          "limit": { "$ref": "#/$defs/limit" }
        }
      },
      "output": {
        "type": "object",
        "required": ["found"],
        "additionalProperties": false,
        "properties": {
          "found": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["note", "highlights"],
              "additionalProperties": false,
              "properties": {
                "note": { "$ref": "#/$defs/note" },
                "highlights": {
                  "type": "array",
                  "description": "The passage that fits best, in pieces",
                  "items": {
                    "type": "object",
                    "required": ["text", "hit"],
                    "additionalProperties": false,
                    "properties": { "text": { "type": "string" }, "hit": { "type": "boolean" } }
                  }
                }
              }
            }
          }
        }
      }
    }
    """#

  private static let notesChanging = #"""
    "note.update": {
      "summary": { "en": "Changes a note", "de": "Ändert eine Notiz" },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "description": "What is absent stays; null takes away",
        "required": ["id"],
        "additionalProperties": false,
        "properties": {
          "id": { "type": "string", "minLength": 1 },
          "text": { "type": "string" },
          "corrected": { "type": ["string", "null"] },
          "summary": { "type": ["string", "null"] },
          "title": { "type": ["string", "null"] },
          "category": { "anyOf": [{ "$ref": "#/$defs/word" }, { "type": "null" }] },
          "tags": { "$ref": "#/$defs/tags" },
          "source": { "type": ["string", "null"] },
          "reminder": { "type": ["string", "null"], "format": "date-time" }
        }
      },
      "output": {
        "type": "object",
        "required": ["note"],
        "additionalProperties": false,
        "properties": { "note": { "$ref": "#/$defs/note" } }
      }
    },
    "note.delete": {
      "summary": { "en": "Deletes notes", "de": "Löscht Notizen" },
      "effect": "idempotent",
      "costly": false,
      "input": {
        "type": "object",
        "required": ["ids"],
        "additionalProperties": false,
        "properties": { "ids": { "type": "array", "maxItems": 500, "items": { "type": "string", "minLength": 1 } } }
      },
      "output": {
        "type": "object",
        "required": ["deleted", "missing"],
        "additionalProperties": false,
        "properties": {
          "deleted": { "type": "array", "items": { "type": "string" } },
          "missing": { "type": "array", "items": { "type": "string" }, "description": "Notes that there were not" }
        }
      }
    }
    """#
}
