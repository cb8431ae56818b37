public import Engine
public import Expressions

/// One delivery of a reminder: what it is about, and what it waits for. A run delivers once; the event that begins it is a
/// round.
///
/// It is pure: what comes next depends on the round, the recipe's times and the time of day.
public struct ReminderRound: Sendable, Hashable {
  /// The event that the delivery waits for.
  public enum Wait: String, Sendable {
    /// Nothing: it is delivered at once.
    case none
    /// The time at which it is due.
    case time
    /// An acknowledgement, which ends the reminder; it is delivered if none has come in time.
    case acknowledgement
  }

  /// The times of a recipe.
  public struct Times: Sendable, Hashable {
    /// When it is due; `nil` if triggers say.
    public var at: Timestamp?
    /// How many seconds before that it is delivered as well.
    public var leads: [Double]
    /// Seconds after which it is delivered once more; `nil` for not at all.
    public var every: Double?
    /// How often it is delivered at most, lead times not counted; `nil` for no bound.
    public var limit: Int?

    /// Creates times.
    public init(at: Timestamp? = nil, leads: [Double] = [], every: Double? = nil, limit: Int? = nil) {
      (self.at, self.leads, self.every, self.limit) = (at, leads, every, limit)
    }
  }

  /// The `type` of the event of such a run.
  public static let eventType = "reminder"

  /// The run that delivered it first, which names the reminder.
  public var reminder: RunID
  /// The event that the delivery waits for.
  public var wait: Wait
  /// When it is to be delivered.
  public var due: Timestamp
  /// The time that it is about.
  public var at: Timestamp
  /// Which delivery it is, from 1; 0 for one ahead of time.
  public var round: Int
  /// Whether a schedule decides about the deliveries ahead of time.
  public var isScheduled = false

  /// Creates a round.
  public init(reminder: RunID, wait: Wait, due: Timestamp, at: Timestamp, round: Int, isScheduled: Bool = false) {
    (self.reminder, self.wait, self.due, self.at, self.round) = (reminder, wait, due, at, round)
    self.isScheduled = isScheduled
  }

  // MARK: - The first one

  /// The delivery of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - event: The event that began it: a round, a point of a schedule, anything else or nothing.
  ///   - times: The recipe's times.
  ///   - now: When it began.
  public init(of run: RunID, event: Value, times: Times, now: Timestamp) {
    if let round = ReminderRound(event: event) {
      self = round
    } else if event["type"]?.stringValue == "schedule", let text = event["at"]?.stringValue,
      let at = Timestamp(rfc3339: text)
    {
      let lead = event["lead_seconds"]?.number ?? 0
      self.init(
        reminder: run, wait: .none, due: at.adding(seconds: -lead), at: at, round: lead > 0 ? 0 : 1, isScheduled: true)
    } else if let at = times.at {
      let due = Self.point(after: now, at, times.leads)
      self.init(reminder: run, wait: .time, due: due, at: at, round: due < at ? 0 : 1)
    } else {
      self.init(reminder: run, wait: .none, due: now, at: now, round: 1)
    }
  }

  /// The next point of those ahead of time and the time itself.
  private static func point(after now: Timestamp, _ at: Timestamp, _ leads: [Double]) -> Timestamp {
    leads.map { at.adding(seconds: -$0) }.filter { $0 > now }.min() ?? at
  }

  // MARK: - The delivery

  /// The delivery at this time: an early notice becomes the reminder itself if its time has come.
  public func delivered(at now: Timestamp) -> ReminderRound {
    var round = self
    if self.round == 0, at <= now {
      round.round = 1
      round.due = at
    }
    return round
  }

  /// The next delivery after this one; `nil` if there is none.
  public func next(_ times: Times, at now: Timestamp) -> ReminderRound? {
    var next = self
    if round == 0 {
      guard !isScheduled else { return nil }
      next.due = Self.point(after: now, at, times.leads)
      next.wait = .time
      next.round = next.due < at ? 0 : 1
      return next
    }
    guard let every = times.every, round < times.limit ?? .max else { return nil }
    next.due = now.adding(seconds: every)
    next.wait = .acknowledgement
    next.round = round + 1
    return next
  }

  /// The reminder once more at a later time, if the user postpones it after it was delivered.
  public func snoozed(until time: Timestamp) -> ReminderRound {
    var next = self
    (next.due, next.wait, next.round) = (time, .time, max(1, round))
    return next
  }

  /// The round at another time, if the user postpones it before it is delivered. An early notice stays one: the reminder itself
  /// comes as well.
  ///
  /// - Parameters:
  ///   - time: When it is to be delivered.
  ///   - wasNoticed: Whether something was delivered ahead of time before.
  public func putOff(until time: Timestamp, wasNoticed: Bool) -> ReminderRound {
    var next = self
    next.due = time
    if wait == .none { next.wait = .time }
    let isAhead = round == 0 || round == 1 && wasNoticed && !isScheduled
    next.round = isAhead && time < at ? 0 : max(1, round)
    return next
  }

  // MARK: - As an event

  /// The round that an event holds; `nil` for any other event.
  public init?(event: Value) {
    guard event["type"]?.stringValue == Self.eventType, let reminder = event["reminder"]?.stringValue,
      let wait = event["wait"]?.stringValue.flatMap(Wait.init(rawValue:)),
      let due = event["due"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
      let at = event["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
      let round = event["round"]?.number.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(
      reminder: RunID(rawValue: reminder), wait: wait, due: due, at: at, round: max(0, round),
      isScheduled: event["scheduled"]?.boolValue ?? false)
  }

  /// `{type, reminder, wait, due, at, round, scheduled}`.
  public var event: Value {
    [
      "type": .string(Self.eventType), "reminder": .string(reminder.rawValue), "wait": .string(wait.rawValue),
      "due": .string(due.rfc3339), "at": .string(at.rfc3339), "round": .int(Int64(round)),
      "scheduled": .bool(isScheduled),
    ]
  }
}

extension Value {
  /// A number, whole or not.
  var number: Double? { doubleValue ?? intValue.map(Double.init) }
}
