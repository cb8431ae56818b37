import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

/// Which providers of a list are asked, and in which order.
@Suite struct ProviderRoutingTests {
  private static let step = "steps:\n  - { uses: chat.complete, with: { prompt: p }"

  private func plan(_ text: String, prices: [String: Double] = [:]) -> Planning {
    let providers = FakeProviders(
      ["near", "far", "dear"].map { ProviderDescription(name: $0, plugin: "openai", contracts: ["chat"]) },
      remote: ["far", "dear"], prices: prices)
    return Planner.standard(providers, defaults: ["chat": ["far", "near", "far/small"]]).plan(text)
  }

  @Test func modelsOfOneProviderAreCandidatesOfTheirOwn() {
    let text = Self.step + ", provider: [far, { provider: far, model: large }, near/x/y] }\n"
    #expect(plan(text).plan?.steps[0].providers == ["far", "far/large", "near/x/y"])
    #expect(
      plan(Self.step + ", provider: [{ provider: nobody, model: m }] }\n").diagnostics.map(\.code) == [.unknownProvider]
    )
  }

  /// Where the key stands: in the step, or in the recipe.
  @Test(arguments: ["%@, local: required }\n", "local: required\n%@ }\n"])
  func onlyProvidersNearbyAreAsked(_ form: String) {
    let text = form.replacing("%@", with: Self.step)
    #expect(plan(text).plan?.steps[0].providers == ["near"])
    #expect(plan(text).plan?.steps[0].routing.locality == .required)
  }

  /// Somebody who is named and may not be asked is no reason to ask somebody else.
  @Test(arguments: ["far", "[near, far]", "[far, dear]"]) func whoIsNamedIsRefusedWithTheReason(_ provider: String) {
    let planning = plan(Self.step + ", provider: \(provider), local: required }\n")
    #expect(planning.plan == nil)
    #expect(planning.diagnostics.map(\.code) == [.unsuitableProvider])
    #expect(planning.diagnostics.first?.message.english.contains("'far': far away") == true)
  }

  private func neutral(_ names: Set<String>, _ text: String) -> Planning {
    let providers = FakeProviders(
      ["near", "far", "dear"].map { ProviderDescription(name: $0, plugin: "openai", contracts: ["chat"]) },
      remote: ["far", "dear"], neutral: names)
    return Planner.standard(providers, defaults: ["chat": ["far", "near"]]).plan(text)
  }

  /// What tools give cannot be neutralised.
  @Test func whoGetsNeutralTextsGetsNoTools() {
    let step = "steps:\n  - { uses: chat.complete, with: { prompt: p, tools: [{ uses: chat.models }] }"
    #expect(neutral(["far"], step + " }\n").plan?.steps[0].providers == ["near"])
    let planning = neutral(["far"], step + ", provider: far }\n")
    #expect(planning.diagnostics.map(\.code) == [.unsuitableProvider])
    let message = planning.diagnostics.first?.message.english ?? ""
    #expect(message.contains("'tools' keeps this step from the provider 'far'"))
  }

  /// A provider nearby may see the texts; another one outside may not without a warning.
  @Test(arguments: [("[far, near]", 0), ("[far, dear]", 1), ("[far, near, dear]", 1), ("[dear, near]", 0)])
  func whoAnswersInsteadAndGetsPlainTextsIsWarnedOf(_ list: String, _ warnings: Int) {
    let planning = neutral(["far"], Self.step + ", provider: \(list) }\n")
    #expect(planning.plan != nil)
    #expect(planning.diagnostics.map(\.code) == Array(repeating: .mixedPrivacy, count: warnings))
  }

  @Test func theRecipesWishIsForModelsOnly() {
    let text = "local: required\nsteps:\n  - { uses: template, with: { text: x } }\n"
    #expect(plan(text).plan != nil)
  }

  @Test func theCheapestIsAskedFirst() {
    let text = Self.step + ", provider: [dear, far, near, far/small], prefer: cheapest }\n"
    let planning = plan(text, prices: ["dear": 9, "near": 0, "far/small": 1])
    // What nobody knows the price of comes last; what costs the same stays in its order.
    #expect(planning.plan?.steps[0].providers == ["near", "far/small", "dear", "far"])
    #expect(plan(text).plan?.steps[0].providers == ["dear", "far", "near", "far/small"])
  }

  @Test func aRecipesBudgetIsInItsPlan() {
    let planning = plan("budget: { cost: 0.5, day: { tokens: 1000 } }\n" + Self.step + " }\n")
    #expect(planning.plan?.budget == Budget(run: .init(cost: 0.5), day: .init(tokens: 1000)))
  }
}
