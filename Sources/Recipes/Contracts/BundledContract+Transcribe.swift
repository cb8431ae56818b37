extension BundledContract {
  /// `transcribe`: speech as text.
  static let transcribe = BundledContract(
    name: "transcribe", document: transcribeDocument, decoded: { transcribeDecoded })

  private static let transcribeDecoded = decode("transcribe", transcribeDocument)

  private static let transcribeDocument = #"""
    {
      "contract": "transcribe",
      "version": 1,
      "summary": { "en": "Speech as text", "de": "Sprache als Text" },
      "actions": {
        "transcribe.audio": {
          "summary": {
            "en": "Writes down what is said in a recording",
            "de": "Schreibt auf, was in einer Aufnahme gesagt wird"
          },
          "effect": "read",
          "costly": true,
          "input": {
            "type": "object",
            "oneOf": [{ "required": ["path"] }, { "required": ["audio"] }],
            "additionalProperties": false,
            "properties": {
              "path": { "type": "string", "minLength": 1, "format": "path", "description": "The file" },
              "audio": {
                "type": "string",
                "pattern": "^blob:sha256:[0-9a-f]{64}$",
                "description": "The recording as a blob"
              },
              "name": {
                "type": "string", "minLength": 1,
                "description": "A file name for the recording; its ending tells the format"
              },
              "model": { "type": "string", "minLength": 1 },
              "language": {
                "type": "string",
                "pattern": "^[a-z]{2,3}$",
                "description": "ISO 639 code of what is spoken"
              },
              "prompt": { "type": "string", "description": "Words that are likely to occur" },
              "temperature": { "type": "number", "minimum": 0, "maximum": 1 },
              "segments": { "type": "boolean", "default": false, "description": "Whether times are wanted" }
            }
          },
          "output": {
            "type": "object",
            "required": ["text", "model"],
            "additionalProperties": false,
            "properties": {
              "text": { "type": "string" },
              "model": { "type": "string" },
              "language": { "type": "string" },
              "duration": { "type": "number", "minimum": 0, "description": "Seconds" },
              "segments": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["start", "end", "text"],
                  "additionalProperties": false,
                  "properties": {
                    "start": { "type": "number", "minimum": 0, "description": "Seconds from the beginning" },
                    "end": { "type": "number", "minimum": 0 },
                    "text": { "type": "string" }
                  }
                }
              }
            }
          }
        }
      }
    }
    """#
}
