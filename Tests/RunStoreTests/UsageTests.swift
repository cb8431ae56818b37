import Engine
import Expressions
import Plans
import RecipeModel
import RecipePlanning
import TestSupport
import Testing

@testable import RunStore

/// What calls of models use, and budgets.
@Suite(.timeLimit(.minutes(5))) struct UsageTests {
  private let folder: TemporaryFolder
  private let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private func call(
    _ provider: String = "gpt", run: String? = nil, recipe: String = "", tokens: Int = 100, cost: Double? = 0.5,
    day: String = "2026-11-23", attempt: Int = 1
  ) -> CallReservation {
    var call = CallReservation(
      action: "chat.complete", provider: provider, model: "m", tokens: tokens, cost: cost, at: SampleRun.start, day: day
    )
    call.run = run.map(RunID.init(rawValue:))
    call.recipe = recipe
    if run != nil { (call.step, call.attempt) = ("s", attempt) }
    return call
  }

  private func admitted(_ store: RunStore, _ call: CallReservation, _ budgets: [BudgetBound] = []) async throws
    -> Int64?
  {
    if case .admitted(let number) = try await store.reserve(call, budgets: budgets) { number } else { nil }
  }

  private func end(
    _ number: Int64, prompt: Int = 10, completion: Int = 5, cost: Double? = 0.1, state: CallUsage.State = .answered
  ) -> CallUsage {
    var usage = CallUsage(
      number: number, state: state, tokens: TokenCount(prompt: prompt, completion: completion, cached: 4, reasoning: 2),
      duration: 1.5)
    (usage.cost, usage.firstPiece, usage.model) = (cost, 0.25, "m-1")
    return usage
  }

  @Test func sumsAreThoseOfTheCalls() async throws {
    for (provider, day) in [("gpt", "2026-11-22"), ("gpt", "2026-11-23"), ("local", "2026-11-23")] {
      let number = try #require(try await admitted(store, call(provider, day: day)))
      try await store.settle([end(number)])
    }
    let byProvider = try await store.usage(by: .provider)
    #expect(byProvider.map(\.key) == ["gpt", "local"])
    #expect(byProvider.map(\.calls) == [2, 1])
    #expect(byProvider[0].tokens == TokenCount(prompt: 20, completion: 10, cached: 8, reasoning: 4))
    #expect(byProvider[0].answered == 2 && byProvider[0].duration == 3 && byProvider[0].firstPiece == 0.5)
    #expect(abs((byProvider[0].cost ?? 0) - 0.2) < 1e-9)
    #expect(try await store.usage(by: .day).map(\.key) == ["2026-11-22", "2026-11-23"])
    #expect(try await store.usage(by: .model).map(\.key) == ["m-1"])
    try await store.close()
  }

  @Test func whatHadNoPriceIsPricedWhenItIsKnown() async throws {
    let number = try #require(try await admitted(store, call(cost: nil)))
    try await store.settle([end(number, prompt: 1_000_000, completion: 1_000_000, cost: nil)])
    #expect(try await store.usage(by: .model).first?.cost == nil)
    #expect(try await store.usage(by: .model).first?.unpriced == 2_000_000)
    let priced = try await store.usage(by: .model) { _, _ in EngineSettings.Price(input: 2, output: 8) }
    #expect(priced.first?.cost == 10 && priced.first?.unpriced == 0)
    try await store.close()
  }

  @Test func theEndOfAnAttemptWritesItAndItOutlivesTheRun() async throws {
    try await store.record([SampleRun.started("01A")], durability: .committed)
    let number = try #require(try await admitted(store, call(run: "01A", recipe: "digest")))
    #expect(try await store.usage(by: .recipe).first?.open == 1)
    let now = SampleRun.start
    let start = AttemptStart(
      run: RunID(rawValue: "01A"), step: 0, item: nil, number: 1, kind: .provider("gpt/gpt-4o"), key: "k",
      inputBytes: 1,
      at: now)
    var finished = AttemptEnd(
      run: RunID(rawValue: "01A"), step: 0, item: nil, number: 1, failure: nil, outputBytes: 1, duration: 1,
      retryDelay: nil, at: now)
    finished.usage = [end(number)]
    try await store.record(
      [
        .stepStarted(run: RunID(rawValue: "01A"), step: 0, itemCount: nil, at: now), .attemptStarted(start),
        .attemptFinished(finished),
      ], durability: .committed)
    let record = try await store.run("01A")
    #expect(record.calls.map(\.model) == ["m-1"] && record.calls.first?.state == .answered)
    #expect(record.calls.first?.tokens.total == 15)
    #expect(record.steps.first?.attempts.first?.kind.provider == "gpt")
    try await store.record(
      [.runFinished(RunEnd(run: RunID(rawValue: "01A"), status: .succeeded, outputs: .map([:]), at: now))],
      durability: .committed)
    _ = try await store.prune(RetentionPolicy(runs: 0), at: now.adding(seconds: 86_400))
    #expect(try await DatabaseProbe(folder("sous.db")).number("SELECT count(*) FROM runs") == 0)
    #expect(try await store.usage(by: .run).map(\.key) == ["01A"])
    #expect(try await store.usage(by: .recipe).first?.tokens.total == 15)
    try await store.close()
  }

  /// Who is bounded, and which call counts for it.
  @Test(arguments: [
    (BudgetBound.Scope.run(RunID(rawValue: "01A")), BudgetBound.Period.run, true),
    (.run(RunID(rawValue: "01B")), .run, false), (.recipe("digest"), .day, true), (.recipe("other"), .day, false),
    (.provider("gpt"), .month, true), (.provider("local"), .month, false), (.all, .day, true), (.all, .month, true),
  ])
  func aBudgetAdmitsWhatFits(_ scope: BudgetBound.Scope, _ period: BudgetBound.Period, _ counts: Bool) async throws {
    try await store.record([SampleRun.started("01A")], durability: .committed)
    let number = try #require(try await admitted(store, call(run: "01A", recipe: "digest")))
    try await store.settle([end(number, prompt: 60, completion: 40, cost: 0.3)])
    let next = call(run: "01A", recipe: "digest", tokens: 50, cost: 0.2)
    for (bound, fits) in [
      (Budget.Bound(tokens: 150), true), (Budget.Bound(tokens: 149), false), (Budget.Bound(cost: 0.5), true),
      (Budget.Bound(cost: 0.49), false),
    ] {
      let admission = try await store.reserve(next, budgets: [BudgetBound(scope, period, bound)])
      switch admission {
      case .admitted(let number):
        #expect(fits || !counts)
        try await store.settle([end(number, prompt: 0, completion: 0, cost: 0)])
      case .refused(let excess):
        #expect(!fits && counts)
        #expect(excess.tokens == 100 && abs(excess.cost - 0.3) < 1e-9 && !excess.mayPass)
      }
    }
    try await store.close()
  }

  @Test func anotherDayOrMonthCountsAnew() async throws {
    let number = try #require(try await admitted(store, call(day: "2026-11-30")))
    try await store.settle([end(number, prompt: 100, completion: 0)])
    func fits(_ day: String, _ period: BudgetBound.Period) async throws -> Bool {
      let bound = BudgetBound(.all, period, Budget.Bound(tokens: 150))
      guard let number = try await admitted(store, call(day: day), [bound]) else { return false }
      try await store.settle([end(number, prompt: 0, completion: 0)])
      return true
    }
    #expect(try await !fits("2026-11-30", .day))
    #expect(try await fits("2026-12-01", .day))
    #expect(try await !fits("2026-11-01", .month))
    #expect(try await fits("2026-12-01", .month))
    try await store.close()
  }

  @Test func moneyAdmitsNothingWhosePriceNobodyKnows() async throws {
    let bound = BudgetBound(.all, .day, Budget.Bound(cost: 100))
    guard case .refused(let excess) = try await store.reserve(call(cost: nil), budgets: [bound]) else {
      Issue.record("admitted")
      return
    }
    #expect(excess.isUnpriced)
    try await store.close()
  }

  /// Sixteen calls at once, of two processes: as many are admitted as fit, whichever they are.
  @Test(arguments: 0..<4) func callsAtOnceDoNotExceedABudget(_ round: Int) async throws {
    var configuration = RunStore.Configuration()
    configuration.host = "another"
    let other = try RunStore(path: folder("sous.db"), time: ManualTime(), configuration: configuration)
    let bound = BudgetBound(.all, .day, Budget.Bound(cost: 3.5, tokens: 10_000))
    let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          let store = index % 2 == 0 ? store : other
          if case .admitted = try await store.reserve(call(), budgets: [bound]) { return true }
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(admitted == 7)
    try await other.close()
    try await store.close()
  }

  @Test func aProcessThatIsGoneHoldsNothing() async throws {
    let bound = BudgetBound(.all, .day, Budget.Bound(tokens: 150))
    let lost = try RunStore(path: folder("sous.db"), time: ManualTime())
    #expect(try await admitted(lost, call(), [bound]) != nil)
    guard case .refused(let excess) = try await store.reserve(call(), budgets: [bound]) else {
      Issue.record("admitted")
      return
    }
    #expect(excess.mayPass)
    lost.abandon()
    #expect(try await admitted(store, call(), [bound]) != nil)
    let all = try #require(try await store.usage(by: .action).first)
    #expect(all.calls == 2 && all.unknown == 1 && all.open == 1 && all.tokens.total == 0)
    try await store.close()
  }

  /// What may have been used counts for budgets, and is in no sum.
  @Test func anAnswerThatWasLostIsNotNothing() async throws {
    let number = try #require(try await admitted(store, call()))
    var lost = CallUsage(number: number, state: .unknown, duration: 1)
    lost.heldTokens = 60
    try await store.settle([lost])
    let bound = BudgetBound(.all, .day, Budget.Bound(tokens: 150))
    #expect(try await admitted(store, call(tokens: 91), [bound]) == nil)
    #expect(try await admitted(store, call(tokens: 90), [bound]) != nil)
    let all = try #require(try await store.usage(by: .provider).first)
    #expect(all.unknown == 1 && all.tokens.total == 0)
    try await store.close()
  }
}
