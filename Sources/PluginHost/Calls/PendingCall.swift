import Engine
import Localization
import PluginBoundary
import Synchronization

/// One call, from the moment it is meant to start until the plugin has answered.
///
/// The first ending counts: the plugin's answer, or the host's decision not to wait any longer.
final class PendingCall: Sendable {
  enum Ending: Sendable {
    case answered(Answer?)
    case abandoned(ActionFailure)
  }

  /// How far the call has got on its way into the plugin.
  enum Phase: Sendable {
    /// Waits for a thread.
    case queued
    /// `start` runs.
    case starting
    /// `start` has returned.
    case started
  }

  private struct State {
    var phase = Phase.queued
    var ending: Ending?
    var waiter: CheckedContinuation<Ending, Never>?
    var cancelReason: ActionFailure?
    var logLines = 0
    var lastProgress: Double?
    var hasBadDelta = false
  }

  let request: CallRequest
  let reporter: any ActionReporter
  /// Whether the engine may make the call again, and so a server may get its requests twice.
  let isRepeatable: Bool
  /// The subscription of a call with the operation `subscribe`.
  let subscription: Subscription?
  /// Takes secrets out of the pieces of its answer.
  let deltas = Mutex(DeltaMask())
  private let state = Mutex(State())

  init(
    _ request: CallRequest, isRepeatable: Bool, reporter: any ActionReporter, subscription: Subscription? = nil
  ) {
    self.request = request
    self.isRepeatable = isRepeatable
    self.reporter = reporter
    self.subscription = subscription
  }

  var id: UInt64 { request.id }
  var action: String { request.action }
  /// The attempt's idempotency key.
  var key: String { request.key }

  /// Whether the input names a blob.
  func names(blob: String) -> Bool {
    request.input.firstRange(of: Array(blob.utf8)) != nil
  }

  /// Waits for the end. To be called once.
  func ending() async -> Ending {
    await withCheckedContinuation { waiter in
      let ending: Ending? = state.withLock { state in
        if state.ending == nil { state.waiter = waiter }
        return state.ending
      }
      if let ending { waiter.resume(returning: ending) }
    }
  }

  /// Ends the call; `false` if it has ended before.
  @discardableResult
  func end(_ ending: Ending) -> Bool {
    let (isFirst, waiter) = state.withLock { state in
      guard state.ending == nil else { return (false, nil as CheckedContinuation<Ending, Never>?) }
      state.ending = ending
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume(returning: ending)
    return isFirst
  }

  var phase: Phase { state.withLock { $0.phase } }
  var hasEnded: Bool { state.withLock { $0.ending != nil } }
  /// Why the host asked the plugin to end the call; `nil` if it did not.
  var cancelReason: ActionFailure? { state.withLock { $0.cancelReason } }

  /// Enters the plugin; `false` if the call has ended before it began.
  func enterStart() -> Bool {
    state.withLock { state in
      guard state.ending == nil else { return false }
      state.phase = .starting
      return true
    }
  }

  /// Notes that `start` has returned.
  ///
  /// - Returns: Whether a cancel was asked for in the meantime, which the plugin may have missed.
  func leaveStart() -> Bool {
    state.withLock { state in
      state.phase = .started
      return state.cancelReason != nil && state.ending == nil
    }
  }

  /// Notes that the call is to be cancelled.
  ///
  /// - Returns: The phase in which that happens; `nil` if it happened before or the call has ended.
  func requestCancel(_ reason: ActionFailure) -> Phase? {
    state.withLock { state in
      guard state.ending == nil, state.cancelReason == nil else { return nil }
      state.cancelReason = reason
      return state.phase
    }
  }

  /// The decision about a line of log.
  enum LogDecision { case write, writeLast, drop }

  func countLogLine(limit: Int) -> LogDecision {
    state.withLock { state in
      guard state.ending == nil else { return .drop }
      state.logLines += 1
      return state.logLines < limit ? .write : state.logLines == limit ? .writeLast : .drop
    }
  }

  /// Whether a report of progress is to be shown.
  func admitsProgress(at time: Double, isLast: Bool, interval: Double) -> Bool {
    state.withLock { state in
      guard state.ending == nil else { return false }
      if let last = state.lastProgress, time - last < interval, !isLast { return false }
      state.lastProgress = time
      return true
    }
  }

  /// Whether a bad delta is the first of the call.
  func noteBadDelta() -> Bool {
    state.withLock { state in
      defer { state.hasBadDelta = true }
      return !state.hasBadDelta && state.ending == nil
    }
  }
}
