import Access
import Hashing
import OAuth
import Synchronization

/// The sign-ins that browsers have begun at the identity provider, in memory, each for ten minutes and for one use.
///
/// They stay when the configuration is read again.
final class PendingSignIns: Sendable {
  /// A sign-in under way.
  struct Entry: Sendable {
    /// The values against which the provider's answer is checked.
    let pending: IdentityProvider.Pending
    /// The hash of the browser's cookie.
    let browser: String
    /// Where the browser goes afterwards.
    let next: String
    /// Seconds on the monotonic clock.
    let began: Double
  }

  /// The result of looking for the sign-in of a browser that comes back.
  enum Outcome: Sendable {
    case found(Entry)
    /// No sign-in has this state: it was used, or it is older than ten minutes.
    case unknown
    /// Another browser has begun it.
    case foreign
  }

  /// Seconds until a sign-in must have ended.
  static let age = 600.0
  /// The most that are kept; then the oldest one makes room.
  private static let places = 10_000

  private struct State {
    var entries: [String: Entry] = [:]
    /// The states by age, also of entries that have ended.
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// Whether a cookie is that of a sign-in under way.
  func knows(cookie: String, at now: Double) -> Bool {
    let browser = Self.hash(cookie)
    return state.withLock { state in
      state.entries.values.contains { $0.browser == browser && now - $0.began < Self.age }
    }
  }

  /// Keeps a sign-in.
  func add(_ pending: IdentityProvider.Pending, cookie: String, next: String, at now: Double) {
    let entry = Entry(pending: pending, browser: Self.hash(cookie), next: next, began: now)
    state.withLock { state in
      state.entries[pending.state] = entry
      state.order.append(pending.state)
      let past = state.order.prefix { name in
        guard let entry = state.entries[name] else { return true }
        return now - entry.began >= Self.age
      }
      let surplus = max(past.count, state.order.count - Self.places)
      for name in state.order.prefix(surplus) { state.entries[name] = nil }
      state.order.removeFirst(surplus)
    }
  }

  /// Takes the sign-in of a state out. One of another browser stays.
  func take(_ name: String, cookie: String?, at now: Double) -> Outcome {
    let browser = cookie.map(Self.hash)
    return state.withLock { state in
      guard let entry = state.entries[name], now - entry.began < Self.age else { return .unknown }
      guard entry.browser == browser else { return .foreign }
      state.entries[name] = nil
      return .found(entry)
    }
  }

  private static func hash(_ cookie: String) -> String { ContentHash.hexadecimal(of: Array(cookie.utf8)) }
}
