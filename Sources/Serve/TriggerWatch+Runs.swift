import Engine
import Expressions
import Localization
import Plans
import RunStore
import UseCases

extension TriggerWatch {
  /// Seconds by which a run may be written down later than the moment at which it says that it has ended.
  private static let slack = 3600.0
  /// The same for one look in a while: the run log may have been out of reach for long.
  private static let longSlack = 20 * 3600.0
  /// Seconds after which it is written down how far it has looked, where nothing was found.
  private static let keepInterval = 600.0
  /// Runs that are begun after one look.
  private static let batch = 100

  /// Looks for runs of another recipe that have ended, since it was looked for the first time.
  ///
  /// The names of runs that have been dealt with are known in the run log, so that each begins one run whatever is seen twice.
  func watchRuns(_ end: RecipeEnd) async throws {
    var position = EndedRunsPosition(beginning: time.now)
    if let known = try await store.position(of: trigger.subscription).flatMap(EndedRunsPosition.init) {
      position = known
    } else {
      try await store.move(trigger.subscription, to: position.text)
    }
    await watches()
    let own = await server.recipe(trigger.path)?.plan.name ?? ""
    let language = Language.preferred(environment: session.project.workspace.surroundings.environment)
    var beats = await server.runLogBeats().makeAsyncIterator()
    var keptAt = -Double.infinity
    while !Task.isCancelled {
      let look = time.now
      let isLong = time.monotonic - keptAt >= Self.keepInterval
      let slack = isLong ? Self.longSlack : Self.slack
      let former = position.since(slack: Self.longSlack)
      position.goBack(to: look)
      try await passOverRuns(end, except: own, from: position.since(slack: Self.longSlack), until: former)
      let found = try await store.endedRuns(
        of: end.recipe, except: own, end.statuses, since: position.since(slack: slack),
        notSettledIn: trigger.subscription, limit: Self.batch)
      for ended in found {
        position.seen = max(position.seen, ended.endedAt)
        try await begin(ended.event, ended.value(for: language), since: time.monotonic)
      }
      // Names of runs are forgotten after a while, so what has been looked through is not looked through again.
      if found.count < Self.batch { position.seen = look }
      if !found.isEmpty || isLong {
        try await store.move(trigger.subscription, to: position.text)
        if found.count < Self.batch { keptAt = time.monotonic }
      }
      if found.count < Self.batch {
        health.recover()
        guard await beats.next(isolation: nil) != nil else { throw CancellationError() }
      }
    }
  }

  /// Notes that runs are dealt with which only come into view because the clock was set back.
  private func passOverRuns(
    _ end: RecipeEnd, except own: String, from beginning: Timestamp, until moment: Timestamp
  ) async throws {
    guard beginning < moment else { return }
    let found = try await store.endedRuns(
      of: end.recipe, except: own, end.statuses, since: beginning, notSettledIn: trigger.subscription, limit: .max)
    try await store.settle(events: found.filter { $0.endedAt < moment }.map(\.event), of: trigger.subscription)
  }
}

/// Where a subscription to the ends of runs has begun, and up to where it has looked.
struct EndedRunsPosition: Equatable {
  private(set) var beginning: Timestamp
  var seen: Timestamp

  init(beginning: Timestamp) { (self.beginning, seen) = (beginning, beginning) }

  init?(_ text: String) {
    let times = text.split(separator: " ").compactMap { Timestamp(rfc3339: String($0)) }
    guard times.count == 2 else { return nil }
    (beginning, seen) = (times[0], times[1])
  }

  var text: String { "\(beginning.rfc3339Milliseconds) \(seen.rfc3339Milliseconds)" }

  /// From where on it looks for runs that may have been written down late.
  func since(slack: Double) -> Timestamp { max(beginning, seen.adding(seconds: -slack)) }

  /// Goes back to the time that the clock shows, where it was ahead and has been set right: runs that end from now on count.
  mutating func goBack(to now: Timestamp) { (beginning, seen) = (min(beginning, now), min(seen, now)) }
}

extension EndedRun {
  /// The event that the other recipe sees. `chain` names the recipes that led here, up to the one of this run.
  func value(for language: Language) -> Value {
    let error: Value? = failure.map {
      ["kind": .string($0.kind.rawValue), "message": .string($0.message.string(in: language))]
    }
    return [
      "type": "recipe", "recipe": .string(recipe), "run": .string(run.rawValue), "status": .string(status.rawValue),
      "ended_at": .string(endedAt.rfc3339Milliseconds), "error": error ?? .null,
      "step": step.map { .string($0) } ?? .null, "chain": .list((chain + [recipe]).map { .string($0) }),
    ]
  }
}

extension RecipeEnd {
  /// How runs have ended that count.
  fileprivate var statuses: Set<RunStatus> {
    ended.reduce(into: []) { statuses, ending in
      switch ending {
      case .succeeded: statuses.insert(.succeeded)
      case .failed: statuses.insert(.failed)
      case .needsAttention: statuses.insert(.needsAttention)
      case .any: statuses.formUnion([.succeeded, .failed, .skipped, .cancelled])
      }
    }
  }
}
