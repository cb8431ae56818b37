import Expressions
import Localization
import RunStore
import Synchronization

/// How a subscription fares, as several tasks know it.
final class TriggerHealthNotes: Sendable {
  private struct State {
    var health: TriggerHealth
    var failedAt = -Double.infinity
  }

  /// Seconds after which trouble counts as over where no more of it is told: longer than the longest pause before a
  /// plugin's subscription is started again.
  private static let troubleMemory = 320.0

  private let state: Mutex<State>

  init(_ health: TriggerHealth) { state = Mutex(State(health: health)) }

  /// Notes that it does not listen, and why.
  func fail(_ reason: LocalizedText, at monotonic: Double) {
    state.withLock { state in
      state.health.trouble = reason
      state.health.reconnects += 1
      state.failedAt = monotonic
    }
  }

  /// Notes that it listens again.
  func recover() { state.withLock { $0.health.trouble = nil } }

  /// Notes that an event was dealt with.
  ///
  /// - Parameter lag: Seconds from the event on disk to its run.
  func take(at now: Timestamp, lag: Double) {
    state.withLock { state in
      state.health.events += 1
      state.health.eventAt = now
      state.health.lag = lag
      state.health.trouble = nil
    }
  }

  /// How it fares.
  func value(at now: Timestamp, monotonic: Double) -> TriggerHealth {
    state.withLock { state in
      if monotonic - state.failedAt > Self.troubleMemory { state.health.trouble = nil }
      if state.health.trouble == nil { state.health.aliveAt = now }
      return state.health
    }
  }
}
