import Engine
public import Expressions
import Providers
import RecipeModel
import RunStore

/// What waits for a summary and what was made.
public struct SummaryStatus: Sendable {
  /// How many messages wait.
  public let waiting: Int
  /// How many summaries are there.
  public let done: Int
  /// How many could not be made.
  public let failed: Int
  /// How many were made in advance within the last hour.
  public let lastHour: Int
  /// How many may be made in any hour.
  public let perHour: Int
  /// When the next one may be made, where the limit is reached.
  public let nextAt: Timestamp?
  /// What keeps summaries from being made now: `limit`, `load`, `battery`.
  public let held: String?
  /// The accounts whose messages are summarised.
  public let accounts: [String]
}

/// A message that waits for its summary, or has one.
public struct SummaryEntry: Sendable {
  /// The provider of `mail.store`.
  public let account: String
  /// The folder.
  public let folder: String
  /// Its name in the folder.
  public let uid: String
  /// `waiting`, `done`, `failed`.
  public let state: String
  /// The message's date.
  public let date: Timestamp
  /// When it ended.
  public let endedAt: Timestamp?
  /// `subject`, `from`, `text`, `model`.
  public let body: Value
  /// Why there is none: a kind of failure.
  public let trouble: String?
}

extension Session {
  private var summaryMaker: SummaryMaker { SummaryMaker(project: project, store: store, providers: providers) }

  /// Looks for messages and makes summaries as the limits allow; see the action `mail.summaries`.
  public func makeSummaries(older: Int) async throws(UseCaseError) -> Value {
    let maker = summaryMaker
    return try await mapErrors { try await maker.round(older: older, reporter: SilentReporter()) }
  }

  /// The summary of a message: the kept one, or one that is made now.
  public func summary(account: String?, folder: String, uid: String) async throws(UseCaseError) -> Value {
    let maker = summaryMaker
    return try await mapErrors {
      try await maker.summary(account: account, folder: folder, uid: uid, reporter: SilentReporter())
    }
  }

  /// What waits, the next first, and what was made, the latest first.
  public func summaries(limit: Int) async throws(UseCaseError) -> [SummaryEntry] {
    let (store, seal) = (store, project.secrets.seal)
    return try await mapErrors {
      let records = try await store.waitingSummaries(limit: limit) + store.endedSummaries(limit: limit)
      return records.prefix(limit).map { record in
        SummaryEntry(
          account: record.account, folder: record.folder, uid: record.uid, state: record.state.rawValue,
          date: record.date, endedAt: record.endedAt, body: (try? SealedValue.open(record.body, seal)) ?? .map([:]),
          trouble: record.trouble)
      }
    }
  }

  /// How many wait and were made, and what holds further ones up.
  public func summaryStatus() async throws(UseCaseError) -> SummaryStatus {
    let (store, maker, settings) = (store, summaryMaker, project.configuration.summaries)
    return try await mapErrors {
      let counts = try await store.summaryCounts()
      let made = try await store.summariesInAdvance(since: SystemTime().now.adding(seconds: -SummaryMaker.window))
      let held = try await maker.reasonToWait()
      // The window slides: one more is allowed when the oldest of the last so many is an hour old.
      let first = made.count >= settings.perHour && settings.perHour > 0 ? made[made.count - settings.perHour] : nil
      return SummaryStatus(
        waiting: counts[.waiting] ?? 0, done: counts[.done] ?? 0, failed: counts[.failed] ?? 0, lastHour: made.count,
        perHour: settings.perHour, nextAt: first?.adding(seconds: SummaryMaker.window), held: held,
        accounts: maker.accounts())
    }
  }
}
