extension BundledContract {
  /// `notes`: texts that are kept.
  static let notes = BundledContract(name: "notes", document: notesDocument, decoded: { notesDecoded })

  private static let notesDecoded = decode("notes", notesDocument)

  private static let notesDocument = #"""
    {
      "contract": "notes",
      "version": 1,
      "summary": { "en": "Texts that are kept", "de": "Texte, die aufgehoben werden" },
      "actions": {
        "note.save": {
          "summary": { "en": "Keeps a text as a note", "de": "Hebt einen Text als Notiz auf" },
          "effect": "once",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": false,
            "properties": {
              "text": { "type": "string" },
              "title": { "type": "string", "description": "Absent: the first line of the text" },
              "category": { "type": "string", "minLength": 1 },
              "tags": { "type": "array", "items": { "type": "string", "minLength": 1 } }
            }
          },
          "output": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": false,
            "properties": { "id": { "type": "string" } }
          }
        }
      }
    }
    """#
}
