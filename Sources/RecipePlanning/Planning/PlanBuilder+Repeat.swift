import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// The repetition of a step; `nil` if it has none, or one that cannot be.
  func repetition(_ position: Int, _ action: ActionSignature, _ scope: Scope) -> PlanStep.Repetition? {
    let step = recipe.steps[position]
    guard let written = step.repetition else { return nil }
    if action.isWait {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'\(action.name)' waits once and has no 'repeat'; repeat the step whose output is to change",
          de:
            "'\(action.name)' wartet einmal und hat kein 'repeat'; zu wiederholen ist der Schritt, dessen Ausgabe sich ändert"
        ),
        at: written.place)
      return nil
    }
    if let cache = step.cache {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "with 'cache' each repetition would give the same; write 'repeat' or 'cache'",
          de: "mit 'cache' gäbe jede Wiederholung dasselbe; 'repeat' oder 'cache' schreiben"),
        at: cache.place)
    }
    var scope = scope
    let output = outputType(position)
    scope.variables["output"] = output
    scope.ownOutput = output
    guard let until = condition(written.until, scope, key: "until") else { return nil }
    if !until.references.contains(where: { reference in
      !reference.isKeyword
        && (reference.path.first == "output" || reference.path.prefix(2) == ["steps", step.id.value]
          || reference.path == ["steps"])
    }), !Self.looksOutside(until) {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'until' does not look at the output of the step or block, so it stays the same in every repetition; 'output' is the output",
          de:
            "'until' sieht die Ausgabe des Schritts oder Blocks nicht an und bleibt in jeder Wiederholung gleich; 'output' ist die Ausgabe"
        ),
        at: written.until.range, severity: .warning)
    }
    return PlanStep.Repetition(until: until, every: written.every, limit: written.limit)
  }

  /// Whether an expression may change although its variables do not: it asks for the time.
  private static func looksOutside(_ expression: Expression) -> Bool { expression.source.contains("now(") }

  /// The type of the output of a step, of a loop that of one item.
  private func outputType(_ position: Int) -> ValueType {
    guard case .object(let type)? = compiler.stepTypes[position], let output = type.fields["output"] else {
      return .dynamic
    }
    if recipe.steps[position].isLoop, case .list(let element) = output { return element }
    return output
  }
}
