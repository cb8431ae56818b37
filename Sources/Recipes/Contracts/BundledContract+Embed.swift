extension BundledContract {
  /// `embed`: texts as vectors, to compare them by meaning.
  static let embed = BundledContract(
    name: "embed", document: embedDocument, decoded: { embedDecoded })

  private static let embedDecoded = decode("embed", embedDocument)

  private static let embedDocument = #"""
    {
      "contract": "embed",
      "version": 1,
      "summary": { "en": "Texts as vectors", "de": "Texte als Vektoren" },
      "actions": {
        "embed.texts": {
          "summary": { "en": "Turns texts into vectors", "de": "Macht aus Texten Vektoren" },
          "effect": "read",
          "costly": true,
          "input": {
            "type": "object",
            "required": ["texts"],
            "additionalProperties": false,
            "properties": {
              "texts": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } },
              "model": { "type": "string", "minLength": 1 },
              "dimensions": {
                "type": "integer",
                "minimum": 1,
                "description": "The length of a vector, where it can be chosen"
              }
            }
          },
          "output": {
            "type": "object",
            "required": ["vectors", "model", "usage"],
            "additionalProperties": false,
            "properties": {
              "vectors": {
                "type": "array",
                "description": "One vector for each text, in the same order",
                "items": { "type": "array", "items": { "type": "number" } }
              },
              "model": { "type": "string" },
              "usage": {
                "type": "object",
                "required": ["prompt_tokens"],
                "additionalProperties": false,
                "properties": { "prompt_tokens": { "type": "integer", "minimum": 0 } }
              }
            }
          }
        }
      }
    }
    """#
}
