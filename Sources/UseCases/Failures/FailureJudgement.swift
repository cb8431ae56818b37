import Engine
import Expressions
import Plans
import RunStore

/// What there is to tell of the end of a run.
enum FailureChange: Sendable, Equatable {
  /// The recipe failed; so many times in a row by now.
  case failed(Int)
  /// The run waits for a person.
  case needsAttention
  /// The recipe works again, after so many failures since a time.
  case recovered(after: Int, since: Timestamp)
}

/// What follows from the end of a run: the streak of its recipe from now on, and what there is to tell. Pure.
struct FailureJudgement: Sendable, Equatable {
  var streak: FailureStreak?
  var news: FailureChange?

  /// Judges an end.
  ///
  /// - Parameters:
  ///   - run: The end.
  ///   - before: The streak before it.
  ///   - hasReached: Whether the notice about the streak has reached a person or is still being tried.
  ///   - policy: When to notify.
  init(_ run: ConcludedRun, after before: FailureStreak?, hasReached: Bool = true, _ policy: FailurePolicy) {
    var before = before
    let isLost = before?.isTold == true && !hasReached
    if isLost { before?.isTold = false }
    switch run.status {
    case .failed:
      let failures = (before?.failures ?? 0) + 1
      let isTold = policy.tells(failures) || isLost && policy.isOn
      if isTold { news = .failed(failures) }
      streak = FailureStreak(
        failures: failures, since: before?.since ?? run.at, isTold: isTold || before?.isTold ?? false)
    case .needsAttention:
      // Only a person can help, whatever else is told.
      if policy.isOn { news = .needsAttention }
      streak = before
    default:
      if let before, before.isTold, !run.isByHand, policy.isOn, policy.recovery {
        news = .recovered(after: before.failures, since: before.since)
      }
    }
  }
}

extension FailurePolicy {
  /// Whether a failure is told that is the last of so many in a row.
  fileprivate func tells(_ failures: Int) -> Bool {
    guard isOn else { return false }
    if failures == 1 { return first }
    return every.map { failures % $0 == 0 } ?? false
  }
}
