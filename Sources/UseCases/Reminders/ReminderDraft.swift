public import Expressions
public import Foundation
public import Localization
import Plans
import RecipeModel
public import Schedules
import Schemas

/// A reminder that somebody asks for, as it was understood and before it is kept.
public struct ReminderDraft: Sendable {
  /// When it is due.
  public var when: Phrase.When
  /// The clock that its times are told by.
  public var zone: Zone
  /// What to be reminded of.
  public var title: String
  /// More about it; empty for nothing.
  public var note = ""
  /// How many seconds before its time it is delivered as well.
  public var leads: [Double] = []
  /// Seconds after which it is delivered once more until somebody acknowledges it; `nil` for not at all.
  public var every: Double?
  /// How often it is delivered at most; `nil` for no bound.
  public var limit: Int?
  /// What names it in the calendar that it was imported from; empty for none.
  public var uid = ""
  /// The ways in which it is delivered, as `deliver` has them; empty for those of the configuration.
  public var ways: [Value] = []
  /// Words of the title that may be meant as a time: `Friday` in `Friday report tomorrow at 9`; `nil` for none.
  public var doubt: String?

  /// Creates a draft.
  public init(_ title: String, when: Phrase.When, zone: Zone) {
    (self.title, self.when, self.zone) = (title, when, zone)
  }

  /// Whether it comes again and again.
  public var isRepeated: Bool { if case .repeated = when { true } else { false } }

  /// When it is due for the first time; `nil` for never.
  public func first(after now: Date) -> Date? {
    switch when {
    case .once(let date): date
    case .repeated(let schedule): schedule.next(after: now)
    }
  }
}

/// What somebody asks to be reminded of, in words and options.
public struct ReminderWish: Sendable {
  /// The text, with the time in it unless an option says it.
  public var sentence: String
  /// The time in words, or as a date: `tomorrow at 9`, `2026-11-24T09:00`.
  public var at: String?
  /// How it repeats in words: `Tuesday at 7`, `2 hours`.
  public var every: String?
  /// A recurrence rule (RFC 5545), with ``at`` as its time of day.
  public var rule: String?
  /// The clock that times are told by.
  public var zone: Zone

  /// Creates a wish.
  public init(_ sentence: String, zone: Zone = .current) { (self.sentence, self.zone) = (sentence, zone) }

  /// What the words can mean, the likeliest first, each with how it is told to people.
  ///
  /// - Parameter now: The moment that `tomorrow` and the like count from.
  /// - Throws: ``UseCaseError`` where no words tell a time, the time is past, or nothing is left to be reminded of.
  public func readings(now: Date) throws(UseCaseError) -> [(draft: ReminderDraft, understood: LocalizedText)] {
    if let rule { return [try ruled(rule, now: now)] }
    var words = sentence
    var isApart = true
    if let every {
      let given = every.lowercased()
      let leads = given.hasPrefix("every ") || given.hasPrefix("jede") || given.hasPrefix("alle ")
      words = (leads ? every : "every " + every) + (at.map { " at " + $0 } ?? "")
    } else if let at {
      if let date = Self.date(at, zone) {
        let (draft, words) = try dated(date, now: now)
        let iso = at.split(separator: " ").joined(separator: "T")
        let gap = LocalTime(iso: iso).flatMap { SendMoment.gap($0, in: zone) }
        return [(draft, gap.map { words + LocalizedText(verbatim: "; ") + $0 } ?? words)]
      }
      words = at
    } else {
      isApart = false
    }
    let choices: [Phrase]
    do throws(ScheduleError) {
      choices = try Phrase.read(words, now: now, zone: zone).choices
    } catch {
      throw .wrongInput(error.text)
    }
    var readings: [(draft: ReminderDraft, understood: LocalizedText)] = []
    for phrase in choices {
      if isApart, !phrase.title.isEmpty { throw Self.notUnderstood(phrase.title) }
      let title = try checkedTitle(isApart ? sentence : phrase.title)
      // Words that no time to come has.
      if !isApart, let word = title.lowercased().split(separator: " ").first(where: { Self.gone.contains(String($0)) })
      {
        throw Self.isPast(LocalizedText(verbatim: "'\(word)'"))
      }
      if case .once(let date) = phrase.when, date <= now { continue }
      var draft = ReminderDraft(title, when: phrase.when, zone: zone)
      draft.doubt = isApart ? nil : phrase.doubt
      readings.append((draft, phrase.understood))
    }
    guard !readings.isEmpty else { throw Self.isPast(choices.first?.understood) }
    return readings
  }

