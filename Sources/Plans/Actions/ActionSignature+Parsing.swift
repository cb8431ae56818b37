import Expressions
import Schemas

extension ActionSignature {
  /// Whether the input `parse` says what the output's `body` or `value` is.
  package var parsesOutput: Bool { isBuiltin && input.view.property("parse") != nil && !outputOfParsing.isEmpty }

  /// The property of the output that `parse` decides on: `body` of a response, `value` of a program's output.
  package var outputOfParsing: String {
    ["body", "value"].first { output.view.property($0) != nil } ?? ""
  }

  /// This action with the output of a form that is known before the run.
  ///
  /// - Parameter form: The input `parse`: `text`, `bytes`, `lines`; for any other the action is as it was.
  package func parsing(as form: String) -> ActionSignature {
    guard parsesOutput, case .map(var document) = output.document, case .map(var properties)? = document["properties"]
    else { return self }
    let name = outputOfParsing
    switch (name, form) {
    case ("body", "text"), ("body", "bytes"), ("value", "bytes"): properties[name] = ["type": "string"]
    case ("value", "lines"): properties[name] = ["type": "array", "items": ["type": "string"]]
    case ("value", "text"): properties = ValueMap(properties.entries.filter { $0.key.text != name })
    default: return self
    }
    document["properties"] = .map(properties)
    var action = self
    action.output = Schema(document: .map(document))
    return action
  }
}
