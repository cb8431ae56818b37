import Synchronization

/// How many requests each client may send: a bucket per address that fills evenly.
final class RequestRates: Sendable {
  /// The most clients that are counted; the oldest full buckets are forgotten first.
  private static let mostClients = 10_000

  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[String: TokenBucket]>([:])

  /// - Parameter perMinute: The requests of one client in a minute; a quarter of them may come at once.
  init(perMinute: Int) {
    perSecond = Double(perMinute) / 60
    burst = max(5, Double(perMinute) / 4)
  }

  /// Counts a request.
  ///
  /// - Returns: `nil` if the client may send it; otherwise the whole seconds after which it may.
  func excess(of client: String, at monotonic: Double) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.mostClients {
        buckets = buckets.filter { !$0.value.isFull(at: monotonic) }
        if buckets.count >= Self.mostClients { buckets.removeAll() }
      }
      var bucket = buckets[client] ?? TokenBucket(perSecond: perSecond, burst: burst, at: monotonic)
      let wait = bucket.take(at: monotonic)
      buckets[client] = bucket
      return wait.map { max(1, Int($0.rounded(.up))) }
    }
  }
}

/// A number of tokens that grows evenly up to a bound; pure.
struct TokenBucket {
  private let perSecond: Double
  private let burst: Double
  private var left: Double
  private var last: Double

  /// A full bucket.
  init(perSecond: Double, burst: Double, at monotonic: Double) {
    self.perSecond = perSecond
    self.burst = burst
    left = burst
    last = monotonic
  }

  /// Takes a token.
  ///
  /// - Returns: `nil` if one was left; otherwise the seconds until the next one.
  mutating func take(at monotonic: Double) -> Double? {
    left = min(burst, left + max(0, monotonic - last) * perSecond)
    last = monotonic
    guard left >= 1 else { return (1 - left) / perSecond }
    left -= 1
    return nil
  }

  /// Whether it is as full as it can be.
  func isFull(at monotonic: Double) -> Bool { left + max(0, monotonic - last) * perSecond >= burst }
}
