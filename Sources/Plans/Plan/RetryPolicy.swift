/// How often and how fast a failed attempt is repeated. All durations are seconds.
public struct RetryPolicy: Sendable, Hashable {
  /// Attempts in all, the first included; at least 1.
  public var attempts: Int
  /// The pause after the first failed attempt.
  public var backoff: Double
  /// What each further pause is multiplied with.
  public var factor: Double
  /// The longest pause, jitter included.
  public var maximum: Double
  /// How far a pause is spread at random, as a share of it: 0.2 means ±20 %.
  public var jitter: Double
  /// The time all attempts and pauses may take together; `nil` means no bound.
  public var within: Double?
  /// For so many seconds from the first attempt on, rounds in which nobody could be reached do not count as attempts: a
  /// server that is down is no failed try. Pauses grow all the same.
  public var outage: Double
  /// Whether a program that ends with a status that is no success is run again too: its step itself has a `retry`.
  public var repeatsFailed = false
  /// Whether to retry also failures that do not pass by themselves but that a person can fix meanwhile: missing credentials, a
  /// wrong setting, a used-up quota.
  public var repeatsMendable = false

  /// Whether ``maximum`` also bounds the pause that a server asks for (`Retry-After`): the recipe writes `max`. Otherwise the
  /// engine waits as long as the server asks, up to an hour.
  public var boundsRequests = false

  /// Four attempts, 1 s, doubling, at most 30 s, ±20 %.
  public static let standard = RetryPolicy()

  /// Creates a policy.
  public init(
    attempts: Int = 4, backoff: Double = 1, factor: Double = 2, maximum: Double = 30, jitter: Double = 0.2,
    within: Double? = nil, outage: Double = 0
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.factor = factor
    self.maximum = maximum
    self.jitter = jitter
    self.within = within
    self.outage = outage
  }
}
