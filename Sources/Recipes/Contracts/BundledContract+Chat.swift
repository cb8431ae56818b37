extension BundledContract {
  /// `chat`: answers of a language model, or of what stands in for one.
  static let chat = BundledContract(
    name: "chat", document: chatDocument, decoded: { chatDecoded })

  private static let chatDecoded = decode("chat", chatDocument)

  private static let chatDocument = #"""
    {
      "contract": "chat",
      "version": 1,
      "summary": { "en": "Answers of a language model", "de": "Antworten eines Sprachmodells" },
      "actions": {
        "chat.complete": {
          "summary": { "en": "Answers a prompt", "de": "Beantwortet einen Prompt" },
          "effect": "read",
          "costly": true,
          "input": {
            "type": "object",
            "anyOf": [{ "required": ["prompt"] }, { "required": ["messages"] }, { "required": ["input"] }],
            "additionalProperties": false,
            "properties": {
              "prompt": { "type": "string", "description": "What to do, or the name of a prompt of the catalog" },
              "input": { "type": "string", "description": "The text to do it with" },
              "system": { "type": "string" },
              "messages": {
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "required": ["role", "content"],
                  "additionalProperties": false,
                  "properties": {
                    "role": { "type": "string", "enum": ["system", "user", "assistant"] },
                    "content": { "type": "string" }
                  }
                }
              },
              "schema": { "type": "object", "description": "JSON Schema of the answer; its properties become outputs" },
              "model": { "type": "string", "minLength": 1 },
              "temperature": { "type": "number", "minimum": 0, "maximum": 2 },
              "max_tokens": { "type": "integer", "minimum": 1 },
              "stop": { "type": "array", "items": { "type": "string", "minLength": 1 } },
              "seed": { "type": "integer" },
              "keywords": { "type": "object", "description": "Keywords of this step" }
            }
          },
          "output": {
            "type": "object",
            "required": ["text", "model", "finish_reason", "extractive", "usage"],
            "properties": {
              "text": { "type": "string" },
              "model": { "type": "string" },
              "finish_reason": { "type": "string" },
              "extractive": { "type": "boolean", "description": "Whether the answer was cut from the input by rules" },
              "usage": {
                "type": "object",
                "required": ["prompt_tokens", "completion_tokens"],
                "additionalProperties": false,
                "properties": {
                  "prompt_tokens": { "type": "integer", "minimum": 0 },
                  "completion_tokens": { "type": "integer", "minimum": 0 }
                }
              }
            }
          }
        },
        "chat.models": {
          "summary": { "en": "Lists the models", "de": "Listet die Modelle auf" },
          "effect": "read",
          "costly": false,
          "input": { "type": "object", "additionalProperties": false, "properties": {} },
          "output": {
            "type": "object",
            "required": ["models"],
            "additionalProperties": false,
            "properties": {
              "models": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["id"],
                  "properties": { "id": { "type": "string" } }
                }
              }
            }
          }
        }
      }
    }
    """#
}
