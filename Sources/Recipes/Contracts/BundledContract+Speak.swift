extension BundledContract {
  /// `speak`: text as speech.
  static let speak = BundledContract(name: "speak", document: speakDocument, decoded: { speakDecoded })

  private static let speakDecoded = decode("speak", speakDocument)

  private static let speakDocument = #"""
    {
      "contract": "speak",
      "version": 1,
      "summary": { "en": "Text as speech", "de": "Text als Sprache" },
      "actions": {
        "speak.text": {
          "summary": { "en": "Speaks a text", "de": "Spricht einen Text" },
          "effect": "read",
          "costly": true,
          "input": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": false,
            "properties": {
              "text": { "type": "string", "minLength": 1 },
              "voice": { "type": "string", "minLength": 1, "description": "The provider's name of a voice" },
              "speed": { "type": "number", "minimum": 0.25, "maximum": 4, "description": "1 is the voice's own" }
            }
          },
          "output": {
            "type": "object",
            "required": ["audio", "type"],
            "additionalProperties": false,
            "properties": {
              "audio": {
                "type": "string",
                "pattern": "^blob:sha256:[0-9a-f]{64}$",
                "description": "The recording as a blob"
              },
              "type": { "type": "string", "description": "Its media type: audio/wav" },
              "voice": { "type": "string" }
            }
          }
        }
      }
    }
    """#
}
