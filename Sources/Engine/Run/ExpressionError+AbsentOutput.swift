import Expressions
import Localization

extension ExpressionError {
  /// The error, with the reason where an expression speaks of the output of a step that has none: it has failed with
  /// `on_error: continue`, was skipped, or was settled by a person who did not say what it gave.
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
            de: "; Elemente von Schritt '\(id)', die nicht gelungen sind, haben die Ausgabe null; ohne sie: "
              + "steps.\(id).items.filter(i, i.status == 'succeeded')")
      default: continue
      }
      return error
    }
    return self
  }

  private static func absence(of id: String, _ status: String, field: String?) -> LocalizedText {
    let field = field ?? "field"
    guard status != "succeeded" else {
      return LocalizedText(
        "; it is not known what the step '\(id)' gave: somebody said with 'sous answer settle --done' that it took effect, without "
          + "--output. Go on without it with steps.\(id).output.?\(field).orValue(…)",
        de:
          "; was der Schritt '\(id)' ergab, ist nicht bekannt: Mit 'sous answer settle --done' wurde ohne --output gesagt, dass "
          + "er gewirkt hat. Ohne die Ausgabe geht es weiter mit steps.\(id).output.?\(field).orValue(…)")
    }
    let hasFailed = status == "failed"
    let english = hasFailed ? "has failed" : "was skipped"
    let german = hasFailed ? "ist gescheitert" : "wurde übersprungen"
    return LocalizedText(
      "; the step '\(id)' \(english), so its output is null: leave this step out then with "
        + "when: steps.\(id).status == 'succeeded', or go on without it with steps.\(id).output.?\(field).orValue(…)",
      de: "; der Schritt '\(id)' \(german), seine Ausgabe ist also null: Dieser Schritt entfällt dann mit "
        + "when: steps.\(id).status == 'succeeded', oder geht ohne sie weiter mit "
        + "steps.\(id).output.?\(field).orValue(…)")
  }
}
