import Expressions
import Localization
import Plans
import RecipeModel

/// Steps with `repeat`. An attempt that succeeds without making `until` true ends in the journal with a failure of kind `not_yet`
/// and the pause to the next one, so a process that resumes the run continues the pause and the count.
extension UnitWork {
  /// An output for which `until` is not true.
  struct Unmet {
    /// The failure to record for the attempt.
    var failure: ActionFailure
    /// Seconds to the next repetition; `nil` if none follows.
    var pause: Double?
  }

  /// The most bytes of the last output, as JSON, that a failure of kind `repeat_limit` holds.
  private static let longestOutput = 1 << 20

  /// Decides whether the step is repeated after an output; `nil` if it is not, because `until` is true.
  ///
  /// - Parameter progress: The unit, with the attempt that gave the output.
  func unmet(_ output: Value, progress: UnitSnapshot, _ bindings: Bindings) -> Unmet? {
    guard let repetition = plan.repetition else { return nil }
    let output = output.jsonForm
    do throws(ExpressionError) {
      let answer = try repetition.until.evaluate(bindings.seeing(output, of: plan.id))
      guard case .bool(let isMet) = answer else {
        throw ExpressionError(
          .wrongType, .init("'until' must be true or false", de: "'until' muss true oder false ergeben"))
      }
      if isMet { return nil }
    } catch {
      return Unmet(failure: ActionFailure(evaluating: "repeat.until", of: plan.id, error), pause: nil)
    }
    let times = progress.repetitions + 1
    let elapsed = progress.lastAttempt.map { max(0, context.time.now.seconds(since: $0.firstStart)) } ?? 0
    let isLast =
      switch repetition.limit {
      case .times(let most)?: times >= most
      case .seconds(let longest)?: elapsed + repetition.every > longest
      case nil: false
      }
    guard isLast else { return Unmet(failure: .notYet(step: plan.id, times: times), pause: repetition.every) }
    var failure = ActionFailure.repeatLimit(step: plan.id, times: times)
    if output.jsonSize <= Self.longestOutput { failure.output = output }
    return Unmet(failure: failure, pause: nil)
  }

  /// The idempotency key of a repetition: its attempts share it, and the next repetition has another one.
  ///
  /// - Parameter ended: How many repetitions have ended.
  func key(ofRepetition ended: Int) -> String {
    guard ended > 0 else { return key }
    let name = context.run.rawValue + "." + plan.id + (item.map { ".\($0)" } ?? "")
    return "\(name)~\(ended + 1)"
  }

  /// Waits for the rest of the pause before the next repetition of a step that runs another recipe.
  ///
  /// - Returns: The unit's outcome where it waits or is stopped.
  func pauseBeforeRepetition() async throws -> UnitOutcome? {
    guard var progress = resumed, let last = progress.lastAttempt, last.failure?.kind == .notYet,
      let delay = last.retryDelay, let ended = last.endedAt
    else { return nil }
    let deadline = progress.wait.flatMap(context.engine.deadlines.deadline)
    let left =
      deadline.map { $0 - context.time.monotonic } ?? min(delay, delay - max(0, context.time.now.seconds(since: ended)))
    if left > 0 {
      if isStopped { return .suspended }
      if left > Self.longestPauseInPlace, context.canPark {
        let now = context.time.now
        let until = now.adding(seconds: left)
        if progress.wait == nil {
          let wait = WaitStart(
            run: context.run, step: step, item: item, kind: .retry, until: until, at: now)
          try await context.record([.waitStarted(wait)], .accepted)
          context.engine.deadlines.begin(wait, deadline: context.time.monotonic + left)
          progress.wait = wait
        }
        return .waits(progress, until: until)
      }
      do { try await context.time.sleep(seconds: left) } catch { return .suspended }
    }
    if let wait = progress.wait {
      context.engine.deadlines.end(wait)
      try await context.record(
        [.waitEnded(run: context.run, step: step, item: item, at: context.time.now)], .accepted)
    }
    return isStopped ? .suspended : nil
  }
}

extension Bindings {
  /// The variables of `until`: those of the step, and its output as `output` and `steps.ID.output`.
  fileprivate func seeing(_ output: Value, of step: String) -> Bindings {
    var bindings = self
    bindings.variables["output"] = output
    guard case .map(var steps)? = bindings.variables["steps"] else { return bindings }
    steps[step] = .map(["status": "succeeded", "output": output, "error": .null])
    bindings.variables["steps"] = .map(steps)
    return bindings
  }
}

extension ActionFailure {
  fileprivate static func notYet(step: String, times: Int) -> ActionFailure {
    ActionFailure(
      .notYet,
      .init(
        "'until' of step '\(step)' is not true yet (\(times))",
        de: "'until' von Schritt '\(step)' gilt noch nicht (\(times))"))
  }

  fileprivate static func repeatLimit(step: String, times: Int) -> ActionFailure {
    ActionFailure(
      .repeatLimit,
      .init(
        "'until' of step '\(step)' was not true after \(times == 1 ? "1 repetition" : "\(times) repetitions"), the limit of 'repeat'",
        de:
          "'until' von Schritt '\(step)' galt nach \(times == 1 ? "einer Wiederholung" : "\(times) Wiederholungen") nicht; das ist die Grenze von 'repeat'"
      ),
      advice: .init(
        "raise 'limit', or look at the last output: 'error.output' has it",
        de: "'limit' erhöhen oder die letzte Ausgabe ansehen: sie steht in 'error.output'"))
  }
}
