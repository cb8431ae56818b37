import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct StatisticsTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private func statistics(
    _ filter: RunFilter = RunFilter(), prices: RecipeStatistics.Prices = .init()
  ) async throws -> RecipeStatistics {
    try #require(try await store.statistics(filter, prices: prices).first { $0.recipe == "digest" })
  }

  @Test func durationsAreNearestRanks() async throws {
    for number in 1...20 {
      let id = "01\(number)"
      try await store.record(
        [
          SampleRun.started(id),
          SampleRun.finished(id, number == 20 ? .failed : .succeeded, at: SampleRun.time(Int64(number) * 1000)),
        ], durability: .committed)
    }
    try await store.record(
      [
        SampleRun.started("01X"), SampleRun.finished("01X", .cancelled, at: SampleRun.time(900_000)),
        SampleRun.started("01Y"), SampleRun.started("01Z", recipe: "other"),
      ], durability: .committed)
    let found = try await statistics()
    #expect(found.runs == 22)
    #expect(found.statuses == [.succeeded: 19, .failed: 1, .cancelled: 1, .running: 1])
    #expect(found.successRate == 0.95)
    #expect(found.median == 10)
    #expect(found.percentile95 == 19)
    #expect(try await statistics(RunFilter(statuses: [.failed])).median == 20)
    #expect(try await store.statistics(RunFilter(recipe: "other")).map(\.recipe) == ["other"])
    #expect(try await store.statistics(RunFilter(since: SampleRun.time(1))).isEmpty)
    #expect(try await store.statistics(RunFilter(until: SampleRun.time(1))).count == 2)
    try await store.close()
  }

  @Test func attemptsAndTokensAreCounted() async throws {
    try await store.record(SampleRun.complete("01A"), durability: .committed)
    let run = RunID(rawValue: "01B")
    func answer(_ model: String, _ prompt: Int64, _ completion: Int64, filler: Int = 0) -> Value {
      .map([
        "text": .string(String(repeating: "x", count: filler)), "model": .string(model),
        "usage": .map(["prompt_tokens": .int(prompt), "completion_tokens": .int(completion)]),
      ])
    }
    try await store.record(
      [
        SampleRun.started("01B"),
        SampleRun.attemptStarted("01B", step: 0), SampleRun.attemptFinished("01B", step: 0),
        .output(run: run, step: 0, item: nil, value: answer("gpt-4o-mini-2024", 1_000_000, 500_000)),
        SampleRun.attemptStarted("01B", step: 1), SampleRun.attemptFinished("01B", step: 1),
        .output(run: run, step: 1, item: nil, value: answer("llama3", 10, 20, filler: 9000)),
        // From the cache: nobody was asked.
        .output(run: run, step: 2, item: nil, value: answer("llama3", 1000, 2000)),
      ], durability: .committed)
    let prices = RecipeStatistics.Prices([("gpt", 100, 100), ("gpt-4o-mini", 0.15, 0.6)])
    let found = try await statistics(prices: prices)
    #expect(found.attempts == 8)
    #expect(found.retries == 2)
    #expect(found.promptTokens == 1_000_010)
    #expect(found.completionTokens == 500_020)
    #expect(found.models.map(\.model) == ["gpt-4o-mini-2024", "llama3"])
    #expect(found.models.map(\.calls) == [1, 1])
    #expect(abs((found.cost ?? 0) - 0.45) < 1e-9)
    #expect(found.models[1].cost == nil)
    try await store.close()
  }

  /// Attempts that stand for a result for which nobody was called.
  @Test(arguments: [AttemptKind.cache, .replay])
  func nobodyPaysForWhatNobodyWasCalledFor(_ kind: AttemptKind) async throws {
    let run = RunID(rawValue: "01A")
    let answer: Value = [
      "text": "x", "model": "gpt", "usage": ["prompt_tokens": .int(1_000_000), "completion_tokens": .int(0)],
    ]
    /// The answer to one item, called for or not.
    func noted(_ item: Int, key: String, _ kind: AttemptKind) -> [JournalEntry] {
      let start = AttemptStart(
        run: run, step: 1, item: item, number: 1, kind: kind, key: key, inputBytes: 0, at: SampleRun.start)
      return [
        .attemptStarted(start), SampleRun.attemptFinished("01A", step: 1, item: item),
        .output(run: run, step: 1, item: item, value: answer),
      ]
    }
    try await store.record(
      // A provider may have that name too.
      [SampleRun.started("01A")] + noted(0, key: "", kind)
        + noted(1, key: "01A.summarise.1", .provider(kind.label)),
      durability: .committed)
    let found = try await statistics(prices: .init([("gpt", 2, 2)]))
    #expect(found.models.map(\.calls) == [1])
    #expect(found.cost == 2)
    try await store.close()
  }
}
