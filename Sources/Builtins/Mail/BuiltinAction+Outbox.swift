import Engine
import Expressions
import Localization
import OperatingSystem
import Plans
import RecipeModel
import Schedules

extension BuiltinAction {
  /// `outbox.due`: when a message is to go out: at its time, and no earlier than its undo window ends.
  static let outboxDue = BuiltinAction(signature: .outboxDue) { call in
    let now = call.surroundings.time.now
    let undo = call.input["undo_for"]?.seconds ?? call.surroundings.outbox.undoFor
    guard let text = call.input["at"]?.stringValue, !text.isEmpty else {
      return ["time": .string(now.adding(seconds: undo).rfc3339Milliseconds), "urgent": false]
    }
    let moment: SendMoment
    do throws(ScheduleError) {
      moment = try SendMoment(text, now: now)
    } catch {
      throw ActionFailure(
        .invalidInput, LocalizedText("when to send: ", de: "wann gesendet wird: ") + error.message,
        advice: error.advice)
    }
    if moment.isNow { return ["time": .string(now.rfc3339Milliseconds), "urgent": true] }
    // One that is late stays late.
    let time = undo > 0 ? max(moment.time, now.adding(seconds: undo)) : moment.time
    return ["time": .string(time.rfc3339Milliseconds), "urgent": false]
  }

  /// `outbox.turn`: when a message whose time has come has its turn, and whether to ask first because it is late; with
  /// `has_slot`, whether it is late for the turn that it has had.
  static let outboxTurn = BuiltinAction(signature: .outboxTurn) { call in
    let now = call.surroundings.time.now
    let settings = call.surroundings.outbox
    let account = call.text("account")
    guard let due = Timestamp(rfc3339: call.text("time")) else {
      throw ActionFailure(.invalidInput, LocalizedText("'time' is not a time", de: "'time' ist keine Zeit"))
    }
    func turn(_ time: Timestamp, _ question: String = "") -> Value {
      ["time": .string(time.rfc3339Milliseconds), "question": .string(question)]
    }
    if call.flag("urgent") { return turn(now) }
    let quiet = settings.quiet(of: account)
    // Messages that are due in quiet hours go out at their end.
    let late = now.seconds(since: quiet?.delaying(due) ?? due)
    if late > settings.late {
      let (time, span) = (ReminderWords.clock(due), ReminderWords.span(late))
      let question =
        LocalizedText("It was to go out at \(time), ", de: "Sie sollte um \(time) hinausgehen, vor ") + span
        + LocalizedText(" ago. Send it now?", de: ". Jetzt senden?")
      return turn(now, question.string(in: .preferred(environment: call.surroundings.environment)))
    }
    let earliest = quiet?.delaying(max(now, due)) ?? max(now, due)
    guard !call.flag("has_slot"), let rate = settings.rate(of: account) else { return turn(earliest) }
    let state = try call.recipeState
    let slot = try await BlockingPool.shared.run {
      try OutboxSlots(state: state, account: account).take(earliest, interval: rate.interval, quiet)
    }
    return turn(slot)
  }
}

/// Whose turn it is when among the messages of a transport: one after the other, an interval apart, whichever process sends.
struct OutboxSlots {
  private static let attempts = 1000
  private static let key = "next"

  let state: any RecipeState
  let account: String

  /// Takes the next free place.
  ///
  /// - Parameters:
  ///   - earliest: When the message may go out.
  ///   - interval: Seconds to the next message.
  ///   - quiet: Hours that are left out.
  /// - Throws: `StorageFailure`, `conflict` where others change it all the time.
  func take(_ earliest: Timestamp, interval: Double, _ quiet: QuietHours?) throws(StorageFailure) -> Timestamp {
    let space = "outbox:" + account
    for _ in 0..<Self.attempts {
      let old = try state.value(of: Self.key, in: space)
      let free = old?.stringValue.flatMap { Timestamp(rfc3339: $0) }
      var slot = max(earliest, free ?? earliest)
      if let quiet { slot = quiet.delaying(slot) }
      let next = Value.string(slot.adding(seconds: interval).rfc3339Milliseconds)
      if try state.claim(Self.key, with: next, in: space, where: { $0?.stringValue == old?.stringValue }) == nil {
        return slot
      }
    }
    throw StorageFailure(
      .conflict, LocalizedText("the outbox of '\(account)' is busy", de: "der Postausgang von '\(account)' ist belegt"))
  }
}

extension Value {
  fileprivate var seconds: Double? { doubleValue ?? intValue.map(Double.init) }
}
