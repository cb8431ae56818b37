import Engine
import Expressions
import Plans
import Schemas
import Synchronization
import TestSupport
import Testing

/// Whose results `cache:` gives to whom.
@Suite(.timeLimit(.minutes(5))) struct KeptResultsTests {
  /// Keeps results as long as it lives.
  private final class MemoryCache: ResultCache {
    private let results = Mutex<[String: Value]>([:])

    func cachedResult(_ key: String, at now: Timestamp) async throws -> Value? { results.withLock { $0[key] } }

    func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws {
      results.withLock { $0[key] = value }
    }
  }

  private let cache = MemoryCache()

  /// A step that reads something and keeps it.
  private func reading(
    _ id: String, key: Value? = nil, with input: Value = ["place": "here"], provider: String? = "main"
  ) -> PlanStep {
    var step = PlanStep.step(id, effect: .read, providers: provider.map { [$0] } ?? [], input: .literal(input))
    step.action = ActionSignature(
      name: "store.read", summary: step.action.summary, effect: .read, input: .anything, output: .anything)
    step.cache = PlanStep.Cache(key: key.map(BoundValue.literal), seconds: 3600)
    return step
  }

  /// How often somebody is called for the steps of recipes that run one after the other.
  private func calls(
    _ plans: Plan..., scope: @escaping @Sendable (String?) -> String = { _ in "" }
  ) async throws -> Int {
    let providers = ScriptedProviders()
    var options = RunEngine.Options.inPlace
    options.cache = cache
    options.resultScope = scope
    let engine = RunEngine(queue: try MemoryQueue(), providers: providers, time: JumpingTime(), options: options)
    for (number, plan) in plans.enumerated() {
      let result = try await engine.run(plan, RunRequest(id: RunID(rawValue: "R\(number)")))
      #expect(result.status == .succeeded)
    }
    return providers.requests.count
  }

  private func plan(_ name: String = "test", path: String? = nil, _ steps: PlanStep...) -> Plan {
    var plan = Plan.plan(steps)
    plan.name = name
    plan.path = path ?? name + ".yaml"
    return plan
  }

  @Test func oneInputIsAskedForOnce() async throws {
    #expect(try await calls(plan("one", reading("a"), reading("b").needing([0])), plan("two", reading("c"))) == 1)
    #expect(try await calls(plan("one", reading("a", with: ["place": "there"]))) == 1)
    #expect(try await calls(plan("one", reading("a", provider: "other"))) == 1)
  }

  @Test func aKeyNamesAResultOfItsStepAlone() async throws {
    #expect(try await calls(plan("one", reading("a", key: "k")), plan("one", reading("a", key: "k"))) == 1)
    #expect(try await calls(plan("one", reading("a", key: "l"))) == 1)
    #expect(try await calls(plan("one", reading("b", key: "k"))) == 1)
    #expect(try await calls(plan("two", reading("a", key: "k"))) == 1)
    #expect(try await calls(plan("one", path: "sub/one.yaml", reading("a", key: "k"))) == 1)
    // Not even one without a key that happens to be given the same.
    #expect(try await calls(plan("one", reading("a", with: "k"))) == 1)
    #expect(try await calls(plan("one", reading("a", key: "k"))) == 0)
  }

  @Test func whatIsAskedNowIsNotAnsweredWithWhatWasAskedBefore() async throws {
    #expect(try await calls(plan("one", reading("a", key: "k", with: ["prompt": "Summarise"]))) == 1)
    #expect(try await calls(plan("one", reading("a", key: "k", with: ["prompt": "Translate"]))) == 1)
    #expect(try await calls(plan("one", reading("a", key: "k", with: ["prompt": "Summarise"]))) == 0)
  }

  @Test(arguments: [nil, "k"] as [Value?])
  func aProviderWithOtherSettingsIsAskedAnew(_ key: Value?) async throws {
    let recipe = plan("one", reading("a", key: key))
    #expect(try await calls(recipe) { "\($0 ?? "own"): folder A" } == 1)
    #expect(try await calls(recipe) { "\($0 ?? "own"): folder B" } == 1)
    #expect(try await calls(recipe) { "\($0 ?? "own"): folder A" } == 0)
  }

  @Test func whatSousDoesItselfBelongsToTheRecipe() async throws {
    let read = reading("a", provider: nil)
    #expect(try await calls(plan("one", read), plan("one", read)) == 1)
    #expect(try await calls(plan("two", read)) == 1)
    #expect(try await calls(plan("one", read)) { _ in "another folder" } == 1)
  }
}
