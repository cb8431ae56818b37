import Engine
import Expressions
import Plans
import RunStore
import UseCases

/// The state of the run log as metrics.
struct StoredFigures {
  /// The most schedules, and triggers, that have samples of their own; the others count as `other`.
  private static let mostNames = 500

  let store: RunStore
  let now: Timestamp

  /// Adds its metrics.
  func write(to text: inout PrometheusText) async throws {
    try await writeQueue(to: &text)
    try await writeBreakers(to: &text)
    try await writeSchedules(to: &text)
    try await writeTriggers(to: &text)
    let size = store.fileSizes()
    text.metric("sous_run_log_bytes", .gauge, "The size of the run log.")
    text.sample("sous_run_log_bytes", [("file", "database")], Double(size.database))
    text.sample("sous_run_log_bytes", [("file", "wal")], Double(size.wal))
    text.single(
      "sous_traces_pending", .gauge, "Traces that the collector has not accepted yet.",
      Double(try await store.pendingTraces()))
  }

  private func writeQueue(to text: inout PrometheusText) async throws {
    let counts = try await store.openRunCounts()
    text.single("sous_queued_runs", .gauge, "Runs that wait for a process.", Double(counts.byStatus[.queued] ?? 0))
    text.single(
      "sous_queue_oldest_seconds", .gauge, "The time for which the oldest of them waits.",
      counts.oldestQueued.map { max(0, now.seconds(since: $0)) } ?? 0)
    text.metric("sous_open_runs", .gauge, "Runs that have begun and not ended.")
    for status in RunStatus.allCases where !status.isFinal && status != .queued {
      text.sample("sous_open_runs", [("status", status.rawValue)], Double(counts.byStatus[status] ?? 0))
    }
    text.single(
      "sous_open_decisions", .gauge, "Questions that wait for a person.",
      Double(try await Decisions.open(in: store).count))
    text.single(
      "sous_unread_notifications", .gauge, "Notifications that are not read.",
      Double(try await store.unreadNotifications()))
  }

  private func writeBreakers(to text: inout PrometheusText) async throws {
    let breakers = try await store.breakers()
    text.metric("sous_breaker_open", .gauge, "1 while the circuit breaker of a provider lets nothing through.")
    for breaker in breakers {
      text.sample("sous_breaker_open", [("provider", breaker.provider)], breaker.isOpen(at: now) ? 1 : 0)
    }
    text.metric("sous_breaker_failures", .gauge, "Failures of a provider in a row, as its circuit breaker counts them.")
    for breaker in breakers {
      text.sample("sous_breaker_failures", [("provider", breaker.provider)], Double(breaker.failures))
    }
  }

  // MARK: - Schedules

  private func writeSchedules(to text: inout PrometheusText) async throws {
    let all = try await store.schedules().sorted { $0.source < $1.source }
    let schedules = all.prefix(Self.mostNames)
    let rest = all.dropFirst(Self.mostNames)
    text.metric("sous_schedule_points_total", .counter, "Points of schedules by what became of them.")
    for schedule in schedules {
      for (word, count) in schedule.outcomes {
        text.sample("sous_schedule_points_total", schedule.labels + [("outcome", word)], Double(count))
      }
    }
    if !rest.isEmpty {
      let sums = Dictionary(rest.flatMap(\.outcomes)) { $0 + $1 }
      for (word, count) in sums.sorted(by: { $0.key < $1.key }) {
        text.sample(
          "sous_schedule_points_total", [("schedule", "other"), ("recipe", "other"), ("outcome", word)], Double(count))
      }
    }
    text.metric("sous_schedule_failures", .gauge, "Runs of a schedule that have failed one after another.")
    for schedule in schedules { text.sample("sous_schedule_failures", schedule.labels, Double(schedule.failures)) }
    text.metric("sous_schedule_paused", .gauge, "1 while a schedule is paused.")
    for schedule in schedules { text.sample("sous_schedule_paused", schedule.labels, schedule.isPaused ? 1 : 0) }
    text.metric("sous_schedule_next_timestamp_seconds", .gauge, "The next point of a schedule, in seconds since 1970.")
    for schedule in schedules {
      guard let next = schedule.nextDue else { continue }
      text.sample("sous_schedule_next_timestamp_seconds", schedule.labels, Double(next.seconds))
    }
    text.metric(
      "sous_schedule_overdue_seconds", .gauge, "How late the next point of a schedule is; 0 if it is not due.")
    for schedule in schedules {
      guard let next = schedule.nextDue, !schedule.isPaused else { continue }
      text.sample("sous_schedule_overdue_seconds", schedule.labels, max(0, now.seconds(since: next)))
    }
  }

  // MARK: - Triggers

  private func writeTriggers(to text: inout PrometheusText) async throws {
    let triggers = try await store.triggerHealth()
      .sorted { ($0.recipe, $0.trigger, $0.provider) < ($1.recipe, $1.trigger, $1.provider) }.prefix(Self.mostNames)
    func labels(_ trigger: TriggerHealth) -> [(String, String)] {
      [("recipe", trigger.recipe), ("trigger", trigger.trigger), ("provider", trigger.provider)]
    }
    text.metric("sous_trigger_listening", .gauge, "1 while a trigger listens.")
    for trigger in triggers { text.sample("sous_trigger_listening", labels(trigger), trigger.trouble == nil ? 1 : 0) }
    text.metric("sous_trigger_events_total", .counter, "Events of a trigger.")
    for trigger in triggers { text.sample("sous_trigger_events_total", labels(trigger), Double(trigger.events)) }
  }
}

extension ScheduleRecord {
  fileprivate var labels: [(String, String)] { [("schedule", source), ("recipe", recipe)] }

  fileprivate var outcomes: [(String, Int)] {
    [
      ("run", counts.run), ("caught_up", counts.caughtUp), ("skipped", counts.skipped), ("missed", counts.missed),
      ("late", counts.late),
    ]
  }
}
