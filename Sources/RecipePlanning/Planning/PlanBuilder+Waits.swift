import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension PlanBuilder {
  /// Reports what a wait cannot have, and what is wrong with what it waits for beyond its schema.
  func checkWait(_ step: Recipe.Step) {
    guard let action = step.uses?.value else { return }
    if let timeout = step.timeoutKey {
      let takesTimeout = action == ActionSignature.approve.name || action == ActionSignature.waitFor.name
      reader.report(
        .conflictingKeys,
        takesTimeout
          ? LocalizedText(
            "'timeout' of a step bounds an attempt, and a wait has none; write 'timeout' in 'with'",
            de: "'timeout' eines Schritts begrenzt einen Versuch, und ein Warten hat keinen; "
              + "schreibe 'timeout' in 'with'")
          : LocalizedText(
            "'\(action)' ends at its time and has no 'timeout'",
            de: "'\(action)' endet zu seiner Zeit und hat kein 'timeout'"),
        at: timeout)
    }
    if let retry = step.retryKey {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'\(action)' waits once; 'retry' has no meaning for it",
          de: "'\(action)' wartet einmal; 'retry' hat dafür keinen Sinn"),
        at: retry)
    }
    for name in ["for", "timeout"] {
      guard let node = step.input?.mapping?[name] else { continue }
      // The schema's durations have a further form, which the engine does not take.
      if let text = node.string, text.hasPrefix("P") || text.isEmpty {
        _ = reader.duration(node, name, allowsZero: true)
      }
    }
    if action == ActionSignature.approve.name, let form = step.input?.mapping?["form"], form.mapping != nil {
      checkForm(form)
    }
  }

  /// Checks what a person is to fill in; a form that is made by expressions can only be checked in the run.
  private func checkForm(_ form: Node) {
    guard !form.value.jsonString.contains("{{") else { return }
    var isBroken = false
    for problem in Schema(document: form.value).remarks() {
      isBroken = isBroken || problem.severity == .error
      reader.report(Diagnostic(problem, at: NodePath.find(problem.path, in: form).range, path: reader.path))
    }
    guard !isBroken, form.mapping?["type"]?.string != SchemaType.object.rawValue else { return }
    reader.report(
      .invalidSchema,
      LocalizedText(
        "a form is a JSON Schema of an object: 'type: object' with 'properties'",
        de: "ein Formular ist ein JSON-Schema eines Objekts: 'type: object' mit 'properties'"),
      at: form.mapping?["type"]?.range ?? form.range)
  }
}
