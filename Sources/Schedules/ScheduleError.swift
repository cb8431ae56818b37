public import Localization

/// An error in the text of a schedule, and the remedy.
public struct ScheduleError: CodedError {
  /// The kinds of problems.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// Stable, in snake case.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not a cron expression.
    public static let invalidCron = Code(rawValue: "invalid_cron")
    /// The text is not a recurrence rule.
    public static let invalidRule = Code(rawValue: "invalid_rrule")
    /// The text is not a date or duration.
    public static let invalidTime = Code(rawValue: "invalid_time")
    /// The zone database has no such zone.
    public static let unknownZone = Code(rawValue: "unknown_time_zone")
    /// The schedule has no occurrence in any year.
    public static let never = Code(rawValue: "never")
    /// It means something, but Sous does not do it.
    public static let unsupported = Code(rawValue: "unsupported")
    /// Sunrise and sunset need a place.
    public static let missingPlace = Code(rawValue: "missing_place")
    /// Calendar data is damaged.
    public static let invalidCalendar = Code(rawValue: "invalid_calendar")
    /// The phrase is not understood.
    public static let notUnderstood = Code(rawValue: "not_understood")
    /// The phrase has several meanings.
    public static let ambiguous = Code(rawValue: "ambiguous")
  }

  /// The kind of problem.
  public let code: Code
  /// The problem.
  public let message: LocalizedText
  /// The remedy.
  public let advice: LocalizedText
  /// The part of the text that is wrong, in UTF-8 bytes; of calendar data, the bytes of the line.
  public let range: Range<Int>

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, advice: LocalizedText, range: Range<Int>) {
    self.code = code
    self.message = message
    self.advice = advice
    self.range = range
  }

  /// The error with its range moved, for a text that is part of another.
  func moved(by distance: Int) -> ScheduleError {
    let lower = max(0, range.lowerBound + distance)
    return ScheduleError(
      code, message, advice: advice, range: lower..<max(lower, range.upperBound + distance))
  }

  /// Message and advice: `…; …`.
  public var text: LocalizedText { message + LocalizedText(verbatim: "; ") + advice }
}
