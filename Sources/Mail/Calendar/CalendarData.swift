/// The contents of a `text/calendar` part (RFC 5545, RFC 5546).
public struct CalendarData: Sendable, Hashable {
  /// The method, in upper case: `REQUEST`, `REPLY`, `CANCEL`, `PUBLISH` …; `nil` if the part does not say.
  public var method: String?
  /// The events and tasks, in their order; at most 500.
  public var events: [CalendarEvent]

  /// Reads calendar data.
  ///
  /// - Parameters:
  ///   - text: The text of the part.
  ///   - method: The `method` parameter of the part's `Content-Type`.
  /// - Returns: `nil` if no calendar begins in it.
  public init?(_ text: String, method: String? = nil) {
    var reader = CalendarReader(text)
    guard let data = reader.read() else { return nil }
    self.method = (data.method ?? method)?.uppercased()
    events = data.events
  }
}

/// An event or a task in a calendar.
public struct CalendarEvent: Sendable, Hashable {
  /// A person who organises or takes part.
  public struct Participant: Sendable, Hashable {
    /// The name and the address; the address is empty if the calendar has no mail address.
    public var address: Address
    /// The role in upper case, such as `REQ-PARTICIPANT`, `OPT-PARTICIPANT`, `CHAIR`.
    public var role: String?
    /// The answer in upper case, such as `ACCEPTED`, `DECLINED`, `TENTATIVE`, `NEEDS-ACTION`.
    public var status: String?
    /// Whether an answer is wanted.
    public var isAnswerWanted: Bool
  }

  /// The identifier, the same in all messages about the event.
  public var uid: String
  /// Which version of the event this is; the highest holds.
  public var sequence: Int
  /// The subject.
  public var summary: String
  /// Where it takes place; `nil` if the calendar does not say.
  public var location: String?
  /// More about it; `nil` if the calendar does not say.
  public var details: String?
  /// Who organises it.
  public var organizer: Participant?
  /// Who is invited; at most 1000.
  public var attendees: [Participant]
  /// When it starts.
  public var start: EventTime?
  /// When it ends: not part of it any more. From `DTEND`, `DUE`, or `DTSTART` and `DURATION`.
  public var end: EventTime?
  /// The rule by which it is repeated, as written (RFC 5545 §3.8.5.3); `nil` for a single event.
  public var recurrence: String?
  /// Which event of a repeated one this is about.
  public var recurrenceID: EventTime?
  /// `CONFIRMED`, `TENTATIVE` or `CANCELLED`; `nil` if the calendar does not say.
  public var status: String?

  init() {
    uid = ""
    sequence = 0
    summary = ""
    attendees = []
  }
}

/// A time in a calendar: a day, or a time of day with or without a zone.
public struct EventTime: Sendable, Hashable {
  /// The instant and its distance from UTC. Where ``isInstantKnown`` is false, the time of day as if it were UTC.
  public var date: MessageDate
  /// Whether it is a whole day.
  public var isDay: Bool
  /// The zone's name: `UTC`, or as the calendar names it; `nil` for a day and for a time that holds wherever one is.
  public var zone: String?
  /// Whether the zone is known, so that ``date`` is the instant.
  public var isInstantKnown: Bool

  /// `2026-11-30`, `2026-11-30T14:00:00+01:00`, or without the offset where the zone is not known.
  public var text: String {
    let full = date.rfc3339
    if isDay { return String(full.prefix(10)) }
    return isInstantKnown ? full : String(full.prefix(19))
  }
}

extension Message {
  /// The calendar data of the first part that has any; `nil` if none has. Enclosed messages are not looked into.
  public var calendar: CalendarData? {
    for part in body.leaves.prefix(100) {
      let type = part.contentType
      let isCalendar = type.mediaType == "text/calendar" || type.mediaType == "application/ics"
      guard isCalendar || part.fileName?.lowercased().hasSuffix(".ics") ?? false else { continue }
      let text = part.text ?? Charset.decode(part.decodedBytes[...], label: type.parameter("charset")).text
      if let data = CalendarData(text, method: type.parameter("method")) { return data }
    }
    return nil
  }
}
