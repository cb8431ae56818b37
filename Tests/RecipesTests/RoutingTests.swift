import Expressions
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipeSyntax

/// Providers with models, budgets, prices.
@Suite struct RoutingTests {
  private func parse(_ text: String) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    Configuration.parse(SourceText(path: "sous.yaml", text: text))
  }

  @Test func aListMayNameModels() {
    let (configuration, diagnostics) = parse(
      """
      providers: { local: { plugin: ollama }, gpt: { plugin: openai } }
      defaults: { chat: [local, gpt/gpt-4o-mini, { provider: gpt, model: "ft:gpt-4o/x" }], embed: { provider: local } }
      """)
    #expect(diagnostics.isEmpty)
    #expect(configuration.defaults(for: "chat") == ["local", "gpt/gpt-4o-mini", "gpt/ft:gpt-4o/x"])
    #expect(configuration.defaults(for: "embed") == ["local"])
    #expect(ProviderRoute("gpt/ft:gpt-4o/x") == ProviderRoute(provider: "gpt", model: "ft:gpt-4o/x"))
    #expect(ProviderRoute("gpt") == ProviderRoute(provider: "gpt") && ProviderRoute("gpt/") == ProviderRoute("gpt"))
  }

  @Test(arguments: [
    ("defaults: { chat: [nobody/m] }", Diagnostic.Code.unknownProvider),
    ("defaults: { chat: [{ model: m }] }", .missingKey),
    ("defaults: { chat: [{ provider: a, modle: m }] }", .unknownKey),
    ("defaults: { chat: [[a]] }", .wrongType), ("engine: { budget: { cost: -1 } }", .invalidValue),
    ("engine: { budget: { tokens: 1.5 } }", .wrongType), ("engine: { budget: { week: { cost: 1 } } }", .unknownKey),
    ("engine: { budget: { cost: 1, day: { cost: 2 } } }", .conflictingKeys),
  ])
  func mistakesAreTold(_ text: String, _ code: Diagnostic.Code) {
    #expect(parse("providers: { a: { plugin: ollama } }\n" + text).diagnostics.map(\.code).contains(code))
  }

  @Test(arguments: [
    ("temperature: 3", Diagnostic.Code.invalidValue), ("max_tokens: 0", .invalidValue), ("local: maybe", .wrongType),
    ("capabilities: [smell]", .invalidValue), ("budget: { run: { cost: 1 } }", .invalidValue),
  ])
  func mistakesOfAProviderAreTold(_ setting: String, _ code: Diagnostic.Code) {
    #expect(parse("providers: { a: { plugin: ollama, \(setting) } }").diagnostics.map(\.code) == [code])
  }

  @Test func whatHoldsForModelsIsNoSettingOfThePlugin() throws {
    let (configuration, diagnostics) = parse(
      """
      providers:
        gpt:
          plugin: openai
          temperature: 0.2
          max_tokens: 500
          system: Kurz.
          local: true
          context: 8000
          capabilities: [images, schema]
          budget: { cost: 2, month: { cost: 20, tokens: 1000000 } }
          model: small
      """)
    #expect(diagnostics.isEmpty)
    let gpt = try #require(configuration.provider("gpt"))
    #expect(gpt.models.defaults == ["temperature": 0.2, "max_tokens": 500, "system": "Kurz."])
    #expect(gpt.models.isLocal == true && gpt.models.context == 8000)
    #expect(gpt.models.capabilities == [.images, .schema])
    #expect(gpt.models.budget == Budget(day: .init(cost: 2), month: .init(cost: 20, tokens: 1_000_000)))
    #expect(gpt.settings.redacted == .map(["model": .string("small")]))
  }

  /// By the vendors' own lists.
  @Test(arguments: [
    ("gpt-4o-mini", "openai", 0.15 as Double?), ("gpt-4o-2024-08-06", "openai", 2.5), ("gpt-4o", nil, nil),
    ("gpt-4o-realtime-preview", "openai", nil), ("mistral-small-latest", "mistral", 0.1),
    ("mistral-small", "openai", nil),
  ])
  func pricesOfVendorsAreForTheirServers(_ model: String, _ vendor: String?, _ input: Double?) {
    let price = ModelTable().price(of: model, provider: "p", vendor: vendor, isLocal: false)
    #expect(price?.input == input)
  }

  @Test func theConfigurationsPricesStandAbove() {
    let (configuration, diagnostics) = parse(
      """
      engine:
        prices:
          gpt-4: { input: 7, output: 8 }
          mine/gpt-4o: { input: 1, output: 2, cached: 0.5 }
          house/: { input: 0.1, output: 0.1 }
      """)
    #expect(diagnostics.isEmpty)
    let table = ModelTable(configuration.engine)
    #expect(table.price(of: "gpt-4o", provider: "gpt", vendor: "openai", isLocal: false)?.input == 7)
    #expect(table.price(of: "gpt-4o", provider: "mine", vendor: "openai", isLocal: false)?.input == 1)
    #expect(table.price(of: "any", provider: "house", vendor: nil, isLocal: false)?.input == 0.1)
    #expect(table.price(of: "any", provider: "other", vendor: nil, isLocal: false) == nil)
    #expect(table.price(of: "any", provider: "other", vendor: nil, isLocal: true)?.input == 0)
    let price = EngineSettings.Price(input: 2, output: 10, cached: 1)
    #expect(price.cost(prompt: 1_000_000, cached: 250_000, completion: 100_000) == 1.5 + 0.25 + 1)
  }
}
