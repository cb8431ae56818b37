import Expressions
import Localization
import Plans
import RecipeSyntax

extension FieldReader {
  /// The effect of a final failure of a step on the run. A truth value, as other products have it, is reported with the word
  /// that it means.
  func errorPolicy(_ node: Node, _ field: String) -> PlanStep.ErrorPolicy? {
    guard case .bool(let goesOn)? = node.scalar?.value else {
      return choice(node, field, of: PlanStep.ErrorPolicy.self)
    }
    let word = (goesOn ? PlanStep.ErrorPolicy.continue : .fail).rawValue
    report(
      .invalidValue,
      LocalizedText(
        "'\(field)' is not a truth value; write 'on_error: \(word)'",
        de: "'\(field)' ist kein Wahrheitswert; das heißt 'on_error: \(word)'"),
      at: node.range)
    return nil
  }
}
