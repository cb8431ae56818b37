public import Plans

/// The retry loop of one step or one item, as a state machine: which provider is tried when, and when to stop.
///
/// Providers form a fallback order. One *round* goes through them without a pause; the policy counts rounds and sets
/// the pause between them, so with a single provider a round is an attempt. A provider that fails for good (a wrong
/// password, say) is left out of later rounds; when none is left the sequence ends.
///
/// Times are seconds of a monotonic clock that the caller reads.
public struct AttemptSequence: Sendable {
  /// What to do next.
  public enum Step: Sendable, Equatable {
    /// Start an attempt with the provider at this position of the fallback order.
    case start(number: Int, provider: Int)
    /// Wait, then ask again.
    case wait(seconds: Double)
    /// Stop: no further attempt can help or is allowed.
    case giveUp(Reason)
  }

  /// Why a sequence ended without success.
  public enum Reason: Sendable, Equatable {
    /// Every provider failed in a way that does not pass by itself.
    case permanent
    /// The policy allows no further round.
    case attemptsUsedUp
    /// The policy's time budget does not cover the pause before the next round, or the other side asked for a pause
    /// longer than ``longestPause``.
    case timeUsedUp
  }

  /// The longest pause, in seconds, that a run waits for because the other side asked for it, if the recipe has no `max`: an
  /// hour.
  public static let longestPause = 3600.0

  /// The policy in force.
  public let policy: RetryPolicy
  /// Attempts started so far, over all rounds.
  public private(set) var attempts = 0

  /// Whether the pause that ``next(at:random:closed:)`` has asked for last is for circuit breakers, and not the policy's.
  public private(set) var waitsForBreakers = false

  private var remaining: [Int]
  private var position = 0
  private var round = 1
  /// Rounds that do not count, as nobody could be reached in them.
  private var free = 0
  /// Whether somebody was reached in this round, though in vain.
  private var hasReached = false
  private var began: Double?
  private var wakeAt: Double?
  private var longestRequest: Double?
  private var end: Reason?
  /// Whether a provider was tried in this round.
  private var hasTried = false
  /// How often each provider was asked.
  private var tries: [Int: Int] = [:]
  /// The providers that were asked to repair their answer.
  private var repaired: Set<Int> = []

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - policy: How often and how fast to repeat.
  ///   - providers: How many providers the fallback order has; at least 1.
  public init(policy: RetryPolicy, providers: Int) {
    self.policy = policy
    remaining = Array(0..<max(1, providers))
  }

  /// A failed attempt of a recorded sequence.
  public struct Failure: Sendable, Hashable {
    /// The provider's position in the fallback order; `nil` where it is not in it any more.
    public var provider: Int?
    /// Whether the policy repeats it; otherwise the provider is left out of later rounds.
    public var isTransient: Bool
    /// Whether nobody could be reached.
    public var isOutage: Bool
    /// Whether it was to repair an answer.
    public var isRepair: Bool

    /// Creates a failed attempt.
    public init(provider: Int?, isTransient: Bool, isOutage: Bool = false, isRepair: Bool = false) {
      self.provider = provider
      self.isTransient = isTransient
      self.isOutage = isOutage
      self.isRepair = isRepair
    }
  }

  /// Resumes a recorded sequence.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts were started; the next one has the number after it.
  ///   - failures: Those of them, in order, that failed for the provider's sake and so count for the policy.
  ///   - began: When the first one was started.
  ///   - wakeAt: When the next one may start; `nil` for now.
  public mutating func resume(after attempts: Int, failures: [Failure], began: Double, wakeAt: Double?) {
    self.attempts = attempts
    self.began = began
    self.wakeAt = wakeAt
    // What the pauses came to: attempts that reach nobody take little beside them.
    var elapsed = 0.0
    func isFree(_ sequence: AttemptSequence) -> Bool {
      elapsed += Self.pause(after: sequence.round, policy: sequence.policy, random: 0.5)
      return !sequence.hasReached && elapsed <= sequence.policy.outage
    }
    for failure in failures where !remaining.isEmpty {
      let place = failure.provider.flatMap { remaining.firstIndex(of: $0) }
      // Whoever was asked once more was asked in a new round.
      if let place, place < position { beginRound(isFree: isFree(self)) }
      hasReached = hasReached || !failure.isOutage
      position = place ?? position
      hasTried = true
      if let provider = failure.provider {
        tries[provider, default: 0] += 1
        if failure.isRepair { repaired.insert(provider) }
      }
      if let place, !failure.isTransient { remaining.remove(at: place) } else { position += 1 }
      guard position >= remaining.count else { continue }
      beginRound(isFree: isFree(self))
      position = 0
      hasTried = false
    }
    if remaining.isEmpty { end = .permanent }
  }

  /// Says what to do at a point in time.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - random: A number from 0 up to 1 that spreads the pause; asked for where a round ends here.
  ///   - closed: For a provider's position, seconds for which its circuit breaker lets nothing through; `nil` where it may
  ///     be called. Such a provider is skipped as long as the round has another one.
  public mutating func next(
    at now: Double, random: @autoclosure () -> Double = 0.5, closed: (Int) -> Double? = { _ in nil }
  ) -> Step {
    if let end { return .giveUp(end) }
    if let wakeAt, wakeAt > now { return .wait(seconds: wakeAt - now) }
    wakeAt = nil
    waitsForBreakers = false
    if began == nil { began = now }
    var shortest: Double?
    while position < remaining.count {
      guard let seconds = closed(remaining[position]) else {
        attempts += 1
        hasTried = true
        tries[remaining[position], default: 0] += 1
        return .start(number: attempts, provider: remaining[position])
      }
      shortest = min(shortest ?? seconds, seconds)
      position += 1
    }
    // Nobody is left in this round. One in which somebody was tried counts; another begins again later.
    if hasTried, endRound(at: now, random: random()) == nil { return .giveUp(end ?? .attemptsUsedUp) }
    position = 0
    if let wakeAt, wakeAt > now { return .wait(seconds: wakeAt - now) }
    let pause = max(shortest ?? 0, 0.001)
    if let within = policy.within, let began, now + pause - began > within {
      end = .timeUsedUp
      return .giveUp(.timeUsedUp)
    }
    wakeAt = now + pause
    waitsForBreakers = true
    return .wait(seconds: pause)
  }