  /// The moments that words can mean, the likeliest first, each with how it is told to people: `in 2 hours`, `tomorrow`,
  /// `later today`, `2026-11-24 09:00`.
  ///
  /// - Throws: ``UseCaseError`` where no words tell a time, other words stand beside them, or the time is past.
  public static func moments(
    _ phrase: String, now: Date, zone: Zone = .current
  ) throws(UseCaseError) -> [(date: Date, understood: LocalizedText)] {
    let leads = ["until", "till", "bis", "to", "auf", "later", "später"]
    var words = phrase.split(separator: " ")
    while let first = words.first, leads.contains(first.lowercased()) { words.removeFirst() }
    if let last = words.last, ["later", "später"].contains(last.lowercased()) { words.removeLast() }
    var wish = ReminderWish("-", zone: zone)
    wish.at = words.joined(separator: " ")
    return try wish.readings(now: now).map { reading throws(UseCaseError) in
      guard case .once(let date) = reading.draft.when else {
        throw .wrongInput(.init("'\(phrase)' is not a single time", de: "'\(phrase)' ist keine einzelne Zeit"))
      }
      return (date, reading.understood)
    }
  }

  private func ruled(_ rule: String, now: Date) throws(UseCaseError) -> (ReminderDraft, LocalizedText) {
    let time = at ?? "09:00"
    guard let clock = LocalTime(iso: "2000-01-01T" + (time.utf8.count < 5 ? "0" + time : time)) else {
      throw .wrongInput(
        .init(
          "with --rrule, --at is a time of day such as 09:00, not '\(time)'",
          de: "mit --rrule ist --at eine Uhrzeit wie 09:00, nicht '\(time)'"))
    }
    let today = zone.local(now)
    let midnight = today.seconds - (today.seconds % 86_400 + 86_400) % 86_400
    let start = LocalTime(seconds: midnight + (clock.seconds % 86_400 + 86_400) % 86_400)
    do throws(ScheduleError) {
      let text = rule.uppercased().hasPrefix("RRULE:") ? String(rule.dropFirst(6)) : rule
      let series = Recurrence(try RecurrenceRule(text), start: start, zone: zone)
      let draft = ReminderDraft(
        try title(), when: .repeated(Schedules.Schedule(.recurrence(series), zone: zone)), zone: zone)
      guard let first = draft.first(after: now) else { throw .never(rule) }
      return (
        draft,
        LocalizedText(
          "\(text) at \(time), first on \(Self.day(first, zone))",
          de: "\(text) um \(time), zuerst am \(Self.day(first, zone))")
      )
    } catch {
      throw .wrongInput(error.text)
    }
  }

  private func title() throws(ScheduleError) -> String {
    do throws(UseCaseError) {
      return try checkedTitle(sentence)
    } catch {
      throw ScheduleError(.notUnderstood, error.message, advice: LocalizedText(verbatim: ""), range: 0..<0)
    }
  }

  private func dated(_ date: Date, now: Date) throws(UseCaseError) -> (ReminderDraft, LocalizedText) {
    let words = LocalizedText(verbatim: Self.day(date, zone))
    guard date > now else { throw Self.isPast(words) }
    return (ReminderDraft(try checkedTitle(sentence), when: .once(date), zone: zone), words)
  }

  private func checkedTitle(_ text: String) throws(UseCaseError) -> String {
    let title = text.split(separator: " ").joined(separator: " ")
    guard !title.isEmpty else {
      throw .wrongInput(
        .init(
          "nothing is left to be reminded of: say what, as in 'dentist tomorrow at 9'",
          de: "es fehlt, woran erinnert werden soll: wie in 'Zahnarzt morgen um 9'"))
    }
    guard title.utf8.count <= 4000 else {
      throw .wrongInput(
        .init("a reminder has at most 4000 bytes", de: "eine Erinnerung hat höchstens 4000 Bytes"))
    }
    return title
  }

  /// A date as a program writes it; one without an offset is on the clock of the zone.
  static func date(_ text: String, _ zone: Zone) -> Date? {
    let iso = text.split(separator: " ").joined(separator: "T")
    if iso.utf8.count > 10, let local = LocalTime(iso: iso) { return zone.moment(local) }
    return Timestamp(rfc3339: text).map { Date(timeIntervalSince1970: Double($0.seconds)) }
  }

  /// `2026-11-24 09:00` on the clock of a zone.
  static func day(_ date: Date, _ zone: Zone) -> String {
    let text = zone.local(date).description.split(separator: "T").joined(separator: " ")
    return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
  }

  private static let gone: Set<String> = ["yesterday", "gestern", "vorgestern"]

  private static func isPast(_ understood: LocalizedText?) -> UseCaseError {
    let what = understood.map { $0 + LocalizedText(" ", de: " ") } ?? LocalizedText(verbatim: "")
    return .wrongInput(
      what
        + LocalizedText(
          "is past; a reminder comes later than now", de: "ist vorbei; eine Erinnerung kommt später als jetzt"))
  }

  private static func notUnderstood(_ rest: String) -> UseCaseError {
    .wrongInput(.init("'\(rest)' is not part of a time", de: "'\(rest)' gehört zu keiner Zeit"))
  }
}

extension ScheduleError {
  fileprivate static func never(_ rule: String) -> ScheduleError {
    ScheduleError(
      .never, LocalizedText("'\(rule)' never comes", de: "'\(rule)' kommt nie"),
      advice: LocalizedText("look at it with 'sous schedules next'", de: "mit 'sous schedules next' ansehen"),
      range: 0..<rule.utf8.count)
  }
}
