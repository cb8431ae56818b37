import Builtins
package import Engine
import Expressions
import Localization
import OpenTelemetry
import RecipeModel
import RunStore
package import UseCases

/// Pushes the traces of runs that have ended to a collector of OpenTelemetry: `engine.traces` in `sous.yaml`.
///
/// The run log notes the runs in the transactions that end them; this task reads and pushes them later, also after a restart. A
/// collector that does not answer costs runs nothing.
package struct TracePusher: Sendable {
  /// Runs that are taken at a time.
  private static let batch = 50
  /// Spans of a request.
  private static let spansOfRequest = 500
  /// Seconds within which other processes leave the taken runs alone.
  private static let leaseTime = 300.0
  /// Seconds after which a turn takes no further request.
  private static let longestTurn = 120.0
  /// Seconds between two turns at least, so that runs are gathered, and at most.
  private static let (shortestPause, longestPause) = (1.0, 30.0)

  private let session: Session
  private let store: RunStore
  private let time: any TimeSource
  private let version: String
  private let style: TraceStyle

  /// Creates the task.
  ///
  /// - Parameter version: The version of the program.
  package init(_ session: Session, version: String, time: any TimeSource = SystemTime()) {
    (self.session, self.version, self.time) = (session, version, time)
    store = session.store
    var style = TraceStyle()
    // Messages of failures may quote data.
    style.hasMessages = false
    for provider in session.project.configuration.providers {
      guard case .id(let plugin) = provider.plugin else { continue }
      style.services[provider.name] = plugin == "mistral" ? "mistral_ai" : plugin
    }
    self.style = style
  }

  /// Pushes again and again, until the session drains or the task is cancelled.
  package func keep() async {
    let target = session.project.configuration.engine.traces
    var backoff = PushBackoff()
    while !Task.isCancelled, !session.drain.isSet {
      do {
        try await store.setTracing(target != nil)
        break
      } catch {
        await rest(Self.longestPause)
      }
    }
    guard let target else { return }
    let watch = QueueWatch(store)
    while !Task.isCancelled, !session.drain.isSet {
      do throws(PushFailure) {
        let isMore = try await turn(target)
        backoff.succeed()
        await rest(Self.shortestPause)
        if !isMore { await session.drain.interrupt { await watch.rest(Self.longestPause) } }
      } catch {
        let pause = backoff.fail(retryAfter: error.retryAfter)
        // One report for each time of trouble; none if a push was given up at the end of the daemon.
        let isOver = Task.isCancelled || session.drain.isSet
        if !isOver, backoff.failures == 1 || error.refused > 0 {
          report(.tracesFail(error.message, refused: error.refused))
        }
        await rest(pause)
      }
    }
  }

  private func rest(_ seconds: Double) async {
    await session.drain.interrupt { [time] in try? await time.sleep(seconds: seconds) }
  }

  private func report(_ event: WorkspaceEvent.ServeEvent) {
    session.project.workspace.surroundings.events(.serve(event))
  }

  // MARK: - One turn

  /// Pushes some of the runs that wait.
  ///
  /// - Returns: Whether there may be more.
  /// - Throws: ``PushFailure``; the runs that were not pushed wait again.
  private func turn(_ target: EngineSettings.Traces) async throws(PushFailure) -> Bool {
    let end = time.monotonic + Self.longestTurn
    var (sent, left): (ArraySlice<RunID>, ArraySlice<RunID>) = ([], [])
    do {
      let runs = try await store.leaseTraces(limit: Self.batch, until: time.now.adding(seconds: Self.leaseTime))
      left = runs[...]
      while !left.isEmpty, time.monotonic < end, !session.drain.isSet {
        let (count, spans) = try await gather(left)
        (sent, left) = (left.prefix(count), left.dropFirst(count))
        if !spans.isEmpty { try await send(spans, to: target) }
        try await store.finishTraces(Array(sent))
        report(.pushedTraces(count))
      }
      if !left.isEmpty { try await store.releaseTraces(Array(left)) }
      return runs.count == Self.batch || !left.isEmpty
    } catch let failure as ActionFailure {
      throw await giveBack(sent, left, failure)
    } catch {
      // The run log fails, which the daemon reports; the taken runs are free again when the lease ends.
      throw PushFailure(message: UseCaseError(error).message)
    }
  }

  /// Puts runs back after a failure; those that the collector refuses are dropped.
  private func giveBack(
    _ sent: ArraySlice<RunID>, _ left: ArraySlice<RunID>, _ failure: ActionFailure
  ) async -> PushFailure {
    // Statuses such as 400 and 413 mean that the same request would be refused again (OTLP, "Failures").
    let refused = failure.kind == .invalidInput ? Array(sent) : []
    let (store, again) = (store, Array(refused.isEmpty ? sent + left : left))
    _ = await uncancelled {
      // If the run log fails, the runs are free again when the lease ends.
      try? await store.finishTraces(refused)
      try? await store.releaseTraces(again)
    }
    return PushFailure(message: failure.message, retryAfter: failure.retryAfter, refused: refused.count)
  }

  /// The spans of the first runs, enough for a request. A run whose rows are damaged has none, so that it does not hold up
  /// the others.
  private func gather(_ runs: ArraySlice<RunID>) async throws(RunStoreError) -> (count: Int, spans: [Value]) {
    var (count, spans): (Int, [Value]) = (0, [])
    for run in runs where spans.count < Self.spansOfRequest {
      do throws(RunStoreError) {
        spans += try await store.spans(of: run, style)
      } catch {
        guard error.code == .damaged else { throw error }
      }
      count += 1
    }
    return (count, spans)
  }

  private func send(_ spans: [Value], to target: EngineSettings.Traces) async throws(ActionFailure) {
    for start in stride(from: 0, to: spans.count, by: Self.spansOfRequest) {
      let part = Array(spans[start..<min(spans.count, start + Self.spansOfRequest)])
      try await session.project.surroundings.post(
        TraceRequest.bytes(part, version: version), type: "application/json", to: target.url,
        headers: target.headers.map { ($0.name, $0.value) }, field: "engine.traces")
    }
  }
}

/// Why traces were not pushed.
private struct PushFailure: Error {
  let message: LocalizedText
  /// Seconds that the collector asks to wait.
  var retryAfter: Double?
  /// The runs whose traces are given up.
  var refused = 0
}

/// The pauses after failures to push, which double up to five minutes.
struct PushBackoff {
  /// Failures in a row.
  private(set) var failures = 0

  /// A push has succeeded.
  mutating func succeed() { failures = 0 }

  /// A push has failed.
  ///
  /// - Parameter retryAfter: Seconds that the collector asks to wait; at most an hour counts.
  /// - Returns: Seconds until the next one.
  mutating func fail(retryAfter: Double?) -> Double {
    failures += 1
    let pause = min(300, Double(1 << min(failures - 1, 10)))
    return max(pause, min(retryAfter ?? 0, 3600))
  }
}
