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
      "$defs": {
        "toolCall": {
          "type": "object",
          "required": ["id", "name", "arguments"],
          "additionalProperties": false,
          "properties": {
            "id": { "type": "string" },
            "name": { "type": "string" },
            "arguments": { "type": "object" }
          }
        }
      },
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
              "task": {
                "type": "string",
                "enum": ["summarise", "classify", "extract", "correct", "translate", "write", "answer"],
                "description": "What kind of work it is, for what carries out only some kinds; models ignore it"
              },
              "system": { "type": "string" },
              "messages": {
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "required": ["role"],
                  "additionalProperties": false,
                  "properties": {
                    "role": { "type": "string", "enum": ["system", "user", "assistant", "tool"] },
                    "content": { "type": "string" },
                    "tool_calls": {
                      "type": "array",
                      "items": { "$ref": "#/$defs/toolCall" },
                      "description": "What the assistant asked for in this turn"
                    },
                    "tool_call_id": { "type": "string", "description": "The call that a turn of role 'tool' answers" },
                    "name": { "type": "string", "description": "The tool that a turn of role 'tool' answers for" }
                  }
                }
              },
              "after": {
                "type": "array",
                "items": { "type": "object" },
                "description": "Turns behind the prompt, as in messages; Sous makes messages of them before a provider is asked"
              },
              "schema": { "type": "object", "description": "JSON Schema of the answer; its properties become outputs" },
              "images": {
                "type": "array",
                "items": { "type": "string", "minLength": 1 },
                "description": "Pictures beside the input, each a blob or a data: or https: URL"
              },
              "tools": {
                "type": "array",
                "description": "Functions the model may ask for",
                "items": {
                  "type": "object",
                  "required": ["name"],
                  "additionalProperties": false,
                  "properties": {
                    "name": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" },
                    "description": { "type": "string" },
                    "parameters": { "type": "object", "description": "JSON Schema of the arguments" }
                  }
                }
              },
              "tool_choice": {
                "type": "string",
                "minLength": 1,
                "description": "auto, none, required, or the name of the tool to use"
              },
              "model": { "type": "string", "minLength": 1 },
              "temperature": { "type": "number", "minimum": 0, "maximum": 2 },
              "top_p": { "type": "number", "minimum": 0, "maximum": 1 },
              "max_tokens": { "type": "integer", "minimum": 1 },
              "allow_truncated": {
                "type": "boolean",
                "description": "Whether an answer that was cut at its limit or by a filter is accepted; otherwise it is a failure"
              },
              "stop": { "type": "array", "items": { "type": "string", "minLength": 1 } },
              "seed": { "type": "integer" },
              "options": { "type": "object", "description": "What only this provider knows, passed on as it is" },
              "keywords": { "type": "object", "description": "Keywords of this step" }
            }
          },
          "output": {
            "type": "object",
            "required": ["text", "model", "finish_reason", "extractive", "usage"],
            "properties": {
              "text": { "type": "string", "description": "The answer; empty where the model only asks for tools" },
              "model": { "type": "string" },
              "finish_reason": {
                "type": "string",
                "description": "stop, tool_calls, length or content_filter (both a failure unless allow_truncated), or the provider's own word"
              },
              "reasoning": { "type": "string", "description": "What the model thought aloud, where it says so" },
              "refusal": { "type": "string", "description": "Why the model would not answer" },
              "tool_calls": { "type": "array", "items": { "$ref": "#/$defs/toolCall" } },
              "extractive": {
                "type": "boolean",
                "default": false,
                "description": "Whether the answer was cut from the input by rules"
              },
              "usage": {
                "type": "object",
                "required": ["prompt_tokens", "completion_tokens"],
                "additionalProperties": false,
                "properties": {
                  "prompt_tokens": { "type": "integer", "minimum": 0 },
                  "completion_tokens": { "type": "integer", "minimum": 0 },
                  "cached_tokens": { "type": "integer", "minimum": 0 },
                  "reasoning_tokens": { "type": "integer", "minimum": 0 }
                }
              }
            }
          },
          "delta": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "text": { "type": "string", "description": "The next piece of the answer" },
              "reasoning": { "type": "string", "description": "The next piece of what the model thinks aloud" }
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
                  "properties": {
                    "id": { "type": "string" },
                    "owner": { "type": "string" },
                    "created": { "type": "string", "format": "date-time" },
                    "size": { "type": "integer", "minimum": 0, "description": "Bytes on disk, for local models" },
                    "context": { "type": "integer", "minimum": 1, "description": "Tokens a conversation may have" },
                    "capabilities": { "type": "array", "items": { "type": "string" } }
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
