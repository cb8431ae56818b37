import Engine
import Foundation
import Localization
import Plans
import RunStore

extension ActionFailure {
  /// A provider that is not asked, since it could not do what is wanted.
  static func passedOver(_ route: ProviderRoute, _ reason: LocalizedText) -> ActionFailure {
    var failure = ActionFailure(
      .unsupported,
      LocalizedText("'\(route.text)' is not asked: ", de: "'\(route.text)' wird nicht gefragt: ") + reason)
    failure.wasSent = false
    return failure
  }

  /// A call that a budget does not admit: of kind `quota`, which is not tried again.
  ///
  /// - Parameters:
  ///   - excess: The budget, and what is used of it.
  ///   - call: The call.
  ///   - sources: The recipe's file.
  static func budget(_ excess: BudgetExcess, _ call: CallReservation, sources: String) -> ActionFailure {
    let (scope, place) = words(excess.budget, sources)
    var failure: ActionFailure
    if excess.isUnpriced {
      let model = call.model.isEmpty ? call.provider : "\(call.provider)/\(call.model)"
      failure = ActionFailure(
        .quota,
        LocalizedText(
          "\(scope.english) is in money, and the price of \(model) is unknown",
          de: "\(scope.german) ist in Geld, und niemand weiß, was \(model) kostet"),
        advice: LocalizedText(
          "write its price into sous.yaml: engine: { prices: { \"\(model)\": { input: …, output: … } } }",
          de: "seinen Preis in sous.yaml eintragen: engine: { prices: { \"\(model)\": { input: …, output: … } } }"))
    } else {
      let (used, more, most) = amounts(excess, call)
      failure = ActionFailure(
        .quota,
        LocalizedText(
          "\(scope.english) does not admit this call: \(used) of \(most.english) are used, and it may need \(more)",
          de:
            "\(scope.german) lässt diesen Aufruf nicht zu: \(used) von \(most.german) sind verbraucht, und er kann \(more) "
            + "brauchen"),
        advice: LocalizedText(
          "raise \(place), or bound the answer with 'max_tokens'; 'sous usage' shows what has used it",
          de: "\(place) erhöhen, oder die Antwort mit 'max_tokens' begrenzen; 'sous usage' zeigt, was es verbraucht hat"
        )
      )
    }
    failure.wasSent = false
    return failure
  }

  /// What is used, what the call may need, and what is allowed: in tokens where those are what is short.
  private static func amounts(_ excess: BudgetExcess, _ call: CallReservation) -> (String, String, LocalizedText) {
    let bound = excess.budget.bound
    if let tokens = bound.tokens, excess.tokens + call.tokens > tokens {
      return ("\(excess.tokens)", "\(call.tokens)", LocalizedText("\(tokens) tokens", de: "\(tokens) Tokens"))
    }
    return (money(excess.cost), money(call.cost ?? 0), LocalizedText(verbatim: money(bound.cost ?? 0)))
  }

  private static func money(_ amount: Double) -> String {
    String(format: amount < 0.01 && amount > 0 ? "%.6f" : "%.4f", amount)
  }

  /// What the budget is of, and where it stands.
  private static func words(_ budget: BudgetBound, _ path: String) -> (scope: LocalizedText, place: String) {
    let span =
      switch budget.period {
      case .run: LocalizedText("of this run", de: "dieses Laufs")
      case .day: LocalizedText("of this day", de: "dieses Tages")
      case .month: LocalizedText("of this month", de: "dieses Monats")
      }
    switch budget.scope {
    case .run(let run):
      return (
        LocalizedText("the budget of the run \(run)", de: "das Budget des Laufs \(run)"),
        "'budget' in \(path.isEmpty ? "the recipe" : path) / 'engine.budget.run' in sous.yaml"
      )
    case .recipe(let name):
      return (
        LocalizedText(
          "the budget of the recipe '\(name)' \(span.english)", de: "das Budget des Rezepts '\(name)' \(span.german)"),
        "'budget.\(budget.period.rawValue)' in \(path)"
      )
    case .provider(let name):
      return (
        LocalizedText(
          "the budget of the provider '\(name)' \(span.english)",
          de: "das Budget des Providers '\(name)' \(span.german)"),
        "'providers.\(name).budget' in sous.yaml"
      )
    case .all:
      return (
        LocalizedText("the budget \(span.english)", de: "das Budget \(span.german)"),
        "'engine.budget.\(budget.period.rawValue)' in sous.yaml"
      )
    }
  }
}
