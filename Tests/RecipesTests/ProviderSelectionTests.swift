import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas
import Testing

private let search = "steps:\n  - { id: a, uses: mail.search }\n"

@Suite struct ProviderSelectionTests {
  private func plan(
    _ text: String, _ providers: FakeProviders, defaults: [String: [String]] = [:]
  ) -> Planning {
    Planner.standard(providers, defaults: defaults).plan(text)
  }

  @Test func onlyWhatAStepUsesIsLookedAt() {
    let providers = FakeProviders.standard()
    _ = plan("steps:\n  - { uses: template, with: { text: x } }\n", providers, defaults: FakeProviders.standardDefaults)
    #expect(providers.asked == [])
    let planning = plan(search + "  - { uses: mail.folders }\n", providers, defaults: FakeProviders.standardDefaults)
    #expect(planning.plan?.steps.map(\.providers) == [["home"], ["home"]])
    #expect(providers.asked == ["home"])
  }

  @Test func aNamedProviderIsAskedAlone() {
    let providers = FakeProviders.standard()
    let planning = plan("steps:\n  - { uses: chat.complete, provider: gpt, with: { prompt: p } }\n", providers)
    #expect(planning.plan?.steps[0].providers == ["gpt"])
    #expect(providers.asked == ["gpt"])
  }

  @Test func theRecipesDefaultsCountMore() {
    let planning = plan(
      "defaults: { chat: [gpt, local] }\nsteps:\n  - { uses: chat.complete, with: { prompt: p } }\n", .standard(),
      defaults: FakeProviders.standardDefaults)
    #expect(planning.plan?.steps[0].providers == ["gpt", "local"])
  }

  @Test func withoutADefaultTheOnlyOneIsTaken() {
    #expect(plan(search, .standard()).plan?.steps[0].providers == ["home"])
  }

  @Test func severalWithoutADefaultAreAnError() {
    let planning = plan("steps:\n  - { uses: chat.complete, with: { prompt: p } }\n", .standard())
    #expect(planning.diagnostics.map(\.code) == [.ambiguousProvider])
  }

  @Test func theEmbeddedOneStandsInWhereNobodyIsConfigured() {
    let providers = FakeProviders(embedded: ["chat": "extractive"])
    let text = "steps:\n  - { uses: chat.complete, with: { prompt: p } }\n"
    #expect(plan(text, providers).plan?.steps[0].providers == ["extractive"])
    let named = "steps:\n  - { uses: chat.complete, provider: extractive, with: { prompt: p } }\n"
    #expect(plan(named, providers).plan?.steps[0].providers == ["extractive"])
  }

  @Test func nobodyAtAllIsAProblemOfTheConfiguration() {
    let planning = plan(search, FakeProviders())
    #expect(planning.diagnostics.isEmpty)
    #expect(planning.plan == nil)
    #expect(planning.providerProblems.map(\.code) == [.noneForContract])
    #expect(planning.providerProblems.first?.step == "a")
  }

  @Test func aBrokenPluginIsReportedOnceAndApart() {
    let providers = FakeProviders(broken: ["bad"])
    let text = "steps:\n  - { id: a, uses: mail.search, provider: bad }\n  - { uses: mail.search, provider: bad }\n"
    let planning = plan(text, providers)
    #expect(planning.diagnostics.isEmpty)
    #expect(planning.providerProblems.map(\.provider) == ["bad"])
    #expect(planning.providerProblems.first?.step == "a")
    #expect(providers.asked == ["bad"])
  }

