import Expressions
import Localization

extension ExpressionError {
  /// The error, with the reason where an expression speaks of the output of a step that has none: it has failed with
  /// `on_error: continue`, or was skipped.
  ///
  /// - Parameters:
  ///   - references: What the expression speaks of.
  ///   - bindings: What it was evaluated with.
  func explained(by references: [Reference], _ bindings: Bindings) -> ExpressionError {
    guard code == .evaluation || code == .wrongType, let steps = bindings.variables["steps"] else { return self }
    for reference in references where !reference.isKeyword && reference.path.first == "steps" {
      let path = reference.path.dropFirst()
      guard let id = path.first, let step = steps[id], let status = step["status"]?.stringValue else { continue }
      let rest = Array(path.dropFirst())
      var error = self
      switch rest.first {
      case "output"? where step["output"]?.isNull == true:
        error.message = message + Self.absence(of: id, status, field: rest.dropFirst().first)
      case "items"? where step["items"]?.listValue?.contains { $0["output"]?.isNull == true } == true:
        error.message =
          message
          + LocalizedText(
            "; items of step '\(id)' that did not succeed have the output null: leave them out with "
              + "steps.\(id).items.filter(i, i.status == 'succeeded')",
            de: "; Elemente von Schritt '\(id)', die nicht gelungen sind, haben die Ausgabe null: lass sie weg mit "
              + "steps.\(id).items.filter(i, i.status == 'succeeded')")
      default: continue
      }
      return error
    }
    return self
  }

  private static func absence(of id: String, _ status: String, field: String?) -> LocalizedText {
    let hasFailed = status == "failed"
    let english = hasFailed ? "has failed" : "was skipped"
    let german = hasFailed ? "ist gescheitert" : "wurde übersprungen"
    let field = field ?? "field"
    return LocalizedText(
      "; the step '\(id)' \(english), so its output is null: leave this step out then with "
        + "when: steps.\(id).status == 'succeeded', or go on without it with steps.\(id).output.?\(field).orValue(…)",
      de: "; der Schritt '\(id)' \(german), seine Ausgabe ist also null: lass diesen Schritt dann aus mit "
        + "when: steps.\(id).status == 'succeeded', oder mach ohne sie weiter mit "
        + "steps.\(id).output.?\(field).orValue(…)")
  }
}
