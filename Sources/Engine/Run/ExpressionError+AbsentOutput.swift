import Expressions
import Localization

extension ExpressionError {
  /// The error, with the reason if an expression speaks of the output of a step that has none, or of the error of a step that has
  /// not failed. A step has no output if it has failed with `on_error: continue`, was skipped, or was settled by a person who did not
  /// say what it gave.
  ///
  /// - Parameters:
  ///   - references: What the expression speaks of.
  ///   - source: The text of the expression.
  ///   - bindings: What it was evaluated with.
  func explained(by references: [Reference], _ source: String, _ bindings: Bindings) -> ExpressionError {
    guard code == .evaluation || code == .wrongType, let steps = bindings.variables["steps"] else { return self }
    for reference in references where !reference.isKeyword && reference.path.first == "steps" {
      let path = reference.path.dropFirst()
      guard let id = path.first, let step = steps[id], let status = step["status"]?.stringValue else { continue }
      let rest = Array(path.dropFirst())
      var error = self
      switch rest.first {
      case "output"? where step["output"]?.isNull == true:
        error.message = message + Self.absence(of: id, status, field: rest.dropFirst().first)
      case "error"?:
        guard let absence = Self.absence(ofErrorOf: id, step["error"] ?? .null) else { continue }
        error.message = message + absence
      case "items"? where source.contains(".error."):
        guard let absence = Self.absence(ofErrorsOf: id, step["items"]?.listValue ?? []) else { continue }
        error.message = message + absence
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

  /// Why the error of a step has not the field that an expression reads; `nil` if it has one with an output.
  private static func absence(ofErrorOf id: String, _ error: Value) -> LocalizedText? {
    if error.isNull {
      return LocalizedText(
        "; the step '\(id)' has not failed, so its error is null: ask first with steps.\(id).status == 'failed'",
        de: "; der Schritt '\(id)' ist nicht gescheitert, sein error ist also null: erst mit "
          + "steps.\(id).status == 'failed' fragen")
    }
    guard error["output"]?.isNull == true else { return nil }
    return LocalizedText(
      "; the failure of the step '\(id)' has no output, as its action gave none: read it with steps.\(id).error.?output.?FIELD.orValue(…)",
      de: "; der Fehlschlag des Schritts '\(id)' hat keine Ausgabe, da seine Aktion keine gab: mit "
        + "steps.\(id).error.?output.?FELD.orValue(…) lesen")
  }

  /// The same for the items of a loop.
  private static func absence(ofErrorsOf id: String, _ items: [Value]) -> LocalizedText? {
    if items.contains(where: { $0["error"]?.isNull == true }) {
      return LocalizedText(
        "; items of step '\(id)' that have not failed have the error null: leave them out with "
          + "steps.\(id).items.filter(i, i.status == 'failed')",
        de: "; Elemente von Schritt '\(id)', die nicht gescheitert sind, haben error null; ohne sie: "
          + "steps.\(id).items.filter(i, i.status == 'failed')")
    }
    guard items.contains(where: { $0["error"]?["output"]?.isNull == true }) else { return nil }
    return LocalizedText(
      "; the failure of an item of step '\(id)' has no output, as its action gave none: read it with i.error.?output.?FIELD.orValue(…)",
      de: "; der Fehlschlag eines Elements von Schritt '\(id)' hat keine Ausgabe, da seine Aktion keine gab: mit "
        + "i.error.?output.?FELD.orValue(…) lesen")
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
