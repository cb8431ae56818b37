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
  /// The spans of a request that is not made smaller if the collector finds it too large.
  private static let fewestSpans = 10
  /// Seconds within which other processes leave the taken runs alone; renewed before each request.
  private static let leaseTime = 120.0
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
        if !isOver, backoff.failures == 1 { report(.tracesFail(error.message, refused: 0)) }
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

  /// The runs of a turn that this process has leased and that are not pushed yet.
  private struct Batch {
    var runs: ArraySlice<RunID>
    /// The end of their leases.
    var end: Timestamp
    /// The most runs of the next request: half as many as in one that the collector has refused.
    var most: Int
  }

  /// Pushes some of the runs that wait.
  ///
  /// - Returns: Whether there may be more.
  /// - Throws: ``PushFailure``; the runs that were not pushed wait again.
  private func turn(_ target: EngineSettings.Traces) async throws(PushFailure) -> Bool {
    let end = time.monotonic + Self.longestTurn
    var batch = Batch(runs: [], end: time.now.adding(seconds: Self.leaseTime), most: Self.batch)
    do {
      let runs = try await store.leaseTraces(limit: Self.batch, until: batch.end)
      batch.runs = runs[...]
      while !batch.runs.isEmpty, time.monotonic < end, !session.drain.isSet { try await push(&batch, to: target) }
      if !batch.runs.isEmpty { try await store.releaseTraces(Array(batch.runs), leasedUntil: batch.end) }
      return runs.count == Self.batch || !batch.runs.isEmpty
    } catch let failure as ActionFailure {
      let (store, left, lease) = (store, Array(batch.runs), batch.end)
      // If the run log fails, the runs are free again when the lease ends.
      _ = await uncancelled { try? await store.releaseTraces(left, leasedUntil: lease) }
      throw PushFailure(message: failure.message, retryAfter: failure.retryAfter)
    } catch {
      // The run log fails, which the daemon reports; the taken runs are free again when the lease ends.
      throw PushFailure(message: UseCaseError(error).message)
    }
  }

  /// Pushes the first runs of a batch in one request. If the collector refuses it, the next request has half as many; only a run that is
  /// refused alone is given up.
  private func push(_ batch: inout Batch, to target: EngineSettings.Traces) async throws {
    try await renew(&batch)
    let (count, spans) = try await gather(batch.runs.prefix(batch.most))
    let sent = Array(batch.runs.prefix(count))
    guard let run = sent.first else { return }
    var refusal: Int?
    switch try await send(spans, of: sent, &batch, to: target) {
    case .accepted: break
    case .taken: return
    case .refused(let status):
      guard count == 1 else {
        batch.most = max(1, count / 2)
        return
      }
      refusal = status
    }
    try await store.finishTraces(sent)
    batch.runs = batch.runs.dropFirst(count)
    batch.most = min(Self.batch, batch.most * 2)
    guard let refusal else { return report(.pushedTraces(count)) }
    report(
      .tracesFail(
        LocalizedText(
          "the collector refuses run \(run) with status \(refusal)",
          de: "der Collector weist Lauf \(run) mit Status \(refusal) ab"),
        refused: 1))
  }

  /// Renews the leases, so that no other process pushes the same runs. Runs that another process has taken meanwhile are left to it.
  private func renew(_ batch: inout Batch) async throws {
    let end = time.now.adding(seconds: Self.leaseTime)
    let own = try await store.renewTraces(Array(batch.runs), from: batch.end, until: end)
    (batch.runs, batch.end) = (own[...], end)
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

  /// The outcome of the requests for some runs.
  private enum Outcome {
    case accepted
    /// The collector refuses them with this status.
    case refused(Int)
    /// Another process has taken one of the runs meanwhile.
    case taken
  }

  /// Sends the spans of runs, those of a large run in several requests. Requests for a single run that are too large are made smaller.
  ///
  /// - Throws: ``Engine/ActionFailure`` if the collector cannot take any request now.
  private func send(
    _ spans: [Value], of runs: [RunID], _ batch: inout Batch, to target: EngineSettings.Traces
  ) async throws -> Outcome {
    let call = TraceCollectorCall(target, session.project, version: version)
    var (rest, size, isFirst) = (spans[...], Self.spansOfRequest, true)
    while !rest.isEmpty {
      // Each request may take half a minute.
      if !isFirst { try await renew(&batch) }
      guard batch.runs.starts(with: runs) else { return .taken }
      isFirst = false
      let status = try await call.send(Array(rest.prefix(size)))
      if (200...299).contains(status) {
        rest = rest.dropFirst(size)
      } else if runs.count == 1, status == 413, min(size, rest.count) > Self.fewestSpans {
        size = max(Self.fewestSpans, min(size, rest.count) / 2)
      } else {
        return .refused(status)
      }
    }
    return .accepted
  }
}

/// Why traces were not pushed.
private struct PushFailure: Error {
  let message: LocalizedText
  /// Seconds that the collector asks to wait.
  var retryAfter: Double?
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
