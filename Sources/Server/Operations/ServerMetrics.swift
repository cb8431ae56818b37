import Engine
import Expressions
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
    var calls = ProviderCalls()
    var (pushed, refused): (UInt64, UInt64) = (0, 0)
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

  /// Counts traces of runs that the collector has accepted, or that are given up.
  func countTraces(pushed: Int = 0, refused: Int = 0) {
    state.withLock { state in
      state.pushed += UInt64(max(0, pushed))
      state.refused += UInt64(max(0, refused))
    }
  }

  /// Counts calls of providers.
  func observe(_ run: RunID, _ event: RunEvent) {
    guard case .journal(let entry) = event else { return }
    state.withLock { $0.calls.observe(run, entry) }
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
    try await StoredFigures(store: store, now: SystemTime().now).write(to: &text)
    text.single("sous_http_connections", .gauge, "Open connections.", Double(connections))
    text.single("sous_http_followers", .gauge, "Streams that follow a run.", Double(followers))
    ProcessFigures.write(to: &text)
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
    state.calls.write(to: &text)
    text.metric("sous_http_requests_total", .counter, "Answered requests.")
    for (key, count) in state.answered.sorted(by: {
      ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
    }) {
      text.sample(
        "sous_http_requests_total", [("operation", key.operation), ("status", "\(key.status)")], Double(count))
    }
    text.metric("sous_http_request_duration_seconds", .histogram, "Time to the beginning of an answer.")
    state.answerTimes.write("sous_http_request_duration_seconds", [], to: &text)
    text.single(
      "sous_traces_pushed_total", .counter, "Traces of runs that the collector has accepted.", Double(state.pushed))
    text.single(
      "sous_traces_refused_total", .counter, "Traces of runs that the collector has refused for good.",
      Double(state.refused))
  }
}
