import Engine
import Expressions
import Localization
import Plans
import Schemas

extension BuiltinAction {
  /// `template`: gives a text that the recipe has put together from expressions.
  static let template = BuiltinAction(
    signature: ActionSignature(
      name: "template",
      summary: .init("Puts a text together", de: "Setzt einen Text zusammen"),
      effect: .pure,
      input: Schema(
        document: [
          "type": "object", "required": ["text"], "additionalProperties": false,
          "properties": ["text": ["type": "string", "description": "The text, with {{ … }} where values go."]],
        ]),
      output: Schema(
        document: [
          "type": "object", "required": ["text"], "additionalProperties": false,
          "properties": ["text": ["type": "string", "description": "The text with its values."]],
        ]),
      isBuiltin: true)
  ) { call in
    ["text": call.input["text"] ?? ""]
  }
}
