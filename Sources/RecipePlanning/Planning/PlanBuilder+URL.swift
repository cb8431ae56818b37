import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// Warns of a URL that the run would not be let reach, as far as it stands in the recipe: of one that goes on with an
  /// expression, the host is known.
  ///
  /// It is no error: a condition may keep the step from running, and the settings are not the recipe's.
  func checkURL(of step: Recipe.Step, _ action: ActionSignature) {
    guard action.isBuiltin, action.name.hasPrefix("http."), let node = step.input?.mapping?["url"],
      let url = node.string.flatMap(Self.knownURL), let refusal = planner.urlRefusal(url)
    else { return }
    reader.report(.urlRefused, refusal, at: node.range, severity: .warning)
  }

  /// Warns of a URL of `ping` that would not be reached, as far as its host is known.
  func checkPing() {
    guard let ping = recipe.ping, let range = recipe.pingRange else { return }
    for url in Set(ping.urls.values) {
      let known = url.secretNames.isEmpty ? url.beginning : Self.knownURL(url.beginning + "{{")
      guard let known, let refusal = planner.urlRefusal(known) else { continue }
      reader.report(.urlRefused, refusal, at: range, severity: .warning)
    }
  }

  /// What stands before the first expression, where that has the whole host.
  private static func knownURL(_ text: String) -> String? {
    guard let expression = text.firstRange(of: "{{") else { return text }
    let known = text[..<expression.lowerBound]
    guard let scheme = known.firstRange(of: "://"), known[scheme.upperBound...].contains(where: { "/?#".contains($0) })
    else {
      return nil
    }
    return String(known)
  }
}