  /// Ends a pause for circuit breakers: one of them lets something through earlier than it had said.
  public mutating func wake() {
    if waitsForBreakers { wakeAt = nil }
  }

  /// Takes the failure of the attempt that ``next(at:)`` started.
  ///
  /// - Parameters:
  ///   - failure: Why it failed.
  ///   - now: When it ended.
  ///   - random: A number from 0 up to 1 that spreads the pause.
  ///   - isFinal: Whether the same provider would fail again, whatever the policy says of the kind.
  /// - Returns: Seconds until the next attempt, or `nil` when there is none.
  @discardableResult
  public mutating func fail(
    _ failure: ActionFailure, at now: Double, random: Double, isFinal: Bool = false
  ) -> Double? {
    hasReached = hasReached || !failure.kind.reachesNobody
    if policy.repeats(failure.kind), !isFinal {
      if let provider = provider, repaired.contains(provider), tries[provider, default: 0] >= policy.attempts {
        remaining.remove(at: position)
        guard !remaining.isEmpty else {
          end = .attemptsUsedUp
          return nil
        }
        return following(at: now, random: random)
      }
      if let asked = failure.retryAfter, asked > 0 { longestRequest = max(longestRequest ?? 0, asked) }
      position += 1
    } else {
      remaining.remove(at: position)
      if remaining.isEmpty {
        end = .permanent
        return nil
      }
    }
    return following(at: now, random: random)
  }

  /// Whether the provider that has failed may be asked at once to repair its answer: once, and as an attempt among those
  /// that the policy allows. ``next(at:random:closed:)`` then starts with it again.
  public mutating func repair(at now: Double) -> Bool {
    guard let provider, tries[provider, default: 0] < policy.attempts, secondsLeft(at: now).map({ $0 > 0 }) ?? true
    else { return false }
    return repaired.insert(provider).inserted
  }

  /// The provider whose turn it is.
  private var provider: Int? { remaining.indices.contains(position) ? remaining[position] : nil }

  /// Seconds until the next attempt, after one that failed.
  private mutating func following(at now: Double, random: Double) -> Double? {
    if let left = secondsLeft(at: now), left <= 0 {
      end = .timeUsedUp
      return nil
    }
    if position < remaining.count { return 0 }
    return endRound(at: now, random: random)
  }

  /// What is left of the policy's time budget, in seconds, zero or less where it is used up; `nil` without a budget.
  public func secondsLeft(at now: Double) -> Double? {
    guard let within = policy.within else { return nil }
    return within - (now - (began ?? now))
  }

  /// How long an attempt that begins now may take, in seconds; `nil` without a time budget.
  ///
  /// What is left of the budget. Where that was used up while nobody worked on the run, because its process or its machine
  /// had ended, one attempt is left all the same, and has as long as the first one had.
  public func attemptLimit(at now: Double) -> Double? {
    guard let within = policy.within, let left = secondsLeft(at: now) else { return nil }
    return left > 0 ? left : within
  }

  private mutating func endRound(at now: Double, random: Double) -> Double? {
    if policy.boundsRequests { longestRequest = longestRequest.map { min($0, policy.maximum) } }
    let pause = max(Self.pause(after: round, policy: policy, random: random), longestRequest ?? 0)
    let isFree = !hasReached && now + pause - (began ?? now) <= policy.outage
    guard isFree || round - free < policy.attempts else {
      end = .attemptsUsedUp
      return nil
    }
    guard (longestRequest ?? 0) <= Self.longestPause else {
      end = .timeUsedUp
      return nil
    }
    if let within = policy.within, let began, now + pause - began > within {
      end = .timeUsedUp
      return nil
    }
    beginRound(isFree: isFree)
    hasTried = false
    position = 0
    longestRequest = nil
    wakeAt = now + pause
    return pause
  }

  private mutating func beginRound(isFree: Bool) {
    if isFree { free += 1 }
    hasReached = false
    round += 1
  }

  /// The pause after a round: `backoff · factorⁿ⁻¹`, spread by the jitter, never longer than the policy's maximum.
  ///
  /// - Parameters:
  ///   - round: The round that failed, counted from 1.
  ///   - policy: The policy in force.
  ///   - random: A number from 0 up to 1; 0.5 leaves the pause as it is.
  /// - Returns: Seconds, never negative.
  public static func pause(after round: Int, policy: RetryPolicy, random: Double) -> Double {
    var pause = policy.backoff
    for _ in 1..<max(1, round) where pause < policy.maximum { pause *= policy.factor }
    pause = min(pause, policy.maximum)
    return max(0, min(pause * (1 + policy.jitter * (2 * random - 1)), policy.maximum))
  }
}

extension RetryPolicy {
  /// Whether a failure is retried: one that may pass by itself, and, if the step says so, the failure of a program or one
  /// that a person can fix.
  func repeats(_ kind: ActionFailure.Kind) -> Bool {
    if kind == .failed { return repeatsFailed }
    return kind.isTransient || repeatsMendable && kind != .cancelled && kind != .rejected
  }
}
