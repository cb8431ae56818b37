import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

/// Names that something has, but not what a recipe can use as things are.
@Suite struct UnusableNameTests {
  private static let providers = FakeProviders(
    [ProviderDescription(name: "mine", plugin: "shop", contracts: [], triggers: ["shop.arrived"])],
    installed: ["weather": InstalledPluginOffer(actions: ["weather.now"], triggers: ["weather.changed"])])

  /// The only problem of a recipe.
  private func problem(_ text: String) throws -> Diagnostic {
    let planning = Planner.standard(Self.providers, defaults: [:]).plan(text)
    #expect(planning.diagnostics.count == 1, "\(planning.summary)")
    return try #require(planning.diagnostics.first)
  }

  @Test func anInstalledPluginOnlyHasToBeConfigured() throws {
    let problem = try problem("steps: [{ uses: weather.now }]\n")
    #expect(problem.code == .unknownAction)
    for text in [problem.message.english, problem.message.german] {
      #expect(text.contains("providers: { weather: { plugin: weather } }"))
    }
    #expect(problem.suggestion == nil)
  }

  @Test func anActionThatAnInstalledPluginLacksIsLikeOneThatItHas() throws {
    let problem = try problem("steps: [{ uses: weather.nov }]\n")
    #expect(problem.code == .unknownAction && problem.suggestion == "weather.now")
    #expect(!problem.message.english.contains("sous.yaml"))
  }

  @Test(arguments: ["shop.arrived", "weather.changed"])
  func aTriggerIsNoAction(_ name: String) throws {
    let problem = try problem("steps: [{ uses: \(name) }]\n")
    #expect(problem.code == .unknownAction)
    #expect(problem.message.english.contains("trigger") && problem.message.german.contains("Auslöser"))
  }

  @Test func whatStartsARecipeIsListed() throws {
    let ofPlugin = try problem(
      "on: [{ weather.changed: { city: Chur } }]\nsteps: [{ uses: template, with: { text: x } }]\n")
    #expect(ofPlugin.code == .unknownKey)
    for word in ["city", "weather.changed"] { #expect(ofPlugin.message.english.contains(word)) }
    let mistyped = try problem("on: [{ shedule: { every: 1h } }]\nsteps: [{ uses: template, with: { text: x } }]\n")
    #expect(mistyped.code == .unknownKey && mistyped.suggestion == "schedule")
    for word in ["mail", "file", "webhook", "manual"] { #expect(mistyped.message.english.contains(word)) }
  }
}
