import Expressions
import Localization
import RunStore
import Synchronization
import UseCases

/// How a subscription fares, as several tasks know it.
final class TriggerHealthNotes: Sendable {
  private struct State {
    var health: TriggerHealth
    /// Whether it has made its first look.
    var hasLooked = false
    var failedAt = -Double.infinity
    /// The reason that was reported last, and when.
    var reported: (reason: LocalizedText, at: Double)?
  }

  /// Seconds after which trouble counts as over if the trigger reports neither more of it nor that it watches again: longer
  /// than the longest pause between two attempts of a plugin.
  private static let troubleMemory = 320.0

  private let state: Mutex<State>

  init(_ health: TriggerHealth) { state = Mutex(State(health: health)) }

  /// How it fared when its process began.
  var begun: TriggerHealth { state.withLock { $0.health } }

  /// Notes that it does not listen, and why.
  ///
  /// - Parameter pause: Seconds after which the same reason is reported again.
  /// - Returns: Whether to report the reason: it differs from the last reported one, or that was reported more than `pause`
  ///   seconds ago.
  @discardableResult
  func fail(_ reason: LocalizedText, at monotonic: Double, reportedAgainAfter pause: Double = 0) -> Bool {
    state.withLock { state in
      state.health.trouble = reason
      if !state.health.isWebhook { state.health.reconnects += 1 }
      state.failedAt = monotonic
      if let reported = state.reported, reported.reason == reason, monotonic - reported.at < pause { return false }
      state.reported = (reason, monotonic)
      return true
    }
  }

  /// Notes that it listens, but that some events begin no run, and why.
  ///
  /// - Returns: Whether to report the reason: it differs from the last reported one.
  func warn(_ reason: LocalizedText, at monotonic: Double) -> Bool {
    state.withLock { state in
      state.health.trouble = reason
      state.failedAt = monotonic
      guard state.reported?.reason != reason else { return false }
      state.reported = (reason, monotonic)
      return true
    }
  }

  /// Counts a request of a webhook that was refused.
  func refuse() { state.withLock { $0.health.reconnects += 1 } }

  /// Notes that it watches: what it failed with before is over. Events from now on begin runs.
  func watch() {
    state.withLock { state in
      state.health.trouble = nil
      // A plugin that fails again and again is not reported each time.
      if !state.hasLooked { state.reported = nil }
      state.hasLooked = true
    }
  }

  /// Notes that it listens again.
  ///
  /// - Returns: Whether it had trouble before.
  @discardableResult
  func recover() -> Bool {
    state.withLock { state in
      defer { (state.health.trouble, state.reported) = (nil, nil) }
      return state.health.trouble != nil
    }
  }

  /// Notes that an event was dealt with. The run log itself counts events, see ``RunStore/RunStore/fire(event:_:)``.
  ///
  /// - Parameter lag: Seconds from the event on disk to its run.
  func take(at now: Timestamp, lag: Double) {
    state.withLock { state in
      state.health.eventAt = now
      state.health.lag = lag
      state.health.trouble = nil
    }
  }

  /// How it fares.
  func value(at now: Timestamp, monotonic: Double) -> TriggerHealth {
    state.withLock { state in
      if monotonic - state.failedAt > Self.troubleMemory { state.health.trouble = nil }
      if state.health.trouble == nil, state.hasLooked { state.health.aliveAt = now }
      return state.health
    }
  }
}
