import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

extension UnitWork {
  /// Waits of fewer seconds are waited for in place, so that a short `sleep` costs no detour through the run log.
  static let shortestWait = 2.0

  /// Waits, as `sleep`, `until`, `wait_for` and `approve` do.
  func wait(for input: Value) async throws -> UnitOutcome {
    let wait: WaitStart
    if let begun = resumed?.wait {
      wait = begun
    } else {
      switch waitStart(input) {
      case .success(let start): wait = start
      case .failure(let failure): return .failure(failure)
      }
      try await context.record([.waitStarted(wait)], .accepted)
      // A duration lasts as long as it says; a point in time is one of the time of day.
      if plan.action.name != "until", let until = wait.until {
        deadlines.begin(wait, deadline: context.time.monotonic + until.seconds(since: wait.at))
      }
    }
    while true {
      let now = context.time.now
      let left =
        deadlines.deadline(of: wait).map { $0 - context.time.monotonic }
        ?? wait.until?.seconds(since: now)
      if wait.kind == .time {
        guard let left, left > 0 else { return try await end(wait, .success(timeOutput(wait, now))) }
      } else if let answer = try await context.engine.queue.answer(run: context.run, step: step, item: item) {
        return try await end(wait, outcome(of: answer, wait))
      } else if let left, left <= 0 {
        return try await end(wait, .failure(.waitTimedOut(wait, step: plan.id)))
      }
      if context.canPark || left == nil {
        guard wait.kind == .time, let left, left <= Self.shortestWait else {
          return .waits(UnitSnapshot(item: item, wait: wait), until: try await parkingTime(wait, left, now))
        }
      }
      if isStopped { return .suspended }
      do { try await context.time.sleep(seconds: left ?? 0) } catch { return .suspended }
    }
  }

  private var deadlines: WaitDeadlines { context.engine.deadlines }

  /// The time of day at which a wait ends that has so many seconds left. Where the clock has jumped, the run log is told.
  private func parkingTime(_ wait: WaitStart, _ left: Double?, _ now: Timestamp) async throws -> Timestamp? {
    guard let left, let until = wait.until, abs(until.seconds(since: now) - left) > 1 else { return wait.until }
    let corrected = now.adding(seconds: left)
    // An answer that has come would be lost with the old entry of another wait.
    if wait.kind == .time {
      var wait = wait
      wait.until = corrected
      try await context.record([.waitStarted(wait)], .accepted)
    }
    return corrected
  }

  private func end(_ wait: WaitStart, _ outcome: UnitOutcome) async throws -> UnitOutcome {
    deadlines.end(wait)
    var entries: [JournalEntry] = [.waitEnded(run: context.run, step: step, item: item, at: context.time.now)]
    if case .success(let output) = outcome {
      entries.append(.output(run: context.run, step: step, item: item, value: output))
    }
    // As an attempt, so that whoever resumes the run does not wait once more.
    if case .failure(let failure) = outcome { entries += failedAttempt(failure) }
    try await context.record(entries, .soon)
    return outcome
  }

  /// The journal's entries for an attempt of Sous's own that failed for good.
  private func failedAttempt(_ failure: ActionFailure) -> [JournalEntry] {
    let now = context.time.now
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: 1, kind: .builtin, key: "", inputBytes: 0,
      at: now)
    let end = AttemptEnd(
      run: context.run, step: step, item: item, number: 1, failure: failure, outputBytes: 0, duration: 0,
      retryDelay: nil, at: now)
    return [.attemptStarted(start), .attemptFinished(end)]
  }

  private func timeOutput(_ wait: WaitStart, _ now: Timestamp) -> Value {
    ["waited": .double(max(0, now.seconds(since: wait.at))), "until": .timestamp(wait.until ?? now)]
  }

  private func outcome(of answer: WaitAnswer, _ wait: WaitStart) -> UnitOutcome {
    switch answer {
    case .event(let payload):
      return .success(["payload": payload, "key": .string(wait.key)])
    case .approved(let fields, let person):
      return .success(["approved": true, "by": .string(person), "fields": fields])
    case .rejected(let reason, let person):
      return .failure(.rejected(reason: reason, by: person))
    }
  }

  /// Reads what to wait for out of a step's input, which its schema has let through.
  private func waitStart(_ input: Value) -> Result<WaitStart, ActionFailure> {
    let now = context.time.now
    var start = WaitStart(run: context.run, step: step, item: item, kind: .time, until: nil, at: now)
    if let timeout = input["timeout"], !timeout.isNull {
      guard let seconds = timeout.durationSeconds else { return .failure(.notADuration("timeout", timeout)) }
      start.until = now.adding(seconds: seconds)
    }
    switch plan.action.name {
    case "sleep":
      guard let seconds = input["for"]?.durationSeconds else {
        return .failure(.notADuration("for", input["for"] ?? .null))
      }
      start.until = now.adding(seconds: seconds)
    case "until":
      guard let time = input["time"]?.pointInTime else { return .failure(.notATime(input["time"] ?? .null)) }
      start.until = time
    case "wait_for":
      start.kind = .event
      start.event = input["event"]?.stringValue ?? ""
      start.key = input["key"].map { $0.stringValue ?? ($0.isNull ? "" : $0.jsonString) } ?? ""
    default:
      start.kind = .approval
      start.message = input["message"]?.stringValue
      if let form = input["form"], !form.isNull { start.form = form }
    }
    return .success(start)
  }
}

extension Value {
  /// Seconds of a duration text, a number of seconds or a duration; `nil` for anything else and for what is negative.
  fileprivate var durationSeconds: Double? {
    let seconds: Double? =
      switch self {
      case .string(let text): DurationText.seconds(text)
      case .duration(let span): span.seconds
      default: doubleValue
      }
    return seconds.flatMap { $0 >= 0 && $0 <= DurationText.longest ? $0 : nil }
  }

  /// A point in time, or its text (RFC 3339).
  fileprivate var pointInTime: Timestamp? {
    switch self {
    case .timestamp(let time): time
    case .string(let text): Timestamp(rfc3339: text)
    default: nil
    }
  }
}

extension ActionFailure {
  fileprivate static func notADuration(_ field: String, _ value: Value) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      .init(
        "'\(field)' must be a duration such as '90s' or '2h', not \(value.jsonString.prefix(60))",
        de: "'\(field)' muss eine Dauer wie '90s' oder '2h' sein, nicht \(value.jsonString.prefix(60))"))
  }

  fileprivate static func notATime(_ value: Value) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      .init(
        "'time' must be a point in time such as '2027-01-01T08:00:00Z', not \(value.jsonString.prefix(60))",
        de: "'time' muss ein Zeitpunkt wie '2027-01-01T08:00:00Z' sein, nicht \(value.jsonString.prefix(60))"))
  }

  fileprivate static func waitTimedOut(_ wait: WaitStart, step: String) -> ActionFailure {
    let what =
      wait.kind == .approval
      ? LocalizedText("nobody has decided in time", de: "niemand hat rechtzeitig entschieden")
      : LocalizedText(
        "the event '\(wait.event ?? "")' did not come in time",
        de: "das Ereignis '\(wait.event ?? "")' kam nicht rechtzeitig")
    return ActionFailure(.timeout, LocalizedText(verbatim: "\(step): ") + what)
  }

  fileprivate static func rejected(reason: String, by person: String) -> ActionFailure {
    let rest = reason.isEmpty ? "" : ": \(reason)"
    return ActionFailure(.rejected, .init("rejected by \(person)\(rest)", de: "abgelehnt von \(person)\(rest)"))
  }
}
