import Expressions
import Localization
import Schemas

/// How a text is divided.
public struct TextPartition: Sendable {
  /// What a part ends with.
  public enum Unit: String, Sendable, CaseIterable {
    /// Anywhere between two words.
    case tokens
    /// An empty line.
    case paragraphs
    /// The next heading of Markdown.
    case headings
  }

  /// How large parts may be, in tokens.
  public static let sizes = 20...1_000_000

  /// What a part ends with.
  public var unit: Unit
  /// The largest part, in tokens.
  public var size: Int
  /// So much of a part stands again before the next one, in tokens.
  public var overlap: Int

  /// Creates a way to divide a text.
  public init(by unit: Unit, size: Int = 2000, overlap: Int = 0) {
    self.unit = unit
    self.size = size
    self.overlap = overlap
  }
}

extension ActionSignature {
  /// `text.split`: divides a text into parts that a model can take.
  public static let textSplit = ActionSignature(
    name: "text.split",
    summary: LocalizedText("Divides a long text into parts", de: "Teilt einen langen Text auf"), effect: .pure,
    input: Schema(
      document: [
        "type": "object", "required": ["text"], "additionalProperties": false,
        "properties": [
          "text": ["type": "string", "description": "The text."],
          "by": [
            "type": "string", "enum": ["tokens", "paragraphs", "headings"], "default": "paragraphs",
            "description": "What a part ends with: any word, an empty line, or the next heading of Markdown.",
          ],
          "size": [
            "type": "integer", "minimum": 20, "maximum": 1_000_000, "default": 2000,
            "description": "The largest part, in tokens; a token is estimated as four letters.",
          ],
          "overlap": [
            "type": "integer", "minimum": 0, "maximum": 500_000, "default": 0,
            "description": "So much of a part stands again before the next one, in tokens.",
          ],
        ],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["parts"], "additionalProperties": false,
        "properties": [
          "parts": [
            "type": "array", "items": ["type": "string"],
            "description": "The parts in their order; none for a text without words.",
          ]
        ],
      ]), isBuiltin: true)

  /// `tools.calls`: the calls of one tool among those that a model asks for, with the fixed inputs. Its output has three lists:
  /// calls to carry out, calls that a person has to approve, and refused calls, which set a closed input. Only chat steps with
  /// tools lower to it.
  public static let toolCalls = ActionSignature(
    name: "tools.calls",
    summary: LocalizedText("Finds the calls of a tool", de: "Findet die Aufrufe eines Werkzeugs"), effect: .pure,
    input: Schema(
      document: [
        "type": "object", "required": ["name", "calls"], "additionalProperties": false,
        "properties": [
          "name": ["type": "string"], "calls": ["type": "array"], "fixed": ["type": "object"],
          "open": ["type": "array", "items": ["type": "string"]], "asks": ["type": "boolean"],
        ],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["calls"], "additionalProperties": false,
        "properties": [
          "calls": ["type": "array", "items": call], "asked": ["type": "array", "items": call],
          "refused": ["type": "array", "items": ["type": "object"]],
        ],
      ]), isBuiltin: true)

  /// `tools.results`: what a model is told of the calls that it has asked for. Only chat steps with tools lower to it.
  public static let toolResults = ActionSignature(
    name: "tools.results",
    summary: LocalizedText("Puts results of tools together", de: "Stellt Ergebnisse von Werkzeugen zusammen"),
    effect: .pure,
    input: Schema(
      document: [
        "type": "object", "required": ["answer", "items"], "additionalProperties": false,
        "properties": [
          "answer": ["type": "object"], "before": ["type": "array"],
          "items": ["type": "array", "items": ["type": "array"]],
        ],
      ]),
    output: Schema(
      document: [
        "type": "object", "required": ["turns"], "additionalProperties": false,
        "properties": ["turns": ["type": "array", "items": ["type": "object"]]],
      ]), isBuiltin: true)

  private static let call: Value = [
    "type": "object", "required": ["id", "name", "arguments"],
    "properties": ["id": ["type": "string"], "name": ["type": "string"], "arguments": ["type": "object"]],
  ]

  /// The actions that only chat steps with tools lower to.
  public static let ofTools: Set<String> = [toolCalls.name, toolResults.name]
}
