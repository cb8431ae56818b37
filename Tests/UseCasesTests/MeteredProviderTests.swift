import Builtins
import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Synchronization
import TestWorkspace
import Testing

@testable import Providers
@testable import UseCases

/// Calls of models, counted and held to what they may use.
/// Makes no summaries.
private struct NoSummaries: MessageSummaries {
  func summary(
    account: String?, folder: String, uid: String, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value { .null }
  func round(older: Int, reporter: any ActionReporter) async throws(ActionFailure) -> Value { .null }
}

@Suite(.timeLimit(.minutes(5))) struct MeteredProviderTests {
  /// Answers as it is told, and remembers what it was asked.
  private final class Model: StepProvider, ProviderDirectory {
    let answer: Result<Value, ActionFailure>
    let pieces: Int
    let asked = Mutex<[Value]>([])

    init(_ answer: Result<Value, ActionFailure>, pieces: Int = 1) {
      self.answer = answer
      self.pieces = pieces
    }

    var builtins: any StepProvider { self }

    func provider(named name: String) async throws(ActionFailure) -> any StepProvider { self }

    func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
      asked.withLock { $0.append(request.input) }
      for _ in 0..<pieces { reporter.delta(["text": "x"]) }
      return try answer.get()
    }

    func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
      .unknown
    }
  }

  private static func answer(_ prompt: Int, _ completion: Int) -> Value {
    [
      "text": "x", "model": "m-1",
      "usage": ["prompt_tokens": .int(Int64(prompt)), "completion_tokens": .int(Int64(completion))],
    ]
  }

  private static let configuration = """
    providers:
      gpt:
        plugin: openai
        temperature: 0.3
        max_tokens: 10
        system: Be brief.
        context: 200
        capabilities: [tools]
      dear: { plugin: openai, budget: { tokens: 100 } }
    engine:
      prices: { m: { input: 100000, output: 200000 }, gpt/m: { input: 1000000, output: 500000, cached: 250000 } }
    """

  private func metered(
    _ model: Model, _ session: Session, route: String = "gpt/m", configuration: String = configuration,
    isLocal: Bool = false
  ) -> (ChatProvider, ProviderChain) {
    let configured = ConfiguredProviders(
      configuration: Configuration.parse(SourceText(path: "sous.yaml", text: configuration)).configuration,
      manifests: session.project.manifests)
    let chain = ProviderChain(
      NeutralisingProviders(model, configured), actions: BuiltinActions(), store: session.store,
      breakers: BreakerBoard(), notes: model, summaries: { _ in NoSummaries() })
    let route = ProviderRoute(route)
    let metered = MeteredProvider(chain: chain, route: route, base: model, isLocal: isLocal)
    let defaults = configured.configuration.provider(route.provider)?.models.defaults
    return (ChatProvider(base: metered, defaults: defaults ?? ValueMap()), chain)
  }

  private func request(_ input: Value, recipe: String = "") -> ActionRequest {
    ActionRequest(
      run: RunID(rawValue: "01A"), step: "s", attempt: 1, action: "chat.complete", input: input, key: "k",
      recipe: recipe)
  }

  /// Why a call fails; `nil` where it does not.
  private static func failure(of provider: ChatProvider, _ request: ActionRequest) async -> ActionFailure? {
    do throws(ActionFailure) {
      _ = try await provider.perform(request, reporter: SilentReporter())
      return nil
    } catch {
      return error
    }
  }

  @Test func theProvidersOwnValuesStandWhereTheCallHasNone() async throws {
    try await Place().withSession { session in
      let model = Model(.success(Self.answer(1, 1)))
      let (provider, _) = metered(model, session)
      _ = try await provider.perform(request(["prompt": "x", "temperature": 1.5]), reporter: SilentReporter())
      let turns: Value = .list([["role": "system", "content": "s"], ["role": "user", "content": "u"]])
      _ = try await provider.perform(request(["messages": turns]), reporter: SilentReporter())
      let asked = model.asked.withLock { $0 }
      #expect(
        asked.first
          == ["prompt": "x", "temperature": 1.5, "model": "m", "max_tokens": 10, "system": "Be brief."])
      // Who brings instructions of their own need no others.
      #expect(asked.last == ["messages": turns, "temperature": 0.3, "model": "m", "max_tokens": 10])
    }
  }

  @Test func outsideOfRunsACallIsWrittenAtOnce() async throws {
    try await Place().withSession { session in
      let (provider, directory) = metered(Model(.success(Self.answer(3, 2))), session)
      _ = try await provider.perform(request(["prompt": "x"]), reporter: SilentReporter())
      let row = try #require(try await session.store.usage(by: .provider).first)
      #expect(row.key == "gpt" && row.tokens == TokenCount(prompt: 3, completion: 2) && row.cost == 4)
      #expect(row.streamed == 1 && directory.take(request([:])).isEmpty)
    }
  }

  @Test func inARunTheAttemptTakesItAlong() async throws {
    try await Place().withSession { session in
      let (provider, directory) = metered(Model(.success(Self.answer(3, 2))), session)
      let request = request(["prompt": "x"], recipe: "r")
      _ = try await provider.perform(request, reporter: SilentReporter())
      #expect(try await session.store.usage(by: .recipe).first?.open == 1)
      let usage = try #require(directory.take(request).first)
      #expect(usage.model == "m-1" && usage.state == .answered && usage.tokens.total == 5)
      #expect(directory.take(request).isEmpty)
    }
  }

  /// What a failure says of what was used: how it was, how many pieces came before, and what is known of it.
  @Test(arguments: [
    (ActionFailure.Kind.refused, 0, nil, CallUsage.State.failed), (.auth, 0, nil, .failed), (.server, 0, nil, .failed),
    (.server, 1, nil, .unknown), (.timeout, 0, nil, .unknown), (.io, 1, nil, .unknown), (.cancelled, 1, nil, .unknown),
    (.unsuitable, 1, TokenCount(prompt: 4, completion: 6), .failed),
  ])
  func failuresCountForWhatTheyAre(
    _ kind: ActionFailure.Kind, _ pieces: Int, _ used: TokenCount?, _ state: CallUsage.State
  ) async throws {
    try await Place().withSession { session in
      var failure = ActionFailure(kind, LocalizedText(verbatim: "no"))
      failure.usage = used
      let (provider, directory) = metered(Model(.failure(failure), pieces: pieces), session)
      let request = request(["prompt": "x"], recipe: "r")
      #expect(await Self.failure(of: provider, request) == failure)
      let usage = try #require(directory.take(request).first)
      #expect(usage.state == state && usage.failure == kind && usage.tokens == used ?? TokenCount())
      #expect((usage.heldTokens > 0) == (state == .unknown))
    }
  }

  @Test func anAnswerWithoutACountIsNotTakenForNothing() async throws {
    try await Place().withSession { session in
      let (provider, _) = metered(Model(.success(Self.answer(0, 0))), session)
      _ = try await provider.perform(request(["prompt": "x"]), reporter: SilentReporter())
      #expect(try await session.store.usage(by: .provider).first?.unknown == 1)
    }
  }

  /// What a model cannot do, or take, is not asked of it.
  @Test(
    arguments: [
      ["prompt": "x", "images": .list(["data:image/png;base64,AA=="])], ["prompt": "x", "schema": ["type": "object"]],
      ["prompt": .string(String(repeating: "word ", count: 200))], ["prompt": "x", "max_tokens": 200],
    ] as [Value])
  func whatAModelCannotDoIsPassedOver(_ input: Value) async throws {
    try await Place().withSession { session in
      let model = Model(.success(Self.answer(1, 1)))
      let (provider, _) = metered(model, session)
      do throws(ActionFailure) {
        _ = try await provider.perform(request(input), reporter: SilentReporter())
        Issue.record("asked")
      } catch {
        #expect(error.kind == .unsupported && !error.wasSent && error.message.english.contains("gpt/m"))
      }
      #expect(model.asked.withLock { $0.isEmpty })
      let used = try await session.store.usage(by: .provider)
      #expect(used.isEmpty)
    }
  }

  @Test func aBudgetRefusesWithWhatIsUsedAndWhatToDo() async throws {
    try await Place().withSession { session in
      let model = Model(.success(Self.answer(40, 10)))
      let (provider, _) = metered(model, session, route: "dear/m")
      let question: Value = ["prompt": "x", "max_tokens": 20]
      _ = try await provider.perform(request(question), reporter: SilentReporter())
      _ = try await provider.perform(request(question), reporter: SilentReporter())
      do throws(ActionFailure) {
        _ = try await provider.perform(request(question), reporter: SilentReporter())
        Issue.record("asked")
      } catch {
        #expect(error.kind == .quota && !error.kind.isTransient && !error.wasSent)
        #expect(error.message.english.contains("'dear'") && error.message.english.contains("100 of 100"))
        #expect(error.advice?.english.contains("providers.dear.budget") == true)
      }
      #expect(model.asked.withLock { $0.count } == 2)
    }
  }

  /// A budget for six answers, asked sixteen times at once: six are asked, whatever was set aside for the others meanwhile.
  @Test func sixteenCallsAtOnceUseABudgetToItsEnd() async throws {
    let configuration = """
      providers: { dear: { plugin: openai } }
      engine: { budget: { tokens: 140 } }
      """
    try await Place().withSession { session in
      let model = Model(.success(Self.answer(10, 10)))
      let (provider, _) = metered(model, session, route: "dear/m", configuration: configuration)
      let kinds = await withTaskGroup(of: ActionFailure.Kind?.self) { group in
        for _ in 0..<16 {
          group.addTask {
            do throws(ActionFailure) {
              _ = try await provider.perform(request(["prompt": "x", "max_tokens": 10]), reporter: SilentReporter())
              return nil
            } catch {
              return error.kind
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(kinds.filter { $0 == nil }.count == 6)
      #expect(kinds.compactMap(\.self) == Array(repeating: .quota, count: 10))
      #expect(model.asked.withLock { $0.count } == 6)
      let used = try await session.store.usage(by: .provider)
      #expect(used.first?.tokens.total == 120)
    }
  }

  @Test func localKeepsModelsOfVendorsAway() async throws {
    try await Place().withSession { session in
      let model = Model(.success(Self.answer(1, 1)))
      let (provider, _) = metered(model, session, route: "gpt/gpt-oss:120b-cloud", isLocal: true)
      let request = request(["prompt": "x"])
      #expect(await Self.failure(of: provider, request)?.kind == .unsupported)
      #expect(model.asked.withLock { $0.isEmpty })
    }
  }

  @Test(arguments: [
    ("http://localhost:11434", true), ("http://127.0.0.1/v1", true), ("http://[::1]:8000", true), ("10.1.2.3", true),
    ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.1.1:80", true), ("http://[fd00::1]/v1", true),
    ("http://[fe80::1]", true), ("http://box.local:1", true), ("llm.home.arpa", true),
    ("https://api.openai.com/v1", false),
    ("http://localhost.example.com", false), ("http://127.0.0.1.example.com", false), ("8.8.8.8", false),
    ("http://[2001:db8::1]/", false), ("http://[::ffff:10.0.0.1]/", true), ("http://[::ffff:8.8.8.8]/", false),
    ("", false),
    ("http://user@localhost@example.com/", false), ("localhost.", true),
  ])
  func addressesAreHereOrElsewhere(_ address: String, _ isPrivate: Bool) {
    #expect(ConfiguredProviders.isPrivate(address) == isPrivate)
  }
}
