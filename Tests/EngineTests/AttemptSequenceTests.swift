import Plans
import Testing

@testable import Engine

@Suite struct AttemptSequenceTests {
  @Test(arguments: [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 16.0), (6, 30.0), (60, 30.0)])
  func pauseGrowsByTheFactorUpToTheMaximum(round: Int, expected: Double) {
    #expect(AttemptSequence.pause(after: round, policy: .standard, random: 0.5) == expected)
  }

  @Test(arguments: [(0.0, 0.8), (0.5, 1.0), (0.75, 1.1)])
  func jitterSpreadsThePauseBothWays(random: Double, expected: Double) {
    let pause = AttemptSequence.pause(after: 1, policy: .standard, random: random)
    #expect(abs(pause - expected) < 1e-9)
  }

  @Test func transientFailuresAreRepeatedUntilTheAttemptsAreUsedUp() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 3, jitter: 0), providers: 1)
    #expect(sequence.next(at: 0) == .start(number: 1, provider: 0))
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == 1)
    #expect(sequence.next(at: 0.25) == .wait(seconds: 0.75))
    #expect(sequence.next(at: 1) == .start(number: 2, provider: 0))
    #expect(sequence.fail(.test(.io), at: 1, random: 0.5) == 2)
    #expect(sequence.next(at: 3) == .start(number: 3, provider: 0))
    #expect(sequence.fail(.test(.io), at: 3, random: 0.5) == nil)
    #expect(sequence.next(at: 9) == .giveUp(.attemptsUsedUp))
  }

  @Test func whatReachesNobodyDoesNotCountForAWhile() {
    let policy = RetryPolicy(attempts: 2, backoff: 10, factor: 2, maximum: 40, jitter: 0, outage: 100)
    var sequence = AttemptSequence(policy: policy, providers: 1)
    var now = 0.0
    var pauses: [Double] = []
    _ = sequence.next(at: now)
    while let pause = sequence.fail(.test(.refused), at: now, random: 0.5) {
      pauses.append(pause)
      now += pause
      _ = sequence.next(at: now)
    }
    // Up to 70 s they are free, then comes one that counts, and the last one.
    #expect(pauses == [10, 20, 40, 40])
    #expect(sequence.next(at: now) == .giveUp(.attemptsUsedUp))
    var resumed = AttemptSequence(policy: policy, providers: 1)
    let failure = AttemptSequence.Failure(provider: 0, isTransient: true, isOutage: true)
    resumed.resume(after: 4, failures: Array(repeating: failure, count: 4), began: 0, wakeAt: nil)
    #expect(resumed.next(at: 110) == .start(number: 5, provider: 0))
    #expect(resumed.fail(.test(.refused), at: 110, random: 0.5) == nil)
  }

  @Test func whoeverAnswersCountsDuringAnOutageToo() {
    let policy = RetryPolicy(attempts: 2, backoff: 10, factor: 1, maximum: 10, jitter: 0, outage: 1000)
    var sequence = AttemptSequence(policy: policy, providers: 1)
    for (kind, isLast) in [(ActionFailure.Kind.refused, false), (.server, false), (.dns, false), (.server, true)] {
      _ = sequence.next(at: Double(sequence.attempts) * 10)
      #expect((sequence.fail(.test(kind), at: Double(sequence.attempts - 1) * 10, random: 0.5) == nil) == isLast)
    }
  }

  @Test func oneAttemptMeansNoRepetition() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 1), providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.timeout), at: 0, random: 0.5) == nil)
    #expect(sequence.next(at: 0) == .giveUp(.attemptsUsedUp))
  }

  @Test(arguments: [
    ActionFailure.Kind.auth, .quota, .protocol, .parse, .invalidInput, .notFound, .unsupported, .cancelled,
    .init(rawValue: "something_new"),
  ])
  func permanentFailuresAreNotRepeated(kind: ActionFailure.Kind) {
    var sequence = AttemptSequence(policy: .standard, providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(kind), at: 0, random: 0.5) == nil)
    #expect(sequence.next(at: 0) == .giveUp(.permanent))
  }

  @Test(arguments: [
    ActionFailure.Kind.dns, .timeout, .refused, .unreachable, .io, .rateLimited, .server, .crashed,
  ])
  func transientKindsAreRepeated(kind: ActionFailure.Kind) {
    var sequence = AttemptSequence(policy: RetryPolicy(jitter: 0), providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(kind), at: 0, random: 0.5) == 1)
  }

  @Test(
    arguments: [(true, .failed, 1), (false, .failed, nil), (true, .auth, nil), (true, .io, 1)]
      as [(Bool, ActionFailure.Kind, Double?)])
  func aProgramThatHasFailedIsRepeatedWhereItsStepSaysSo(
    repeatsFailed: Bool, kind: ActionFailure.Kind, pause: Double?
  ) {
    var policy = RetryPolicy(jitter: 0)
    policy.repeatsFailed = repeatsFailed
    var sequence = AttemptSequence(policy: policy, providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(kind), at: 0, random: 0.5) == pause)
    // A run that is resumed goes by the same rule.
    #expect(policy.repeats(kind) == (pause != nil))
  }

  @Test func aRequestedPauseIsHonouredWhenItIsLonger() {
    var sequence = AttemptSequence(policy: RetryPolicy(jitter: 0), providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.rateLimited, retryAfter: 42), at: 0, random: 0.5) == 42)
    _ = sequence.next(at: 42)
    #expect(sequence.fail(.test(.rateLimited, retryAfter: 0.5), at: 42, random: 0.5) == 2)
  }

  @Test func aMaximumThatTheRecipeWritesBoundsRequestedPausesToo() {
    var policy = RetryPolicy(maximum: 10, jitter: 0)
    policy.boundsRequests = true
    var sequence = AttemptSequence(policy: policy, providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.rateLimited, retryAfter: 42), at: 0, random: 0.5) == 10)
    _ = sequence.next(at: 10)
    #expect(sequence.fail(.test(.rateLimited, retryAfter: 86_400), at: 10, random: 0.5) == 10)
  }

  @Test(arguments: [0.0, 0.5, 0.999]) func jitterDoesNotExceedTheMaximum(random: Double) {
    let policy = RetryPolicy(backoff: 8, maximum: 10, jitter: 1)
    for round in 1...5 { #expect(AttemptSequence.pause(after: round, policy: policy, random: random) <= 10) }
  }

  @Test(arguments: [3601.0, 86_400, 1e30, .infinity])
  func aPauseThatNobodyWaitsForEndsTheSequence(seconds: Double) {
    var sequence = AttemptSequence(policy: .standard, providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.rateLimited, retryAfter: seconds), at: 0, random: 0.5) == nil)
    #expect(sequence.next(at: 0) == .giveUp(.timeUsedUp))
  }

  @Test func theTimeBudgetEndsTheSequenceBeforeAPauseThatWouldExceedIt() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 10, jitter: 0, within: 5), providers: 1)
    _ = sequence.next(at: 100)
    #expect(sequence.fail(.test(.server), at: 101, random: 0.5) == 1)
    _ = sequence.next(at: 102)
    #expect(sequence.fail(.test(.server), at: 102.5, random: 0.5) == 2)
    _ = sequence.next(at: 104.5)
    #expect(sequence.fail(.test(.server), at: 104.6, random: 0.5) == nil)
    #expect(sequence.next(at: 104.6) == .giveUp(.timeUsedUp))
  }

  @Test func theTimeBudgetLeavesNoTimeForAFallbackEither() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 10, jitter: 0, within: 5), providers: 2)
    _ = sequence.next(at: 100)
    #expect(sequence.secondsLeft(at: 103) == 2)
    #expect(sequence.fail(.test(.timeout), at: 105, random: 0.5) == nil)
    #expect(sequence.next(at: 105) == .giveUp(.timeUsedUp))
  }

  @Test func aFallbackIsTriedAtOnceAndThePauseComesAfterTheLastProvider() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 2, jitter: 0), providers: 2)
    #expect(sequence.next(at: 0) == .start(number: 1, provider: 0))
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == 0)
    #expect(sequence.next(at: 0) == .start(number: 2, provider: 1))
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == 1)
    #expect(sequence.next(at: 1) == .start(number: 3, provider: 0))
    #expect(sequence.fail(.test(.server), at: 1, random: 0.5) == 0)
    #expect(sequence.next(at: 1) == .start(number: 4, provider: 1))
    #expect(sequence.fail(.test(.server), at: 1, random: 0.5) == nil)
  }

  @Test func aProviderThatFailsForGoodIsLeftOutOfLaterRounds() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 3, jitter: 0), providers: 2)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.auth), at: 0, random: 0.5) == 0)
    #expect(sequence.next(at: 0) == .start(number: 2, provider: 1))
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == 1)
    #expect(sequence.next(at: 1) == .start(number: 3, provider: 1))
    #expect(sequence.fail(.test(.quota), at: 1, random: 0.5) == nil)
    #expect(sequence.next(at: 1) == .giveUp(.permanent))
  }

  @Test(arguments: [(1, 1), (2, 2), (9, 1), (9, 2)])
  func aSequenceThatGoesOnCountsFailuresAndNotAttempts(attempts: Int, failures: Int) {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 3, jitter: 0), providers: 1)
    sequence.resume(
      after: attempts, failures: Array(repeating: .init(provider: 0, isTransient: true), count: failures), began: 0,
      wakeAt: nil)
    #expect(sequence.next(at: 5) == .start(number: attempts + 1, provider: 0))
    let isLast = failures >= 2
    #expect((sequence.fail(.test(.server), at: 5, random: 0.5) == nil) == isLast)
  }

  @Test func aSequenceThatGoesOnWithinARoundCountsItWhereNobodyElseMayBeCalled() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 1, jitter: 0), providers: 2)
    sequence.resume(after: 1, failures: [.init(provider: 0, isTransient: true)], began: 0, wakeAt: nil)
    #expect(sequence.next(at: 5, closed: { $0 == 1 ? 10 : nil }) == .giveUp(.attemptsUsedUp))
  }

  /// Failures of the providers 'a', 'b' and 'c' before the run was left: the provider's position, and whether it may pass;
  /// which provider is asked next, and then in which order while all fail for a while.
  private static let histories: [(failures: [AttemptSequence.Failure], next: [Int])] = [
    ([.init(provider: 0, isTransient: false)], [1, 2, 1, 2]),
    ([.init(provider: 0, isTransient: false), .init(provider: 1, isTransient: true)], [2, 1, 2]),
    ([.init(provider: 1, isTransient: true), .init(provider: 0, isTransient: true)], [1, 2]),
    (
      [
        .init(provider: 0, isTransient: true), .init(provider: 1, isTransient: false),
        .init(provider: 2, isTransient: true),
      ], [0, 2]
    ),
    ([.init(provider: nil, isTransient: false), .init(provider: 1, isTransient: true)], [2, 0, 1, 2]),
  ]

  @Test(arguments: histories)
  func whoeverHasFailedForGoodIsLeftOutAlsoAfterAResume(failures: [AttemptSequence.Failure], next: [Int]) {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 2, backoff: 0, jitter: 0), providers: 3)
    sequence.resume(after: failures.count, failures: failures, began: 0, wakeAt: nil)
    var asked: [Int] = []
    while case .start(_, let provider) = sequence.next(at: 0) {
      asked.append(provider)
      sequence.fail(.test(.server), at: 0, random: 0.5)
    }
    #expect(asked == next)
  }

  @Test func nobodyIsAskedWhereAllHaveFailedForGoodBeforeAResume() {
    var sequence = AttemptSequence(policy: RetryPolicy(jitter: 0), providers: 1)
    sequence.resume(after: 1, failures: [.init(provider: 0, isTransient: false)], began: 0, wakeAt: nil)
    #expect(sequence.next(at: 0) == .giveUp(.permanent))
  }

  @Test func aSequenceThatGoesOnKeepsItsPause() {
    var sequence = AttemptSequence(policy: RetryPolicy(jitter: 0), providers: 1)
    sequence.resume(after: 1, failures: [.init(provider: 0, isTransient: true)], began: 0, wakeAt: 8)
    #expect(sequence.next(at: 3) == .wait(seconds: 5))
    #expect(sequence.next(at: 8) == .start(number: 2, provider: 0))
  }

  @Test func aSequenceThatGoesOnKeepsItsTimeBudget() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 10, jitter: 0, within: 60), providers: 1)
    sequence.resume(after: 1, failures: [.init(provider: 0, isTransient: true)], began: -59, wakeAt: nil)
    _ = sequence.next(at: 0)
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == nil)
    #expect(sequence.next(at: 0) == .giveUp(.timeUsedUp))
  }

  @Test(arguments: [
    (elapsed: 0.0, limit: 60.0), (elapsed: 15, limit: 45), (elapsed: 59.5, limit: 0.5), (elapsed: 60, limit: 60),
    (elapsed: 86_400, limit: 60),
  ])
  func anAttemptHasWhatIsLeftOfTheBudgetAndTheWholeOfItWhereItWasUsedUpMeanwhile(elapsed: Double, limit: Double) {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 10, jitter: 0, within: 60), providers: 1)
    sequence.resume(after: 1, failures: [], began: 1000 - elapsed, wakeAt: nil)
    #expect(sequence.next(at: 1000) == .start(number: 2, provider: 0))
    #expect(sequence.attemptLimit(at: 1000) == limit)
  }

  @Test func withoutABudgetAnAttemptHasNoLimitOfThatKind() {
    var sequence = AttemptSequence(policy: RetryPolicy(jitter: 0), providers: 1)
    _ = sequence.next(at: 0)
    #expect(sequence.attemptLimit(at: 0) == nil)
  }

  @Test func aProviderWhoseBreakerIsOpenIsPassedOver() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 2, jitter: 0), providers: 2)
    #expect(sequence.next(at: 0, closed: { $0 == 0 ? 9 : nil }) == .start(number: 1, provider: 1))
    #expect(sequence.fail(.test(.server), at: 0, random: 0.5) == 1)
    #expect(sequence.next(at: 1) == .start(number: 2, provider: 0))
  }

  @Test func whereAllAreClosedTheShortestTimeIsWaitedForWithinTheBudget() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 1, jitter: 0, within: 20), providers: 2)
    #expect(sequence.next(at: 0, closed: { [9, 4][$0] }) == .wait(seconds: 4))
    #expect(sequence.next(at: 4, closed: { _ in 30 }) == .giveUp(.timeUsedUp))
  }

  @Test func onlyAPauseForBreakersEndsEarly() {
    var sequence = AttemptSequence(policy: RetryPolicy(attempts: 2, backoff: 5, jitter: 0), providers: 1)
    #expect(sequence.next(at: 0, closed: { _ in 30 }) == .wait(seconds: 30))
    #expect(sequence.waitsForBreakers)
    sequence.wake()
    #expect(sequence.next(at: 1) == .start(number: 1, provider: 0))
    sequence.fail(.test(.refused), at: 1, random: 0.5)
    #expect(sequence.next(at: 1) == .wait(seconds: 5))
    #expect(!sequence.waitsForBreakers)
    sequence.wake()
    #expect(sequence.next(at: 2) == .wait(seconds: 4))
  }
}
