import Engine
import Expressions
import Foundation
import Glibc
import RunStore
import Synchronization
import UseCases

/// The counters of this process, and the state of the run log as metrics.
final class ServerMetrics: Sendable {
  /// The most recipes, and operations, that are counted one by one; the others count as `other`.
  private static let mostNames = 500

  private struct Ended: Hashable {
    var recipe: String
    var status: String
  }

  private struct Answered: Hashable {
    var operation: String
    var status: Int
  }

  private struct State {
    var ended: [Ended: UInt64] = [:]
    var durations = DurationHistogram([0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200])
    var answered: [Answered: UInt64] = [:]
    var answerTimes = DurationHistogram([0.001, 0.005, 0.02, 0.1, 0.5, 2, 10])
  }

  private let state = Mutex(State())
  private let began = SystemTime().now

  /// Counts a run that has ended in this process.
  func count(_ result: RunResult, _ start: RunStart) {
    guard result.status.isFinal, start.parent == nil else { return }
    let seconds = SystemTime().now.seconds(since: start.at)
    state.withLock { state in
      var key = Ended(recipe: start.recipe, status: result.status.rawValue)
      if state.ended[key] == nil, state.ended.count >= Self.mostNames { key.recipe = "other" }
      state.ended[key, default: 0] += 1
      state.durations.add(max(0, seconds))
    }
  }

  /// Counts an answer.
  ///
  /// - Parameter operation: The path of the operation with its parameters in braces; empty for paths without an operation.
  func count(_ operation: String, status: Int, seconds: Double) {
    state.withLock { state in
      var key = Answered(operation: operation.isEmpty ? "none" : operation, status: status)
      if state.answered[key] == nil, state.answered.count >= Self.mostNames * 4 { key.operation = "other" }
      state.answered[key, default: 0] += 1
      state.answerTimes.add(seconds)
    }
  }

  /// All metrics.
  ///
  /// - Parameters:
  ///   - store: The run log.
  ///   - version: The version of the program.
  ///   - connections: The open connections.
  ///   - followers: The streams that follow a run.
  func text(_ store: RunStore, version: String, connections: Int, followers: Int) async throws -> String {
    var text = PrometheusText()
    text.metric("sous_build_info", .gauge, "The version of the program.")
    text.sample("sous_build_info", [("version", version)], 1)
    text.single(
      "sous_start_time_seconds", .gauge, "When the server began, in seconds since 1970.", Double(began.seconds))
    writeCounters(to: &text)
    try await writeQueue(store, to: &text)
    try await writeSchedules(store, to: &text)
    text.single("sous_http_connections", .gauge, "Open connections.", Double(connections))
    text.single("sous_http_followers", .gauge, "Streams that follow a run.", Double(followers))
    if let memory = Self.residentMemory {
      text.single("process_resident_memory_bytes", .gauge, "Resident memory of the process.", memory)
    }
    return text.text
  }

  private func writeCounters(to text: inout PrometheusText) {
    let state = state.withLock { $0 }
    text.metric("sous_runs_ended_total", .counter, "Runs that have ended in this process.")
    for (key, count) in state.ended.sorted(by: { ($0.key.recipe, $0.key.status) < ($1.key.recipe, $1.key.status) }) {
      text.sample("sous_runs_ended_total", [("recipe", key.recipe), ("status", key.status)], Double(count))
    }
    text.metric("sous_run_duration_seconds", .histogram, "Time from the beginning of a run to its end, waits included.")
    state.durations.write("sous_run_duration_seconds", [], to: &text)
    text.metric("sous_http_requests_total", .counter, "Answered requests.")
    for (key, count) in state.answered.sorted(by: {
      ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
    }) {
      text.sample(
        "sous_http_requests_total", [("operation", key.operation), ("status", "\(key.status)")], Double(count))
    }
    text.metric("sous_http_request_duration_seconds", .histogram, "Time to the beginning of an answer.")
    state.answerTimes.write("sous_http_request_duration_seconds", [], to: &text)
  }

  private func writeQueue(_ store: RunStore, to text: inout PrometheusText) async throws {
    text.single("sous_queued_runs", .gauge, "Runs that wait for a process.", Double(try await store.queuedRuns().count))
    text.metric("sous_open_runs", .gauge, "Runs that have not ended, at most 1000 of a status.")
    for status in RunStatus.allCases where !status.isFinal && status != .queued {
      let runs = try await store.runs(RunFilter(statuses: [status], limit: 1000))
      text.sample("sous_open_runs", [("status", status.rawValue)], Double(runs.count))
    }
    text.single(
      "sous_open_decisions", .gauge, "Questions that wait for a person.",
      Double(try await Decisions.open(in: store).count))
    text.single(
      "sous_unread_notifications", .gauge, "Notifications that are not read.",
      Double(try await store.unreadNotifications()))
    let now = SystemTime().now
    text.metric("sous_breaker_open", .gauge, "1 while the circuit breaker of a provider lets nothing through.")
    for breaker in try await store.breakers() {
      text.sample("sous_breaker_open", [("provider", breaker.provider)], breaker.isOpen(at: now) ? 1 : 0)
    }
  }

  private func writeSchedules(_ store: RunStore, to text: inout PrometheusText) async throws {
    let schedules = try await store.schedules()
    text.metric("sous_schedule_points_total", .counter, "Points of schedules by what became of them.")
    for schedule in schedules {
      let counts = schedule.counts
      for (word, count) in [
        ("run", counts.run), ("caught_up", counts.caughtUp), ("skipped", counts.skipped), ("missed", counts.missed),
        ("late", counts.late),
      ] {
        text.sample(
          "sous_schedule_points_total",
          [("schedule", schedule.source), ("recipe", schedule.recipe), ("outcome", word)],
          Double(count))
      }
    }
    text.metric("sous_schedule_failures", .gauge, "Runs of a schedule that have failed one after another.")
    for schedule in schedules {
      text.sample(
        "sous_schedule_failures", [("schedule", schedule.source), ("recipe", schedule.recipe)],
        Double(schedule.failures))
    }
    text.metric("sous_schedule_paused", .gauge, "1 while a schedule is paused.")
    for schedule in schedules {
      text.sample(
        "sous_schedule_paused", [("schedule", schedule.source), ("recipe", schedule.recipe)], schedule.isPaused ? 1 : 0)
    }
    text.metric("sous_schedule_next_seconds", .gauge, "The next point of a schedule, in seconds since 1970.")
    for schedule in schedules {
      guard let next = schedule.nextDue else { continue }
      text.sample(
        "sous_schedule_next_seconds", [("schedule", schedule.source), ("recipe", schedule.recipe)], Double(next.seconds)
      )
    }
    let triggers = try await store.triggerHealth()
    text.metric("sous_trigger_listening", .gauge, "1 while a trigger listens.")
    for trigger in triggers {
      text.sample(
        "sous_trigger_listening",
        [("recipe", trigger.recipe), ("trigger", trigger.trigger), ("provider", trigger.provider)],
        trigger.trouble == nil ? 1 : 0)
    }
    text.metric("sous_trigger_events_total", .counter, "Events of a trigger.")
    for trigger in triggers {
      text.sample(
        "sous_trigger_events_total",
        [("recipe", trigger.recipe), ("trigger", trigger.trigger), ("provider", trigger.provider)],
        Double(trigger.events))
    }
  }

  /// The resident memory in bytes; `nil` if the kernel does not say.
  private static var residentMemory: Double? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count > 1, let pages = Double(parts[1]) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }
}
