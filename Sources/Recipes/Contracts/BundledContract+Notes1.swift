extension BundledContract {
  /// `notes` in version 1, as plugins of old carry it out.
  static let notes1 = BundledContract(name: "notes", document: notes1Document, decoded: { notes1Decoded })

  private static let notes1Decoded = decode("notes", notes1Document)

  private static let notes1Document = #"""
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
