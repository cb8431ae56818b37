import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// Lowers `cache`; reports an action whose results are not to be used again.
  func cache(
    _ step: Recipe.Step, _ action: ActionSignature, _ scope: Scope, _ input: BoundValue
  ) -> PlanStep.Cache? {
    guard let declared = step.cache else { return nil }
    let key = declared.key.map { binder(scope).bind($0) }
    if let reason = action.reasonAgainstCache {
      reader.report(.conflictingKeys, reason, at: declared.place)
      return nil
    }
    if let node = declared.key, let key, key.isLiteral, !input.isLiteral {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'key' is the same for every input, so that all of them have one result; write {{ … }} in it",
          de: "'key' ist für jede Eingabe gleich, sodass alle ein einziges Ergebnis haben; {{ … }} hineinschreiben"),
        at: node.range, severity: .warning)
    }
    return PlanStep.Cache(key: key?.value, seconds: declared.seconds)
  }
}

extension ActionSignature {
  /// Why the results of the action cannot be used again; `nil` where they can.
  fileprivate var reasonAgainstCache: LocalizedText? {
    if isWait {
      return LocalizedText(
        "'\(name)' waits; there is no result to use again", de: "'\(name)' wartet; es gibt kein Ergebnis aufzubewahren")
    }
    if name == ActionSignature.recipe.name {
      return LocalizedText(
        "another recipe may do anything; put 'cache' at its own steps",
        de: "ein anderes Rezept kann alles tun; 'cache' gehört zu dessen eigenen Schritten")
    }
    guard effect > .read else { return nil }
    return LocalizedText(
      "'\(name)' changes something (effect \(effect.rawValue)), so its result cannot stand for doing it; "
        + "'cache' is for actions that only compute or read",
      de: "'\(name)' verändert etwas (Wirkung \(effect.rawValue)), also kann sein Ergebnis das Tun nicht ersetzen; "
        + "'cache' ist für Aktionen, die nur rechnen oder lesen")
  }
}

extension BoundValue {
  fileprivate var isLiteral: Bool {
    if case .literal = self { return true }
    return false
  }
}
