import Engine
import Expressions
import Glibc
import Localization
import Plans
import Schemas

extension BuiltinAction {
  /// `reminder.plan`: what a run is to deliver, and what it waits for. The first delivery of a new point ends the repetitions of
  /// earlier points.
  static let reminderPlan = BuiltinAction(signature: .reminderPlan) { call in
    let now = call.time("now") ?? call.surroundings.time.now
    let round = ReminderRound(
      of: RunID(rawValue: call.text("run")), event: call.input["event"] ?? .null, times: call.reminderTimes, now: now)
    if round.isScheduled, round.round == 1, round.wait == .none {
      // The delivery matters more than the end of the one before; 'reminder.next' looks at that once more.
      try? await call.surroundings.rounds?.endEarlierRepetitions(for: call.request.run)
    }
    guard case .map(var output) = round.event else { return [:] }
    output["type"] = nil
    output["seconds"] = .double(max(0, round.due.seconds(since: now)))
    return .map(output)
  }

  /// `reminder.text`: the text with what has to be said about its time.
  static let reminderText = BuiltinAction(signature: .reminderText) { call in
    let now = call.time("now") ?? call.surroundings.time.now
    var round = try call.round
    // A user may have postponed it.
    if let until = call.time("until") { round.due = until }
    let delivered = round.delivered(at: now)
    let late = delivered.wait == .acknowledgement ? 0 : max(0, now.seconds(since: delivered.due))
    let words = ReminderWords(delivered, lateBy: late, now: now)
    let text = call.text("text")
    // Receivers such as a phone show a text of one line as a title, and its note belongs there.
    let gap = text.contains(where: \.isNewline) ? "\n" : " "
    let note = words.text.map {
      "\(gap)(" + $0.string(in: .preferred(environment: call.surroundings.environment)) + ")"
    }
    return [
      "text": .string(text + (note ?? "")), "round": .int(Int64(delivered.round)),
      "late_seconds": .double(late),
    ]
  }

  /// `reminder.next`: queues the next delivery.
  static let reminderNext = BuiltinAction(signature: .reminderNext) { call in
    var round = try call.round
    round.round = call.input["round"]?.intValue.map { Int(clamping: $0) } ?? round.round
    let now = call.time("now") ?? call.surroundings.time.now
    guard let next = round.next(call.reminderTimes, at: now) else { return ["run": .null, "due": .null] }
    guard let rounds = call.surroundings.rounds else {
      throw ActionFailure(
        .unsupported,
        LocalizedText("nothing can be queued without a run log", de: "ohne Laufprotokoll ist nichts einzureihen"))
    }
    let run = try await rounds.queue(next, after: call.request.run)
    return [
      "run": run.map { .string($0.rawValue) } ?? .null, "due": run.map { _ in .string(next.due.rfc3339) } ?? .null,
    ]
  }

  /// `reminder.result`: fails where a delivery got through on none of its ways.
  static let reminderResult = BuiltinAction(signature: .reminderResult) { call in
    for delivery in call.input["deliveries"]?.listValue ?? [] {
      let ways = delivery.listValue ?? []
      guard !ways.contains(where: { $0["status"]?.stringValue == "succeeded" }), let last = ways.last else { continue }
      let error = last["error"]
      let reasons = ways.map { way in
        LocalizedText(verbatim: "\(way["way"]?.stringValue ?? ""): ")
          + (LocalizedText(of: way["error"], "message") ?? LocalizedText(of: way, "status")
            ?? LocalizedText(verbatim: ""))
      }
      throw ActionFailure(
        error?["kind"]?.stringValue.map(ActionFailure.Kind.init(rawValue:)) ?? .failed,
        LocalizedText("the reminder was not delivered: ", de: "die Erinnerung wurde nicht zugestellt: ")
          + reasons.dropFirst().reduce(reasons.first ?? LocalizedText(verbatim: "")) {
            $0 + LocalizedText(verbatim: "; ") + $1
          })
    }
    return [:]
  }
}

/// The words about the time of a delivery.
struct ReminderWords {
  /// From how many seconds on a delivery counts as late.
  static let tolerance = 120.0

  /// The words; `nil` if nothing has to be said.
  let text: LocalizedText?

  init(_ round: ReminderRound, lateBy late: Double, now: Timestamp) {
    let at = Self.clock(round.at)
    if round.round == 0 {
      let left = Self.span(round.at.seconds(since: now))
      text = LocalizedText("due \(at), in ", de: "fällig \(at), in ") + left
    } else if late >= Self.tolerance {
      let due = Self.clock(round.due)
      text =
        LocalizedText("due \(due), ", de: "fällig \(due), ") + Self.span(late, isLate: true)
        + LocalizedText(" late", de: " verspätet")
    } else if round.round > 1 {
      text = LocalizedText("due \(at), reminder \(round.round)", de: "fällig \(at), \(round.round). Erinnerung")
    } else {
      text = nil
    }
  }

  /// `2026-11-24 09:00` on the clock of this machine.
  static func clock(_ time: Timestamp) -> String {
    var seconds = time_t(time.seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min))"
  }

  /// `3 h 20 min`, in one or two units.
  static func span(_ seconds: Double, isLate: Bool = false) -> LocalizedText {
    let minutes = Int((min(max(0, seconds), 1e12) / 60).rounded())
    let (days, hours, rest) = (minutes / 1440, minutes / 60 % 24, minutes % 60)
    if days > 0 {
      return .count(days, "day", "days", de: "Tag", isLate ? "Tage" : "Tagen")
        + LocalizedText(verbatim: hours > 0 ? " \(hours) h" : "")
    }
    if hours > 0 { return LocalizedText(verbatim: "\(hours) h" + (rest > 0 ? " \(rest) min" : "")) }
    return LocalizedText(verbatim: "\(max(1, rest)) min")
  }
}

extension BuiltinCall {
  /// A point in time of the input.
  fileprivate func time(_ key: String) -> Timestamp? { Timestamp(rfc3339: text(key)) }

  /// The times of the reminder, as its recipe has them.
  fileprivate var reminderTimes: ReminderRound.Times {
    ReminderRound.Times(
      at: time("at"), leads: (input["leads"]?.listValue ?? []).compactMap(\.number), every: input["every"]?.number,
      limit: input["limit"]?.intValue.map { Int(clamping: $0) })
  }

  /// The round that `reminder.plan` has found.
  fileprivate var round: ReminderRound {
    get throws(ActionFailure) {
      if case .map(var fields)? = input["plan"] {
        fields["type"] = .string(ReminderRound.eventType)
        if let round = ReminderRound(event: .map(fields)) { return round }
      }
      throw ActionFailure(
        .invalidInput,
        LocalizedText("the plan of the reminder is damaged", de: "der Plan der Erinnerung ist beschädigt"))
    }
  }
}
