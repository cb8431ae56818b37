import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Plans
import PluginBoundary
import PluginConformance
import PluginHost
import Schemas
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConformanceSuiteTests {
  /// The results of the suite for a manifest and what stands in for the plugin.
  private func results(
    _ manifest: PluginManifest, _ provider: FakeProvider, options: ConformanceOptions = .forTests
  ) async -> [Check: CheckResult] {
    var results: [Check: CheckResult] = [:]
    let suite = ConformanceSuite(manifest, options: options, heap: { _ in provider.leaked.withLock { $0 } })
    await suite.run(open: { () throws(PluginError) in provider }) { results[$0.check] = $0 }
    return results
  }

  private func manifest(_ changes: String = "", actions: String = Self.greet) throws -> PluginManifest {
    let text = """
      {"id": "greeter", "version": "1.0.0", "summary": "Greets", "contracts": [], \(changes)
       "actions": [\(actions)]}
      """
    return try PluginManifest(json: Array(text.utf8), path: "/nowhere/libgreeter.so")
  }

  private static let greet = """
    {"name": "greeter.greet", "summary": "Greets somebody", "effect": "pure",
     "input": {"type": "object", "required": ["name"], "additionalProperties": false,
               "properties": {"name": {"type": "string", "minLength": 3}}},
     "output": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}
    """

  @Test func soundPluginPassesEverything() async throws {
    let results = await results(try manifest(), FakeProvider { _ in ["text": "Hello"] })
    for check in Check.allCases where check != .handshake && check != .closing {
      let skipped: Set<Check> = [.contracts, .unknownAction, .verification]
      #expect(results[check]?.outcome == (skipped.contains(check) ? .skipped : .passed), "\(check)")
    }
  }

  @Test(arguments: [nil, ActionFailure.Kind.unsupported, .invalidInput, .crashed])
  func pluginThatAnswersAnUnknownActionIsFound(refusal: ActionFailure.Kind?) async throws {
    let asked = Mutex<[String]>([])
    let suite = ConformanceSuite(
      try manifest(), options: .forTests, heap: { _ in nil },
      callUnknown: { (_, request, _) async throws(ActionFailure) in
        asked.withLock { $0.append(request.action) }
        if let refusal { throw ActionFailure(refusal, LocalizedText(verbatim: "x")) }
        return ["text": "Hello"]
      })
    let provider = FakeProvider { _ in ["text": "Hello"] }
    let found = Mutex<CheckResult?>(nil)
    await suite.run(open: { () throws(PluginError) in provider }) { result in
      if result.check == .unknownAction { found.withLock { $0 = result } }
    }
    let isRefused = refusal == .unsupported || refusal == .invalidInput
    #expect(found.withLock { $0?.outcome } == (isRefused ? .passed : .failed))
    #expect(asked.withLock { Set($0) } == ["greeter.no-such-action"])
  }

  @Test(arguments: [
    (ActionFailure.Kind.protocol, Check.badInput), (.protocol, .concurrency), (.crashed, .actions),
    (.timeout, .actions),
  ])
  func brokenAnswersFailTheCheck(_ kind: ActionFailure.Kind, _ check: Check) async throws {
    let provider = FakeProvider { _ throws(ActionFailure) in throw ActionFailure(kind, LocalizedText(verbatim: "x")) }
    #expect(await results(try manifest(), provider)[check]?.outcome == .failed)
  }

  @Test func refusalOfWrongInputIsFine() async throws {
    let provider = FakeProvider { input throws(ActionFailure) in
      guard let name = input["name"]?.stringValue, name.count >= 3 else {
        throw ActionFailure(.invalidInput, LocalizedText(verbatim: "no name"))
      }
      return ["text": .string(name)]
    }
    let results = await results(try manifest(), provider)
    #expect(results[.badInput]?.outcome == .passed)
    #expect(results[.actions]?.findings.isEmpty == true)
    #expect(provider.inputs.withLock { $0.contains(.map([:])) && $0.contains(["name": .null]) })
  }

  @Test func pureActionThatChangesItsAnswerIsFound() async throws {
    let count = Mutex(0)
    let provider = FakeProvider { _ in
      [
        "text": .string(
          String(
            count.withLock {
              $0 += 1; return $0
            }))
      ]
    }
    #expect(await results(try manifest(), provider)[.concurrency]?.outcome == .failed)
  }

  @Test func lostMemoryIsFound() async throws {
    let provider = FakeProvider(leaking: 100) { _ in ["text": "Hello"] }
    #expect(await results(try manifest(), provider)[.memory]?.outcome == .failed)
    let sound = FakeProvider { _ in ["text": "Hello"] }
    #expect(await results(try manifest(), sound)[.memory]?.outcome == .passed)
  }

  @Test func claimOfSuccessForAnAttemptThatNeverWasIsFound() async throws {
    let sending = Self.greet.replacing("\"pure\"", with: "\"once\", \"verifies\": true")
    let liar = FakeProvider(verdict: .done(output: ["text": "sent"])) { _ in ["text": "Hello"] }
    #expect(await results(try manifest(actions: sending), liar)[.verification]?.outcome == .failed)
    let honest = FakeProvider(verdict: .notDone) { _ in ["text": "Hello"] }
    #expect(await results(try manifest(actions: sending), honest)[.verification]?.outcome == .passed)
  }

  @Test func actionsWithEffectsAreCalledOnlyWithInputThatTheirSchemaForbids() async throws {
    let sending = Self.greet.replacing("\"pure\"", with: "\"once\"")
    let manifest = try manifest(actions: sending)
    let provider = FakeProvider { _ in ["text": "Hello"] }
    _ = await results(manifest, provider)
    let schema = try #require(manifest.actions.first?.input)
    #expect(provider.inputs.withLock { !$0.isEmpty && $0.allSatisfy { !schema.validate($0).isEmpty } })

    var options = ConformanceOptions.forTests
    options.includesEffects = true
    _ = await results(manifest, provider, options: options)
    #expect(provider.inputs.withLock { $0.contains { schema.validate($0).isEmpty } })
  }

  @Test func actionWithEffectsIsCalledByTheGuardedProviderWhereTheOtherReachesTheWorld() async throws {
    let sending = Self.greet.replacing("\"pure\"", with: "\"idempotent\", \"verifies\": true")
    var options = ConformanceOptions.forTests
    options.isLive = true
    for (hasGuarded, includesEffects) in [(true, false), (false, false), (true, true)] {
      options.includesEffects = includesEffects
      let (live, guarded) = (
        FakeProvider(verdict: .notDone) { _ in ["text": "Hello"] },
        FakeProvider(verdict: .notDone) { _ in ["text": "Hello"] }
      )
      let here = FakeProvider { _ in ["text": "Hello"] }
      let suite = ConformanceSuite(try manifest(actions: sending), options: options, heap: { _ in 0 })
      let openGuarded: ConformanceSuite.Opening = { () throws(PluginError) in guarded }
      await suite.run(
        open: { () throws(PluginError) in live }, openGuarded: hasGuarded ? openGuarded : nil,
        openOffline: { () throws(PluginError) in here }
      ) { #expect($0.outcome != .failed, "\($0.check)") }
      #expect(live.inputs.withLock(\.isEmpty) == !includesEffects)
      #expect(live.questions.withLock(\.isEmpty) == !includesEffects)
      #expect(guarded.inputs.withLock(\.isEmpty) == (includesEffects || !hasGuarded))
    }
  }

  @Test func eachQuestionHasAKeyUnderWhichNothingWasDone() async throws {
    let sending = Self.greet.replacing("\"pure\"", with: "\"once\", \"verifies\": true")
    var options = ConformanceOptions.forTests
    options.includesEffects = true
    let provider = FakeProvider(verdict: .notDone) { _ in ["text": "Hello"] }
    for _ in 0..<2 { _ = await results(try manifest(actions: sending), provider, options: options) }
    let (asked, used) = (provider.questions.withLock { $0 }, provider.keys.withLock { $0 })
    #expect(asked.count == 2 && Set(asked).count == 2 && used.isDisjoint(with: asked) && !used.isEmpty)
  }

  @Test func pluginWithHostsIsCalledAndMayFailForWantOfANetwork() async throws {
    let manifest = try manifest("\"hosts\": [\"api.example.com\"],")
    let provider = FakeProvider { _ throws(ActionFailure) in
      throw ActionFailure(.unreachable, LocalizedText(verbatim: "offline"))
    }
    let results = await results(manifest, provider)
    for check in [Check.actions, .badInput, .cancellation, .concurrency, .memory] {
      #expect(results[check]?.outcome == .passed, "\(check)")
    }
    #expect(results[.actions]?.summary.english.contains("--live") == true)
    let schema = try #require(manifest.actions.first?.input)
    #expect(provider.inputs.withLock { $0.contains { schema.validate($0).isEmpty } })
  }

  @Test func whatHangsIsNotCalledOverAndOver() async throws {
    let provider = FakeProvider { _ throws(ActionFailure) in
      throw ActionFailure(.timeout, LocalizedText(verbatim: "late"))
    }
    let results = await results(try manifest(), provider)
    #expect(results[.actions]?.outcome == .failed)
    #expect(results[.concurrency]?.outcome == .skipped)
    #expect(provider.inputs.withLock(\.count) == 1)
  }

  @Test func whatDoesNotGoIsFound() async throws {
    let provider = FakeProvider { _ in ["text": "Hello"] }
    let suite = ConformanceSuite(try manifest(), options: .forTests, heap: { _ in 0 })
    for (goes, outcome) in [(true, CheckResult.Outcome.passed), (false, .failed)] {
      var last: CheckResult?
      await suite.run(open: { () throws(PluginError) in provider }, close: { goes }) { last = $0 }
      #expect(last?.check == .closing && last?.outcome == outcome)
    }
  }

  @Test(arguments: [
    (#""version": "soon","#, Check.manifest), (#""hosts": ["https://example.com/"],"#, .manifest),
    (#""hosts": ["{base_url}"], "config": {"type": "object", "properties": {}},"#, .manifest),
    (#""secrets": ["token"], "config": {"type": "object", "properties": {}},"#, .manifest),
    (#""config": {"type": "objekt"},"#, .schemas),
  ])
  func mistakesInTheManifestAreFound(_ change: String, _ check: Check) async throws {
    let results = await results(try manifest(change), FakeProvider { _ in ["text": "Hello"] })
    #expect(results[check]?.outcome == .failed)
  }

  @Test func contractHasToBeCarriedOutWhole() async throws {
    let text = """
      {"id": "greeter", "version": "1.0.0", "summary": "Greets", "contracts": ["embed/1"], "actions": [\(Self.greet)]}
      """
    let missing = try PluginManifest(json: Array(text.utf8), path: "/nowhere/libgreeter.so")
    let provider = FakeProvider { _ in ["text": "Hello"] }
    #expect(await results(missing, provider)[.contracts]?.outcome == .failed)

    func embedding(_ effect: String) throws -> PluginManifest {
      let text = """
        {"id": "greeter", "version": "1.0.0", "summary": "Embeds", "contracts": ["embed/1"],
         "actions": [{"name": "embed.texts", "summary": "Embeds", "effect": "\(effect)"}]}
        """
      return try PluginManifest(json: Array(text.utf8), path: "/nowhere/libgreeter.so")
    }
    #expect(await results(try embedding("once"), provider)[.contracts]?.outcome == .failed)
    #expect(await results(try embedding("read"), provider)[.contracts]?.outcome == .passed)
  }

  /// A plugin that claims a contract, with all its actions and perhaps its triggers.
  private func mailbox(claiming claim: String, triggers: Bool = false) throws -> PluginManifest {
    let contract = try #require(BundledContract.claimed("mail.store/2"))
    let actions = contract.signatures.map {
      #"{"name": "\#($0.name)", "summary": "x", "effect": "\#($0.effect.rawValue)"}"#
    }
    let watching = triggers ? contract.triggers.map { #"{"name": "\#($0.name)", "summary": "x"}"# } : []
    let text = """
      {"id": "box", "version": "1.0.0", "summary": "x", "contracts": ["\(claim)"],
       "actions": [\(actions.joined(separator: ", "))], "triggers": [\(watching.joined(separator: ", "))]}
      """
    return try PluginManifest(json: Array(text.utf8), path: "/nowhere/libbox.so")
  }

  @Test func aClaimNamesAVersionThatExists() async throws {
    func outcome(_ manifest: PluginManifest) async -> CheckResult.Outcome? {
      let provider = FakeProvider { _ in ["folders": []] }
      return await results(manifest, provider)[.contracts]?.outcome
    }
    #expect(await outcome(try mailbox(claiming: "mail.store/2", triggers: true)) == .passed)
    // The trigger belongs to the contract, too.
    #expect(await outcome(try mailbox(claiming: "mail.store/2")) == .failed)
    for claim in ["mail.store/1", "mail.store/3"] {
      #expect(await outcome(try mailbox(claiming: claim, triggers: true)) == .failed)
    }
  }

  /// An action that no recipe finds, a contract that nobody knows, and names that are others'.
  @Test func strangeNamesAreFound() async throws {
    let provider = FakeProvider { _ in ["text": "Hello"] }
    let foreign = try manifest(actions: Self.greet.replacing("greeter.greet", with: "mail.greet"))
    #expect(await results(foreign, provider)[.contracts]?.outcome == .failed)
    let unknown = """
      {"id": "greeter", "version": "1.0.0", "summary": "x", "contracts": ["weather/1"], "actions": [\(Self.greet)]}
      """
    let claiming = try PluginManifest(json: Array(unknown.utf8), path: "/nowhere/libgreeter.so")
    #expect(await results(claiming, provider)[.contracts]?.outcome == .failed)
    for (reserved, outcome) in [(["mail"], CheckResult.Outcome.passed), (["mail", "greeter"], .failed)] {
      var first: CheckResult?
      let suite = ConformanceSuite(
        try manifest(), options: .forTests, heap: { _ in 0 }, reserved: Set(reserved))
      await suite.run(open: { () throws(PluginError) in provider }) { if $0.check == .manifest { first = $0 } }
      #expect(first?.outcome == outcome)
    }
  }

  @Test func whatTheHostHoldsAgainstAPluginFailsTheCheckInWhichItCameUp() async throws {
    let provider = FakeProvider { _ in ["text": "Hello"] }
    let held = Mutex<[LocalizedText]>([])
    let suite = ConformanceSuite(
      try manifest(), options: .forTests, heap: { _ in 0 },
      defects: {
        held.withLock { held in
          defer { held = [] }
          return held
        }
      })
    var failed: [Check] = []
    let isSound = await suite.run(
      open: { () throws(PluginError) in provider },
      willRun: { check in
        // The same in two checks is told once.
        if check == .actions || check == .memory { held.withLock { $0.append(LocalizedText(verbatim: "twice")) } }
      }
    ) { if $0.outcome == .failed { failed.append($0.check) } }
    #expect(!isSound && failed == [.actions])
  }

  @Test func equalAdviceIsGivenOnce() async throws {
    let provider = FakeProvider { _ throws(ActionFailure) in
      throw ActionFailure(.invalidInput, LocalizedText(verbatim: "no"))
    }
    let results = await results(try manifest(), provider)
    #expect(results.values.flatMap(\.findings).count == 1)
  }

  @Test(arguments: BundledContract.all.flatMap(\.signatures))
  func everyActionOfTheContractsCanBeTriedWithMadeUpInput(_ signature: ActionSignature) async throws {
    let text = """
      {"id": "greeter", "version": "1.0.0", "summary": "x", "contracts": [],
       "actions": [{"name": "greeter.act", "summary": "x", "effect": "pure",
                    "input": \(signature.input.document.jsonString), "output": {"type": "object"}}]}
      """
    let manifest = try PluginManifest(json: Array(text.utf8), path: "/nowhere/libgreeter.so")
    let provider = FakeProvider { _ in [:] }
    #expect(await results(manifest, provider)[.actions]?.outcome == .passed)
    #expect(provider.inputs.withLock { $0.contains { signature.input.validate($0).isEmpty } })
  }
}

extension ConformanceOptions {
  fileprivate static var forTests: ConformanceOptions {
    var options = ConformanceOptions()
    options.memoryCalls = 2000
    options.parallelCalls = 8
    options.settleSeconds = 0
    return options
  }
}

/// Stands in for a plugin.
private final class FakeProvider: StepProvider {
  typealias Body = @Sendable (Value) throws(ActionFailure) -> Value

  let inputs = Mutex<[Value]>([])
  /// The keys of calls, and of questions about them.
  let keys = Mutex<Set<String>>([])
  let questions = Mutex<[String]>([])
  let leaked = Mutex(0)
  private let leak: Int
  private let verdict: Verdict
  private let body: Body

  init(leaking leak: Int = 0, verdict: Verdict = .unknown, _ body: @escaping Body) {
    self.leak = leak
    self.verdict = verdict
    self.body = body
  }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    leaked.withLock { $0 += leak }
    keys.withLock { _ = $0.insert(request.key) }
    inputs.withLock { if $0.count < 10_000 { $0.append(request.input) } }
    return try body(request.input)
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    questions.withLock { $0.append(request.key) }
    return verdict
  }
}