  @Test func aBrokenPluginDoesNotHideAnotherThatWorks() {
    let providers = FakeProviders(
      [ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store"])], broken: ["bad"])
    #expect(plan(search, providers).plan?.steps[0].providers == ["home"])
    let none = plan("steps:\n  - { uses: chat.complete, with: { prompt: p } }\n", providers)
    #expect(none.providerProblems.map(\.provider) == ["bad"])
  }

  @Test func aDefaultThatDoesNotFitIsAProblemOfTheConfiguration() {
    #expect(plan(search, .standard(), defaults: ["mail.store": ["gone"]]).providerProblems.map(\.code) == [.missing])
    #expect(
      plan(search, .standard(), defaults: ["mail.store": ["gpt"]]).providerProblems.map(\.code) == [.noneForContract])
  }

  @Test func aPluginMayHaveActionsOfItsOwn() {
    let own = ActionSignature(
      name: "weather.today", summary: LocalizedText(verbatim: "Weather"), effect: .read, input: .anything,
      output: .anything)
    let providers = FakeProviders([
      ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store"]),
      ProviderDescription(name: "sky", plugin: "weather", contracts: [], actions: [own]),
    ])
    let planning = plan("steps:\n  - { uses: weather.today }\n", providers)
    #expect(planning.plan?.steps[0].providers == ["sky"])
    #expect(providers.asked == ["sky"])
    let named = plan("steps:\n  - { uses: weather.today, provider: sky }\n", providers)
    #expect(named.plan?.steps[0].providers == ["sky"])
    let typo = plan("steps:\n  - { uses: weather.tody }\n", providers)
    #expect(typo.diagnostics.map(\.suggestion) == ["weather.today"])
    let wrong = plan("steps:\n  - { uses: mail.search, provider: sky }\n", providers)
    #expect(wrong.diagnostics.map(\.code) == [.unsuitableProvider])
  }

  private static let limited = FakeProviders([
    ProviderDescription(
      name: "words", plugin: "extractive", contracts: ["chat"],
      declarations: ["chat.complete": .init(effect: .read, tasks: ["summarise", "classify"])]),
    ProviderDescription(
      name: "model", plugin: "ollama", contracts: ["chat"],
      declarations: ["chat.complete": .init(effect: .read, isCostly: true)]),
  ])

  /// The step's input, and who may be asked of a provider that does some tasks and a model.
  @Test(arguments: [
    ("prompt: p", ["model"]), ("prompt: p, task: summarise", ["words", "model"]),
    ("prompt: p, task: correct", ["model"]), ("prompt: mail/summary, input: x", ["words", "model"]),
    ("prompt: notes/correction, input: x", ["model"]),
    ("prompt: mail/summary, task: write, input: x", ["model"]),
    ("prompt: p, task: \"{{ inputs.task }}\"", ["words", "model"]),
  ])
  func whoCannotDoATaskIsLeftOut(_ input: String, _ expected: [String]) {
    let text = "inputs: { task: string }\nsteps:\n  - { uses: chat.complete, with: { \(input) } }\n"
    let planning = plan(text, Self.limited, defaults: ["chat": ["words", "model"]])
    #expect(planning.plan?.steps[0].providers == expected, "\(planning.summary)")
  }

  @Test(arguments: ["prompt: p", "prompt: p, task: correct", "prompt: notes/protocol, input: x"])
  func aStepThatNeedsAModelIsAProblemOfTheConfigurationWhereThereIsNone(_ input: String) {
    let text = "steps:\n  - { id: a, uses: chat.complete, with: { \(input) } }\n"
    let planning = plan(text, Self.limited, defaults: ["chat": ["words"]])
    #expect(planning.plan == nil && planning.diagnostics.isEmpty)
    #expect(planning.providerProblems.map(\.code) == [.taskUnsupported])
    #expect(planning.providerProblems.first?.step == "a")
    #expect(planning.providerProblems.first?.range != nil)
  }

  @Test func aStepThatItselfNamesWhoCannotDoItIsWrong() {
    let text = "steps:\n  - { uses: chat.complete, provider: words, with: { prompt: p, task: correct } }\n"
    #expect(plan(text, Self.limited).diagnostics.map(\.code) == [.unsuitableProvider])
  }

  @Test func aTaskThatThereIsNotIsWrong() {
    let text = "steps:\n  - { uses: chat.complete, provider: words, with: { prompt: p, task: sumarise } }\n"
    let planning = plan(text, Self.limited)
    #expect(planning.diagnostics.count == 1 && planning.diagnostics.first?.range?.start.line == 2)
  }

  @Test func theStrictestEffectOfAStepsProvidersCounts() {
    let providers = FakeProviders([
      ProviderDescription(
        name: "a", plugin: "a", contracts: ["mail.store"], declarations: ["mail.search": .init(effect: .pure)]),
      ProviderDescription(
        name: "b", plugin: "b", contracts: ["mail.store"],
        declarations: ["mail.search": .init(effect: .once, isCostly: true)]),
    ])
    func action(_ names: String) -> ActionSignature? {
      plan("steps:\n  - { uses: mail.search, provider: [\(names)] }\n", providers).plan?.steps[0].action
    }
    #expect(action("a")?.effect == .read)
    #expect(action("a")?.isCostly == false)
    #expect(action("a, b")?.effect == .once)
    #expect(action("a, b")?.isCostly == true)
  }

  @Test(arguments: [
    "steps:\n  - { id: a, uses: mail.search }\n", "steps:\n  - { id: a, uses: mail.search, provider: home }\n",
  ])
  func aProviderThatClaimsAContractMustHaveTheAction(text: String) {
    let providers = FakeProviders([
      ProviderDescription(
        name: "home", plugin: "half", contracts: ["mail.store"], declarations: ["mail.folders": .init(effect: .read)])
    ])
    let problem = plan(text, providers).providerProblems.first
    #expect(problem?.code == .actionMissing)
    #expect(problem?.provider == "home")
    #expect(problem?.message.english.contains("mail.search") == true)
  }
}
