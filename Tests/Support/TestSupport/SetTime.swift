import Engine
package import Expressions
import Synchronization

/// A clock that stands still until a test moves it. A sleep is over at once and moves nothing.
package final class SetTime: TimeSource {
  private let state: Mutex<(now: Timestamp, monotonic: Double)>

  /// Creates a clock; by default it shows 2027-01-15 08:00 UTC.
  package init(_ now: Timestamp = Timestamp(seconds: 1_800_000_000)) { state = Mutex((now, 0)) }

  /// Creates a clock that shows a time of RFC 3339; `nil` for any other text.
  package convenience init?(_ text: String) {
    guard let now = Timestamp(rfc3339: text) else { return nil }
    self.init(now)
  }

  package var now: Timestamp { state.withLock { $0.now } }
  package var monotonic: Double { state.withLock { $0.monotonic } }
  package func sleep(seconds: Double) async throws {}

  /// Lets time pass, on both clocks.
  package func pass(seconds: Double) {
    state.withLock { $0 = ($0.now.adding(seconds: seconds), $0.monotonic + seconds) }
  }

  /// Sets the time of day.
  package func set(_ now: Timestamp) { state.withLock { $0.now = now } }
}
